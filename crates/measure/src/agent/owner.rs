//! pgdyno's end of an agent that changes its host and the server on it, by consent of their owner.
//!
//! It is not killed with pgdyno: the end of its input is what has it undo everything.

use std::collections::BTreeMap;
use std::time::Duration;

use results::trial::KernelValue;
use server::{AgentAnswer, AgentOrder, BackendProcess, Carrier, SessionOnHost, Undone};
use tokio::time::Instant;

use super::near::{self, AtDrop, ProgramAgent};
use problem::Problem;

/// The longest that a change, or undoing all, may take: a server that is restarted writes a checkpoint before.
const DONE_WITHIN: Duration = Duration::from_secs(300);

/// How often it is asked whether a command has ended.
const LOOK: Duration = Duration::from_millis(20);

/// An agent with its owner's consent.
pub struct Owner {
    target: String,
    agent: ProgramAgent,
}

impl Owner {
    /// Starts it, for `target`.
    ///
    /// # Errors
    /// Everything that can be wrong with the way to it.
    pub async fn start_for_target(carrier: &Carrier, target: &str) -> Result<Self, Problem> {
        Ok(Self {
            target: target.to_owned(),
            agent: near::start_program_agent(carrier, target, AtDrop::InOrder).await?,
        })
    }

    /// Works for this target from now on: targets of one server share it.
    pub fn work_for(&mut self, target: &str) {
        target.clone_into(&mut self.target);
    }

    /// Has it find the server of an open session.
    ///
    /// # Errors
    /// It is gone.
    pub async fn attach_to_server(&mut self, session: &SessionOnHost) -> Result<(), Problem> {
        let attached = self.agent.attach_to_server(session).await;
        attached.map(drop).map_err(|why| self.problem_of_target("could not query its agent", &why, ""))
    }

    /// Has it write down what the server has of these settings, and put back what was set before them.
    ///
    /// # Errors
    /// Why they could not be put back, or it is gone.
    pub async fn take_settings(
        &mut self,
        set: &BTreeMap<String, String>,
        restart: bool,
        restart_by: Option<&str>,
    ) -> Result<(), Problem> {
        let restart_by = restart_by.map(str::to_owned);
        self.execute_order(AgentOrder::TakeSettings { set: set.clone(), restart, restart_by }).await.map(drop)
    }

    /// Has the server read its settings.
    ///
    /// # Errors
    /// It does not run, or the agent is gone.
    pub async fn reload_server(&mut self) -> Result<(), Problem> {
        self.execute_order(AgentOrder::Reload).await.map(drop)
    }

    /// Restarts the server.
    ///
    /// # Errors
    /// It does not come back, or the agent is gone.
    pub async fn restart_server(&mut self, restart_by: Option<&str>) -> Result<(), Problem> {
        self.execute_order(AgentOrder::Restart { restart_by: restart_by.map(str::to_owned) }).await.map(drop)
    }

    /// Kills the server's first process, and starts the server again.
    ///
    /// # Errors
    /// It does not come back, or the agent is gone.
    pub async fn kill_postmaster(&mut self, restart_by: Option<&str>) -> Result<(), Problem> {
        self.execute_order(AgentOrder::KillPostmaster { restart_by: restart_by.map(str::to_owned) }).await.map(drop)
    }

    /// Kills the process of a session.
    ///
    /// # Errors
    /// It is none of the server's, or the agent is gone.
    pub async fn kill_session(&mut self, session: BackendProcess) -> Result<(), Problem> {
        self.execute_order(AgentOrder::KillSession(session)).await.map(drop)
    }

    /// Stops all processes of the server, for so long at most.
    ///
    /// # Errors
    /// They cannot be stopped, or the agent is gone.
    pub async fn freeze_server(&mut self, at_most: Duration) -> Result<(), Problem> {
        let at_most_ms = u64::try_from(at_most.as_millis()).unwrap_or(u64::MAX);
        self.execute_order(AgentOrder::Freeze { at_most_ms }).await.map(drop)
    }

    /// Has them go on, and ends the command that is at work there.
    ///
    /// # Errors
    /// The agent is gone, with which they go on, too.
    pub async fn let_be(&mut self) -> Result<(), Problem> {
        self.execute_order(AgentOrder::LetBe).await.map(drop)
    }

    /// Runs a command of the person's own in a shell there, until it has ended.
    ///
    /// # Errors
    /// How it failed, or the agent is gone.
    pub async fn run_command(&mut self, command: &str, variables: BTreeMap<String, String>) -> Result<(), Problem> {
        self.execute_order(AgentOrder::StartCommand { command: command.to_owned(), variables }).await?;
        while let AgentAnswer::CommandRuns = self.execute_order(AgentOrder::LookAtCommand).await? {
            tokio::time::sleep(LOOK).await;
        }
        Ok(())
    }

    /// Sets values of the kernel; each with what it was.
    ///
    /// # Errors
    /// One that cannot be set, or the agent is gone.
    pub async fn set_kernel(&mut self, values: &BTreeMap<String, String>) -> Result<Vec<KernelValue>, Problem> {
        match self.execute_order(AgentOrder::SetKernel { values: values.clone() }).await? {
            AgentAnswer::KernelSet { values } => Ok(values),
            _other => Err(self.another_question()),
        }
    }

    /// Puts the values of the kernel back.
    ///
    /// # Errors
    /// The agent is gone, or one of them is.
    pub async fn reset_kernel(&mut self) -> Result<Vec<Undone>, Problem> {
        let answer = self.execute_order(AgentOrder::ResetKernel).await?;
        self.undone_of_answer(answer)
    }

    /// Puts the server's files out of the kernel's cache; their size.
    ///
    /// # Errors
    /// They cannot be read, or the agent is gone.
    pub async fn empty_cache(&mut self) -> Result<u64, Problem> {
        match self.execute_order(AgentOrder::EmptyCache).await? {
            AgentAnswer::Emptied { bytes } => Ok(bytes),
            _other => Err(self.another_question()),
        }
    }

    /// Undoes all that is left.
    ///
    /// # Errors
    /// The agent is gone.
    pub async fn put_back(&mut self) -> Result<Vec<Undone>, Problem> {
        let answer = self.execute_order(AgentOrder::PutBack).await?;
        self.undone_of_answer(answer)
    }

    async fn execute_order(&mut self, order: AgentOrder) -> Result<AgentAnswer, Problem> {
        match self.agent.ask_order(order, Instant::now() + DONE_WITHIN).await {
            Ok(AgentAnswer::Refused { what, detail, hint }) => Err(self.problem_of_target(&what, &detail, &hint)),
            Ok(answer) => Ok(answer),
            Err(why) => Err(self.problem_of_target("could not query its agent", &why, "")),
        }
    }

    fn undone_of_answer(&self, answer: AgentAnswer) -> Result<Vec<Undone>, Problem> {
        match answer {
            AgentAnswer::Undone { undone } => Ok(undone),
            _other => Err(self.another_question()),
        }
    }

    fn another_question(&self) -> Problem {
        self.problem_of_target("could not query its agent", "the agent sent an unexpected answer", "")
    }

    fn problem_of_target(&self, what: &str, detail: &str, hint: &str) -> Problem {
        Problem::could_not_measure(format!("target {:?}: {what}", self.target)).detail(detail).hint(hint)
    }
}
