//! Plays one chunk of spins: pure, given the game and the chunk's streams. Touches no pool, file or clock.

use super::bets::BetTable;
use super::compiled::{Base, Compiled, CompiledPlay, OddsTable, SPIN, Step};
use super::facts::{ChunkFacts, TriggerFact};
use super::features;
use super::plan::Plan;
use crate::game::Play;
use crate::game::diagram::{BLOCK, WalkScratch};
use crate::game::pay_classes::{Drawn, PayClasses};
use crate::game::window::Outcome;
use crate::pool::{Jackpots, Trigger};
use crate::rng::{BlockStream, Purpose, Stream, rejected, scale};
use crate::tally::{BaseTally, LARGEST_KEPT, Win};

/// Sets of counters, which take turns so that an addition needn't wait for the one before.
const SETS: usize = 4;

/// With more bets than this, equal ones seldom follow each other, and one set does.
const BETS_IN_SETS: usize = 64;

/// Chunks after which `by_class` must be emptied, lest a counter overflow.
const CHUNKS_COUNTED: u32 = 1 << 15;

/// A thread's tally and buffers, kept from chunk to chunk.
#[derive(Debug, Clone)]
pub struct Worker {
    tally: BaseTally,
    /// Plain spins by class, since `plain` was last added to.
    by_class: Vec<[u32; SETS]>,
    chunks_counted: u32,
    /// Plain spins by class, before.
    plain: Vec<u64>,
    /// Bet index of each spin of the chunk last played.
    pub bets: Vec<u16>,
    /// Of each spin of a block: the random number that stands for its outcome, and its class.
    randoms: Box<[u64; BLOCK]>,
    classes: Box<[u16; BLOCK]>,
    values: Box<[u64; BLOCK]>,
    walk: WalkScratch,
    /// Sums of the chunk's steps: `bet_sets` for each bet index.
    counters: Vec<Step>,
    bet_sets: usize,
    /// Return units of the chunk's spins that were looked at one by one, by bet index: base and features. Those spins
    /// themselves stand in `counters`.
    singles: Vec<(u128, u128)>,
}

impl Worker {
    /// Fresh buffers for a game.
    pub fn new(compiled: &Compiled) -> Self {
        let bet_count = compiled.game.bets.count();
        let bet_sets = if bet_count > BETS_IN_SETS { 1 } else { SETS };
        Self {
            tally: BaseTally::new(bet_count, compiled.feature_count()),
            by_class: vec![[0; SETS]; compiled.steps.len()],
            chunks_counted: 0,
            plain: vec![0; compiled.steps.len()],
            bets: Vec::new(),
            randoms: Box::new([0; BLOCK]),
            classes: Box::new([0; BLOCK]),
            values: Box::new([0; BLOCK]),
            walk: WalkScratch::default(),
            counters: vec![0; bet_count * bet_sets],
            bet_sets,
            singles: vec![(0, 0); bet_count],
        }
    }

    /// All that this worker counted.
    pub fn into_tally(mut self, compiled: &Compiled) -> BaseTally {
        self.empty_classes();
        for (&step, &times) in compiled.steps.iter().zip(&self.plain) {
            self.tally.count_plain(step.wrapping_sub(SPIN), times, compiled.game.return_scale);
        }
        self.tally
    }

    fn empty_classes(&mut self) {
        for (sum, sets) in self.plain.iter_mut().zip(&mut self.by_class) {
            *sum += std::mem::take(sets).map(u64::from).iter().sum::<u64>();
        }
        self.chunks_counted = 0;
    }
}

/// Plays a chunk, counts it in the worker's tally and returns its facts.
pub fn play_chunk(compiled: &Compiled, plan: &Plan, chunk: u64, worker: &mut Worker) -> ChunkFacts {
    let length = plan.chunk_length(chunk) as usize;
    let mut bet_stream = BetTable::stream(plan.rng_seed, chunk);
    let mut bets = std::mem::take(&mut worker.bets);
    bets.resize(length, 0);
    compiled.bets.draw(&mut bet_stream, &mut bets);
    let odds = odds_triggers(&compiled.odds, compiled.jackpots, plan, chunk, &mut || &bets);
    let mut counting = Counting {
        compiled,
        start: plan.chunk_start(chunk),
        bets: &bets,
        facts: ChunkFacts::default(),
        features: Stream::new(plan.rng_seed, Purpose::Features, chunk, 0),
        hot: hot_step(&worker.tally, plan.chunk_start(chunk)),
    };
    let mut reel_stream = BlockStream::new(plan.rng_seed, Purpose::Reels, chunk);
    let mut odds = odds.iter().peekable();
    for block_start in (0..length).step_by(BLOCK) {
        let block_end = (block_start + BLOCK).min(length);
        draw_block(compiled, &bets[block_start..block_end], &mut reel_stream, worker);
        let mut next = block_start;
        while let Some(&&(offset, level)) = odds.peek().filter(|&&&(offset, _)| (offset as usize) < block_end) {
            counting.count(worker, next, offset as usize + 1);
            next = next.max(offset as usize + 1);
            counting.trigger(worker, offset, level);
            odds.next();
        }
        counting.count(worker, next, block_end);
    }
    worker.chunks_counted += 1;
    if worker.chunks_counted == CHUNKS_COUNTED {
        worker.empty_classes();
    }
    let mut facts = counting.finish(worker);
    if compiled.keeps_bets {
        facts.bets = bets.clone();
    }
    worker.bets = bets;
    facts
}

/// Hits of odds levels before exclusion, as (offset, level) in order; `bets` gives the bet index of each spin, asked for
/// only where a hit may be.
///
/// Candidates come at the highest chance of any bet; one at a bet with a lower chance is accepted in proportion.
pub fn odds_triggers<'b>(
    tables: &[OddsTable],
    jackpots: &Jackpots,
    plan: &Plan,
    chunk: u64,
    bets: &mut dyn FnMut() -> &'b [u16],
) -> Vec<(u32, u16)> {
    let length = u64::from(plan.chunk_length(chunk));
    let mut triggers = Vec::new();
    for odds in tables {
        let Trigger::Odds { hits, .. } = &jackpots.levels[odds.level].trigger else { continue };
        let mut stream = Stream::new(plan.rng_seed, Purpose::Triggers, chunk, odds.level as u64);
        let mut next = 0;
        while let Some(gap) = odds.gaps.draw(&mut stream) {
            let offset = next + gap;
            if offset >= length {
                break;
            }
            next = offset + 1;
            let chance = hits[usize::from(bets()[offset as usize])];
            if chance == odds.hits_max || stream.below(odds.hits_max) < chance {
                triggers.push((offset as u32, odds.level as u16));
            }
        }
    }
    triggers.sort_unstable();
    triggers
}

/// Least step of a spin that must be looked at one by one: it may be one of the largest wins.
fn hot_step(tally: &BaseTally, chunk_start: u64) -> Step {
    let floor = match tally.largest.get(LARGEST_KEPT - 1) {
        // An equal win of this chunk would stand behind the kept one.
        Some(last) if last.spin < chunk_start => last.pay + 1,
        _ => tally.largest_floor(),
    };
    floor.saturating_add(SPIN)
}

/// Draws a block of outcomes, each with its exact chance, and finds their classes.
#[inline]
fn draw_block(compiled: &Compiled, bets: &[u16], stream: &mut BlockStream, worker: &mut Worker) {
    stream.fill(&mut worker.randoms[..]);
    let [only] = &compiled.plays[..] else { return draw_by_bet(compiled, bets, stream, worker) };
    let base = &only.base;
    match base {
        Base::Reels(diagram) if diagram.order().is_none() => {
            let cycle = diagram.cycle();
            for random in worker.randoms.iter_mut() {
                while rejected(random.wrapping_mul(cycle), cycle) {
                    *random = stream.spare().bits();
                }
            }
            diagram.walk_block(&worker.randoms, &mut worker.values, &mut worker.walk);
            for (class, &value) in worker.classes.iter_mut().zip(worker.values.iter()) {
                *class = value.min(u64::from(u16::MAX)) as u16;
            }
        }
        _ => draw_classes(base.classes().expect("outcomes in order have classes"), stream, worker),
    }
}

/// Draws each spin of a block from the play of its bet.
fn draw_by_bet(compiled: &Compiled, bets: &[u16], stream: &mut BlockStream, worker: &mut Worker) {
    for ((class, random), &bet) in worker.classes.iter_mut().zip(worker.randoms.iter_mut()).zip(bets) {
        let play = &compiled.plays[usize::from(compiled.play_of_bet[usize::from(bet)])];
        let total = play.base.total();
        while rejected(random.wrapping_mul(total), total) {
            *random = stream.spare().bits();
        }
        let own = match &play.base {
            _ if play.class_count == 1 => 0,
            Base::Reels(diagram) if diagram.order().is_none() => diagram.walk(*random).min(u64::from(u16::MAX)) as u16,
            base => base.classes().expect("outcomes in order have classes").pick(*random).0,
        };
        *class = play.class_start + own;
    }
}

#[inline]
fn draw_classes(classes: &PayClasses, stream: &mut BlockStream, worker: &mut Worker) {
    let total = classes.total();
    let mut suspicious = false;
    for (class, &random) in worker.classes.iter_mut().zip(worker.randoms.iter()) {
        let (picked, rest) = classes.pick(random);
        suspicious |= rest < total;
        *class = picked;
    }
    if suspicious {
        for (class, random) in worker.classes.iter_mut().zip(worker.randoms.iter_mut()) {
            while rejected(random.wrapping_mul(total), total) {
                *random = stream.spare().bits();
            }
            *class = classes.pick(*random).0;
        }
    }
}

/// What a spin paid before jackpots, in return units, and whether it started a feature.
struct Spin {
    base: u64,
    features: u64,
    started: bool,
}

struct Counting<'c, 'a> {
    compiled: &'c Compiled<'a>,
    start: u64,
    bets: &'c [u16],
    facts: ChunkFacts,
    features: Stream,
    hot: Step,
}

impl<'c, 'a> Counting<'c, 'a> {
    /// Counts the spins from one offset up to another, all in the block that the worker holds.
    #[inline]
    fn count(&mut self, worker: &mut Worker, from: usize, to: usize) {
        if worker.bet_sets == SETS {
            self.count_in_sets::<SETS>(worker, from, to);
        } else {
            self.count_in_sets::<1>(worker, from, to);
        }
    }

    #[inline]
    fn count_in_sets<const BET_SETS: usize>(&mut self, worker: &mut Worker, from: usize, to: usize) {
        let mut done = from;
        while done < to {
            // Four at a time while none needs a closer look: one branch, and every addition in a set of its own.
            let bets = self.bets[done..to].as_chunks::<SETS>().0;
            let classes = worker.classes[done % BLOCK..][..to - done].as_chunks::<SETS>().0;
            let (steps, hot) = (&self.compiled.steps[..], self.hot);
            let (counters, by_class) = (&mut worker.counters[..], &mut worker.by_class[..steps.len()]);
            let mut plain = 0;
            for (bets, classes) in bets.iter().zip(classes) {
                let four: [Step; SETS] = std::array::from_fn(|set| steps[usize::from(classes[set])]);
                if four.iter().fold(false, |any, &step| any | (step >= hot)) {
                    break;
                }
                for set in 0..SETS {
                    counters[usize::from(bets[set]) * BET_SETS + set % BET_SETS] += four[set];
                    by_class[usize::from(classes[set])][set] += 1;
                }
                plain += SETS;
            }
            done += plain;
            let next = (done + SETS).min(to);
            (done..next).for_each(|offset| self.count_one(worker, offset));
            done = next;
        }
    }

    #[inline]
    fn count_one(&mut self, worker: &mut Worker, offset: usize) {
        let class = usize::from(worker.classes[offset % BLOCK]);
        let step = self.compiled.steps[class];
        let counter = &mut worker.counters[usize::from(self.bets[offset]) * worker.bet_sets];
        if step < self.hot {
            *counter += step;
            worker.by_class[class][0] += 1;
        } else {
            *counter += SPIN;
            self.count_hot(worker, offset, worker.randoms[offset % BLOCK]);
        }
    }

    /// Counts a spin that starts something, or pays much.
    #[cold]
    #[inline(never)]
    fn count_hot(&mut self, worker: &mut Worker, offset: usize, random: u64) {
        let scale = self.compiled.game.return_scale;
        let bet_index = usize::from(self.bets[offset]);
        let Spin { base, features, started } = self.look(worker, offset, random);
        let (base_sum, features_sum) = &mut worker.singles[bet_index];
        *base_sum += u128::from(base);
        *features_sum += u128::from(features);
        if started {
            worker.tally.count_featured(base, features, scale);
        } else {
            worker.tally.count_plain(base, 1, scale);
        }
        worker.tally.offer(Win { pay: base + features, spin: self.start + offset as u64, bet_index });
        self.hot = hot_step(&worker.tally, self.start);
    }

    /// Plays the spin that a random number stands for, whatever it starts.
    fn look(&mut self, worker: &mut Worker, offset: usize, random: u64) -> Spin {
        let play = self.play_at(offset);
        let base = &play.base;
        let drawn = base.classes().map(|classes| classes.outcome(scale(random, classes.total()).0));
        let outcome = match (drawn, base) {
            (Some(Drawn::Pays(pay)), _) => return Spin { base: pay, features: 0, started: false },
            (Some(Drawn::Starts(rank)), Base::Outcomes(order)) => {
                let Play::Outcomes(outcomes) = play.play else { unreachable!("an outcome table") };
                let row = &outcomes.rows[order.special_row(rank)];
                for &level in &row.jackpots {
                    self.symbols_trigger(worker, offset, level);
                }
                return Spin { base: row.pay, features: 0, started: false };
            }
            (Some(Drawn::Starts(rank)), Base::Reels(diagram)) => diagram.special_outcome(rank),
            (None, Base::Reels(diagram)) => diagram.outcome(random),
            (None, Base::Outcomes(_)) => unreachable!("outcome tables have classes"),
        };
        self.play_window(worker, offset, outcome)
    }

    /// What is played at the bet of a spin.
    fn play_at(&self, offset: usize) -> &'c CompiledPlay<'a> {
        &self.compiled.plays[usize::from(self.compiled.play_of_bet[usize::from(self.bets[offset])])]
    }

    /// Plays what a window starts.
    fn play_window(&mut self, worker: &mut Worker, offset: usize, outcome: Outcome) -> Spin {
        let play = self.play_at(offset);
        let reels = play.play.reels().expect("a window has reels");
        for (position, (level, _)) in reels.jackpots.iter().enumerate() {
            if outcome.jackpots[position] {
                self.symbols_trigger(worker, offset, *level);
            }
        }
        let started = outcome.bonus_starts.iter().chain(&outcome.free_spins).any(|&starts| starts > 0);
        let mut features = features::Played::default();
        if started {
            let tallies = &mut worker.tally.by_feature;
            features = features::play(play, reels, &outcome, &mut self.features, tallies);
            for &level in &features.levels {
                self.symbols_trigger(worker, offset, level);
            }
        }
        Spin { base: outcome.pay, features: features.pay, started }
    }

    /// Notes that the reels, a wheel or the outcome table trigger a level, if the bet is eligible for it; once a spin.
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
        let spins = |sets: &[Step]| sets.iter().map(|sum| (sum / SPIN) as u32).sum::<u32>();
        let by_bet = worker.counters.chunks_exact(worker.bet_sets);
        let counts_at = self.facts.counts.len() as u32;
        if self.compiled.jackpots.levels[usize::from(level)].linked {
            self.facts.counts.extend(by_bet.map(spins));
        } else {
            self.facts.counts.extend(by_bet.skip(usize::from(bet_index)).take(1).map(spins));
        }
        self.facts.triggers.push(TriggerFact { offset, level, bet_index, counts_at });
    }

    /// Moves the counters into the tally and the facts.
    fn finish(mut self, worker: &mut Worker) -> ChunkFacts {
        let game = self.compiled.game;
        for (bet, sets) in worker.counters.chunks_exact(worker.bet_sets).enumerate() {
            let spins: u64 = sets.iter().map(|sum| sum / SPIN).sum();
            let (base_of_singles, features) = std::mem::take(&mut worker.singles[bet]);
            let base = base_of_singles + sets.iter().map(|sum| u128::from(sum % SPIN)).sum::<u128>();
            let unit = u128::from(game.bets.amounts[bet] / game.return_scale);
            self.facts.spins_by_bet.push(spins as u32);
            self.facts.paid_base += base * unit;
            self.facts.paid_features += features * unit;
            worker.tally.spins_by_bet[bet] += spins;
            worker.tally.base_by_bet[bet] += base;
            worker.tally.features_by_bet[bet] += features;
        }
        worker.counters.fill(0);
        self.facts.sort_triggers();
        self.facts
    }
}
