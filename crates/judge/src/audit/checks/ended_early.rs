//! Trials that ended before their time, of which nobody says so: a table has no column for it.
//!
//! A description that is wrong is wrong of most trials. Where most of them lasted as long as declared, one that is
//! shorter, and of which throughput and latency agree, was aborted.

use super::duration_mismatch;
use crate::audit::material::{Material, StatedTrialEnd, TrialAccount};

/// Throughput and latency agree with the clients within this share.
const LAW_KEPT: f64 = 0.05;

/// Trials that ended early, whether their end is told or not.
pub(super) fn trials_that_ended_early(material: &Material) -> Vec<&TrialAccount> {
    let timed: Vec<&TrialAccount> =
        material.trials.iter().filter(|trial| duration_mismatch::lacks_s(material, trial).is_some()).collect();
    let as_declared = timed.iter().filter(|trial| duration_mismatch::lacks_s(material, trial) == Some(0.0)).count();
    let are_most_as_declared = 2 * as_declared > timed.len();
    let mut early = Vec::new();
    for trial in timed {
        let is_short = duration_mismatch::lacks_s(material, trial).is_some_and(|lacking| lacking > 0.0);
        let is_cut = matches!(trial.end, StatedTrialEnd::Cut { .. });
        if is_short && (is_cut || are_most_as_declared && is_law_kept(trial)) {
            early.push(trial);
        }
    }
    early
}

/// Whether what the trial says of its throughput is right, so that its transactions are those of a shorter time.
fn is_law_kept(trial: &TrialAccount) -> bool {
    let (Some(in_flight), Some(clients)) = (trial.in_flight(), trial.clients.known_count()) else { return false };
    (in_flight / f64::from(clients) - 1.0).abs() <= LAW_KEPT + trial.rounding_error_share()
}
