//! The same measurement in two places, such as a run's output and the row of a table made from it, or a copied file:
//! it is counted once.
//!
//! What tells it is digits: two trials are one where every figure that both tell is the same, to the last digit of the
//! one that is rounded more, and chance hardly brings that about.

use std::collections::{BTreeMap, BTreeSet};

use results::imported::ImportedFile;
use results::shared::{LatestValues, Shared};
use results::told::StatedFigures;
use results::trial::{Cell, ClientCount};

use super::found::{FoundTrial, NO_TARGET, TrialPart};
use super::source_file::SourceFile;
use outputs::fio_json::FioOutput;

/// Repetitions vary by some percent, so that the first two digits of their throughputs are often the same.
const ALIKE_ANYWAY: u32 = 2;

/// Digits beyond these that have to be the same: chance does that in one of ten thousand pairs, which are those of a
/// hundred trials.
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
    let mut known = LatestValues::default();
    let mut cells: Vec<Shared<Cell>> = Vec::with_capacity(found.len());
    for trial in &found {
        let mut cell = Shared::from(cell(trial));
        known.share_value(&mut cell);
        cells.push(cell);
    }
    let mut all = find_duplicate_pairs(&found, &cells);
    let shared = SharedTrials::count_pairs(&found, &all);
    all.retain(|twins| shared.is_no_chance(&found, twins));
    let (mut dropped, mut said) = (BTreeSet::new(), BTreeMap::<[usize; 2], usize>::new());
    for Twins { kept, dropped: at, .. } in all {
        let Some([from, into]) =
            first_source_index(&found[at]).zip(first_source_index(&found[kept])).map(<[usize; 2]>::from)
        else {
            continue;
        };
        let FoundTrial { repetition, common, .. } = found[at].clone();
        let (target, sources) = (common.target.clone(), common.sources.clone());
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
    // Copies have the same counts; what else there is is compared with these alone.
    let mut by_counts: BTreeMap<Vec<[u64; 2]>, Vec<usize>> = BTreeMap::new();
    for (file, output, text) in outputs {
        let alike = by_counts.entry(counts_of_output(&output)).or_default();
        let first = alike.iter().copied().find(|index| {
            let (other, found, _) = &kept[*index];
            other.target == file.target && found.groups == output.groups
        });
        match first {
            None => {
                alike.push(kept.len());
                kept.push((file, output, text));
            }
            Some(first) => {
                let first = &kept[first].0;
                let place = if first.path == file.path { "the file twice".to_owned() } else { first.display_name() };
                let note = format!("the same output is in {place}: counted once");
                let source = sources.iter_mut().find(|source| source.file == file.display_name());
                source.into_iter().for_each(|source| source.notes.push(note.clone()));
            }
        }
    }
    kept
}

/// Requests and bytes of all groups of an output.
fn counts_of_output(output: &FioOutput) -> Vec<[u64; 2]> {
    let flows = output.groups.iter().flat_map(|group| group.read.iter().chain(&group.write));
    flows.map(|flow| [flow.operations, flow.bytes]).collect()
}

/// Every pair with the same figures, each trial in one pair at most; kept is the one that tells more.
fn find_duplicate_pairs(found: &[FoundTrial], cells: &[Shared<Cell>]) -> Vec<Twins> {
    let mut all: Vec<Twins> = Vec::new();
    let mut is_dropped = vec![false; found.len()];
    let nearby = nearby_trials(found, cells);
    for of_second in nearby.chunk_by(|one, other| one[0] == other[0]) {
        for [second, first] in of_second.iter().map(|pair| pair.map(|index| index as usize)) {
            if is_dropped[first] || !is_same_cell([&cells[first], &cells[second]], [&found[first], &found[second]]) {
                continue;
            }
            let Some(digits) = same_digits(&found[first], &found[second]).filter(|digits| *digits > ALIKE_ANYWAY)
            else {
                continue;
            };
            let first_tells_more = detail_rank(&found[first]) >= detail_rank(&found[second]);
            let (kept, dropped) = if first_tells_more { (first, second) } else { (second, first) };
            is_dropped[dropped] = true;
            all.push(Twins { kept, dropped, digits: digits - ALIKE_ANYWAY });
            break;
        }
    }
    all
}

/// Trials of one cell and throughput that are compared with each other. Of more with the same digits none is: they are
/// whole numbers of a long table, of which the digits tell nothing.
const NEARBY_AT_MOST: usize = 50;

/// Pairs of trials of the same workload and clients whose throughput is the same as far as the one of the two that is
/// rounded more has digits: the later one first, in order. In order of the throughput they are neighbours, so that not
/// all pairs are compared.
fn nearby_trials(found: &[FoundTrial], cells: &[Shared<Cell>]) -> Vec<[u32; 2]> {
    let mut groups: BTreeMap<(&str, ClientCount), Vec<(f64, u32)>> =
        cells.iter().map(|cell| ((cell.workload.as_str(), cell.clients), Vec::new())).collect();
    for (index, trial) in found.iter().enumerate() {
        let Some(throughput) = trial.told.throughput_per_s.filter(|throughput| throughput.is_finite()) else {
            continue;
        };
        let cell = &cells[index];
        if !says_no_workload(trial) && !cell.clients.is_unknown() {
            groups.entry((&cell.workload, cell.clients)).or_default().push((throughput, index as u32));
            continue;
        }
        // It may be of any of them.
        for ((workload, clients), group) in &mut groups {
            let is_of_workload = says_no_workload(trial) || cell.workload == *workload;
            if is_of_workload && (cell.clients.is_unknown() || cell.clients == *clients) {
                group.push((throughput, index as u32));
            }
        }
    }
    let mut nearby: Vec<[u32; 2]> = Vec::new();
    for mut group in groups.into_values() {
        group.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        for (at, (throughput, index)) in group.iter().enumerate() {
            let unit = unit_of_last_digit(*throughput);
            let [before, after] = [&group[..at], &group[at + 1..]];
            let lower = before.iter().rev().take_while(|(other, _)| throughput - other <= unit);
            let higher = after.iter().take_while(|(other, _)| other - throughput <= unit);
            let first_of_pairs = nearby.len();
            for (_, other) in lower.chain(higher).take(NEARBY_AT_MOST + 1) {
                nearby.push([*index.max(other), *index.min(other)]);
            }
            if nearby.len() - first_of_pairs > NEARBY_AT_MOST {
                nearby.truncate(first_of_pairs);
            }
        }
    }
    nearby.sort_unstable();
    nearby.dedup();
    nearby
}

/// What the last significant digit of a figure counts: 10 of 1230, 0.01 of 12.34.
fn unit_of_last_digit(figure: f64) -> f64 {
    let text = format!("{figure:.*e}", DIGITS_AT_MOST - 1);
    let Some((mantissa, exponent)) = text.split_once('e') else { return 0.0 };
    let digits = mantissa.trim_end_matches('0').chars().filter(char::is_ascii_digit).count().max(1);
    let exponent: i32 = exponent.parse().unwrap_or(0);
    10_f64.powi(exponent - (digits as i32 - 1))
}

/// The files of two trials with the same figures.
type FilesOfTwins = [Option<usize>; 2];

/// What the trials of two files have in common, and how many trials each file has.
struct SharedTrials {
    of_files: BTreeMap<FilesOfTwins, (usize, u32)>,
    trials_of_file: BTreeMap<Option<usize>, usize>,
}

impl SharedTrials {
    fn count_pairs(found: &[FoundTrial], all: &[Twins]) -> Self {
        let mut shared = Self { of_files: BTreeMap::new(), trials_of_file: BTreeMap::new() };
        for trial in found {
            *shared.trials_of_file.entry(first_source_index(trial)).or_default() += 1;
        }
        for twins in all {
            let (count, digits) = shared.of_files.entry(files_of_twins(found, twins)).or_default();
            *count += 1;
            *digits += twins.digits;
        }
        shared
    }

    /// Whether the digits are too many for chance: those of the trial, or those of all trials of its file where every
    /// one of them stands in the other file, too.
    fn is_no_chance(&self, found: &[FoundTrial], twins: &Twins) -> bool {
        let files = files_of_twins(found, twins);
        let Some((count, all_digits)) = self.of_files.get(&files) else { return false };
        let is_whole = files.iter().any(|file| self.trials_of_file.get(file) == Some(count));
        let digits = if is_whole { *all_digits } else { twins.digits };
        digits >= self.digits_needed()
    }

    /// Of more trials more pairs have digits in common by chance.
    fn digits_needed(&self) -> u32 {
        let trials: usize = self.trials_of_file.values().sum();
        DIGITS.max((2.0 * (trials.max(1) as f64).log10()).ceil() as u32)
    }
}

fn files_of_twins(found: &[FoundTrial], twins: &Twins) -> FilesOfTwins {
    [twins.kept, twins.dropped].map(|index| first_source_index(&found[index]))
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
    let is_another = one.repetition.zip(other.repetition).is_some_and(|(one, other)| one != other);
    if is_another || !is_whole_trial(one) || !is_whole_trial(other) {
        return None;
    }
    let (one, other) = (comparable_figures(&one.told), comparable_figures(&other.told));
    let all: Option<Vec<u32>> = (0..one.len())
        .filter_map(|index| Some((one[index]?, other[index]?)))
        .map(|(one, other)| common_digits(one, other))
        .collect();
    all.and_then(|_| common_digits(one[0]?, other[0]?))
}

fn is_whole_trial(trial: &FoundTrial) -> bool {
    trial.part != TrialPart::Progress && trial.aborted.is_none()
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
    let common = significant_digits(one)?.min(significant_digits(other)?);
    let rounded = |figure: f64| format!("{figure:.*e}", common - 1);
    (rounded(one) == rounded(other)).then_some(common as u32)
}

fn significant_digits(figure: f64) -> Option<usize> {
    let text = format!("{figure:.*e}", DIGITS_AT_MOST - 1);
    let (mantissa, _) = text.split_once('e')?;
    Some(mantissa.trim_end_matches('0').chars().filter(char::is_ascii_digit).count().max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trial_is_compared_with_those_that_its_last_digit_does_not_tell_apart() {
        for (figure, expected) in [(1230.0, 10.0), (12.34, 0.01), (5.0, 1.0), (1234.5, 0.1)] {
            let found = unit_of_last_digit(figure);
            assert!((found / expected - 1.0).abs() < 1e-9, "{figure}: {found}");
        }
        let rates = [1234.5678, 1234.57, 1234.59, 1235.0, 9999.0];
        let trials: Vec<FoundTrial> = rates
            .into_iter()
            .map(|rate| FoundTrial {
                told: StatedFigures { throughput_per_s: Some(rate), ..StatedFigures::default() },
                ..FoundTrial::default()
            })
            .collect();
        let cell = Cell { target: "vm".to_owned(), workload: "read".to_owned(), clients: 8.into() };
        let nearby = nearby_trials(&trials, &vec![Shared::from(cell); rates.len()]);
        // 1235 of one unit has the three below it beside itself.
        assert_eq!(nearby, [[1, 0], [3, 0], [3, 1], [3, 2]]);
    }

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
