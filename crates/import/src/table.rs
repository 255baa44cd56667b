//! Tables of published figures: a header with units in its names, then a row for each cell or storage job, or in wide
//! tables for several.
//!
//! Any separator, Markdown, decimal commas, missing fields, and fields with units of their own are read; a field that
//! is neither a figure nor missing is an error with its line and column.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher, RandomState};

use results::disk::StatedCaps;
use results::told::{ToldFlow, ToldLatency, ToldStorage};
use stats::centre::range_of_figures;

use super::arrangement;
use super::columns::{self, ImportColumn, RequestDirection, ServerColumn, Statistic, Subject};
use super::computed_figures::{computed_figures, with_computed};
use super::figure::{self, Marks, TableFigure, is_not_measured, may_part_thousands, parse_change, parse_figure};
use super::found::{FileContent, FoundTrial, ImportedDocument, ImportedRows, TrialSharing};
use super::grid::{self, Grid};
use super::grid_rows::GridRows;
use super::layout::{self, Meanings, RowShape};
use super::source_file::SourceFile;
use super::unit::{UnitFactor, UnitKind};
use problem::Problem;

/// How many lines of a text are looked at to see whether it is a table.
const LINES_LOOKED_AT: usize = 40;

/// Whether a text holds the header of a table of which columns are known, or stated.
pub(crate) fn looks_like_one(file: &SourceFile, head: &str, meanings: &Meanings) -> bool {
    if grid::candidate_headers(head).iter().any(|header| layout::is_known_header(header, meanings)) {
        return true;
    }
    // Its first lines show how its columns are arranged; the last one may be cut.
    let first: String = head.split_inclusive('\n').take(LINES_LOOKED_AT).collect();
    let grids = grid::parse_grids(file, &first).unwrap_or_default();
    grids.into_iter().any(|grid| arrangement::arrange_grid(grid, meanings).is_arranged)
}

/// The columns of a table of which one is known, which is too few to read it: that one, and the others.
pub(crate) fn partly_known(head: &str) -> Option<(String, Vec<String>)> {
    grid::candidate_headers(head).into_iter().find_map(|header| {
        let (known, unknown): (Vec<String>, Vec<String>) =
            header.into_iter().partition(|name| columns::parse_column_name(name).is_some());
        let [known] = <[String; 1]>::try_from(known).ok()?;
        (!unknown.is_empty()).then_some((known, unknown))
    })
}

/// Reads the tables of a file.
///
/// # Errors
/// When a header or a field is not understood, or a row says the same as another.
pub(crate) fn read_tables(
    file: &SourceFile,
    text: String,
    meanings: &Meanings,
) -> Result<Vec<ImportedDocument>, Problem> {
    let grids = grid::parse_grids(file, &text)?;
    drop(text);
    let computed = computed_figures(file, &grids);
    let document = read_grids(file, arrangement::arrange_grids(grids, meanings), meanings)?;
    Ok(with_computed(file, vec![document], computed))
}

/// Reads the tables of a file.
///
/// # Errors
/// As for [`read_tables`].
pub(crate) fn read_grids(
    file: &SourceFile,
    grids: Vec<Grid>,
    meanings: &Meanings,
) -> Result<ImportedDocument, Problem> {
    let (known, others): (Vec<Grid>, Vec<Grid>) =
        grids.into_iter().partition(|grid| layout::is_table_of_figures(grid, meanings));
    let headings: BTreeSet<&Option<String>> = known.iter().map(|grid| &grid.heading).collect();
    let labels: BTreeSet<&Option<String>> = known.iter().map(|grid| &grid.label).collect();
    let (has_headings, has_labels) = (headings.len() > 1, labels.len() > 1);
    let mut rows = ImportedRows::default();
    let mut notes = Vec::new();
    let mut tables = Vec::new();
    for grid in known {
        let heading = if has_headings { grid.heading.clone() } else { grid.label.clone() };
        let heading = heading.filter(|_| has_headings || has_labels);
        let shapes = layout::row_shapes(file, &grid, meanings)?;
        let marks = meanings.decimal_mark.unwrap_or_else(|| decimal_marks(&shapes, &grid));
        tables.push(ImportTable { file, grid, heading, heads_target: false, of_sides: Vec::new(), marks, shapes });
    }
    if file.target.is_none() && tables.iter().all(ImportTable::may_be_below_target) {
        tables.iter_mut().for_each(|table| table.heads_target = true);
        notes.push("the headings above its tables were read as names of targets".to_owned());
    } else if file.target.is_none() {
        tables.iter_mut().for_each(|table| table.of_sides = table.columns_of_sides());
    }
    for table in &mut tables {
        let of_table = std::mem::take(&mut table.grid.rows);
        table.read_rows(of_table, &mut rows)?;
        notes.extend(table.grid.notes.iter().cloned());
        notes.extend(table.column_notes());
    }
    durations_of_repetitions(&mut rows.trials);
    if rows.trials.is_empty() && rows.storage.is_empty() {
        return Err(Problem::usage_error(format!("{} has a header but no rows", file.display_name())));
    }
    if rows.of_neither {
        notes.push("figures of jobs without a direction (read or write) were ignored".to_owned());
    }
    let names: BTreeSet<&str> = rows.trials.iter().filter_map(|trial| trial.target.as_deref()).collect();
    let (of_servers, others): (Vec<Grid>, Vec<Grid>) =
        others.into_iter().partition(|grid| tells_of_servers(grid, &names));
    for grid in &of_servers {
        rows.of_servers.extend(read_of_servers(grid));
        notes.push(format!("the table at line {} was read as versions and settings of targets", grid.line));
    }
    if !others.is_empty() {
        let lines: Vec<String> = others.iter().map(|grid| grid.line.to_string()).collect();
        notes.push(format!("ignored, because they have no known column: the tables at lines {}", lines.join(", ")));
    }
    Ok(ImportedDocument { file: file.clone(), tool: "table", version: None, notes, content: FileContent::Table(rows) })
}

/// Whether a table has a row for each of several conditions and a column for each of several targets, and one of the
/// conditions is of PostgreSQL.
fn tells_of_servers(grid: &Grid, targets: &BTreeSet<&str>) -> bool {
    let [_, sides @ ..] = grid.header.as_slice() else { return false };
    sides.len() > 1
        && sides.iter().all(|side| targets.contains(side.as_str()))
        && read_of_servers(grid).next().is_some()
}

/// What such a table tells of PostgreSQL; its other rows are a person's.
fn read_of_servers(grid: &Grid) -> impl Iterator<Item = (String, ServerColumn, String)> {
    let told = grid.rows.rows_with_lines().filter_map(|(_, row)| Some((columns::of_server(row.field_at(0))?, row)));
    told.flat_map(move |(of, row)| {
        let cells = grid.header.iter().zip(row).skip(1).filter(|(_, value)| !value.is_empty());
        cells.map(move |(target, value)| (target.clone(), of, value.to_owned()))
    })
}

/// Repetitions that are asked for alike take about as long as each other.
const ABOUT_AS_LONG: f64 = 1.2;

/// Takes the column that tells how long trials were to run for how long they ran, where it is about the same for the
/// repetitions of each cell and not the same: those are asked for alike.
fn durations_of_repetitions(trials: &mut [FoundTrial]) {
    let mut of_cells: BTreeMap<_, Vec<f64>> = BTreeMap::new();
    for trial in trials.iter() {
        let cell = (&trial.target, &trial.workload, &trial.told.labels, trial.clients);
        of_cells.entry(cell).or_default().extend(trial.told.duration_s_stated);
    }
    let ranges = of_cells.values().filter_map(|durations| range_of_figures(durations));
    let unlike: Vec<[f64; 2]> = ranges.filter(|[least, most]| least < most).collect();
    if !unlike.is_empty() && unlike.iter().all(|[least, most]| *most <= ABOUT_AS_LONG * least) {
        for told in trials.iter_mut().map(|trial| &mut trial.told) {
            let stated = told.duration_s_stated.take();
            told.duration_s = told.duration_s.or(stated);
        }
    }
}

/// A table whose header is understood.
struct ImportTable<'a> {
    file: &'a SourceFile,
    /// What is read of it; its rows are given up as they are.
    grid: Grid,
    /// The heading above, where others are above other tables of the file.
    heading: Option<String>,
    /// Whether that is the target's name.
    heads_target: bool,
    /// Columns of no known subject that name the targets together, since no other does.
    of_sides: Vec<usize>,
    /// What its decimals are marked with, as far as its fields tell.
    marks: Marks,
    /// The rows of a line.
    shapes: Vec<RowShape>,
}

/// Whether a heading tells what was done, and not to whom.
pub(crate) fn is_of_workload(heading: &str) -> bool {
    const WORDS: [&str; 24] = [
        "read",
        "reads",
        "write",
        "writes",
        "update",
        "select",
        "insert",
        "tpcb",
        "tpc",
        "oltp",
        "only",
        "mixed",
        "client",
        "clients",
        "scale",
        "point",
        "random",
        "sequential",
        "workload",
        "query",
        "readonly",
        "readwrite",
        "ro",
        "rw",
    ];
    let heading = heading.to_lowercase();
    heading.split(|c: char| !c.is_alphanumeric()).any(|word| WORDS.contains(&word))
}

/// Whether a column tells something of this kind in one of the rows of a line.
fn has_subject(shapes: &[RowShape], index: usize, is: fn(Subject) -> bool) -> bool {
    let mut columns = shapes.iter().flat_map(|shape| &shape.columns);
    columns.any(|(at, column)| *at == index && column.as_ref().is_some_and(|column| is(column.subject)))
}

/// What the decimals of a table are marked with.
fn decimal_marks(shapes: &[RowShape], grid: &Grid) -> Marks {
    let mut figures: Vec<(usize, bool)> = Vec::new();
    for index in 0..grid.header.len() {
        if !has_subject(shapes, index, Subject::is_name) {
            let of_column = grid.rows.rows_with_lines().map(|(_, row)| row.field_at(index));
            let is_whole = has_subject(shapes, index, Subject::is_counted) || figure::are_whole_numbers(of_column);
            figures.push((index, is_whole));
        }
    }
    let rows = grid.rows.rows_with_lines().map(|(_, row)| row);
    Marks::from_fields(
        rows.flat_map(|row| figures.iter().map(move |(index, is_whole)| (row.field_at(*index), *is_whole))),
    )
}

/// The lines of the first row of a table that is equal to one above it, that one's first; none where all are unlike.
fn first_repeated_row(rows: &GridRows, header: &[String]) -> Option<[usize; 2]> {
    let hasher = RandomState::new();
    let mut hashes: Vec<(u64, usize)> = Vec::with_capacity(rows.row_count());
    for (at, (_, row)) in rows.rows_with_lines().enumerate() {
        if !row.all_fields().eq(header) {
            hashes.push((hasher.hash_one(row), at));
        }
    }
    hashes.sort_unstable();
    let mut repeated: Option<[usize; 2]> = None;
    for alike in hashes.chunk_by(|one, other| one.0 == other.0).filter(|alike| alike.len() > 1) {
        for (index, (_, at)) in alike.iter().enumerate() {
            let earlier = alike[..index].iter().map(|(_, earlier)| *earlier);
            let Some(first) = earlier.rev().find(|earlier| is_same_row(rows, *earlier, *at)) else { continue };
            if repeated.is_none_or(|[_, second]| *at < second) {
                repeated = Some([first, *at]);
            }
            // What comes then is further down.
            break;
        }
    }
    repeated.map(|places| places.map(|at| rows.row_at(at).map_or(0, |(line, _)| line)))
}

fn is_same_row(rows: &GridRows, one: usize, other: usize) -> bool {
    let [one, other] = [one, other].map(|at| rows.row_at(at).map(|(_, row)| row));
    one == other
}

impl ImportTable<'_> {
    /// Which columns are kept without being understood, and which name the targets by what they seem to be.
    fn column_notes(&self) -> Vec<String> {
        let (of_sides, kept): (Vec<usize>, Vec<usize>) =
            self.unknown_columns().into_iter().partition(|index| self.of_sides.contains(index));
        let all = [("read as the names of targets", of_sides), ("kept under its own name", kept)];
        let note = |(what, indices): (&str, Vec<usize>)| {
            let names: Vec<&str> = indices.into_iter().map(|index| self.grid.header[index].as_str()).collect();
            (!names.is_empty()).then(|| format!("{what}: {}", names.join(", ")))
        };
        all.into_iter().filter_map(note).collect()
    }

    fn indexed_columns(&self) -> impl Iterator<Item = (usize, Option<&ImportColumn>)> {
        self.shapes.iter().flat_map(|shape| &shape.columns).map(|(index, column)| (*index, column.as_ref()))
    }

    /// Columns of no known subject.
    fn unknown_columns(&self) -> BTreeSet<usize> {
        self.indexed_columns().filter(|(_, column)| column.is_none()).map(|(index, _)| index).collect()
    }

    /// Whether a column, or what is stated of one, names the targets.
    fn names_targets(&self) -> bool {
        self.indexed_columns().any(|(_, column)| column.is_some_and(|column| column.subject == Subject::Target))
            || self.shapes.iter().any(|shape| shape.stated.contains_key("target"))
    }

    /// The conditions that may name the targets where nothing else does.
    fn columns_of_sides(&self) -> Vec<usize> {
        if self.names_targets() {
            return Vec::new();
        }
        self.unknown_columns()
            .into_iter()
            .filter(|index| {
                let values = self.grid.rows.rows_with_lines().map(|(_, row)| row.field_at(*index));
                self.shapes.iter().all(|shape| shape.is_condition(*index))
                    && columns::may_name_sides(&self.grid.header[*index], values)
            })
            .collect()
    }

    fn read_rows(&self, of_table: GridRows, rows: &mut ImportedRows) -> Result<(), Problem> {
        let mut sharing = TrialSharing::default();
        let (trials, storage) = self.shapes.iter().fold((0, 0), |(trials, storage), shape| {
            if shape.is_storage { (trials, storage + 1) } else { (trials + 1, storage) }
        });
        rows.trials.reserve_exact(trials * of_table.row_count());
        rows.storage.reserve_exact(storage * of_table.row_count());
        // A header that stands there again begins a table that was appended.
        let repeated = first_repeated_row(&of_table, &self.grid.header);
        let names: Vec<usize> = (0..self.grid.header.len()).filter(|index| self.is_name(*index)).collect();
        let mut above: BTreeMap<usize, String> = BTreeMap::new();
        for part in of_table.into_parts() {
            for (line, row) in part.rows_with_lines().filter(|(_, row)| !row.all_fields().eq(&self.grid.header)) {
                if let Some([first, _]) = repeated.filter(|[_, second]| *second == line) {
                    return Err(self
                        .file
                        .problem_at_line(line, format!("repeats line {first}"))
                        .hint("remove one of them; repetitions have different figures"));
                }
                let mut fields: Vec<&str> = row.all_fields().collect();
                for index in &names {
                    if !fields[*index].is_empty() && above.get(index).is_none_or(|known| known != fields[*index]) {
                        above.insert(*index, fields[*index].to_owned());
                    }
                }
                // A name that stands once for several rows is written in the first of them.
                for (index, known) in &above {
                    fields[*index] = known;
                }
                for shape in &self.shapes {
                    self.read_row(line, &fields, shape, rows, &mut sharing)?;
                }
            }
        }
        Ok(())
    }

    fn is_name(&self, index: usize) -> bool {
        has_subject(&self.shapes, index, Subject::is_name) || self.of_sides.contains(&index)
    }

    /// Whether the heading above may be the name of a target: no column has one, and the heading is not of a workload.
    fn may_be_below_target(&self) -> bool {
        self.heading.as_deref().is_some_and(|heading| !is_of_workload(heading)) && !self.names_targets()
    }

    fn read_row(
        &self,
        line: usize,
        fields: &[&str],
        shape: &RowShape,
        rows: &mut ImportedRows,
        sharing: &mut TrialSharing,
    ) -> Result<(), Problem> {
        if !shape.own.is_empty()
            && shape
                .own
                .iter()
                .all(|index| matches!(parse_figure(fields[*index], self.marks), Ok(TableFigure::Missing)))
        {
            return Ok(());
        }
        let trial = FoundTrial { line, ..FoundTrial::default() };
        let mut row = ImportRow {
            marks: self.marks,
            is_storage: shape.is_storage,
            trial,
            storage: ToldStorage::default(),
            of_either: ToldFlow::default(),
        };
        for (key, value) in &shape.stated {
            let wrong = |what: String| self.file.problem_at_line(line, format!("{key} as declared: {what}"));
            row.enter_stated_value(key, value).map_err(wrong)?;
        }
        if self.heads_target {
            row.trial.target.clone_from(&self.heading);
        } else if let Some(heading) = &self.heading {
            row.trial.told.labels.insert("heading".to_owned(), heading.clone());
        }
        if !self.of_sides.is_empty() {
            let names = self.of_sides.iter().map(|index| fields[*index].trim()).filter(|name| !name.is_empty());
            row.trial.target = Some(names.collect::<Vec<_>>().join(" ")).filter(|name| !name.is_empty());
        }
        for (index, column) in shape.columns.iter().filter(|(index, _)| !self.of_sides.contains(index)) {
            let (name, field) = (&self.grid.header[*index], fields[*index]);
            let wrong = |what: String| self.file.problem_at_line(line, format!("column {name:?}: {what}"));
            if self.is_ambiguous(field) && !column.as_ref().is_some_and(|column| column.subject.is_name()) {
                let mark = if self.grid.has_decimal_commas { "point" } else { "comma" };
                return Err(wrong(format!("{field:?} has a {mark} before three digits"))
                    .hint(format!(
                        "write it without the {mark}, which may mark thousands or decimals, or declare decimal_mark in a study"
                    )));
            }
            match column {
                // What a trial of a database tells of the disk beside it is not of its transactions.
                Some(column) if shape.is_storage || !column.is_of_storage() => {
                    row.enter_field(column, field).map_err(wrong)?;
                }
                None if shape.is_condition(*index) => row.add_distinguishing_label(name, field),
                Some(_) | None => row.keep_unknown_field(name, field),
            }
        }
        // What sends the load has a thread for each client, where it tells of threads and of no clients.
        if !shape.has_clients && row.trial.clients.is_none() {
            row.trial.clients = row.trial.told.threads.take();
        }
        if shape.is_storage {
            let (storage, is_of_neither) = row.of_storage(self.file);
            rows.of_neither |= is_of_neither;
            rows.storage.push(storage);
        } else {
            sharing.share_values(&mut row.trial);
            rows.trials.push(row.trial);
        }
        Ok(())
    }

    fn is_ambiguous(&self, field: &str) -> bool {
        let is_figure = matches!(parse_figure(field, self.marks), Ok(TableFigure::Number(..)));
        // Where commas mark decimals points may part thousands, and the other way round.
        let mark = if self.grid.has_decimal_commas { '.' } else { ',' };
        is_figure && self.marks == Marks::Unknown && may_part_thousands(field, mark)
    }
}

/// A row being read: what is of a trial, and what is of a storage job.
struct ImportRow {
    /// What decimals are marked with.
    marks: Marks,
    /// Whether it is of a storage job.
    is_storage: bool,
    trial: FoundTrial,
    storage: ToldStorage,
    /// What is told of a job and neither of reads nor of writes.
    of_either: ToldFlow,
}

impl ImportRow {
    /// Enters what a study says of a row: a name or a count, or a label.
    fn enter_stated_value(&mut self, key: &str, value: &str) -> Result<(), String> {
        match columns::parse_column_name(key) {
            Some(column) if !column.is_flow() => self.enter_field(&column, value),
            Some(_) | None => {
                self.trial.told.labels.insert(key.to_owned(), value.to_owned());
                Ok(())
            }
        }
    }

    /// The job, and whether figures of it are neither of reads nor of writes, as far as columns and its name say.
    fn of_storage(mut self, file: &SourceFile) -> (ToldStorage, bool) {
        if self.storage.job.is_empty() {
            self.storage.job = self.trial.workload.take().unwrap_or_default();
        }
        let labels = self.trial.told.labels.values().cloned();
        let own = Some(self.storage.job.clone()).filter(|job| !job.is_empty());
        self.storage.job = own.into_iter().chain(labels).collect::<Vec<_>>().join(" ");
        let of_either = std::mem::take(&mut self.of_either);
        let is_told = !of_either.is_empty();
        let direction = direction_of_job(&self.storage.job);
        if let Some(direction) = direction.filter(|_| is_told) {
            *self.flow_mut(Some(direction)) = of_either;
        }
        let told = ToldStorage {
            target: self.trial.target.take().or(file.target.clone()).unwrap_or_else(|| file.file_stem()),
            source: format!("{}:{}", file.display_name(), self.trial.line),
            figures: std::mem::take(&mut self.trial.told.figures).into(),
            ..self.storage
        };
        (told, is_told && direction.is_none())
    }

    /// Keeps a field whose column is not known: a figure, or a label that tells the row from others.
    fn keep_unknown_field(&mut self, name: &str, field: &str) {
        match parse_figure(field, self.marks) {
            Ok(TableFigure::Missing) => {}
            Ok(TableFigure::Number(number, None)) => {
                self.trial.told.figures.insert(name.to_owned(), number);
            }
            Ok(TableFigure::Number(number, Some(unit))) if unit.kind == UnitKind::Prefix => {
                self.trial.told.figures.insert(name.to_owned(), number * unit.factor);
            }
            Ok(TableFigure::Number(_, Some(_))) | Err(_) => match parse_change(field, self.marks) {
                Some(change) => {
                    // The unit of a figure belongs into its name.
                    let is_unsaid = field.trim_end().ends_with('%') && !name.contains('%');
                    let name = if is_unsaid { format!("{name} %") } else { name.to_owned() };
                    self.trial.told.figures.insert(name, change);
                }
                None => {
                    self.trial.told.labels.insert(name.to_owned(), field.to_owned());
                }
            },
        }
    }

    /// Keeps what tells the row from others: a number with its name.
    fn add_distinguishing_label(&mut self, name: &str, field: &str) {
        match parse_figure(field, self.marks) {
            Ok(TableFigure::Number(..)) => {
                self.trial.told.labels.insert(name.to_owned(), format!("{name} {}", field.trim()));
            }
            Ok(TableFigure::Missing) | Err(_) => self.keep_unknown_field(name, field),
        }
    }

    fn enter_field(&mut self, column: &ImportColumn, field: &str) -> Result<(), String> {
        let marks = self.marks;
        let text = || Some(field.to_owned()).filter(|text| !text.is_empty());
        match column.subject {
            Subject::Target => self.trial.target = text(),
            Subject::Workload => {
                self.trial.workload = text();
                self.trial.told.script = text();
            }
            Subject::Job => self.storage.job = field.to_owned(),
            Subject::Clients => self.trial.clients = parse_count(field, marks, column.unit)?,
            Subject::Repetition => self.trial.repetition = parse_count(field, marks, column.unit)?,
            Subject::Threads => self.trial.told.threads = parse_count(field, marks, column.unit)?,
            Subject::Scale => self.trial.told.scale = parse_count(field, marks, column.unit)?,
            Subject::Depth => self.storage.depth = parse_count(field, marks, column.unit)?,
            Subject::Jobs => self.storage.jobs = parse_count(field, marks, column.unit)?,
            Subject::Transactions => {
                self.trial.told.transactions = parse_count(field, marks, column.unit)?;
                self.trial.told.counts_queries |= column.counts_queries;
                self.trial.told.duration_s_stated = column.over_s.or(self.trial.told.duration_s_stated);
            }
            Subject::Failed => self.trial.told.failed = parse_count(field, marks, column.unit)?,
            Subject::Throughput => {
                self.trial.told.throughput_per_s = parse_in_base_unit(field, marks, column.unit, UnitKind::PerSecond)?;
                self.trial.told.counts_queries = column.counts_queries;
            }
            Subject::Duration => {
                self.trial.told.duration_s_stated = parse_time_ns(field, marks, column.unit)?.map(|ns| ns / 1e9);
            }
            Subject::Elapsed => {
                self.trial.told.duration_s = parse_time_ns(field, marks, column.unit)?.map(|ns| ns / 1e9);
            }
            Subject::Thinking => self.trial.told.thinking_ns = parse_time_ns(field, marks, column.unit)?,
            Subject::Offered => {
                self.trial.told.offered_per_s = parse_in_base_unit(field, marks, column.unit, UnitKind::PerSecond)?;
            }
            Subject::Connecting => self.trial.told.connecting_ns = parse_time_ns(field, marks, column.unit)?,
            Subject::BlockSize => {
                let told = parse_with_unit(field, marks, column.unit, UnitKind::Size)?;
                self.storage.block_bytes = told.map(|(number, unit)| block_bytes(number, unit));
            }
            Subject::Utilisation => {
                self.storage.utilisation = parse_in_base_unit(field, marks, column.unit, UnitKind::Share)?;
            }
            Subject::StatedOperations | Subject::StatedBandwidth => self.enter_stated_cap(column, field)?,
            Subject::Operations => {
                let rate = parse_in_base_unit(field, marks, column.unit, UnitKind::PerSecond)?;
                self.flow_mut(column.direction).operations_per_s = rate;
            }
            Subject::Bandwidth => {
                let rate = parse_in_base_unit(field, marks, column.unit, UnitKind::SizePerSecond)?;
                self.flow_mut(column.direction).bytes_per_s = rate;
            }
            Subject::Latency => {
                let ns = parse_time_ns(field, marks, column.unit)?;
                let latency = match column.direction {
                    None if !self.is_storage => &mut self.trial.told.latency,
                    direction => &mut self.flow_mut(direction).latency,
                };
                enter_latency(latency, &column.statistic, ns);
            }
        }
        Ok(())
    }

    /// What is stated of the disk by itself.
    fn enter_stated_cap(&mut self, column: &ImportColumn, field: &str) -> Result<(), String> {
        let is_of_requests = column.subject == Subject::StatedOperations;
        let unit = if is_of_requests { UnitKind::PerSecond } else { UnitKind::SizePerSecond };
        let cap = parse_in_base_unit(field, self.marks, column.unit, unit)?.map(|per_s| per_s.round() as u64);
        let caps = self.caps_mut();
        if is_of_requests {
            caps.iops = cap;
        } else {
            caps.bytes_per_s = cap;
        }
        Ok(())
    }

    fn caps_mut(&mut self) -> &mut StatedCaps {
        self.storage.stated.get_or_insert(StatedCaps { iops: None, bytes_per_s: None })
    }

    fn flow_mut(&mut self, direction: Option<RequestDirection>) -> &mut ToldFlow {
        match direction {
            Some(RequestDirection::Write) => &mut self.storage.write,
            Some(RequestDirection::Read) => &mut self.storage.read,
            None => &mut self.of_either,
        }
    }
}

/// Whether a job of this name reads or writes: `randread`, `seq write 1M`; a mixture does both.
fn direction_of_job(job: &str) -> Option<RequestDirection> {
    let job = job.to_lowercase().replace("thread", "");
    match (job.contains("read"), job.contains("write")) {
        (true, false) => Some(RequestDirection::Read),
        (false, true) => Some(RequestDirection::Write),
        _ => None,
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
fn parse_count<T: TryFrom<u64>>(field: &str, marks: Marks, unit: Option<UnitFactor>) -> Result<Option<T>, String> {
    let Some(number) = parse_in_base_unit(field, marks, unit, UnitKind::PerSecond)? else { return Ok(None) };
    // A thousandth of a thousand may be off by the last bit.
    let is_whole = (number - number.round()).abs() <= 1e-9 * number && number < 9e15;
    let count = is_whole.then_some(number.round() as u64).and_then(|whole| T::try_from(whole).ok());
    count.map(Some).ok_or_else(|| format!("{field:?} is not a whole number"))
}

fn parse_time_ns(field: &str, marks: Marks, unit: Option<UnitFactor>) -> Result<Option<f64>, String> {
    parse_in_base_unit(field, marks, unit, UnitKind::Time)
}

/// A figure in the base unit of `kind`.
fn block_bytes(number: f64, unit: Option<UnitFactor>) -> u64 {
    (number * unit.map_or(1.0, |unit| unit.of_blocks().factor)) as u64
}

fn parse_in_base_unit(
    field: &str,
    marks: Marks,
    column: Option<UnitFactor>,
    kind: UnitKind,
) -> Result<Option<f64>, String> {
    Ok(parse_with_unit(field, marks, column, kind)?.map(|(number, unit)| number * unit.map_or(1.0, |unit| unit.factor)))
}

/// A figure as it is written, with its unit, which is of `kind`; its own goes before the column's.
fn parse_with_unit(
    field: &str,
    marks: Marks,
    column: Option<UnitFactor>,
    kind: UnitKind,
) -> Result<Option<(f64, Option<UnitFactor>)>, String> {
    if is_not_measured(field) {
        return Ok(None);
    }
    let (number, own) = match parse_figure(field, marks)? {
        TableFigure::Missing => return Ok(None),
        TableFigure::Number(number, own) => (number, own),
    };
    match own.or(column) {
        Some(unit) if unit.kind == UnitKind::Prefix && matches!(kind, UnitKind::PerSecond | UnitKind::Size) => {
            Ok(Some((number, Some(if kind == UnitKind::Size { unit.of_blocks() } else { unit }))))
        }
        Some(unit) if unit.kind != kind => Err(format!("{field:?} has the wrong unit")),
        unit => Ok(Some((number, unit))),
    }
}
