//! How to read the figures of one report, in paragraphs with that report's own numbers.

use results::trial::Trial;
use stats::stopping::StoppingGoal;

use judge::Judgement;
use judge::compare::{BlockLimits, LoadLoop};
use judge::units;

use crate::prepared;

/// The paragraphs; `trials` are those that were judged.
pub(crate) fn method_paragraphs(judgement: &Judgement, trials: &[Trial]) -> Vec<String> {
    let threshold = units::format_percent(judgement.comparison.question.threshold.as_share());
    let mut paragraphs = Vec::new();
    if judgement.comparison.outputs {
        paragraphs.push(of_outputs(judgement.comparison.paired).to_owned());
    } else if judgement.comparison.paired {
        paragraphs.push(
            "The unit of replication is the trial, paired by block. A block holds one trial of every cell. The sides of a \
             comparison run directly after one another, in random order, so that slow drift of the machine affects both \
             equally. The change is exp(mean of ln(candidate / baseline)) − 1 over the blocks. Its interval is Student's t."
                .to_owned(),
        );
        paragraphs.push(how_many_blocks(judgement.comparison.question.blocks));
    } else {
        paragraphs.push(
            "The sides come from two separate runs. The change is the ratio of geometric means − 1. Its interval is \
             Welch's t on logarithms. Drift of the machines between the runs is part of the change."
                .to_owned(),
        );
    }
    paragraphs.push(format!(
        "The practical threshold is {threshold}. A comparison is equivalent if the interval lies within ±{threshold}. It is \
         improved or regressed if the interval excludes 0 and is not within ±{threshold}. Otherwise there is not enough \
         data. The headline claims a loss or a gain only if it is significant among all comparisons of the run together \
         (Holm, 5 %). No block is excluded as an outlier. An outlier is flagged, and the change without it is shown."
    ));
    paragraphs.extend(prepared::preparation_paragraph(trials));
    paragraphs.extend(describe_load_loops(judgement));
    paragraphs.push(
        "Percentiles come from HdrHistograms with three significant digits. They are computed per trial and compared over \
         blocks. Transactions of different trials are never pooled."
            .to_owned(),
    );
    paragraphs
}

fn of_outputs(paired: bool) -> &'static str {
    if paired {
        "The figures are of other tools. Their author declares that repetitions of one number were measured in one block. \
         The change is exp(mean of ln(candidate / baseline)) − 1 over these blocks. Its interval is Student's t."
    } else {
        "The figures are of other tools. Their pairing is unknown, so they are compared unpaired, and their order has no \
         effect. The change is the ratio of geometric means − 1. Its interval is Welch's t on logarithms. Drift of the \
         machines between the trials is part of the change."
    }
}

fn how_many_blocks(blocks: BlockLimits) -> String {
    let BlockLimits { at_least, at_most, until, at_most_time } = blocks;
    if at_least == at_most {
        return format!(
            "The number of blocks was fixed in advance at {at_least}. Intervals are plain 95 % t intervals."
        );
    }
    let (rule, stops) = (
        blocks.stopping_rule(),
        match until {
            StoppingGoal::Precision(until) => format!(
                "when the half-width of its interval is at most {} or a quarter of the change. The rule is evaluated after every block",
                units::format_percent(until)
            ),
            StoppingGoal::Verdict(_) => {
                "when it has a verdict that is significant among all of them. The rule is evaluated each time that the number of blocks has grown by a quarter".to_owned()
            }
        },
    );
    let time = at_most_time.map_or(String::new(), |time| {
        format!(" and no more than fit into {}", units::format_time_span(time.as_secs_f64()))
    });
    let [before, last] =
        [at_least, at_most].map(|blocks| units::format_percent(rule.level_at(blocks as usize).as_share()));
    format!(
        "Blocks: at least {at_least}, at most {at_most}{time}. A comparison stops {stops}. Therefore intervals are computed at \
         {before} before the last possible block and at {last} there, so that they contain the true value in 95 % of runs \
         (docs/method.md has the simulation)."
    )
}

/// What latency counts from in the loops that the run has.
fn describe_load_loops(judgement: &Judgement) -> Vec<String> {
    let has = |kind: fn(&LoadLoop) -> bool| judgement.comparison.question.loops.values().any(kind);
    let mut paragraphs = Vec::new();
    if judgement.comparison.question.loops.is_empty() || has(|of| matches!(of, LoadLoop::Closed)) {
        paragraphs.push(
            "Closed loop: each client waits for its answer before it sends the next transaction. Latency is counted from the \
             instant at which the client sent, so a stall delays only the transactions that were waiting."
                .to_owned(),
        );
    }
    if has(|of| matches!(of, LoadLoop::Timed { .. })) {
        paragraphs.push(
            "Timed replay: each session of the capture has a connection of its own, and its transactions are due when they \
             began in the capture, divided by the speed. Latency is counted from that instant and contains the pauses of the \
             client within the transaction. Windows of 10 to 60 s, cut where sessions pause, are replayed on each side in a \
             random order before the next one."
                .to_owned(),
        );
    }
    if has(|of| matches!(of, LoadLoop::Open { .. } | LoadLoop::Capacity(_))) {
        paragraphs.push(
            "Open loop: transactions are due at instants that do not depend on the server. Latency is counted from that \
             instant, so a stall counts for every transaction that it delays. While the server keeps up, the throughput \
             equals the offered rate. Therefore the verdict is on the mean latency."
                .to_owned(),
        );
    }
    if has(|of| matches!(of, LoadLoop::Capacity(_))) {
        paragraphs.push(
            "Capacity: the highest offered rate at which 99 % of all arrivals were served within the limit. A search finds it, \
             with one trial for each step. Each side has one search in each block. Capacities are compared like any other \
             figure."
                .to_owned(),
        );
    }
    paragraphs
}
