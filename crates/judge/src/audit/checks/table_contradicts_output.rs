//! The tables of a publication have the figures of the outputs beside them.
//!
//! A table has of a cell the figure of an execution, or the mean, the median or an end of several. Where not all
//! executions have an output, it may have that of others, which vary. Outputs may print several rates, of which a table
//! has the same one of every side.

use std::collections::{BTreeMap, BTreeSet};

use results::imported::{FigureToldTwice, RateInTable, RatesOfTable, ToldTwice};
use stats::centre::range_of_figures;
use stats::centre::{arithmetic_mean, median_of_figures};

use super::{Check, RuleSubject};
use crate::audit::material::Material;
use crate::audit::outcome::{CheckResult, VerdictFigure, Weight};
use crate::audit::rounding;
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::thresholds::MOVES;
use crate::units;

pub(super) const CHECK: Check = Check {
    code: &Code {
        name: "table-contradicts-output",
        group: CodeGroup::Method,
        detects: "A table has other figures of a cell than the outputs beside it.",
        reported_if: "A table and the outputs on its page have the same cell. A figure of the table is none of the outputs' \
                figures, nor their mean, median, minimum or maximum, by more than a unit of its last digit and the bound. If \
                the table has another number of figures than there are outputs, it is also outside their range, by more than \
                the range itself and the second bound. Or outputs print several rates (with and without the time to \
                connect, transactions and new orders), and the table has one of these of some cells and another of others.",
        thresholds: &[
            RuleThreshold::more_than("difference", AS_PRINTED, ThresholdUnit::Share),
            RuleThreshold::more_than("distance from the range of some of the outputs", MOVES, ThresholdUnit::Share),
        ],
        effects: &[IssueEffect::Weakens],
        why: "What is concluded rests on the table, and the outputs are what was measured.",
        evidence: "Throughput and mean latency of each cell in the tables and in the outputs.",
        fix: "Make the table from the outputs.",
        confirm: "Compare the table with the outputs again.",
        formerly: &[],
    },
    about: RuleSubject::Transactions,
    rule: "a table has of each cell the figures of the outputs beside it: one of them, their mean, median, minimum or \
           maximum, as rounded; and the same rate of each, where outputs print several",
    judge: check_table_contradicts_output,
};

/// Tools print a throughput with and without the time to connect, and people convert units.
const AS_PRINTED: f64 = 0.01;

fn check_table_contradicts_output(material: &Material) -> CheckResult {
    let told = &material.told_twice;
    let unlike = unlike_rate_figures(&material.computed.rates);
    if !unlike.is_empty() {
        let consequence = "the table compares different measures: what it has of one side is another rate of the outputs \
                           than what it has of the other, and the difference is one of the two";
        return CheckResult::rule_broken(Weight::Comparison, unlike, consequence);
    }
    if told.is_empty() {
        let needs = "a table and, on the same page, the outputs of the same cells";
        return CheckResult::cannot_tell(needs, vec![]);
    }
    let figures: Vec<VerdictFigure> = told.iter().filter_map(|twice| contradicted_figure(told, twice)).collect();
    if figures.is_empty() {
        let text = "the tables have the figures of the outputs";
        return CheckResult::rule_holds(vec![VerdictFigure::within_rule(cells_in_words(told), text)]);
    }
    let consequence = "the table is not of these outputs: it is of other executions, or was mistyped or changed, and what \
                       is concluded from it is not what was measured";
    CheckResult::rule_broken(Weight::Conclusion, figures, consequence)
}

fn cells_in_words(told: &[ToldTwice]) -> String {
    let mut cells: Vec<String> = told.iter().map(|twice| twice.cell.to_string()).collect();
    cells.dedup();
    match cells.len() {
        1 => "1 cell in a table and an output".to_owned(),
        cells => format!("{cells} cells in tables and outputs"),
    }
}

fn contradicted_figure(all: &[ToldTwice], twice: &ToldTwice) -> Option<VerdictFigure> {
    let alike = all.iter().filter(|other| other.figure == twice.figure);
    // Cut or rounded: a unit of the last place of all such figures of the tables.
    let unit = 2.0 * rounding::half_a_unit(alike.flat_map(|other| other.in_tables.iter().copied()));
    let off: Vec<f64> =
        twice.in_tables.iter().copied().filter(|figure| is_contradicted(twice, *figure, unit)).collect();
    if off.is_empty() {
        return None;
    }
    let text = format!(
        "{} in the table, {} in the output",
        range_in_words(twice, &off),
        range_in_words(twice, &twice.in_outputs)
    );
    let what = match twice.figure {
        FigureToldTwice::Throughput => "throughput",
        FigureToldTwice::MeanLatency => "mean latency",
    };
    Some(VerdictFigure::against_rule(format!("{}, {what}", twice.cell), text))
}

/// Tables that have one rate of some outputs and another one of others, and of none both: one figure for each rate.
fn unlike_rate_figures(tables: &[RatesOfTable]) -> Vec<VerdictFigure> {
    let mut figures = Vec::new();
    for table in tables {
        let mut kinds: BTreeMap<&str, Vec<&RateInTable>> = BTreeMap::new();
        for rate in &table.rates {
            kinds.entry(&rate.of).or_default().push(rate);
        }
        for (of, rates) in &kinds {
            let own = outputs_with_rates(rates);
            if !kinds.iter().any(|(other, others)| other != of && outputs_with_rates(others).is_disjoint(&own)) {
                continue;
            }
            let cells: BTreeSet<String> = rates.iter().map(|rate| rate.cell.to_string()).collect();
            let each: Vec<String> = rates.iter().map(|rate| rate.figure.to_string()).collect();
            let place = format!("{}, {}", table.source, cells.into_iter().collect::<Vec<_>>().join("; "));
            let text = format!("{} are rates of {of} in the outputs", each.join(", "));
            figures.push(VerdictFigure::against_rule(place, text));
        }
    }
    figures
}

fn outputs_with_rates(rates: &[&RateInTable]) -> BTreeSet<(String, u64)> {
    rates.iter().map(|rate| (rate.cell.to_string(), rate.throughput_per_s.to_bits())).collect()
}

/// Whether a figure is one of these, or their mean or median.
fn is_figure_of(outputs: &[f64], figure: f64, unit: f64) -> bool {
    let middle = [arithmetic_mean(outputs), median_of_figures(outputs)];
    outputs.iter().copied().chain(middle.into_iter().flatten()).any(|one| {
        let allowed = f64::max(unit, AS_PRINTED * one.abs());
        (figure - one).abs() <= allowed
    })
}

/// Whether a figure of a table is none that its outputs give.
fn is_contradicted(twice: &ToldTwice, figure: f64, unit: f64) -> bool {
    if twice.other_rates.values().any(|rates| is_figure_of(rates, figure, unit)) {
        return false;
    }
    let outputs = &twice.in_outputs;
    let (Some([least, most]), Some(median)) = (range_of_figures(outputs), median_of_figures(outputs)) else {
        return false;
    };
    let is_one_of_them = is_figure_of(outputs, figure, unit);
    if is_one_of_them || twice.in_tables.len() == outputs.len() && outputs.len() > 1 {
        return !is_one_of_them;
    }
    // Executions without an output are as far from these as these are from each other, or as executions are at most.
    let beyond = unit + f64::max(most - least, MOVES * median);
    figure < least - beyond || figure > most + beyond
}

fn range_in_words(twice: &ToldTwice, figures: &[f64]) -> String {
    let least = figures.iter().copied().fold(f64::INFINITY, f64::min);
    let most = figures.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let [from, to] = [least, most].map(|figure| match twice.figure {
        FigureToldTwice::Throughput => units::format_tps(figure),
        FigureToldTwice::MeanLatency => units::format_milliseconds(figure),
    });
    if least == most { from } else { format!("{from} to {to}") }
}

#[cfg(test)]
mod tests {
    use results::trial::Cell;

    use super::*;
    use crate::audit::CheckRuling;

    fn is_broken(figure: FigureToldTwice, in_tables: &[f64], in_outputs: &[f64]) -> bool {
        let cell = Cell { target: "xfs".to_owned(), workload: "tpcb-like".to_owned(), clients: 32.into() };
        let (in_tables, in_outputs) = (in_tables.to_vec(), in_outputs.to_vec());
        let told_twice = vec![ToldTwice {
            cell,
            figure,
            in_tables,
            in_outputs,
            other_rates: BTreeMap::new(),
            has_latency_in_table: false,
        }];
        let material = Material { told_twice, ..Material::default() };
        matches!(check_table_contradicts_output(&material).verdict, CheckRuling::Broken(_))
    }

    /// A table of transactions and new orders, by the sides whose outputs have them.
    fn verdict_of_rates(in_table: &[(&str, &str, f64)]) -> CheckRuling {
        let rate = |(side, of, figure): &(&str, &str, f64)| RateInTable {
            figure: *figure,
            of: (*of).to_owned(),
            cell: Cell { target: (*side).to_owned(), workload: "TPROC-C".to_owned(), clients: 32.into() },
            throughput_per_s: 5000.0,
        };
        let mut material = Material::default();
        let rates = in_table.iter().map(rate).collect();
        material.computed.rates.push(RatesOfTable { source: "page.md:5".to_owned(), rates });
        check_table_contradicts_output(&material).verdict
    }

    #[test]
    fn a_table_has_the_same_of_several_rates_of_each_side() {
        let broken = CheckRuling::Broken(Weight::Comparison);
        let unlike = [("vm", "transactions", 300_029.0), ("pod", "new orders", 129_020.0)];
        assert_eq!(verdict_of_rates(&unlike), broken);
        let both = [unlike[0], ("vm", "new orders", 130_427.0), unlike[1], ("pod", "transactions", 297_144.0)];
        assert_ne!(verdict_of_rates(&both), broken, "a column for each");
    }

    #[test]
    fn new_orders_of_the_outputs_contradict_no_table() {
        let cell = Cell { target: "vm".to_owned(), workload: "TPROC-C".to_owned(), clients: 32.into() };
        let told = |in_table: f64| ToldTwice {
            cell: cell.clone(),
            figure: FigureToldTwice::Throughput,
            in_tables: vec![in_table],
            in_outputs: vec![5000.0],
            other_rates: [("new orders".to_owned(), vec![2150.0])].into(),
            has_latency_in_table: false,
        };
        let verdict = |in_table| {
            check_table_contradicts_output(&Material { told_twice: vec![told(in_table)], ..Material::default() })
                .verdict
        };
        assert_eq!(verdict(2150.0), CheckRuling::Holds);
        assert_eq!(verdict(3100.0), CheckRuling::Broken(Weight::Conclusion), "neither of the two");
    }

    #[test]
    fn a_figure_of_a_table_is_one_that_its_outputs_give() {
        use FigureToldTwice::{MeanLatency, Throughput};
        for (figure, in_tables, in_outputs, expected) in [
            // Rounded to a whole one, to hundreds, or cut.
            (Throughput, &[4210.0][..], &[4210.33][..], false),
            (Throughput, &[4200.0], &[4100.2, 4210.4, 4300.9], false),
            (MeanLatency, &[0.9], &[0.99], false),
            // Mean, median, best, and one of several.
            (Throughput, &[4203.8], &[4100.2, 4210.4, 4300.9], false),
            (Throughput, &[4300.9], &[4100.2, 4210.4, 4300.9], false),
            (Throughput, &[4100.2, 4210.4, 4300.9], &[4300.9, 4210.4, 4100.2], false),
            // The mean of three of which one output is shown.
            (Throughput, &[4203.8], &[4300.9], false),
            (Throughput, &[5210.0], &[4210.33], true),
            (MeanLatency, &[1.8], &[18.02], true),
            (Throughput, &[4912.3, 4958.8, 4931.0], &[4071.1, 4044.5, 3978.9], true),
            // One of three repetitions was changed.
            (Throughput, &[4100.2, 4210.4, 4690.9], &[4100.2, 4210.4, 4300.9], true),
        ] {
            assert_eq!(is_broken(figure, in_tables, in_outputs), expected, "{in_tables:?} of {in_outputs:?}");
        }
    }
}
