//! `report`: the report of a run, made again.

use std::path::Path;

use judge::Judgement;
use judge::judge;
use judge::observed::Observed;
use report::formats::{self, CsvTable, Direction};
use results::store::RunDir;

use super::{Manner, conclude, documents};
use crate::cli::{ReportArgs, ReportFormat, Table};
use crate::problem::{Problem, Status};

/// What stands for standard output where a file is asked for.
const STANDARD_OUTPUT: &str = "-";

/// Makes it; succeeds whatever the verdict is.
pub(super) fn report(arguments: &ReportArgs, manner: Manner) -> Result<Status, Problem> {
    let dir = RunDir::open(&arguments.run)?;
    let observed = Observed::read(&dir)?;
    let judgement = judge(&observed);
    let format = if manner.json { ReportFormat::Json } else { arguments.format };
    let output = arguments.output.as_deref().filter(|path| *path != Path::new(STANDARD_OUTPUT));
    let is_standard_output = arguments.output.is_some() && output.is_none();
    let text = match format {
        ReportFormat::Html if !is_standard_output => {
            let path = output.map_or_else(|| dir.path().join("report.html"), Path::to_owned);
            conclude::write_html(&path, &report::build(&observed, &judgement))?;
            return documents::print(format!("{}\n", path.display()).as_bytes());
        }
        ReportFormat::Terminal if output.is_some() => report::terminal(&judgement, false, None),
        ReportFormat::Csv => formats::csv(&report::build(&observed, &judgement), arguments.table.into()),
        other => in_words(other, &observed, &judgement),
    };
    match output {
        None => documents::print(text.as_bytes()),
        Some(path) => std::fs::write(path, text).map(|()| Status::Done).map_err(|error| {
            Problem::could_not_measure(format!("could not write {}", path.display())).detail(error.to_string())
        }),
    }
}

/// A judgement in one of its forms, for standard output.
pub(super) fn in_words(format: ReportFormat, observed: &Observed, judgement: &Judgement) -> String {
    let data = || report::build(observed, judgement);
    match format {
        ReportFormat::Terminal => conclude::for_terminal(judgement),
        ReportFormat::Markdown => report::markdown(judgement, &observed.run.name),
        ReportFormat::Summary => formats::summary(judgement, &observed.run.name),
        ReportFormat::Json => format!("{}\n", serde_json::to_string(&data()).expect("plain data always serialises")),
        ReportFormat::Html => report::html(&data()),
        ReportFormat::Csv => formats::csv(&data(), CsvTable::Comparisons),
        ReportFormat::Junit => formats::junit(judgement, &data()),
        ReportFormat::Bencher => formats::bencher(&data()),
        ReportFormat::BenchmarkActionBigger => formats::benchmark_action(&data(), Direction::BiggerIsBetter),
        ReportFormat::BenchmarkActionSmaller => formats::benchmark_action(&data(), Direction::SmallerIsBetter),
        ReportFormat::Openmetrics => formats::openmetrics(&data()),
    }
}

impl From<Table> for CsvTable {
    fn from(table: Table) -> Self {
        match table {
            Table::Comparisons => Self::Comparisons,
            Table::Blocks => Self::Blocks,
            Table::Seconds => Self::Seconds,
            Table::Budgets => Self::Budgets,
            Table::Facts => Self::Facts,
        }
    }
}
