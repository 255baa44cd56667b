//! Loads beside: what runs on the server of a trial while its workload is measured, and what came of it.
//!
//! Each begins with the warm-up and ends with the measurement, so that both have it from the first transaction on. Its
//! sessions are called `beside-NAME`, so that the probes see them as others than the load's. Nothing is concluded.

mod program;
mod sessions;

use std::time::{Duration, Instant};

use conninfo::ConnInfo;
use plan::{BesideLoad, BesideWork, TrialPhases};
use results::run::ScheduledTrial;
use results::trial::BesideTotals;
use tokio::sync::watch;

use super::fleet::Fleet;
use super::member::Member;
use super::run_request::Experiment;
use problem::Problem;
use program::RepeatedProgram;
use sessions::SessionLoad;

/// How far the load of a trial is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LoadStage {
    /// Its clients connect.
    Connecting,
    /// Its first phase has begun.
    Running,
    /// It has ended.
    Over,
}

/// The loads beside a trial, ready to begin.
#[derive(Default)]
pub(super) struct ReadyLoads {
    loads: Vec<ReadyLoad>,
}

/// One of them.
struct ReadyLoad {
    name: String,
    kind: &'static str,
    clients: u32,
    phases: TrialPhases,
    driver: BesideDriver,
}

enum BesideDriver {
    Sessions(Box<SessionLoad>),
    Program(Box<RepeatedProgram>),
}

/// What a load beside works with.
struct BesideTarget<'a> {
    member: &'a Member,
    planned: &'a plan::Target,
    phases: TrialPhases,
    seed: u64,
}

/// Whether the programs of the loads beside are there, before anything is created.
///
/// # Errors
/// One is missing, or older than the server.
pub(super) fn require_programs(plan: &plan::Plan, fleet: &Fleet) -> Result<(), Problem> {
    for planned in &plan.targets {
        let member = fleet.member_by_name(&planned.name);
        for load in plan.beside_target(planned) {
            program::check_program(load, planned, member)?;
        }
    }
    Ok(())
}

impl ReadyLoads {
    /// Those of a trial that is executed alone; of sides that alternate in slices there are none.
    ///
    /// # Errors
    /// One cannot be made ready, as its name says.
    pub(super) async fn make_ready(
        experiment: &Experiment<'_>,
        fleet: &Fleet,
        scheduled: &[&ScheduledTrial],
    ) -> Result<Self, Problem> {
        let [trial] = scheduled else { return Ok(Self::default()) };
        let plan = experiment.plan;
        let planned = plan.target_by_name(&trial.cell.target).expect("the schedule names targets of the plan");
        let workload = plan.workload_by_name(&trial.cell.workload).expect("the schedule names workloads of the plan");
        let member = fleet.member_by_name(&planned.name);
        let on = BesideTarget { member, planned, phases: plan.phases_of_workload(workload), seed: trial.seed };
        let mut loads = Vec::new();
        for (place, load) in plan.beside.iter().enumerate() {
            if plan.beside_target(planned).any(|chosen| chosen.name == load.name) {
                loads.push(ready_load(experiment, load, place, &on).await?);
            }
        }
        Ok(Self { loads })
    }

    /// Runs all of them until the load of the trial has ended.
    pub(super) async fn run_until_end(self, stage: watch::Receiver<LoadStage>) -> Vec<BesideTotals> {
        let mut running = Vec::new();
        for load in self.loads {
            running.push(tokio::spawn(run_load(load, stage.clone())));
        }
        let mut totals = Vec::new();
        for load in running {
            totals.push(load.await.expect("a load beside does not panic"));
        }
        totals
    }
}

async fn ready_load(
    experiment: &Experiment<'_>,
    load: &BesideLoad,
    place: usize,
    on: &BesideTarget<'_>,
) -> Result<ReadyLoad, Problem> {
    let driver = match &load.work {
        BesideWork::Script(_) | BesideWork::Copy(_) | BesideWork::Vacuum(_) | BesideWork::IndexBuild(_) => {
            BesideDriver::Sessions(Box::new(SessionLoad::make_ready(experiment, load, place, on).await?))
        }
        BesideWork::BaseBackup(_) | BesideWork::Dump(_) | BesideWork::Command(_) => {
            BesideDriver::Program(Box::new(RepeatedProgram::make_ready(load, on)?))
        }
    };
    let kind = load.work.plan_key();
    Ok(ReadyLoad { name: load.name.clone(), kind, clients: load.client_count(), phases: on.phases, driver })
}

async fn run_load(load: ReadyLoad, mut stage: watch::Receiver<LoadStage>) -> BesideTotals {
    let ReadyLoad { name, kind, clients, phases, driver } = load;
    let began = match stage.wait_for(|stage| *stage != LoadStage::Connecting).await {
        Ok(stage) if *stage == LoadStage::Running => Instant::now(),
        Ok(_) | Err(_) => {
            let why = "the load of the trial did not begin".to_owned();
            return BesideTotals::not_run(&name, kind, clients, why);
        }
    };
    let totals = match driver {
        BesideDriver::Sessions(load) => load.run_until_end(&mut stage).await,
        BesideDriver::Program(program) => Ok(program.repeat_until_end(began, phases, &mut stage).await),
    };
    match totals {
        Ok(totals) => BesideTotals { name, kind: kind.to_owned(), clients, ..totals },
        Err(why) => BesideTotals::not_run(&name, kind, clients, why),
    }
}

/// Returns when the load of the trial has ended.
async fn wait_until_over(stage: &mut watch::Receiver<LoadStage>) {
    // A sender that is gone has ended, too.
    let _over = stage.wait_for(|stage| *stage == LoadStage::Over).await;
}

/// What the sessions of a load beside are called.
fn application_name(load: &BesideLoad) -> String {
    format!("beside-{}", load.name)
}

/// How a load beside logs in at `login`.
fn login_beside(load: &BesideLoad, login: ConnInfo) -> ConnInfo {
    ConnInfo { application_name: application_name(load), ..login }
}

fn problem_of_load(load: &BesideLoad, on: &BesideTarget<'_>, what: &str) -> Problem {
    Problem::could_not_measure(format!("load {:?} beside target {:?}: {what}", load.name, on.planned.name))
}

fn duration_us(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}
