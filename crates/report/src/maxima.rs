//! The maxima of a run in words: what each target got done at most in each workload, and what the baseline did.

use judge::Judgement;
use judge::compare::Maximum;
use judge::units;

use super::columns::{Alignment, aligned};
use super::words;

const TITLES: [&str; 7] = ["workload", "target", "maximum", "95 % interval", "clients", "change", "95 % interval"];

/// A line for each target in each workload, and one for all peaks that were not reached; none without a ladder.
pub(crate) fn lines(judgement: &Judgement) -> Option<(String, Vec<String>)> {
    let maxima = &judgement.comparison.maxima;
    let rows: Vec<[String; 7]> = std::iter::once(TITLES.map(str::to_owned)).chain(maxima.iter().map(row)).collect();
    let [left, right] = [Alignment::Left, Alignment::Right];
    let lines = aligned(&rows, [left, left, right, right, right, right, right]);
    let lines = lines.into_iter().chain(not_reached(judgement));
    (!maxima.is_empty()).then(|| ("Maximum throughput over the numbers of clients".to_owned(), lines.collect()))
}

/// Which peaks cannot be compared, because a side still gained with the most clients, in one line.
pub(crate) fn not_reached(judgement: &Judgement) -> Option<String> {
    let mut places: Vec<String> = Vec::new();
    for maximum in &judgement.comparison.maxima {
        // The baseline is compared with nothing and has no text.
        if maximum.change.is_none() && maximum.text.is_some() {
            places.push(format!("{} ({})", maximum.workload, maximum.target));
        }
    }
    if places.is_empty() {
        return None;
    }
    Some(format!("peaks not reached, and so not compared: {}; add more clients to compare them", places.join(", ")))
}

fn row(maximum: &Maximum) -> [String; 7] {
    let Maximum { workload, target, clients, throughput_per_s, change, .. } = maximum;
    let none = || "–".to_owned();
    [
        workload.clone(),
        target.clone(),
        units::tps(throughput_per_s.point),
        words::figure_interval(throughput_per_s, |ends| units::range(ends.low, ends.high)),
        clients.to_string(),
        change.map_or_else(none, |change| units::change(change.point)),
        change.map_or_else(none, |change| units::change_interval(change.interval.low, change.interval.high)),
    ]
}
