//! `plan explain --pilot`: a few seconds of every cell of the baseline, and the precision that they promise.

use judge::compare::Question;
use judge::units;
use plan::Plan;
use stats::pilot::{blocks_needed, expected_spread, trial_sd_log_from_seconds};
use stats::stopping::Until;

use super::{Manner, documents, run};
use crate::experiment::{PILOT_SECONDS, PilotCell, pilot as measure};
use crate::interrupt;
use crate::problem::{Problem, Status};
use crate::progress::Progress;
use crate::scripts::OwnScripts;

/// Measures the pilot and prints what it promises.
pub(super) async fn pilot(plan: &Plan, scripts: &OwnScripts, manner: Manner) -> Result<Status, Problem> {
    let stop = interrupt::install()?;
    let progress = Progress::new(manner.quiet);
    let cells = measure(plan, scripts, &run::own_executable(), &stop, &progress).await;
    progress.finish();
    let mut text = format!(
        "\nPrecision to expect, from {PILOT_SECONDS} s of each cell on {} (at best: what differs from trial to trial a pilot \
         cannot see)\n",
        plan.baseline
    );
    for cell in cells? {
        text.push_str(&format!("  {} at {}: {}\n", cell.workload, units::clients(cell.clients), promise(plan, &cell)));
    }
    documents::print(text.as_bytes())
}

fn promise(plan: &Plan, cell: &PilotCell) -> String {
    let blocks = Question::of(plan, 0).blocks;
    let measure_s = u32::try_from(plan.trial.measure.as_secs().max(1)).unwrap_or(u32::MAX);
    let Some(sd_log) = trial_sd_log_from_seconds(&cell.throughput_per_s, measure_s) else {
        return "the pilot is too short or too uneven to tell".to_owned();
    };
    let at_most = blocks.at_most as usize;
    let spread = expected_spread(sd_log, blocks.rule().level_at(at_most));
    let half = spread.half_width_log(at_most).map(f64::sinh);
    let half = half.map_or("no interval".to_owned(), |half| format!("±{}", units::percent(half)));
    let until = match blocks.until {
        Until::Precision(half_width) => half_width,
        // Equal sides are told to be so when the interval is as narrow as this; a change beyond it earlier.
        Until::Verdict(threshold) => threshold.share(),
    };
    let needed = match blocks_needed(&spread, until) {
        Some(needed) => format!("±{} after about {needed} blocks", units::percent(until)),
        None => format!("±{} is out of reach: measure longer trials", units::percent(until)),
    };
    format!("{half} after {at_most} blocks; {needed}")
}
