//! From a workload of the plan to what the load engine is asked to do.

use std::num::NonZeroU32;
use std::time::Duration;

use conninfo::ConnInfo;
use load::external::ExternalJob;
use load::ledger::{self, LedgerKept};
use load::workload::erp::{Keys, Options, TempTable};
use load::{Extent, Job, Pace, Rate, Script, ShellCommands, Turns, Weighted};
use plan::{Generator, Plan, Word as _, Work, Workload};

use super::asked::Asked;
use super::drive::Driver;
use super::load_login::{login, server};
use super::member::Member;
use super::sysbench_work::{of_sysbench, sysbench_job};
use crate::script_options::{definitions, shell_commands};
use crate::scripts::OwnScripts;
use problem::Problem;

/// How much longer an answer is waited for than the server may take.
const ANSWER_MARGIN: Duration = Duration::from_secs(10);

/// A slice has so many mean transactions of the slowest side at least. When it ends, each client waits for the others'
/// last transactions: that takes about the time of one, so that a slice of 20 errs by a twentieth of a change at most.
pub(super) const SLICE_TRANSACTIONS: u32 = 20;

/// Has the sides take turns, each for as long of its own as a trial alone.
pub fn turns(plan: &Plan, jobs: Vec<Job>, seed: u64) -> Turns {
    let count = u32::try_from(jobs.len()).unwrap_or(u32::MAX);
    let (warm_up, measure) = (plan.trial.warm_up * count, Extent::from(plan.trial.measure * count));
    let with_time = |job| Job { warm_up, measure, ..job };
    let sides = jobs.into_iter().map(with_time).collect();
    Turns { sides, length: plan.slice, transactions_at_least: SLICE_TRANSACTIONS, seed }
}

/// What sends the load of one trial.
///
/// # Errors
/// When it cannot do what the workload asks.
pub(super) fn driver(
    plan: &Plan,
    scripts: &OwnScripts,
    workload: &Workload,
    asked: Asked,
    member: &Member,
) -> Result<Driver, Problem> {
    Ok(match workload.generator {
        Generator::Pgdyno => Driver::Engine(Box::new(job(plan, scripts, workload, asked, login(member))?)),
        Generator::Pgbench => {
            Driver::External(ExternalJob::Pgbench(Box::new(job(plan, scripts, workload, asked, login(member))?)))
        }
        Generator::Sysbench => {
            Driver::External(ExternalJob::Sysbench(Box::new(sysbench_job(plan, workload, asked, member)?)))
        }
    })
}

/// The load of one trial for the engine, wherever that is; it logs in with `login`.
///
/// # Errors
/// When the engine cannot do what the workload asks.
pub fn job(
    plan: &Plan,
    scripts: &OwnScripts,
    workload: &Workload,
    asked: Asked,
    login: ConnInfo,
) -> Result<Job, Problem> {
    let at_least_one = |number: u32| NonZeroU32::new(number).expect("a plan's counts are checked when it is read");
    let weighted = weighted(scripts, workload, asked.clients)?;
    let job = Job::new(server(workload, login, asked.place), weighted[0].script.clone());
    Ok(Job {
        // Whether the server answers at all is waited for longer than it may take.
        answer_timeout: job.answer_timeout.max(workload.statement_timeout.unwrap_or_default() + ANSWER_MARGIN),
        scripts: weighted,
        mode: workload.mode,
        clients: at_least_one(asked.clients),
        threads: at_least_one(plan.threads.expect("a run's plan is complete").min(asked.clients)),
        pace: pace(workload, asked.rate_per_s),
        latency_limit: workload.latency_limit,
        tries: workload.tries,
        connections: workload.connections,
        warm_up: plan.trial.warm_up,
        measure: plan.trial.measure.into(),
        seed: asked.seed,
        scale: scale(workload),
        ledger: if workload.ledger { LedgerKept::Yes } else { LedgerKept::No },
        shell: workload.own_scripts().map_or(ShellCommands::Refused, shell_commands),
        definitions: workload.own_scripts().map_or_else(Vec::new, definitions),
        ..job
    })
}

/// The value of the scripts' variable `scale`.
fn scale(workload: &Workload) -> u32 {
    let of_pgbench = || workload.pgbench_tables().map(|tables| tables.scale);
    workload.erp().map(|erp| erp.scale).or_else(of_pgbench).unwrap_or(1)
}

fn weighted(scripts: &OwnScripts, workload: &Workload, clients: u32) -> Result<Vec<Weighted>, Problem> {
    match &workload.work {
        Work::Builtin { script, .. } => {
            let with_entries = || ledger::script(script.word()).filter(|_| workload.ledger);
            let plain = || Script::builtin(script.word());
            let script = with_entries().or_else(plain).expect("the engine has every built-in script of a plan");
            Ok(vec![Weighted::one(script)])
        }
        Work::Scripts(_) => Ok(scripts.of(&workload.name).to_vec()),
        Work::Erp(erp) => erp_scripts(workload, erp),
        Work::Sysbench(_) | Work::ReadIntensive(_) => {
            let of_sysbench = of_sysbench(workload, clients)?.expect("it is one of sysbench's");
            Ok(vec![Weighted::one(of_sysbench.script())])
        }
    }
}

fn erp_scripts(workload: &Workload, erp: &plan::Erp) -> Result<Vec<Weighted>, Problem> {
    let options = Options {
        splitter: NonZeroU32::new(erp.splitter).filter(|splitter| splitter.get() > 1),
        temp_table: erp.reuse.then_some(TempTable::Reused),
        inserts_percent: erp.inserts_percent.and_then(|percent| u8::try_from(percent).ok()),
        keys: erp.zipfian.map_or(Keys::Uniform, |parameter| Keys::Zipfian(parameter.number())),
    };
    load::workload::erp::Erp::new(erp.object, &options)
        .map(|erp| erp.scripts())
        .map_err(|error| Problem::usage(format!("workload {:?}: {error}", workload.name)))
}

fn pace(workload: &Workload, rate_per_s: Option<f64>) -> Pace {
    match &workload.pace {
        plan::Pace::Closed { think } => Pace::Closed { think: *think },
        plan::Pace::Open { rate, arrivals } => Pace::Open { arrivals: *arrivals, rate: engine_rate(rate) },
        plan::Pace::Capacity { search, arrivals } => {
            let rate = rate_per_s.unwrap_or_else(|| search.from.per_s());
            Pace::Open { arrivals: *arrivals, rate: Rate::Constant(rate) }
        }
    }
}

fn engine_rate(rate: &plan::Rate) -> Rate {
    match rate {
        plan::Rate::Constant(rate) => Rate::Constant(rate.per_s()),
        plan::Rate::Ramp { from, to } => Rate::Ramp { from: from.per_s(), to: to.per_s() },
        plan::Rate::Steps(steps) => Rate::Steps(steps.iter().map(|rate| rate.per_s()).collect()),
    }
}
