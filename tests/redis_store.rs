//! `jackpot run --store redis` and the store beneath it, against real servers.

mod command;
mod redis;

use command::{ends, folder, jackpot, result};
use jackpot::pool::{ClaimId, LivePools, PoolOperation, PoolStore, RedisPools, StoreError};
use jackpot::redis_link::{Batch, LinkError, Reply};
use redis::{Server, free_port};

fn pools(server: &Server, count: usize) -> RedisPools {
    let fields = (0..count).map(|bet_index| format!("TBI:{bet_index}_JL:mini")).collect();
    RedisPools::connect(&server.address(), "test", "game", fields).expect("a store")
}

fn claim(pool: usize, ordinal: u64, reset: u64) -> PoolOperation {
    PoolOperation::Claim { claim: ClaimId { pool, ordinal }, reset }
}

#[test]
fn an_ordered_run_in_redis_writes_the_bytes_of_a_run_in_memory() {
    let (server, folder) = (Server::start(), folder());
    for game in ["classic-hits", "cross-dock", "house", "ainsworth", "mega-drop", "megabucks"] {
        let path = format!("configs/{game}.toml");
        let at = |name: &str| folder.path().join(format!("{game}-{name}"));
        let run = |name: &str, more: &[&str]| {
            ends(jackpot().args(["run", &path, "--spins", "600k", "--quiet", "--out"]).arg(at(name)).args(more), 0)
        };
        run("memory", &[]);
        run("redis", &["--store", "redis", "--redis", &server.url(), "--threads", "2"]);
        assert!(result(&at("memory")) == result(&at("redis")), "{game}");
        assert_eq!(server.keys(), Vec::<String>::new(), "{game} left keys behind");
    }
    let hits = server.link().must(&["INFO", "commandstats"]).expect("INFO").text().expect("a text");
    assert!(hits.contains("cmdstat_hincrby:") && hits.contains("cmdstat_exec:"), "the server was never asked: {hits}");
}

#[test]
fn a_live_run_in_redis_keeps_the_conservation_law() {
    let (server, folder) = (Server::start(), folder());
    let socket = format!("unix://{}", server.socket().display());
    for (game, url) in [("house", server.url()), ("ainsworth", socket)] {
        let out = folder.path().join(game);
        let path = format!("configs/{game}.toml");
        let more = ["--commit", "live", "--threads", "2", "--store", "redis", "--redis", &url];
        // A broken law ends with 70.
        ends(jackpot().args(["run", &path, "--spins", "70k", "--quiet", "--out"]).arg(&out).args(more), 0);
        let text = String::from_utf8(result(&out)).expect("UTF-8");
        assert!(text.contains("\"live\""), "{text}");
    }
    assert_eq!(server.keys(), Vec::<String>::new());
}

#[test]
fn a_server_that_is_not_there_ends_with_3_and_bad_words_with_2() {
    let folder = folder();
    let out = folder.path().join("out");
    let run = |more: &[&str], code: i32| {
        let mut command = jackpot();
        command.env_remove("JACKPOT_REDIS_URL").args([
            "run",
            "configs/house.toml",
            "--spins",
            "1k",
            "--quiet",
            "--out",
        ]);
        ends(command.arg(&out).args(more), code).1
    };
    let nowhere = format!("redis://:secret@127.0.0.1:{}", free_port());
    let text = run(&["--store", "redis", "--redis", &nowhere], 3);
    assert!(text.contains("can't be reached") && text.contains("help:") && !text.contains("secret"), "{text}");
    assert!(run(&["--store", "redis"], 2).contains("JACKPOT_REDIS_URL"));
    let text = run(&["--store", "redis", "--redis", "http://me:secret@host"], 2);
    assert!(text.contains("expected redis://") && !text.contains("secret"), "{text}");
    assert!(run(&["--store", "redis", "--shard", "1/2", "--redis", &nowhere], 2).contains("--shard"));
    assert!(!out.join("result.json").exists());
}

#[test]
fn passwords_databases_and_the_environment_lead_to_the_server() {
    let (server, folder) = (Server::with(&["--requirepass", "secret"]), folder());
    let run = |name: &str, url: &str, code: i32| {
        let mut command = jackpot();
        command.env("JACKPOT_REDIS_URL", url).args(["run", "configs/house.toml", "--spins", "70k", "--store", "redis"]);
        ends(command.args(["--quiet", "--out"]).arg(folder.path().join(name)), code).1
    };
    run("right", &format!("redis://:secret@127.0.0.1:{}/5", server.port), 0);
    let text = run("wrong", &format!("redis://:other-word@127.0.0.1:{}", server.port), 3);
    assert!(!text.contains("other-word"), "{text}");
    run("none", &server.url(), 3);
}

#[test]
fn a_claim_pays_once_however_often_it_is_asked() {
    let server = Server::start();
    let pools = pools(&server, 2);
    pools.open(&[100, 200]).expect("open");
    let mut replies = Vec::new();
    let add = PoolOperation::Add { pool: 0, units: 5 };
    pools
        .apply(&[add, claim(0, 0, 10), add, claim(0, 0, 10), claim(1, 0, 0), claim(0, 1, 7)], &mut replies)
        .expect("apply");
    assert_eq!(replies, [105, 105, 15, 105, 200, 15]);
    assert_eq!(pools.balances().expect("balances"), [7, 0]);
    let journal = server.keys().into_iter().filter(|key| key.contains(":claim:")).collect::<Vec<_>>();
    assert_eq!(journal.len(), 3);
    for key in server.keys() {
        let Reply::Integer(left) = server.link().must(&["PTTL", &key]).expect("PTTL") else { panic!("a time") };
        assert!((1..=3_600_000).contains(&left), "{key} expires in {left} ms");
    }
    pools.remove().expect("remove");
    assert_eq!(server.keys(), Vec::<String>::new());
}

#[test]
fn a_claim_whose_reply_was_lost_pays_the_same_again() {
    let server = Server::start();
    let pools = pools(&server, 1);
    pools.open(&[0]).expect("open");
    LivePools::add_all(&pools, &[(0, 1234)], &mut [0]).expect("add");
    let mut batch = Batch::default();
    batch.push(&[
        "EVAL",
        jackpot::pool::redis::CLAIM_SCRIPT,
        "2",
        pools.key(),
        &format!("{}:claim:TBI:0_JL:mini:0", pools.key()),
        "TBI:0_JL:mini",
        "50",
        "60000",
    ]);
    server.link().send_and_leave(&batch).expect("sent");
    while pools.balances().expect("balances") != [50] {
        std::thread::yield_now();
    }
    assert_eq!(LivePools::claim(&pools, ClaimId { pool: 0, ordinal: 0 }, 50).expect("claim"), 1234);
    assert_eq!(pools.balances().expect("balances"), [50]);
}

#[test]
fn what_is_no_balance_is_refused_and_kept() {
    let server = Server::start();
    let pools = pools(&server, 1);
    let mut link = server.link();
    for held in ["", "12.75", "-3", "007", "+7", "1e3", "0x10", "12abc", "inf", "nan", "9223372036854775808", "12.0"] {
        link.must(&["HSET", pools.key(), "TBI:0_JL:mini", held]).expect("HSET");
        let mut replies = Vec::new();
        let error = pools.apply(&[claim(0, 0, 0)], &mut replies).expect_err(held);
        assert!(error.to_string().contains("nothing was paid"), "{error}");
        assert_eq!(link.must(&["HGET", pools.key(), "TBI:0_JL:mini"]).expect("HGET").text().as_deref(), Some(held));
    }
    for (ordinal, held) in (1..).zip(["0", "9007199254740993", "9223372036854775807"]) {
        link.must(&["HSET", pools.key(), "TBI:0_JL:mini", held]).expect("HSET");
        let mut replies = Vec::new();
        pools.apply(&[claim(0, ordinal, 0)], &mut replies).expect(held);
        assert_eq!(replies, [held.parse::<u64>().expect("a number")]);
    }
    link.must(&["HDEL", pools.key(), "TBI:0_JL:mini"]).expect("HDEL");
    let mut replies = Vec::new();
    pools.apply(&[claim(0, 9, 77)], &mut replies).expect("a missing field");
    assert_eq!((replies, link.must(&["HEXISTS", pools.key(), "TBI:0_JL:mini"])), (vec![0], Ok(Reply::Integer(0))));
}

#[test]
fn a_balance_beyond_the_domain_is_refused_and_kept() {
    let server = Server::start();
    let pools = pools(&server, 1);
    pools.open(&[i64::MAX as u64]).expect("open");
    let error = pools.apply(&[PoolOperation::Add { pool: 0, units: 1 }], &mut Vec::new()).expect_err("an overflow");
    assert!(matches!(error, StoreError::Overflow { pool: 0 }), "{error}");
    assert_eq!(pools.balances().expect("balances"), [i64::MAX as u64]);
}

#[test]
fn a_flushed_script_cache_changes_nothing_and_a_used_prefix_is_refused() {
    let server = Server::start();
    let pools = pools(&server, 1);
    pools.open(&[1]).expect("open");
    for ordinal in 0..5 {
        server.link().must(&["SCRIPT", "FLUSH"]).expect("SCRIPT FLUSH");
        let mut replies = Vec::new();
        pools.apply(&[claim(0, 2 * ordinal, 3), claim(0, 2 * ordinal + 1, 4)], &mut replies).expect("apply");
        assert_eq!(replies[1], 3);
    }
    let error = pools.open(&[1]).expect_err("a used prefix");
    assert!(error.to_string().contains("is there already"), "{error}");
}

#[test]
fn a_lost_server_is_an_error_and_no_panic() {
    let server = Server::start();
    let pools = pools(&server, 1);
    pools.open(&[1]).expect("open");
    drop(server);
    let error = pools.apply(&[claim(0, 0, 3)], &mut Vec::new()).expect_err("no server");
    assert!(matches!(error, StoreError::Link(LinkError::Lost { .. })), "{error}");
    let error = LivePools::claim(&pools, ClaimId { pool: 0, ordinal: 1 }, 3).expect_err("no server");
    assert!(matches!(error, StoreError::Link(LinkError::Unreachable { .. })), "{error}");
}
