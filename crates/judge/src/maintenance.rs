//! What a server does beside its clients while it is measured: checkpoints and autovacuums. Sides that did not do the
//! same of it have not done the same work.

use std::collections::BTreeMap;

use crate::compare::ComparisonPlace;
use crate::observed::{Observed, WatchedPhase, sum_of_trials};

/// The maintenance of one target in all measurement phases of one workload and number of clients.
#[derive(Debug, Clone, PartialEq)]
pub struct Maintenance {
    /// The target.
    pub target: String,
    /// Workload and clients.
    pub place: ComparisonPlace,
    /// Trials that are counted.
    pub trials: u64,
    /// Checkpoints; absent if they were not read in every trial.
    pub checkpoints: Option<f64>,
    /// Buffers that checkpoints wrote; absent as well.
    pub checkpoint_buffers: Option<f64>,
    /// Autovacuums of tables of the database; absent as well.
    pub autovacuums: Option<f64>,
}

/// Of every target at every place, in the order of targets and places; nothing where no server did any maintenance.
pub fn of_run(observed: &Observed) -> Vec<Maintenance> {
    let mut cells: BTreeMap<(&str, ComparisonPlace), Vec<Option<&WatchedPhase>>> = BTreeMap::new();
    for trial in &observed.trials {
        let cell = (trial.cell.target.as_str(), ComparisonPlace::from_cell(&trial.cell));
        cells.entry(cell).or_default().push(observed.watched.get(&trial.number));
    }
    let mut all = Vec::new();
    for ((target, place), trials) in cells {
        all.push(Maintenance {
            target: target.to_owned(),
            place,
            trials: trials.len() as u64,
            checkpoints: sum_of_trials(&trials, WatchedPhase::checkpoints_done),
            checkpoint_buffers: sum_of_trials(&trials, WatchedPhase::checkpoint_buffers),
            autovacuums: sum_of_trials(&trials, WatchedPhase::autovacuums_started),
        });
    }
    if all.iter().any(Maintenance::is_any) { all } else { Vec::new() }
}

impl Maintenance {
    fn is_any(&self) -> bool {
        let counts = [self.checkpoints, self.checkpoint_buffers, self.autovacuums];
        counts.into_iter().flatten().any(|count| count > 0.0)
    }
}

#[cfg(test)]
mod tests {
    use results::store::RunDir;
    use serde_json::json;

    use super::*;

    /// A run whose servers did nothing by themselves.
    fn idle_run() -> Observed {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../results/tests/fixtures/run-format-3");
        Observed::read(&RunDir::open(path.as_ref()).unwrap()).unwrap()
    }

    /// A second in which a checkpoint that was requested wrote 300 buffers, and in which no autovacuum is known.
    fn with_checkpoint() -> WatchedPhase {
        let values = json!({ "timed": 0.0, "requested": 1.0, "buffers_written": 300.0 });
        let second = json!({ "phase": "measure", "index": 0, "start_us": 0, "duration_us": 1_000_000,
            "transactions": 50, "failed": 0,
            "probes": { "pg.checkpointer": { "took_us": 1, "over_us": 1_000_000, "values": values } } });
        WatchedPhase::from_lines(vec![serde_json::from_str(&second.to_string()).unwrap()], vec![])
    }

    #[test]
    fn servers_without_maintenance_have_no_rows() {
        assert_eq!(of_run(&idle_run()), []);
    }

    #[test]
    fn maintenance_is_summed_over_the_trials_of_a_cell_beside_cells_without_any() {
        let mut observed = idle_run();
        let busy = observed.trials[0].cell.target.clone();
        let of_busy: Vec<u32> =
            observed.trials.iter().filter(|trial| trial.cell.target == busy).map(|trial| trial.number).collect();
        for number in &of_busy {
            observed.watched.insert(*number, with_checkpoint());
        }
        let found = of_run(&observed);
        let one = found.iter().find(|one| one.target == busy).unwrap();
        let trials = of_busy.len() as f64;
        assert_eq!(one.trials, of_busy.len() as u64);
        assert_eq!([one.checkpoints, one.checkpoint_buffers], [Some(trials), Some(300.0 * trials)]);
        assert_eq!(one.autovacuums, None, "what was not read is no zero");
        let other = found.iter().find(|one| one.target != busy).unwrap();
        assert_eq!(other.checkpoints, Some(0.0));
    }
}
