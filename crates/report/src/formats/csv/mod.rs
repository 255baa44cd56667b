//! The tables of a report as CSV (RFC 4180: lines end in CR LF, fields with commas, quotes or line breaks are quoted),
//! with units in the names of columns. What is missing is an empty field.

mod sections;

use std::sync::LazyLock;

use ::csv::{Terminator, Writer, WriterBuilder};

use crate::document::{self, TableKind};
use crate::sections::{ANSWER, SECTIONS};

use super::{ComparisonData, EstimateData, MetricData, ReportData, count_or_empty, word_of_choice};

/// A table.
#[derive(Debug)]
pub struct CsvTable {
    /// Its name, as a file's without the ending.
    pub name: &'static str,
    /// What it holds, in a sentence.
    pub about: &'static str,
    source: RowSource,
}

/// Where the rows of a table come from.
#[derive(Debug)]
enum RowSource {
    /// The document has it.
    Document(&'static TableKind),
    /// It is written from the data.
    Data(fn(&ReportData, &mut CsvLineWriter) -> ::csv::Result<()>),
}

/// All tables; the first is the one that is meant where none is named.
pub static TABLES: LazyLock<Vec<CsvTable>> = LazyLock::new(|| {
    let mut tables = vec![table_from_data(
        "comparisons",
        "Candidate by workload, clients and metric: both sides, the change, the verdict",
        |data, lines| write_comparisons(&data.comparisons, lines),
    )];
    for kind in ANSWER.iter().chain(&SECTIONS).flat_map(|section| section.tables) {
        tables.push(CsvTable { name: kind.name, about: kind.about, source: RowSource::Document(kind) });
    }
    tables.extend(of_data());
    tables
});

/// The tables that are written from the data.
fn of_data() -> [CsvTable; 5] {
    [
        table_from_data(
            "noise-floor",
            "The baseline against itself: both sides, the change, the verdict",
            |data, lines| write_comparisons(&data.noise_floor, lines),
        ),
        table_from_data("blocks", "The primary metric, by block", write_blocks),
        table_from_data("seconds", "Every second of every trial", write_seconds),
        table_from_data("findings", "Findings: causes with their cost", sections::write_findings),
        table_from_data("issues", "Issues: conclusions about the run, each fact once", sections::write_issues),
    ]
}

const fn table_from_data(
    name: &'static str,
    about: &'static str,
    write: fn(&ReportData, &mut CsvLineWriter) -> ::csv::Result<()>,
) -> CsvTable {
    CsvTable { name, about, source: RowSource::Data(write) }
}

impl CsvTable {
    /// The table of this name.
    #[must_use]
    pub fn table_by_name(name: &str) -> Option<&'static Self> {
        TABLES.iter().find(|table| table.name == name)
    }

    /// Its text, whose first line are the names of its columns.
    pub fn csv_text(&self, data: &ReportData) -> String {
        let write = match self.source {
            RowSource::Document(kind) => return document::csv_of_table(&data.document, kind),
            RowSource::Data(write) => write,
        };
        let mut lines = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(Vec::new());
        write(data, &mut lines).expect("writing into memory cannot fail");
        String::from_utf8(lines.into_inner().expect("writing into memory cannot fail")).expect("all fields are text")
    }
}

type CsvLineWriter = Writer<Vec<u8>>;

/// The titles of a point and both ends, with their unit.
fn titles_with_unit(name: &str, unit: &str) -> [String; 3] {
    ["", "_low", "_high"].map(|end| format!("{name}{end}_{unit}"))
}

fn number_or_empty(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

/// A metric's name with its unit, such as `latency_p99_ms`.
fn with_unit(metric: &MetricData) -> String {
    format!("{}_{}", word_of_choice(metric.metric), metric.unit)
}

/// Point and both ends; a share becomes percent by a factor of 100.
fn estimate_cells(of: Option<EstimateData>, factor: f64) -> [String; 3] {
    let part = |value: fn(EstimateData) -> f64| number_or_empty(of.map(|estimate| value(estimate) * factor));
    [part(|of| of.point), part(|of| of.low), part(|of| of.high)]
}

fn write_comparisons(all: &[ComparisonData], lines: &mut CsvLineWriter) -> ::csv::Result<()> {
    lines.write_record([
        "candidate",
        "workload",
        "clients",
        "loop",
        "metric",
        "baseline",
        "baseline_low",
        "baseline_high",
        "candidate_value",
        "candidate_low",
        "candidate_high",
        "change_percent",
        "change_low_percent",
        "change_high_percent",
        "blocks",
        "verdict",
        "left_out",
    ])?;
    for one in all {
        for metric in &one.metrics {
            let mut record = vec![
                one.candidate.clone(),
                one.workload.clone(),
                count_or_empty(one.clients),
                word_of_choice(one.load_loop),
                with_unit(metric),
            ];
            record.extend(estimate_cells(metric.baseline, 1.0));
            record.extend(estimate_cells(metric.candidate, 1.0));
            record.extend(estimate_cells(metric.change, 100.0));
            record.push(metric.change.map_or(String::new(), |change| change.n.to_string()));
            record.push(metric.verdict.map_or_else(String::new, word_of_choice));
            let left_out = one
                .left_out
                .iter()
                .map(|trial| format!("block {}, trial {}: {}", trial.block, trial.trial, trial.reason));
            record.push(left_out.collect::<Vec<_>>().join("; "));
            lines.write_record(record)?;
        }
    }
    Ok(())
}

fn write_blocks(data: &ReportData, lines: &mut CsvLineWriter) -> ::csv::Result<()> {
    lines.write_record([
        "candidate",
        "workload",
        "clients",
        "metric",
        "block",
        "baseline_trial",
        "candidate_trial",
        "baseline",
        "candidate_value",
        "change_percent",
        "outlying",
    ])?;
    for one in &data.comparisons {
        for block in &one.blocks {
            lines.write_record([
                one.candidate.clone(),
                one.workload.clone(),
                count_or_empty(one.clients),
                one.metrics.first().map_or(String::new(), with_unit),
                block.block.to_string(),
                block.baseline_trial.to_string(),
                block.candidate_trial.to_string(),
                block.baseline.to_string(),
                block.candidate.to_string(),
                (block.change * 100.0).to_string(),
                block.outlying.to_string(),
            ])?;
        }
    }
    Ok(())
}

fn write_seconds(data: &ReportData, lines: &mut CsvLineWriter) -> ::csv::Result<()> {
    lines.write_record([
        "trial",
        "block",
        "target",
        "workload",
        "clients",
        "role",
        "started_at",
        "t_s",
        "phase",
        "throughput_tps",
        "offered_tps",
        "latency_p50_ms",
        "latency_p95_ms",
        "latency_p99_ms",
        "failed",
        "clients_out",
        "cpu_percent",
    ])?;
    for trial in &data.trials {
        for (at, t_s) in trial.t_s.iter().enumerate() {
            let of = |column: &[Option<f64>]| number_or_empty(column.get(at).copied().flatten());
            lines.write_record([
                trial.number.to_string(),
                trial.block.to_string(),
                trial.target.clone(),
                trial.workload.clone(),
                count_or_empty(trial.clients),
                word_of_choice(trial.role),
                trial.started_at.clone(),
                t_s.to_string(),
                if *t_s <= trial.warm_up_until_s { "warm-up" } else { "measure" }.to_owned(),
                number_or_empty(trial.throughput_per_s.get(at).copied()),
                of(&trial.offered_per_s),
                of(&trial.p50_ms),
                of(&trial.p95_ms),
                of(&trial.p99_ms),
                trial.failed.get(at).map_or(String::new(), u64::to_string),
                trial.clients_out.get(at).map_or(String::new(), u32::to_string),
                of(&trial.cpu_percent),
            ])?;
        }
    }
    Ok(())
}
