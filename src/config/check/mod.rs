//! Every rule that a game file must keep. Each check adds its findings to the notes and goes on; a game is built only
//! if there are none.

mod bets;
mod combinations;
mod eligible;
mod features;
mod jackpots;
mod largest;
mod lines;
mod money;
mod outcomes;
mod overflows;
mod pays;
mod prize_tables;
mod reels;
mod returns;
mod scatters;
mod symbols;
mod thresholds;
mod traffic;
mod triggers;
mod units;
mod variants;
mod wheels;

use std::cell::RefCell;
use std::io;

use sha2::{Digest, Sha256};

use super::amount::Exact;
use super::currency;
use super::findings::{At, Notes, Span, name_help, nearest};
use super::wire::WireGame;
use super::{Attachment, Traffic, strips, text};
use crate::game::{Direction, Game, LinePay, Play, Reels, ScatterPay};
use crate::money::PoolUnit;
use crate::pool::Jackpots;

/// Reads a file beside the game file by its path as written there.
pub(super) type ReadFile<'a> = &'a dyn Fn(&str) -> io::Result<String>;

/// What every check needs.
pub(super) struct Context<'a> {
    pub notes: &'a Notes,
    read: ReadFile<'a>,
    attachments: RefCell<Vec<Attachment>>,
}

/// A game that keeps every rule.
pub(super) struct Checked {
    pub unit: PoolUnit,
    pub game: Game,
    pub jackpots: Jackpots,
    pub traffic: Option<Traffic>,
}

impl<'a> Context<'a> {
    pub fn new(notes: &'a Notes, read: ReadFile<'a>) -> Self {
        Self { notes, read, attachments: RefCell::default() }
    }

    /// The text of a file beside the game file, and its position in the notes.
    pub fn attached(&self, path: &At<String>) -> Option<(String, usize)> {
        match (self.read)(&path.value) {
            Ok(text) => {
                let mut attachments = self.attachments.borrow_mut();
                if !attachments.iter().any(|attachment| attachment.path == path.value) {
                    attachments.push(Attachment {
                        path: path.value.clone(),
                        sha256: sha256_text(&text),
                        text: text.clone(),
                    });
                }
                let file = self.notes.add_source(&path.value, &text);
                Some((text, file))
            }
            Err(reason) => {
                self.notes.error(
                    path.span,
                    "file-unreadable",
                    format!("can't read `{}`: {reason}", path.value),
                    match reason.kind() {
                        io::ErrorKind::InvalidData => "expected a table in UTF-8",
                        _ => "expected the path of a CSV, from the game file's folder",
                    },
                    text::help(reason.kind(), "correct the path, or put the file there"),
                );
                None
            }
        }
    }

    pub fn into_attachments(self) -> Vec<Attachment> {
        self.attachments.into_inner()
    }
}

/// SHA-256 of a text, as 64 hexadecimal digits.
pub(super) fn sha256_text(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The meaning of one of a few words; an unknown word is a finding.
fn choice<T: Copy>(
    notes: &Notes,
    found: Option<&At<String>>,
    what: &str,
    options: &[(&str, T)],
    default: T,
) -> Option<T> {
    #[cfg(test)]
    super::wire::node::asked::note_words(what, options.iter().map(|(word, _)| (*word).to_owned()).collect());
    let Some(found) = found else { return Some(default) };
    let meaning = options.iter().find(|(word, _)| *word == found.value).map(|(_, meaning)| *meaning);
    if meaning.is_none() {
        let words = options.iter().map(|(word, _)| *word);
        let listed: Vec<String> = words.clone().map(|word| format!("\"{word}\"")).collect();
        let expected = format!("expected {}", listed.join(" or "));
        let help = match nearest(&found.value, words) {
            Some(word) => format!("did you mean \"{word}\"?"),
            None => format!("write {what} = {}", listed[0]),
        };
        notes.error(found.span, "unknown-choice", format!("{what} is \"{}\"", found.value), expected, help);
    }
    meaning
}

/// Checks everything, each part as far as it can be known: what is wrong in one part is left out of the others, so that
/// a finding is neither hidden by another nor a mere consequence of it. `None` exactly if an error was found.
pub(super) fn check(context: &Context, wire: &WireGame) -> Option<Checked> {
    let notes = context.notes;
    let minor_digits = header(notes, wire);
    let bets = bets::bets(notes, wire.bets.as_ref());
    let traffic = wire.traffic.as_ref().and_then(|traffic| traffic::traffic(notes, traffic));
    play_kind(notes, wire);
    let layout = reels::layout(context, wire.reels.as_ref(), &wire.free_spins);
    let lines = lines::lines(notes, wire, &layout);
    let outcome_rows = outcomes::rows(context, wire.outcomes.as_ref());
    let count = lines.count.map(u64::from);
    let scale = pays::scale(notes, wire, count, &outcome_rows);
    let setting = jackpots::Setting { wire, bets: &bets, lines: count, outcomes: &outcome_rows };
    let levels = jackpots::levels(notes, &setting);
    let exclusive = jackpots::exclusive(notes, wire);
    let play = match &wire.outcomes {
        Some(outcomes) => {
            if wire.reels.is_none() && !wire.unread.has("reels") {
                only_for_reels(notes, wire);
            }
            let outcomes = outcomes::outcomes(notes, wire, outcomes, &outcome_rows, &scale);
            outcomes.map(|outcomes| (Play::Outcomes(outcomes), Vec::new()))
        }
        None => {
            let onlys = variants::onlys(notes, wire, &bets, &layout, &scale);
            let (reels, replacing) = reel_play(notes, wire, layout, &lines, &scale, &onlys);
            let plays = reels.filter(|_| notes.error_count() == 0).zip(bets.count);
            plays.map(|(reels, count)| variants::plays(reels, onlys, &replacing, &levels, count))
        }
    };
    let currency = wire.currency.as_ref().zip(minor_digits).map(|(currency, digits)| (currency.value.as_str(), digits));
    let units = units::units(notes, currency, &bets, &scale, levels);
    if notes.error_count() > 0 {
        return None;
    }
    let (units, name) = (units?, wire.name.as_ref()?.value.clone());
    let bets = crate::game::Bets { amounts: units.amounts, mix: bets.mix?, lines: lines.count? };
    let (play, variants) = play?;
    let game = Game { name, bets, return_scale: scale.per_bet, play, variants };
    let jackpots = Jackpots { levels: units.levels, exclusive };
    returns::warn(notes, wire, &game, &jackpots);
    Some(Checked { unit: units.unit, game, jackpots, traffic })
}

/// The words for the end from which runs are read.
const DIRECTIONS: [(&str, Direction); 3] =
    [("left to right", Direction::Left), ("right to left", Direction::Right), ("both", Direction::Both)];

fn play_kind(notes: &Notes, wire: &WireGame) {
    match (&wire.reels, &wire.outcomes) {
        (Some(reels), Some(_)) => notes.error(
            reels.span,
            "play-kind",
            "a game with both [reels] and [outcomes]",
            "expected one of them",
            "keep [reels], or the table of outcomes alone",
        ),
        (None, None) if !wire.unread.has("reels") && !wire.unread.has("outcomes") => notes.error(
            wire.span,
            "play-kind",
            "a game with neither [reels] nor [outcomes]",
            "expected one of them",
            "add [reels] with strips, or [outcomes] with rows = [[pay, weight], ...]",
        ),
        _ => {}
    }
}

fn header(notes: &Notes, wire: &WireGame) -> Option<u32> {
    if let Some(name) = &wire.name {
        plain_text(notes, name, "the game");
    }
    for (key, text) in [("name", &wire.name), ("source", &wire.source)] {
        if let Some(text) = text.as_ref().filter(|text| text.value.trim().is_empty()) {
            notes.error(
                text.span,
                "empty-text",
                format!("`{key}` is empty"),
                "expected some text",
                format!("say the {key}; a source may be \"our own\""),
            );
        }
    }
    let currency = wire.currency.as_ref()?;
    let digits = currency::minor_digits(&currency.value);
    if digits.is_none() {
        let upper = currency.value.to_uppercase();
        let help = match nearest(&upper, currency::codes().map(|(code, _)| code)) {
            Some(code) if upper.len() == 3 => format!("did you mean `{code}`?"),
            _ => "write three capital letters, such as USD, EUR or JPY".into(),
        };
        let message = format!("unknown currency `{}`", currency.value);
        notes.error(currency.span, "unknown-currency", message, "expected a code of ISO 4217", help);
    }
    digits
}

/// Sections that mean nothing beside a table of outcomes.
fn only_for_reels(notes: &Notes, wire: &WireGame) {
    let refuse = |span: Span, what: &str| {
        notes.error(
            span,
            "needs-reels",
            format!("{what} in a game of outcomes"),
            "expected only in a game of [reels]",
            "a table of outcomes has every pay in it: remove this",
        );
    };
    if let Some(pays) = &wire.line_pays {
        refuse(pays.span, "[pays.line]");
    }
    if let Some((name, _)) = wire.scatter_pays.as_ref().and_then(|pays| pays.pays.first()) {
        refuse(name.span, "[pays.scatter]");
    }
    if let Some(only) = wire.onlys.first() {
        refuse(only.span, "[[pays.only]]");
    }
    if let Some(symbol) = wire.symbols.first() {
        refuse(symbol.name.span, "[symbols]");
    }
    for feature in &wire.free_spins {
        refuse(feature.span, "free spins");
    }
    for bonus in &wire.bonuses {
        refuse(bonus.trigger.span, "a bonus");
    }
    if let Some(table) = wire.tables.first() {
        refuse(table.name.span, "[tables]");
    }
}

fn reel_play(
    notes: &Notes,
    wire: &WireGame,
    layout: reels::Layout,
    lines: &lines::Lines,
    scale: &pays::Scale,
    onlys: &[variants::Only],
) -> (Option<Reels>, Vec<triggers::OfLevel>) {
    let symbols = symbols::symbols(notes, &wire.symbols, &layout);
    let line_pays = pays::line_pays(notes, wire.line_pays.as_ref(), &layout, scale);
    let scatter_pays = pays::scatter_pays(notes, wire.scatter_pays.as_ref(), &layout, scale);
    let tables = prize_tables::tables(notes, wire, scale);
    let direction = wire.line_pays.as_ref().and_then(|pays| pays.direction.as_ref());
    let direction = choice(notes, direction, "direction", &DIRECTIONS, Direction::Left);
    let scene = combinations::Scene { layout: &layout, symbols: &symbols, lines: lines.rows.as_deref(), direction };
    let bonuses = features::bonuses(notes, wire, &scene);
    let (jackpots, replacing) = triggers::symbol_triggers(notes, &wire.levels, &scene);
    // The largest window may be one of any bet.
    let every_line_pay: Vec<Option<LinePay>> =
        line_pays.iter().chain(onlys.iter().flat_map(|only| &only.line_pays)).cloned().collect();
    let every_scatter_pay: Vec<Option<ScatterPay>> =
        scatter_pays.iter().chain(onlys.iter().flat_map(|only| &only.scatter_pays)).cloned().collect();
    let free_spins = features::free_spins(notes, wire, &layout, &symbols);
    let parts = largest::Parts {
        symbols: &symbols,
        sets: &layout.sets,
        lines: lines.rows.as_ref().map_or(0, Vec::len),
        line_pays: &every_line_pay,
        scatter_pays: &every_scatter_pay,
        tables: &tables,
        bonuses: &bonuses,
        rows: layout.rows.unwrap_or(1),
        by_ways: wire.line_pays.as_ref().is_some_and(|pays| pays.by_ways),
        both_ends: direction == Some(Direction::Both),
        free_spins: &free_spins,
    };
    largest::largest(notes, wire, &parts);
    largest::longest(notes, wire, &parts);
    let reels = || {
        Some(Reels {
            symbols,
            rows: layout.rows?,
            strip_sets: layout.sets.into_iter().collect::<Option<_>>()?,
            lines: lines.rows.clone()?,
            by_ways: wire.line_pays.as_ref().is_some_and(|pays| pays.by_ways),
            direction: direction?,
            line_pays: line_pays.into_iter().collect::<Option<_>>()?,
            scatter_pays: scatter_pays.into_iter().collect::<Option<_>>()?,
            prize_tables: tables.into_iter().collect::<Option<_>>()?,
            bonuses: bonuses.into_iter().collect::<Option<_>>()?,
            free_spins: free_spins.into_iter().collect::<Option<_>>()?,
            jackpots,
            replaced: Vec::new(),
        })
    };
    (reels(), replacing)
}

/// Reports a name that can't stand on one line of a report.
fn plain_text(notes: &Notes, name: &At<String>, what: &str) {
    if name.value.chars().any(char::is_control) {
        notes.error(
            name.span,
            "control-character",
            format!("the name of {what} has a control character: {:?}", name.value),
            "expected a name on one line, without control characters",
            "write it with letters, digits, signs and blanks alone",
        );
    }
}

/// Reports a number that is outside what is allowed.
fn limit(notes: &Notes, found: &At<u64>, what: &str, low: u64, high: u64) -> Option<u64> {
    if (low..=high).contains(&found.value) {
        return Some(found.value);
    }
    let expected = format!("expected {low} to {high}");
    let help = format!("choose {what} within {low} to {high}");
    notes.error(found.span, "out-of-range", format!("{what} is {}", found.value), expected, help);
    None
}

/// Reports a negative number.
fn not_negative(notes: &Notes, found: &At<Exact>, what: &str) -> bool {
    let negative = found.value < Exact::from_integer(0.into());
    if negative {
        let message = format!("{what} is negative");
        notes.error(found.span, "negative", message, "expected 0 or more", "remove the minus sign");
    }
    !negative
}

fn unknown_name<'a>(
    notes: &Notes,
    found: &At<String>,
    code: &'static str,
    kind: &str,
    known: impl IntoIterator<Item = &'a str> + Clone,
) {
    notes.error(
        found.span,
        code,
        format!("unknown {kind} `{}`", found.value),
        format!("expected the name of a {kind}"),
        name_help(&found.value, known),
    );
}
