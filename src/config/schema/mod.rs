//! The JSON Schema of a game file (draft 2020-12), so that editors complete keys and explain them.
//!
//! It says what may be written where. What figures go together is for the check of the file, which knows the whole game.

mod build;
mod play;
#[cfg(test)]
mod tests;

use build::{Object, count, either, list, number, one_of, per_bet, text, whole};
use serde_json::{Value, json};

/// Where the schema of a shipped game file stands, from the file.
pub const SCHEMA_FILE: &str = "game.schema.json";

/// The schema as text.
pub fn schema() -> String {
    let mut root = game().json();
    let object = root.as_object_mut().expect("an object");
    object.insert("$schema".into(), "https://json-schema.org/draft/2020-12/schema".into());
    object.insert("title".into(), "A game of jackpot".into());
    let mut text = serde_json::to_string_pretty(&root).expect("plain data");
    text.push('\n');
    text
}

/// Everything of a file.
fn game() -> Object {
    Object::new(
        "the game file",
        "A slot game: who bets what, what a spin can pay, and what each jackpot does with money.",
    )
    .need("name", text(), "Name of the game, on one line.")
    .need("currency", json!({ "type": "string", "pattern": "^[A-Z]{3}$" }), "Currency code of ISO 4217: USD.")
    .need("source", text(), "Where the figures come from.")
    .key("note", text(), "What else is to be known about the game.")
    .need("bets", bets().json(), "Who bets what.")
    .key("reels", play::reels().json(), "The reels: rows and strips.")
    .key("outcomes", play::outcomes().json(), "A table of outcomes, in place of reels.")
    .key("symbols", play::symbols(), "Symbols that are more than what they pay: wilds, multipliers.")
    .key("pays", play::pays().json(), "What combinations pay.")
    .key("feature", list(play::feature().json()), "Free spins and bonuses.")
    .key("tables", play::tables(), "Tables that bonuses draw from, by name.")
    .key("jackpot", list(level().json()), "A progressive jackpot level.")
    .key("jackpots", jackpots().json(), "How levels go together.")
    .key("traffic", traffic().json(), "How much the game is played: turns spins into days.")
    .key(
        "published",
        json!({ "type": "object", "additionalProperties": either([text(), json!({ "type": "number" })]) }),
        "Published figures, by metric, to stand beside ours: rtp = \"95.007187%\".",
    )
}

fn bets() -> Object {
    Object::new("[bets]", "Total bets, and how often each is made.")
        .need("amounts", list(number()), "Total bet in the currency's major unit, by bet index from 0: [0.20, 1.00].")
        .key("mix", list(number()), "Relative number of spins at each bet; equal if left out: [40, 25].")
        .key("lines", whole(1), "Lines that a total bet covers; by default those of [pays.line].")
        .key("coins", list(whole(1)), "Coins of each bet, for pays per coin: [1, 2, 3].")
}

fn traffic() -> Object {
    Object::new("[traffic]", "How much the game is played, all bets together, in the shares of the mix.")
        .need("spins_per_day", whole(1), "Spins a day: 50_000.")
        .key("from", text(), "First day, year-month-day: 2027-01-31.")
}

fn jackpots() -> Object {
    Object::new("[jackpots]", "How levels go together.").key(
        "exclusive",
        list(text()),
        "Levels of which at most one is won on a spin, the first of this list winning.",
    )
}

fn overflow_to_level() -> Object {
    Object::new("`overflow`", "Overflow to another level.").need("level", text(), "Name of the level that receives it.")
}

fn overflow() -> Value {
    either([one_of(&["house", "next seed"]), overflow_to_level().json()])
}

fn cap() -> Object {
    Object::new("`cap`", "The most that a hit pays, and where growth above it goes.")
        .need("at", per_bet(number()), "The cap: \"250000.00\" or \"100 x bet\".")
        .key(
            "overflow",
            overflow(),
            "Where growth above the cap goes: \"house\" (the default), \"next seed\", or a level.",
        )
}

fn symbols_trigger() -> Object {
    play::combination(Object::new("`symbols`", "An outcome of the reels.")).key(
        "award",
        one_of(&["adds", "replaces"]),
        "Whether the jackpot adds to what its symbols pay, or replaces it.",
    )
}

fn trigger() -> Value {
    either([
        Object::new("`trigger`", "By chance: 1 in so many spins.")
            .need("odds", number(), "1 in so many spins: 2_000.")
            .key("per", number(), "Odds are for so much staked, and proportional to the bet: \"1.00\".")
            .json(),
        Object::new("`trigger`", "Hits by an amount: a hidden threshold between seed and bound.")
            .need("must_hit_by", per_bet(number()), "The bound: \"400.00\".")
            .key(
                "law",
                either([one_of(&["uniform", "at cap"]), list(json!({ "type": "array", "minItems": 2, "maxItems": 2 }))]),
                "How the threshold is drawn: \"uniform\" (the default), \"at cap\", or pieces [[\"90%\", 1], [\"100%\", 9]].",
            )
            .key("pays", one_of(&["meter", "at most the cap"]), "Whether a hit pays the meter, overshoot included.")
            .key("overflow", overflow(), "Where the excess over the bound goes, if a hit pays at most the cap.")
            .json(),
        Object::new("`trigger`", "By an outcome of the reels.")
            .need("symbols", symbols_trigger().json(), "The outcome.")
            .json(),
    ])
}

fn level() -> Object {
    Object::new("[[jackpot]]", "A progressive jackpot level.")
        .need("level", text(), "Its name: \"grand\".")
        .need("contribution", per_bet(number()), "Share of the bet that goes to the meter: \"0.40%\".")
        .need("seed", per_bet(number()), "What the pool starts from: \"10000.00\" or \"50 x bet\".")
        .need("pool", one_of(&["per bet", "linked"]), "One pool for each bet, or one for all.")
        .key("trigger", trigger(), "What makes it hit; none if an outcome or a wheel names it.")
        .key(
            "reserve",
            per_bet(number()),
            "Share of the bet that goes to the reserve, which pays the next seed: \"0.05%\".",
        )
        .key("surplus", one_of(&["kept", "released"]), "What of the reserve is above the seed at a reset.")
        .key("cap", either([cap().json(), per_bet(number())]), "The most that a hit pays.")
        .key("eligible", list(count()), "Bet indexes that feed and can win it; all if left out.")
        .key("eligible_from", number(), "The same from a bet on: \"1.00\".")
}
