//! Assertions and what was found: for people, as JSON, and as JUnit XML.

use super::table::layout::{rule, wrap};
use crate::metrics::assertion::{Judged, Verdict};
use serde::Serialize;

/// Version of the layout of the JSON.
const VERDICTS_SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Document<'j> {
    verdicts_schema: u32,
    jackpot_version: &'static str,
    passed: usize,
    failed: usize,
    undecided: usize,
    verdicts: &'j [Judged],
}

fn count(judged: &[Judged], verdict: Verdict) -> usize {
    judged.iter().filter(|judged| judged.verdict == verdict).count()
}

/// As JSON.
pub fn to_json_bytes(judged: &[Judged]) -> Vec<u8> {
    let document = Document {
        verdicts_schema: VERDICTS_SCHEMA,
        jackpot_version: env!("CARGO_PKG_VERSION"),
        passed: count(judged, Verdict::Pass),
        failed: count(judged, Verdict::Fail),
        undecided: count(judged, Verdict::Undecided),
        verdicts: judged,
    };
    let mut bytes = serde_json::to_vec_pretty(&document).expect("plain data");
    bytes.push(b'\n');
    bytes
}

/// For a terminal of 80 columns.
pub fn to_table(judged: &[Judged]) -> String {
    let several = judged.iter().any(|one| one.game != judged[0].game);
    let mut lines = vec![String::new(), rule("Assertions")];
    for one in judged {
        let mark = match one.verdict {
            Verdict::Pass => "✓",
            Verdict::Fail => "✗",
            Verdict::Undecided => "?",
        };
        let word = match one.verdict {
            Verdict::Pass => "passed",
            Verdict::Fail => "FAILED",
            Verdict::Undecided => "undecided",
        };
        let game = if several { format!("{}: ", one.game) } else { String::new() };
        lines.extend(wrap(&format!("{mark} {word}: {game}{}; found {}", one.assertion, one.found), "  "));
    }
    let of = |verdict| count(judged, verdict);
    lines.push(format!(
        "{} passed, {} failed, {} undecided",
        of(Verdict::Pass),
        of(Verdict::Fail),
        of(Verdict::Undecided)
    ));
    lines.join("\n") + "\n"
}

/// A case of a JUnit report.
pub struct Case<'c> {
    pub class: &'c str,
    pub name: &'c str,
    /// `None` if it passed.
    pub problem: Option<Problem<'c>>,
}

/// Why a case didn't pass. JUnit has no word for undecided: it is an error, which no reader takes for a pass.
pub struct Problem<'c> {
    pub is_error: bool,
    pub message: &'c str,
}

/// Cases as a JUnit report with one suite.
pub fn junit(suite: &str, cases: &[Case]) -> String {
    let problems = |is_error: bool| {
        cases.iter().filter(|case| case.problem.as_ref().is_some_and(|problem| problem.is_error == is_error)).count()
    };
    let (failures, errors, tests) = (problems(false), problems(true), cases.len());
    let counts = format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\"");
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {counts}>\n  <testsuite name=\"{}\" {counts}>\n",
        escaped(suite)
    );
    for case in cases {
        xml += &format!("    <testcase classname=\"{}\" name=\"{}\"", escaped(case.class), escaped(case.name));
        xml += &match &case.problem {
            None => "/>\n".to_owned(),
            Some(problem) => {
                let tag = if problem.is_error { "error" } else { "failure" };
                format!(">\n      <{tag} message=\"{}\"/>\n    </testcase>\n", escaped(problem.message))
            }
        };
    }
    xml + "  </testsuite>\n</testsuites>\n"
}

/// As JUnit XML.
pub fn to_junit(judged: &[Judged]) -> String {
    let cases: Vec<Case> = judged
        .iter()
        .map(|one| Case {
            class: &one.game,
            name: &one.assertion,
            problem: (one.verdict != Verdict::Pass)
                .then_some(Problem { is_error: one.verdict == Verdict::Undecided, message: &one.found }),
        })
        .collect();
    junit("jackpot", &cases)
}

/// A text inside an XML attribute. Control characters, which XML has no place for, are left out.
fn escaped(text: &str) -> String {
    text.chars()
        .filter(|sign| !sign.is_control() || matches!(sign, '\n' | '\t'))
        .map(|sign| match sign {
            '&' => "&amp;".to_owned(),
            '<' => "&lt;".to_owned(),
            '>' => "&gt;".to_owned(),
            '"' => "&quot;".to_owned(),
            '\n' => "&#10;".to_owned(),
            other => other.to_string(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::Unit;

    fn judged(verdict: Verdict) -> Judged {
        Judged {
            game: "house".into(),
            assertion: "rtp < 95% & \"more\"".into(),
            verdict,
            found: "94 %, exactly".into(),
            unit: Unit::Share,
            value: Some(0.94),
            interval: Some((0.94, 0.94)),
        }
    }

    #[test]
    fn only_a_pass_is_a_pass() {
        let all = [Verdict::Pass, Verdict::Fail, Verdict::Undecided].map(judged);
        let xml = to_junit(&all);
        assert!(xml.contains("tests=\"3\" failures=\"1\" errors=\"1\""), "{xml}");
        assert_eq!((xml.matches("<failure ").count(), xml.matches("<error ").count()), (1, 1));
        assert!(xml.contains("rtp &lt; 95% &amp; &quot;more&quot;"));
        let json: serde_json::Value = serde_json::from_slice(&to_json_bytes(&all)).unwrap();
        assert_eq!((&json["passed"], &json["undecided"]), (&1.into(), &1.into()));
        assert_eq!(json["verdicts"][1]["verdict"], "fail");
        let table = to_table(&all);
        assert!(table.contains("FAILED") && table.contains("1 passed, 1 failed, 1 undecided"), "{table}");
    }
}
