//! Cells that a page tells of in its tables and in its outputs, of which one became trials: the figures of both, to be
//! compared.
//!
//! A page gives the two other names: a row `XFS`, and outputs below a heading "XFS". A cell of the one is that of the
//! other where one cell alone fits its words and its clients.

use std::collections::{BTreeMap, BTreeSet};

use results::imported::{FigureToldTwice, ToldTwice};
use results::shared::Shared;
use results::trial::{Cell, ClientCount};

use super::ImportRequest;
use super::alike;
use super::found::{FileContent, FoundTrial, ImportedDocument, NO_TARGET, Placed, TrialPart};
use super::gather;
use super::table_rates;

/// A figure of a trial, with what it is.
type ReadFigure = (FigureToldTwice, fn(&FoundTrial) -> Option<f64>);

const FIGURES: [ReadFigure; 2] = [
    (FigureToldTwice::Throughput, |trial| trial.told.throughput_per_s),
    (FigureToldTwice::MeanLatency, |trial| trial.told.latency.mean_ns.map(|ns| ns / 1e6)),
];

/// The trials of each cell.
type TrialsOfCells<'a> = BTreeMap<Cell, Vec<&'a FoundTrial>>;

/// The figures of cells that are among the trials, and among those of a page that were left out.
pub(crate) fn figures_told_twice(trials: &[Placed], left_out: &[(Shared<Cell>, FoundTrial)]) -> Vec<ToldTwice> {
    if left_out.is_empty() {
        return Vec::new();
    }
    let mut others = TrialsOfCells::new();
    for (cell, trial) in left_out {
        others.entry(Cell::clone(cell)).or_default().push(trial);
    }
    let mut ours = TrialsOfCells::new();
    for placed in trials.iter().filter(|placed| placed.found.part == TrialPart::Whole) {
        ours.entry(Cell::clone(&placed.cell)).or_default().push(&placed.found);
    }
    let one_workload = [&ours, &others].into_iter().all(are_of_one_workload);
    let mut twice = Vec::new();
    for (cell, beside) in &others {
        if let Some((same, here)) = only_cell_that_fits(cell, &ours, one_workload) {
            for (figure, read) in FIGURES {
                twice.extend(figure_told_twice(same, here, beside, (figure, read)));
            }
        }
    }
    twice
}

/// The trials that were left out, each with its cell. Sides that only the lines above their outputs tell apart get
/// their names from these.
pub(crate) fn named_trials(
    left_out: Vec<ImportedDocument>,
    request: &ImportRequest,
) -> Vec<(Shared<Cell>, FoundTrial)> {
    let mut found: Vec<FoundTrial> = Vec::new();
    for document in left_out {
        let FileContent::LeftOut(trials) = document.content else { continue };
        for mut trial in trials {
            trial.target = trial.target.take().or_else(|| document.file.target.clone());
            // A number stands behind the name of its column, which no output has.
            for (name, value) in &mut trial.told.labels {
                if let Some(number) = value.strip_prefix(name.as_str()).filter(|number| !number.is_empty()) {
                    *value = number.trim_start().to_owned();
                }
            }
            found.extend(Some(trial).filter(|trial| trial.part == TrialPart::Whole && trial.aborted.is_none()));
        }
    }
    let of_targets = gather::labels_of_targets(&found, request);
    let mut named: Vec<(Shared<Cell>, FoundTrial)> = Vec::new();
    for trial in found {
        named.push((gather::cell_of_trial(&trial, request, &of_targets).into(), trial));
    }
    alike::tell_apart(&mut named);
    named
}

fn are_of_one_workload(cells: &TrialsOfCells<'_>) -> bool {
    let workloads: BTreeSet<&str> = cells.keys().map(|cell| cell.workload.as_str()).collect();
    workloads.len() == 1
}

/// The cell among ours that a cell among the others may be, if it is one alone. Where there is one workload, its name
/// tells nothing.
fn only_cell_that_fits<'c, 'a>(
    cell: &Cell,
    ours: &'c TrialsOfCells<'a>,
    one_workload: bool,
) -> Option<(&'c Cell, &'c Vec<&'a FoundTrial>)> {
    let fits = |other: &Cell| {
        let are_named_alike = have_same_name(&cell.target, &other.target)
            && (one_workload || have_same_name(&cell.workload, &other.workload));
        let is_side_a_label = is_target_in_workload(cell, other) || is_target_in_workload(other, cell);
        (are_named_alike || is_side_a_label) && is_same_count(cell.clients, other.clients)
    };
    let mut fitting = ours.iter().filter(|(other, _)| fits(other));
    let only = fitting.next();
    only.filter(|_| fitting.next().is_none())
}

fn is_same_count(one: ClientCount, other: ClientCount) -> bool {
    one == other || one.is_unknown() || other.is_unknown()
}

/// Whether all words of one name are in the other. Nobody is called by no name.
fn have_same_name(one: &str, other: &str) -> bool {
    if one == NO_TARGET || other == NO_TARGET {
        return one == other;
    }
    let [one, other] = [one, other].map(words_of_name);
    !one.is_empty() && !other.is_empty() && (one.is_subset(&other) || other.is_subset(&one))
}

/// Whether what one cell has for a side is a label of a row of which nobody says the side.
fn is_target_in_workload(named: &Cell, unnamed: &Cell) -> bool {
    let target = words_of_name(&named.target);
    let is_unnamed = unnamed.target == NO_TARGET && named.target != NO_TARGET;
    let mut label = words_of_name(&unnamed.workload);
    label.remove(gather::NO_WORKLOAD);
    let is_label = target.is_subset(&label) || !label.is_empty() && label.is_subset(&target);
    is_unnamed && !target.is_empty() && is_label
}

fn words_of_name(name: &str) -> BTreeSet<String> {
    let lower = name.to_lowercase();
    let words = lower.split(|c: char| !(c.is_alphanumeric() || c == '.')).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

/// One figure of a cell, with what tables have of it and what outputs.
fn figure_told_twice(
    cell: &Cell,
    here: &[&FoundTrial],
    beside: &[&FoundTrial],
    (figure, read): ReadFigure,
) -> Option<ToldTwice> {
    let [here_told, beside_told] =
        [here, beside].map(|trials| trials.iter().filter_map(|trial| read(trial)).collect::<Vec<f64>>());
    if here_told.is_empty() || beside_told.is_empty() {
        return None;
    }
    let (in_tables, in_outputs) = if are_rows(beside) { (beside_told, here_told) } else { (here_told, beside_told) };
    let mut other_rates: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    if figure == FigureToldTwice::Throughput {
        let outputs = if are_rows(beside) { here } else { beside };
        for (of, rate) in outputs.iter().flat_map(|output| table_rates::other_rates(output)) {
            other_rates.entry(of.to_owned()).or_default().push(rate);
        }
    }
    let rows = if are_rows(beside) { beside } else { here };
    let has_latency_in_table = rows.iter().any(|row| !row.told.latency.is_empty());
    Some(ToldTwice { cell: cell.clone(), figure, in_tables, in_outputs, other_rates, has_latency_in_table })
}

/// Of what is left out nothing is filled in: an output tells its tool, and a row does not.
fn are_rows(left_out: &[&FoundTrial]) -> bool {
    left_out.iter().all(|trial| trial.told.tool.is_none())
}

/// The threads of the generator that all outputs print which were left out. Where one has a thread for each client, the
/// others may have had others.
pub(crate) fn threads_beside_tables(left_out: &[(Shared<Cell>, FoundTrial)]) -> Option<u32> {
    let mut threads = None;
    for (_, trial) in left_out.iter().filter(|(_, trial)| trial.told.tool.is_some()) {
        let (Some(own), Some(clients)) = (trial.told.threads, trial.clients) else { continue };
        if own >= clients || threads.is_some_and(|others| others != own) {
            return None;
        }
        threads = Some(own);
    }
    threads
}
