//! What the sessions of a trial were seen doing, summed over its measurement phase.

use results::activity::{Activity, Seen};
use results::trial::Phase;

/// What the sessions of one trial were seen doing while measuring.
pub fn seen(activity: &[Activity]) -> Vec<Seen> {
    let mut all: Vec<Seen> = Vec::new();
    for seen in activity.iter().filter(|second| second.phase == Phase::Measure).flat_map(|second| &second.window.seen) {
        match all.iter_mut().find(|before| before.state == seen.state && before.wait == seen.wait) {
            Some(before) => before.sessions += seen.sessions,
            None => all.push(seen.clone()),
        }
    }
    all
}
