//! Sides that write and take turns: whose work it is that outlives a turn, so that whoever reads the change knows what
//! of it cannot show.

use plan::Interleave;
use results::trial::Trial;

use super::observations::{ComparedSide, ComparisonPlace};
use crate::observed::{Observed, WatchedPhase, one_server, sum_of_trials};

/// Why the change of a workload that writes is shown smaller than it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Diluted {
    /// One server does for both sides what outlives a turn.
    OnOneServer,
    /// Each server stood still in the other side's turns, and only the kernel and the disks went on.
    OnTheDiskAlone,
    /// Each server went on in the other side's turns.
    OnServersOfTheirOwn {
        /// Checkpoints of both sides while measuring; absent where they were not read of every trial.
        checkpoints: Option<f64>,
        /// Autovacuums, as well.
        autovacuums: Option<f64>,
    },
}

/// Of a candidate's pair: by its place, its trials and those of the baseline. None where the workload only reads, or no
/// trial took turns.
pub(super) fn dilution_of_pair(
    observed: &Observed,
    place: &ComparisonPlace,
    [baseline, candidate]: [&ComparedSide; 2],
) -> Option<Diluted> {
    let workload = observed.plan.as_ref()?.workload_by_name(&place.workload)?;
    let mut by_turns: Vec<Option<&WatchedPhase>> = Vec::new();
    for trial in observed.trials.iter().filter(|trial| trial.turns.is_some()) {
        let is_here = ComparisonPlace::from_cell(&trial.cell) == *place;
        if is_here && (is_trial_of_side(trial, baseline) || is_trial_of_side(trial, candidate)) {
            by_turns.push(observed.watched.get(&trial.number));
        }
    }
    if !workload.can_write() || by_turns.is_empty() {
        return None;
    }
    if workload.interleave == Some(Interleave::FrozenSlices) {
        return Some(Diluted::OnTheDiskAlone);
    }
    let is_one = one_server::is_one(&baseline.target, &candidate.target, &observed.facts);
    Some(if is_one { Diluted::OnOneServer } else { on_servers_of_their_own(&by_turns) })
}

fn is_trial_of_side(trial: &Trial, side: &ComparedSide) -> bool {
    trial.cell.target == side.target && trial.role == side.role
}

fn on_servers_of_their_own(by_turns: &[Option<&WatchedPhase>]) -> Diluted {
    Diluted::OnServersOfTheirOwn {
        checkpoints: sum_of_trials(by_turns, WatchedPhase::checkpoints_done),
        autovacuums: sum_of_trials(by_turns, WatchedPhase::autovacuums_started),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// Two seconds, half of each its side's, in each of which a checkpoint by time and an autovacuum are counted.
    fn watched() -> WatchedPhase {
        let reading = |values: Value| json!({ "took_us": 1, "over_us": 1_000_000, "values": values });
        let line = |index: u32| {
            json!({ "phase": "measure", "index": index, "start_us": index * 1_000_000, "duration_us": 1_000_000,
                "turn_us": 500_000, "transactions": 50, "failed": 0, "probes": {
                    "pg.checkpointer": reading(json!({ "timed": 1.0, "requested": 0.0 })),
                    "pg.tables": reading(json!({ "autovacuums": 1.0 })) } })
            .to_string()
        };
        let text = [line(0), line(1)];
        WatchedPhase::from_lines(text.iter().map(|line| serde_json::from_str(line).unwrap()).collect(), vec![])
    }

    #[test]
    fn what_outlives_a_turn_is_counted_over_the_whole_time_of_both_sides() {
        let (one, other) = (watched(), watched());
        let counted =
            |[checkpoints, autovacuums]: [Option<f64>; 2]| Diluted::OnServersOfTheirOwn { checkpoints, autovacuums };
        assert_eq!(on_servers_of_their_own(&[Some(&one), Some(&other)]), counted([Some(4.0); 2]));
        assert_eq!(on_servers_of_their_own(&[Some(&one), None]), counted([None; 2]), "of one side nobody knows");
    }
}
