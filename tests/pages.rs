//! Goal: the pages are true. Method: every example of docs/games.md is read out of the page and played.

use jackpot::config::{self, Model};
use jackpot::exact::base::BaseFigures;
use jackpot::sim::{Options, Plan, Silent, run};
use toml::{Table, Value};

fn examples() -> Vec<String> {
    let text = std::fs::read_to_string("docs/games.md").expect("the page");
    let blocks = text.split("```toml\n").skip(1).filter_map(|rest| rest.split_once("```"));
    blocks.map(|(block, _)| block.to_string()).collect()
}

/// The strips that the page's example of a CSV stands for.
fn attached(_: &str) -> std::io::Result<String> {
    Ok("reel 1,reel 2,reel 3\nA,A,A\nK,K,K\nQ,Q,Q\nW,W,W\nS,S,S\nA,A,A\n".to_string())
}

/// Puts an example into the page's first game, as the page says.
fn put_into(game: &mut Table, example: Table) {
    let pays = example.get("pays").and_then(Value::as_table);
    if pays.is_some_and(|pays| pays.contains_key("ways")) {
        game.get_mut("pays").and_then(Value::as_table_mut).expect("pays").remove("line");
    }
    for (key, value) in example {
        match (game.get_mut(&key), value) {
            (Some(Value::Array(known)), Value::Array(more)) => known.extend(more),
            (Some(Value::Table(known)), Value::Table(own)) if ["pays", "symbols"].contains(&key.as_str()) => {
                known.extend(own);
            }
            (_, value) => {
                game.insert(key, value);
            }
        }
    }
}

fn play(text: &str) -> Model {
    let model = config::parse("example", text, &attached)
        .unwrap_or_else(|error| panic!("{text}\n{:?}", miette::Report::new(error)));
    assert!(model.warnings.is_empty(), "{text}\n{:?}", model.warnings);
    let exact = BaseFigures::new(&model.game, model.jackpots.levels.len());
    let plan = Plan::new(7, 60_000);
    let played = run(&model.game, &model.jackpots, &plan, Options::default(), &Silent).expect("it plays");
    let paid = played.base.returns.sum as f64 / plan.spins as f64 / model.game.return_scale as f64;
    let (mean, sigma) = match exact.plays.is_empty() {
        true => (exact.rtp.value, exact.sigma),
        // Every spin counts alike here, whatever is staked.
        false => {
            let bets = &model.game.bets;
            let of = |bet: usize| bets.mix[bet] as f64 * exact.at_bet(&model.game, bet).rtp.value;
            ((0..bets.count()).map(of).sum::<f64>() / bets.mix_total() as f64, exact.sigma)
        }
    };
    let z = (paid - mean) / (sigma.unwrap_or(paid) / (plan.spins as f64).sqrt()).max(1e-9);
    assert!(z.abs() < 4.5, "{text}\nplayed {paid}, exactly {mean}: z {z:.2}");
    model
}

#[test]
fn every_example_of_the_game_language_plays_and_returns_what_exact_says() {
    let examples = examples();
    let first = &examples[0];
    play(first);
    let (mut whole, mut parts) = (0, 0);
    for example in &examples[1..] {
        if example.starts_with("name = ") {
            play(example);
            whole += 1;
            continue;
        }
        // Each line of the list of triggers is one.
        let are_triggers = example.lines().all(|line| line.starts_with("trigger"));
        let ways: Vec<&str> = if are_triggers { example.lines().collect() } else { vec![example] };
        for way in ways {
            let mut game: Table = first.parse().expect("TOML");
            let part: Table = way.parse().unwrap_or_else(|error| panic!("{way}\n{error}"));
            match part.get("trigger") {
                Some(trigger) => {
                    let level = game.get_mut("jackpot").and_then(Value::as_array_mut).expect("its level");
                    level[0].as_table_mut().expect("a level").insert("trigger".into(), trigger.clone());
                }
                None => put_into(&mut game, part),
            }
            play(&toml::to_string(&game).expect("TOML again"));
            parts += 1;
        }
    }
    assert!(whole >= 3 && parts >= 20, "{whole} whole games and {parts} parts");
}

/// Goal: the check sees an example that is not true.
#[test]
#[should_panic(expected = "no award")]
fn an_example_that_does_not_load_is_seen() {
    let mut game: Table = examples()[0].parse().expect("TOML");
    let wrong = "[[feature]]\nfree_spins = { scatter = \"S\", from = 3, spins = 5, spare = [\"Z x3\"] }\n";
    put_into(&mut game, wrong.parse().expect("TOML"));
    play(&toml::to_string(&game).expect("TOML again"));
}
