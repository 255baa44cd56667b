//! Asks a server what the statements of a script do, without executing them: each is prepared and, if it is a query,
//! explained, in a read-only transaction that is rolled back.

use std::collections::BTreeSet;

use load::{ParsedScript, Preparable, QueryMode};
use results::asked::StatementAccess;
use tokio_postgres::error::{DbError, SqlState};
use tokio_postgres::{Client, Error, SimpleQueryMessage};

use super::command::{StatementCommand, classify_command};
use super::plan::{SequenceUse, StatementEffect, sequences_used, shown_by_plan};
use super::tokens::CalledFunction;

/// What is set for the questions: the plan for any values, and no wait for the locks of others.
const BEGIN: &str = "
    BEGIN TRANSACTION READ ONLY;
    SET LOCAL plan_cache_mode = force_generic_plan;
    SET LOCAL lock_timeout = '5s';
    SET LOCAL statement_timeout = '30s'";

/// The name of the statement that is asked about.
const NAME: &str = "pgdyno_asked";

/// Functions that are volatile and harmless, one a line.
const HARMLESS: &str = include_str!("harmless_functions.txt");

/// System functions that are not volatile and write all the same: they take a transaction id.
const WRITING_THOUGH_STABLE: [&str; 2] = ["txid_current", "pg_current_xact_id"];

/// What a server says of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Said {
    /// What it does to the data, and why that is so.
    Access(StatementAccess, String),
    /// The server does not take it.
    Refused(StatementRefusal),
}

/// Why a server does not take a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StatementRefusal {
    /// Its SQLSTATE.
    pub sqlstate: String,
    /// The server's words, its detail included.
    pub message: String,
    /// The server's hint.
    pub hint: Option<String>,
    /// The character of the statement's text that it is about, from 1.
    pub character: Option<usize>,
}

/// Each statement of a script with what the server says of it, in order.
///
/// # Errors
/// The connection is lost.
pub(super) async fn ask_about_script(
    client: &Client,
    script: &ParsedScript,
    mode: QueryMode,
    definitions: &[(String, String)],
) -> Result<Vec<(Preparable, Said)>, Error> {
    client.batch_execute(BEGIN).await?;
    let mut answers = Vec::new();
    for statement in script.preparable_statements(mode, definitions) {
        client.batch_execute("SAVEPOINT pgdyno_asks").await?;
        let said = match of_one(client, &statement).await {
            Ok(said) => said,
            Err(error) => {
                let Some(of_server) = error.as_db_error() else { return Err(error) };
                let mut refusal = refusal_of_error(of_server);
                client.batch_execute("ROLLBACK TO SAVEPOINT pgdyno_asks").await?;
                if refusal.sqlstate == SqlState::UNDEFINED_TABLE.code() && refusal.hint.is_none() {
                    refusal.hint = hint_at_other_schema(client, &statement.text, refusal.character).await?;
                }
                Said::Refused(refusal)
            }
        };
        answers.push((statement, said));
    }
    client.batch_execute("ROLLBACK").await?;
    Ok(answers)
}

async fn of_one(client: &Client, statement: &Preparable) -> Result<Said, Error> {
    // Places of errors are those of the text as it stands.
    client.prepare(&statement.text).await?;
    let access = match classify_command(&statement.text) {
        StatementCommand::Query => return of_query(client, statement).await,
        StatementCommand::Cursor if statement.parameters == 0 => {
            let plan = explain_statement(client, &statement.text).await?;
            return of_plan(client, &plan, &statement.text).await;
        }
        StatementCommand::Cursor => {
            (StatementAccess::Unknown, "a cursor with parameters cannot be explained".to_owned())
        }
        StatementCommand::Sets => {
            if statement.parameters == 0 {
                // The statements after it may need it; it goes with the transaction.
                client.batch_execute(&statement.text).await?;
            }
            (StatementAccess::Reads, "changes only a setting of its session".to_owned())
        }
        StatementCommand::Harmless => (StatementAccess::Reads, "changes no data".to_owned()),
        StatementCommand::Unknown(why) => (StatementAccess::Unknown, why),
        StatementCommand::Writes(why) => (StatementAccess::Writes, why),
    };
    Ok(Said::Access(access.0, access.1))
}

async fn of_query(client: &Client, statement: &Preparable) -> Result<Said, Error> {
    let prepare = format!("PREPARE {NAME} AS {}", statement.text);
    if let Err(error) = client.batch_execute(&prepare).await {
        let Some(of_server) = error.as_db_error() else { return Err(error) };
        let why = format!("EXPLAIN failed: {}", of_server.message());
        client.batch_execute("ROLLBACK TO SAVEPOINT pgdyno_asks").await?;
        return Ok(Said::Access(StatementAccess::Unknown, why));
    }
    let said = of_prepared(client, statement).await;
    // An error undoes nothing of it: a prepared statement is no part of a transaction.
    client.batch_execute("ROLLBACK TO SAVEPOINT pgdyno_asks").await?;
    client.batch_execute(&format!("DEALLOCATE {NAME}")).await?;
    said
}

async fn of_prepared(client: &Client, statement: &Preparable) -> Result<Said, Error> {
    let nulls = vec!["NULL"; statement.parameters].join(", ");
    let values = if nulls.is_empty() { nulls } else { format!("({nulls})") };
    match explain_statement(client, &format!("EXECUTE {NAME}{values}")).await {
        Ok(plan) => match forbidden_sequence(client, &plan).await? {
            Some(refusal) => Ok(Said::Refused(refusal)),
            None => of_plan(client, &plan, &statement.text).await,
        },
        Err(error) => {
            let Some(of_server) = error.as_db_error() else { return Err(error) };
            // Syntax and rights; anything else may be so for a moment, or for these values only.
            if of_server.code().code().starts_with("42") {
                return Err(error);
            }
            let why = format!("EXPLAIN failed: {}", of_server.message());
            Ok(Said::Access(StatementAccess::Unknown, why))
        }
    }
}

async fn explain_statement(client: &Client, statement: &str) -> Result<serde_json::Value, Error> {
    let rows = client.simple_query(&format!("EXPLAIN (VERBOSE, FORMAT JSON) {statement}")).await?;
    let mut text = String::new();
    for message in rows {
        if let SimpleQueryMessage::Row(row) = message {
            text.push_str(row.get(0).unwrap_or_default());
        }
    }
    Ok(serde_json::from_str(&text).unwrap_or_default())
}

/// A sequence that the role may not use: whether it may is looked at when the statement is executed, not before.
async fn forbidden_sequence(client: &Client, plan: &serde_json::Value) -> Result<Option<StatementRefusal>, Error> {
    const SQL: &str = "
        SELECT NOT has_sequence_privilege(oid, $2)
          FROM pg_catalog.pg_class WHERE oid = pg_catalog.to_regclass($1) AND relkind = 'S'";
    for SequenceUse { name, rights } in sequences_used(plan) {
        let row = client.query_opt(SQL, &[&name, &rights]).await?;
        if row.is_some_and(|row| row.get(0)) {
            return Ok(Some(StatementRefusal {
                sqlstate: "42501".to_owned(),
                message: format!("permission denied for sequence {name}"),
                hint: None,
                character: None,
            }));
        }
    }
    Ok(None)
}

async fn of_plan(client: &Client, plan: &serde_json::Value, text: &str) -> Result<Said, Error> {
    let (access, because) = match shown_by_plan(plan, text) {
        _ if plan.is_null() => (StatementAccess::Unknown, "EXPLAIN returned no plan".to_owned()),
        StatementEffect::Writes(what) => (StatementAccess::Writes, what),
        StatementEffect::Calls(calls) => match find_volatile_call(client, &calls, text).await? {
            None => (StatementAccess::Reads, "its plan only reads, and it calls no function that may write".to_owned()),
            Some(found) => found,
        },
    };
    Ok(Said::Access(access, because))
}

/// The worst of what is called and may write. What stands behind operators and casts is looked for, too: of those that
/// somebody has made.
async fn find_volatile_call(
    client: &Client,
    calls: &BTreeSet<CalledFunction>,
    text: &str,
) -> Result<Option<(StatementAccess, String)>, Error> {
    let names: Vec<&str> = calls.iter().map(|call| call.name.as_str()).collect();
    let rows = client.query(include_str!("volatile.sql"), &[&names, &WRITING_THOUGH_STABLE.to_vec()]).await?;
    let mut worst: Option<(StatementAccess, String)> = None;
    for row in rows {
        let [kind, schema, name, shown] = [0, 1, 2, 3].map(|column| row.get::<_, String>(column));
        let (of_system, extension): (bool, Option<String>) = (row.get(4), row.get(5));
        let is_used = match kind.as_str() {
            "function" => {
                calls.iter().any(|call| call.name == name && call.schema.as_ref().is_none_or(|of| *of == schema))
            }
            "operator" => text.contains(&name),
            // Those that nobody writes down are used, too.
            _ => true,
        };
        if !is_used || is_harmless(&name, of_system, extension.as_deref()) {
            continue;
        }
        let found = match of_system {
            true => (StatementAccess::Writes, format!("calls {shown}, which changes more than its session")),
            false => (StatementAccess::Unknown, format!("may call {shown}, which is volatile")),
        };
        if worst.as_ref().is_none_or(|worst| found.0 > worst.0) {
            worst = Some(found);
        }
    }
    Ok(worst)
}

fn is_harmless(name: &str, of_system: bool, extension: Option<&str>) -> bool {
    let spelled = match (of_system, extension) {
        (true, _) => name.to_owned(),
        (false, Some(extension)) => format!("{extension}.{name}"),
        (false, None) => return false,
    };
    HARMLESS.lines().any(|line| line == spelled)
}

/// Where a table is that a statement names without its schema, and that the search path does not lead to. `character`:
/// its place in the text, from 1.
async fn hint_at_other_schema(client: &Client, text: &str, character: Option<usize>) -> Result<Option<String>, Error> {
    const SQL: &str = "
        SELECT quote_ident(n.nspname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE c.relname = $1 AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
          AND n.nspname !~ '^pg_(toast|temp)' ORDER BY n.nspname";
    let Some(name) = character.and_then(|character| table_named_at(text, character)) else { return Ok(None) };
    let rows = client.query(SQL, &[&name]).await?;
    let Some(first) = rows.first() else { return Ok(None) };
    let schema: String = first.get(0);
    Ok(Some(format!(
        "table {name} is in schema {schema}: give the target `settings: {{ search_path: {schema} }}` (`pgdyno ab --set \
         search_path={schema}`), or name the schema in the statement"
    )))
}

/// The name without a schema that stands at a character of a statement, from 1, as the catalog has it.
fn table_named_at(text: &str, character: usize) -> Option<String> {
    let rest: String = text.chars().skip(character.checked_sub(1)?).collect();
    if let Some(quoted) = rest.strip_prefix('"') {
        let (name, behind) = quoted.split_once('"')?;
        return (!behind.starts_with(['"', '.'])).then(|| name.to_owned());
    }
    let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).unwrap_or(rest.len());
    let (name, behind) = rest.split_at(end);
    (!name.is_empty() && !behind.starts_with('.')).then(|| name.to_lowercase())
}

fn refusal_of_error(error: &DbError) -> StatementRefusal {
    let message = match error.detail() {
        Some(detail) => format!("{}: {detail}", error.message()),
        None => error.message().to_owned(),
    };
    let character = match error.position() {
        Some(tokio_postgres::error::ErrorPosition::Original(character)) => usize::try_from(*character).ok(),
        Some(tokio_postgres::error::ErrorPosition::Internal { .. }) | None => None,
    };
    StatementRefusal {
        sqlstate: error.code().code().to_owned(),
        message,
        hint: error.hint().map(str::to_owned),
        character,
    }
}
