//! `plan explain --pilot`: a few seconds of every cell of the baseline, and the precision that they promise.
//!
//! Where sides take turns, the baseline takes them with itself: what varies then, from round to round and from block to
//! block, is what an interval between equal sides is made of.

use judge::compare::RunQuestion;
use judge::units;
use plan::{Plan, TrialPhases};
use stats::pilot::{RoundVariation, blocks_needed, expected_spread, trial_sd_log_from_seconds};
use stats::stopping::StoppingGoal;

use super::{Manner, documents, run};
use measure::experiment::{PILOT_BLOCKS, PILOT_SECONDS, PilotCell, PilotObservation, run_pilot as measure};
use measure::interrupt;
use measure::progress::ProgressReporter;
use measure::scripts::OwnScripts;
use problem::{CommandStatus, Problem};

/// Measures the pilot and prints what it promises.
pub(super) async fn run_pilot(plan: &Plan, scripts: &OwnScripts, manner: Manner) -> Result<CommandStatus, Problem> {
    let stop = interrupt::install_signal_handlers()?;
    let progress = ProgressReporter::new(manner.quiet);
    let cells = measure(plan, scripts, &run::own_executable(), &stop, &progress).await;
    progress.clear_live_line();
    let mut text = format!(
        "\nExpected precision, from {} alone: {PILOT_SECONDS} s of each cell with whole trials (at best: without variation from \
         trial to trial), {PILOT_BLOCKS} blocks of each cell whose sides alternate\n",
        plan.baseline
    );
    let at_most = plan::explain_plan(plan).blocks_max as usize;
    for cell in cells? {
        text.push_str(&format!(
            "  {} at {}: {}\n",
            cell.workload,
            units::format_clients(cell.clients),
            describe_pilot_cell(plan, at_most, &cell)
        ));
    }
    documents::print_bytes(text.as_bytes())
}

fn describe_pilot_cell(plan: &Plan, at_most: usize, cell: &PilotCell) -> String {
    let blocks = RunQuestion::from_plan(plan, 0).blocks;
    let level = blocks.stopping_rule().level_at(at_most);
    let workload = plan.workload_by_name(&cell.workload).expect("a pilot is of the plan's workloads");
    let phases = plan.phases_of_workload(workload);
    let told = match &cell.seen {
        PilotObservation::Seconds(per_s) => {
            let measure_s = u32::try_from(phases.measure.as_secs().max(1)).unwrap_or(u32::MAX);
            trial_sd_log_from_seconds(per_s, measure_s).map(|sd_log| (expected_spread(sd_log, level), String::new()))
        }
        PilotObservation::Rounds(blocks) => {
            let rounds = phases.measure.div_duration_f64(plan.slice);
            RoundVariation::from_blocks(blocks)
                .map(|varies| (varies.expected_block_spread(rounds, level), best_length(plan, phases, &varies)))
        }
    };
    let Some((spread, advice)) = told else {
        return "the pilot is too short or too variable for an estimate".to_owned();
    };
    let half = spread.half_width_log(at_most).map(f64::sinh);
    let half = half.map_or("no interval".to_owned(), |half| format!("±{}", units::format_percent(half)));
    let until = match blocks.until {
        StoppingGoal::Precision(half_width) => half_width,
        // Equal sides are told to be so when the interval is as narrow as this; a change beyond it earlier.
        StoppingGoal::Verdict(threshold) => threshold.as_share(),
    };
    let needed = match blocks_needed(&spread, until) {
        Some(needed) => format!("±{} after about {needed} blocks", units::format_percent(until)),
        None => format!("±{} is out of reach: lengthen the trials", units::format_percent(until)),
    };
    format!("{half} after {at_most} blocks; {needed}{advice}")
}

/// What the rounds and the blocks vary by, and how long a trial buys the most.
fn best_length(plan: &Plan, phases: TrialPhases, varies: &RoundVariation) -> String {
    let sides = u32::try_from(plan.sides_per_comparison()).unwrap_or(u32::MAX);
    // Of one side: its warm-up, and its share of what is not a phase.
    let overhead = phases.warm_up + plan::TRIAL_OVERHEAD / sides;
    let best = match varies.best_rounds_per_block(overhead.div_duration_f64(plan.slice)) {
        None => "blocks add no further variation: longer trials gain more than additional blocks".to_owned(),
        Some(rounds) => {
            let best_s = rounds * plan.slice.as_secs_f64();
            format!("trials of about {} give the best precision in a given time", units::format_time_span(best_s))
        }
    };
    let [rounds, blocks] =
        [varies.within, varies.between].map(|variance| units::format_percent(variance.sqrt().exp_m1()));
    format!("\n    variation between rounds of slices {rounds}, additionally between blocks {blocks}: {best}")
}
