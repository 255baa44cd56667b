//! The same measurement in two places, such as a run's output and the row of a table made from it, or a copied file:
//! it is counted once.
//!
//! What tells it is digits: two trials are one where every figure that both tell is the same, to the last digit of the
//! one that is rounded more, and chance hardly brings that about.

use std::collections::{BTreeMap, BTreeSet};

use results::imported::ImportedFile;
use results::told::StatedFigures;
use results::trial::Cell;

use super::found::{FoundTrial, NO_TARGET, TrialPart};
use super::source_file::SourceFile;
use outputs::fio_json::FioOutput;

/// Repetitions vary by some percent, so that the first two digits of their throughputs are often the same.
const ALIKE_ANYWAY: u32 = 2;

/// Digits beyond these that have to be the same: chance does that in one of ten thousand pairs.
const DIGITS: u32 = 4;

/// Two trials with the same figures.
struct Twins {
    kept: usize,
    dropped: usize,
    /// Digits that repetitions would not have in common.
    digits: u32,
}

/// Leaves one of each measurement that stands in two places, which is said of the file that it is left out from.
/// `cell` says where a trial belongs.
pub(crate) fn count_once(
    mut found: Vec<FoundTrial>,
    sources: &mut [ImportedFile],
    cell: impl Fn(&FoundTrial) -> Cell,
) -> Vec<FoundTrial> {
    let cells: Vec<Cell> = found.iter().map(cell).collect();
    let mut all = find_duplicate_pairs(&found, &cells);
    let is_one: Vec<bool> = all.iter().map(|twins| is_no_chance(&found, &all, twins)).collect();
    let mut is_one = is_one.into_iter();
    all.retain(|_| is_one.next().unwrap_or(false));
    let (mut dropped, mut said) = (BTreeSet::new(), BTreeMap::<[usize; 2], usize>::new());
    for Twins { kept, dropped: at, .. } in all {
        let Some([from, into]) =
            first_source_index(&found[at]).zip(first_source_index(&found[kept])).map(<[usize; 2]>::from)
        else {
            continue;
        };
        let FoundTrial { target, repetition, sources, .. } = found[at].clone();
        let ours = &mut found[kept];
        ours.target = ours.target.take().or(target);
        ours.repetition = ours.repetition.or(repetition);
        ours.sources.extend(sources.into_iter().filter(|source| *source != into));
        dropped.insert(at);
        *said.entry([from, into]).or_default() += 1;
    }
    for ([from, into], count) in said {
        let place = if from == into { "the file twice".to_owned() } else { format!("{} too", sources[into].file) };
        let trials = if count == 1 { "1 trial is".to_owned() } else { format!("{count} trials are") };
        sources[from].notes.push(format!("{trials} in {place}, with the same figures to the last digit: counted once"));
    }
    let mut index = 0..;
    found.retain(|_| index.next().is_some_and(|index| !dropped.contains(&index)));
    found
}

/// Outputs of fio that are copies of others of their target are left out, which is said of their files.
pub(crate) fn outputs_once(
    outputs: Vec<(SourceFile, FioOutput, Option<String>)>,
    sources: &mut [ImportedFile],
) -> Vec<(SourceFile, FioOutput, Option<String>)> {
    let mut kept: Vec<(SourceFile, FioOutput, Option<String>)> = Vec::new();
    for (file, output, text) in outputs {
        let is_copy = |(other, found, _): &&(SourceFile, FioOutput, Option<String>)| {
            other.target == file.target && found.groups == output.groups
        };
        match kept.iter().find(is_copy) {
            None => kept.push((file, output, text)),
            Some((first, ..)) => {
                let place = if first.path == file.path { "the file twice".to_owned() } else { first.display_name() };
                let note = format!("the same output is in {place}: counted once");
                let source = sources.iter_mut().find(|source| source.file == file.display_name());
                source.into_iter().for_each(|source| source.notes.push(note.clone()));
            }
        }
    }
    kept
}

/// Every pair with the same figures, each trial in one pair at most; kept is the one that tells more.
fn find_duplicate_pairs(found: &[FoundTrial], cells: &[Cell]) -> Vec<Twins> {
    let mut all: Vec<Twins> = Vec::new();
    for (second, trial) in found.iter().enumerate() {
        let is_free = |index: &usize| !all.iter().any(|twins| twins.dropped == *index);
        let same = |first: usize| {
            let digits = is_same_cell([&cells[first], &cells[second]], [&found[first], trial])
                .then(|| same_digits(&found[first], trial))
                .flatten()
                .filter(|digits| *digits > ALIKE_ANYWAY)?;
            Some((first, digits - ALIKE_ANYWAY))
        };
        if let Some((first, digits)) = (0..second).filter(is_free).find_map(same) {
            let (kept, dropped) =
                if detail_rank(&found[first]) >= detail_rank(trial) { (first, second) } else { (second, first) };
            all.push(Twins { kept, dropped, digits });
        }
    }
    all
}

/// Whether the digits are too many for chance: those of the trial, or those of all trials of its file where every one
/// of them stands in the other file, too.
fn is_no_chance(found: &[FoundTrial], all: &[Twins], twins: &Twins) -> bool {
    let files = |twins: &Twins| [twins.kept, twins.dropped].map(|index| first_source_index(&found[index]));
    let between: Vec<&Twins> = all.iter().filter(|other| files(other) == files(twins)).collect();
    let of_file = |wanted: Option<usize>| found.iter().filter(|trial| first_source_index(trial) == wanted).count();
    let is_whole = files(twins).into_iter().any(|file| of_file(file) == between.len());
    let digits = if is_whole { between.iter().map(|other| other.digits).sum() } else { twins.digits };
    digits >= DIGITS
}

fn first_source_index(trial: &FoundTrial) -> Option<usize> {
    trial.sources.first().copied()
}

/// How much a trial tells: its seconds go before a tool's output, and that before a row.
fn detail_rank(trial: &FoundTrial) -> [usize; 2] {
    [trial.seconds.len(), usize::from(trial.told.tool.is_some())]
}

/// What nobody says the target of may be of any; so may a row that says neither workload nor clients.
fn is_same_cell([one, other]: [&Cell; 2], trials: [&FoundTrial; 2]) -> bool {
    let is_one_target = one.target == other.target || one.target == NO_TARGET || other.target == NO_TARGET;
    let is_one_workload = one.workload == other.workload || trials.into_iter().any(says_no_workload);
    let is_one_count = one.clients == other.clients || one.clients.is_unknown() || other.clients.is_unknown();
    is_one_target && is_one_workload && is_one_count
}

/// Whether a trial is a row of a table that does not say what was done.
fn says_no_workload(trial: &FoundTrial) -> bool {
    trial.told.tool.is_none() && trial.workload.is_none() && trial.told.labels.is_empty()
}

/// Digits that the throughputs of two trials have in common; none where a figure that both tell differs, or either
/// says that it is another repetition.
fn same_digits(one: &FoundTrial, other: &FoundTrial) -> Option<u32> {
    let is_whole = |trial: &FoundTrial| trial.part != TrialPart::Progress && trial.aborted.is_none();
    let is_another = one.repetition.zip(other.repetition).is_some_and(|(one, other)| one != other);
    if is_another || !is_whole(one) || !is_whole(other) {
        return None;
    }
    let (one, other) = (comparable_figures(&one.told), comparable_figures(&other.told));
    let told = |index: usize| Some((one[index]?, other[index]?));
    let all: Option<Vec<u32>> = (0..one.len()).filter_map(told).map(|(one, other)| common_digits(one, other)).collect();
    all.and_then(|_| common_digits(one[0]?, other[0]?))
}

/// The throughput first, then whatever else two accounts of a trial may both tell.
fn comparable_figures(told: &StatedFigures) -> [Option<f64>; 9] {
    let latency = &told.latency;
    let percentile = |name: &str| latency.percentiles_ns.get(name).copied();
    [
        told.throughput_per_s,
        latency.mean_ns,
        latency.stddev_ns,
        latency.min_ns,
        latency.max_ns,
        percentile("p95"),
        percentile("p99"),
        told.transactions.map(|count| count as f64),
        told.connecting_ns,
    ]
}

/// Further digits are those of units.
const DIGITS_AT_MOST: usize = 12;

/// The digits that two figures have in common where they are one figure, of which one may be rounded.
fn common_digits(one: f64, other: f64) -> Option<u32> {
    let digits = |figure: f64| {
        let text = format!("{figure:.*e}", DIGITS_AT_MOST - 1);
        let (mantissa, _) = text.split_once('e')?;
        Some(mantissa.trim_end_matches('0').chars().filter(char::is_ascii_digit).count().max(1))
    };
    let common = digits(one)?.min(digits(other)?);
    let rounded = |figure: f64| format!("{figure:.*e}", common - 1);
    (rounded(one) == rounded(other)).then_some(common as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_the_same_to_the_last_digit_of_the_shorter_one() {
        for (one, other, expected) in [
            (1_234.567_89, 1234.57, Some(6)),
            (1_234.567_89, 1234.56, None),
            (6.481e6, 6.481 * 1e6, Some(4)),
            (1200.3, 1200.0, Some(2)),
            (1234.5, 1234.5, Some(5)),
            (1234.5, 1234.6, None),
            (0.0, 0.0, Some(1)),
        ] {
            assert_eq!(common_digits(one, other), expected, "{one} and {other}");
        }
    }
}
