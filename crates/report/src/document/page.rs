//! The document as the page draws it: every text as people read it. The page knows these few types and no section.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    DocumentTable, FoldedRows, Holds, PageChart, PeopleColumn, ReportDocument, ReportSection, SectionBlock, Showing,
    TableRoom,
};

/// A section.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SectionData {
    /// The anchor of links to it.
    pub id: &'static str,
    /// Its heading.
    pub title: String,
    /// Its content.
    pub blocks: Vec<SectionBlockData>,
}

/// A part of a section.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum SectionBlockData {
    /// An explanation of the section.
    Explanation {
        /// The explanation.
        text: String,
    },
    /// A sentence that belongs to the figures.
    Note {
        /// The sentence.
        text: String,
    },
    /// What is said of one subject.
    List {
        /// The subject.
        title: String,
        /// The sentences.
        items: Vec<String>,
        /// Whether they are folded.
        is_folded: bool,
    },
    /// A drawing.
    Chart {
        /// What is drawn.
        chart: ChartName,
        /// Index of what is drawn in the data.
        index: usize,
    },
    /// A table.
    Table {
        /// Its caption, if the section has several tables.
        caption: Option<String>,
        /// Whether it is shown unfolded.
        is_foremost: bool,
        /// The position of the bars; absent if its rows have none.
        bars: Option<BarsData>,
        /// Its columns.
        columns: Vec<ColumnData>,
        /// Its rows.
        rows: Vec<RowData>,
        /// The rows that are folded; absent if all are shown.
        folded: Option<FoldedRowsData>,
        /// Sentences that belong to its figures.
        notes: Vec<String>,
    },
}

/// What a drawing shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum ChartName {
    Event,
    Disk,
    Capacity,
    Flame,
}

/// A column of a table.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ColumnData {
    /// Its heading.
    pub title: String,
    /// Whether it holds figures.
    pub is_number: bool,
    /// Whether it holds statements or commands.
    pub is_code: bool,
}

/// The last rows of a table, which are folded.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FoldedRowsData {
    /// Index of the first of them.
    pub from: usize,
    /// The sentence in their place.
    pub summary: String,
}

/// A row of a table.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RowData {
    /// Its cells, with their units.
    pub cells: Vec<String>,
    /// Whether it is emphasized.
    pub stands_out: bool,
    /// Its bar.
    pub bar: Option<BarData>,
}

/// The position of the bars of a table.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BarsData {
    /// Index of the column after the bars, from 0.
    pub before: usize,
    /// The heading of the bars.
    pub title: &'static str,
}

/// A step of a waterfall. It begins where the previous step ends, and its length is the change. The last row is the
/// total.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BarData {
    /// The baseline's figure.
    pub baseline: f64,
    /// The candidate's.
    pub candidate: f64,
    /// Candidate − baseline.
    pub change: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The sections that a page draws as all forms do.
pub fn page_sections(document: &ReportDocument) -> Vec<SectionData> {
    document.sections.iter().map(of_section).collect()
}

fn of_section(section: &ReportSection) -> SectionData {
    let mut blocks = Vec::new();
    for block in &section.blocks {
        blocks.push(match block {
            SectionBlock::Explanation(text) => SectionBlockData::Explanation { text: (*text).to_owned() },
            SectionBlock::Note(text) => SectionBlockData::Note { text: text.clone() },
            SectionBlock::List { title, items, showing } => {
                let (title, items, is_folded) = (title.clone(), items.clone(), *showing == Showing::Folded);
                SectionBlockData::List { title, items, is_folded }
            }
            SectionBlock::Chart(chart) => of_chart(*chart),
            SectionBlock::Table(table) if table.is_shown(TableRoom::Page) => of_table(table),
            SectionBlock::Lines { .. } | SectionBlock::Table(_) => continue,
        });
    }
    SectionData { id: section.id, title: section.title.clone(), blocks }
}

fn of_chart(chart: PageChart) -> SectionBlockData {
    let (chart, index) = match chart {
        PageChart::Event(index) => (ChartName::Event, index),
        PageChart::Disk(index) => (ChartName::Disk, index),
        PageChart::Capacity(index) => (ChartName::Capacity, index),
        PageChart::Flame(index) => (ChartName::Flame, index),
    };
    SectionBlockData::Chart { chart, index }
}

fn of_table(table: &DocumentTable) -> SectionBlockData {
    let mut columns = Vec::new();
    for PeopleColumn { title, is_number, holds } in table.people_columns(TableRoom::Page) {
        columns.push(ColumnData { title, is_number, is_code: holds == Holds::Code });
    }
    let mut rows = Vec::new();
    for (cells, row) in table.people_texts(TableRoom::Page).into_iter().zip(&table.rows) {
        let bar = row.bar_of_row().map(|bar| BarData {
            baseline: bar.baseline,
            candidate: bar.candidate,
            change: bar.change.point,
            low: bar.change.interval.low,
            high: bar.change.interval.high,
        });
        rows.push(RowData { cells, stands_out: row.stands_out, bar });
    }
    let folded = table.folded.clone();
    SectionBlockData::Table {
        caption: table.caption.clone(),
        is_foremost: table.showing != Showing::Folded,
        bars: table.bars_column().map(|(before, title)| BarsData { before, title }),
        columns,
        rows,
        folded: folded.map(|FoldedRows { from, summary }| FoldedRowsData { from, summary }),
        notes: table.notes.clone(),
    }
}
