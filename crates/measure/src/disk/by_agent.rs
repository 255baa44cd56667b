//! A directory on the host of a target's agent, and the fio there.
//!
//! The agent runs one job file after the other and keeps what came of it until it is asked. It is an agent of its own,
//! beside the one that reads the host, and ends in order: what it has made is removed by itself.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use load::StopRequest;
use plan::Target;
use server::{AgentAnswer, AgentOrder as Said, Carrier, DiskThere, FioResult};
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::fio::{self, FioExecution, FioOrder};
use super::ground::Ground;
use crate::agent::{AtDrop, ProgramAgent, carrier_of_agent, start_program};
use problem::Problem;

/// Between two looks at what fio has come to.
const TICK: Duration = Duration::from_millis(500);

/// The longest that an answer is waited for: a host whose disk is at its limit is slow with everything.
const ANSWER_AT_MOST: Duration = Duration::from_secs(60);

/// A directory on the host of an agent.
#[derive(Debug, Clone)]
pub struct DirectoryThere {
    /// The target whose agent it is.
    pub target: String,
    /// How the agent is started.
    pub carrier: Carrier,
    /// The directory.
    pub directory: PathBuf,
}

/// An agent that waits for job files.
pub(super) struct FioThere {
    target: String,
    agent: Mutex<ProgramAgent>,
    seen: DiskThere,
}

impl DirectoryThere {
    /// The directory of a target's disk, if the target has an agent.
    #[must_use]
    pub fn of_target(target: &Target) -> Option<Self> {
        let (directory, agent) = (target.disk.directory.clone()?, target.agent.as_ref()?);
        Some(Self { target: target.name.clone(), carrier: carrier_of_agent(agent), directory })
    }

    /// Starts the agent, and has it make a working directory for fio.
    pub(super) async fn open_on_agent(&self) -> Result<FioThere, Problem> {
        let mut agent = start_program(&self.carrier, &self.target, AtDrop::InOrder).await?;
        let order = Said::OpenDisk { directory: self.directory.clone() };
        match order_from_agent(&mut agent, &self.target, order).await? {
            AgentAnswer::DiskOpen(seen) => {
                Ok(FioThere { target: self.target.clone(), agent: Mutex::new(agent), seen: *seen })
            }
            _other => Err(another_question(&self.target)),
        }
    }
}

impl FioThere {
    /// As the fio of this machine says them.
    pub(super) fn version_and_engine(&self) -> Result<(String, &'static str), Problem> {
        let who = format!("the fio on the host of {:?}", self.target);
        Ok((fio::known_version(&self.seen.version, &who)?, fio::engine_in(&self.seen.engines, &who)?))
    }

    /// What the agent saw of the directory.
    pub(super) fn observed_ground(&self) -> Ground {
        Ground::from_agent(&self.seen)
    }

    /// Where jobs have to write their logs there.
    pub(super) fn logs_directory(&self) -> &Path {
        &self.seen.logs
    }

    /// Has a job file run, waits for its end, and brings what it left here, the logs into those of `order`.
    pub(super) async fn run_job_file(
        &self,
        order: FioOrder<'_>,
        stop: &StopRequest,
        mut tick: impl FnMut(Duration),
    ) -> Result<FioExecution, Problem> {
        let mut agent = self.agent.lock().await;
        let mut ask = async |order: Said| order_from_agent(&mut agent, &self.target, order).await;
        let expected_ms = order.expected.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
        ask(Said::StartFio { definition: order.definition.to_owned(), is_own: order.is_own, expected_ms }).await?;
        let (began, mut is_told) = (Instant::now(), false);
        loop {
            tokio::time::sleep(TICK).await;
            tick(began.elapsed());
            if stop.is_requested() && !is_told {
                ask(Said::StopFio).await?;
                is_told = true;
            }
            match ask(Said::LookAtFio).await? {
                AgentAnswer::FioRuns => {}
                AgentAnswer::FioEnded(result) => return brought_here(*result, order.logs),
                _other => return Err(another_question(&self.target)),
            }
        }
    }

    /// Has the agent remove what it has made.
    pub(super) async fn close_on_agent(self) -> Result<(), Problem> {
        order_from_agent(&mut self.agent.into_inner(), &self.target, Said::CloseDisk).await.map(drop)
    }
}

async fn order_from_agent(agent: &mut ProgramAgent, target: &str, order: Said) -> Result<AgentAnswer, Problem> {
    let problem =
        |what: &str| Problem::could_not_measure(format!("target {target:?}, on the host of its agent: {what}"));
    match agent.ask_order(order, Instant::now() + ANSWER_AT_MOST).await {
        Ok(AgentAnswer::Refused { what, detail, hint }) => Err(problem(&what).detail(detail).hint(hint)),
        Ok(answer) => Ok(answer),
        Err(why) => Err(problem("fio did not run to its end").detail(why)),
    }
}

fn another_question(target: &str) -> Problem {
    Problem::could_not_measure(format!("target {target:?}: its agent sent an unexpected answer"))
}

fn brought_here(FioResult { output, errors, end, logs }: FioResult, into: &Path) -> Result<FioExecution, Problem> {
    for (name, text) in logs.iter().filter(|(name, _)| !name.contains('/')) {
        let place = into.join(name);
        fs::write(&place, text).map_err(|error| {
            Problem::could_not_measure(format!("could not write {}", place.display())).detail(error.to_string())
        })?;
    }
    Ok(FioExecution { output, errors, end, logs: into.to_owned() })
}
