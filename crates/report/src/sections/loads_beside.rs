//! The loads that ran beside the workloads: how often each was executed, and how long that took.

use judge::Judgement;
use judge::loads_beside::LoadBesideFigures;
use judge::script_figures::ScriptLevel;
use judge::units;

use super::scripts::cell_of_level;
use crate::document::{
    ColumnUnit, DocumentColumn, DocumentRow, DocumentTable, Holds, ReportSection, SectionBlock, TableCell, TableKind,
};

/// A load beside a target a row.
pub(crate) static TABLE: TableKind = TableKind {
    name: "loads-beside",
    about: "Executions of the loads that ran beside the workloads",
    columns: &[
        DocumentColumn::new("workload", "workload", Holds::Words),
        DocumentColumn::new("clients", "clients", Holds::Count),
        DocumentColumn::new("load beside", "load", Holds::Words),
        DocumentColumn::new("kind", "kind", Holds::Words),
        DocumentColumn::new("target", "target", Holds::Words),
        DocumentColumn::new("completed", "completed", Holds::Count),
        DocumentColumn::new("mean duration", "duration_mean", Holds::Estimate(ColumnUnit::Milliseconds)),
        DocumentColumn::new("longest", "duration_max", Holds::Figure(ColumnUnit::Milliseconds)),
        DocumentColumn::new("change of mean duration", "change", Holds::Estimate(ColumnUnit::Change)),
        DocumentColumn::new("written", "written", Holds::Figure(ColumnUnit::BytesPerS)),
        DocumentColumn::new("in progress at the end", "unfinished", Holds::Count),
        DocumentColumn::new("failed", "failed", Holds::Count),
        DocumentColumn::new("trials", "trials", Holds::Count).on_page(),
    ],
};

const EXPLANATION: &str = "Loads that ran on the server while the workload was measured. They are no part of the throughput and the latency of \
                           the workload, but their CPU time, WAL and reads are in the figures of the server. Compare a target with and without them \
                           to see what they cost.";

/// What the mean of a load leaves out whose executions are longer than a trial.
const CENSORED: &str = "an execution that was in progress at the end of a trial is in no duration; where there are many of them, the mean is \
                        biased low, and `trial.measure` should be longer";

/// A row for each load beside each target; none where there was none.
pub(super) fn loads_beside_section(judgement: &Judgement) -> Option<ReportSection> {
    let figures = &judgement.surroundings.loads_beside;
    if figures.is_empty() {
        return None;
    }
    let rows = figures.iter().map(row_of_load).collect();
    let mut blocks =
        vec![SectionBlock::Explanation(EXPLANATION), SectionBlock::Table(DocumentTable::from_rows(&TABLE, rows))];
    if figures.iter().any(|of| of.unfinished > 0) {
        blocks.push(SectionBlock::Note(CENSORED.to_owned()));
    }
    Some(ReportSection { id: "loads-beside", title: "Loads beside".to_owned(), blocks })
}

/// What ran beside each target, a line for each of its workloads.
pub(crate) fn lines_of_loads(judgement: &Judgement) -> Vec<String> {
    let mut lines: Vec<(String, Vec<String>)> = Vec::new();
    for of in &judgement.surroundings.loads_beside {
        let place = format!("{} at {}", of.place.workload, units::format_clients(of.place.clients));
        let begin = format!("beside {} of {}", place, of.target);
        let load = load_in_words(of);
        match lines.iter_mut().find(|(known, _)| *known == begin) {
            Some((_, loads)) => loads.push(load),
            None => lines.push((begin, vec![load])),
        }
    }
    lines.into_iter().map(|(begin, loads)| format!("{begin}: {}", loads.join(", "))).collect()
}

fn load_in_words(of: &LoadBesideFigures) -> String {
    let executions = if of.completed == 1 { "execution" } else { "executions" };
    let duration = match of.duration_mean_ms {
        ScriptLevel::Missing => format!("none completed, {} in progress at the end", of.unfinished),
        ScriptLevel::OfOnlyTrial(ms) => format!("{} {executions} of {}", of.completed, units::format_milliseconds(ms)),
        ScriptLevel::OverTrials(level) => {
            format!("{} {executions} of {}", of.completed, units::format_milliseconds(level.point))
        }
    };
    format!("{} ({duration})", of.load)
}

fn row_of_load(of: &LoadBesideFigures) -> DocumentRow {
    DocumentRow::from_cells(vec![
        TableCell::from_words(&of.place.workload),
        TableCell::optional_count(of.place.clients.known_count()),
        TableCell::from_words(&of.load),
        TableCell::from_words(&of.kind),
        TableCell::from_words(&of.target),
        TableCell::Count(of.completed),
        cell_of_level(of.duration_mean_ms),
        optional_figure(of.duration_max_ms),
        TableCell::optional_estimate(of.change),
        optional_figure(of.bytes_per_s),
        TableCell::Count(of.unfinished),
        TableCell::Count(of.failed),
        TableCell::Count(of.trials),
    ])
}

fn optional_figure(figure: Option<f64>) -> TableCell {
    figure.map_or(TableCell::Missing, TableCell::Figure)
}
