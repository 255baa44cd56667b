//! What the statements of own scripts do, as the servers say: whether they can be executed there at all, and whether
//! they only read. Nothing of them is executed for it.
//!
//! A workload reads if every server says so of every statement of it, or if the plan says so and no server shows the
//! opposite. Its sessions then have read-only transactions, so that what a server could not foresee fails by name.

mod ask;
mod command;
mod plan;
mod schema_mismatch;
mod tables;
mod tokens;
mod transactions;

use std::collections::BTreeSet;

use ::plan::{PlanScripts, QueryMode, Workload};
use load::{ParsedScript, Preparable, Weighted};
use results::asked::{AskedStatement, AskedWorkload, StatementAccess};
use server::Target;

use crate::script_options::variable_definitions;
use problem::Problem;

pub(crate) use ask::Said;
use ask::StatementRefusal;
pub(crate) use schema_mismatch::{accept_tables_of_load, schema_mismatch};
pub(crate) use tables::{tables_changed, tables_named};
pub(crate) use transactions::{Unbalanced, unbalanced_statements};

/// The names before a parenthesis in a text, of which some are functions.
pub(crate) fn functions_called(text: &str) -> BTreeSet<String> {
    tokens::calls_in_text(text).into_iter().map(|call| call.name).collect()
}

/// The setting by which a server refuses whatever a session would write, and its value.
pub(crate) const READ_ONLY: (&str, &str) = ("default_transaction_read_only", "on");

/// What one server says of one statement of a workload.
#[derive(Debug)]
pub(crate) struct StatementAnswer {
    /// The statement.
    pub statement: Preparable,
    /// The place of its script among those of the workload.
    pub script: usize,
    /// What the server says.
    pub said: Said,
}

/// What one server says of the statements of a workload.
#[derive(Debug)]
pub(crate) struct StatementsOfServer {
    /// The target.
    pub target: String,
    /// The scripts, as this target executes them.
    pub scripts: Vec<Weighted>,
    /// Statement by statement.
    pub answers: Vec<StatementAnswer>,
    /// Why sessions there cannot be held to reading, if so.
    pub not_held: Option<String>,
}

impl StatementsOfServer {
    /// The statements that the server refuses, and will when their turn comes.
    fn lasting_refusals(&self, mode: QueryMode) -> impl Iterator<Item = (&StatementAnswer, &StatementRefusal)> {
        self.answers.iter().filter_map(move |answer| match &answer.said {
            Said::Refused(refusal) if !may_come_to_be(answer, &self.scripts[answer.script].script, mode) => {
                Some((answer, refusal))
            }
            Said::Refused(_) | Said::Access(..) => None,
        })
    }
}

/// Asks the server of a target about the statements of a workload, in the database that the target is turned to.
///
/// # Errors
/// The server cannot be asked.
pub(crate) async fn ask_target(
    target: &Target,
    workload: &Workload,
    own: &PlanScripts,
    scripts: &[Weighted],
    behind_pooler: bool,
) -> Result<StatementsOfServer, Problem> {
    let client = target.connect_as_load().await?;
    let mut answers = Vec::new();
    for (number, weighted) in scripts.iter().enumerate() {
        let said = ask::ask_about_script(&client, &weighted.script, workload.mode, &variable_definitions(own))
            .await
            .map_err(|error| {
                Problem::could_not_measure(format!(
                    "target {:?}: could not check the statements of {}",
                    target.target_name(),
                    weighted.script.name()
                ))
                .detail(error.to_string())
            })?;
        answers.extend(said.into_iter().map(|(statement, said)| StatementAnswer { statement, script: number, said }));
    }
    let (name, value) = READ_ONLY;
    let not_held = match behind_pooler {
        true => Some("a PgBouncer in between does not pass the setting on".to_owned()),
        false => target.takes_setting(name, value).await.err(),
    };
    Ok(StatementsOfServer { target: target.target_name().to_owned(), scripts: scripts.to_vec(), answers, not_held })
}

/// Whether a statement that the server refuses now may be accepted when its turn comes: what it needs may be made by
/// one before it, or it is never sent.
fn may_come_to_be(answer: &StatementAnswer, script: &ParsedScript, mode: QueryMode) -> bool {
    // All statements of a script are prepared at once, unless it makes something.
    let at_once = mode == QueryMode::Prepared;
    script.may_define() || (answer.statement.conditional && !at_once)
}

/// A statement that a server does not execute.
#[derive(Debug)]
pub(crate) struct RefusedStatement {
    /// The place of its script among those of the workload.
    script: usize,
    /// Its line there.
    line: u32,
    /// As a person reads it.
    pub problem: Problem,
}

/// The first statement that no server executes: nothing can be measured by it.
pub(crate) fn refused_by_all(workload: &Workload, said: &[StatementsOfServer]) -> Option<Problem> {
    let mut of_servers = said.iter().map(|of| refused_statements(workload, of));
    let first = of_servers.next()?;
    let others: Vec<Vec<RefusedStatement>> = of_servers.collect();
    for refused in first {
        let is_it = |other: &RefusedStatement| (other.script, other.line) == (refused.script, refused.line);
        if others.iter().all(|of_server| of_server.iter().any(is_it)) {
            return Some(refused.problem);
        }
    }
    None
}

/// The statements that one server does not execute.
pub(crate) fn refused_statements(workload: &Workload, of: &StatementsOfServer) -> Vec<RefusedStatement> {
    let mut refused = Vec::new();
    for (answer, refusal) in of.lasting_refusals(workload.mode) {
        let script = &of.scripts[answer.script].script;
        let has_parameters = answer.statement.parameters > 0 && workload.mode != QueryMode::Simple;
        let hint = match has_parameters && TYPE_ERRORS.contains(&refusal.sqlstate.as_str()) {
            true => Some(PARAMETERS_HINT),
            false => refusal.hint.as_deref().or_else(|| hint_of(&refusal.sqlstate)),
        };
        let error = script.error_of(&answer.statement, refusal.character, &refusal.message, hint);
        let problem = Problem::could_not_measure(format!(
            "workload {:?}: target {:?} rejects a statement: {error} ({})",
            workload.name, of.target, refusal.sqlstate
        ))
        .detail(format!("\n{}", error.source_excerpt()))
        .hint(error.hint.clone().unwrap_or_default())
        .in_script(&error);
        refused.push(RefusedStatement { script: answer.script, line: answer.statement.line, problem });
    }
    refused
}

/// SQLSTATEs of statements in which the types of values do not fit, or are not known: 42725, 42804, 42883, 42P08,
/// 42P18.
const TYPE_ERRORS: [&str; 5] = ["42725", "42804", "42883", "42P08", "42P18"];

/// What to try where values are parameters of a statement, of which the server has to conclude the types.
const PARAMETERS_HINT: &str = "variables are sent as parameters without a type: cast them, as in :days::int; or set \
                               `mode: simple`, in which they are written into the text, as pgbench does by default";

/// What to try where the server has no hint itself.
fn hint_of(sqlstate: &str) -> Option<&'static str> {
    match sqlstate {
        "42P01" | "3F000" => Some(
            "name the schema, or the database in the url; a server that pgdyno creates is empty except for the tables of `scale`",
        ),
        "42501" => Some("GRANT the privilege to the role of the load"),
        "42601" => Some("check the statement with psql; a statement ends with a semicolon"),
        "42883" => Some("check CREATE EXTENSION, and that search_path has the schema of the function"),
        _ => None,
    }
}

/// What follows from what all servers say of a workload of which the plan says `asked_for`, if anything.
///
/// # Errors
/// The plan says that it reads, and a server shows that it writes, or cannot hold its sessions to it.
pub(crate) fn conclude_access(
    workload: &Workload,
    said: &[StatementsOfServer],
    asked_for: Option<bool>,
) -> Result<AskedWorkload, Problem> {
    let mut statements = Vec::new();
    let mut numbers = Vec::new();
    let mut prepared_when_executed: Vec<String> = Vec::new();
    for of in said {
        for (number, answer) in of.answers.iter().enumerate() {
            let script = &of.scripts[answer.script].script;
            if matches!(answer.said, Said::Refused(_)) && !may_come_to_be(answer, script, workload.mode) {
                // It fails there whenever it is sent.
                if !prepared_when_executed.iter().any(|name| name == script.name()) {
                    prepared_when_executed.push(script.name().to_owned());
                }
                continue;
            }
            let (access, because) = match &answer.said {
                Said::Access(access, because) => (*access, because.clone()),
                Said::Refused(refusal) => {
                    (StatementAccess::Unknown, format!("is not known before it is executed: {}", refusal.message))
                }
            };
            let (script, line) = (script.name().to_owned(), answer.statement.line);
            statements.push(AskedStatement { target: of.target.clone(), script, line, access, because });
            numbers.push(number);
        }
    }
    let worst = worst_statement(&statements, &numbers, said.len());
    let not_held = said.iter().find_map(|of| Some((&of.target, of.not_held.as_ref()?)));
    if asked_for == Some(true) {
        refuse_writes(workload, worst.as_ref().map(|(one, _)| *one))?;
        if let Some((target, why)) = not_held {
            return Err(Problem::could_not_measure(format!(
                "workload {:?}: sessions on target {target:?} cannot be made read-only, as `reads: true` requires",
                workload.name
            ))
            .detail(why.clone())
            .hint("connect to the server itself, or remove `reads`"));
        }
    }
    let because = match (worst, not_held) {
        (Some((_, words)), _) => Some(words),
        (None, Some((target, why))) => Some(format!("sessions on {target} cannot be made read-only: {why}")),
        (None, None) => None,
    };
    let reads = asked_for.unwrap_or(because.is_none());
    let because = because.filter(|_| !reads);
    Ok(AskedWorkload { workload: workload.name.clone(), reads, because, prepared_when_executed, statements })
}

/// The first of the statements that do most to the data, unless all of them read: in words, with the targets where not
/// all say so, and how many more do as much. `numbers` are the places of the statements among those of their server.
fn worst_statement<'s>(
    statements: &'s [AskedStatement],
    numbers: &[usize],
    servers: usize,
) -> Option<(&'s AskedStatement, String)> {
    let access = statements.iter().map(|one| one.access).max().filter(|access| *access != StatementAccess::Reads)?;
    let as_bad: Vec<(&AskedStatement, usize)> =
        statements.iter().zip(numbers.iter().copied()).filter(|(one, _)| one.access == access).collect();
    let (first, number) = *as_bad.first()?;
    let targets: BTreeSet<&str> =
        as_bad.iter().filter(|(_, other)| *other == number).map(|(one, _)| one.target.as_str()).collect();
    let place = format!("{}:{}", first.script, first.line);
    let place = match targets.len() == servers {
        true => place,
        false => format!("{place} on {}", targets.into_iter().collect::<Vec<_>>().join(", ")),
    };
    let more = match as_bad.iter().map(|(_, number)| number).collect::<BTreeSet<_>>().len() - 1 {
        0 => String::new(),
        1 => " (and 1 more statement)".to_owned(),
        more => format!(" (and {more} more statements)"),
    };
    Some((first, format!("{place}: {}{more}", first.because)))
}

/// What can be said of a workload's access to the data; nothing where a statement of it could not be prepared, since
/// nobody knows what it would do.
pub(crate) fn access_in_words(
    workload: &Workload,
    said: &[StatementsOfServer],
    asked: &AskedWorkload,
) -> Option<String> {
    if said.iter().any(|of| !refused_statements(workload, of).is_empty()) {
        return None;
    }
    if asked.reads {
        return Some("only reads".to_owned());
    }
    let verb = if asked.surely_writes() { "writes" } else { "may write" };
    let because = asked.because.as_ref().map_or_else(String::new, |because| format!(": {because}"));
    Some(format!("{verb}{because}"))
}

fn refuse_writes(workload: &Workload, worst: Option<&AskedStatement>) -> Result<(), Problem> {
    let Some(one) = worst.filter(|one| one.access == StatementAccess::Writes) else { return Ok(()) };
    Err(Problem::could_not_measure(format!(
        "workload {:?}: {}:{} writes, but the plan sets `reads: true`",
        workload.name, one.script, one.line
    ))
    .detail(format!("target {:?} reports: {}", one.target, one.because))
    .hint("remove `reads: true`, or the statement"))
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;

    const PLAN: &str = "
name: x
targets: { a: { url: postgresql://h/d }, b: { url: postgresql://i/d } }
baseline: a
workloads: { w: { script: [t.sql] } }
clients: [1]
";

    fn scripts(text: &str) -> Vec<Weighted> {
        vec![Weighted { script: ParsedScript::parse("t.sql", text).expect("it parses"), weight: NonZeroU32::MIN }]
    }

    fn said(scripts: &[Weighted], target: &str, said: Said, not_held: Option<&str>) -> StatementsOfServer {
        let statement = scripts[0].script.preparable_statements(QueryMode::Prepared, &[]).remove(0);
        let answers = vec![StatementAnswer { statement, script: 0, said }];
        StatementsOfServer {
            target: target.to_owned(),
            scripts: scripts.to_vec(),
            answers,
            not_held: not_held.map(str::to_owned),
        }
    }

    fn access(access: StatementAccess) -> Said {
        Said::Access(access, "so".to_owned())
    }

    #[test]
    fn a_workload_reads_where_all_servers_say_so_of_all_statements_and_can_hold_it_to_that() {
        use StatementAccess::{Reads, Unknown, Writes};
        let plan = ::plan::parse_plan("x", PLAN.as_bytes()).expect("a plan");
        let scripts = scripts("SELECT 1;");
        // What the plan says, what two servers say, why the second cannot hold it; whether it reads, or is refused.
        let cases = [
            (None, Reads, Reads, None, Some(true)),
            (None, Reads, Unknown, None, Some(false)),
            (None, Writes, Reads, None, Some(false)),
            (None, Reads, Reads, Some("a pooler"), Some(false)),
            (Some(true), Reads, Unknown, None, Some(true)),
            (Some(true), Reads, Writes, None, None),
            (Some(true), Reads, Reads, Some("a pooler"), None),
            (Some(false), Reads, Reads, None, Some(false)),
        ];
        for case @ (asked_for, one, other, not_held, wanted) in cases {
            let of = [said(&scripts, "a", access(one), None), said(&scripts, "b", access(other), not_held)];
            let concluded = conclude_access(&plan.workloads[0], &of, asked_for);
            assert_eq!(concluded.ok().map(|asked| asked.reads), wanted, "{case:?}");
        }
    }

    #[test]
    fn what_a_server_refuses_is_told_unless_the_script_may_make_it() {
        let plan = ::plan::parse_plan("x", PLAN.as_bytes()).expect("a plan");
        let refused = || {
            Said::Refused(StatementRefusal {
                sqlstate: "42P01".to_owned(),
                message: "relation \"t\" does not exist".to_owned(),
                hint: None,
                character: Some(15),
            })
        };
        let of = |text: &str| {
            let scripts = scripts(text);
            refused_statements(&plan.workloads[0], &said(&scripts, "a", refused(), None))
        };
        let [RefusedStatement { problem, .. }] = &of("SELECT 1 FROM t;")[..] else { panic!("one problem") };
        let (detail, hint) = problem.detail_and_hint();
        assert!(problem.primary_message().contains("t.sql:1:15: relation \"t\" does not exist (42P01)"), "{problem}");
        assert!(detail.contains("^ error found here") && hint.contains("empty"), "{problem}");
        assert!(of("SELECT 1 FROM t;\nCREATE TABLE x (a int);").is_empty(), "it may be made");
        // A candidate that lacks a table is an answer; a table that nobody has is a mistake.
        let scripts = scripts("SELECT 1 FROM t;");
        let reads = || access(StatementAccess::Reads);
        for (one, other, is_mistake) in
            [(refused(), refused(), true), (reads(), refused(), false), (refused(), reads(), false)]
        {
            let of = [said(&scripts, "a", one, None), said(&scripts, "b", other, None)];
            assert_eq!(refused_by_all(&plan.workloads[0], &of).is_some(), is_mistake);
            let concluded = conclude_access(&plan.workloads[0], &of, None).expect("it is asked");
            assert!(concluded.reads, "what fails writes nothing");
            let words = access_in_words(&plan.workloads[0], &of, &concluded);
            assert_eq!(words, None, "what could not be prepared is not known");
        }
    }

    #[test]
    fn what_writes_is_told_from_what_may_with_where_and_how_many_more() {
        use StatementAccess::{Reads, Unknown, Writes};
        let plan = ::plan::parse_plan("x", PLAN.as_bytes()).expect("a plan");
        let scripts = scripts("SELECT 1;\nSELECT 2; SELECT 3;");
        let cases = [
            ([Reads, Reads, Reads], [Reads, Reads, Reads], "only reads"),
            ([Reads, Unknown, Reads], [Reads, Unknown, Reads], "may write: t.sql:2: so"),
            ([Reads, Unknown, Unknown], [Reads, Reads, Reads], "may write: t.sql:2 on a: so (and 1 more statement)"),
            ([Unknown, Writes, Reads], [Unknown, Writes, Reads], "writes: t.sql:2: so"),
            ([Reads, Reads, Writes], [Writes, Writes, Reads], "writes: t.sql:2 on a: so (and 2 more statements)"),
        ];
        for (on_a, on_b, wanted) in cases {
            let answers = |accesses: [StatementAccess; 3]| {
                let statements = scripts[0].script.preparable_statements(QueryMode::Prepared, &[]);
                let said = statements.into_iter().zip(accesses);
                said.map(|(statement, of)| StatementAnswer { statement, script: 0, said: access(of) }).collect()
            };
            let of = |target: &str, accesses| StatementsOfServer {
                target: target.to_owned(),
                scripts: scripts.clone(),
                answers: answers(accesses),
                not_held: None,
            };
            let said = [of("a", on_a), of("b", on_b)];
            let concluded = conclude_access(&plan.workloads[0], &said, None).expect("it is asked");
            let words = access_in_words(&plan.workloads[0], &said, &concluded);
            assert_eq!(words.as_deref(), Some(wanted));
        }
    }
}
