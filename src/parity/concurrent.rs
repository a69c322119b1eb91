//! Several clients at once on one pool: random amounts, real races. Money conserved is not enough, since lost and doubled
//! money may cancel; the balance check sees either.
//!
//! Every operation moves the pool from one value to another: an add of k that replies v from v - k to v, a claim that
//! replies v from v to its reset. If each was indivisible they form one trail, so that every value is entered as often
//! as it is left. Linear in the operations.

use super::outcome::Check;
use super::target::{Step, Target};
use crate::redis_link::{Link, LinkError};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::collections::HashMap;

/// Who does what.
#[derive(Debug, Clone, Copy)]
pub struct Crowd {
    pub adders: usize,
    pub claimers: usize,
    /// Operations of each.
    pub operations: usize,
}

/// One operation that was answered, in atoms.
#[derive(Debug, Clone, Copy)]
pub struct Done {
    pub step: Step,
    pub reply: i128,
}

/// What the balance check found, in atoms.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Balance {
    /// Values that were entered more often than left, and their sum.
    pub lost: (u64, i128),
    /// Values that were left more often than entered.
    pub doubled: (u64, i128),
    /// Opening + in - paid - left.
    pub net: i128,
}

/// The balance check, from the value that the pool had to the one that it has.
pub fn balance(opening: i128, done: &[Done], closing: i128) -> Balance {
    let mut open: HashMap<i128, i64> = HashMap::with_capacity(done.len());
    *open.entry(opening).or_default() += 1;
    *open.entry(closing).or_default() -= 1;
    let mut balance = Balance { net: opening - closing, ..Balance::default() };
    for one in done {
        let (from, to) = match one.step {
            Step::Add { atoms, .. } => {
                balance.net += atoms;
                (one.reply - atoms, one.reply)
            }
            Step::Claim { reset, .. } => {
                balance.net += reset - one.reply;
                (one.reply, reset)
            }
        };
        *open.entry(from).or_default() -= 1;
        *open.entry(to).or_default() += 1;
    }
    for (value, count) in open {
        let (side, times) = if count > 0 { (&mut balance.lost, count) } else { (&mut balance.doubled, -count) };
        side.0 += times.unsigned_abs();
        side.1 += value * i128::from(times);
    }
    balance
}

/// Lets a crowd loose on pool 0, which is opened at 0.
///
/// # Errors
/// [`LinkError`].
pub fn race(
    link: &mut Link,
    target: &Target,
    crowd: Crowd,
    gap: &(dyn Fn() + Sync),
) -> Result<(Balance, usize), LinkError> {
    target.open(link, &vec![0; target.pools.len()])?;
    let address = link.address().clone();
    let client = |client: usize| -> Result<Vec<Done>, LinkError> {
        let mut link = Link::open(&address)?;
        let mut random = Pcg64Mcg::seed_from_u64(client as u64);
        let mut done = Vec::with_capacity(crowd.operations);
        for turn in 0..crowd.operations {
            let ordinal = (client * crowd.operations + turn) as u64;
            let step = if client < crowd.adders {
                // Whole numbers, so that no reading and no arithmetic changes them.
                let whole: u32 = random.random_range(1..1_000_000);
                Step::Add { pool: 0, atoms: target.scale.parse(&whole.to_string()).unwrap_or(1) }
            } else {
                Step::Claim { pool: 0, ordinal, reset: 0 }
            };
            if let Some(reply) = target.ask(&mut link, &step, gap)?.amount() {
                done.push(Done { step, reply });
            }
        }
        Ok(done)
    };
    let done: Result<Vec<Vec<Done>>, LinkError> = std::thread::scope(|scope| {
        let start = |number| scope.spawn(move || client(number));
        let clients: Vec<_> = (0..crowd.adders + crowd.claimers).map(start).collect();
        clients.into_iter().map(|client| client.join().expect("a client doesn't panic")).collect()
    });
    let done = done?.concat();
    let closing = target.balances(link)?.first().copied().flatten().unwrap_or(0);
    Ok((balance(0, &done, closing), done.len()))
}

/// The phase, with as many clients as a busy service has on one pool.
///
/// # Errors
/// [`LinkError`].
pub fn checks(link: &mut Link, target: &Target) -> Result<Vec<Check>, LinkError> {
    let crowd = Crowd { adders: 2, claimers: 4, operations: 4_000 };
    let (found, count) = race(link, target, crowd, &|| {})?;
    let text = |atoms: i128| target.scale.text(atoms);
    let wrong = (found.lost.0 + found.doubled.0 > 0).then(|| {
        format!(
            "{} values were entered and never left (lost), {} were left more often than entered (paid twice)",
            found.lost.0, found.doubled.0
        )
    });
    let right = format!("{count} operations of 6 clients: every value is entered as often as left");
    let ledger = (found.net != 0).then(|| format!("opening + in - paid - left is {}, not 0", text(found.net)));
    Ok(vec![
        Check::of("concurrent", "balance", wrong, &right),
        Check::of("concurrent", "conservation", ledger, "opening + in - paid - left is 0"),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(atoms: i128, reply: i128) -> Done {
        Done { step: Step::Add { pool: 0, atoms }, reply }
    }

    fn claim(reply: i128) -> Done {
        Done { step: Step::Claim { pool: 0, ordinal: 0, reset: 0 }, reply }
    }

    #[test]
    fn an_indivisible_history_balances() {
        assert_eq!(balance(0, &[add(5, 5), claim(5), add(7, 7), add(2, 9)], 9), Balance::default());
    }

    #[test]
    fn lost_and_doubled_money_are_seen_also_where_they_cancel() {
        // 5 is read, 7 comes in, and the reset takes both: 7 is lost. Then 7 is paid twice.
        let done = [add(5, 5), add(7, 12), claim(5), add(7, 7), claim(7), claim(7)];
        let found = balance(0, &done, 0);
        assert_eq!(found.net, 0);
        assert_eq!((found.lost.0, found.doubled.0), (2, 2), "{found:?}");
    }
}
