//! Fields that hold what no run of the model ever leaves there, and what a claim makes of them.

use super::amount::Read;
use super::outcome::Check;
use super::target::{Step, Target};
use crate::pool::subject::Encoding;
use crate::redis_link::{Batch, Link, LinkError, Reply};

const PHASE: &str = "edges";

/// What a claim has to make of a field.
enum Meaning {
    /// It pays this text and leaves the reset.
    Pays(&'static str),
    /// It pays this text, or refuses and changes nothing.
    PaysOrRefuses(&'static str),
    /// It refuses and changes nothing.
    Refuses,
    /// It pays nothing.
    Nothing,
}

use Meaning::{Nothing, Pays, PaysOrRefuses, Refuses};

fn cases(encoding: Encoding) -> Vec<(&'static str, Option<&'static str>, Meaning)> {
    let is_float = encoding == Encoding::Float;
    let decimal = |text| if is_float { Pays(text) } else { Refuses };
    let other = |text| if is_float { PaysOrRefuses(text) } else { Refuses };
    vec![
        ("missing field", None, Nothing),
        ("empty text", Some(""), Nothing),
        ("12.75", Some("12.75"), decimal("12.75")),
        ("0.99", Some("0.99"), decimal("0.99")),
        ("-12.75", Some("-12.75"), other("-12.75")),
        ("2^53 - 1", Some("9007199254740991"), Pays("9007199254740991")),
        ("2^53 + 1", Some("9007199254740993"), Pays("9007199254740993")),
        ("i64::MAX", Some("9223372036854775807"), Pays("9223372036854775807")),
        ("exponent 1e3", Some("1e3"), other("1000")),
        ("exponent 1e20", Some("1e20"), other("100000000000000000000")),
        ("hexadecimal 0x10", Some("0x10"), other("16")),
        ("inf", Some("inf"), Refuses),
        ("nan", Some("nan"), Refuses),
        ("12abc", Some("12abc"), Refuses),
    ]
}

/// Every case is a check. `flush`: whether the server's scripts may be forgotten, which others notice too.
///
/// # Errors
/// [`LinkError`].
pub fn checks(link: &mut Link, target: &Target, flush: bool) -> Result<Vec<Check>, LinkError> {
    let mut checks = Vec::new();
    for (ordinal, (name, stored, meaning)) in (0..).zip(cases(target.subject.encoding)) {
        let wrong = claim_of(link, target, stored, &meaning, ordinal)?;
        checks.push(Check::of(PHASE, name, wrong, "as it has to be"));
    }
    let (key, field) = (&target.pools[0].key, &target.pools[0].field);
    let claim = |ordinal| Step::Claim { pool: 0, ordinal, reset: 0 };

    link.must(&["DEL", key])?;
    link.must(&["SET", key, "7"])?;
    let read = target.ask(link, &claim(100), &|| {})?;
    let left = link.ask(&["GET", key])?;
    let wrong = !matches!(read, Read::Refused(_)) || left != Reply::Text(b"7".to_vec());
    let wrong = wrong.then(|| format!("a key of the wrong type: {}, and the key holds {left}", shown(target, &read)));
    checks.push(Check::of(PHASE, "wrong type", wrong, "refused, nothing changed"));

    link.must(&["DEL", key])?;
    link.must(&["HSET", key, field, "7"])?;
    link.must(&["PEXPIRE", key, "1"])?;
    while link.must(&["EXISTS", key])? != Reply::Integer(0) {}
    let read = target.ask(link, &claim(101), &|| {})?;
    let wrong = (read.amount() != Some(0)).then(|| format!("an expired field: {}", shown(target, &read)));
    checks.push(Check::of(PHASE, "expired field", wrong, "pays nothing"));

    if target.subject.encoding == Encoding::Integer {
        link.must(&["DEL", key])?;
        link.must(&["HSET", key, field, "9223372036854775807"])?;
        let read = target.ask(link, &Step::Add { pool: 0, atoms: 1 }, &|| {})?;
        let left = link.ask(&["HGET", key, field])?;
        let kept = left == Reply::Text(b"9223372036854775807".to_vec());
        let wrong = (!matches!(read, Read::Refused(_)) || !kept)
            .then(|| format!("one more than i64::MAX: {}, and the field holds {left}", shown(target, &read)));
        checks.push(Check::of(PHASE, "add at i64::MAX", wrong, "refused, nothing changed"));
    }

    if flush {
        set(link, target, Some("5"))?;
        link.must(&["SCRIPT", "FLUSH"])?;
        let read = target.ask(link, &claim(102), &|| {})?;
        let wrong = (read != Read::Amount(target.scale.parse("5").unwrap_or(0)))
            .then(|| format!("after SCRIPT FLUSH a claim of 5: {}", shown(target, &read)));
        checks.push(Check::of(PHASE, "SCRIPT FLUSH", wrong, "the script is sent again"));
    }

    // The reply is lost after the claim was applied: the service asks again, with the same claim id.
    set(link, target, Some("12"))?;
    let mut other = Link::open(link.address())?;
    let mut batch = Batch::default();
    batch.push(&["CLIENT", "REPLY", "OFF"]);
    target.push_step(&mut batch, &claim(103), true);
    batch.push(&["CLIENT", "REPLY", "ON"]);
    let mut replies = Vec::new();
    let mut only_last = Batch::default();
    only_last.push(&["PING"]);
    other.send_unanswered(&batch, &only_last, &mut replies)?;
    let read = target.ask(link, &claim(103), &|| {})?;
    let wrong = (read != Read::Amount(target.scale.parse("12").unwrap_or(0)))
        .then(|| format!("12 were claimed, the reply was lost, and the retry was told: {}", shown(target, &read)));
    checks.push(Check::of(PHASE, "lost reply", wrong, "a retry pays the same amount"));
    link.must(&["DEL", key])?;
    Ok(checks)
}

fn set(link: &mut Link, target: &Target, stored: Option<&str>) -> Result<(), LinkError> {
    let (key, field) = (&target.pools[0].key, &target.pools[0].field);
    link.must(&["DEL", key])?;
    if let Some(stored) = stored {
        link.must(&["HSET", key, field, stored])?;
        link.must(&["PEXPIRE", key, "3600000"])?;
    }
    Ok(())
}

fn claim_of(
    link: &mut Link,
    target: &Target,
    stored: Option<&str>,
    meaning: &Meaning,
    ordinal: u64,
) -> Result<Option<String>, LinkError> {
    set(link, target, stored)?;
    let reset = target.scale.atoms(0);
    let read = target.ask(link, &Step::Claim { pool: 0, ordinal, reset }, &|| {})?;
    let left = link.ask(&["HGET", &target.pools[0].key, &target.pools[0].field])?;
    let is_unchanged = left == stored.map_or(Reply::Nil, |text| Reply::Text(text.into()));
    let is_reset = left == Reply::Nil || left == Reply::Text(b"0".to_vec());
    let pays = |text: &str| read == Read::Amount(target.scale.parse(text).unwrap_or(i128::MIN)) && is_reset;
    let refuses = matches!(read, Read::Refused(_)) && is_unchanged;
    let is_right = match *meaning {
        Pays(text) => pays(text),
        PaysOrRefuses(text) => pays(text) || refuses,
        Refuses => refuses,
        Nothing => pays("0") || (stored.is_some() && refuses),
    };
    let wanted = match *meaning {
        Pays(text) => format!("{text} paid"),
        PaysOrRefuses(text) => format!("{text} paid, or refused with nothing changed"),
        Refuses => "refused with nothing changed".to_owned(),
        Nothing => "0 paid".to_owned(),
    };
    let held = stored.map_or("no field".to_owned(), |text| format!("\"{text}\""));
    Ok((!is_right).then(|| format!("{held}: {}, and the field holds {left}; expected {wanted}", shown(target, &read))))
}

fn shown(target: &Target, read: &Read) -> String {
    match read {
        Read::Amount(atoms) => format!("paid {}", target.scale.text(*atoms)),
        Read::Refused(reason) => format!("refused with {reason}"),
        Read::Nonsense(reply) => format!("the reply is {reply}"),
    }
}
