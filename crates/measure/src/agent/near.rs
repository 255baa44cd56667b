//! pgdyno's end: starts an agent, asks it, and says in a person's words why it cannot.
//!
//! An agent that is late with a reading leaves a gap in that second; its answer is the next second's, over a longer
//! time. One that is gone is gone for the rest of the
//! trial, and its probes have gaps with the reason.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use jiff::Timestamp;
use results::facts::{AgentFacts, HostFacts};
use results::interval::Reading;
use results::probe_fields::host_agent;
use server::{AgentAnswer, AgentOrder, Carrier, Numbered, PROTOCOL, SessionOnHost};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::{Instant, timeout, timeout_at};

use crate::over_ssh::{self, CapturedStderr, spoken_to};
use problem::Problem;

/// The longest that an agent may take to be there: ssh gives up connecting before.
const START_AT_MOST: Duration = Duration::from_secs(20);
/// The longest that an answer is waited for, other than a reading's.
const ANSWER_AT_MOST: Duration = Duration::from_secs(10);
/// The longest that a second's reading is waited for.
const READING_AT_MOST: Duration = Duration::from_millis(800);
/// How often the clock is asked for: the shortest round trip counts.
const PINGS: u32 = 8;
/// Lines that a login shell may print before the agent's first.
const GREETING_LINES: usize = 100;

/// An agent at work. Dropping it closes its input, which ends it.
pub struct ProgramAgent {
    process: Child,
    orders: ChildStdin,
    answers: Lines<BufReader<ChildStdout>>,
    last_words: CapturedStderr,
    number: u64,
    /// The order for a reading that is not answered yet.
    late_reading: Option<u64>,
    version: String,
    /// The probes that have answered, so that they can be missed.
    probes: BTreeSet<String>,
    /// Why there is nothing to be had from it any more.
    gone: Option<String>,
}

/// How an agent ends that nobody here has any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AtDrop {
    /// At once.
    Killed,
    /// By the end of its input, since it has yet to undo what it has changed.
    InOrder,
}

/// Starts the agent of `target`.
///
/// # Errors
/// Everything that can be wrong with the way to it, by what ssh or the shell said.
pub async fn start_program_agent(how: &Carrier, target: &str, at_drop: AtDrop) -> Result<ProgramAgent, Problem> {
    let mut command = Command::from(how.local_command().expect("a pod has no program of ours"));
    spoken_to(&mut command).kill_on_drop(at_drop == AtDrop::Killed);
    let about = format!("target {target:?}: could not start its agent");
    let mut process = command.spawn().map_err(|error| {
        let program = command.as_std().get_program().to_string_lossy().into_owned();
        Problem::could_not_measure(&about)
            .detail(format!("{program}: {error}"))
            .hint("check that it is installed on this host")
    })?;
    let (Some(orders), Some(output), Some(errors)) =
        (process.stdin.take(), process.stdout.take(), process.stderr.take())
    else {
        unreachable!("all three were asked for")
    };
    let last_words = CapturedStderr::listen_to_stderr(errors);
    let answers = BufReader::new(output).lines();
    let (version, probes) = (String::new(), BTreeSet::new());
    let mut agent = ProgramAgent {
        process,
        orders,
        answers,
        last_words,
        number: 0,
        late_reading: None,
        version,
        probes,
        gone: None,
    };
    match timeout(START_AT_MOST, agent.read_greeting()).await {
        Ok(Some((PROTOCOL, version))) => Ok(ProgramAgent { version, ..agent }),
        Ok(Some((protocol, version))) => Err(Problem::could_not_measure(&about)
            .detail(format!(
                "the agent is pgdyno {version} with agent protocol {protocol}; protocol {PROTOCOL} is required"
            ))
            .hint(format!("install pgdyno {} on the agent's host", env!("CARGO_PKG_VERSION")))),
        Ok(None) => Err(agent.why_it_ended(how, about).await),
        Err(_) => Err(Problem::could_not_measure(&about)
            .detail(format!("the agent sent nothing for {} s", START_AT_MOST.as_secs()))
            .hint("check that the command runs `pgdyno agent --stdio` and passes its input and output on")),
    }
}

impl ProgramAgent {
    /// Protocol and version of the agent; none when it has ended.
    async fn read_greeting(&mut self) -> Option<(u32, String)> {
        for _ in 0..GREETING_LINES {
            let line = self.answers.next_line().await.ok()??;
            if let Ok(Numbered { said: AgentAnswer::Hello { protocol, version }, .. }) = serde_json::from_str(&line) {
                return Some((protocol, version));
            }
        }
        None
    }

    async fn why_it_ended(&mut self, how: &Carrier, about: String) -> Problem {
        let status = timeout(Duration::from_secs(1), self.process.wait()).await.ok().and_then(Result::ok);
        let code = status.and_then(|status| status.code());
        let said = self.last_words.collect_last_words().await;
        let detail = match status {
            Some(status) if said.is_empty() => format!("the agent ended with {status}"),
            Some(_) | None => said.clone(),
        };
        Problem::could_not_measure(about).detail(detail).hint(agent_failure_hint(how, code, &said))
    }

    /// Has the agent find the server of an open session. Returns the facts of its machine, what could not be read of
    /// them, and what is known of the agent.
    ///
    /// # Errors
    /// The agent is gone.
    pub async fn attach_to_server(
        &mut self,
        session: &SessionOnHost,
    ) -> Result<(Option<HostFacts>, BTreeMap<String, String>, AgentFacts), String> {
        let answer =
            self.ask_order(AgentOrder::Attach(session.backend.clone()), Instant::now() + ANSWER_AT_MOST).await?;
        let AgentAnswer::Attached { host, gaps } = answer else {
            return Err("the agent sent an unexpected answer".to_owned());
        };
        let facts = self.measure_clock_offset().await?;
        Ok((host.map(|host| *host), gaps, facts))
    }

    /// How far its clock is from this one, from the shortest of several round trips: the error is at most half of that.
    async fn measure_clock_offset(&mut self) -> Result<AgentFacts, String> {
        let mut best: Option<(u64, i64)> = None;
        for _ in 0..PINGS {
            let sent_us = Timestamp::now().as_microsecond();
            let answer = self.ask_order(AgentOrder::Ping, Instant::now() + ANSWER_AT_MOST).await?;
            let received_us = Timestamp::now().as_microsecond();
            let AgentAnswer::Pong { at_us } = answer else {
                return Err("the agent sent an unexpected answer".to_owned());
            };
            let round_trip_us = received_us.saturating_sub(sent_us).unsigned_abs();
            let offset_us = at_us - sent_us.midpoint(received_us);
            if best.is_none_or(|(shortest, _)| round_trip_us < shortest) {
                best = Some((round_trip_us, offset_us));
            }
        }
        let (round_trip_us, clock_offset_us) = best.ok_or("no time was read")?;
        Ok(AgentFacts { version: self.version.clone(), clock_offset_us, round_trip_us })
    }

    /// Takes the first snapshots of a series.
    pub async fn prime_probes(&mut self) {
        let primed = self.ask_order(AgentOrder::Prime, Instant::now() + READING_AT_MOST).await;
        // Which probes there are is learnt here, so that they can be missed from the first second on.
        if primed.is_ok() {
            self.read_probes().await;
        }
    }

    /// What its probes read since the last time; gaps with a reason if it cannot be asked.
    pub async fn read_probes(&mut self) -> BTreeMap<String, Reading> {
        let begun = Instant::now();
        match self.request_reading(begun + READING_AT_MOST).await {
            Ok(AgentAnswer::Readings { readings }) => {
                self.probes.extend(readings.keys().cloned());
                readings
            }
            Ok(_) => self.gaps_of_probes("the agent sent an unexpected answer", begun),
            Err(reason) => self.gaps_of_probes(&reason, begun),
        }
    }

    fn gaps_of_probes(&self, reason: &str, begun: Instant) -> BTreeMap<String, Reading> {
        let took_us = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
        let gap = || Reading::Gap { took_us, gap: reason.to_owned() };
        let known = self.probes.iter().map(|probe| (probe.clone(), gap()));
        known.chain([(host_agent::PROBE.to_string(), gap())]).collect()
    }

    /// The answer to the order for a reading that is late, else to a new one: what an answer counts is counted once, so
    /// that one which is thrown away would leave a hole.
    async fn request_reading(&mut self, deadline: Instant) -> Result<AgentAnswer, String> {
        if let Some(reason) = &self.gone {
            return Err(reason.clone());
        }
        let answered = timeout_at(deadline, async {
            let number = match self.late_reading {
                Some(number) => number,
                None => self.send_order(AgentOrder::Read).await?,
            };
            self.late_reading = Some(number);
            let answer = self.answer_to(number).await?;
            self.late_reading = None;
            Some(answer)
        });
        let answered = answered.await;
        self.note_conversation_end(
            answered.map_err(|_| "the agent did not answer in time; its next answer includes this second"),
        )
        .await
    }

    /// The answer to an order.
    ///
    /// # Errors
    /// The agent is gone, or late.
    pub async fn ask_order(&mut self, order: AgentOrder, deadline: Instant) -> Result<AgentAnswer, String> {
        if let Some(reason) = &self.gone {
            return Err(reason.clone());
        }
        self.late_reading = None;
        let answered = timeout_at(deadline, self.send_and_await(order)).await;
        self.note_conversation_end(answered.map_err(|_| "the agent did not answer in time")).await
    }

    /// Keeps in mind that the conversation has ended, if it has.
    async fn note_conversation_end(
        &mut self,
        answered: Result<Option<AgentAnswer>, &str>,
    ) -> Result<AgentAnswer, String> {
        match answered {
            Ok(Some(answer)) => Ok(answer),
            Ok(None) => {
                let said = self.last_words.collect_last_words().await;
                let reason = if said.is_empty() {
                    "the agent has ended".to_owned()
                } else {
                    format!("the agent has ended: {said}")
                };
                self.gone = Some(reason.clone());
                Err(reason)
            }
            Err(late) => Err(late.to_owned()),
        }
    }

    /// None: the conversation has ended.
    async fn send_and_await(&mut self, order: AgentOrder) -> Option<AgentAnswer> {
        let number = self.send_order(order).await?;
        self.answer_to(number).await
    }

    /// Gives an order; its number.
    async fn send_order(&mut self, order: AgentOrder) -> Option<u64> {
        self.number += 1;
        let mut line = serde_json::to_vec(&Numbered { number: self.number, said: order }).ok()?;
        line.push(b'\n');
        self.orders.write_all(&line).await.ok()?;
        Some(self.number)
    }

    async fn answer_to(&mut self, order: u64) -> Option<AgentAnswer> {
        loop {
            let line = self.answers.next_line().await.ok()??;
            match serde_json::from_str::<Numbered<AgentAnswer>>(&line) {
                Ok(Numbered { number, said }) if number == order => return Some(said),
                // It comes too late for the order that it answers.
                Ok(_) => {}
                Err(_) => return None,
            }
        }
    }
}

/// What to try when an agent ended with this status, having said this.
fn agent_failure_hint(how: &Carrier, code: Option<i32>, said: &str) -> String {
    match how {
        Carrier::Ssh { destination, pgdyno } => over_ssh::ssh_failure_hint(destination, pgdyno, code, said, "agent"),
        Carrier::Command(_) | Carrier::Pod(_) => {
            "the command must run `pgdyno agent --stdio` and pass its input and output on".to_owned()
        }
    }
}
