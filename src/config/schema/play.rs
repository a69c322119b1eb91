//! What a spin can pay: reels, symbols, pays, features, tables, outcomes.

use super::build::{Object, count, either, flag, list, number, one_of, text, whole};
use serde_json::{Value, json};

fn texts() -> Value {
    either([text(), list(text())])
}

fn strips() -> Value {
    either([text(), list(text())])
}

fn pair() -> Value {
    json!({ "type": "array", "prefixItems": [number(), count()], "minItems": 2, "maxItems": 2 })
}

pub fn reels() -> Object {
    let counts = json!({ "type": "object", "additionalProperties": list(count()) });
    Object::new("[reels]", "The reels.")
        .need("rows", whole(1), "Rows of the window: 3.")
        .key(
            "strips",
            strips(),
            "Path of a CSV with a column for each reel, or a list with a text for each: [\"A K Q\", ...].",
        )
        .key("weights", list(text()), "Weights of the stops of each reel: [\"1 2 1\", ...].")
        .key(
            "counts",
            counts,
            "Stops of each symbol on each reel, where their order doesn't matter: { A = [4, 3, 5] }.",
        )
}

/// `[symbols]`: options by symbol.
pub fn symbols() -> Value {
    json!({ "type": "object", "additionalProperties": symbol().json() })
}

pub fn symbol() -> Object {
    Object::new("the symbol", "Options of a symbol.")
        .key("wild", flag(), "Whether it stands for other symbols.")
        .key("multiplier", whole(1), "What it multiplies the wins that it is part of by.")
        .key("stacking", one_of(&["product", "once"]), "How several multipliers of one win go together.")
        .key("not_for", list(text()), "Symbols that it doesn't stand for.")
        .key("own_pay_multiplied", flag(), "Whether wins of itself alone are multiplied too.")
        .key(
            "expands",
            either([flag(), one_of(&["always", "paid spins", "free spins", "never"])]),
            "Whether a wild fills its reel: true, or in which spins.",
        )
        .key("counted", one_of(&["per cell", "per reel"]), "Whether a scatter counts once for each cell or each reel.")
}

pub fn pays() -> Object {
    Object::new("[pays]", "What combinations pay.")
        .key("line", line_pays("[pays.line]").json(), "Pays of symbols on lines.")
        .key("ways", line_pays("[pays.ways]").json(), "Pays of symbols on any cells of neighbouring reels.")
        .key("scatter", scatter_pays().json(), "Pays of symbols anywhere in the window, x total bet.")
        .key("only", list(only().json()), "Pays of some bets, in place of the others.")
}

pub fn combination_pay() -> Object {
    Object::new("the combination", "Pays of a combination of several symbols.")
        .need("of", list(text()), "Its symbols.")
        .need("pays", list(number()), "Pays of 1, 2, 3, ... of them.")
        .key("counted", one_of(&["in a run", "from left", "anywhere"]), "Where they count on a line.")
        .key(
            "wilds",
            one_of(&["multiply", "count", "count with a real one"]),
            "What a wild does in a combination that counts anywhere.",
        )
}

fn pay_entries(object: Object) -> Object {
    object.others(either([list(number()), combination_pay().json()]))
}

pub fn line_pays(what: &'static str) -> Object {
    let shape = either([json!({ "type": "string", "pattern": "^[0-9]+$" }), list(count())]);
    let object = Object::new(what, "Pays by symbol: a list for 1, 2, 3, ... of a kind.")
        .key("shapes", either([text(), list(shape)]), "Lines: the name of a set, or the row of each reel: \"11111\".")
        .key("unit", one_of(&["line bet", "total bet"]), "What pays are multiples of.")
        .key("direction", one_of(&["left to right", "right to left", "both"]), "From which end wins are read.");
    pay_entries(object)
}

pub fn scatter_pays() -> Object {
    Object::new("[pays.scatter]", "Pays by symbol: a list for 1, 2, 3, ... in the window.")
        .key("unit", one_of(&["line bet", "total bet"]), "What pays are multiples of; total bet if left out.")
        .others(list(number()))
}

pub fn only() -> Object {
    let entries =
        json!({ "type": "object", "additionalProperties": either([list(number()), combination_pay().json()]) });
    let scatters = json!({ "type": "object", "additionalProperties": list(number()) });
    Object::new("[[only]]", "Pays of some bets, in place of the others.")
        .need("bets", list(count()), "Indexes of the bets.")
        .key("unit", one_of(&["line bet", "total bet", "coin"]), "What pays are multiples of.")
        .key("line", entries, "Pays on lines, by symbol.")
        .key("scatter", scatters, "Pays of scatters, by symbol.")
}

/// The keys that name a combination of symbols.
pub fn combination(object: Object) -> Object {
    object
        .key("line", texts(), "Symbols on a line: one for all, or one for each reel.")
        .key("count", whole(1), "How many of them on a line.")
        .key("wilds", flag(), "Whether wilds stand for them.")
        .key("scatter", text(), "Symbol that counts anywhere in the window.")
        .key("from", whole(1), "So many scatters, or more.")
}

pub fn feature() -> Object {
    Object::new("[[feature]]", "Free spins, or a bonus.").key("free_spins", free_spins().json(), "Free spins.").key(
        "bonus",
        bonus().json(),
        "A bonus that draws from a table.",
    )
}

pub fn free_spins() -> Object {
    let by_count = json!({ "type": "object", "additionalProperties": count() });
    let retrigger = either([json!({ "const": false }), json!({ "const": "same" }), whole(1)]);
    Object::new("free_spins", "Free spins.")
        .key("name", text(), "Name in reports.")
        .key("scatter", text(), "Symbol that starts them.")
        .key("from", whole(1), "So many scatters, or more.")
        .key("spins", whole(1), "Free spins awarded.")
        .key("by_count", by_count, "Free spins by number of scatters: { 3 = 6, 4 = 10 }.")
        .key("multiplier", whole(1), "What every win in them is multiplied by.")
        .key("retrigger", retrigger, "What scatters award during them: false, a number of spins, or \"same\".")
        .key("limit", whole(1), "Most free spins of one start.")
        .key("strips", strips(), "Strips of the free spins, where they differ.")
        .key("weights", list(text()), "Weights of their stops.")
        .key("spare", list(text()), "Symbols that are not multiplied.")
        .key("sticky", list(text()), "Symbols that stay where they land.")
}

pub fn bonus() -> Object {
    combination(Object::new("bonus", "A bonus that draws from a table.").need("name", text(), "Name in reports.")).need(
        "draw",
        text(),
        "Name of the table.",
    )
}

/// `[tables]`: tables by name.
pub fn tables() -> Value {
    json!({ "type": "object", "additionalProperties": table().json() })
}

pub fn table() -> Object {
    Object::new("[tables]", "A table that bonuses draw from.")
        .key("of", text(), "Table that `draws` draw from.")
        .key("draws", list(pair()), "Numbers of draws and their weights: [[3, 10], [4, 5]].")
        .key("prizes", list(pair()), "Prizes and their weights: [[10, 5], [50, 1]].")
        .key("segments", list(segment().json()), "Segments of a wheel.")
        .key("unit", one_of(&["line bet", "total bet"]), "What prizes are multiples of.")
}

pub fn segment() -> Object {
    Object::new("a segment", "A segment of a wheel.")
        .need("weight", count(), "Its weight.")
        .key("pay", number(), "What it pays.")
        .key("draws", whole(1), "Draws from another table.")
        .key("of", text(), "That table.")
        .key("again", flag(), "Whether the wheel spins once more.")
        .key("jackpot", texts(), "Level, or levels, that it triggers.")
        .key("free_spins", whole(1), "Free spins that it awards.")
        .key("feature", text(), "Feature whose free spins they are.")
}

pub fn outcome() -> Object {
    Object::new("an entry of `rows`", "An outcome.")
        .need("pay", number(), "What it pays.")
        .need("weight", count(), "Its weight.")
        .key("jackpot", texts(), "Level, or levels, that it triggers.")
}

pub fn outcomes() -> Object {
    Object::new("[outcomes]", "A table of outcomes: every pay of a spin with its weight.")
        .key("unit", one_of(&["total bet", "credits"]), "What pays are multiples of; total bet if left out.")
        .key("bet_credits", number(), "Credits of a total bet.")
        .key("rows", list(either([pair(), outcome().json()])), "Pays and weights: [[0, 90], [5, 10]].")
        .key("table", text(), "Path of a CSV with pay and weight.")
}
