//! Defects that are planted on the same server: what doesn't find them can't say that there are none.

use super::concurrent::{Crowd, race};
use super::outcome::{Check, Verdict};
use super::target::{Step, Target};
use crate::pool::subject::{Action, Form, Reading, Script, Subject, Template, Words};
use crate::redis_link::{Link, LinkError};
use std::time::Duration;

/// The phase's name: a failure here means that no pass counts.
pub const PHASE: &str = "controls";

/// Races until one is caught; a race may be lucky.
const TRIES: u32 = 10;

/// A script that replies a Lua number, whose fraction is cut.
const TRUNCATING: &str = "local held = redis.call('HGET', KEYS[1], ARGV[1])\n\
                          redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])\nreturn tonumber(held)";

fn words(texts: &[&str]) -> Words {
    texts.iter().map(|text| Template::parse(text).expect("a template of ours")).collect()
}

/// The same subject with another claim.
fn with_claim(subject: &Subject, form: Form, reading: Reading) -> Subject {
    let claim = Action { form, reply_of: 0, reading, nil_is_zero: true };
    Subject { claim, ..subject.clone() }
}

/// Plants every defect; each check passes if it was caught.
///
/// # Errors
/// [`LinkError`].
pub fn checks(link: &mut Link, target: &Target) -> Result<Vec<Check>, LinkError> {
    let read = words(&["HGET", "{key}", "{field}"]);
    let reset = words(&["HSET", "{key}", "{field}", "{reset}"]);
    let two_step = with_claim(target.subject, Form::Steps(vec![read, reset]), Reading::Text);
    let mut checks = Vec::new();
    let crowds = [
        ("two-step claims, 1 claimer", Crowd { adders: 2, claimers: 1, operations: 2_000 }, 0),
        ("two-step claims, 4 claimers", Crowd { adders: 2, claimers: 4, operations: 2_000 }, 0),
        ("two-step claims with a gap of 1 ms, 4 claimers", Crowd { adders: 2, claimers: 4, operations: 200 }, 1),
    ];
    for (position, (name, crowd, gap)) in crowds.into_iter().enumerate() {
        let mut caught = None;
        for turn in 0..TRIES {
            let planted = target.with(&two_step, &format!("{}:{position}:{turn}", target.prefix));
            let wait = || std::thread::sleep(Duration::from_millis(gap));
            let (found, _) = race(link, &planted, crowd, if gap > 0 { &wait } else { &|| {} })?;
            if found.lost.0 + found.doubled.0 > 0 {
                caught = Some(format!("caught: {} values lost, {} paid twice", found.lost.0, found.doubled.0));
                break;
            }
        }
        checks.push(check(name, caught));
    }
    let script = Script {
        text: TRUNCATING.to_owned(),
        file: None,
        keys: words(&["{key}"]),
        arguments: words(&["{field}", "{reset}"]),
        sha: None,
        reload: true,
    };
    let subject = with_claim(target.subject, Form::Script(script), Reading::Integer);
    let planted = target.with(&subject, &format!("{}:truncating", target.prefix));
    let pool = &planted.pools[0];
    link.must(&["HSET", &pool.key, &pool.field, "9007199254740993"])?;
    link.must(&["PEXPIRE", &pool.key, "3600000"])?;
    let paid = planted.ask(link, &Step::Claim { pool: 0, ordinal: 0, reset: 0 }, &|| {})?;
    let is_caught = paid.amount() != planted.scale.parse("9007199254740993");
    let caught = is_caught.then(|| "caught: 9007199254740993 was not paid in full".to_owned());
    checks.push(check("a script that replies a Lua number", caught));
    Ok(checks)
}

fn check(name: &str, caught: Option<String>) -> Check {
    let verdict = if caught.is_some() { Verdict::Pass } else { Verdict::Fail };
    let missed = "NOT caught: on this server nothing that passed can be relied on";
    Check::new(PHASE, name, verdict, caught.unwrap_or_else(|| missed.to_owned()))
}
