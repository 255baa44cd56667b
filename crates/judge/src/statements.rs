//! Latency by statement, pair by pair: how much of a transaction's time each statement takes on either side, and how
//! that changes; and of a target that is compared with nothing, how much each takes. `docs/method.md` says what is
//! timed. Judges from observations only: no files, no clock.

use std::collections::BTreeMap;

use results::statement_latency::StatementLatency;
use results::trial::LatencySummary;
use results::workload::{SentStatement, StatementNumber};
use stats::centre::arithmetic_mean;
use stats::estimate::mean_estimate_at;
use stats::paired::change_of_log_ratios;
use stats::positive::{geometric_mean, mean_to_level};
use stats::{ConfidenceLevel, Estimate};

use crate::commits::{Commit, commits_of_scripts};
use crate::compare::{ComparedSide, ComparisonPlace, Observations, RunQuestion};
use crate::known_writes::KnownWrites;
use crate::observed::Observed;

/// Characters of a text that are kept; the run directory has it whole.
const TEXT_MAX: usize = 200;

/// The statements of a pair.
#[derive(Debug, Clone)]
pub struct PairStatements {
    /// The candidate's target.
    pub candidate: String,
    /// Workload and clients.
    pub place: ComparisonPlace,
    /// Blocks in which both sides were timed.
    pub blocks: usize,
    /// Those that were executed or failed, in the order of their numbers.
    pub statements: Vec<StatementChange>,
}

/// One statement on both sides.
#[derive(Debug, Clone)]
pub struct StatementChange {
    /// Its number in the workload.
    pub number: StatementNumber,
    /// The name of its script.
    pub script: String,
    /// Its line there.
    pub line: u32,
    /// Its text in one line, shortened.
    pub text: String,
    /// Of a COMMIT the lines of the statements that wrote, whose time it is.
    pub commits: Vec<u32>,
    /// Baseline and candidate.
    pub sides: [StatementFigures; 2],
    /// Candidate less baseline of the time that it takes of a mean transaction, in milliseconds; from two blocks on.
    pub time_ms: Option<Estimate>,
    /// Candidate over baseline less 1 of its mean latency; from two blocks on in which both executed it.
    pub mean: Option<Estimate>,
    /// The same of its 99th percentile.
    pub p99: Option<Estimate>,
}

/// What one side tells of a statement over its blocks: levels of the trials' figures, sums of their counts.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StatementFigures {
    /// How often it was executed and succeeded.
    pub executions: u64,
    /// Transactions that failed with it.
    pub failed: u64,
    /// Tries that failed with it and were followed by another.
    pub retried: u64,
    /// The time that it takes of a mean transaction, in milliseconds: nothing where it was not executed. Over the
    /// statements of a transaction these sum to the level of its service time.
    pub time_ms: f64,
    /// The part of a mean transaction that this is, 0 to 1; more of pipelines, whose statements overlap. Absent where
    /// no transaction was completed.
    pub share: Option<f64>,
    /// The mean of an execution, in milliseconds; this and what follows are absent where there was none. Of two sides
    /// it is over the blocks of the change where there is one, so that the ratio of the two is the change.
    pub mean_ms: Option<f64>,
    /// Median.
    pub p50_ms: Option<f64>,
    /// 95th percentile.
    pub p95_ms: Option<f64>,
    /// 99th percentile.
    pub p99_ms: Option<f64>,
    /// The longest of all.
    pub max_ms: Option<f64>,
}

/// The statements of a target that is compared with nothing.
#[derive(Debug, Clone)]
pub struct TargetStatements {
    /// The target.
    pub target: String,
    /// Workload and clients.
    pub place: ComparisonPlace,
    /// Blocks in which it was timed.
    pub blocks: usize,
    /// Those that were executed or failed, in the order of their numbers.
    pub statements: Vec<TimedStatement>,
}

/// One statement of one target.
#[derive(Debug, Clone)]
pub struct TimedStatement {
    /// Its number in the workload.
    pub number: StatementNumber,
    /// The name of its script.
    pub script: String,
    /// Its line there.
    pub line: u32,
    /// Its text in one line, shortened.
    pub text: String,
    /// Of a COMMIT the lines of the statements that wrote, whose time it is.
    pub commits: Vec<u32>,
    /// What was timed.
    pub figures: StatementFigures,
}

impl StatementChange {
    /// How much more of a mean transaction's time it takes of the candidate, in milliseconds.
    pub fn more_ms(&self) -> f64 {
        self.sides[1].time_ms - self.sides[0].time_ms
    }
}

/// The statements of every candidate at every place where both sides were timed in a block; searches have none.
pub fn of_pairs(observed: &Observed, question: &RunQuestion, observations: &Observations<'_>) -> Vec<PairStatements> {
    let baseline = ComparedSide::main(&question.baseline);
    let rule = question.blocks.stopping_rule();
    let mut all = Vec::new();
    for (candidate, place) in observations.pairs_of_given_load(question) {
        let Some(workload) = observed.workloads.get(&place.workload) else { continue };
        let sides = [&baseline, &ComparedSide::main(&candidate)]
            .map(|side| timed_trials_by_block(observed, observations, &place, side, workload.statements.len()));
        let blocks = sides[0].keys().filter(|block| sides[1].contains_key(block)).count();
        if blocks > 0 {
            let mut statements = of_both(&workload.statements, &sides, rule.level_at(blocks));
            let commits = commits_at(observed, &place, &workload.statements);
            for statement in &mut statements {
                statement.commits = lines_of(&commits, statement.number, &workload.statements);
            }
            all.push(PairStatements { candidate, place, blocks, statements });
        }
    }
    all
}

/// The statements of the baseline at every place of a run that has no candidate; searches have none.
pub fn of_one(observed: &Observed, question: &RunQuestion, observations: &Observations<'_>) -> Vec<TargetStatements> {
    let is_compared = !question.candidates.is_empty();
    let given =
        observations.places_in_order().into_iter().filter(|place| !is_compared && !question.is_search(&place.workload));
    given
        .filter_map(|place| {
            let sent = &observed.workloads.get(&place.workload)?.statements;
            let by_block = timed_trials_by_block(
                observed,
                observations,
                &place,
                &ComparedSide::main(&question.baseline),
                sent.len(),
            );
            let trials: Vec<Timed<'_>> = by_block.into_values().collect();
            let (target, blocks) = (question.baseline.clone(), trials.len());
            let commits = commits_at(observed, &place, sent);
            (blocks > 0).then(|| TargetStatements {
                target,
                place,
                blocks,
                statements: of_side(sent, &commits, &trials),
            })
        })
        .collect()
}

/// The commits of a workload's scripts; which statements write is known by any side.
fn commits_at(observed: &Observed, place: &ComparisonPlace, sent: &[SentStatement]) -> Vec<Commit> {
    let known = KnownWrites::of_workload(observed, &place.workload);
    commits_of_scripts(sent, |number| known.statement_writes(sent, number))
}

/// The lines of the statements whose time a statement is, if it is a COMMIT.
fn lines_of(commits: &[Commit], number: StatementNumber, sent: &[SentStatement]) -> Vec<u32> {
    let Some(commit) = commits.iter().find(|commit| commit.number == number) else { return Vec::new() };
    commit.of.iter().filter_map(|number| Some(sent.get(number.0 as usize)?.line)).collect()
}

fn of_side(sent: &[SentStatement], commits: &[Commit], trials: &[Timed<'_>]) -> Vec<TimedStatement> {
    sent.iter()
        .enumerate()
        .filter_map(|(number, statement)| {
            let figures = figures_of_statement(number, trials);
            (figures.executions + figures.failed + figures.retried > 0).then(|| TimedStatement {
                number: StatementNumber(number as u32),
                script: statement.script.clone(),
                line: statement.line,
                text: in_one_line(&statement.text, TEXT_MAX),
                commits: lines_of(commits, StatementNumber(number as u32), sent),
                figures,
            })
        })
        .collect()
}

/// The trials of a side in which its statements were timed, by block. A list of another length is not of this workload.
fn timed_trials_by_block<'a>(
    observed: &'a Observed,
    observations: &Observations<'a>,
    place: &ComparisonPlace,
    side: &ComparedSide,
    statements: usize,
) -> BTreeMap<u32, Timed<'a>> {
    let usable = observations.usable_trials(place, side).into_iter();
    let timed = usable.filter_map(|(block, trial)| {
        let load = trial.load.as_ref()?;
        let timed = &observed.watched.get(&trial.number)?.statement_latency.as_ref()?.statements;
        let (transactions, service) = (load.transactions, load.service_time());
        (timed.len() == statements).then_some((block, Timed { transactions, service, statements: timed }))
    });
    timed.collect()
}

/// A figure of executions, in nanoseconds.
type ExecutionFigure = fn(&LatencySummary) -> f64;

/// One trial whose statements were timed.
#[derive(Clone, Copy)]
struct Timed<'a> {
    transactions: u64,
    service: Option<LatencySummary>,
    statements: &'a [StatementLatency],
}

impl Timed<'_> {
    /// A figure of its executions, in nanoseconds; none where there was none.
    fn figure_ns(&self, number: usize, figure: ExecutionFigure) -> Option<f64> {
        self.statements[number].latency.as_ref().map(figure).filter(|ns| *ns > 0.0)
    }

    /// The time that a statement takes of a mean transaction, in milliseconds.
    fn time_ms(&self, number: usize) -> f64 {
        let all_ns = self.statements[number].all_ns();
        if self.transactions > 0 { all_ns / self.transactions as f64 / 1e6 } else { 0.0 }
    }
}

fn of_both(
    sent: &[SentStatement],
    [baseline, candidate]: &[BTreeMap<u32, Timed<'_>>; 2],
    level: ConfidenceLevel,
) -> Vec<StatementChange> {
    let pairs: Vec<[Timed<'_>; 2]> =
        baseline.iter().filter_map(|(block, one)| Some([*one, *candidate.get(block)?])).collect();
    let trials = [0, 1].map(|side: usize| pairs.iter().map(|pair| pair[side]).collect::<Vec<_>>());
    let scales = trials.each_ref().map(|trials| to_level(trials));
    let mut all = Vec::new();
    for (number, statement) in sent.iter().enumerate() {
        let mut sides = trials.each_ref().map(|trials| figures_of_statement(number, trials));
        if sides.iter().all(|side| side.executions + side.failed + side.retried == 0) {
            continue;
        }
        let more: Vec<f64> = pairs
            .iter()
            .map(|[one, other]| other.time_ms(number) * scales[1] - one.time_ms(number) * scales[0])
            .collect();
        let mut ratio = |figure_of: ExecutionFigure, level_ms: fn(&mut StatementFigures) -> &mut Option<f64>| {
            let ns = |timed: &Timed<'_>| timed.figure_ns(number, figure_of);
            let in_both: Vec<[f64; 2]> = pairs.iter().filter_map(|[one, other]| Some([ns(one)?, ns(other)?])).collect();
            let logarithms: Vec<f64> = in_both.iter().map(|[one, other]| (other / one).ln()).collect();
            let change = change_of_log_ratios(&logarithms, level)?;
            for (which, side) in sides.iter_mut().enumerate() {
                let each_ms: Vec<f64> = in_both.iter().map(|pair| pair[which] / 1e6).collect();
                *level_ms(side) = geometric_mean(&each_ms);
            }
            Some(change)
        };
        let mean = ratio(|latency| latency.mean_ns, |side| &mut side.mean_ms);
        let p99 = ratio(|latency| latency.p99_ns as f64, |side| &mut side.p99_ms);
        all.push(StatementChange {
            number: StatementNumber(number as u32),
            script: statement.script.clone(),
            line: statement.line,
            text: in_one_line(&statement.text, TEXT_MAX),
            commits: Vec::new(),
            sides,
            time_ms: mean_estimate_at(&more, level),
            mean,
            p99,
        });
    }
    all
}

/// By what the arithmetic means of a side's times are multiplied so that they sum to the level of its service time: its
/// geometric mean, of which the ratio over two sides is their change. No less than all of the time where that is not
/// known.
fn to_level(trials: &[Timed<'_>]) -> f64 {
    let service_ns: Option<Vec<f64>> = trials.iter().map(|trial| Some(trial.service?.mean_ns)).collect();
    let Some(service_ns) = service_ns else { return 1.0 };
    mean_to_level(&service_ns)
}

/// Of a statement in the trials of one side.
fn figures_of_statement(number: usize, trials: &[Timed<'_>]) -> StatementFigures {
    let statements = || trials.iter().map(|trial| &trial.statements[number]);
    let ms = |figure: ExecutionFigure| {
        let each_ms: Vec<f64> =
            trials.iter().filter_map(|trial| Some(trial.figure_ns(number, figure)? / 1e6)).collect();
        geometric_mean(&each_ms)
    };
    let mean_ms = trials.iter().map(|trial| trial.time_ms(number)).sum::<f64>() / trials.len() as f64;
    let service_ms = arithmetic_mean(trials.iter().filter_map(|trial| Some(trial.service?.mean_ns / 1e6)));
    StatementFigures {
        executions: statements().map(|statement| statement.executions).sum(),
        failed: statements().map(|statement| statement.failed).sum(),
        retried: statements().map(|statement| statement.retried).sum(),
        time_ms: mean_ms * to_level(trials),
        share: service_ms.map(|service_ms| mean_ms / service_ms),
        mean_ms: ms(|latency| latency.mean_ns),
        p50_ms: ms(|latency| latency.p50_ns as f64),
        p95_ms: ms(|latency| latency.p95_ns as f64),
        p99_ms: ms(|latency| latency.p99_ns as f64),
        max_ms: statements()
            .filter_map(|statement| statement.latency.as_ref())
            .map(|latency| latency.max_ns as f64 / 1e6)
            .reduce(f64::max),
    }
}

/// A text in one line, of so many characters at most.
pub(crate) fn in_one_line(text: &str, characters: usize) -> String {
    // Of a long text no more is looked at than can be shown, whatever its white space.
    let words = text.split_whitespace().take(characters);
    let mut line = String::new();
    for word in words {
        if !line.is_empty() {
            line.push(' ');
        }
        line.extend(word.chars().take(characters + 1));
        if line.chars().count() > characters {
            return line.chars().take(characters - 1).chain(['…']).collect();
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn latency(ms: f64) -> LatencySummary {
        let ns = (ms * 1e6) as u64;
        let (mean_ns, stddev_ns) = (ms * 1e6, 0.0);
        LatencySummary { mean_ns, stddev_ns, min_ns: ns, p50_ns: ns, p95_ns: ns, p99_ns: ns, p999_ns: ns, max_ns: ns }
    }

    /// A thousand transactions, with executions and milliseconds of each statement.
    fn trial(statements: &[(u64, f64)]) -> (Vec<StatementLatency>, LatencySummary) {
        let of = |(executions, ms): &(u64, f64)| StatementLatency {
            executions: *executions,
            failed: 0,
            retried: 0,
            latency: (*executions > 0).then(|| latency(*ms)),
        };
        let whole_ms: f64 = statements.iter().map(|(executions, ms)| *executions as f64 / 1e3 * ms).sum();
        (statements.iter().map(of).collect(), latency(whole_ms))
    }

    fn sent(texts: &[&str]) -> Vec<SentStatement> {
        let of = |text: &&str| SentStatement {
            script: "t.sql".to_owned(),
            line: 1,
            kind: results::workload::StatementKind::Sql,
            text: (*text).to_owned(),
            parameters: Vec::new(),
            variants: 1,
            captured: None,
        };
        texts.iter().map(of).collect()
    }

    /// What is found of as many blocks as there are of either side.
    fn changes(baseline: &[&[(u64, f64)]], candidate: &[&[(u64, f64)]]) -> Vec<StatementChange> {
        let trials = |side: &[&[(u64, f64)]]| side.iter().map(|statements| trial(statements)).collect::<Vec<_>>();
        let (one, other) = (trials(baseline), trials(candidate));
        let by_block = |trials: &'static [(Vec<StatementLatency>, LatencySummary)]| {
            let timed = |(statements, service): &'static (Vec<StatementLatency>, LatencySummary)| Timed {
                transactions: 1000,
                service: Some(*service),
                statements,
            };
            (1..).zip(trials.iter().map(timed)).collect()
        };
        let sides = [one, other].map(|trials| by_block(Vec::leak(trials)));
        of_both(&sent(&["SELECT 1", "SELECT 2", "SELECT 3"]), &sides, ConfidenceLevel::NINETY_FIVE)
    }

    #[test]
    fn what_a_statement_adds_to_a_transaction_is_its_time_by_how_often_it_is_executed() {
        let baseline: [&[(u64, f64)]; 3] = [&[(1000, 1.0), (2000, 0.5), (0, 0.0)]; 3];
        let candidate: [&[(u64, f64)]; 3] = [&[(1000, 1.0), (2000, 1.5), (0, 0.0)]; 3];
        let found = changes(&baseline, &candidate);
        assert_eq!(found.iter().map(|it| it.number.0).collect::<Vec<_>>(), [0, 1], "the third was never executed");
        let second = &found[1];
        let [one, other] = second.sides.map(|side| side.time_ms);
        assert!((one - 1.0).abs() < 1e-9 && (other - 3.0).abs() < 1e-9, "{second:?}");
        assert_eq!(second.sides.map(|side| side.share), [Some(0.5), Some(0.75)]);
        assert!((second.more_ms() - 2.0).abs() < 1e-9 && (second.time_ms.unwrap().point - 2.0).abs() < 1e-9);
        assert!((second.mean.unwrap().point - 2.0).abs() < 1e-9, "three times as long");
        assert_eq!(found[0].mean.unwrap().point, 0.0);
    }

    #[test]
    fn one_block_has_figures_and_no_interval_and_a_side_that_never_executed_it_has_no_ratio() {
        let found = changes(&[&[(1000, 1.0), (0, 0.0), (1000, 1.0)]], &[&[(1000, 2.0), (10, 1.0), (0, 0.0)]]);
        assert_eq!(found.len(), 3);
        assert!(found.iter().all(|statement| statement.time_ms.is_none() && statement.mean.is_none()));
        assert_eq!(found[1].sides.map(|side| side.mean_ms), [None, Some(1.0)]);
        assert_eq!(found[2].sides.map(|side| side.time_ms), [1.0, 0.0]);
    }

    #[test]
    fn a_text_is_one_line_of_whole_characters() {
        assert_eq!(in_one_line("SELECT  1,\n\t'größer'", TEXT_MAX), "SELECT 1, 'größer'");
        let long = in_one_line(&"ä".repeat(1_000_000), TEXT_MAX);
        assert!(long.chars().count() == TEXT_MAX && long.ends_with('…'));
        assert_eq!(in_one_line(&"a b ".repeat(1_000), TEXT_MAX).chars().count(), TEXT_MAX);
    }
}
