//! Where the series of a run have their points: chunk boundaries that the total spin count fixes.

use super::plan::Plan;

const CONVERGENCE_POINTS_MAX: u64 = 200;

/// Most meter points of all pools together.
const METER_POINTS_MAX: u64 = 16_384;

/// Chunk counts after which a point is taken, in order, the last one being the end of the run.
#[derive(Debug, Clone)]
pub struct Points {
    convergence: Vec<u64>,
    meters: Vec<u64>,
}

impl Points {
    /// For a plan and a number of pools. Beyond 4,096 pools there is no meter series.
    pub fn new(plan: &Plan, pool_count: usize) -> Self {
        let per_pool = METER_POINTS_MAX / (pool_count as u64).max(1);
        let meters_max = if per_pool < 4 { 0 } else { per_pool.min(CONVERGENCE_POINTS_MAX) };
        Self { convergence: spread(plan, CONVERGENCE_POINTS_MAX), meters: spread(plan, meters_max) }
    }

    /// Whether a convergence point lies after so many chunks.
    pub fn is_convergence(&self, chunks_done: u64) -> bool {
        self.convergence.binary_search(&chunks_done).is_ok()
    }

    /// Whether a meter point lies after so many chunks.
    pub fn is_meter(&self, chunks_done: u64) -> bool {
        self.meters.binary_search(&chunks_done).is_ok()
    }
}

fn spread(plan: &Plan, points_max: u64) -> Vec<u64> {
    let chunks = plan.chunk_count();
    let points = points_max.min(chunks);
    (1..=points).map(|point| (u128::from(chunks) * u128::from(point) / u128::from(points)) as u64).collect()
}
