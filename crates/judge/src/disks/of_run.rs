//! The disks of a run, judged beside the loads that were measured on them.

use super::{DisksJudged, WorkloadTrials};
use crate::compare::{ComparedSide, Observations, RunQuestion};
use crate::observed::Observed;
use crate::units;

/// What is concluded of the disks of a run; nothing where none was measured.
pub fn of_run(observed: &Observed, question: &RunQuestion, observations: &Observations<'_>) -> DisksJudged {
    let mut loads = Vec::new();
    for target in question.all_targets() {
        for place in observations.places_in_order() {
            let usable = observations.usable_trials(&place, &ComparedSide::main(target));
            let trials: Vec<_> =
                usable.values().filter_map(|trial| Some((*trial, observed.watched.get(&trial.number)?))).collect();
            if !trials.is_empty() {
                loads.push((target, place, trials));
            }
        }
    }
    let loads: Vec<WorkloadTrials<'_>> = loads
        .iter()
        .filter_map(|(target, place, trials)| {
            let clients = place.clients.known_count()?;
            Some(WorkloadTrials { target, workload: &place.workload, clients, trials: trials.clone() })
        })
        .collect();
    super::judge_disks(&observed.disks, &loads)
}

/// The sentence over a run that measured disks and nothing else.
pub fn headline_of_disks(disks: &DisksJudged) -> String {
    disks
        .disks
        .iter()
        .map(|disk| {
            let figures = [
                disk.stage_by_name("oltp").map(|stage| units::format_iops(stage.base_iops())),
                disk.stage_by_name("seq-read")
                    .map(|stage| format!("{} read", units::bytes_per_s(stage.base_bytes_per_s()))),
                disk.stage_by_name("seq-write")
                    .map(|stage| format!("{} written", units::bytes_per_s(stage.base_bytes_per_s()))),
                disk.stage_by_name("wal")
                    .map(|stage| format!("{} commits/s", units::format_count(stage.base_iops().round()))),
            ];
            let figures: Vec<String> = figures.into_iter().flatten().collect();
            let figures =
                if figures.is_empty() { "no figure of the standard jobs".to_owned() } else { figures.join(", ") };
            format!("{}: {figures}", disk.target)
        })
        .collect::<Vec<_>>()
        .join("; ")
}
