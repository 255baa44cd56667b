//! How to read the figures of one report, in paragraphs with that report's own numbers.

use results::trial::Trial;
use stats::stopping::Until;

use judge::Judgement;
use judge::compare::{Blocks, LoadLoop};
use judge::units;

use crate::prepared;

/// The paragraphs; `trials` are those that were judged.
pub(crate) fn paragraphs(judgement: &Judgement, trials: &[Trial]) -> Vec<String> {
    let threshold = units::percent(judgement.comparison.question.threshold.share());
    let mut paragraphs = Vec::new();
    if judgement.comparison.outputs {
        paragraphs.push(of_outputs(judgement.comparison.paired).to_owned());
    } else if judgement.comparison.paired {
        paragraphs.push(
            "The unit of replication is the trial, paired by block: a block holds one trial of every cell, the sides of a \
             comparison directly after one another in a random order, so that slow drift of the machine falls on both \
             alike. The change is exp(mean of ln(candidate / baseline)) − 1 over the blocks, its interval Student's t."
                .to_owned(),
        );
        paragraphs.push(how_many_blocks(judgement.comparison.question.blocks));
    } else {
        paragraphs.push(
            "The sides come from two runs made separately. The change is the ratio of geometric means, its interval \
             Welch's t on logarithms; drift of the machines between the runs is part of the change."
                .to_owned(),
        );
    }
    paragraphs.push(format!(
        "Verdicts with a practical threshold of {threshold}: equivalent when the interval lies within ±{threshold}; improved \
         or regressed when it excludes no change and is not within; else not enough data. The headline claims a loss or a \
         gain only where it stands among all comparisons of the run together (Holm, 5 %). No block is ever left out as an \
         outlier: one that stands apart is flagged, and the change without it is shown."
    ));
    paragraphs.extend(prepared::paragraph(trials));
    paragraphs.extend(loops(judgement));
    paragraphs.push(
        "Percentiles come from HdrHistograms with three significant digits; they are computed per trial and compared over \
         blocks, never averaged over transactions of different trials."
            .to_owned(),
    );
    paragraphs
}

fn of_outputs(paired: bool) -> &'static str {
    if paired {
        "The figures are of other tools. That the repetitions of one number were measured in one block is stated by their \
         author; the change is exp(mean of ln(candidate / baseline)) − 1 over them, its interval Student's t."
    } else {
        "The figures are of other tools, and nobody says which of them belong together: they are not paired, and their \
         order changes nothing. The change is the ratio of geometric means, its interval Welch's t on logarithms; drift of \
         the machines between the trials is part of the change."
    }
}

fn how_many_blocks(blocks: Blocks) -> String {
    let Blocks { at_least, at_most, until, at_most_time } = blocks;
    if at_least == at_most {
        return format!(
            "The number of blocks was fixed beforehand at {at_least}; intervals are plain 95 % t intervals."
        );
    }
    let (rule, stops) = (
        blocks.rule(),
        match until {
            Until::Precision(until) => format!(
                "when the half-width of its interval is at most {} or a quarter of the change. The rule looks after every block",
                units::percent(until)
            ),
            Until::Verdict(_) => {
                "when it has a verdict that stands among all of them. The rule looks again whenever there are a quarter more blocks".to_owned()
            }
        },
    );
    let time = at_most_time
        .map_or(String::new(), |time| format!(" and no more than fit into {}", units::span(time.as_secs_f64())));
    let [before, last] = [at_least, at_most].map(|blocks| units::percent(rule.level_at(blocks as usize).share()));
    format!(
        "Blocks: at least {at_least}, at most {at_most}{time}; a comparison stops {stops}, so intervals are computed at {before} \
         before the last possible block and at {last} there: they cover the truth in 95 % of runs (docs/method.md has the \
         simulation)."
    )
}

/// What latency counts from in the loops that the run has.
fn loops(judgement: &Judgement) -> Vec<String> {
    let has = |kind: fn(&LoadLoop) -> bool| judgement.comparison.question.loops.values().any(kind);
    let mut paragraphs = Vec::new();
    if judgement.comparison.question.loops.is_empty() || has(|of| matches!(of, LoadLoop::Closed)) {
        paragraphs.push(
            "Closed loop: each client waits for its answer before it sends the next transaction, so latency is counted from \
             when the client sent, and a stall delays only the transactions that were waiting."
                .to_owned(),
        );
    }
    if has(|of| matches!(of, LoadLoop::Open { .. } | LoadLoop::Capacity(_))) {
        paragraphs.push(
            "Open loop: transactions are due at instants that do not depend on the server, and latency is counted from that \
             instant, so a stall counts for every transaction that it delayed. As much is completed as is offered while the \
             server keeps up; the verdict is therefore on the mean latency."
                .to_owned(),
        );
    }
    if has(|of| matches!(of, LoadLoop::Capacity(_))) {
        paragraphs.push(
            "Capacity: the highest offered rate at which 99 % of all arrivals were served within the limit, found by a search \
             whose every step is a trial; one search for each side in each block, compared like any other figure."
                .to_owned(),
        );
    }
    paragraphs
}
