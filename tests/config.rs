//! Every shipped game loads with exact amounts; every rule of a game file is broken once, in `tests/bad_games`, and
//! reported at its place and nowhere else.

use std::path::{Path, PathBuf};

use jackpot::config::{self, ConfigError, Finding, Model, Severity};
use jackpot::game::{Combination, Counted, Play, Prize, Reels, Spared, SpinsAward, Stacking, WildsAnywhere};
use jackpot::pool::{Overflow, Surplus, ThresholdLaw, Trigger};

fn games(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("an entry").path());
    let mut paths: Vec<_> = entries.filter(|path| path.extension().is_some_and(|end| end == "toml")).collect();
    paths.sort();
    paths
}

fn shipped(name: &str) -> Model {
    config::load(Path::new(&format!("configs/{name}.toml"))).unwrap_or_else(|error| panic!("{error}"))
}

fn reels(model: &Model) -> &Reels {
    match &model.game.play {
        Play::Reels(reels) => reels,
        Play::Outcomes(_) => panic!("a game of reels"),
    }
}

fn parse(text: &str) -> Result<Model, ConfigError> {
    config::parse("test.toml", text, &|_| Err(std::io::Error::other("no file")))
}

#[test]
fn every_shipped_game_loads_without_a_finding() {
    let paths = games("configs");
    assert!(paths.len() >= 9);
    for path in paths {
        match config::load(&path) {
            Ok(model) => assert!(model.warnings.is_empty(), "{}: {:?}", path.display(), model.warnings),
            Err(error) => panic!("{:?}", miette::Report::new(error)),
        }
    }
}

/// Goal: each bad game is reported where it is wrong, and only there. Method: a comment `#! code | phrase` marks the
/// line on which a finding is expected; `@file:line` before the bar places it in a table beside the game.
#[test]
fn every_broken_rule_is_reported_at_its_place_and_nowhere_else() {
    let mut wrong = Vec::new();
    let paths = games("tests/bad_games");
    assert!(paths.len() > 80);
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a readable game");
        let (found, refused) = match config::load(&path) {
            Ok(model) => (model.warnings, false),
            Err(error) => (error.findings().to_vec(), true),
        };
        let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
        if refused == stem.starts_with("warning") {
            wrong.push(format!("{stem}: refused is {refused}"));
        }
        let mut expected = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let Some((_, mark)) = line.split_once("#! ") else { continue };
            let (code, phrase) = mark.split_once(" | ").unwrap_or((mark.trim_end_matches(" |"), ""));
            let (code, place) = code.split_once(" @").unwrap_or((code, ""));
            let place = if place.is_empty() { format!("{}:{}", path.display(), index + 1) } else { place.to_string() };
            expected.push((code.trim().to_string(), place, phrase.to_string()));
        }
        let matches = |finding: &Finding, (code, place, phrase): &(String, String, String)| {
            let found_place = format!("{}:{}", finding.file, finding.line);
            finding.code == code && found_place == *place && finding.message.contains(phrase.trim())
        };
        let missed = expected.iter().any(|mark| !found.iter().any(|finding| matches(finding, mark)));
        let extra = found.iter().any(|finding| !expected.iter().any(|mark| matches(finding, mark)));
        if missed || extra || expected.is_empty() {
            let lines = found.iter().map(|f| format!("    {} {}:{} {}", f.code, f.file, f.line, f.message));
            wrong.push(format!("{stem}: expected {expected:?}, found\n{}", lines.collect::<Vec<_>>().join("\n")));
        }
        for finding in &found {
            let plain = !finding.help.is_empty() && !finding.expected.is_empty() && finding.column > 0;
            assert!(plain && finding.span.1 > 0, "{stem}: {finding:?}");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn several_mistakes_are_shown_in_one_report_with_their_lines_underlined() {
    let error = config::load(Path::new("tests/bad_games/five-mistakes.toml")).expect_err("a bad game");
    assert!(error.findings().len() >= 5);
    let handler = miette::GraphicalReportHandler::new_themed(miette::GraphicalTheme::none()).with_width(100);
    let mut shown = String::new();
    handler.render_report(&mut shown, &error).expect("text");
    for part in ["did you mean `currency`?", "must_hit_by of 50 is not above the seed of 100", "five-mistakes.toml:"] {
        assert!(shown.contains(part), "{part} not in\n{shown}");
    }
}

#[test]
fn a_file_that_is_not_there_is_unreadable() {
    let error = config::load(Path::new("configs/nowhere.toml")).expect_err("no such file");
    assert!(matches!(&error, ConfigError::Unreadable { .. }) && error.findings().is_empty());
    assert!(error.to_string().contains("configs/nowhere.toml"));
}

/// Goal: a game file that is not UTF-8 text says where and what to do, and what is no file isn't read.
#[test]
fn a_game_file_that_is_no_text_is_named_by_line_and_byte() {
    let folder = std::env::temp_dir().join(format!("jackpot-text-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let shown = |path: &Path| {
        let error = config::load(path).expect_err("no text");
        assert!(matches!(error, ConfigError::Unreadable { .. }));
        format!("{:?}", miette::Report::new(error))
    };
    for (name, bytes, part) in [
        ("latin-1.toml", b"name = \"x\"\nsource = \"caf\xe9\"".as_slice(), "line 2, byte 14 (0xE9) is not UTF-8"),
        ("utf-16.toml", b"\xff\xfen\0a\0", "line 1, byte 1 is the mark of UTF-16"),
    ] {
        let path = folder.join(name);
        std::fs::write(&path, bytes).expect("a file");
        let text = shown(&path).replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(part) && text.contains(name) && text.contains("save the file as UTF-8 text"), "{text}");
    }
    std::fs::remove_dir_all(&folder).expect("the folder goes");
    assert!(shown(Path::new("configs")).contains("it is a folder"));
    if Path::new("/dev/zero").exists() {
        assert!(shown(Path::new("/dev/zero")).contains("it is no regular file"));
    }
}

#[test]
fn classic_hits_has_exact_pools() {
    let model = shipped("classic-hits");
    assert_eq!((model.file_name.as_str(), model.unit.per_minor, model.game.return_scale), ("classic-hits", 100, 15));
    assert_eq!(model.game.bets.amounts, [1500, 3000, 4500, 7500, 15000]);
    assert_eq!((model.game.bets.mix.as_slice(), model.game.bets.lines), ([8, 5, 4, 2, 1].as_slice(), 15));
    let minor = &model.jackpots.levels[1];
    assert_eq!(minor.contributions, [15, 30, 45, 75, 150]);
    assert_eq!(minor.seeds, [375_000, 750_000, 1_125_000, 1_875_000, 3_750_000]);
    let bounds = vec![500_000, 1_000_000, 1_500_000, 2_500_000, 5_000_000];
    assert_eq!(minor.caps.as_ref(), Some(&bounds));
    assert_eq!(minor.trigger, Trigger::MustHitBy { bounds, law: ThresholdLaw::AtCap });
    assert_eq!((minor.linked, minor.overflow), (false, Overflow::House));
    assert_eq!(model.jackpots.levels[2].contributions[0], 6);
    assert_eq!(model.jackpots.pool_count(), 15);
    assert_eq!(model.attachments.len(), 1);
    assert_eq!(model.published[0], ("base".into(), "66.4700%".into()));
}

#[test]
fn cross_dock_has_fractional_rates_reserves_and_an_order() {
    let model = shipped("cross-dock");
    assert_eq!(model.unit.per_minor, 550);
    let grand = &model.jackpots.levels[0];
    assert_eq!((grand.contributions[0], grand.hidden[0]), (27, 6));
    assert_eq!((grand.linked, grand.reserve, grand.caps.as_ref()), (true, Some(Surplus::Kept), None));
    assert_eq!(grand.seeds, [5000 * 100 * 550]);
    assert_eq!(model.jackpots.exclusive, [0, 1, 2, 3]);
    let free = &reels(&model).free_spins[0];
    assert_eq!((free.awards.as_slice(), free.multiplier), ([0, 0, 6, 10, 16].as_slice(), 2));
    assert!(free.retriggers.iter().all(|&spins| spins == 0));
    assert_eq!(reels(&model).scatter_pays[0].pays, [0, 0, 40, 200, 1000]);
}

#[test]
fn house_has_odds_of_both_kinds() {
    let model = shipped("house");
    let chance = |level: usize, bet: usize| match &model.jackpots.levels[level].trigger {
        Trigger::Odds { hits, of } => (hits[bet], *of),
        other => panic!("{other:?}"),
    };
    assert_eq!(chance(0, 4), (1, 4000));
    assert_eq!((chance(3, 0), chance(3, 4)), ((1, 200_000_000), (25, 200_000_000)));
    let grand = &model.jackpots.levels[3];
    assert_eq!((grand.overflow, grand.seeds.len()), (Overflow::NextSeed, 1));
    assert_eq!(model.jackpots.levels[0].seeds[0], 2 * 100 * model.unit.per_minor);
}

#[test]
fn features_wilds_and_tables_are_as_written() {
    let model = shipped("cleopatra");
    let cleo = reels(&model).symbols.iter().find(|symbol| symbol.name == "cleo").expect("cleo");
    let wild = cleo.wild.as_ref().expect("wild");
    assert_eq!((wild.multiplier, wild.stacking, wild.own_pay_multiplied), (2, Stacking::Once, false));
    let free = &reels(&model).free_spins[0];
    assert_eq!(free.spared, [Spared::Line { pay: 0, count: 5 }]);
    assert_eq!((free.awards.as_slice(), free.retriggers.as_slice()), ([0, 0, 15].as_slice(), [0, 0, 15].as_slice()));
    assert_eq!(reels(&model).scatter_pays[0].pays, [0, 40, 100, 400, 2000]);

    let model = shipped("lobstermania");
    let reels_of = reels(&model);
    assert!(matches!(&reels_of.bonuses[0].trigger, Combination::Line { count: 3, wilds: false, of } if of.len() == 1));
    assert_eq!(reels_of.prize_tables[reels_of.bonuses[0].table].rows[2].0, Prize::draws(4, 1));
    assert_eq!(reels_of.prize_tables[2].rows[0], (Prize::pay(10), 10));

    let model = shipped("double-diamond");
    let cherries = &reels(&model).line_pays[7];
    assert_eq!((cherries.counted, cherries.pays[0]), (Counted::Anywhere(WildsAnywhere::Multiply), 2));
    let Play::Outcomes(outcomes) = shipped("double-diamond-deluxe").game.play else { panic!("outcomes") };
    assert_eq!(outcomes.rows[12].pay, 2500);
}

const SMALL: &str = r#"
name = "Small"
currency = "JPY"
source = "a test"
[bets]
amounts = [10, 25]
mix = [0.25, "1/6"]
[outcomes]
rows = [[0, 9], { pay = 1.5, weight = 1, jackpot = "grand" }]
[[jackpot]]
level = "grand"
contribution = [0.15, "27/11000"]
seed = "1_000"
pool = "linked"
cap = 5e3
[published]
rtp = 15.50
"#;

#[test]
fn numbers_are_taken_from_their_text() {
    let model = parse(SMALL).expect("a game");
    // 10 x 0.15 = 3/2 and 25 x 27/11000 = 27/440: D is 440 before pays, which come in halves of 10 and of 25.
    assert_eq!((model.unit.minor_digits, model.unit.per_minor, model.game.return_scale), (0, 440, 2));
    assert_eq!(model.jackpots.levels[0].contributions, [660, 27]);
    assert_eq!(model.game.bets.mix, [3, 2]);
    assert_eq!(model.jackpots.levels[0].trigger, Trigger::Symbols);
    assert_eq!(model.jackpots.levels[0].caps, Some(vec![5000 * 440]));
    assert_eq!(model.published, [("rtp".to_string(), "15.50".to_string())]);
    let Play::Outcomes(outcomes) = &model.game.play else { panic!("outcomes") };
    assert_eq!((outcomes.rows[1].pay, outcomes.rows[1].jackpots.as_slice()), (3, [0].as_slice()));
}

const WHEEL: &str = r#"
name = "Wheel"
currency = "USD"
source = "a test"
[bets]
amounts = [1]
[reels]
rows = 1
strips = ["A B", "A B"]
[[feature]]
free_spins = { multiplier = 3 }
[[feature]]
bonus = { name = "wheel", scatter = "A", from = 2, draw = "wheel" }
[tables.wheel]
unit = "total bet"
segments = [
    { pay = 1.5, weight = 5 },
    { pay = 2, weight = 3, again = true, draws = 2, of = "gold", jackpot = ["big", "mini"], free_spins = 8 },
    { of = "gold", weight = 1 },
]
[tables.gold]
prizes = [[1, 1]]
unit = "total bet"
[[jackpot]]
level = "mini"
contribution = "1%"
seed = "10.00"
pool = "linked"
[[jackpot]]
level = "big"
contribution = "1%"
seed = "10.00"
pool = "linked"
"#;

#[test]
fn a_wheel_is_as_written() {
    let model = parse(WHEEL).expect("a game");
    let reels = reels(&model);
    let awards = SpinsAward { feature: 0, spins: 8 };
    let rich = Prize { again: true, jackpots: vec![0, 1], free_spins: Some(awards), pay: 4, ..Prize::draws(2, 1) };
    assert_eq!((model.game.return_scale, reels.prize_tables[0].name.as_str()), (2, "wheel"));
    assert_eq!(reels.prize_tables[0].rows, [(Prize::pay(3), 5), (rich, 3), (Prize::draws(1, 1), 1)]);
    let free = &reels.free_spins[0];
    assert_eq!((free.scatter, free.awards.as_slice(), free.multiplier), (None, [].as_slice(), 3));
    assert!(model.jackpots.levels.iter().all(|level| level.trigger == Trigger::Symbols) && reels.jackpots.is_empty());
}

/// Goal: no text makes the reader panic, and no refusal is without a reason. Method: games cut short, and with every
/// occurrence of a piece replaced.
#[test]
fn any_text_is_read_or_refused_with_a_reason() {
    let check = |text: &str| {
        let read = |path: &str| std::fs::read_to_string(Path::new("configs").join(path));
        if let Err(error) = config::parse("test.toml", text, &read) {
            assert!(
                error.findings().iter().any(|finding| finding.severity == Severity::Error),
                "no reason for\n{text}"
            );
        }
    };
    for path in games("configs") {
        let text = std::fs::read_to_string(&path).expect("a game");
        for length in (0..text.len()).step_by(23).filter(|&length| text.is_char_boundary(length)) {
            check(&text[..length]);
        }
        let lines: Vec<&str> = text.lines().collect();
        for skipped in 0..lines.len() {
            let kept = lines.iter().enumerate().filter(|(index, _)| *index != skipped).map(|(_, line)| *line);
            check(&kept.collect::<Vec<_>>().join("\n"));
        }
        let pieces =
            [("0.20", "9e30"), ("[", "{"), ("\"", "'"), ("= ", "= -"), ("1", "99999999999999999999"), ("3", "0")];
        for (old, new) in pieces {
            check(&text.replace(old, new));
        }
    }
    let error = parse("").expect_err("an empty file");
    assert!(error.findings().iter().all(|finding| finding.severity == Severity::Error && finding.line == 1));
}
