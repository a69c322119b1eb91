//! Reports: `result.json` and every view of it. This module reads results; it never plays, and knows no game rules.

pub mod result;
