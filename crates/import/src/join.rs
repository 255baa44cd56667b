//! Which outputs, progress lines and logs are of the same run: what can be told from their figures, and nothing else.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use load::external::pgbench::PgbenchTransactionLog;
use outputs::pgbench::Aggregate;

use super::found::{AggregateFile, FoundTrial, LogFile, TrialPart};
use super::pgbench_log;
use problem::Problem;

/// How many times as much as in the others can have been done in an interval that is left out.
const LAST_INTERVAL_AT_MOST: f64 = 2.0;

/// What the logs of one run tell, with the files.
#[derive(Debug, Default)]
pub(crate) struct PgbenchRunLogs {
    transactions: BTreeMap<String, Transactions>,
    aggregates: BTreeMap<String, (Vec<usize>, Vec<Aggregate>)>,
}

/// The logs of one run's threads.
#[derive(Debug)]
struct Transactions {
    /// The files.
    sources: Vec<usize>,
    /// All of them together.
    log: Box<PgbenchTransactionLog>,
    /// Whether a seventh column is known to be the lag in all of them.
    lag_is_known: bool,
}

impl PgbenchRunLogs {
    /// Adds a log of transactions; false if it is of another time than the others of its run.
    pub(crate) fn add(&mut self, source: usize, file: LogFile) -> bool {
        let LogFile { run, log, lag_is_known } = file;
        match self.transactions.entry(run) {
            Entry::Vacant(vacant) => {
                vacant.insert(Transactions { sources: vec![source], log, lag_is_known });
                true
            }
            Entry::Occupied(mut occupied) => {
                let ours = occupied.get_mut();
                ours.sources.push(source);
                ours.lag_is_known &= lag_is_known;
                ours.log.merge(&log)
            }
        }
    }

    /// Adds a log of intervals.
    pub(crate) fn add_aggregates(&mut self, source: usize, file: &AggregateFile) {
        let (sources, rows) = self.aggregates.entry(file.run.clone()).or_default();
        sources.push(source);
        pgbench_log::add_aggregates(rows, &file.rows);
    }

    /// The trials that they tell.
    fn into_trials(self) -> Vec<FoundTrial> {
        let of_transactions = self.transactions.into_values().map(|Transactions { sources, log, lag_is_known }| {
            with_sources(sources, pgbench_log::trial_from_log(&log, lag_is_known))
        });
        let of_aggregates = self.aggregates.into_values();
        let of_aggregates =
            of_aggregates.map(|(sources, rows)| with_sources(sources, pgbench_log::of_aggregates(&rows)));
        of_transactions.chain(of_aggregates).collect()
    }
}

/// Joins what is of one run. A log without any output stands for itself.
///
/// # Errors
/// When there are outputs and logs and it cannot be told which belong together.
pub(crate) fn join_logs_with_outputs(
    mut found: Vec<FoundTrial>,
    logs: PgbenchRunLogs,
    name: impl Fn(usize) -> String,
) -> Result<Vec<FoundTrial>, Problem> {
    join_progress(&mut found);
    let logs = logs.into_trials();
    let reports = found.iter().filter(|trial| trial.part == TrialPart::Whole && is_of_pgbench(trial)).count();
    if reports == 0 {
        found.extend(logs);
        return Ok(found);
    }
    let only = reports == 1 && logs.len() == 1;
    for log in logs {
        let mut candidates: Vec<&mut FoundTrial> = found
            .iter_mut()
            .filter(|trial| trial.part == TrialPart::Whole && is_of_pgbench(trial) && (only || may_be_of(trial, &log)))
            .collect();
        let file = log.sources.first().map_or(String::new(), |source| name(*source));
        match candidates.as_mut_slice() {
            [report] => merge_log_into_report(report, log, &file)?,
            others => {
                let count = log.told.transactions.unwrap_or(0);
                let what = format!("{file} has {count} transactions, as have {} of the outputs", others.len());
                return Err(Problem::usage_error(what).hint("import each output separately, with its logs"));
            }
        }
    }
    Ok(found)
}

fn is_of_pgbench(trial: &FoundTrial) -> bool {
    trial.told.tool.as_deref() == Some("pgbench") && !trial.sources.is_empty() && trial.told.query_mode.is_some()
}

/// Progress lines belong to the outputs without any, in order, if there are as many and all lengths agree.
fn join_progress(found: &mut Vec<FoundTrial>) {
    let is_progress = |trial: &FoundTrial| trial.part == TrialPart::Progress;
    let lines: Vec<usize> = (0..found.len()).filter(|at| is_progress(&found[*at])).collect();
    let reports: Vec<usize> = (0..found.len()).filter(|at| is_report_without_log(&found[*at])).collect();
    let agree = |(report, lines): (&usize, &usize)| {
        let Some(last) = found[*lines].seconds.last() else { return false };
        let length_s = (last.start_us + last.duration_us) as f64 / 1e6;
        let Some(report_s) = found[*report].told.duration_s else { return false };
        // The last lines of a run may be missing, and connecting takes its time.
        (report_s - length_s).abs() <= 2.0 * last.duration_us as f64 / 1e6 + 1.0
    };
    if lines.is_empty() || lines.len() != reports.len() || !reports.iter().zip(&lines).all(agree) {
        return;
    }
    for (report, lines) in reports.iter().zip(&lines) {
        let (seconds, sources) = (std::mem::take(&mut found[*lines].seconds), found[*lines].sources.clone());
        found[*report].seconds = seconds;
        found[*report].sources.extend(sources);
    }
    found.retain(|trial| !is_progress(trial));
}

/// Whether a log has as many transactions as an output: about as many where it is a sample, and up to an interval's
/// fewer where it leaves out the last one.
fn may_be_of(report: &FoundTrial, log: &FoundTrial) -> bool {
    let missing = told_transactions(report) - told_transactions(log);
    if log.is_estimate {
        // Known up to the last sample of each client.
        return missing.abs() <= 0.05 * told_transactions(report);
    }
    let length_s = log.seconds.last().map_or(0.0, |last| (last.start_us + last.duration_us) as f64 / 1e6);
    let left_out = log.left_out_s.map_or(0.0, |left_out_s| told_transactions(log) * left_out_s / length_s);
    (0.0..=LAST_INTERVAL_AT_MOST * left_out).contains(&missing)
}

fn is_report_without_log(trial: &FoundTrial) -> bool {
    trial.part == TrialPart::Whole && is_of_pgbench(trial) && trial.seconds.is_empty()
}

fn told_transactions(trial: &FoundTrial) -> f64 {
    trial.told.transactions.unwrap_or(0) as f64
}

fn with_sources(sources: Vec<usize>, mut trial: FoundTrial) -> FoundTrial {
    trial.sources = sources;
    trial
}

/// Enters what a log tells into the run of its output.
fn merge_log_into_report(report: &mut FoundTrial, mut log: FoundTrial, file: &str) -> Result<(), Problem> {
    let (printed, logged) = (report.told.transactions.unwrap_or(0), log.told.transactions.unwrap_or(0));
    if !may_be_of(report, &log) {
        let what = format!("{file} has {logged} transactions, but the output reports {printed}");
        return Err(Problem::usage_error(what).hint("import the logs of all threads of this run, and no others"));
    }
    let (ours, mut theirs) = (&mut report.told, std::mem::take(&mut log.told));
    ours.latency.mean_ns = ours.latency.mean_ns.or(theirs.latency.mean_ns);
    ours.latency.stddev_ns = ours.latency.stddev_ns.or(theirs.latency.stddev_ns);
    // The extremes of a part are not those of the whole.
    if logged == printed || log.is_estimate {
        ours.latency.min_ns = theirs.latency.min_ns;
        ours.latency.max_ns = theirs.latency.max_ns;
        ours.latency.percentiles_ns = std::mem::take(&mut theirs.latency.percentiles_ns);
        ours.lag.percentiles_ns = std::mem::take(&mut theirs.lag.percentiles_ns);
    }
    ours.failed = ours.failed.or(theirs.failed);
    report.seconds = std::mem::take(&mut log.seconds);
    report.started_s = log.started_s;
    report.sources.extend(&log.sources);
    Ok(())
}
