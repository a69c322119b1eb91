//! What server it is, and whether the run may use it.

use super::outcome::{Check, Verdict};
use super::target::Target;
use crate::pool::subject::{Form, Subject};
use crate::redis_link::{Link, LinkError, Reply};

const PHASE: &str = "preflight";

/// A server as it describes itself.
#[derive(Debug, Clone)]
pub struct Server {
    pub kind: String,
    pub version: String,
    pub system: String,
    /// Commands that the subject uses and the server lacks.
    pub commands: Vec<String>,
}

impl Server {
    /// Asks a server.
    ///
    /// # Errors
    /// [`LinkError`].
    pub fn ask(link: &mut Link, subject: &Subject) -> Result<Self, LinkError> {
        let info = link.must(&["INFO", "server"])?.text().unwrap_or_default();
        let of = |key: &str| {
            let line = info.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'));
            line.map(|value| value.trim().to_owned())
        };
        let valkey = of("valkey_version");
        let known = link.ask(&["COMMAND", "INFO", "HGETDEL"])?;
        let is_known = matches!(&known, Reply::Array(items) if !matches!(items.first(), None | Some(Reply::Nil)));
        let is_used = [&subject.open, &subject.add, &subject.claim].iter().any(|action| action.uses("HGETDEL"));
        let commands = if is_used && !is_known { vec!["HGETDEL".to_owned()] } else { Vec::new() };
        Ok(Self {
            kind: if valkey.is_some() { "Valkey" } else { "Redis" }.to_owned(),
            version: valkey.or_else(|| of("redis_version")).unwrap_or_else(|| "of unknown version".to_owned()),
            system: of("os").unwrap_or_else(|| "an unknown system".to_owned()),
            commands,
        })
    }

    /// Whether its floating point is that of x86-64, which is known to the last bit.
    pub fn is_emulated(&self) -> bool {
        self.system.ends_with("x86_64")
    }
}

/// The checks before anything is written. Loads the scripts. `foreign`: keys under the prefix that were there before.
///
/// # Errors
/// [`LinkError`].
pub fn checks(link: &mut Link, server: &Server, target: &mut Target, foreign: usize) -> Result<Vec<Check>, LinkError> {
    let mut checks = vec![Check::new(
        PHASE,
        "server",
        Verdict::Pass,
        format!("{} {} on {}", server.kind, server.version, server.system),
    )];
    let mut facts = Vec::new();
    for (key, what) in [("appendonly", "append-only file"), ("appendfsync", "fsync"), ("maxmemory-policy", "eviction")]
    {
        if let Reply::Array(pair) = link.ask(&["CONFIG", "GET", key])? {
            facts.extend(pair.get(1).and_then(Reply::text).map(|value| (what, value)));
        }
    }
    let evicts = facts.iter().find(|(what, policy)| *what == "eviction" && policy != "noeviction");
    let wrong = evicts.map(|(_, policy)| format!("eviction policy {policy}: under pressure the server may drop pools"));
    let shown: Vec<String> = facts.iter().map(|(what, value)| format!("{what} {value}")).collect();
    checks.push(match (facts.is_empty(), wrong) {
        (true, _) => {
            Check::new(PHASE, "settings", Verdict::Undecided, "the server doesn't show its settings".to_owned())
        }
        (_, wrong) => Check::of(PHASE, "settings", wrong, &shown.join(", ")),
    });
    let wrong = (foreign > 0).then(|| format!("{foreign} keys start with {}", target.prefix));
    checks.push(Check::of(PHASE, "prefix", wrong, &format!("no key starts with {}", target.prefix)));
    target.load(link)?;
    if let Form::Script(script) = &target.subject.claim.form {
        let sha = target.sha().unwrap_or_default();
        let wrong =
            script.sha.as_ref().filter(|pinned| *pinned != sha).map(|pinned| {
                format!("stale script SHA: the subject asks for {pinned}, but the script's text has {sha}")
            });
        checks.push(Check::of(PHASE, "script", wrong, &format!("claim script {sha}")));
    }
    Ok(checks)
}
