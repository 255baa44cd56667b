//! How far a standby that the load reads is behind its primary: the age of what it shows, WAL that it has not replayed,
//! and queries that replay cancels. Judges from observations only.

use std::collections::BTreeMap;

use results::probe_fields::{ProbeField, pg_standby};

use crate::compare::ComparisonPlace;
use crate::observed::{Observed, WatchedPhase};

/// What is compared of standbys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StandbyFigure {
    /// The time after which a commit of the primary is visible on the standby.
    Age,
    /// WAL of the primary that the standby has not replayed.
    ReplayBehind,
}

impl StandbyFigure {
    /// All of them.
    pub(crate) const ALL: [Self; 2] = [Self::Age, Self::ReplayBehind];

    /// What it is called in a sentence.
    pub fn figure_name(self) -> &'static str {
        match self {
            Self::Age => "age of the standby",
            Self::ReplayBehind => "WAL behind of the standby",
        }
    }

    /// The unit of its figures.
    pub fn unit_name(self) -> &'static str {
        match self {
            Self::Age => "ms",
            Self::ReplayBehind => "B",
        }
    }

    /// What is no more than the way to both servers, and what one commit leaves.
    pub(crate) fn least_relevant_amount(self) -> f64 {
        match self {
            Self::Age => 2.0,
            Self::ReplayBehind => 65_536.0,
        }
    }

    /// The mean over a trial; none where nobody asked.
    pub(crate) fn mean_of_trial(self, watched: &WatchedPhase) -> Option<f64> {
        let mean = mean_level(watched, self.probe_field())?;
        Some(self.in_unit(mean))
    }

    fn highest_of_trial(self, watched: &WatchedPhase) -> Option<f64> {
        watched.all_readings(self.probe_field()).map(|(value, _)| self.in_unit(value)).reduce(f64::max)
    }

    fn probe_field(self) -> ProbeField {
        match self {
            Self::Age => pg_standby::AGE_US,
            Self::ReplayBehind => pg_standby::REPLAY_BEHIND_BYTES,
        }
    }

    fn in_unit(self, value: f64) -> f64 {
        match self {
            Self::Age => value / 1e3,
            Self::ReplayBehind => value,
        }
    }
}

fn mean_level(watched: &WatchedPhase, field: ProbeField) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0_u32);
    for (value, _) in watched.all_readings(field) {
        sum += value;
        count += 1;
    }
    if count == 0 { None } else { Some(sum / f64::from(count)) }
}

/// The standby of one target in all trials of one workload and number of clients that read it.
#[derive(Debug, Clone, PartialEq)]
pub struct StandbyLag {
    /// The target.
    pub target: String,
    /// Workload and clients.
    pub place: ComparisonPlace,
    /// Trials that are counted.
    pub trials: u64,
    /// Mean age over the trials, in milliseconds.
    pub age_mean_ms: Option<f64>,
    /// The highest age that was measured, in milliseconds.
    pub age_max_ms: Option<f64>,
    /// Mean of the WAL that was not replayed, in bytes.
    pub behind_mean_bytes: Option<f64>,
    /// The most WAL that was not replayed, in bytes.
    pub behind_max_bytes: Option<f64>,
    /// Queries that replay cancelled, of all sessions.
    pub conflicts: Option<f64>,
    /// Transactions of the load that failed with SQLSTATE 40001 or 40P01, as those that replay cancels do.
    pub cancelled: u64,
}

/// Of every target whose standby a workload reads.
pub fn standby_lag_of_run(observed: &Observed) -> Vec<StandbyLag> {
    let mut cells: BTreeMap<(String, ComparisonPlace), Vec<u32>> = BTreeMap::new();
    for trial in &observed.trials {
        let workload = observed.plan.as_ref().and_then(|plan| plan.workload_by_name(&trial.cell.workload));
        if workload.is_some_and(plan::Workload::reads_standby) {
            let cell = (trial.cell.target.clone(), ComparisonPlace::from_cell(&trial.cell));
            cells.entry(cell).or_default().push(trial.number);
        }
    }
    cells.into_iter().map(|((target, place), trials)| lag_of_cell(observed, target, place, &trials)).collect()
}

fn lag_of_cell(observed: &Observed, target: String, place: ComparisonPlace, trials: &[u32]) -> StandbyLag {
    let watched: Vec<&WatchedPhase> = trials.iter().filter_map(|number| observed.watched.get(number)).collect();
    let mut cancelled = 0;
    for trial in observed.trials.iter().filter(|trial| trials.contains(&trial.number)) {
        let errors = trial.load.iter().flat_map(|load| &load.errors);
        cancelled +=
            errors.filter(|(state, _)| ["40001", "40P01"].contains(&state.as_str())).map(|(_, n)| n).sum::<u64>();
    }
    let conflicts: Option<f64> = watched.iter().map(|watched| watched.risen_by(pg_standby::CONFLICTS)).sum();
    StandbyLag {
        target,
        place,
        trials: trials.len() as u64,
        age_mean_ms: mean_of_trials(&watched, StandbyFigure::Age),
        age_max_ms: highest_of_trials(&watched, StandbyFigure::Age),
        behind_mean_bytes: mean_of_trials(&watched, StandbyFigure::ReplayBehind),
        behind_max_bytes: highest_of_trials(&watched, StandbyFigure::ReplayBehind),
        conflicts: conflicts.filter(|_| !watched.is_empty()),
        cancelled,
    }
}

fn mean_of_trials(trials: &[&WatchedPhase], figure: StandbyFigure) -> Option<f64> {
    let means: Vec<f64> = trials.iter().filter_map(|watched| figure.mean_of_trial(watched)).collect();
    if means.is_empty() { None } else { Some(means.iter().sum::<f64>() / means.len() as f64) }
}

fn highest_of_trials(trials: &[&WatchedPhase], figure: StandbyFigure) -> Option<f64> {
    trials.iter().filter_map(|watched| figure.highest_of_trial(watched)).reduce(f64::max)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn watched(ages_us: &[f64]) -> WatchedPhase {
        let mut lines = Vec::new();
        for (second, age_us) in ages_us.iter().enumerate() {
            let values =
                json!({ "age_us": age_us, "replay_behind_bytes": 1e6, "receive_behind_bytes": 0.0, "conflicts": 1.0 });
            let line = json!({ "phase": "measure", "index": second, "start_us": second * 1_000_000,
                "duration_us": 1_000_000, "transactions": 50, "failed": 0,
                "probes": { "pg.standby": { "took_us": 1, "over_us": 1_000_000, "values": values } } });
            lines.push(line.to_string());
        }
        WatchedPhase::from_lines(lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect(), vec![])
    }

    #[test]
    fn age_of_a_trial_is_the_mean_of_its_seconds_in_milliseconds() {
        let watched = watched(&[1_000.0, 3_000.0, 8_000.0]);
        assert_eq!(StandbyFigure::Age.mean_of_trial(&watched), Some(4.0));
        assert_eq!(StandbyFigure::Age.highest_of_trial(&watched), Some(8.0));
        assert_eq!(StandbyFigure::ReplayBehind.mean_of_trial(&watched), Some(1e6));
        assert_eq!(StandbyFigure::Age.mean_of_trial(&WatchedPhase::default()), None, "nobody asked");
    }
}
