//! Tables of published figures: a header with units in its names, then a row for each cell or storage job.
//!
//! Any separator, decimal commas, missing fields, and fields with units of their own are read; a field that is neither
//! a figure nor missing is an error with its line and column.

use std::collections::BTreeMap;

use csv::{ReaderBuilder, StringRecord};
use results::told::{ToldFlow, ToldLatency, ToldStorage};

use super::columns::{self, Column, Direction, Kind, Statistic, Subject, Unit};
use super::figure::{Figure, Marks, figure, may_part_thousands};
use super::found::{Content, Document, FoundTrial, Rows};
use super::source::SourceFile;
use crate::problem::Problem;

/// What separates fields, in the order in which it is looked for.
const SEPARATORS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// Whether a text begins with the header of a table: some separator parts its first line, and a column is known.
pub fn looks_like_one(head: &str) -> bool {
    let Some(header) = header_line(head) else { return false };
    let known =
        |separator: u8| header.split(separator as char).filter(|name| columns::column(unquoted(name)).is_some());
    SEPARATORS.iter().any(|separator| header.contains(*separator as char) && known(*separator).count() >= 2)
}

fn header_line(text: &str) -> Option<&str> {
    text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'))
}

fn unquoted(name: &str) -> &str {
    name.trim().trim_matches('"')
}

/// Reads a table.
///
/// # Errors
/// When the header or a field is not understood, or a row says the same as another.
pub fn read(file: &SourceFile, text: &str) -> Result<Document, Problem> {
    let header = header_line(text).unwrap_or_default();
    let count = |separator: &u8| header.matches(*separator as char).count();
    let separator = SEPARATORS.into_iter().max_by_key(count).unwrap_or(b',');
    let mut reader =
        ReaderBuilder::new().delimiter(separator).comment(Some(b'#')).trim(csv::Trim::All).from_reader(text.as_bytes());
    let broken = |error: csv::Error| {
        let line = error.position().map_or(1, |position| position.line() as usize);
        file.wrong(line, error.to_string())
    };
    let header = reader.headers().map_err(broken)?.clone();
    let records = reader.records().collect::<Result<Vec<StringRecord>, _>>().map_err(broken)?;
    let table = Table::new(file, separator, &header, &records)?;
    let mut rows = Rows::default();
    let mut seen: BTreeMap<Vec<String>, usize> = BTreeMap::new();
    for record in records {
        let line = record.position().map_or(0, |position| position.line() as usize);
        let fields: Vec<String> = record.iter().map(str::to_owned).collect();
        if let Some(first) = seen.insert(fields, line) {
            return Err(file
                .wrong(line, format!("says the same as line {first}"))
                .hint("remove one of them; a repetition has figures of its own"));
        }
        table.row(line, &record, &mut rows)?;
    }
    if rows.trials.is_empty() && rows.storage.is_empty() {
        return Err(Problem::usage(format!("{} has a header and no row", file.name())));
    }
    let notes = table.notes();
    Ok(Document { file: file.clone(), tool: "table", version: None, notes, content: Content::Table(rows) })
}

/// A table whose header is understood.
struct Table<'a> {
    file: &'a SourceFile,
    separator: u8,
    /// What its decimals are marked with, as far as its fields tell.
    marks: Marks,
    /// Each column with its name; none is one that is kept as it is.
    columns: Vec<(String, Option<Column>)>,
    is_storage: bool,
}

impl<'a> Table<'a> {
    fn new(
        file: &'a SourceFile,
        separator: u8,
        header: &StringRecord,
        records: &[StringRecord],
    ) -> Result<Self, Problem> {
        let columns: Vec<(String, Option<Column>)> =
            header.iter().map(|name| (name.to_owned(), columns::column(name))).collect();
        for (index, (name, column)) in columns.iter().enumerate() {
            if column.is_none()
                && let Some(meant) = columns::nearest(name)
            {
                return Err(file
                    .wrong(1, format!("column {name:?} is not known"))
                    .hint(format!("did you mean {meant:?}?")));
            }
            if let Some(twin) = columns[..index].iter().find(|(_, other)| tell_the_same(other, column)) {
                return Err(file.wrong(1, format!("columns {:?} and {name:?} tell the same", twin.0)));
            }
            if let Some(Column { subject, unit: None, .. }) = column
                && let Some(unit) = subject.needed_unit()
            {
                return Err(file
                    .wrong(1, format!("column {name:?} has no unit"))
                    .hint(format!("write the unit into its name, as \"{name}_{unit}\"")));
            }
        }
        let has = |subject: Subject| columns.iter().flatten_columns().any(|column| column.subject == subject);
        let is_storage = has(Subject::Operations) || has(Subject::Bandwidth);
        if !is_storage && ![Subject::Throughput, Subject::Latency, Subject::Transactions].into_iter().any(has) {
            let names: Vec<&str> = columns.iter().map(|(name, _)| name.as_str()).collect();
            return Err(file
                .wrong(1, "no column tells a throughput or a latency")
                .detail(format!("its columns are {}", names.join(", ")))
                .hint("name them with their units, as tps, latency_ms_mean, read_iops"));
        }
        let marks = Marks::of(records.iter().flat_map(|record| {
            let is_figure = |column: &Option<Column>| column.as_ref().is_none_or(|column| !column.subject.is_name());
            let is_whole = |column: &Option<Column>| column.as_ref().is_some_and(|column| column.subject.is_whole());
            let figures = columns.iter().zip(record).filter(move |((_, column), _)| is_figure(column));
            figures.map(move |((_, column), field)| (field, is_whole(column)))
        }));
        Ok(Self { file, separator, marks, columns, is_storage })
    }

    /// Which columns are kept without being understood.
    fn notes(&self) -> Vec<String> {
        let unknown: Vec<&str> =
            self.columns.iter().filter(|(_, column)| column.is_none()).map(|(name, _)| name.as_str()).collect();
        if unknown.is_empty() { Vec::new() } else { vec![format!("kept under its own name: {}", unknown.join(", "))] }
    }

    fn row(&self, line: usize, record: &StringRecord, rows: &mut Rows) -> Result<(), Problem> {
        let trial = FoundTrial { line, ..FoundTrial::default() };
        let mut row = Row { marks: self.marks, trial, storage: ToldStorage::default() };
        for ((name, column), field) in self.columns.iter().zip(record) {
            let wrong = |what: String| self.file.wrong(line, format!("column {name:?}: {what}"));
            let is_name = column.as_ref().is_some_and(|column| column.subject.is_name());
            let is_figure = !is_name && matches!(figure(field, self.marks), Ok(Figure::Number(..)));
            let is_ambiguous = self.marks == Marks::Unknown && may_part_thousands(field, ',');
            // Who parts fields by commas writes decimals with points.
            if self.separator == b',' && is_figure && is_ambiguous {
                return Err(wrong(format!("{field:?} has a comma before three digits"))
                    .hint("thousands or decimals? write it without the comma"));
            }
            match column {
                // What neither says to be of reads nor of writes is nobody's.
                Some(column) if !(self.is_storage && column.is_flow() && column.direction.is_none()) => {
                    row.enter(column, field).map_err(wrong)?;
                }
                Some(_) | None => row.keep(name, field),
            }
        }
        if self.is_storage {
            let Row { trial, mut storage, .. } = row;
            let name = || self.file.target.clone().or_else(|| Some(self.file.stem()));
            storage.target = trial.target.or_else(name).unwrap_or_default();
            storage.source = format!("{}:{line}", self.file.name());
            storage.figures = trial.told.figures;
            let labels = trial.told.labels.into_values();
            let parts: Vec<String> =
                Some(storage.job).filter(|job| !job.is_empty()).into_iter().chain(labels).collect();
            storage.job = parts.join(" ");
            rows.storage.push(storage);
        } else {
            rows.trials.push(row.trial);
        }
        Ok(())
    }
}

/// Whether two columns are of one figure, in whatever units.
fn tell_the_same(one: &Option<Column>, other: &Option<Column>) -> bool {
    let figure = |column: &Column| (column.subject, column.statistic.clone(), column.direction);
    one.as_ref().zip(other.as_ref()).is_some_and(|(one, other)| figure(one) == figure(other))
}

/// The known ones of columns.
trait FlattenColumns<'c> {
    fn flatten_columns(self) -> impl Iterator<Item = &'c Column>;
}

impl<'c, I: Iterator<Item = &'c (String, Option<Column>)>> FlattenColumns<'c> for I {
    fn flatten_columns(self) -> impl Iterator<Item = &'c Column> {
        self.filter_map(|(_, column)| column.as_ref())
    }
}

/// A row being read: what is of a trial, and what is of a storage job.
struct Row {
    /// What decimals are marked with.
    marks: Marks,
    trial: FoundTrial,
    storage: ToldStorage,
}

impl Row {
    /// Keeps a field whose column is not known: a figure, or a label that tells the row from others.
    fn keep(&mut self, name: &str, field: &str) {
        match figure(field, self.marks) {
            Ok(Figure::Missing) => {}
            Ok(Figure::Number(number, None)) => {
                self.trial.told.figures.insert(name.to_owned(), number);
            }
            Ok(Figure::Number(_, Some(_))) | Err(_) => {
                self.trial.told.labels.insert(name.to_owned(), field.to_owned());
            }
        }
    }

    fn enter(&mut self, column: &Column, field: &str) -> Result<(), String> {
        let marks = self.marks;
        let text = || Some(field.to_owned()).filter(|text| !text.is_empty());
        match column.subject {
            Subject::Target => self.trial.target = text(),
            Subject::Workload => {
                self.trial.workload = text();
                self.trial.told.script = text();
            }
            Subject::Job => self.storage.job = field.to_owned(),
            Subject::Clients => self.trial.clients = count(field, marks)?,
            Subject::Repetition => self.trial.repetition = count(field, marks)?,
            Subject::Threads => self.trial.told.threads = count(field, marks)?,
            Subject::Scale => self.trial.told.scale = count(field, marks)?,
            Subject::Depth => self.storage.depth = count(field, marks)?,
            Subject::Jobs => self.storage.jobs = count(field, marks)?,
            Subject::Transactions => self.trial.told.transactions = count(field, marks)?,
            Subject::Failed => self.trial.told.failed = count(field, marks)?,
            Subject::Throughput => self.trial.told.throughput_per_s = base(field, marks, column.unit, Kind::PerSecond)?,
            Subject::Duration => self.trial.told.duration_s = time(field, marks, column.unit)?.map(|ns| ns / 1e9),
            Subject::Connecting => self.trial.told.connecting_ns = time(field, marks, column.unit)?,
            Subject::BlockSize => {
                let bytes =
                    |(number, unit): (f64, Option<Unit>)| number * unit.map_or(1.0, |unit| unit.of_blocks().factor);
                self.storage.block_bytes = told(field, marks, column.unit, Kind::Size)?.map(|told| bytes(told) as u64);
            }
            Subject::Utilisation => self.storage.utilisation = base(field, marks, column.unit, Kind::Share)?,
            Subject::Operations => {
                let rate = base(field, marks, column.unit, Kind::PerSecond)?;
                if let Some(direction) = column.direction {
                    self.flow(direction).operations_per_s = rate;
                }
            }
            Subject::Bandwidth => {
                let rate = base(field, marks, column.unit, Kind::SizePerSecond)?;
                if let Some(direction) = column.direction {
                    self.flow(direction).bytes_per_s = rate;
                }
            }
            Subject::Latency => {
                let ns = time(field, marks, column.unit)?;
                let latency = match column.direction {
                    None => &mut self.trial.told.latency,
                    Some(direction) => &mut self.flow(direction).latency,
                };
                enter_latency(latency, &column.statistic, ns);
            }
        }
        Ok(())
    }

    fn flow(&mut self, direction: Direction) -> &mut ToldFlow {
        match direction {
            Direction::Write => &mut self.storage.write,
            Direction::Read => &mut self.storage.read,
        }
    }
}

fn enter_latency(latency: &mut ToldLatency, statistic: &Statistic, ns: Option<f64>) {
    match statistic {
        Statistic::Mean => latency.mean_ns = ns,
        Statistic::Deviation => latency.stddev_ns = ns,
        Statistic::Min => latency.min_ns = ns,
        Statistic::Max => latency.max_ns = ns,
        Statistic::Percentile(name) => {
            if let Some(ns) = ns {
                latency.percentiles_ns.insert(name.clone(), ns);
            }
        }
    }
}

/// A whole number.
fn count<T: TryFrom<u64>>(field: &str, marks: Marks) -> Result<Option<T>, String> {
    let Some(number) = base(field, marks, None, Kind::PerSecond)? else { return Ok(None) };
    let whole = (number.fract() == 0.0 && number < 9e15).then_some(number as u64);
    let count = whole.and_then(|whole| T::try_from(whole).ok());
    count.map(Some).ok_or_else(|| format!("{field:?} is not a whole number"))
}

fn time(field: &str, marks: Marks, unit: Option<Unit>) -> Result<Option<f64>, String> {
    base(field, marks, unit, Kind::Time)
}

/// A figure in the base unit of `kind`.
fn base(field: &str, marks: Marks, column: Option<Unit>, kind: Kind) -> Result<Option<f64>, String> {
    Ok(told(field, marks, column, kind)?.map(|(number, unit)| number * unit.map_or(1.0, |unit| unit.factor)))
}

/// A figure as it is written, with its unit, which is of `kind`; its own goes before the column's.
fn told(field: &str, marks: Marks, column: Option<Unit>, kind: Kind) -> Result<Option<(f64, Option<Unit>)>, String> {
    let (number, own) = match figure(field, marks)? {
        Figure::Missing => return Ok(None),
        Figure::Number(number, own) => (number, own),
    };
    match own.or(column) {
        Some(unit) if unit.kind == Kind::Prefix && matches!(kind, Kind::PerSecond | Kind::Size) => {
            Ok(Some((number, Some(if kind == Kind::Size { unit.of_blocks() } else { unit }))))
        }
        Some(unit) if unit.kind != kind => Err(format!("{field:?} has the unit of something else")),
        unit => Ok(Some((number, unit))),
    }
}
