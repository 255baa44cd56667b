//! How a server would execute statements: EXPLAIN, each in a transaction that may not write, and of what only reads
//! EXPLAIN ANALYZE behind it, as long as there is time. The extended protocol takes one statement at a time, so that a
//! text of several executes none of them. Each is asked for several times, so that neither the first execution nor the
//! first planning of a session counts. Never fails: what cannot be explained is a gap with the server's reason.

mod node_figures;
mod options;
mod reading;
mod repetitions;

use std::time::Duration;

use results::plans::{ExplainOutcome, FORMAT, Plan, PlanNode, Plans, StatementPlans};
use results::workload::StatementNumber;
use serde_json::Value;
use tokio::time::{Instant, timeout_at};
use tokio_postgres::Client;
use tokio_postgres::types::{FromSql, Type};

use crate::postgres::error_with_causes;
use options::ExplainOptions;
use repetitions::{Repetitions, keep_fastest};

/// How much is asked of a server.
#[derive(Debug, Clone, Copy)]
struct ExplainLimits {
    /// The longest that all of it may take; what has not been asked by then is a gap.
    at_most: Duration,
    /// No statement is executed, or asked about once more, when so much time is over: the plans of all are worth more.
    executing: Duration,
    /// Statements that are explained.
    statements: usize,
}

/// Between trials: the plans of a program that writes its statements itself are not worth a minute.
const BETWEEN_TRIALS: ExplainLimits =
    ExplainLimits { at_most: Duration::from_secs(5), executing: Duration::from_secs(2), statements: 200 };

/// Before the first trial: plans of all statements, and nothing is executed.
const PLANNING_ALONE: ExplainLimits =
    ExplainLimits { at_most: Duration::from_secs(300), executing: Duration::ZERO, statements: 20_000 };

/// The longest text that is explained, in bytes: planning a statement of a megabyte may take seconds.
const TEXT: usize = 100_000;

/// What the session of the plans needs, behind the settings that it is given.
const SESSION: &str = "-c default_transaction_read_only=on -c statement_timeout=1s -c lock_timeout=200ms";

/// The first words of what has a plan.
const PLANNED: [&str; 8] = ["select", "insert", "update", "delete", "merge", "with", "values", "table"];

/// A statement to be explained.
#[derive(Debug, Clone)]
pub struct Unexplained {
    /// Which.
    pub statement: StatementNumber,
    /// Its text, with `$1`, `$2`, ... for its parameters.
    pub text: String,
    /// Their values, as text; `None` for one that only an answer of the server gives.
    pub values: Vec<Option<String>>,
    /// Whether the load prepares it.
    pub prepared: bool,
    /// Whether it may be executed for its figures, if its plan only reads as well: it calls no function that may do
    /// something else, inside the database or outside.
    pub may_be_executed: bool,
}

/// Asks the server at `config`, with whose settings the statements are executed.
pub async fn explain_statements(config: &control::Config, statements: &[Unexplained]) -> Plans {
    ask_for_plans(config, statements, &BETWEEN_TRIALS).await
}

/// Asks the server at `config` for the plans of statements and executes none of them. Nothing is written.
pub async fn plan_statements(config: &control::Config, statements: &[Unexplained]) -> Plans {
    ask_for_plans(config, statements, &PLANNING_ALONE).await
}

async fn ask_for_plans(config: &control::Config, statements: &[Unexplained], limits: &ExplainLimits) -> Plans {
    let deadline = Instant::now() + limits.at_most;
    let mut plans = Plans { format: FORMAT, gap: None, statements: Vec::new() };
    let late = || format!("the server did not answer within {} s", limits.at_most.as_secs());
    let (client, options) = match timeout_at(deadline, open_session(config)).await {
        Ok(Ok(opened)) => opened,
        Ok(Err(reason)) => return Plans { gap: Some(reason), ..plans },
        Err(_) => return Plans { gap: Some(late()), ..plans },
    };
    let asked: usize = statements.iter().take(limits.statements).map(Unexplained::number_of_plans).sum();
    let executing_until = Instant::now() + limits.executing;
    let mut server = ExplainingServer { client, options, executing_until, left: asked };
    for (number, statement) in statements.iter().enumerate() {
        if number == limits.statements {
            plans.gap = Some(format!("{} of {} statements were explained", limits.statements, statements.len()));
            break;
        }
        let Ok(explained) = timeout_at(deadline, server.plans_of_statement(statement)).await else {
            plans.gap = Some(format!("{number} of {} statements were explained: {}", statements.len(), late()));
            break;
        };
        plans.statements.push(explained);
    }
    plans
}

async fn open_session(config: &control::Config) -> Result<(Client, ExplainOptions), String> {
    let mut config = config.clone();
    config.application_name("pgdyno-plans");
    let options = config.get_options().map_or(SESSION.to_owned(), |given| format!("{given} {SESSION}"));
    config.options(options);
    let (client, connection) = config.open_connection().await.map_err(|error| error_with_causes(&error))?;
    let options = ExplainOptions::of_server(connection.parameter("server_version"));
    tokio::spawn(async move {
        // Not lost: a broken connection fails the query that meets it.
        let _ = connection.await;
    });
    Ok((client, options))
}

impl Unexplained {
    /// The number of its plans.
    fn number_of_plans(&self) -> usize {
        if self.prepared && !self.values.is_empty() { 2 } else { 1 }
    }
}

/// A server that is asked.
struct ExplainingServer {
    client: Client,
    options: ExplainOptions,
    executing_until: Instant,
    /// Plans that have not been asked for.
    left: usize,
}

impl ExplainingServer {
    async fn plans_of_statement(&mut self, statement: &Unexplained) -> StatementPlans {
        let gap = |gap: String| StatementPlans {
            statement: statement.statement,
            custom: ExplainOutcome::Gap { gap },
            generic: None,
            prepared: Some(statement.prepared),
        };
        if !has_a_plan(&statement.text) {
            return gap("a utility statement has no plan".to_owned());
        }
        if statement.text.len() > TEXT {
            return gap(format!("its text has {} bytes; the limit is {TEXT}", statement.text.len()));
        }
        if let Err(error) = self.client.batch_execute("BEGIN READ ONLY; SAVEPOINT pgdyno_plan").await {
            return gap(error_with_causes(&error));
        }
        let plans = match statement.values.is_empty() {
            true => (self.explained_plan(&statement.text, statement.may_be_executed).await, None),
            false => self.with_parameters(statement).await,
        };
        // Not lost: what is left of a transaction that the server has ended is nothing.
        let _ = self.client.batch_execute("ROLLBACK").await;
        let (custom, generic) = plans;
        StatementPlans { statement: statement.statement, custom, generic, prepared: Some(statement.prepared) }
    }

    /// The plan with the drawn values, and the one for any where the load prepares the statement. As a prepared
    /// statement, so that the types of the parameters are those that the server gives them for the load.
    async fn with_parameters(&mut self, statement: &Unexplained) -> (ExplainOutcome, Option<ExplainOutcome>) {
        if let Err(error) = self.client.execute(&format!("PREPARE pgdyno_plan AS {}", statement.text), &[]).await {
            return (ExplainOutcome::Gap { gap: error_with_causes(&error) }, None);
        }
        let values: Vec<String> = statement.values.iter().map(|value| literal_of_value(value.as_deref())).collect();
        let execute = format!("EXECUTE pgdyno_plan ({})", values.join(", "));
        let custom = match statement.values.iter().position(Option::is_none) {
            Some(at) => {
                ExplainOutcome::Gap { gap: format!("the value of ${} is a result of another statement", at + 1) }
            }
            None => self.explained_as("force_custom_plan", &execute, statement.may_be_executed).await,
        };
        let generic = match statement.prepared {
            true => Some(self.explained_as("force_generic_plan", &execute, statement.may_be_executed).await),
            false => None,
        };
        // What is prepared outlives the transaction, and behind a pooler the session.
        let _ = self.client.batch_execute("ROLLBACK TO pgdyno_plan; DEALLOCATE pgdyno_plan").await;
        (custom, generic)
    }

    async fn explained_as(&mut self, mode: &str, execute: &str, may_be_executed: bool) -> ExplainOutcome {
        let set = format!("ROLLBACK TO pgdyno_plan; SET LOCAL plan_cache_mode = {mode}");
        match self.client.batch_execute(&set).await {
            Ok(()) => self.explained_plan(execute, may_be_executed).await,
            Err(error) => ExplainOutcome::Gap { gap: error_with_causes(&error) },
        }
    }

    /// The plan, and what executing it took where it only reads and ended in time; the transaction may have failed
    /// behind it.
    async fn explained_plan(&mut self, statement: &str, may_be_executed: bool) -> ExplainOutcome {
        let repetitions = Repetitions::of_share(self.executing_until, self.left);
        self.left = self.left.saturating_sub(1);
        let mut plan = match self.ask_plan(self.options.of_planning(), statement).await {
            Ok(plan) => plan,
            Err(gap) => return ExplainOutcome::Gap { gap },
        };
        let mut options = self.options.of_planning();
        if may_be_executed && !writes_rows(&plan.root) && Instant::now() < self.executing_until {
            options = self.options.of_executing();
            // The load has executed it many times; what it cannot do in such a transaction, or as fast, has its plan.
            match self.ask_plan(options, statement).await {
                Ok(executed) => keep_fastest(&mut plan, executed),
                Err(_) => return ExplainOutcome::Plan(Box::new(plan)),
            }
        }
        while repetitions.are_worth_another(&plan) {
            match self.ask_plan(options, statement).await {
                Ok(again) if again.shape == plan.shape => keep_fastest(&mut plan, again),
                // The first answers stand.
                Ok(_) | Err(_) => break,
            }
        }
        ExplainOutcome::Plan(Box::new(plan))
    }

    async fn ask_plan(&self, options: &str, statement: &str) -> Result<Plan, String> {
        let rows = self.client.query(&format!("EXPLAIN ({options}) {statement}"), &[]).await;
        let said = rows.and_then(|rows| rows.first().map_or(Ok(Json(Value::Null)), |row| row.try_get(0)));
        let Json(json) = said.map_err(|error| error_with_causes(&error))?;
        reading::plan_of_json(&json).ok_or_else(|| "the output of EXPLAIN is not a plan".to_owned())
    }
}

/// Whether it changes or locks rows.
fn writes_rows(node: &PlanNode) -> bool {
    const WRITES: [&str; 5] = ["Insert", "Update", "Delete", "Merge", "LockRows"];
    WRITES.contains(&node.node.as_str()) || node.children.iter().any(writes_rows)
}

/// A value of the server's type `json`, whose binary form is its text.
struct Json(Value);

impl FromSql<'_> for Json {
    fn from_sql(_: &Type, raw: &[u8]) -> Result<Self, Box<dyn std::error::Error + Sync + Send>> {
        Ok(Self(serde_json::from_slice(raw)?))
    }

    fn accepts(of: &Type) -> bool {
        *of == Type::JSON
    }
}

/// Whether it begins with the word of something that is planned, behind comments and parentheses.
fn has_a_plan(text: &str) -> bool {
    let mut rest = text.trim_start_matches(|c: char| c.is_whitespace() || c == '(');
    loop {
        rest = if let Some(comment) = rest.strip_prefix("--") {
            comment.split_once('\n').map_or("", |(_, after)| after)
        } else if let Some(comment) = rest.strip_prefix("/*") {
            comment.split_once("*/").map_or("", |(_, after)| after)
        } else {
            break;
        };
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '(');
    }
    let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
    PLANNED.iter().any(|word| rest[..end].eq_ignore_ascii_case(word))
}

fn literal_of_value(value: Option<&str>) -> String {
    match value {
        None => "NULL".to_owned(),
        // E'' reads a backslash alike whatever standard_conforming_strings says.
        Some(value) => format!("E'{}'", value.replace('\\', "\\\\").replace('\'', "''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_a_plan_is_told_by_its_first_word() {
        let check = |text: &str, expected: bool| assert_eq!(has_a_plan(text), expected, "{text}");
        check("select 1", true);
        check("  -- a comment\n/* another */ (SELECT 1) UNION SELECT 2", true);
        check("WITH x AS (SELECT 1) DELETE FROM t", true);
        check("BEGIN", false);
        check("ANALYZE t", false);
        check("selection", false);
        check("-- nothing", false);
    }

    #[test]
    fn a_value_is_a_literal_whatever_is_in_it() {
        assert_eq!([literal_of_value(Some("a'\\b")), literal_of_value(None)], ["E'a''\\\\b'", "NULL"]);
    }
}
