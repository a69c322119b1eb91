//! A warning where the reels of a game return more than is staked, which only enumeration can tell.

use crate::config::Model;
use crate::exact::base::BaseFigures;
use crate::exact::jackpot::summary::summaries;
use crate::game::Play;

/// The warning, if there is cause for it. Outcome tables are warned of by the check of the game file.
pub fn above_stakes(model: &Model, base: &BaseFigures) -> Option<String> {
    let Play::Reels(_) = &model.game.play else { return None };
    let chances = super::assemble::symbol_chances_of(base);
    let bets = &model.game.bets;
    let stakes: f64 = bets.amounts.iter().zip(&bets.mix).map(|(&bet, &mix)| bet as f64 * mix as f64).sum();
    let jackpots: f64 =
        summaries(bets, &model.jackpots, &chances, &|bet| super::assemble::fixed_return(&model.game, base, bet))
            .iter()
            .map(|pool| pool.weight * pool.stake * (pool.rtp_seed + pool.rtp_growth) / stakes)
            .sum();
    let rtp = base.rtp.value + jackpots;
    (rtp > 1.0 + 1e-9).then(|| {
        format!(
            "warning: {} returns {:.2} % of what is staked: base game {:.2} %, features {:.2} %, jackpots {:.2} %\n  \
             expected: at most 100 %\n  help: `jackpot exact` shows what each combination, feature and level returns",
            model.file_name,
            rtp * 100.0,
            base.base.value * 100.0,
            (base.rtp.value - base.base.value) * 100.0,
            jackpots * 100.0
        )
    })
}
