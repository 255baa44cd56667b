//! Failed transactions: how many of each cell, why, and how the sides differ; as lines for a person, and as data.

use judge::Judgement;
use judge::failures::{self, FailureComparison, TransactionAccount};
use judge::units;
use results::trial::FirstError;
use schemars::JsonSchema;
use serde::Serialize;

use super::data::EstimateData;
use super::document::{
    ColumnUnit, DocumentColumn, DocumentRow, DocumentTable, Holds, ReportSection, SectionBlock, TableCell, TableKind,
};

/// Failed and retried transactions of one cell.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CellAccountData {
    /// The target.
    pub target: String,
    /// Workload name.
    pub workload: String,
    /// Number of clients; absent if unknown.
    pub clients: Option<u32>,
    /// Its transactions.
    pub account: AccountData,
}

/// Failed and retried transactions.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AccountData {
    /// Ended transactions: completed or failed.
    pub ended: u64,
    /// Failed transactions, including those whose connection was lost.
    pub failed: u64,
    /// Failed transactions as a share of the ended ones, 0 to 1; absent if none ended.
    pub failed_share: Option<f64>,
    /// Retried transactions as a share of the ended ones, 0 to 1; absent if none ended.
    pub retried_share: Option<f64>,
    /// SQLSTATE, message and statement of the most frequent error, in words; empty if no transaction failed or the
    /// error is unknown.
    pub reason: String,
    /// Every SQLSTATE, the most frequent first.
    pub errors: Vec<ErrorData>,
}

/// The failures of one SQLSTATE.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ErrorData {
    /// The SQLSTATE.
    pub sqlstate: String,
    /// Transactions that failed with it.
    pub count: u64,
    /// The first error message for each statement that failed with it; empty if the generator does not report it.
    pub first: Vec<FirstErrorData>,
}

/// The first error of one statement.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FirstErrorData {
    /// The server's message.
    pub message: String,
    /// The script; absent if the error concerns no statement.
    pub script: Option<String>,
    /// The statement's line there, from 1.
    pub line: Option<u32>,
    /// Its text on one line, shortened.
    pub statement: Option<String>,
}

/// The failures of two sides compared.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FailureComparisonData {
    /// The baseline's transactions.
    pub baseline: AccountData,
    /// The candidate's.
    pub candidate: AccountData,
    /// Failed share of the candidate − failed share of the baseline; absent if no transaction of a side ended.
    pub difference: Option<EstimateData>,
    /// The comparison in words; empty if no transaction failed.
    pub text: String,
}

/// Every cell of which transactions failed or were retried.
pub(crate) fn failure_data(judgement: &Judgement) -> Vec<CellAccountData> {
    let shown = judgement.accounts.iter().filter(|cell| is_shown(&cell.account));
    shown
        .map(|cell| CellAccountData {
            target: cell.target.clone(),
            workload: cell.place.workload.clone(),
            clients: cell.place.clients.known_count(),
            account: account_data(&cell.account),
        })
        .collect()
}

/// The failures of a pair.
pub(crate) fn failure_comparison_data(pair: &FailureComparison) -> FailureComparisonData {
    FailureComparisonData {
        baseline: account_data(&pair.baseline),
        candidate: account_data(&pair.candidate),
        difference: pair.difference.map(|found| found.difference.into()),
        text: failures::in_words(pair).unwrap_or_default(),
    }
}

fn is_shown(account: &TransactionAccount) -> bool {
    account.ended_transactions().failed > 0 || account.retried > 0
}

fn account_data(account: &TransactionAccount) -> AccountData {
    let ended = account.ended_transactions();
    let mut errors: Vec<ErrorData> = Vec::new();
    for (sqlstate, count) in &account.errors {
        let first = account.first_errors.iter().filter(|error| error.sqlstate == *sqlstate).map(first_error).collect();
        errors.push(ErrorData { sqlstate: sqlstate.clone(), count: *count, first });
    }
    errors.sort_by_key(|error| std::cmp::Reverse(error.count));
    AccountData {
        ended: ended.all,
        failed: ended.failed,
        failed_share: ended.failed_share(),
        retried_share: account.retried_share(),
        reason: failures::reason_for_failures(account).unwrap_or_default(),
        errors,
    }
}

fn first_error(error: &FirstError) -> FirstErrorData {
    let statement = error.statement.as_ref();
    FirstErrorData {
        message: error.message.clone(),
        script: statement.map(|statement| statement.script.clone()),
        line: statement.map(|statement| statement.line),
        statement: statement.map(|statement| statement.text.clone()),
    }
}

/// A SQLSTATE of a cell a row.
pub(crate) static TABLE: TableKind = TableKind {
    name: "failures",
    about: "Failed and retried transactions of each target by SQLSTATE, with the first message of the server",
    columns: &[
        DocumentColumn::new("target", "target", Holds::Words),
        DocumentColumn::new("workload", "workload", Holds::Words),
        DocumentColumn::new("clients", "clients", Holds::Count),
        DocumentColumn::new("ended", "ended", Holds::Count),
        DocumentColumn::new("failed", "failed", Holds::Count),
        DocumentColumn::new("share", "failed", Holds::Figure(ColumnUnit::Share)),
        DocumentColumn::new("retried", "retried", Holds::Figure(ColumnUnit::Share)),
        DocumentColumn::new("SQLSTATE", "sqlstate", Holds::Words),
        DocumentColumn::new("count", "failed_with_it", Holds::Count),
        DocumentColumn::for_people("first message and statement"),
        DocumentColumn::for_programs("message", Holds::Words),
        DocumentColumn::for_programs("script", Holds::Words),
        DocumentColumn::for_programs("line", Holds::Count),
        DocumentColumn::for_programs("statement", Holds::Words),
    ],
};

/// A row for each SQLSTATE of each cell, one without where transactions were retried only, or nothing tells why; and
/// what the comparisons say of failures.
pub(crate) fn failures_section(judgement: &Judgement) -> Option<ReportSection> {
    let mut rows = Vec::new();
    for cell in judgement.accounts.iter().filter(|cell| is_shown(&cell.account)) {
        let told = account_data(&cell.account);
        let whole = [
            TableCell::from_words(&cell.target),
            TableCell::from_words(&cell.place.workload),
            TableCell::optional_count(cell.place.clients.known_count()),
            TableCell::Count(told.ended),
            TableCell::Count(told.failed),
            told.failed_share.map_or(TableCell::Missing, TableCell::Figure),
            told.retried_share.map_or(TableCell::Missing, TableCell::Figure),
        ];
        if told.errors.is_empty() {
            let mut row = whole.to_vec();
            row.extend([TableCell::from_words(""), TableCell::Missing, TableCell::Words(told.reason)]);
            row.resize(TABLE.columns.len(), TableCell::from_words(""));
            rows.push(DocumentRow::from_cells(row));
        }
        for error in &told.errors {
            let mut row = whole.to_vec();
            row.extend([TableCell::from_words(&error.sqlstate), TableCell::Count(error.count)]);
            row.extend(first_cells(error.first.first()));
            rows.push(DocumentRow::from_cells(row));
        }
    }
    if rows.is_empty() {
        return None;
    }
    let mut blocks = Vec::new();
    for pair in &judgement.comparison.pairs {
        if let Some(text) = pair.failures.as_ref().and_then(failures::in_words) {
            let place = format!("{} at {}", pair.place.workload, units::format_clients(pair.place.clients));
            blocks.push(SectionBlock::Note(format!("{place}, {}: {text}", pair.candidate)));
        }
    }
    blocks.push(SectionBlock::Table(DocumentTable::from_rows(&TABLE, rows)));
    Some(ReportSection { id: "failures", title: "Failed and retried transactions".to_owned(), blocks })
}

/// What the server said first: for people in one text, for programs part by part.
fn first_cells(first: Option<&FirstErrorData>) -> [TableCell; 5] {
    let Some(first) = first else { return std::array::from_fn(|_| TableCell::from_words("")) };
    let [script, statement] = [&first.script, &first.statement].map(|text| text.clone().unwrap_or_default());
    let text = match first.line {
        Some(line) => format!("{} ({script}:{line}: {statement})", first.message),
        None => first.message.clone(),
    };
    [
        TableCell::Words(text),
        TableCell::from_words(&first.message),
        TableCell::Words(script),
        TableCell::optional_count(first.line),
        TableCell::Words(statement),
    ]
}
