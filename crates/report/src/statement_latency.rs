//! Latency by statement as the load engine timed it: a short table for a person, and as data.

use judge::Judgement;
use judge::beside::StatementId;
use judge::compare::PairJudgement;
use judge::statements::{PairStatements, StatementChange, StatementFigures};
use judge::units;
use schemars::JsonSchema;
use serde::Serialize;

use super::budgets::{foremost_of, signed, signed_interval};
use super::columns::{Alignment, aligned};
use super::data::{EstimateData, VerdictData};

/// Lines of a table on a terminal, without those of failures.
const LINES: usize = 5;
/// So much of all changes together is to be in them.
const CARRIED: f64 = 0.9;
/// Lines of failing statements that others have not shown already.
const FAILING: usize = 3;
/// Statements that share a COMMIT and are named one by one.
const WRITERS: usize = 6;
/// Characters of a statement on a terminal.
const TEXT_MAX: usize = 60;
/// Statements of a pair that the data hold, a workload may have thousands.
const KEPT: usize = 50;

/// The statements of one pair.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PairStatementsData {
    /// The candidate's target.
    pub candidate: String,
    /// Workload name.
    pub workload: String,
    /// Number of clients.
    pub clients: u32,
    /// Blocks in which both sides were timed.
    pub blocks: usize,
    /// The statements, the largest change of the mean transaction first.
    pub statements: Vec<StatementChangeData>,
    /// The number of further statements that were executed.
    pub left_out: usize,
}

/// One statement on both sides.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct StatementChangeData {
    /// Its number in the workload, from 0.
    pub number: u32,
    /// The name of its script.
    pub script: String,
    /// Its line in the script.
    pub line: u32,
    /// Its text in one line, shortened. The run directory has the full text.
    pub text: String,
    /// For a COMMIT, the lines of the statements whose writes it commits.
    pub commits: Vec<u32>,
    /// The baseline's figures.
    pub baseline: StatementFiguresData,
    /// The candidate's figures.
    pub candidate: StatementFiguresData,
    /// Candidate − baseline of the time that it takes of a mean transaction, in milliseconds.
    pub change_ms: f64,
    /// The difference with its interval; `null` with one block.
    pub change_interval_ms: Option<EstimateData>,
    /// candidate / baseline − 1 of the mean of an execution; `null` if fewer than two blocks have both.
    pub mean_change: Option<EstimateData>,
    /// The verdict on that mean in the family of all statements; absent if the statement was not judged by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub verdict: Option<VerdictData>,
    /// candidate / baseline − 1 of the 99th percentile.
    pub p99_change: Option<EstimateData>,
}

/// The figures of a statement on one side.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct StatementFiguresData {
    /// Successful executions.
    pub executions: u64,
    /// Transactions that failed with it.
    pub failed: u64,
    /// Attempts that failed with it and were retried.
    pub retried: u64,
    /// The time that it takes of a mean transaction.
    pub time_ms: f64,
    /// Its share of a mean transaction, 0 to 1. The shares sum to more than 1 in pipelines, where statements overlap.
    pub share: Option<f64>,
    /// The mean of an execution. This and the following figures are `null` without an execution.
    pub mean_ms: Option<f64>,
    /// Median.
    pub p50_ms: Option<f64>,
    /// 95th percentile.
    pub p95_ms: Option<f64>,
    /// 99th percentile.
    pub p99_ms: Option<f64>,
    /// The longest.
    pub max_ms: Option<f64>,
}

/// All pairs.
pub(crate) fn data(judgement: &Judgement) -> Vec<PairStatementsData> {
    let of_pair = |pair: &PairStatements| {
        Some(PairStatementsData {
            candidate: pair.candidate.clone(),
            workload: pair.place.workload.clone(),
            clients: pair.place.clients.known()?,
            blocks: pair.blocks,
            statements: by_change(pair).into_iter().take(KEPT).map(|one| change_data(judgement, pair, one)).collect(),
            left_out: pair.statements.len().saturating_sub(KEPT),
        })
    };
    judgement.statements.iter().filter_map(of_pair).collect()
}

fn change_data(judgement: &Judgement, pair: &PairStatements, change: &StatementChange) -> StatementChangeData {
    let [baseline, candidate] = change.sides.each_ref().map(figures_data);
    StatementChangeData {
        number: change.number.0,
        script: change.script.clone(),
        line: change.line,
        text: change.text.clone(),
        commits: change.commits.clone(),
        baseline,
        candidate,
        change_ms: change.more_ms(),
        change_interval_ms: change.time_ms.map(EstimateData::from),
        mean_change: change.mean.map(EstimateData::from),
        verdict: verdict_on(judgement, pair, change),
        p99_change: change.p99.map(EstimateData::from),
    }
}

/// The verdict on a statement that was judged by itself.
fn verdict_on(judgement: &Judgement, pair: &PairStatements, change: &StatementChange) -> Option<VerdictData> {
    for judged in &judgement.beside.statements {
        let is_it = matches!(&judged.statement, StatementId::One { number, .. } if *number == change.number);
        if is_it && judged.candidate == pair.candidate && judged.place == pair.place {
            return Some((&judged.ruling.verdict).into());
        }
    }
    None
}

pub(crate) fn figures_data(figures: &StatementFigures) -> StatementFiguresData {
    let StatementFigures { executions, failed, retried, time_ms, share, mean_ms, p50_ms, p95_ms, p99_ms, max_ms } =
        *figures;
    StatementFiguresData { executions, failed, retried, time_ms, share, mean_ms, p50_ms, p95_ms, p99_ms, max_ms }
}

/// Those that change a transaction most first.
fn by_change(pair: &PairStatements) -> Vec<&StatementChange> {
    let mut all: Vec<_> = pair.statements.iter().collect();
    all.sort_by(|one, other| other.more_ms().abs().total_cmp(&one.more_ms().abs()));
    all
}

/// The pairs worth a place on a terminal: of each candidate and workload, the one with the most clients; a transaction
/// of one statement says the same as that.
pub(crate) fn foremost(judgement: &Judgement) -> Vec<&PairStatements> {
    let all = foremost_of(&judgement.statements, |pair| (&pair.candidate, &pair.place));
    all.into_iter().filter(|pair| pair.statements.len() > 1).collect()
}

/// Those that carry most of the change, and those that fail.
fn shown(pair: &PairStatements) -> (Vec<&StatementChange>, Vec<&StatementChange>) {
    let all = by_change(pair);
    let whole_ms: f64 = all.iter().map(|statement| statement.more_ms().abs()).sum();
    let mut carried_ms = 0.0;
    let is_enough = |statement: &&&StatementChange| {
        let is_missing = carried_ms < CARRIED * whole_ms;
        carried_ms += statement.more_ms().abs();
        is_missing
    };
    let carrying = all.iter().take(LINES).take_while(is_enough).count().max(1);
    let (mut shown, rest): (Vec<_>, Vec<_>) = (all[..carrying].to_vec(), all[carrying..].to_vec());
    let fails = |statement: &&StatementChange| statement.sides.iter().any(|side| side.failed + side.retried > 0);
    let (failing, mut others): (Vec<_>, Vec<_>) = rest.into_iter().partition(fails);
    let (named, more) = failing.split_at(FAILING.min(failing.len()));
    shown.extend_from_slice(named);
    others.extend_from_slice(more);
    (shown, others)
}

/// The lines of one pair under a heading, columns aligned; `compared` are the pairs of the comparison.
pub(crate) fn lines(pair: &PairStatements, baseline: &str, compared: &[PairJudgement]) -> (String, Vec<String>) {
    let clients = units::clients(pair.place.clients);
    let heading = format!("Latency by statement ({}, {clients}, ms per transaction)", pair.place.workload);
    let titles = ["", baseline, &pair.candidate, "change", "95 %", "one execution", "statement"];
    let mut table = vec![titles.map(str::to_owned)];
    let (shown, others) = shown(pair);
    for statement in shown {
        let [one, other] = statement.sides.each_ref().map(|side| format!("{:.3}", side.time_ms));
        table.push([
            format!("{}:{}", statement.script, statement.line),
            one,
            other,
            signed(statement.more_ms()),
            statement.time_ms.as_ref().map_or_else(String::new, signed_interval),
            one_execution(statement),
            format!("{}{}{}", cut(&statement.text), of_writers(&statement.commits), failures(statement)),
        ]);
    }
    if !others.is_empty() {
        let sum = |which: usize| others.iter().map(|statement| statement.sides[which].time_ms).sum::<f64>();
        let (one, other) = (sum(0), sum(1));
        let (count, nothing) = (others.len(), String::new);
        let name = if count == 1 { "1 other".to_owned() } else { format!("{count} others") };
        let figures = [one, other].map(|ms| format!("{ms:.3}"));
        let [of_one, of_other] = figures;
        table.push([name, of_one, of_other, signed(other - one), nothing(), nothing(), nothing()]);
    }
    use Alignment::{Left, Right};
    let lines = aligned(&table, [Left, Right, Right, Right, Right, Right, Left]).into_iter();
    (heading, lines.chain(of_fewer_blocks(pair, compared)).collect())
}

/// That the statements are of fewer blocks than the verdict.
fn of_fewer_blocks(pair: &PairStatements, compared: &[PairJudgement]) -> Option<String> {
    let is_it = |one: &&PairJudgement| one.candidate == pair.candidate && one.place == pair.place;
    let all = compared.iter().find(is_it)?.blocks.len();
    if pair.blocks >= all {
        return None;
    }
    Some(format!("{} of {all} blocks: in the others the statements were not timed on both sides", pair.blocks))
}

/// How the mean of an execution changes; both where there is no ratio over blocks.
fn one_execution(statement: &StatementChange) -> String {
    match (&statement.mean, statement.sides.map(|side| side.mean_ms)) {
        (Some(change), _) => units::change(change.point),
        (None, [Some(one), Some(other)]) => units::change(other / one - 1.0),
        (None, [Some(_), None]) => "only on the baseline".to_owned(),
        (None, [None, Some(_)]) => "only on the candidate".to_owned(),
        (None, [None, None]) => "never succeeded".to_owned(),
    }
}

/// Of a COMMIT, whose time it is.
pub(crate) fn of_writers(lines: &[u32]) -> String {
    let numbers: Vec<String> = lines.iter().map(u32::to_string).collect();
    match numbers.as_slice() {
        [] => String::new(),
        [one] => format!(" (of line {one})"),
        [first, .., last] if numbers.len() > WRITERS => format!(" (of {} lines from {first} to {last})", numbers.len()),
        several => format!(" (of lines {})", several.join(", ")),
    }
}

fn failures(statement: &StatementChange) -> String {
    let of = |what: &str, [one, other]: [u64; 2]| {
        if one + other == 0 { String::new() } else { format!(" ({one} → {other} {what})") }
    };
    let failed = of("failed", statement.sides.map(|side| side.failed));
    failed + &of("retried", statement.sides.map(|side| side.retried))
}

pub(crate) fn cut(text: &str) -> String {
    if text.chars().count() <= TEXT_MAX {
        return text.to_owned();
    }
    text.chars().take(TEXT_MAX - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use judge::compare::Place;
    use results::workload::StatementNumber;
    use stats::{Estimate, Interval};

    use super::*;

    fn statement(line: u32, [one, other]: [f64; 2], failed: u64) -> StatementChange {
        let figures = |ms: f64, failed: u64| StatementFigures {
            executions: 100,
            failed,
            time_ms: ms,
            mean_ms: Some(ms),
            ..StatementFigures::default()
        };
        let point = other - one;
        let interval = Interval { low: point - 0.1, high: point + 0.1 };
        StatementChange {
            number: StatementNumber(line - 1),
            script: "own.sql".to_owned(),
            line,
            text: format!("SELECT {line} {}", "ä".repeat(80)),
            commits: Vec::new(),
            sides: [figures(one, 0), figures(other, failed)],
            time_ms: Some(Estimate { point, interval, n: 3 }),
            mean: None,
            p99: None,
        }
    }

    fn pair(statements: Vec<StatementChange>) -> PairStatements {
        let place = Place { workload: "w".to_owned(), clients: 4.into() };
        PairStatements { candidate: "new".to_owned(), place, blocks: 3, statements }
    }

    #[test]
    fn the_statements_that_carry_the_change_and_those_that_fail_have_a_line_and_the_others_share_one() {
        let mut statements: Vec<_> = (1..=1000).map(|line| statement(line, [0.001, 0.001], 0)).collect();
        statements[6] = statement(7, [1.0, 3.0], 0);
        statements[8] = statement(9, [0.5, 0.5], 12);
        let (heading, lines) = lines(&pair(statements), "old", &[]);
        assert_eq!(heading, "Latency by statement (w, 4 clients, ms per transaction)");
        assert_eq!(lines.len(), 4, "{lines:#?}");
        let words: Vec<_> = lines[1].split_whitespace().take(6).collect();
        assert_eq!(words, ["own.sql:7", "1.000", "3.000", "+2.000", "[+1.900,", "+2.100]"]);
        assert!(lines[1].contains("+200 %  SELECT 7 ä"), "{lines:#?}");
        assert!(lines[1].ends_with("ä…"));
        assert!(lines[2].starts_with("own.sql:9") && lines[2].ends_with("(0 → 12 failed)"), "{lines:#?}");
        let words: Vec<_> = lines[3].split_whitespace().collect();
        assert_eq!(words, ["998", "others", "0.998", "0.998", "+0.000"]);
    }

    #[test]
    fn a_commit_is_shown_as_the_time_of_the_statements_that_wrote() {
        let mut commit = statement(5, [1.0, 3.0], 0);
        (commit.text, commit.commits) = ("COMMIT".to_owned(), vec![2, 4]);
        let (_, lines) = lines(&pair(vec![commit]), "old", &[]);
        assert!(lines[1].ends_with("COMMIT (of lines 2, 4)"), "{lines:#?}");
        assert_eq!(of_writers(&[7]), " (of line 7)");
        assert_eq!(of_writers(&[1, 2, 3, 4, 5, 6, 9]), " (of 7 lines from 1 to 9)");
    }

    #[test]
    fn no_more_than_a_few_lines_are_shown_however_the_change_is_spread() {
        let statements = (1..=30).map(|line| statement(line, [1.0, 1.5], 3)).collect();
        assert_eq!(lines(&pair(statements), "old", &[]).1.len(), 1 + LINES + FAILING + 1);
    }
}
