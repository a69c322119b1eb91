//! Plays one chunk of spins: pure, given the game and the chunk's streams. Touches no pool, file or clock.

use super::compiled::{Base, BetTable, Compiled};
use super::facts::{ChunkFacts, TriggerFact};
use super::features;
use super::plan::Plan;
use crate::game::Play;
use crate::game::diagram::{BLOCK, Diagram, EVENT, WalkScratch};
use crate::rng::{BlockStream, Purpose, Stream, rejected, scale};
use crate::tally::{BaseTally, LARGEST_KEPT, Win};

/// Sets of counters.
const SETS: usize = 4;

/// Pays below this are counted in an array, others one by one.
const DENSE_PAYS: usize = 1 << 16;

/// A thread's tally and buffers, kept from chunk to chunk.
#[derive(Debug)]
pub struct Worker {
    tally: BaseTally,
    /// Plain spins by pay. Here and in `counters` sets take turns, so that an addition needn't wait for the one before.
    dense: Box<[[u64; SETS]; DENSE_PAYS]>,
    /// Bet index of each spin of the chunk last played.
    pub bets: Vec<u16>,
    numbers: Vec<u64>,
    randoms: Box<[u64; BLOCK]>,
    values: Box<[u64; BLOCK]>,
    walk: WalkScratch,
    counters: Vec<[Counter; SETS]>,
    /// Return units paid by features in the chunk, by bet index.
    features: Vec<u64>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Counter {
    spins: u64,
    base: u64,
}

impl Worker {
    /// Fresh buffers for a game.
    pub fn new(compiled: &Compiled) -> Self {
        let bet_count = compiled.game.bets.count();
        Self {
            tally: BaseTally::new(bet_count, compiled.feature_count()),
            dense: vec![[0; SETS]; DENSE_PAYS].into_boxed_slice().try_into().expect("its length"),
            bets: Vec::new(),
            numbers: Vec::new(),
            randoms: Box::new([0; BLOCK]),
            values: Box::new([0; BLOCK]),
            walk: WalkScratch::default(),
            counters: vec![[Counter::default(); SETS]; bet_count],
            features: vec![0; bet_count],
        }
    }

    /// All that this worker counted.
    pub fn into_tally(mut self, compiled: &Compiled) -> BaseTally {
        for (pay, times) in self.dense.iter().enumerate() {
            self.tally.count_plain(pay as u64, times.iter().sum(), compiled.game.return_scale);
        }
        self.tally
    }
}

/// Plays a chunk, counts it in the worker's tally and returns its facts.
pub fn play_chunk(compiled: &Compiled, plan: &Plan, chunk: u64, worker: &mut Worker) -> ChunkFacts {
    let length = plan.chunk_length(chunk) as usize;
    let mut bet_stream = BetTable::stream(plan.rng_seed, chunk);
    let mut bets = std::mem::take(&mut worker.bets);
    bets.resize(length, 0);
    compiled.bets.draw(&mut bet_stream, &mut worker.numbers, &mut bets);
    let odds = odds_triggers(compiled, plan, chunk, &bets);
    let mut counting = Counting {
        compiled,
        start: plan.chunk_start(chunk),
        bets: &bets,
        facts: ChunkFacts::default(),
        features: Stream::new(plan.rng_seed, Purpose::Features, chunk, 0),
        hot: hot_pay(&worker.tally, plan.chunk_start(chunk)),
    };
    let mut reel_stream = BlockStream::new(plan.rng_seed, Purpose::Reels, chunk);
    let mut odds = odds.iter().peekable();
    for block_start in (0..length).step_by(BLOCK) {
        let block_end = (block_start + BLOCK).min(length);
        draw_block(&compiled.base, &mut reel_stream, &mut worker.randoms[..]);
        value_block(&compiled.base, &worker.randoms, &mut worker.values, &mut worker.walk);
        let mut next = block_start;
        while let Some(&&(offset, level)) = odds.peek().filter(|&&&(offset, _)| (offset as usize) < block_end) {
            counting.count(worker, next, offset as usize + 1);
            next = next.max(offset as usize + 1);
            counting.trigger(worker, offset, level);
            odds.next();
        }
        counting.count(worker, next, block_end);
    }
    let mut facts = counting.finish(worker);
    if compiled.keeps_bets {
        facts.bets = bets.clone();
    }
    worker.bets = bets;
    facts
}

/// Hits of odds levels before exclusion, as (offset, level) in order.
///
/// Candidates come at the highest chance of any bet; one at a bet with a lower chance is accepted in proportion.
fn odds_triggers(compiled: &Compiled, plan: &Plan, chunk: u64, bets: &[u16]) -> Vec<(u32, u16)> {
    let mut triggers = Vec::new();
    for odds in &compiled.odds {
        let crate::pool::Trigger::Odds { hits, .. } = &compiled.jackpots.levels[odds.level].trigger else { continue };
        let mut stream = Stream::new(plan.rng_seed, Purpose::Triggers, chunk, odds.level as u64);
        let mut next = 0;
        while let Some(gap) = odds.gaps.draw(&mut stream) {
            let offset = next + gap;
            if offset >= bets.len() as u64 {
                break;
            }
            next = offset + 1;
            let chance = hits[usize::from(bets[offset as usize])];
            if chance == odds.hits_max || stream.below(odds.hits_max) < chance {
                triggers.push((offset as u32, odds.level as u16));
            }
        }
    }
    triggers.sort_unstable();
    triggers
}

/// Least pay of a plain spin that must be looked at one by one.
fn hot_pay(tally: &BaseTally, chunk_start: u64) -> u64 {
    let floor = match tally.largest.get(LARGEST_KEPT - 1) {
        // An equal win of this chunk would stand behind the kept one.
        Some(last) if last.spin < chunk_start => last.pay + 1,
        _ => tally.largest_floor(),
    };
    floor.min(DENSE_PAYS as u64)
}

/// Draws one number a spin; each is kept only if it gives every stop, or row, its exact chance.
#[inline]
fn draw_block(base: &Base, stream: &mut BlockStream, randoms: &mut [u64]) {
    stream.fill(randoms);
    let total = match base {
        Base::Reels(diagram) => diagram.cycle(),
        Base::Outcomes { rows, .. } => rows.total(),
    };
    let suspicious = randoms.iter().fold(false, |any, random| any | (random.wrapping_mul(total) < total));
    if suspicious {
        for random in randoms {
            while rejected(random.wrapping_mul(total), total) {
                *random = stream.spare().bits();
            }
        }
    }
}

#[inline]
fn value_block(base: &Base, randoms: &[u64; BLOCK], values: &mut [u64; BLOCK], walk: &mut WalkScratch) {
    match base {
        Base::Reels(diagram) => diagram.walk_block(randoms, values, walk),
        Base::Outcomes { rows, values: by_row } => {
            for (value, &random) in values.iter_mut().zip(randoms.iter()) {
                *value = by_row[rows.position(scale(random, rows.total()).0)];
            }
        }
    }
}

struct Counting<'c, 'a> {
    compiled: &'c Compiled<'a>,
    start: u64,
    bets: &'c [u16],
    facts: ChunkFacts,
    features: Stream,
    hot: u64,
}

impl Counting<'_, '_> {
    /// Counts the spins from one offset up to another, all in the block that the worker holds.
    #[inline]
    fn count(&mut self, worker: &mut Worker, from: usize, to: usize) {
        let block = from % BLOCK;
        let mut done = 0;
        let length = to.saturating_sub(from);
        while done < length {
            // Four at a time while none needs a closer look: one branch, and every addition in a set of its own.
            let bets = &self.bets[from + done..to];
            let values = &worker.values[block + done..block + length];
            let mut plain = 0;
            for (bets, values) in bets.chunks_exact(SETS).zip(values.chunks_exact(SETS)) {
                if values.iter().fold(false, |any, &value| any | (value >= self.hot)) {
                    break;
                }
                for set in 0..SETS {
                    let counter = &mut worker.counters[usize::from(bets[set])][set];
                    counter.spins += 1;
                    counter.base += values[set];
                    worker.dense[usize::from(values[set] as u16)][set] += 1;
                }
                plain += SETS;
            }
            done += plain;
            for offset in from + done..(from + done + SETS).min(to) {
                self.count_one(worker, offset);
            }
            done += SETS;
        }
    }

    #[inline]
    fn count_one(&mut self, worker: &mut Worker, offset: usize) {
        let value = worker.values[offset % BLOCK];
        let counter = &mut worker.counters[usize::from(self.bets[offset])][0];
        counter.spins += 1;
        if value < self.hot {
            counter.base += value;
            worker.dense[usize::from(value as u16)][0] += 1;
        } else {
            self.count_hot(worker, offset, value, worker.randoms[offset % BLOCK]);
        }
    }

    /// Counts a spin that starts something, or pays much.
    #[cold]
    #[inline(never)]
    fn count_hot(&mut self, worker: &mut Worker, offset: usize, value: u64, random: u64) {
        let scale = self.compiled.game.return_scale;
        let bet_index = usize::from(self.bets[offset]);
        let (mut base, mut features, mut started) = (value, 0, false);
        if value >= EVENT {
            match &self.compiled.base {
                Base::Reels(diagram) => {
                    (base, features, started) = self.play_event(worker, diagram, offset, random);
                }
                Base::Outcomes { rows, .. } => {
                    let Play::Outcomes(outcomes) = &self.compiled.game.play else { unreachable!("an outcome table") };
                    let row = &outcomes.rows[rows.position(crate::rng::scale(random, rows.total()).0)];
                    base = row.pay;
                    for &level in &row.jackpots {
                        self.symbols_trigger(worker, offset, level);
                    }
                }
            }
        }
        worker.counters[bet_index][0].base += base;
        worker.features[bet_index] += features;
        if started {
            worker.tally.count_featured(base, features, scale);
        } else if base < DENSE_PAYS as u64 {
            worker.dense[base as usize][0] += 1;
        } else {
            worker.tally.count_plain(base, 1, scale);
        }
        worker.tally.offer(Win { pay: base + features, spin: self.start + offset as u64, bet_index });
        self.hot = hot_pay(&worker.tally, self.start);
    }

    /// Values a window that starts something: base pay, what its features paid, and whether it started any.
    fn play_event(&mut self, worker: &mut Worker, diagram: &Diagram, offset: usize, random: u64) -> (u64, u64, bool) {
        let reels = self.compiled.reels().expect("a diagram has reels");
        let outcome = diagram.outcome(random);
        for (position, (level, _)) in reels.jackpots.iter().enumerate() {
            if outcome.jackpots[position] {
                self.symbols_trigger(worker, offset, *level);
            }
        }
        let started = outcome.bonus_starts.iter().chain(&outcome.free_spins).any(|&starts| starts > 0);
        let paid = if started {
            features::play(self.compiled, reels, &outcome, &mut self.features, &mut worker.tally.by_feature)
        } else {
            0
        };
        (outcome.pay, paid, started)
    }

    /// Notes that the reels or the outcome table trigger a level, if the bet is eligible for it; once a spin.
    fn symbols_trigger(&mut self, worker: &Worker, offset: usize, level: usize) {
        let eligible = self.compiled.jackpots.levels[level].eligible[usize::from(self.bets[offset])];
        let (at, level) = (offset as u32, level as u16);
        let noted =
            self.facts.triggers.iter().rev().take_while(|fact| fact.offset == at).any(|fact| fact.level == level);
        if eligible && !noted {
            self.trigger(worker, at, level);
        }
    }

    /// Notes a trigger with the spins made so far.
    fn trigger(&mut self, worker: &Worker, offset: u32, level: u16) {
        let bet_index = self.bets[offset as usize];
        let spins = |sets: &[Counter; SETS]| sets.iter().map(|set| set.spins as u32).sum::<u32>();
        let counts_at = self.facts.counts.len() as u32;
        if self.compiled.jackpots.levels[usize::from(level)].linked {
            self.facts.counts.extend(worker.counters.iter().map(spins));
        } else {
            self.facts.counts.push(spins(&worker.counters[usize::from(bet_index)]));
        }
        self.facts.triggers.push(TriggerFact { offset, level, bet_index, counts_at });
    }

    /// Moves the counters into the tally and the facts.
    fn finish(mut self, worker: &mut Worker) -> ChunkFacts {
        let game = self.compiled.game;
        for (bet, counters) in worker.counters.iter_mut().enumerate() {
            let sets = std::mem::take(counters);
            let spins: u64 = sets.iter().map(|set| set.spins).sum();
            let base: u128 = sets.iter().map(|set| u128::from(set.base)).sum();
            let features = u128::from(std::mem::take(&mut worker.features[bet]));
            let unit = u128::from(game.bets.amounts[bet] / game.return_scale);
            self.facts.spins_by_bet.push(spins as u32);
            self.facts.paid_base += base * unit;
            self.facts.paid_features += features * unit;
            worker.tally.spins_by_bet[bet] += spins;
            worker.tally.base_by_bet[bet] += base;
            worker.tally.features_by_bet[bet] += features;
        }
        self.facts.sort_triggers();
        self.facts
    }
}
