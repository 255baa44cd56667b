//! Who looked at a trial while it was measured.

use results::trial::{Trial, TrialPhase};
use results::viewers::{Viewed, Whence};

use super::Caveat;

/// The pages that were open in the measurement of a trial; nothing where none was.
pub(super) fn of_viewers(trial: &Trial, viewed: &[Viewed]) -> Option<Caveat> {
    let phase = trial.phases.iter().find(|record| record.phase == TrialPhase::Measure)?;
    let from_us = phase.started_at.as_microsecond();
    let to_us = from_us + i64::try_from(phase.duration_us).ok()?;
    let within: Vec<_> = viewed
        .iter()
        .filter_map(|stretch| {
            let stretch_us = [stretch.from, stretch.to].map(|at| at.as_microsecond().clamp(from_us, to_us));
            (stretch_us[0] < stretch_us[1]).then_some((stretch_us, stretch.whence))
        })
        .collect();
    let here = within.iter().any(|(_, whence)| *whence == Whence::Here);
    // A stretch that ends where another begins is of the same page.
    let mut steps: Vec<(i64, i32)> = within.iter().flat_map(|([from, to], _)| [(*from, 1), (*to, -1)]).collect();
    steps.sort_unstable();
    let (mut open, mut most, mut looked_us, mut since_us) = (0, 0, 0, from_us);
    for (at_us, step) in steps {
        if open > 0 {
            looked_us += at_us - since_us;
        }
        since_us = at_us;
        open += step;
        most = most.max(open);
    }
    let share = looked_us as f64 / (to_us - from_us) as f64;
    (most > 0).then(|| Caveat::Viewed { pages: most.unsigned_abs(), share, here })
}
