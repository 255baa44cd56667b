//! What the columns of a table tell, by their names or by what a study says of them, and the rows that a line of it
//! holds: one, or in a wide table one for each side or job.

use std::collections::{BTreeMap, BTreeSet};

use super::columns::{self, ImportColumn, RequestDirection, Statistic, Subject};
use super::figure::{Marks, TableFigure, parse_figure};
use super::found::{ColumnMeaning, Study};
use super::grid::Grid;
use super::source_file::SourceFile;
use super::unit::UnitKind;
use problem::Problem;

/// What a study says of tables.
#[derive(Debug, Clone, Default)]
pub(crate) struct Meanings {
    /// Of columns, by their names.
    pub columns: BTreeMap<String, ColumnMeaning>,
    /// Of what marks decimals.
    pub decimal_mark: Option<Marks>,
}

impl Meanings {
    /// Adds what another study says.
    pub(crate) fn add_study(&mut self, study: &Study) {
        self.columns.extend(study.columns.clone());
        self.decimal_mark = study.decimal_mark.or(self.decimal_mark);
    }
}

/// What a column tells that is left out.
const NOTHING: &str = "nothing";

/// One of the rows that a line holds.
#[derive(Debug)]
pub(crate) struct RowShape {
    /// Its columns, by their places in the line; none is kept under its own name.
    pub columns: Vec<(usize, Option<ImportColumn>)>,
    /// Columns that no other row of the line shares.
    pub own: BTreeSet<usize>,
    /// What the study says of it, such as `target` = `vm`.
    pub stated: BTreeMap<String, String>,
    /// Whether it is of a storage benchmark.
    pub is_storage: bool,
    /// Whether a column has the number of clients.
    pub has_clients: bool,
    /// The place of the first column that has a figure.
    first_figure: Option<usize>,
    /// Columns that number the rows.
    of_rows: BTreeSet<usize>,
}

impl RowShape {
    /// Whether a column that is not understood says under which conditions a row was measured: those stand before its
    /// figures, but for the number of the row.
    pub(crate) fn is_condition(&self, index: usize) -> bool {
        self.first_figure.is_some_and(|first| index < first) && !self.of_rows.contains(&index)
    }
}

/// Whether rows are jobs of a storage benchmark: what a trial of a database tells of the disk beside it makes it none.
fn is_storage(has: impl Fn(Subject) -> bool) -> bool {
    let of_database = [Subject::Throughput, Subject::Transactions, Subject::Clients];
    (has(Subject::Operations) || has(Subject::Bandwidth)) && !of_database.into_iter().any(has)
}

/// Whether a column of this name numbers the rows.
fn is_number_of_row(name: &str) -> bool {
    let name = name.trim().trim_end_matches('.').to_lowercase();
    matches!(name.as_str(), "" | "#" | "no" | "nr" | "id" | "row" | "index" | "n")
}

/// A column that is understood.
#[derive(Clone)]
struct Understood<'g> {
    name: &'g str,
    column: Option<ImportColumn>,
    of: BTreeMap<String, String>,
}

/// Whether the columns of these names are of a table of figures.
pub(crate) fn is_known_header(header: &[String], meanings: &Meanings) -> bool {
    header
        .iter()
        .filter(|name| columns::parse_column_name(name).is_some() || meanings.columns.contains_key(*name))
        .count()
        >= 2
}

/// Whether a table is of figures: as it is, or since it was arranged.
pub(crate) fn is_table_of_figures(grid: &Grid, meanings: &Meanings) -> bool {
    grid.is_arranged || is_known_header(&grid.header, meanings)
}

/// The rows that each line of a table holds.
///
/// # Errors
/// When a column is not understood, lacks its unit, or tells what another one tells.
pub(crate) fn row_shapes(file: &SourceFile, grid: &Grid, meanings: &Meanings) -> Result<Vec<RowShape>, Problem> {
    let mut understood = Vec::new();
    for (index, name) in grid.header.iter().enumerate() {
        if meanings.columns.get(name).is_none_or(|meaning| meaning.tells != NOTHING) {
            understood.push((index, interpret_column(file, grid, name, meanings.columns.get(name))?));
        }
    }
    let sets: BTreeSet<&BTreeMap<String, String>> = understood.iter().map(|(_, column)| &column.of).collect();
    let whole = sets.iter().filter(|of| !sets.iter().any(|other| other != *of && is_subset_of(of, other)));
    let mut shapes = Vec::new();
    for of in whole {
        let columns = understood.iter().filter(|(_, column)| is_subset_of(&column.of, of));
        let columns = select_best_columns(columns.map(|(index, column)| (*index, column.clone())).collect());
        check_columns(file, grid, &columns)?;
        let has = |wanted: Subject| {
            columns.iter().any(|(_, of)| of.column.as_ref().is_some_and(|column| column.subject == wanted))
        };
        shapes.push(RowShape {
            own: columns.iter().filter(|(_, column)| !column.of.is_empty()).map(|(index, _)| *index).collect(),
            stated: (*of).clone(),
            is_storage: is_storage(has),
            has_clients: has(Subject::Clients),
            first_figure: columns
                .iter()
                .find(|(_, of)| of.column.as_ref().is_some_and(ImportColumn::is_figure))
                .map(|(at, _)| *at),
            of_rows: columns.iter().filter(|(_, of)| is_number_of_row(of.name)).map(|(at, _)| *at).collect(),
            columns: columns.into_iter().map(|(index, column)| (index, column.column)).collect(),
        });
    }
    // In the order of the columns.
    shapes.sort_by_key(|shape| shape.own.first().copied());
    Ok(shapes)
}

fn is_subset_of(of: &BTreeMap<String, String>, whole: &BTreeMap<String, String>) -> bool {
    of.iter().all(|(key, value)| whole.get(key) == Some(value))
}

fn interpret_column<'g>(
    file: &SourceFile,
    grid: &Grid,
    name: &'g str,
    meaning: Option<&ColumnMeaning>,
) -> Result<Understood<'g>, Problem> {
    let by_name = columns::parse_column_name(name);
    if let Some(unit) = columns::may_be_bits(name).filter(|_| by_name.is_some() || meaning.is_some()) {
        let hint = "write MB or MiB for bytes, Mbit for bits";
        return Err(file
            .problem_at_line(grid.line, format!("column {name:?} has the unit {unit}, which may be bits or bytes"))
            .hint(hint));
    }
    let Some(meaning) = meaning else {
        if by_name.is_none()
            && let Some(meant) = columns::nearest_column_name(name)
        {
            return Err(file
                .problem_at_line(grid.line, format!("unknown column {name:?}"))
                .hint(format!("did you mean {meant:?}?")));
        }
        let repetition = by_name.as_ref().and_then(|column| column.repetition);
        let of = repetition.map(|number| ("repetition".to_owned(), number.to_string()));
        return Ok(Understood { name, column: by_name, of: of.into_iter().collect() });
    };
    let wrong = |what: String| file.problem_at_line(grid.line, format!("column {name:?} is declared as {what}"));
    let tells = &meaning.tells;
    let Some(mut column) = columns::parse_column_name(tells) else {
        let hint = columns::nearest_column_name(tells).map_or_else(
            || {
                "`tells` is the name of a known column, such as tps, latency_ms_mean or read_iops, or \"nothing\""
                    .to_owned()
            },
            |meant| format!("did you mean {meant:?}?"),
        );
        return Err(wrong(format!("{tells:?}, which is not known")).hint(hint));
    };
    column.unit = column.unit.or_else(|| by_name.and_then(|column| column.unit));
    if let Some(over) = &meaning.over {
        column.over_s = Some(
            parse_duration_s(over).ok_or_else(|| wrong(format!("a count over {over:?}, which is not a duration")))?,
        );
    }
    Ok(Understood { name, column: Some(column), of: meaning.of.clone() })
}

/// `300` and `300 s` are seconds, `5 min` are more.
fn parse_duration_s(text: &str) -> Option<f64> {
    let Ok(TableFigure::Number(number, unit)) = parse_figure(text, Marks::Points) else { return None };
    match unit {
        None => Some(number),
        Some(unit) => (unit.kind == UnitKind::Time).then_some(number * unit.factor / 1e9),
    }
}

/// What a column tells: of one direction where its subject has two, and of latencies each statistic apart.
fn figure_of(column: &ImportColumn) -> (Subject, Option<&Statistic>, Option<RequestDirection>) {
    let statistic = (column.subject == Subject::Latency).then_some(&column.statistic);
    (column.subject, statistic, column.direction.filter(|_| column.is_flow()))
}

/// Of several columns that tell the same, some better than others, the best is meant, and the others are kept under
/// their own names: of mean and median of a rate, of transactions and queries per second, of one repetition and all.
/// A highest one stands for a rate only where no latency stands beside it, which would not be of the same second.
fn select_best_columns(mut columns: Vec<(usize, Understood<'_>)>) -> Vec<(usize, Understood<'_>)> {
    let known: Vec<ImportColumn> = columns.iter().filter_map(|(_, understood)| understood.column.clone()).collect();
    let has_latency = known.iter().any(|column| column.subject == Subject::Latency);
    let is_best = |column: &ImportColumn| {
        let is_of_one_second = column.statistic == Statistic::Max && column.subject == Subject::Throughput;
        !(is_of_one_second && has_latency)
            && known
                .iter()
                .all(|other| figure_of(other) != figure_of(column) || rank_of_column(other) >= rank_of_column(column))
    };
    for (_, understood) in &mut columns {
        understood.column = understood.column.take().filter(is_best);
    }
    columns
}

fn rank_of_column(column: &ImportColumn) -> (bool, usize) {
    (column.repetition.is_none(), column.rank)
}

/// Whether every figure of a column has a unit of its own.
fn has_units(grid: &Grid, name: &str) -> bool {
    let Some(index) = grid.header.iter().position(|header| header == name) else { return false };
    let mut has_figures = false;
    for (_, row) in grid.rows.rows_with_lines() {
        match parse_figure(row.field_at(index), Marks::Unknown) {
            Ok(TableFigure::Number(_, None)) => return false,
            Ok(TableFigure::Number(_, Some(_))) => has_figures = true,
            Ok(TableFigure::Missing) | Err(_) => {}
        }
    }
    has_figures
}

/// Whether the columns of one row can be read together.
fn check_columns(file: &SourceFile, grid: &Grid, all: &[(usize, Understood<'_>)]) -> Result<(), Problem> {
    let known = || all.iter().filter_map(|(_, column)| Some((column.name, column.column.as_ref()?)));
    for (at, (name, column)) in known().enumerate() {
        if let Some((twin, _)) = known().take(at).find(|(_, other)| figure_of(other) == figure_of(column)) {
            return Err(file.problem_at_line(grid.line, format!("columns {twin:?} and {name:?} have the same meaning")).hint(
                "declare in a study what they measure, as columns: { NAME: { tells: tps, workload: read } }, or nothing",
            ));
        }
        let lacks_unit = column.unit.is_none() && !has_units(grid, name);
        if let Some(unit) = column.subject.needed_unit().filter(|_| lacks_unit) {
            return Err(file
                .problem_at_line(grid.line, format!("column {name:?} has no unit"))
                .hint(format!("write the unit into its name, as \"{name}_{unit}\"")));
        }
    }
    let has = |subject: Subject| known().any(|(_, column)| column.subject == subject);
    let figures = [Subject::Throughput, Subject::Latency, Subject::Transactions];
    if is_storage(has) || figures.into_iter().any(has) {
        return Ok(());
    }
    Err(file
        .problem_at_line(grid.line, "no column has a throughput or a latency")
        .detail(format!("its columns are {}", grid.header.join(", ")))
        .hint(format!(
            "name them with their units, such as tps, latency_ms_mean or read_iops, or declare them in a study (columns:); {}",
            file.propose_hint()
        )))
}
