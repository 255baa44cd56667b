//! How a server would execute statements: EXPLAIN, each in a transaction that may not write, and of what only reads
//! EXPLAIN ANALYZE behind it, as long as there is time. The extended protocol takes one statement at a time, so that a
//! text of several executes none of them. Never fails: what cannot be explained is a gap with the server's reason.

use std::time::Duration;

use results::plans::{Explained, FORMAT, Plan, PlanNode, Plans, StatementPlans};
use results::workload::StatementNumber;
use serde_json::Value;
use tokio::time::{Instant, timeout_at};
use tokio_postgres::Client;
use tokio_postgres::types::{FromSql, Type};

use crate::postgres::chain;

/// The longest that all of it may take; what has not been asked by then is a gap.
const AT_MOST: Duration = Duration::from_secs(5);

/// No statement is executed for its rows when so much time is over: the plans of all are worth more.
const EXECUTING: Duration = Duration::from_secs(2);

/// Statements that are explained: the plans of a program that writes its statements itself are not worth a minute.
const STATEMENTS: usize = 200;

/// The longest text that is explained, in bytes: planning a statement of a megabyte may take seconds.
const TEXT: usize = 100_000;

/// Nodes of a plan that are kept: a scan of ten thousand partitions has as many.
const NODES: usize = 500;

/// Characters of a condition that are kept.
const CONDITION: usize = 300;

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
}

/// Asks the server at `config`, with whose settings the statements are executed.
pub async fn explain(config: &control::Config, statements: &[Unexplained]) -> Plans {
    let deadline = Instant::now() + AT_MOST;
    let mut plans = Plans { format: FORMAT, gap: None, statements: Vec::new() };
    let late = || format!("the server did not answer within {} s", AT_MOST.as_secs());
    let client = match timeout_at(deadline, open(config)).await {
        Ok(Ok(client)) => client,
        Ok(Err(reason)) => return Plans { gap: Some(reason), ..plans },
        Err(_) => return Plans { gap: Some(late()), ..plans },
    };
    let server = Asked { client, executing_until: Instant::now() + EXECUTING };
    for (number, statement) in statements.iter().enumerate() {
        if number == STATEMENTS {
            plans.gap = Some(format!("{} of {} statements were explained", STATEMENTS, statements.len()));
            break;
        }
        let Ok(explained) = timeout_at(deadline, server.one(statement)).await else {
            plans.gap = Some(format!("{number} of {} statements were explained: {}", statements.len(), late()));
            break;
        };
        plans.statements.push(explained);
    }
    plans
}

async fn open(config: &control::Config) -> Result<Client, String> {
    let mut config = config.clone();
    config.application_name("pgdyno-plans");
    let options = config.get_options().map_or(SESSION.to_owned(), |given| format!("{given} {SESSION}"));
    config.options(options);
    let (client, connection) = config.open().await.map_err(|error| chain(&error))?;
    tokio::spawn(async move {
        // Not lost: a broken connection fails the query that meets it.
        let _ = connection.await;
    });
    Ok(client)
}

/// A server that is asked.
struct Asked {
    client: Client,
    executing_until: Instant,
}

impl Asked {
    async fn one(&self, statement: &Unexplained) -> StatementPlans {
        let gap = |gap: String| StatementPlans {
            statement: statement.statement,
            custom: Explained::Gap { gap },
            generic: None,
        };
        if !has_a_plan(&statement.text) {
            return gap("a utility statement has no plan".to_owned());
        }
        if statement.text.len() > TEXT {
            return gap(format!("its text has {} bytes; the limit is {TEXT}", statement.text.len()));
        }
        if let Err(error) = self.client.batch_execute("BEGIN READ ONLY; SAVEPOINT pgdyno_plan").await {
            return gap(chain(&error));
        }
        let plans = match statement.values.is_empty() {
            true => (self.explained(&statement.text).await, None),
            false => self.with_parameters(statement).await,
        };
        // Not lost: what is left of a transaction that the server has ended is nothing.
        let _ = self.client.batch_execute("ROLLBACK").await;
        StatementPlans { statement: statement.statement, custom: plans.0, generic: plans.1 }
    }

    /// The plan with the drawn values, and the one for any where the load prepares the statement. As a prepared
    /// statement, so that the types of the parameters are those that the server gives them for the load.
    async fn with_parameters(&self, statement: &Unexplained) -> (Explained, Option<Explained>) {
        if let Err(error) = self.client.execute(&format!("PREPARE pgdyno_plan AS {}", statement.text), &[]).await {
            return (Explained::Gap { gap: chain(&error) }, None);
        }
        let values: Vec<String> = statement.values.iter().map(|value| literal(value.as_deref())).collect();
        let execute = format!("EXECUTE pgdyno_plan ({})", values.join(", "));
        let custom = match statement.values.iter().position(Option::is_none) {
            Some(at) => Explained::Gap { gap: format!("the value of ${} is a result of another statement", at + 1) },
            None => self.explained_as("force_custom_plan", &execute).await,
        };
        let generic = match statement.prepared {
            true => Some(self.explained_as("force_generic_plan", &execute).await),
            false => None,
        };
        // What is prepared outlives the transaction, and behind a pooler the session.
        let _ = self.client.batch_execute("ROLLBACK TO pgdyno_plan; DEALLOCATE pgdyno_plan").await;
        (custom, generic)
    }

    async fn explained_as(&self, mode: &str, execute: &str) -> Explained {
        let set = format!("ROLLBACK TO pgdyno_plan; SET LOCAL plan_cache_mode = {mode}");
        match self.client.batch_execute(&set).await {
            Ok(()) => self.explained(execute).await,
            Err(error) => Explained::Gap { gap: chain(&error) },
        }
    }

    /// The plan, with the rows that came where it only reads and ended in time; the transaction may have failed
    /// behind it.
    async fn explained(&self, statement: &str) -> Explained {
        let plan = match self.asked("", statement).await {
            Ok(plan) => plan,
            Err(gap) => return Explained::Gap { gap },
        };
        if writes(&plan.root) || Instant::now() >= self.executing_until {
            return Explained::Plan(plan);
        }
        // The load has executed it many times; what it cannot do in such a transaction, or as fast, has its plan.
        Explained::Plan(self.asked("ANALYZE, TIMING OFF, ", statement).await.unwrap_or(plan))
    }

    async fn asked(&self, options: &str, statement: &str) -> Result<Plan, String> {
        let rows = self.client.query(&format!("EXPLAIN ({options}FORMAT JSON) {statement}"), &[]).await;
        let said = rows.and_then(|rows| rows.first().map_or(Ok(Json(Value::Null)), |row| row.try_get(0)));
        let Json(json) = said.map_err(|error| chain(&error))?;
        plan(&json).ok_or_else(|| "the output of EXPLAIN is not a plan".to_owned())
    }
}

/// Whether it changes or locks rows.
fn writes(node: &PlanNode) -> bool {
    const WRITES: [&str; 5] = ["Insert", "Update", "Delete", "Merge", "LockRows"];
    WRITES.contains(&node.node.as_str()) || node.children.iter().any(writes)
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

fn literal(value: Option<&str>) -> String {
    match value {
        None => "NULL".to_owned(),
        // E'' reads a backslash alike whatever standard_conforming_strings says.
        Some(value) => format!("E'{}'", value.replace('\\', "\\\\").replace('\'', "''")),
    }
}

/// The plan that EXPLAIN printed as JSON.
fn plan(json: &Value) -> Option<Plan> {
    let explained = json.get(0)?;
    let mut room = NODES;
    let (root, mut shape) = (explained.get("Plan")?, Shape::EMPTY);
    shape.add(root, 0);
    let (shape, jit) = (format!("{:016x}", shape.0), explained.get("JIT").is_some());
    Some(Plan { shape, jit, root: node(root, &mut room)? })
}

/// The hash of all nodes of a plan, kept or not: FNV-1a, which is the same in every build.
struct Shape(u64);

impl Shape {
    const EMPTY: Self = Self(0xcbf2_9ce4_8422_2325);

    fn add(&mut self, json: &Value, depth: u16) {
        let text = |key: &str| json.get(key).and_then(Value::as_str).map(str::to_owned);
        let node = text("Node Type").map(|kind| name(&kind, text));
        self.eat(&depth.to_le_bytes());
        for part in [node, text("Relation Name"), text("Index Name")] {
            self.eat(part.as_deref().map_or(b"", str::as_bytes));
            self.eat(&[0]);
        }
        for child in json.get("Plans").and_then(Value::as_array).into_iter().flatten() {
            self.add(child, depth.saturating_add(1));
        }
    }

    fn eat(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
    }
}

fn node(json: &Value, room: &mut usize) -> Option<PlanNode> {
    *room = room.checked_sub(1)?;
    let text = |key: &str| json.get(key).and_then(Value::as_str).map(str::to_owned);
    let number = |key: &str| json.get(key).and_then(Value::as_f64);
    let condition = ["Index Cond", "Recheck Cond", "Hash Cond", "Merge Cond", "Join Filter", "TID Cond"];
    let children = json.get("Plans").and_then(Value::as_array).into_iter().flatten();
    Some(PlanNode {
        node: name(&text("Node Type")?, text),
        relation: text("Relation Name"),
        index: text("Index Name"),
        condition: condition.iter().find_map(|key| text(key)).map(shortened),
        filter: text("Filter").map(shortened),
        workers: json.get("Workers Planned").and_then(Value::as_u64).and_then(|workers| workers.try_into().ok()),
        rows: number("Plan Rows")?,
        actual_rows: number("Actual Rows").filter(|_| number("Actual Loops").is_some_and(|loops| loops > 0.0)),
        cost: number("Total Cost")?,
        children: children.map_while(|child| node(child, room)).collect(),
    })
}

/// What a node does, with what tells it from others of its type.
fn name(kind: &str, text: impl Fn(&str) -> Option<String>) -> String {
    if let Some(operation) = text("Operation").filter(|_| kind == "ModifyTable") {
        return operation;
    }
    let told = [
        text("Join Type").filter(|join| join != "Inner"),
        text("Strategy").filter(|strategy| strategy != "Plain"),
        text("Partial Mode").filter(|mode| mode != "Simple"),
        text("Scan Direction").filter(|direction| direction == "Backward"),
        text("Subplan Name"),
    ];
    let told: Vec<String> = told.into_iter().flatten().collect();
    if told.is_empty() { kind.to_owned() } else { format!("{kind} ({})", told.join(", ")) }
}

fn shortened(text: String) -> String {
    match text.char_indices().nth(CONDITION) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

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
        assert_eq!([literal(Some("a'\\b")), literal(None)], ["E'a''\\\\b'", "NULL"]);
    }

    #[test]
    fn nodes_keep_what_tells_plans_apart_and_no_more_than_there_is_room_for() {
        let scan = json!({ "Node Type": "Index Scan", "Relation Name": "t", "Index Name": "t_pkey", "Plan Rows": 1,
                           "Total Cost": 8.3, "Index Cond": "(a = 1)", "Scan Direction": "Forward" });
        let join = json!([{ "JIT": {}, "Plan": { "Node Type": "Hash Join", "Join Type": "Left", "Plan Rows": 2,
                            "Total Cost": 20.5, "Plans": [scan.clone(), scan] } }]);
        let told = plan(&join).unwrap();
        assert!(told.jit);
        assert_eq!((told.root.node.as_str(), told.root.children.len()), ("Hash Join (Left)", 2));
        assert_eq!(told.root.children[0].index.as_deref(), Some("t_pkey"));
        let one = node(&join[0]["Plan"], &mut 2).unwrap();
        assert_eq!(one.children.len(), 1);

        let mut dearer = join.clone();
        dearer[0]["Plan"]["Total Cost"] = json!(99);
        let mut other = join.clone();
        other[0]["Plan"]["Plans"][1]["Index Name"] = json!("t_b_idx");
        assert_eq!(plan(&dearer).unwrap().shape, told.shape);
        assert_ne!(plan(&other).unwrap().shape, told.shape);
    }
}
