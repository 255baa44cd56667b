//! A capture of what `pg_stat_statements` counted: the statements with their calls and mean times. The view has neither
//! parameters nor sessions, transactions or an order. Values are drawn from the statistics of the columns that they are
//! compared with, each by itself; the order is drawn; each call is a transaction of its own.

mod drawn_values;

use std::collections::BTreeMap;
use std::path::Path;

use jiff::Timestamp;

use crate::assemble::TextTable;
use crate::directory::{
    CaptureLoss, CaptureResult, CaptureSource, CaptureSummary, CaptureWriter, CapturedEvent, EventAction, Execution,
    StatementProtocol,
};
use crate::losses::LossReason;
use crate::mask::ValueMask;
pub use drawn_values::{ColumnStatistics, DrawnValues, WHOLE_NUMBERS};
use drawn_values::{DrawRandom, ValueDrawer};
pub use sql::{ColumnReference, PlaceholderUse, UsedColumn, parameter_uses};

/// What `kind` says of this source in `capture.json`.
pub const STATEMENT_VIEW: &str = "pg_stat_statements";

/// Calls of a capture at most. A longer one has the same share of every statement's calls, in as much shorter a time.
const CALLS_AT_MOST: u64 = 1_000_000;

/// What the view counted of one statement.
#[derive(Debug, Clone)]
pub struct ViewedStatement {
    /// `queryid`.
    pub query_id: i64,
    /// `query`.
    pub text: String,
    /// Calls in the period.
    pub calls: u64,
    /// Their time together, in microseconds.
    pub busy_us: f64,
    /// Values of each parameter; else why there are none.
    pub values: Result<Vec<DrawnValues>, UnknownValues>,
}

/// Why a statement of the view cannot be executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum UnknownValues {
    /// The server does not prepare the text of the view.
    NotPrepared,
    /// Nothing is known of the values of a parameter.
    NoStatistics,
    /// It has its meaning within a session or a transaction only: BEGIN, SET, FETCH and others.
    NotAlone,
    /// The user may not see the text.
    HiddenText,
}

/// The period, and whose statements these are.
#[derive(Debug, Clone)]
pub struct ViewedPeriod {
    /// When the view was read first.
    pub begin: Timestamp,
    /// When it was read last.
    pub end: Timestamp,
    /// The server's version.
    pub server_version: String,
    /// The database.
    pub database: String,
    /// Statements that the view dropped meanwhile, because it was full.
    pub dropped: u64,
}

impl UnknownValues {
    fn loss_code(self) -> &'static str {
        match self {
            Self::NotPrepared => "text-not-prepared",
            Self::NoStatistics => "values-unknown",
            Self::NotAlone => "not-alone",
            Self::HiddenText => "text-hidden",
        }
    }
}

/// Statements that can be executed by themselves.
const ALONE: [&str; 8] = ["SELECT", "INSERT", "UPDATE", "DELETE", "MERGE", "VALUES", "TABLE", "WITH"];

/// Whether a text is a statement that can be executed without its session and its transaction.
#[must_use]
pub fn is_executed_alone(text: &str) -> bool {
    sql::read_statement(text).is_ok_and(|facts| ALONE.contains(&facts.kind.as_str()))
}

/// Writes the capture directory.
pub fn write_statement_view(
    statements: &[ViewedStatement],
    period: &ViewedPeriod,
    mask: ValueMask,
    directory: &Path,
) -> CaptureResult<CaptureSummary> {
    let source = CaptureSource { kind: STATEMENT_VIEW.to_owned(), files: Vec::new() };
    let incomplete = CaptureSummary::new_incomplete(vec![source], mask.mask_mode());
    let mut writer = CaptureWriter::create_capture(directory, &incomplete)?;
    let mut texts = TextTable::with_mask(mask);
    let mut losses: BTreeMap<&'static str, (u64, i64)> = BTreeMap::new();
    let mut kept = Vec::new();
    for statement in statements.iter().filter(|statement| statement.calls > 0) {
        match ViewedLoad::of_statement(statement, &mut texts, &mut writer)? {
            Ok(load) => kept.push(load),
            Err(code) => losses.entry(code).or_insert((0, statement.query_id)).0 += statement.calls,
        }
    }
    let all: u64 = kept.iter().map(|load| load.calls).sum();
    let share = (CALLS_AT_MOST as f64 / all.max(1) as f64).min(1.0);
    let mut order = Vec::new();
    for (number, load) in kept.iter().enumerate() {
        let calls = ((load.calls as f64 * share).round() as u64).max(1);
        order.extend(std::iter::repeat_n(number, usize::try_from(calls).unwrap_or(0)));
    }
    let mut random = DrawRandom::with_seed(all);
    random.shuffle_places(&mut order);
    let length_us = (period.end.duration_since(period.begin).as_micros().max(0) as f64 * share) as i64;
    let user = String::new();
    writer.write_event(CapturedEvent {
        session: 0,
        at_us: 0,
        action: EventAction::Connect {
            user,
            database: period.database.clone(),
            application: STATEMENT_VIEW.to_owned(),
        },
    })?;
    for (transaction, number) in order.iter().enumerate() {
        let at_us = (length_us as f64 * transaction as f64 / order.len() as f64) as i64;
        let execution = kept[*number].draw_execution(transaction as u64, texts.value_mask(), &mut random);
        writer.write_event(CapturedEvent { session: 0, at_us, action: EventAction::Execute(execution) })?;
    }
    let executed = order.len() as u64;
    let end = Timestamp::from_microsecond(period.begin.as_microsecond().saturating_add(length_us));
    writer.finish_capture(&CaptureSummary {
        begin: Some(period.begin),
        end: Some(end.unwrap_or(period.end)),
        server_version: Some(period.server_version.clone()),
        databases: BTreeMap::from([(period.database.clone(), executed)]),
        sessions: 1,
        transactions: executed,
        losses: list_losses(losses, period.dropped),
        ..incomplete
    })
}

/// The losses, each with the first statement; `dropped` of the view itself.
fn list_losses(losses: BTreeMap<&'static str, (u64, i64)>, dropped: u64) -> Vec<CaptureLoss> {
    let mut listed: Vec<CaptureLoss> = Vec::new();
    for (code, (count, query_id)) in losses {
        listed.push(CaptureLoss { reason: code.to_owned(), count, first: format!("queryid {query_id}") });
    }
    if dropped > 0 {
        let first = "pg_stat_statements_info".to_owned();
        listed.push(CaptureLoss { reason: "statements-dropped".to_owned(), count: dropped, first });
    }
    listed
}

/// A statement of the view that can be executed.
struct ViewedLoad {
    statement: u64,
    calls: u64,
    mean_us: u64,
    literals: Vec<String>,
    holds_secret: bool,
    drawers: Vec<ValueDrawer>,
}

impl ViewedLoad {
    /// `Err`: the code of the loss.
    fn of_statement(
        statement: &ViewedStatement,
        texts: &mut TextTable,
        writer: &mut CaptureWriter,
    ) -> CaptureResult<Result<Self, &'static str>> {
        let values = match &statement.values {
            Ok(values) => values,
            Err(unknown) => return Ok(Err(unknown.loss_code())),
        };
        let known = match texts.look_up(statement.text.as_bytes()) {
            Ok(known) => known,
            Err(reason) => return Ok(Err(reason.reason_code())),
        };
        if known.parameters as usize != values.len() {
            return Ok(Err(LossReason::ParametersMissing.reason_code()));
        }
        Ok(Ok(Self {
            statement: known.statement.statement_id(StatementProtocol::Extended, writer)?,
            calls: statement.calls,
            mean_us: (statement.busy_us / statement.calls as f64).round() as u64,
            literals: known.literals.clone(),
            holds_secret: known.holds_secret,
            drawers: values.iter().map(ValueDrawer::of_values).collect(),
        }))
    }

    /// One call, with values of its own.
    fn draw_execution(&mut self, transaction: u64, mask: &ValueMask, random: &mut DrawRandom) -> Execution {
        let mut parameters = Vec::with_capacity(self.drawers.len());
        for drawer in &mut self.drawers {
            let value = drawer.draw_value(random);
            parameters.push(value.map(|text| mask.mask_parameter(text, self.holds_secret)));
        }
        Execution {
            statement: self.statement,
            transaction,
            duration_us: Some(self.mean_us),
            parameters,
            literals: self.literals.clone(),
            ..Execution::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::directory::CaptureReader;

    fn statement(text: &str, calls: u64, values: Result<Vec<DrawnValues>, UnknownValues>) -> ViewedStatement {
        ViewedStatement { query_id: 7, text: text.to_owned(), calls, busy_us: calls as f64 * 250.0, values }
    }

    fn written(statements: &[ViewedStatement]) -> (CaptureSummary, Vec<Execution>) {
        let place = tempfile::tempdir().expect("a temporary directory");
        let directory = place.path().join("view");
        let begin = Timestamp::from_second(1_795_000_000).expect("an instant");
        let period = ViewedPeriod {
            begin,
            end: begin + std::time::Duration::from_secs(60),
            server_version: "18.1".to_owned(),
            database: "shop".to_owned(),
            dropped: 2,
        };
        let summary = write_statement_view(statements, &period, ValueMask::new_open(), &directory).expect("written");
        let reader = CaptureReader::open_capture(&directory).expect("it was written");
        let mut executions = Vec::new();
        for event in reader.event_stream() {
            if let EventAction::Execute(execution) = event.expect("it was written").action {
                executions.push(execution);
            }
        }
        (summary, executions)
    }

    #[test]
    fn each_call_is_a_transaction_with_values_of_its_own() {
        let ids = ColumnStatistics { bounds: ["1", "1000"].map(str::to_owned).into(), ..ColumnStatistics::default() };
        let ids = ColumnStatistics { type_name: "int4".to_owned(), ..ids };
        let (summary, executions) = written(&[
            statement(
                "SELECT * FROM t WHERE id = $1 LIMIT $2",
                300,
                Ok(vec![DrawnValues::OfColumn(ids), DrawnValues::Constant("5".to_owned())]),
            ),
            statement("SELECT now()", 100, Ok(Vec::new())),
            statement("COMMIT", 40, Err(UnknownValues::NotAlone)),
            statement("SELECT 1 WHERE $1", 3, Err(UnknownValues::NoStatistics)),
        ]);
        assert_eq!((summary.transactions, summary.sessions, summary.statements, executions.len()), (400, 1, 2, 400));
        let lost: Vec<(&str, u64)> = summary.losses.iter().map(|loss| (loss.reason.as_str(), loss.count)).collect();
        assert_eq!(lost, [("not-alone", 40), ("values-unknown", 3), ("statements-dropped", 2)]);
        let first: Vec<&Execution> = executions.iter().filter(|one| one.parameters.len() == 2).collect();
        assert_eq!(first.len(), 300);
        let drawn: std::collections::BTreeSet<i64> = first
            .iter()
            .map(|one| one.parameters[0].as_deref().and_then(|text| text.parse().ok()).expect("a number"))
            .collect();
        assert!(drawn.len() > 100 && drawn.iter().all(|id| (1..=1000).contains(id)), "{drawn:?}");
        assert!(first.iter().all(|one| one.parameters[1].as_deref() == Some("5") && one.duration_us == Some(250)));
        let is_mixed = executions[..100].iter().any(|one| one.parameters.is_empty())
            && executions[..100].iter().any(|one| !one.parameters.is_empty());
        assert!(is_mixed, "the order is drawn");
    }
}
