//! What the sessions of a trial were seen doing, summed over its measurement phase.

use results::activity::{SampledActivity, SampledSessions};
use results::trial::TrialPhase;

/// What the sessions of one trial were seen doing while measuring.
pub fn sessions_seen(activity: &[SampledActivity]) -> Vec<SampledSessions> {
    let mut all: Vec<SampledSessions> = Vec::new();
    for seen in
        activity.iter().filter(|second| second.phase == TrialPhase::Measure).flat_map(|second| &second.window.seen)
    {
        match all.iter_mut().find(|before| before.state == seen.state && before.wait == seen.wait) {
            Some(before) => before.sessions += seen.sessions,
            None => all.push(seen.clone()),
        }
    }
    all
}
