//! What the turns of a trial's side say against it.

use plan::{Interleave, Workload};
use results::trial::Trial;
use results::turn::Turn;

use super::OfTurns;
use crate::thresholds::{SLICE_EDGE_FROM, SLICE_GAPS_FROM, SLICE_OVERRUN_FROM};
use crate::turns::MeasuredTurns;

/// The caveats of a trial whose sides took turns; none of another.
pub(super) fn of_turns(trial: &Trial, turns: &[Turn], workload: Option<&Workload>) -> Vec<OfTurns> {
    let Some(totals) = &trial.turns else { return Vec::new() };
    let length_us = totals.length_us;
    let turns = MeasuredTurns::new(turns, length_us);
    let [lost, of] = turns.lost_and_measured_counts();
    let overrun = turns.overrun_share().filter(|share| *share >= SLICE_OVERRUN_FROM);
    let edge =
        turns.edge_effect_share().filter(|edge| edge.point.abs() >= SLICE_EDGE_FROM && !edge.interval.contains(0.0));
    let gaps = turns.gap_share().filter(|share| *share >= SLICE_GAPS_FROM);
    let found = [
        (lost > 0).then_some(OfTurns::Lost { lost, of }),
        overrun.map(|share| OfTurns::Overrun { share, length_us }),
        edge.map(|edge| OfTurns::Edge { longer: edge.point, length_us }),
        gaps.map(|share| OfTurns::Gaps { share }),
        workload.is_some_and(outlives_its_turns).then_some(OfTurns::Diluted),
    ];
    found.into_iter().flatten().collect()
}

/// Whether what the transactions leave behind goes on in the turns of the other side. Where their servers stand still,
/// it is only what the kernel writes for them.
fn outlives_its_turns(workload: &Workload) -> bool {
    workload.can_write() && workload.interleave != Some(Interleave::FrozenSlices)
}
