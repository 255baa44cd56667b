//! Statements of a capture that the restored data do not fit: found before the first trial, and named all together.

use load::Weighted;
use plan::Workload;
use results::asked::StatementAccess;

use super::{Said, StatementsOfServer};
use crate::captured::ReplaySummary;
use problem::Problem;

/// Statements that are named; the others are counted.
const NAMED: usize = 5;

/// Undefined table, and undefined schema.
const NOT_THERE: [&str; 2] = ["42P01", "3F000"];

/// A statement that a server rejects.
struct RejectedStatement<'a> {
    target: &'a str,
    script: &'a str,
    line: u32,
    sqlstate: &'a str,
    message: &'a str,
    hint: Option<&'a str>,
    /// How often the capture has it.
    calls: u64,
}

/// Takes back what a server refuses because of a table that another transaction of the capture makes, such as a
/// temporary one of its session.
pub(crate) fn accept_tables_of_load(said: &mut StatementsOfServer) {
    let mut made: Vec<String> = Vec::new();
    for answer in &said.answers {
        let words = words_of(&answer.statement.text);
        let makes = words.first().is_some_and(|first| first == "create") || words.iter().any(|word| word == "into");
        if makes && words.iter().any(|word| word == "table" || word == "temp" || word == "temporary") {
            made.extend(words);
        }
    }
    for answer in &mut said.answers {
        let Said::Refused(refusal) = &answer.said else { continue };
        let missing = refusal.message.split('"').nth(1).unwrap_or_default();
        let name = missing.rsplit('.').next().unwrap_or_default().to_lowercase();
        if NOT_THERE.contains(&refusal.sqlstate.as_str()) && made.contains(&name) {
            let because = format!("{missing} is made by another transaction of the capture");
            answer.said = Said::Access(StatementAccess::Unknown, because);
        }
    }
}

/// Whether servers reject statements of a capture, which none of them may.
pub(crate) fn schema_mismatch(
    workload: &Workload,
    replay: &ReplaySummary,
    said: &[StatementsOfServer],
) -> Option<Problem> {
    let mut rejected: Vec<RejectedStatement<'_>> = Vec::new();
    for of in said {
        for (answer, refusal) in of.lasting_refusals(workload.mode) {
            let Weighted { script, weight } = &of.scripts[answer.script];
            rejected.push(RejectedStatement {
                target: &of.target,
                script: script.name(),
                line: answer.statement.line,
                sqlstate: &refusal.sqlstate,
                message: &refusal.message,
                hint: refusal.hint.as_deref(),
                calls: u64::from(weight.get()),
            });
        }
    }
    if rejected.is_empty() {
        return None;
    }
    rejected.sort_by_key(|one| std::cmp::Reverse(one.calls));
    let calls: u64 = rejected.iter().map(|one| one.calls).sum();
    let not_there: u64 = rejected.iter().filter(|one| NOT_THERE.contains(&one.sqlstate)).map(|one| one.calls).sum();
    let mut lines = Vec::new();
    for one in rejected.iter().take(NAMED) {
        let RejectedStatement { target, script, line, sqlstate, message, calls, .. } = one;
        lines.push(format!("target {target:?} rejects {script}:{line} ({calls} calls): {message} ({sqlstate})"));
    }
    if rejected.len() > NAMED {
        lines.push(format!("and {} more", rejected.len() - NAMED));
    }
    let database = replay.database.as_ref().map_or_else(String::new, |name| format!(" {name:?}"));
    let hint = if let Some(of_server) = rejected.iter().find_map(|one| one.hint) {
        of_server.to_owned()
    } else if 2 * not_there > calls {
        format!("restore a dump of the database{database} that was captured; this may be one of another database")
    } else {
        format!(
            "restore a dump of the database{database} made when the capture began, or capture again since its schema \
             changed"
        )
    };
    let number = rejected.len();
    Some(
        Problem::could_not_measure(format!(
            "workload {:?}: the data do not fit the capture: {number} statements with {calls} calls are rejected",
            workload.name
        ))
        .detail(lines.join("\n"))
        .hint(hint),
    )
}

/// Names and keywords, in lower case.
fn words_of(text: &str) -> Vec<String> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use load::{ParsedScript, QueryMode};

    use super::super::StatementAnswer;
    use super::super::ask::StatementRefusal;
    use super::*;

    const PLAN: &str = "
name: x
targets: { a: { url: postgresql://h/d }, b: { url: postgresql://i/d } }
baseline: a
workloads: { w: { captured: c } }
clients: [1]
";

    fn refused(sqlstate: &str, message: &str) -> Said {
        let (sqlstate, message) = (sqlstate.to_owned(), message.to_owned());
        Said::Refused(StatementRefusal { sqlstate, message, hint: None, character: None })
    }

    fn script(name: &str, text: &str, calls: u32) -> Weighted {
        let weight = NonZeroU32::new(calls).expect("not zero");
        Weighted { script: ParsedScript::parse(name, text).expect("it parses"), weight }
    }

    fn said(scripts: &[Weighted], target: &str, answers: Vec<Option<Said>>) -> StatementsOfServer {
        let mut of_statements = Vec::new();
        for ((number, weighted), said) in scripts.iter().enumerate().zip(answers) {
            let statement = weighted.script.preparable_statements(QueryMode::Prepared, &[]).remove(0);
            let said = said.unwrap_or_else(|| Said::Access(StatementAccess::Reads, "so".to_owned()));
            of_statements.push(StatementAnswer { statement, script: number, said });
        }
        StatementsOfServer {
            target: target.to_owned(),
            scripts: scripts.to_vec(),
            answers: of_statements,
            not_held: None,
        }
    }

    fn replay() -> ReplaySummary {
        let json = r#"{ "format": "pgdyno replay", "version": 1, "database": "shop", "masked": false,
            "captured": { "transactions": 9, "calls": 9, "busy_us": 9 },
            "replayed": { "transactions": 9, "calls": 9, "busy_us": 9 },
            "writes": false, "scripts": [], "order": "order.txt", "not_replayed": [] }"#;
        ReplaySummary::from_json(json.as_bytes()).expect("it is one")
    }

    #[test]
    fn statements_that_the_data_do_not_fit_are_named_with_their_calls() {
        let plan = plan::parse_plan("x", PLAN.as_bytes()).expect("a plan");
        let scripts = [script("1.sql", "SELECT a FROM t;", 7), script("2.sql", "SELECT 1;", 2)];
        let missing = || Some(refused("42703", "column \"a\" does not exist"));
        let fits = said(&scripts, "a", vec![None, None]);
        assert!(schema_mismatch(&plan.workloads[0], &replay(), std::slice::from_ref(&fits)).is_none());
        let of = [fits, said(&scripts, "b", vec![missing(), None])];
        let problem = schema_mismatch(&plan.workloads[0], &replay(), &of).expect("one does not fit");
        let text = format!("{} {}", problem.in_one_line(), problem.detail_and_hint().1);
        for expected in [
            "1 statements with 7 calls are rejected",
            "target \"b\" rejects 1.sql:1 (7 calls): column \"a\" does not exist (42703)",
            "a dump of the database \"shop\" made when the capture began",
        ] {
            assert!(text.contains(expected), "{expected}: {text}");
        }
        let elsewhere = Some(refused("42P01", "relation \"t\" does not exist"));
        let of = [said(&scripts, "a", vec![elsewhere, None])];
        let problem = schema_mismatch(&plan.workloads[0], &replay(), &of).expect("it is not there");
        assert!(problem.detail_and_hint().1.contains("may be one of another database"), "{problem}");
    }

    #[test]
    fn a_table_that_the_load_makes_itself_is_not_missing() {
        let scripts = [
            script("1.sql", "CREATE TEMP TABLE IF NOT EXISTS Best (n int);", 1),
            script("2.sql", "SELECT n FROM best;", 1),
            script("3.sql", "SELECT n FROM worst;", 1),
        ];
        let missing = |name: &str| Some(refused("42P01", &format!("relation \"{name}\" does not exist")));
        let mut of = said(&scripts, "a", vec![None, missing("best"), missing("worst")]);
        accept_tables_of_load(&mut of);
        let refused: Vec<bool> = of.answers.iter().map(|answer| matches!(answer.said, Said::Refused(_))).collect();
        assert_eq!(refused, [false, false, true]);
    }
}
