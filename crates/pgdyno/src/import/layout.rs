//! What the columns of a table tell, by their names or by what a study says of them, and the rows that a line of it
//! holds: one, or in a wide table one for each side or job.

use std::collections::{BTreeMap, BTreeSet};

use super::columns::{self, Column, Subject};
use super::figure::{Figure, Marks, figure};
use super::found::Meaning;
use super::grid::Grid;
use super::source::SourceFile;
use super::unit::UnitKind;
use crate::problem::Problem;

/// What a study says of columns, by their names.
pub type Meanings = BTreeMap<String, Meaning>;

/// What a column tells that is left out.
const NOTHING: &str = "nothing";

/// One of the rows that a line holds.
#[derive(Debug)]
pub struct Shape {
    /// Its columns, by their places in the line; none is kept under its own name.
    pub columns: Vec<(usize, Option<Column>)>,
    /// Columns that no other row of the line shares.
    pub own: BTreeSet<usize>,
    /// What the study says of it, such as `target` = `vm`.
    pub stated: BTreeMap<String, String>,
    /// Whether it is of a storage benchmark.
    pub is_storage: bool,
}

/// A column that is understood.
struct Understood<'g> {
    name: &'g str,
    column: Option<Column>,
    of: BTreeMap<String, String>,
}

/// Whether the columns of these names are of a table of figures.
pub fn knows(header: &[String], meanings: &Meanings) -> bool {
    let is_known = |name: &&String| columns::column(name).is_some() || meanings.contains_key(*name);
    header.iter().filter(is_known).count() >= 2
}

/// The rows that each line of a table holds.
///
/// # Errors
/// When a column is not understood, lacks its unit, or tells what another one tells.
pub fn shapes(file: &SourceFile, grid: &Grid, meanings: &Meanings) -> Result<Vec<Shape>, Problem> {
    let mut understood = Vec::new();
    for (index, name) in grid.header.iter().enumerate() {
        if meanings.get(name).is_none_or(|meaning| meaning.tells != NOTHING) {
            understood.push((index, understand(file, grid, name, meanings.get(name))?));
        }
    }
    let sets: BTreeSet<&BTreeMap<String, String>> = understood.iter().map(|(_, column)| &column.of).collect();
    let is_part = |of: &BTreeMap<String, String>, whole: &BTreeMap<String, String>| {
        of.iter().all(|(key, value)| whole.get(key) == Some(value))
    };
    let whole = sets.iter().filter(|of| !sets.iter().any(|other| other != *of && is_part(of, other)));
    let mut shapes = Vec::new();
    for of in whole {
        let columns: Vec<_> = understood.iter().filter(|(_, column)| is_part(&column.of, of)).collect();
        check(file, grid, &columns)?;
        let has =
            |subject: Subject| columns.iter().any(|(_, c)| c.column.as_ref().is_some_and(|c| c.subject == subject));
        shapes.push(Shape {
            own: columns.iter().filter(|(_, column)| !column.of.is_empty()).map(|(index, _)| *index).collect(),
            stated: (*of).clone(),
            is_storage: has(Subject::Operations) || has(Subject::Bandwidth),
            columns: columns.into_iter().map(|(index, column)| (*index, column.column.clone())).collect(),
        });
    }
    // In the order of the columns.
    shapes.sort_by_key(|shape| shape.own.first().copied());
    Ok(shapes)
}

fn understand<'g>(
    file: &SourceFile,
    grid: &Grid,
    name: &'g str,
    meaning: Option<&Meaning>,
) -> Result<Understood<'g>, Problem> {
    let by_name = columns::column(name);
    if let Some(unit) = columns::may_be_bits(name).filter(|_| by_name.is_some() || meaning.is_some()) {
        let hint = "write MB or MiB where they are bytes, Mbit where they are bits";
        return Err(file
            .wrong(grid.line, format!("column {name:?} has a unit, {unit}, that may be bits or bytes"))
            .hint(hint));
    }
    let Some(meaning) = meaning else {
        if by_name.is_none()
            && let Some(meant) = columns::nearest(name)
        {
            return Err(file
                .wrong(grid.line, format!("column {name:?} is not known"))
                .hint(format!("did you mean {meant:?}?")));
        }
        return Ok(Understood { name, column: by_name, of: BTreeMap::new() });
    };
    let wrong = |what: String| file.wrong(grid.line, format!("column {name:?} is stated to tell {what}"));
    let tells = &meaning.tells;
    let Some(mut column) = columns::column(tells) else {
        let hint = columns::nearest(tells).map_or_else(
            || {
                "it tells what a column of a known name tells, as tps, latency_ms_mean, read_iops, or \"nothing\""
                    .to_owned()
            },
            |meant| format!("did you mean {meant:?}?"),
        );
        return Err(wrong(format!("{tells:?}, which is not known")).hint(hint));
    };
    column.unit = column.unit.or_else(|| by_name.and_then(|column| column.unit));
    if let Some(over) = &meaning.over {
        column.over_s = Some(seconds(over).ok_or_else(|| wrong(format!("a count over {over:?}, which is no time")))?);
    }
    Ok(Understood { name, column: Some(column), of: meaning.of.clone() })
}

/// `300` and `300 s` are seconds, `5 min` are more.
fn seconds(text: &str) -> Option<f64> {
    let Ok(Figure::Number(number, unit)) = figure(text, Marks::Points) else { return None };
    match unit {
        None => Some(number),
        Some(unit) => (unit.kind == UnitKind::Time).then_some(number * unit.factor / 1e9),
    }
}

/// Whether the columns of one row can be read together.
fn check(file: &SourceFile, grid: &Grid, all: &[&(usize, Understood<'_>)]) -> Result<(), Problem> {
    let known = || all.iter().filter_map(|(_, column)| Some((column.name, column.column.as_ref()?)));
    for (at, (name, column)) in known().enumerate() {
        let figure = |column: &Column| (column.subject, column.statistic.clone(), column.direction);
        if let Some((twin, _)) = known().take(at).find(|(_, other)| figure(other) == figure(column)) {
            return Err(file.wrong(grid.line, format!("columns {twin:?} and {name:?} tell the same")));
        }
        if let Some(unit) = column.subject.needed_unit().filter(|_| column.unit.is_none()) {
            return Err(file
                .wrong(grid.line, format!("column {name:?} has no unit"))
                .hint(format!("write the unit into its name, as \"{name}_{unit}\"")));
        }
    }
    let has = |subject: Subject| known().any(|(_, column)| column.subject == subject);
    let figures =
        [Subject::Operations, Subject::Bandwidth, Subject::Throughput, Subject::Latency, Subject::Transactions];
    if figures.into_iter().any(has) {
        return Ok(());
    }
    Err(file
        .wrong(grid.line, "no column tells a throughput or a latency")
        .detail(format!("its columns are {}", grid.header.join(", ")))
        .hint("name them with their units, as tps, latency_ms_mean, read_iops"))
}
