//! Classes of transactions, and the script of each.

use std::collections::{BTreeMap, HashMap};
use std::num::NonZeroU32;

use capture::directory::{
    CaptureMask, CaptureReader, CapturedEvent, CapturedStatement, EventAction, StatementProtocol,
};
use load::{csv_line, escape_statement, fill_statement};

use super::executed_values::{NumberedExecution, values_of_statement};
use super::links::{CapturedLinks, ValueSource};
use super::pauses::pauses_of_transaction;
use super::sessions::{CapturedSessions, ReplayedTransaction};
use super::summary::{
    NotReplayed, ORDER_FILE, REPLAY_FILE, ReplaySummary, ReplayedAmount, ReplayedScript, ReplayedStatement, TimedReplay,
};
use super::transactions::{CapturedTransaction, OpenTransactions};
use super::{CapturedScripts, ReplayTimes};
use crate::statements::{tables_changed, tables_named};

/// The most classes: the engine has so many scripts at most. The most frequent ones are taken.
const CLASSES: usize = 4_096;

/// What begins a column of the values.
const COLUMN: &str = "v";

/// What begins the variable of a value that a statement returned.
const RETURNED: &str = "r";

/// What begins the column of a pause, before the number of the statement that comes after it.
const PAUSE: &str = "p";

/// Statements that only change the state of their session, when they stand outside of a transaction. With a connection
/// for each client there is no session of the capture in which they could.
const SESSION_STATE: [&str; 9] =
    ["SET", "RESET", "DISCARD", "LISTEN", "UNLISTEN", "PREPARE", "EXECUTE", "DEALLOCATE", "LOAD"];

/// The classes of a capture, as far as it has been read.
pub(super) struct TransactionClasses<'a> {
    capture: &'a CaptureReader,
    times: ReplayTimes,
    /// The database with the most statements, if the capture has several.
    only_database: Option<&'a str>,
    /// Sessions of the others, each with its database.
    elsewhere: HashMap<u64, String>,
    links: CapturedLinks,
    /// The number of the next event.
    next_event: u64,
    open: OpenTransactions,
    sessions: CapturedSessions,
    places: HashMap<Vec<ClassStep>, usize>,
    classes: Vec<ReplayedClass>,
    /// The class of each transaction, and its number in it.
    order: Vec<OrderedTransaction>,
    captured: ReplayedAmount,
    not_replayed: BTreeMap<&'static str, NotReplayed>,
    /// Statements that failed, by SQLSTATE.
    failures: BTreeMap<String, u64>,
}

/// A statement of a class. Literals of a statement with parameters are a part of its text; those of a statement of the
/// simple protocol are values of the transaction.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct ClassStep {
    statement: u64,
    literals: Vec<String>,
    /// Where its values come from, by their place.
    sources: BTreeMap<u32, StepSource>,
    /// Columns of its result that are kept.
    kept: Vec<u32>,
}

/// A transaction that can be replayed.
struct ReplayableTransaction {
    /// Its class.
    steps: Vec<ClassStep>,
    /// The numbers of values that are kept, in the order of their columns: of each statement those that it takes, then
    /// those that it returns.
    kept_numbers: Vec<String>,
}

/// Where a value comes from, in the terms of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum StepSource {
    /// A column, from 0, that the statement at this place of the transaction has returned.
    Returned { step: usize, column: u32 },
    /// What is kept under the number in a further column of the values.
    Kept,
}

#[derive(Debug)]
struct ReplayedClass {
    steps: Vec<ClassStep>,
    amount: ReplayedAmount,
    /// The time of each step over all transactions, in microseconds.
    busy_us: Vec<u64>,
    /// A line of CSV for each transaction, and where each ends.
    rows: String,
    row_ends: Vec<usize>,
    /// Of each statement after the first, in a timed replay: whether a client has paused before it.
    pauses: Vec<bool>,
}

/// A transaction in the order in which they began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct OrderedTransaction {
    begin_us: i64,
    class: usize,
    row: usize,
    session: u64,
    end_us: i64,
}

/// Why a transaction is not replayed, and the statement that is the reason.
struct Unreplayable<'a> {
    reason: &'static str,
    statement: &'a str,
}

impl<'a> Unreplayable<'a> {
    fn from_statement(reason: &'static str, statement: &'a CapturedStatement) -> Self {
        Self { reason, statement: &statement.text }
    }
}

impl<'a> TransactionClasses<'a> {
    pub(super) fn new(capture: &'a CaptureReader, links: CapturedLinks, times: ReplayTimes) -> Self {
        let databases = &capture.summary().databases;
        let most_used = databases.iter().max_by_key(|(_, statements)| **statements).map(|(name, _)| name.as_str());
        Self {
            capture,
            times,
            only_database: most_used.filter(|_| databases.len() > 1),
            elsewhere: HashMap::new(),
            links,
            next_event: 0,
            sessions: CapturedSessions::default(),
            open: OpenTransactions::default(),
            places: HashMap::new(),
            classes: Vec::new(),
            order: Vec::new(),
            captured: ReplayedAmount::default(),
            not_replayed: BTreeMap::new(),
            failures: BTreeMap::new(),
        }
    }

    /// The next event.
    pub(super) fn add_event(&mut self, event: CapturedEvent) {
        let number = self.next_event;
        self.next_event += 1;
        match &event.action {
            EventAction::Connect { database, .. } => {
                self.sessions.note_connect(event.session, event.at_us);
                if self.only_database.is_some_and(|only| only != database) {
                    self.elsewhere.insert(event.session, database.clone());
                }
            }
            EventAction::Disconnect => self.sessions.note_disconnect(event.session, event.at_us),
            EventAction::Execute(_) => {}
        }
        if let Some(transaction) = self.open.add_event(number, event) {
            self.add_transaction(&transaction);
        }
    }

    /// There are no more events.
    pub(super) fn end_of_capture(&mut self) {
        for transaction in std::mem::take(&mut self.open).into_rest() {
            self.add_transaction(&transaction);
        }
    }

    fn add_transaction(&mut self, transaction: &CapturedTransaction) {
        let (begin_us, session) = (transaction.begin_us(), transaction.session);
        let executions = &transaction.executions;
        let amount = amount_of_transaction(executions);
        self.captured.add_amount(amount);
        if let Some(database) = self.elsewhere.get(&session) {
            count_not_replayed(&mut self.not_replayed, "other-database", 1, format!("those of {database}"));
            return;
        }
        for sqlstate in executions.iter().filter_map(|it| it.execution.error.as_deref()) {
            *self.failures.entry(sqlstate.to_owned()).or_default() += 1;
        }
        let ReplayableTransaction { steps, kept_numbers } = match self.replayable_transaction(session, executions) {
            Ok(replayable) => replayable,
            Err(Unreplayable { reason, statement }) => {
                let example = statement.to_owned();
                count_not_replayed(&mut self.not_replayed, reason, 1, example);
                return;
            }
        };
        let mut values = self.values_of_transaction(executions);
        values.extend(kept_numbers.iter().map(|number| Some(number.as_str())));
        let pauses = match self.times {
            ReplayTimes::Sampled => Vec::new(),
            ReplayTimes::Timed { speed } => {
                let durations_us: Vec<Option<u64>> = executions.iter().map(|it| it.execution.duration_us).collect();
                pauses_of_transaction(&transaction.begins_us, &durations_us, speed)
            }
        };
        let pause_texts: Vec<String> = pauses.iter().map(u64::to_string).collect();
        values.extend(pause_texts.iter().map(|text| Some(text.as_str())));
        let row = csv_line(&values);
        let place = match self.places.get(&steps) {
            Some(place) => *place,
            None => {
                self.places.insert(steps.clone(), self.classes.len());
                self.classes.push(ReplayedClass::new(steps));
                self.classes.len() - 1
            }
        };
        let class = &mut self.classes[place];
        class.amount.add_amount(amount);
        for (busy_us, execution) in class.busy_us.iter_mut().zip(executions) {
            *busy_us += execution.execution.duration_us.unwrap_or_default();
        }
        class.rows.push_str(&row);
        class.row_ends.push(class.rows.len());
        class.pauses.resize(pauses.len(), false);
        for (is_there, pause_us) in class.pauses.iter_mut().zip(&pauses) {
            *is_there |= *pause_us > 0;
        }
        let row = class.row_ends.len() - 1;
        let (session, end_us) = (transaction.session, transaction.end_us());
        self.order.push(OrderedTransaction { begin_us, class: place, row, session, end_us });
    }

    /// What a transaction is made of, unless it cannot be replayed.
    fn replayable_transaction(
        &self,
        session: u64,
        executions: &[NumberedExecution],
    ) -> Result<ReplayableTransaction, Unreplayable<'a>> {
        let mut steps = Vec::with_capacity(executions.len());
        let mut kept_numbers = Vec::new();
        let mut step_of_event = HashMap::new();
        for executed in executions {
            let NumberedExecution { event, execution } = executed;
            let Some(statement) = self.capture.statement_by_id(execution.statement) else { continue };
            if execution.error.is_some() {
                return Err(Unreplayable::from_statement("failed", statement));
            }
            if statement.beyond.is_some() {
                return Err(Unreplayable::from_statement("beyond", statement));
            }
            if statement.kind == "COPY" {
                return Err(Unreplayable::from_statement("copied-data", statement));
            }
            if executions.len() == 1 && self.is_left_out_of_session(statement) {
                return Err(Unreplayable::from_statement("session-state", statement));
            }
            let fits = execution.parameters.len() == statement.parameters as usize
                && execution.literals.len() == statement.literals as usize;
            if !fits {
                return Err(Unreplayable::from_statement("values-missing", statement));
            }
            let literals = match statement.protocol {
                StatementProtocol::Simple => Vec::new(),
                StatementProtocol::Extended => execution.literals.clone(),
            };
            let mut sources = BTreeMap::new();
            for (place, source) in self.links.sources_of_execution(session, executed, statement) {
                let source = match source {
                    ValueSource::Same { event, column } => match step_of_event.get(&event) {
                        Some(step) => StepSource::Returned { step: *step, column },
                        None => continue,
                    },
                    ValueSource::Kept { number } => {
                        kept_numbers.push(number.to_string());
                        StepSource::Kept
                    }
                };
                sources.insert(place, source);
            }
            let mut kept = Vec::new();
            for (column, number) in self.links.kept_columns(*event) {
                kept.push(column);
                kept_numbers.push(number.to_string());
            }
            let step = ClassStep { statement: statement.id, literals, sources, kept };
            step_of_event.insert(*event, steps.len());
            if script_statement(statement, &step, 0, &BTreeMap::new()).is_none() {
                return Err(Unreplayable::from_statement("not-a-script", statement));
            }
            steps.push(step);
        }
        let kinds: Vec<&str> = steps.iter().filter_map(|step| self.kind_of_step(step)).collect();
        if !is_whole_transaction(&kinds) {
            let first = steps.first().and_then(|step| self.capture.statement_by_id(step.statement));
            return Err(Unreplayable { reason: "unfinished", statement: first.map_or("", |first| &first.text) });
        }
        Ok(ReplayableTransaction { steps, kept_numbers })
    }

    /// Whether a statement that stands alone is not executed because of what it does to its session.
    fn is_left_out_of_session(&self, statement: &CapturedStatement) -> bool {
        match self.times {
            ReplayTimes::Sampled => SESSION_STATE.contains(&statement.kind.as_str()),
            // The statements that a driver prepared by its protocol have other names in the replay.
            ReplayTimes::Timed { .. } => {
                let is_of_all = statement.text.to_ascii_uppercase().ends_with(" ALL");
                let prepares = self.capture.statements().iter().any(|other| other.kind == "PREPARE");
                statement.kind == "DEALLOCATE" && !is_of_all && !prepares
            }
        }
    }

    fn kind_of_step(&self, step: &ClassStep) -> Option<&'a str> {
        self.capture.statement_by_id(step.statement).map(|statement| statement.kind.as_str())
    }

    /// The values of a transaction, in the order of its columns.
    fn values_of_transaction<'e>(&self, executions: &'e [NumberedExecution]) -> Vec<Option<&'e str>> {
        let mut values = Vec::new();
        for NumberedExecution { execution, .. } in executions {
            let Some(statement) = self.capture.statement_by_id(execution.statement) else { continue };
            values.extend(execution.parameters.iter().map(Option::as_deref));
            if statement.protocol == StatementProtocol::Simple {
                values.extend(execution.literals.iter().map(|literal| Some(literal.as_str())));
            }
        }
        values
    }

    /// The scripts of the most frequent classes. `torn` says where the capture breaks off.
    pub(super) fn into_scripts(mut self, torn: Option<String>) -> CapturedScripts {
        let capture = self.capture;
        // Those that began in the same instant of the log stay in the order of their session.
        self.order.sort_by_key(|ordered| ordered.begin_us);
        let mut by_number: Vec<(usize, &ReplayedClass)> = self.classes.iter().enumerate().collect();
        by_number.sort_by_key(|(_, class)| std::cmp::Reverse(class.amount.transactions));
        let mut rows_of_class: Vec<Vec<usize>> = vec![Vec::new(); self.classes.len()];
        for ordered in &self.order {
            rows_of_class[ordered.class].push(ordered.row);
        }
        let mut place_of_class: Vec<Option<usize>> = vec![None; self.classes.len()];
        let mut summary = ReplaySummary::new_empty();
        let mut files = Vec::new();
        for (number, (class_number, class)) in by_number.into_iter().enumerate() {
            let made = if number < CLASSES { class.make_script(number + 1, capture) } else { None };
            let Some(ClassScript { name, text, columns }) = made else {
                let reason = if number < CLASSES { "not-a-script" } else { "rare" };
                let example = class.first_text(capture).to_owned();
                count_not_replayed(&mut self.not_replayed, reason, class.amount.transactions, example);
                continue;
            };
            let values = (!columns.is_empty()).then(|| format!("{name}.csv"));
            summary.replayed.add_amount(class.amount);
            summary.writes |=
                class.steps.iter().filter_map(|step| capture.statement_by_id(step.statement)).any(|it| it.writes);
            place_of_class[class_number] = Some(summary.scripts.len());
            summary.scripts.push(ReplayedScript {
                file: format!("{name}.sql"),
                values: values.clone(),
                weight: weight_of_class(class.amount.transactions),
                busy_us: class.amount.busy_us,
                statements: class.replayed_statements(capture),
            });
            files.push((format!("{name}.sql"), text));
            let rows = class.ordered_rows(&rows_of_class[class_number]);
            files.extend(values.map(|file| (file, format!("{}\n{rows}", columns.join(",")))));
        }
        let mut replayed = Vec::with_capacity(self.order.len());
        for OrderedTransaction { begin_us, class, session, end_us, .. } in &self.order {
            if let Some(script) = place_of_class[*class] {
                replayed.push(ReplayedTransaction { session: *session, script, begin_us: *begin_us, end_us: *end_us });
            }
        }
        let mut order = String::new();
        match self.times {
            ReplayTimes::Sampled => replayed.iter().for_each(|one| order.push_str(&format!("{}\n", one.script))),
            ReplayTimes::Timed { speed } => {
                let placed = self.sessions.place_transactions(&replayed, speed);
                placed.lines.iter().for_each(|line| order.push_str(&line.to_text()));
                let (sessions, connections) = (placed.sessions, placed.connections);
                let window_ends_us = placed.window_ends_us;
                summary.timed = Some(TimedReplay { speed, sessions, connections, window_ends_us });
            }
        }
        files.push((ORDER_FILE.to_owned(), order));
        summary.captured = self.captured;
        summary.failures = self.failures;
        summary.not_replayed = self.not_replayed.into_values().collect();
        summary.not_replayed.sort_by_key(|not| std::cmp::Reverse(not.transactions));
        let of_capture = capture.summary();
        (summary.begin, summary.end) = (of_capture.begin, of_capture.end);
        summary.server_version.clone_from(&of_capture.server_version);
        let database = self.only_database.or_else(|| of_capture.databases.keys().next().map(String::as_str));
        summary.database = database.map(str::to_owned);
        summary.is_cut = !of_capture.complete;
        summary.masked = of_capture.masked != CaptureMask::None;
        summary.torn = torn;
        files.insert(0, (REPLAY_FILE.to_owned(), summary.to_json()));
        CapturedScripts { summary, files }
    }
}

fn weight_of_class(transactions: u64) -> NonZeroU32 {
    NonZeroU32::new(u32::try_from(transactions).unwrap_or(u32::MAX)).unwrap_or(NonZeroU32::MIN)
}

fn amount_of_transaction(executions: &[NumberedExecution]) -> ReplayedAmount {
    let busy_us = executions.iter().filter_map(|it| it.execution.duration_us).sum();
    ReplayedAmount { transactions: 1, calls: executions.len() as u64, busy_us }
}

impl ReplayedAmount {
    fn add_amount(&mut self, other: Self) {
        self.transactions += other.transactions;
        self.calls += other.calls;
        self.busy_us += other.busy_us;
    }
}

fn count_not_replayed(
    counted: &mut BTreeMap<&'static str, NotReplayed>,
    reason: &'static str,
    transactions: u64,
    example: String,
) {
    let entry =
        counted.entry(reason).or_insert_with(|| NotReplayed { reason: reason.to_owned(), transactions: 0, example });
    entry.transactions += transactions;
}

/// Whether a transaction that begins also ends, and one that ends has begun.
fn is_whole_transaction(kinds: &[&str]) -> bool {
    match kinds {
        [] => false,
        [only] => !begins_transaction(only) && !ends_transaction(only),
        [first, .., last] => begins_transaction(first) == ends_transaction(last),
    }
}

fn begins_transaction(kind: &str) -> bool {
    matches!(kind, "BEGIN" | "START TRANSACTION")
}

fn ends_transaction(kind: &str) -> bool {
    matches!(kind, "COMMIT" | "END" | "ROLLBACK" | "ABORT" | "PREPARE TRANSACTION")
}

/// The script of a class.
struct ClassScript {
    name: String,
    text: String,
    columns: Vec<String>,
}

impl ReplayedClass {
    fn new(steps: Vec<ClassStep>) -> Self {
        let (amount, rows, row_ends) = (ReplayedAmount::default(), String::new(), Vec::new());
        let busy_us = vec![0; steps.len()];
        Self { steps, amount, busy_us, rows, row_ends, pauses: Vec::new() }
    }

    /// The variables that stand for values which the server returns, by the column of the captured value (from 1).
    fn returned_variables(&self, capture: &CaptureReader) -> BTreeMap<u32, String> {
        let mut variables = BTreeMap::new();
        let mut columns = 0;
        for step in &self.steps {
            let Some(statement) = capture.statement_by_id(step.statement) else { continue };
            for (place, source) in &step.sources {
                if let StepSource::Returned { step, column } = source {
                    variables.insert(columns + place + 1, returned_variable(*step, *column));
                }
            }
            columns += values_of_statement(statement);
        }
        variables
    }

    /// `None` where a text cannot stand in a script.
    fn make_script(&self, number: usize, capture: &CaptureReader) -> Option<ClassScript> {
        let mut statements = String::new();
        let mut columns = 0;
        let returned = self.returned_variables(capture);
        let mut number_column = 0;
        for step in &self.steps {
            number_column += values_of_statement(capture.statement_by_id(step.statement)?);
        }
        for (place, step) in self.steps.iter().enumerate() {
            let statement = capture.statement_by_id(step.statement)?;
            if place > 0 && self.pauses.get(place - 1) == Some(&true) {
                statements.push_str(&format!("\\sleep :{} us\n", pause_name(place + 1)));
            }
            for (value, source) in &step.sources {
                if *source == StepSource::Kept {
                    number_column += 1;
                    let names = (column_name(columns + value + 1), column_name(number_column));
                    statements.push_str(&format!("\\recall {} {}\n", names.0, names.1));
                }
            }
            statements.push_str(&script_statement(statement, step, columns, &returned)?);
            columns += values_of_statement(statement);
            let prefix = prefix_of_step(place);
            let is_returned = returned.values().any(|variable| variable.starts_with(&prefix));
            statements.push_str(&statement_end(statement.protocol, &prefix, is_returned || !step.kept.is_empty()));
            for column in &step.kept {
                number_column += 1;
                let names = (returned_variable(place, *column), column_name(number_column));
                statements.push_str(&format!("\\remember {} {}\n", names.0, names.1));
            }
        }
        let name = format!("{number:03}-{}", self.object_name(capture));
        let has_values = number_column > 0 || self.pauses.contains(&true);
        let values = if has_values { format!("\\values {name}.csv listed\n") } else { String::new() };
        let mut columns: Vec<String> = (1..=number_column).map(column_name).collect();
        if has_values {
            columns.extend((0..self.pauses.len()).map(|place| pause_name(place + 2)));
        }
        Some(ClassScript { name, text: values + &statements, columns })
    }

    /// Its statements, with the time that the capture has for each.
    fn replayed_statements(&self, capture: &CaptureReader) -> Vec<ReplayedStatement> {
        let mut statements = Vec::with_capacity(self.steps.len());
        for (step, busy_us) in self.steps.iter().zip(&self.busy_us) {
            let known = capture.statement_by_id(step.statement);
            let fingerprint = known.map_or_else(String::new, |statement| statement.fingerprint.clone());
            statements.push(ReplayedStatement { fingerprint, busy_us: *busy_us });
        }
        statements
    }

    /// Its rows in this order.
    fn ordered_rows(&self, order: &[usize]) -> String {
        let mut rows = String::with_capacity(self.rows.len());
        for row in order {
            let begin = row.checked_sub(1).map_or(0, |before| self.row_ends[before]);
            rows.push_str(&self.rows[begin..self.row_ends[*row]]);
        }
        rows
    }

    /// What a person knows it by: the command and the table of the first statement that changes rows, else of the first
    /// that names a table.
    fn object_name(&self, capture: &CaptureReader) -> String {
        let statements: Vec<&CapturedStatement> =
            self.steps.iter().filter_map(|step| capture.statement_by_id(step.statement)).collect();
        for tables_of in [tables_changed, tables_named] {
            for statement in &statements {
                if let Some(table) = tables_of(&statement.text).into_iter().next() {
                    return file_name_part(&format!("{}-{table}", statement.kind));
                }
            }
        }
        file_name_part(statements.first().map_or("transaction", |statement| &statement.kind))
    }

    fn first_text<'c>(&self, capture: &'c CaptureReader) -> &'c str {
        let first = self.steps.first().and_then(|step| capture.statement_by_id(step.statement));
        first.map_or("", |statement| statement.text.as_str())
    }
}

/// Lower case, and hyphens for what is neither letter, digit nor underscore of ASCII; at most 40 characters.
fn file_name_part(text: &str) -> String {
    text.chars().take(40).map(file_name_character).collect()
}

fn file_name_character(c: char) -> char {
    if c.is_ascii_alphanumeric() || c == '_' { c.to_ascii_lowercase() } else { '-' }
}

/// What begins the variables of what a statement returned.
fn prefix_of_step(step: usize) -> String {
    format!("{RETURNED}{}_", step + 1)
}

/// The column of the pause before a statement, which has this number from 1.
fn pause_name(statement: usize) -> String {
    format!("{PAUSE}{statement}")
}

/// The variable of a column, from 0, that a statement returned.
fn returned_variable(step: usize, column: u32) -> String {
    format!("{}{}", prefix_of_step(step), column + 1)
}

/// What ends a statement in a script: how it is sent, and whether its last row becomes variables.
fn statement_end(protocol: StatementProtocol, prefix: &str, is_returned: bool) -> String {
    match (protocol, is_returned) {
        (StatementProtocol::Simple, false) => " \\gsimple\n".to_owned(),
        (StatementProtocol::Extended, false) => ";\n".to_owned(),
        (StatementProtocol::Simple, true) => format!(" \\aset {prefix}\n\\gsimple\n"),
        (StatementProtocol::Extended, true) => format!(" \\aset {prefix}\n"),
    }
}

fn column_name(number: u32) -> String {
    format!("{COLUMN}{number}")
}

/// The text of a statement in a script in which `before` columns are those of the statements before it.
fn script_statement(
    statement: &CapturedStatement,
    step: &ClassStep,
    before: u32,
    returned: &BTreeMap<u32, String>,
) -> Option<String> {
    let is_variable: &dyn Fn(&str) -> bool = match statement.protocol {
        StatementProtocol::Simple => &is_taken_name,
        StatementProtocol::Extended => &|_| true,
    };
    fill_statement(&statement.text, is_variable, &|number| match returned.get(&(before + number)) {
        Some(variable) if number <= values_of_statement(statement) => Some(format!(":{variable}")),
        Some(_) | None => value_in_script(statement, step, before, number),
    })
}

/// What stands for `$number` of a statement.
fn value_in_script(statement: &CapturedStatement, step: &ClassStep, before: u32, number: u32) -> Option<String> {
    if number == 0 || number > statement.parameters + statement.literals {
        return None;
    }
    let literal = number.checked_sub(statement.parameters + 1).and_then(|place| step.literals.get(place as usize));
    match literal {
        // Of a statement with parameters.
        Some(literal) => escape_statement(literal, &|_| true),
        None => Some(format!(":{}", column_name(before + number))),
    }
}

/// Whether a name could be that of a variable in one of these scripts.
fn is_taken_name(name: &str) -> bool {
    let number = name.strip_prefix(COLUMN).or_else(|| name.strip_prefix(PAUSE));
    let is_column = number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
    let is_returned = name.strip_prefix(RETURNED).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    is_column || is_returned || ["client_id", "default_seed", "random_seed", "scale"].contains(&name)
}
