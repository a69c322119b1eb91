//! The game file as written: every value with its place, types checked, meaning not yet. These types don't leave
//! `config`.

mod features;
mod jackpots;
pub(super) mod node;
mod play;

use toml::de::{DeTable, DeValue};

use super::amount::{Amount, Exact};
use super::findings::{At, Notes, Span};
use node::Table;
pub(super) use node::{List, PerBet, Unread};

/// A number and a weight, as far as they could be read.
pub(super) type Weighted = (Option<At<Exact>>, Option<At<u64>>);

/// A list of keys and values, as far as the values could be read.
pub(super) type Pairs<A, B> = At<Vec<(At<A>, Option<B>)>>;

pub(super) struct WireGame {
    /// The file's first line, for what is missing altogether.
    pub span: Span,
    pub name: Option<At<String>>,
    pub currency: Option<At<String>>,
    pub source: Option<At<String>>,
    pub note: Option<At<String>>,
    pub bets: Option<WireBets>,
    pub reels: Option<WireReels>,
    pub outcomes: Option<WireOutcomes>,
    pub symbols: Vec<WireSymbol>,
    pub line_pays: Option<WireLinePays>,
    pub scatter_pays: Option<WireScatterPays>,
    pub onlys: Vec<WireOnly>,
    pub free_spins: Vec<WireFreeSpins>,
    pub bonuses: Vec<WireBonus>,
    pub tables: Vec<WireTable>,
    pub levels: Vec<WireLevel>,
    pub exclusive: Vec<At<String>>,
    pub published: Vec<(String, String)>,
    pub traffic: Option<WireTraffic>,
    /// Sections that only seem to be missing.
    pub unread: Unread,
    /// The same for the tables of `[pays]`.
    pub unread_pays: Unread,
}

pub(super) struct WireTraffic {
    pub spins_per_day: Option<At<u64>>,
    pub from: Option<At<jiff::civil::Date>>,
}

pub(super) struct WireBets {
    pub amounts: Option<List<Exact>>,
    pub mix: Option<List<Exact>>,
    pub lines: Option<At<u64>>,
    pub coins: Option<List<u64>>,
    pub unread: Unread,
}

pub(super) struct WireReels {
    pub span: Span,
    pub unread: Unread,
    pub rows: Option<At<u64>>,
    pub strips: Option<WireStrips>,
    pub weights: Option<List<String>>,
    pub counts: Option<Pairs<String, List<u64>>>,
}

pub(super) enum WireStrips {
    File(At<String>),
    Inline(List<String>),
}

pub(super) struct WireOutcomes {
    pub span: Span,
    pub unread: Unread,
    pub unit: Option<At<String>>,
    pub bet_credits: Option<At<Exact>>,
    pub rows: Option<List<WireOutcome>>,
    pub table: Option<At<String>>,
}

pub(super) struct WireOutcome {
    pub pay: Option<At<Exact>>,
    pub weight: Option<At<u64>>,
    /// `None` if they could not be read.
    pub jackpots: Option<List<String>>,
}

pub(super) struct WireSymbol {
    pub name: At<String>,
    pub wild: Option<At<bool>>,
    pub multiplier: Option<At<u64>>,
    pub stacking: Option<At<String>>,
    pub not_for: Option<List<String>>,
    pub own_pay_multiplied: Option<At<bool>>,
    /// "always" for `true`.
    pub expands: Option<At<String>>,
    pub counted: Option<At<String>>,
    pub unread: Unread,
}

pub(super) struct WireLinePays {
    pub span: Span,
    /// Whether it is [pays.ways].
    pub by_ways: bool,
    pub direction: Option<At<String>>,
    pub shapes: Option<WireShapes>,
    pub shapes_unread: bool,
    pub unit: Option<At<String>>,
    pub pays: Vec<WireLinePay>,
}

pub(super) enum WireShapes {
    Named(At<String>),
    List(List<WireShape>),
}

#[derive(Clone)]
pub(super) enum WireShape {
    Digits(String),
    Rows(List<u64>),
}

pub(super) struct WireLinePay {
    pub name: At<String>,
    /// `None` for a symbol's own pays.
    pub of: Option<List<String>>,
    pub mixed: bool,
    pub pays: Option<List<Exact>>,
    pub counted: Option<At<String>>,
    pub wilds: Option<At<String>>,
}

pub(super) struct WireScatterPays {
    pub unit: Option<At<String>>,
    pub pays: Vec<(At<String>, Option<List<Exact>>)>,
}

/// Pays of some bets.
pub(super) struct WireOnly {
    pub span: Span,
    pub bets: Option<List<u64>>,
    pub unit: Option<At<String>>,
    pub line: Vec<WireLinePay>,
    pub scatter: Vec<(At<String>, Option<List<Exact>>)>,
}

pub(super) struct WireFreeSpins {
    pub span: Span,
    pub unread: Unread,
    pub name: Option<At<String>>,
    pub scatter: Option<At<String>>,
    pub from: Option<At<u64>>,
    pub spins: Option<At<u64>>,
    /// Spins by count, and whether every count could be read.
    pub by_count: Option<(Pairs<u64, At<u64>>, bool)>,
    pub multiplier: Option<At<u64>>,
    pub retrigger: Option<At<WireRetrigger>>,
    pub limit: Option<At<u64>>,
    pub strips: Option<WireStrips>,
    pub weights: Option<List<String>>,
    pub spare: Option<List<String>>,
    pub sticky: Option<List<String>>,
}

#[derive(Clone)]
pub(super) enum WireRetrigger {
    None,
    Same,
    Spins(u64),
}

/// `line` or `scatter`, as bonuses and jackpots name it.
pub(super) struct WireCombination {
    pub span: Span,
    /// Keys of the table it stands in.
    pub unread: Unread,
    pub line: Option<List<String>>,
    pub count: Option<At<u64>>,
    pub wilds: Option<At<bool>>,
    pub scatter: Option<At<String>>,
    pub from: Option<At<u64>>,
    /// Of a jackpot alone.
    pub award: Option<At<String>>,
}

pub(super) struct WireBonus {
    pub name: Option<At<String>>,
    pub trigger: WireCombination,
    pub draw: Option<At<String>>,
}

pub(super) struct WireTable {
    pub name: At<String>,
    pub unread: Unread,
    pub of: Option<At<String>>,
    pub draws: Option<List<Weighted>>,
    pub prizes: Option<List<Weighted>>,
    pub segments: Option<List<WireSegment>>,
    pub unit: Option<At<String>>,
}

/// A segment of a wheel.
pub(super) struct WireSegment {
    pub unread: Unread,
    pub pay: Option<At<Exact>>,
    pub weight: Option<At<u64>>,
    pub draws: Option<At<u64>>,
    pub of: Option<At<String>>,
    pub again: Option<At<bool>>,
    pub jackpots: Option<List<String>>,
    pub free_spins: Option<At<u64>>,
    pub feature: Option<At<String>>,
}

pub(super) struct WireLevel {
    pub span: Span,
    pub name: Option<At<String>>,
    pub contribution: Option<PerBet<Exact>>,
    pub reserve: Option<PerBet<Exact>>,
    pub surplus: Option<At<String>>,
    pub seed: Option<PerBet<Amount>>,
    pub pool: Option<At<String>>,
    pub trigger: Option<WireTrigger>,
    pub eligible: Option<List<u64>>,
    pub eligible_from: Option<At<Exact>>,
    pub cap: Option<PerBet<Amount>>,
    pub cap_overflow: Option<WireOverflow>,
    pub unread: Unread,
}

pub(super) enum WireTrigger {
    Odds {
        odds: Option<At<Exact>>,
        per: Option<At<Exact>>,
        unread: Unread,
    },
    MustHitBy {
        bound: Option<PerBet<Amount>>,
        law: Option<WireLaw>,
        pays: Option<At<String>>,
        overflow: Option<WireOverflow>,
        unread: Unread,
    },
    Symbols(WireCombination),
}

/// How a hidden threshold is drawn: a word, or pieces of the way from seed to bound.
pub(in crate::config) enum WireLaw {
    Word(At<String>),
    Pieces(List<WirePiece>),
}

/// Where an overflow goes: a word, or the name of a level.
pub(in crate::config) enum WireOverflow {
    Word(At<String>),
    Level(At<String>),
}

impl WireOverflow {
    pub fn span(&self) -> Span {
        match self {
            Self::Word(text) | Self::Level(text) => text.span,
        }
    }
}

/// A piece: the share of the way at which it ends, and its weight.
pub(in crate::config) struct WirePiece {
    pub end: Option<At<Exact>>,
    pub weight: Option<At<u64>>,
}

impl WireGame {
    /// The name of free spins, as reports and segments know it.
    pub fn free_spins_name(&self, position: usize) -> String {
        let written = self.free_spins.get(position).and_then(|feature| feature.name.as_ref());
        written.map_or_else(
            || match self.free_spins.len() {
                1 => "free spins".to_string(),
                _ => format!("free spins {}", position + 1),
            },
            |name| name.value.clone(),
        )
    }

    /// The segments of every wheel that could be read.
    pub fn segments(&self) -> impl Iterator<Item = &At<WireSegment>> {
        self.tables.iter().filter_map(|table| table.segments.as_ref()).flat_map(List::known)
    }

    /// Whether the name of every level is known, so that another name is wrong.
    pub fn levels_are_named(&self) -> bool {
        !self.unread.has("jackpot") && self.levels.iter().all(|level| level.name.is_some())
    }
}

impl WireLevel {
    /// The level's name, empty if it has none.
    pub fn name_text(&self) -> &str {
        self.name.as_ref().map_or("", |name| &name.value)
    }
}

/// Reads the document. What can't be read is a finding, and `None` or absent here.
pub(super) fn read<'a>(notes: &'a Notes, document: &'a DeTable<'a>, text: &str) -> WireGame {
    let first_line = text.find('\n').unwrap_or(text.len());
    let span = Span { file: 0, start: 0, end: first_line };
    let root = Table::new(notes, document, span, "the game file");
    let pays = root.table("pays", "[pays]");
    let (free_spins, bonuses) = features::features(notes, &root);
    let mut game = WireGame {
        span,
        name: root.need("name", node::text, "name = \"My game\""),
        currency: root.need("currency", node::text, "currency = \"USD\""),
        source: root.need("source", node::text, "source = \"where the figures come from\""),
        note: root.get("note", node::text),
        bets: play::bets(&root),
        reels: play::reels(notes, &root),
        outcomes: play::outcomes(&root),
        symbols: play::symbols(notes, &root),
        line_pays: pays.as_ref().and_then(|pays| play::line_or_way_pays(notes, pays)),
        scatter_pays: pays.as_ref().and_then(|pays| play::scatter_pays(notes, pays)),
        onlys: pays.as_ref().map_or_else(Vec::new, |pays| play::onlys(notes, pays)),
        free_spins,
        bonuses,
        tables: features::tables(notes, &root),
        levels: jackpots::levels(notes, &root),
        exclusive: jackpots::exclusive(&root),
        published: published(notes, &root),
        traffic: traffic(&root),
        unread: Unread::default(),
        unread_pays: Unread::default(),
    };
    if let Some(pays) = pays {
        game.unread_pays = pays.finish();
    }
    game.unread = root.finish();
    if game.unread.has("pays") {
        game.unread_pays = Unread::all(&["line", "ways", "scatter"]);
    }
    game
}

fn traffic(root: &Table) -> Option<WireTraffic> {
    let table = root.table("traffic", "[traffic]")?;
    let traffic = WireTraffic {
        spins_per_day: table.need("spins_per_day", node::whole, "spins_per_day = 50_000"),
        from: table.get("from", node::date),
    };
    table.finish();
    Some(traffic)
}

fn published<'a>(notes: &'a Notes, root: &Table<'a>) -> Vec<(String, String)> {
    let Some(table) = root.table("published", "[published]") else { return Vec::new() };
    let mut entries = Vec::new();
    for (key, value) in table.rest() {
        match value.get_ref() {
            DeValue::String(text) => entries.push((key.value, text.to_string())),
            DeValue::Integer(_) | DeValue::Float(_) => entries.push((key.value, notes.text(node::span(value)))),
            _ => {
                let what = format!("`{}`", key.value);
                node::wrong_type::<()>(notes, value, &what, "expected text or a number", "put it in quotes");
            }
        }
    }
    entries
}
