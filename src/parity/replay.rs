//! Replays a run's operations against a server, in order, and compares every reply with the model's.

use super::amount::Read;
use super::extended;
use super::outcome::Divergence;
use super::record::{NO_SPIN, Recorded};
use super::target::{Step, Target};
use crate::pool::PoolOperation;
use crate::pool::subject::{Encoding, Reading};
use crate::redis_link::{Batch, Link, LinkError, Reply};

/// The state of a replay.
pub struct Replay<'t, 's> {
    pub target: &'t Target<'s>,
    /// What each field holds by the model, in atoms.
    held: Vec<i128>,
    /// The same in exact money, without the server's arithmetic.
    exact: Vec<i128>,
    pub money: Vec<Money>,
    /// Steps sent.
    pub operations: u64,
    /// Replies and balances that were not the model's.
    pub divergences: u64,
    pub first: Option<Divergence>,
    /// Claims more than half a pool unit from exact money; the first.
    pub inexact: u64,
    pub first_inexact: Option<String>,
    batches: u64,
    /// Whether the server's floating point is known.
    is_emulated: bool,
}

/// What became of a pool's money, in atoms.
#[derive(Debug, Clone, Copy, Default)]
pub struct Money {
    pub lost: i128,
    pub doubled: i128,
    /// Payments so far against exact ones.
    drifted: i128,
    pub drift: i128,
    pub drift_from: Option<u64>,
}

impl<'t, 's> Replay<'t, 's> {
    /// At the start: the pools are open.
    pub fn new(target: &'t Target<'s>, held: Vec<i128>, is_emulated: bool) -> Self {
        Self {
            target,
            exact: held.clone(),
            money: vec![Money::default(); held.len()],
            held,
            operations: 0,
            divergences: 0,
            first: None,
            inexact: 0,
            first_inexact: None,
            batches: 0,
            is_emulated,
        }
    }

    /// Plays operations; every reply is compared.
    ///
    /// # Errors
    /// [`LinkError`].
    pub fn feed(&mut self, link: &mut Link, operations: &[Recorded]) -> Result<(), LinkError> {
        let mut batch = Batch::default();
        let mut sent: Vec<(u64, Step, usize, Option<u64>)> = Vec::with_capacity(operations.len());
        let mut by_text = true;
        for recorded in operations {
            let (first, second) = self.target.steps(&recorded.operation);
            let is_claim = matches!(recorded.operation, PoolOperation::Claim { .. });
            for (step, exact) in [(Some(first), is_claim.then_some(recorded.reply)), (second, None)] {
                let Some(step) = step else { continue };
                let count = self.target.push_step(&mut batch, &step, by_text && is_claim);
                by_text &= !matches!(step, Step::Claim { .. });
                sent.push((recorded.spin, step, count, exact));
            }
        }
        let mut replies = Vec::with_capacity(batch.len());
        link.send(&batch, &mut replies)?;
        let mut rest = replies.as_slice();
        for (spin, step, count, exact) in sent {
            let (own, after) = rest.split_at(count);
            rest = after;
            let before = self.held[step.pool()];
            let wrong = self.compare(&step, &self.target.read(&step, own), exact);
            if wrong && self.first.is_none() {
                self.first = Some(self.divergence(link, &step, spin, before, own)?);
            }
            self.operations += 1;
        }
        self.batches += 1;
        if self.batches.is_multiple_of(100) { self.checkpoint(link) } else { Ok(()) }
    }

    fn divergence(
        &self,
        link: &mut Link,
        step: &Step,
        spin: u64,
        before: i128,
        replies: &[Reply],
    ) -> Result<Divergence, LinkError> {
        let (pool, scale) = (step.pool(), self.target.scale);
        let (after, wanted) = expected(self.target, before, step, self.is_emulated);
        let left = self.target.texts(link)?.get(pool).map(ToString::to_string).unwrap_or_default();
        Ok(Divergence {
            operation: self.operations,
            spin: (spin != NO_SPIN).then_some(spin),
            field: self.target.pools[pool].field.clone(),
            commands: self.target.shell_lines(step),
            expected: scale.text(wanted),
            found: replies.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
            before: scale.text(before),
            after: scale.text(after),
            left,
        })
    }

    /// Whether the reply is wrong; books what it means for the pool's money.
    fn compare(&mut self, step: &Step, read: &Read, exact_meter: Option<u64>) -> bool {
        let pool = step.pool();
        let (after, expected) = expected(self.target, self.held[pool], step, self.is_emulated);
        let reading = self.target.action(step).reading;
        let found = read.amount();
        let is_equal = match (found, read) {
            (_, Read::Refused(_)) => false,
            _ if reading == Reading::Nothing => true,
            (Some(found), _) => found == seen(self.target, expected, reading) || self.is_near(found, expected),
            (None, _) => false,
        };
        let is_refused = matches!(read, Read::Refused(_));
        let (exact, money) = (&mut self.exact[pool], &mut self.money[pool]);
        let mut paid_exact = 0;
        match *step {
            Step::Add { atoms, .. } => *exact += atoms,
            Step::Claim { reset, .. } => {
                paid_exact = *exact;
                *exact = reset;
            }
        }
        let held = &mut self.held[pool];
        match *step {
            Step::Add { .. } => *held = if is_equal { after } else { found.unwrap_or(*held) },
            Step::Claim { .. } if is_refused => {}
            Step::Claim { .. } => *held = after,
        }
        let paid = if is_equal { expected } else { found.unwrap_or(0) };
        if !is_equal {
            self.divergences += 1;
            let difference = match *step {
                // A claim that is refused pays nothing and takes nothing.
                Step::Claim { .. } if is_refused => 0,
                Step::Claim { .. } => paid - expected,
                Step::Add { .. } => *held - after,
            };
            if difference < 0 { money.lost -= difference } else { money.doubled += difference }
        } else {
            if matches!(step, Step::Claim { .. }) {
                money.drifted += paid - paid_exact;
                if let Some(meter) = exact_meter {
                    let meter = self.target.held(pool, meter);
                    if 2 * (paid - meter).abs() > self.target.scale.unit() {
                        self.inexact += 1;
                        let text = |atoms| self.target.scale.text(atoms);
                        let field = &self.target.pools[pool].field;
                        let (paid, meter) = (text(paid), text(meter));
                        self.first_inexact
                            .get_or_insert_with(|| format!("{field}: a claim paid {paid}, exact money is {meter}"));
                    }
                }
            }
            let drift = money.drifted + *held - *exact;
            if drift != 0 && money.drift_from.is_none() {
                money.drift_from = Some(self.operations);
            }
            if drift.abs() > money.drift.abs() {
                money.drift = drift;
            }
        }
        !is_equal
    }

    /// Where the server's arithmetic isn't known, less than half a unit is no difference.
    fn is_near(&self, found: i128, expected: i128) -> bool {
        !self.is_emulated && self.target.subject.encoding == Encoding::Float && {
            2 * (found - expected).abs() < self.target.scale.unit()
        }
    }

    /// Compares every field with the model.
    ///
    /// # Errors
    /// [`LinkError`].
    pub fn checkpoint(&mut self, link: &mut Link) -> Result<(), LinkError> {
        let texts = self.target.texts(link)?;
        for (pool, text) in texts.iter().enumerate() {
            let balance = self.target.balance(text);
            let expected = self.held[pool];
            if balance == Some(expected) || balance.is_some_and(|balance| self.is_near(balance, expected)) {
                continue;
            }
            self.divergences += 1;
            let difference = balance.unwrap_or(0) - expected;
            let money = &mut self.money[pool];
            if difference < 0 {
                money.lost -= difference
            } else {
                money.doubled += difference
            }
            self.held[pool] = balance.unwrap_or(0);
            if self.first.is_none() {
                let words = &self.target.pools[pool];
                let text_of = |atoms| self.target.scale.text(atoms);
                self.first = Some(Divergence {
                    operation: self.operations,
                    spin: None,
                    field: words.field.clone(),
                    commands: vec![format!("HGET {} {}", words.key, words.field)],
                    expected: text_of(expected),
                    found: text.to_string(),
                    before: text_of(expected),
                    after: text_of(expected),
                    left: text.to_string(),
                });
            }
        }
        Ok(())
    }
}

/// What a field holds after a step, and the reply, by the model.
fn expected(target: &Target, held: i128, step: &Step, is_emulated: bool) -> (i128, i128) {
    match *step {
        Step::Claim { reset, .. } => (reset, held),
        Step::Add { atoms, .. } => {
            let is_float = target.subject.encoding == Encoding::Float;
            let sum = if is_float && is_emulated { extended::sum(held, atoms) } else { None };
            let sum = sum.unwrap_or(held + atoms);
            (sum, sum)
        }
    }
}

/// An amount as a service sees it that reads the right reply.
fn seen(target: &Target, atoms: i128, reading: Reading) -> i128 {
    if reading != Reading::Float {
        return atoms;
    }
    let reply = Reply::Text(target.scale.text(atoms).into_bytes());
    target.scale.read(&reply, reading, false).amount().unwrap_or(atoms)
}
