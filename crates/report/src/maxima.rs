//! The maxima of a run in words: what each target got done at most in each workload, and what the baseline did.

use judge::Judgement;
use judge::compare::Maximum;
use judge::units;

use super::columns::{Alignment, aligned};
use super::words;

const TITLES: [&str; 7] = ["workload", "target", "maximum", "95 % interval", "clients", "change", "95 % interval"];

/// A line for each target in each workload, and one for each peak that was not reached; none without a ladder.
pub(crate) fn lines(judgement: &Judgement) -> Option<(String, Vec<String>)> {
    let maxima = &judgement.comparison.maxima;
    let rows: Vec<[String; 7]> = std::iter::once(TITLES.map(str::to_owned)).chain(maxima.iter().map(row)).collect();
    let [left, right] = [Alignment::Left, Alignment::Right];
    let unknown = maxima.iter().filter(|maximum| maximum.change.is_none());
    let why = |maximum: &Maximum| Some(format!("{}, {}: {}", maximum.workload, maximum.target, maximum.text.as_ref()?));
    let lines =
        aligned(&rows, [left, left, right, right, right, right, right]).into_iter().chain(unknown.filter_map(why));
    (!maxima.is_empty()).then(|| ("Maximum throughput over the numbers of clients".to_owned(), lines.collect()))
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
