//! A cell is measured more than once, and what is compared is not the best of several.
//!
//! What has to be known is how far trials vary. Three trials of one cell tell it with two degrees of freedom, and so do
//! two trials of each of two cells together, if each of them is there.

use std::collections::{BTreeMap, BTreeSet};

use results::imported::FigureToldTwice;
use results::trial::ClientCount;

use super::{Check, RuleSubject};
use crate::audit::material::Material;
use crate::audit::outcome::{CheckResult, VerdictFigure, Weight};
use crate::audit::rounding;
use crate::codes;
use crate::thresholds::REPETITIONS_AT_LEAST;
use crate::units;

pub(super) const CHECK: Check = Check {
    code: &codes::NO_REPETITION,
    about: RuleSubject::Transactions,
    rule: "each cell is measured at least three times, or twice if its trials are there and those of all cells together \
           show the spread; the spread is reported, and best-of-n is not used",
    judge: check_no_repetition,
};

/// How many trials each cell has.
type CountsOfCells<'m> = BTreeMap<(&'m str, &'m str, ClientCount), u32>;

fn trials_of_cells(material: &Material) -> CountsOfCells<'_> {
    let mut trials = CountsOfCells::new();
    for trial in &material.trials {
        *trials.entry((&trial.side, &trial.workload, trial.clients)).or_default() += 1;
    }
    trials
}

/// Whether the trials of all cells together show how far they vary, as well as those of one cell that is measured often
/// enough: by their degrees of freedom, with two trials at least of each cell.
fn is_spread_known(trials_of_cells: &CountsOfCells<'_>) -> bool {
    let freedom: u32 = trials_of_cells.values().map(|trials| trials.saturating_sub(1)).sum();
    trials_of_cells.values().all(|trials| *trials > 1) && freedom + 1 >= REPETITIONS_AT_LEAST
}

/// How often cells were measured: each, or those that were measured least.
fn repetitions_figure(trials_of_cells: &CountsOfCells<'_>, fewest: u32) -> VerdictFigure {
    let cells = trials_of_cells.len();
    let least = trials_of_cells.values().filter(|trials| **trials == fewest).count();
    let times = match fewest {
        0 => "no trial counts".to_owned(),
        1 => "measured once".to_owned(),
        2 => "measured twice".to_owned(),
        n => format!("measured {n} times"),
    };
    let of = if least > 0 && least < cells { format!("{least} of {cells} cells") } else { "each cell".to_owned() };
    let breaks = fewest < REPETITIONS_AT_LEAST && !is_spread_known(trials_of_cells);
    VerdictFigure { of, text: times, breaks }
}

/// Digits that a mean has in common with one of its figures by chance in one of a thousand.
const DIGITS_OF_ONE: f64 = 1e-4;

/// Where each side has a cell whose figure in a table is that of its only output, to its last digit: such a figure is
/// of one trial, and no mean.
fn single_outputs_figures(material: &Material) -> Option<Vec<VerdictFigure>> {
    let of_throughput = material.told_twice.iter().filter(|twice| twice.figure == FigureToldTwice::Throughput);
    let (mut figures, mut sides) = (Vec::new(), BTreeSet::new());
    for twice in of_throughput {
        let ([table], [output]) = (twice.in_tables.as_slice(), twice.in_outputs.as_slice()) else { return None };
        let unit = 2.0 * rounding::half_a_unit([*table]);
        if (table - output).abs() > unit || unit > DIGITS_OF_ONE * output {
            return None;
        }
        sides.insert(twice.cell.target.as_str());
        let text = format!("{table} tps is the figure of one output ({output}): measured once");
        figures.push(VerdictFigure::against_rule(twice.cell.to_string(), text));
    }
    (sides.len() > 1).then_some(figures)
}

/// What the trials of one cell have in common that were measured for different times.
type CellOfDurations<'m> = (&'m str, &'m str, ClientCount, Option<u32>);

/// Cells that were measured once for one time and once for another: the change between the two is run-to-run variation
/// that the publication itself shows, and no less than it.
fn durations_figures(material: &Material) -> Vec<VerdictFigure> {
    let mut cells: BTreeMap<CellOfDurations<'_>, Vec<(f64, f64)>> = BTreeMap::new();
    for trial in &material.trials {
        let (Some(work), Some(stated_s), Some(tps)) = (&trial.work, trial.stated_s, trial.throughput_per_s) else {
            continue;
        };
        let cell = (trial.side.as_str(), work.as_str(), trial.clients, trial.scale);
        cells.entry(cell).or_default().push((stated_s, tps));
    }
    let mut figures = Vec::new();
    for ((side, work, clients, _), mut trials) in cells {
        trials.sort_by(|one, other| one.0.total_cmp(&other.0));
        let ([(short_s, first), .., (long_s, last)], true) = (trials.as_slice(), trials.len() > 1) else { continue };
        if (long_s - short_s).abs() > f64::EPSILON && *first > 0.0 {
            let change = units::format_change(last / first - 1.0);
            let text = format!("{first:.0} tps in {short_s:.0} s, {last:.0} tps in {long_s:.0} s: {change}");
            figures
                .push(VerdictFigure::against_rule(format!("{work}, {side}, {}", units::format_clients(clients)), text));
        }
    }
    figures
}

fn check_no_repetition(material: &Material) -> CheckResult {
    let design = &material.design;
    let trials_of_cells = trials_of_cells(material);
    let is_few = design.repetitions.is_some_and(|n| n < REPETITIONS_AT_LEAST) && !is_spread_known(&trials_of_cells);
    if design.repetitions.is_none()
        && let Some(figures) = single_outputs_figures(material)
    {
        let consequence = "run-to-run variation is unknown, so a change cannot be distinguished from it. Measure three \
                           blocks or more";
        return CheckResult::rule_broken(Weight::Conclusion, figures, consequence);
    }
    let mut figures: Vec<VerdictFigure> =
        design.repetitions.map(|n| repetitions_figure(&trials_of_cells, n)).into_iter().collect();
    if design.repetitions != Some(1) && design.keeps_best == Some(true) {
        let text = "the best of several repetitions: a maximum is biased, because it rises with their number and their \
                    spread";
        figures.push(VerdictFigure::against_rule("what is compared", text));
    } else if is_few && design.compares_peaks == Some(true) {
        let text = "the maximum over the numbers of clients: the best of several single trials, which chance raises";
        figures.push(VerdictFigure::against_rule("what is compared", text));
    } else if figures.is_empty() {
        return CheckResult::cannot_tell("the number of trials of each cell, and their spread", vec![]);
    } else if !is_few && design.keeps_best.is_none() {
        let needs = "whether the figure of a cell is the mean or the median of its repetitions, or the best of them";
        return CheckResult::cannot_tell(needs, figures);
    }
    if figures.iter().all(|figure| !figure.breaks) {
        return CheckResult::rule_holds(figures);
    }
    if is_few {
        figures.extend(durations_figures(material));
    }
    let consequence = if is_few {
        "run-to-run variation is unknown, so a change cannot be distinguished from it. Measure three blocks or more"
    } else {
        "the side whose repetitions vary more looks faster than it is, and the spread is not reported: compare means \
         or medians"
    };
    CheckResult::rule_broken(Weight::Conclusion, figures, consequence)
}
