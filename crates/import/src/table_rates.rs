//! Which of several rates of its outputs a table has: a TPROC-C has transactions and new orders, a pgbench that
//! connects for each transaction a throughput with and one without that time.
//!
//! The words of a table seldom tell, and its digits do: a figure that has four digits in common with a rate of an
//! output is that rate. So tables are looked at whether or not they are read.

use std::collections::BTreeMap;

use results::imported::{RateInTable, RatesOfTable};
use results::shared::Shared;
use results::trial::Cell;

use super::computed_figures::with_content_of_tables;
use super::figure::{Marks, TableFigure, parse_figure};
use super::found::{FileContent, FoundTrial, ImportedDocument, Placed, TPS_WITHOUT_CONNECTING, TableFields, TrialPart};
use super::grid::Grid;
use super::source_file::SourceFile;

/// A longer table is no summary that somebody made by hand.
const ROWS_MAX: usize = 1000;

/// Half a unit of the last digit of a figure of four digits, as a share: fewer digits are shared by chance.
const DIGITS: f64 = 2e-4;

/// Two rates of an output that are as close cannot be told apart.
const UNLIKE: f64 = 0.01;

/// Figures of each rate that have to be found: one may be there by chance.
const FIGURES_AT_LEAST: usize = 2;

/// Rates are told per second and per minute.
const PERIODS_S: [f64; 2] = [1.0, 60.0];

/// The fields of the tables of a page, if there are any, as a document beside what was read of it.
pub(crate) fn with_table_fields(
    file: &SourceFile,
    documents: Vec<ImportedDocument>,
    fields: Vec<TableFields>,
) -> Vec<ImportedDocument> {
    if fields.is_empty() {
        documents
    } else {
        with_content_of_tables(file, documents, FileContent::TableFields(fields))
    }
}

/// The figures of tables.
pub(crate) fn fields_of_tables(file: &SourceFile, grids: &[Grid]) -> Vec<TableFields> {
    let mut tables = Vec::new();
    for grid in grids.iter().filter(|grid| grid.rows.row_count() <= ROWS_MAX) {
        let marks =
            Marks::from_fields(grid.rows.rows_with_lines().flat_map(|(_, row)| row).map(|field| (field, false)));
        let fields = grid.rows.rows_with_lines().flat_map(|(_, row)| row.all_fields().skip(1));
        let figures: Vec<(f64, f64)> = fields.filter_map(|field| figure_with_digits(field, marks)).collect();
        if let (Some((line, _)), false) = (grid.rows.row_at(0), figures.is_empty()) {
            let source = format!("{}:{}", file.display_name(), file.line_in_file(line));
            tables.push(TableFields { source, figures });
        }
    }
    tables
}

/// A figure without a unit, and half a unit of its last digit, if it has enough digits.
fn figure_with_digits(field: &str, marks: Marks) -> Option<(f64, f64)> {
    let Ok(TableFigure::Number(number, None)) = parse_figure(field.trim_matches('*'), marks) else { return None };
    let mark = if marks == Marks::Commas { ',' } else { '.' };
    let behind = field.split_once(mark).map_or("", |(_, behind)| behind);
    let decimals = behind.chars().take_while(char::is_ascii_digit).count();
    let half = 0.5 * 10_f64.powi(-(decimals as i32));
    (number > 0.0 && half <= DIGITS * number).then_some((number, half))
}

/// Figures of outputs that are rates beside their throughput: their names, what they are of, and how many of them are
/// one per second.
const OTHER_RATES: [(&str, &str, f64); 3] = [
    ("nopm", "new orders", 1.0 / 60.0),
    ("goodput (requests/second)", "requests that succeeded", 1.0),
    (TPS_WITHOUT_CONNECTING, "transactions without the time to connect", 1.0),
];

/// What the throughput of an output is of.
const THROUGHPUT: &str = "transactions";

/// The other rates per second that an output prints, by what they are of.
pub(crate) fn other_rates(output: &FoundTrial) -> Vec<(&'static str, f64)> {
    let figures = &output.told.figures;
    OTHER_RATES.iter().filter_map(|(key, of, per_s)| Some((*of, figures.get(*key)? * per_s))).collect()
}

/// An output with its rates, of which there are several.
struct OutputRates<'a> {
    cell: &'a Cell,
    rates: Vec<(&'static str, f64)>,
}

fn output_rates<'a>(cell: &'a Cell, output: &FoundTrial) -> Option<OutputRates<'a>> {
    let throughput = output.told.throughput_per_s.filter(|_| output.told.tool.is_some())?;
    let mut rates = vec![(THROUGHPUT, throughput)];
    rates.extend(other_rates(output).into_iter().filter(|(_, rate)| (rate / throughput - 1.0).abs() > UNLIKE));
    (rates.len() > 1).then_some(OutputRates { cell, rates })
}

/// The rates of outputs that each table has, of tables that have some of two kinds.
pub(crate) fn rates_of_tables(
    documents: Vec<ImportedDocument>,
    trials: &[Placed],
    left_out: &[(Shared<Cell>, FoundTrial)],
) -> Vec<RatesOfTable> {
    let kept = trials.iter().filter(|placed| placed.found.part == TrialPart::Whole);
    let kept = kept.map(|placed| (&placed.cell, &placed.found));
    let all = kept.chain(left_out.iter().map(|(cell, output)| (cell, output)));
    let outputs: Vec<OutputRates<'_>> = all.filter_map(|(cell, output)| output_rates(cell, output)).collect();
    let mut tables = Vec::new();
    for document in documents {
        let FileContent::TableFields(fields) = document.content else { continue };
        for table in fields {
            let rates: Vec<RateInTable> =
                table.figures.iter().filter_map(|figure| rate_of_figure(*figure, &outputs)).collect();
            let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
            for rate in &rates {
                *counts.entry(&rate.of).or_default() += 1;
            }
            if counts.len() > 1 && counts.values().all(|count| *count >= FIGURES_AT_LEAST) {
                tables.push(RatesOfTable { source: table.source, rates });
            }
        }
    }
    tables
}

/// The rate of an output that a figure is; none where it may be several, or the mean of several.
fn rate_of_figure((figure, half): (f64, f64), outputs: &[OutputRates<'_>]) -> Option<RateInTable> {
    let mut found: Option<RateInTable> = None;
    for output in outputs {
        for (of, rate_per_s) in &output.rates {
            let is_it = PERIODS_S.iter().any(|period_s| (rate_per_s * period_s - figure).abs() <= half * 1.001);
            if !is_it {
                continue;
            }
            if found.is_some() {
                return None;
            }
            found = Some(RateInTable {
                figure,
                of: (*of).to_owned(),
                cell: output.cell.clone(),
                throughput_per_s: output.rates[0].1,
            });
        }
    }
    found
}
