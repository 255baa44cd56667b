//! From a workload of the plan to what the load engine is asked to do.

use std::num::NonZeroU32;
use std::time::Duration;

use conninfo::ConnInfo;
use load::external::ExternalJob;
use load::ledger::{self, LedgerKept};
use load::workload::erp::{KeyDistribution, Options, TempTable};
use load::{EngineJob, OfferedRate, ParsedScript, ShellCommands, TransactionPace, TurnTakingJobs, Weighted};
use plan::{Generator, Plan, TransactionWork, WordChoice as _, Workload};

use super::asked::TrialRequest;
use super::drive::LoadDriver;
use super::load_login::{conninfo_for_workload, login_of_member};
use super::member::Member;
use super::mixed_scripts::{MemberScripts, mix_scripts};
use super::sysbench_work::{of_sysbench, sysbench_job};
use crate::script_options::{shell_commands, variable_definitions};
use crate::scripts::OwnScripts;
use problem::Problem;

/// How much longer an answer is waited for than the server may take.
const ANSWER_MARGIN: Duration = Duration::from_secs(10);

/// A slice has so many mean transactions of the slowest side at least. When it ends, each client waits for the others'
/// last transactions: that takes about the time of one, so that a slice of 20 errs by a twentieth of a change at most.
pub(super) const SLICE_TRANSACTIONS: u32 = 20;

/// Has the sides take turns, each for as long of its own as a trial alone.
pub fn turns_of_jobs(plan: &Plan, jobs: Vec<EngineJob>, seed: u64) -> TurnTakingJobs {
    let count = u32::try_from(jobs.len()).unwrap_or(u32::MAX);
    let with_time =
        |job: EngineJob| EngineJob { warm_up: job.warm_up * count, measure: job.measure.multiplied_by(count), ..job };
    let sides = jobs.into_iter().map(with_time).collect();
    TurnTakingJobs { sides, length: plan.slice, transactions_at_least: SLICE_TRANSACTIONS, seed, between: None }
}

/// What sends the load of one trial.
///
/// # Errors
/// When it cannot do what the workload asks.
pub(super) fn driver_of_workload(
    plan: &Plan,
    scripts: &OwnScripts,
    workload: &Workload,
    asked: TrialRequest<'_>,
    member: &Member,
) -> Result<LoadDriver, Problem> {
    Ok(match workload.generator {
        Generator::Pgdyno => {
            LoadDriver::Engine(Box::new(job_of_workload(plan, scripts, workload, asked, login_of_member(member))?))
        }
        Generator::Pgbench => LoadDriver::External(ExternalJob::Pgbench(Box::new(job_of_workload(
            plan,
            scripts,
            workload,
            asked,
            login_of_member(member),
        )?))),
        Generator::Sysbench => {
            LoadDriver::External(ExternalJob::Sysbench(Box::new(sysbench_job(plan, workload, asked, member)?)))
        }
    })
}

/// The load of one trial for the engine, wherever that is; it logs in with `login`.
///
/// # Errors
/// When the engine cannot do what the workload asks.
pub fn job_of_workload(
    plan: &Plan,
    scripts: &OwnScripts,
    workload: &Workload,
    asked: TrialRequest<'_>,
    login: ConnInfo,
) -> Result<EngineJob, Problem> {
    let at_least_one = |number: u32| NonZeroU32::new(number).expect("a plan's counts are checked when it is read");
    let weighted = weighted_scripts(scripts, workload, asked)?;
    let sessions = scripts.timed_sessions(&workload.name);
    let phases = plan.phases_of_workload(workload);
    // As many as the sessions need, which are no more than the plan permits.
    let clients = sessions.as_ref().map_or(asked.clients, |sessions| sessions.client_count() as u32);
    let job = EngineJob::new(conninfo_for_workload(workload, login, asked.place), weighted[0].script.clone());
    let job = EngineJob {
        // Whether the server answers at all is waited for longer than it may take.
        answer_timeout: job.answer_timeout.max(workload.statement_timeout.unwrap_or_default() + ANSWER_MARGIN),
        scripts: weighted,
        order: scripts.transaction_order(&workload.name, workload.can_write()),
        mode: workload.mode,
        clients: at_least_one(clients),
        threads: at_least_one(plan.threads.expect("a run's plan is complete").min(clients)),
        pace: sessions.map_or_else(|| pace_of_workload(workload, asked.rate_per_s), TransactionPace::Timed),
        latency_limit: workload.latency_limit,
        tries: workload.tries,
        connections: workload.connections,
        warm_up: phases.warm_up,
        measure: phases.measure.into(),
        seed: asked.seed,
        scale: scale_of_workload(workload),
        ledger: if workload.ledger { LedgerKept::Yes } else { LedgerKept::No },
        shell: shell_of_workload(workload),
        definitions: workload.own_scripts().map_or_else(Vec::new, variable_definitions),
        ..job
    };
    Ok(if job.order.is_some() { job.noting_results() } else { job })
}

/// Whether scripts may run commands: of a mix, those that do were checked one by one.
fn shell_of_workload(workload: &Workload) -> ShellCommands {
    let singles = workload.single_workloads();
    let mut own = singles.iter().filter_map(Workload::own_scripts).map(shell_commands);
    own.find(|shell| *shell == ShellCommands::Permitted).unwrap_or(ShellCommands::Refused)
}

/// The value of the scripts' variable `scale`; each script of a mix has its own.
pub(super) fn scale_of_workload(workload: &Workload) -> u32 {
    workload.as_erp().map(|erp| erp.scale).or_else(|| workload.pgbench_tables().map(|tables| tables.scale)).unwrap_or(1)
}

fn weighted_scripts(
    scripts: &OwnScripts,
    workload: &Workload,
    asked: TrialRequest<'_>,
) -> Result<Vec<Weighted>, Problem> {
    match &workload.work {
        TransactionWork::Builtin { script, .. } => {
            let with_entries = || ledger::ledger_script(script.as_word()).filter(|_| workload.ledger);
            let plain = || ParsedScript::builtin(script.as_word());
            let script = with_entries().or_else(plain).expect("the engine has every built-in script of a plan");
            Ok(vec![Weighted::with_weight_one(script)])
        }
        TransactionWork::Scripts(_) => Ok(scripts.scripts_on_target(&workload.name, asked.target).to_vec()),
        TransactionWork::Erp(erp) => erp_scripts(workload, erp),
        TransactionWork::Sysbench(_) | TransactionWork::ReadIntensive(_) => {
            let of_sysbench = of_sysbench(workload, asked.clients)?.expect("it is one of sysbench's");
            Ok(vec![Weighted::with_weight_one(of_sysbench.transaction_script())])
        }
        TransactionWork::Mix(members) => {
            let mut of_members = Vec::new();
            for (member, single) in members.iter().zip(workload.single_workloads()) {
                let scripts = weighted_scripts(scripts, &single, asked)?;
                of_members.push(MemberScripts { member, single, scripts });
            }
            Ok(mix_scripts(of_members))
        }
    }
}

fn erp_scripts(workload: &Workload, erp: &plan::Erp) -> Result<Vec<Weighted>, Problem> {
    let options = Options {
        splitter: NonZeroU32::new(erp.splitter).filter(|splitter| splitter.get() > 1),
        temp_table: erp.reuse.then_some(TempTable::Reused),
        inserts_percent: erp.inserts_percent.and_then(|percent| u8::try_from(percent).ok()),
        keys: erp.zipfian.map_or(KeyDistribution::Uniform, |parameter| KeyDistribution::Zipfian(parameter.as_f64())),
    };
    load::workload::erp::Erp::new(erp.object, &options)
        .map(|erp| erp.weighted_scripts())
        .map_err(|error| Problem::usage_error(format!("workload {:?}: {error}", workload.name)))
}

fn pace_of_workload(workload: &Workload, rate_per_s: Option<f64>) -> TransactionPace {
    match &workload.pace {
        plan::WorkloadPace::Closed { think } => TransactionPace::Closed { think: *think },
        // Its sessions are those of its scripts.
        plan::WorkloadPace::Timed { .. } => TransactionPace::default(),
        plan::WorkloadPace::Open { rate, arrivals } => {
            TransactionPace::Open { arrivals: *arrivals, rate: engine_rate(rate) }
        }
        plan::WorkloadPace::Capacity { search, arrivals } => {
            let rate = rate_per_s.unwrap_or_else(|| search.from.per_s());
            TransactionPace::Open { arrivals: *arrivals, rate: OfferedRate::Constant(rate) }
        }
    }
}

fn engine_rate(rate: &plan::PlannedRate) -> OfferedRate {
    match rate {
        plan::PlannedRate::Constant(rate) => OfferedRate::Constant(rate.per_s()),
        plan::PlannedRate::Ramp { from, to } => OfferedRate::Ramp { from: from.per_s(), to: to.per_s() },
        plan::PlannedRate::Steps(steps) => OfferedRate::Steps(steps.iter().map(|rate| rate.per_s()).collect()),
    }
}
