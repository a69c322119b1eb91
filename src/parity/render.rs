//! What parity found: for a terminal of 80 columns, as JSON, as JUnit XML, and as annotations of GitHub.

use super::outcome::{Check, Report, Verdict};
use crate::report::table::layout::{rule, wrap};
use crate::report::verdicts::{Case, Problem, junit};

fn mark(verdict: Verdict) -> (&'static str, &'static str) {
    match verdict {
        Verdict::Pass => ("✓", "passed"),
        Verdict::Fail => ("✗", "FAILED"),
        Verdict::Undecided => ("?", "undecided"),
        Verdict::Skipped => ("-", "skipped"),
    }
}

/// The closing line: counts, and nothing that was not found out.
pub fn counts(report: &Report) -> String {
    format!(
        "{} passed, {} failed, {} undecided, {} skipped; {} operations",
        report.passed, report.failed, report.undecided, report.skipped, report.operations
    )
}

/// For a terminal.
pub fn table(report: &Report) -> String {
    let mut lines = vec![rule(&format!("Parity of {} with subject {}", report.game, report.subject))];
    lines.extend(wrap(
        &format!(
            "server: {}; {} spins at {} grain, rng seed {}",
            report.server, report.spins, report.grain, report.rng_seed
        ),
        "  ",
    ));
    let mut phase = "";
    for check in &report.checks {
        if check.phase != phase {
            phase = check.phase;
            lines.extend([String::new(), rule(phase)]);
        }
        let (sign, word) = mark(check.verdict);
        lines.extend(wrap(&format!("{sign} {word}: {}: {}", check.name, check.found), "  "));
    }
    if let Some(first) = &report.divergence {
        lines.extend([String::new(), rule("The first divergence")]);
        let spin = first.spin.map(|spin| format!(", spin {spin}")).unwrap_or_default();
        lines.push(format!("operation {}{spin}, field {}", first.operation, first.field));
        lines.push(format!("  expected {}, found {}", first.expected, first.found));
        lines.push(format!("  held {} before, is to hold {} after; now {}", first.before, first.after, first.left));
        lines.push("the command:".to_owned());
        first.commands.iter().for_each(|command| lines.push(format!("  redis-cli {command}")));
    }
    let moved = |text: &str| text.bytes().any(|byte| (b'1'..=b'9').contains(&byte));
    let pools: Vec<_> =
        report.pools.iter().filter(|pool| moved(&pool.lost) || moved(&pool.doubled) || moved(&pool.drift)).collect();
    if !pools.is_empty() {
        lines.extend([String::new(), rule(&format!("Money that isn't exact, in {}", report.currency))]);
        for pool in pools {
            let from = pool.drift_from_operation.map(|from| format!(" from operation {from} on")).unwrap_or_default();
            lines.extend(wrap(
                &format!(
                    "{}: {} lost, {} doubled, {} net lost per million spins; largest drift {}{from}",
                    pool.field, pool.lost, pool.doubled, pool.net_lost_per_million_spins, pool.drift
                ),
                "  ",
            ));
        }
    }
    lines.extend([String::new(), counts(report)]);
    lines.join("\n") + "\n"
}

/// As JSON.
pub fn json(report: &Report) -> Vec<u8> {
    let mut bytes = serde_json::to_vec_pretty(report).expect("plain data");
    bytes.push(b'\n');
    bytes
}

/// As JUnit XML. What is undecided is an error, which no reader takes for a pass.
pub fn junit_xml(report: &Report) -> String {
    let case = |check: &'_ Check| {
        matches!(check.verdict, Verdict::Fail | Verdict::Undecided).then_some(check.verdict == Verdict::Undecided)
    };
    let cases: Vec<Case> = report
        .checks
        .iter()
        .map(|check| Case {
            class: check.phase,
            name: &check.name,
            problem: case(check).map(|is_error| Problem { is_error, message: &check.found }),
        })
        .collect();
    junit(&format!("parity of {} with {}", report.game, report.subject), &cases)
}

/// A line for each check that didn't pass, in the form that GitHub shows beside a change.
pub fn annotations(report: &Report) -> Vec<String> {
    let escaped = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let line = |check: &Check| match check.verdict {
        Verdict::Fail => Some(format!("::error title=parity {}::{}", escaped(&check.name), escaped(&check.found))),
        Verdict::Undecided => {
            Some(format!("::warning title=parity {}::{}", escaped(&check.name), escaped(&check.found)))
        }
        _ => None,
    };
    report.checks.iter().filter_map(line).collect()
}
