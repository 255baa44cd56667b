//! The verdict table's rows, once for the terminal and once for Markdown.

use crate::compare::{Judgement, Metric, PairJudgement};

use super::{units, words};

/// Column titles.
pub fn titles(judgement: &Judgement) -> [String; 7] {
    let candidate = match judgement.question.candidates.as_slice() {
        [only] => only.clone(),
        _ => "candidate".to_owned(),
    };
    [
        "workload".to_owned(),
        "clients".to_owned(),
        format!("{} (baseline)", judgement.question.baseline),
        candidate,
        "change".to_owned(),
        "95 % interval".to_owned(),
        "verdict".to_owned(),
    ]
}

/// One row a pair.
pub fn rows(judgement: &Judgement) -> Vec<[String; 7]> {
    judgement.pairs.iter().map(|pair| row(judgement, pair)).collect()
}

fn row(judgement: &Judgement, pair: &PairJudgement) -> [String; 7] {
    let many = judgement.question.candidates.len() > 1;
    let prefix = if many { format!("{}: ", pair.candidate) } else { String::new() };
    let change = pair.change();
    [
        pair.place.workload.clone(),
        pair.place.clients.to_string(),
        figures(pair, 0),
        format!("{prefix}{}", figures(pair, 1)),
        change.map_or("–".to_owned(), |change| units::change(change.point)),
        change.map_or("–".to_owned(), |change| units::change_interval(change.interval.low, change.interval.high)),
        words::verdict(&pair.verdict()).to_owned(),
    ]
}

/// Throughput and mean latency of one side (0 the baseline). A single trial has no interval over blocks but still a figure.
fn figures(pair: &PairJudgement, side: usize) -> String {
    let point = |wanted: Metric| {
        let judged = pair.metrics.iter().find(|judged| judged.metric == wanted)?;
        [judged.baseline, judged.candidate][side].map(|estimate| estimate.point)
    };
    let single = || pair.blocks.first().map(|block| block.tps[side]);
    match (point(Metric::Throughput).or_else(single), point(Metric::LatencyMean)) {
        (Some(tps), Some(ms)) => format!("{}  {}", units::tps(tps), units::milliseconds(ms)),
        (Some(tps), None) => units::tps(tps),
        (None, _) => "–".to_owned(),
    }
}

/// One line on each verdict that needs more than a word.
pub fn remarks(judgement: &Judgement) -> Vec<String> {
    let threshold = judgement.question.threshold.share();
    let needs_words = |pair: &&PairJudgement| {
        !pair.excluded.is_empty() || matches!(pair.verdict(), stats::verdict::Verdict::NotEnoughData { .. })
    };
    let remark = |pair: &PairJudgement| {
        let place = &pair.place;
        format!(
            "{} at {}, {}: {}: {}",
            place.workload,
            units::clients(place.clients),
            pair.candidate,
            words::verdict(&pair.verdict()),
            words::verdict_in_words(pair, threshold)
        )
    };
    judgement.pairs.iter().filter(needs_words).map(remark).collect()
}

/// One line on each comparison of the baseline with itself.
pub fn noise_floor(judgement: &Judgement) -> Vec<String> {
    let line = |pair: &PairJudgement| {
        let place = format!("{} at {}", pair.place.workload, units::clients(pair.place.clients));
        match pair.change() {
            None => format!("{place}: no interval yet"),
            Some(change) => {
                let interval = units::change_interval(change.interval.low, change.interval.high);
                format!("{place}: {} [{interval}], {}", units::change(change.point), words::verdict(&pair.verdict()))
            }
        }
    };
    judgement.noise_floor.iter().map(line).collect()
}

/// How it was measured, in one line.
pub fn extent(judgement: &Judgement) -> String {
    let how = if judgement.paired { "interleaved blocks" } else { "two runs made separately, unpaired" };
    format!(
        "{} blocks, {} of measuring, {how}, closed loop, threshold ±{}",
        judgement.blocks,
        units::span(judgement.measured_s),
        units::percent(judgement.question.threshold.share())
    )
}
