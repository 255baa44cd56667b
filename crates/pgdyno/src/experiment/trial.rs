//! One trial: set-up, connection, warm-up, measurement, cool-down, all of it written down as it happens.

use std::collections::BTreeSet;
use std::num::NonZeroU32;
use std::time::Instant;

use jiff::Timestamp;
use load::dataset::Readied;
use load::{Event, Job, LoadError, OutageChange, QueryMode, Script, Stop, Summary, Weighted};
use probe::Probes;
use results::run::ScheduledTrial;
use results::store::TrialWriter;
use results::trial::{Caveat, FORMAT, Outcome, Phase, PhaseRecord, Trial};
use tokio::sync::mpsc;

use super::observe::{self, ObservedSecond};
use super::{Experiment, caveats, data};
use crate::experiment::fleet::{Fleet, Member};
use crate::interrupt::{requested, unless_stopped};
use crate::plan::{Mode, Plan, Word as _, Workload};
use crate::problem::Problem;
use crate::progress::{LiveSecond, Progress};

/// Executes one trial and commits it. `remaining` trials, this one among them, are still to come at most.
///
/// # Errors
/// When the trial could not be set up or written. A load that could not be finished is a committed trial with
/// [`Outcome::Failed`].
pub(super) async fn execute(
    experiment: &Experiment<'_>,
    fleet: &mut Fleet,
    scheduled: &ScheduledTrial,
    progress: &Progress,
    remaining: usize,
) -> Result<Trial, Problem> {
    let plan = experiment.plan;
    let workload = plan.workload(&scheduled.cell.workload).expect("the schedule is made from the plan");
    let member = fleet.member(&scheduled.cell.target);
    let mut phases = Phases::default();

    phases.enter(Phase::SetUp);
    let set_up = async { Ok((member.confirm_knobs().await?, data::prepare(member, workload).await?)) };
    let (knobs, readied) = unless_stopped(experiment.stop, set_up).await?;
    let mut probes = Probes::attach(Some(&member.target.control()), member.host_scope()).await;

    phases.enter(Phase::Connect);
    let job = job(plan, workload, scheduled.cell.clients, scheduled.seed, member);
    let mut writer = experiment.dir.begin_trial(scheduled.number, Timestamp::now())?;
    let mut load = Load::start(job);
    let mut show = |second| progress.second(second, remaining);
    let watched = load.watch(experiment.stop, &mut probes, &mut writer, &mut phases, &mut show).await;
    let summary = load.finish().await;
    watched?;

    phases.enter(Phase::CoolDown);
    let (outcome, totals) = match &summary {
        Ok(summary) if summary.interrupted => (Outcome::Interrupted, observe::totals(summary)),
        Ok(summary) => (member.outcome_if_alive().await, observe::totals(summary)),
        Err(LoadError::Stopped) if experiment.stop.is_requested() => (Outcome::Interrupted, None),
        Err(error) => (Outcome::Failed { error: in_full(error) }, None),
    };
    let finished = match outcome {
        Outcome::Completed => data::finish(member, workload, experiment.stop).await,
        Outcome::Interrupted | Outcome::Failed { .. } => Readied::default(),
    };
    let mut caveats: Vec<Caveat> = [&readied, &finished].into_iter().flat_map(data::omissions).collect();
    if let Some(load) = &totals {
        caveats.extend(caveats::of_trial(load, workload, scheduled.cell.clients, &member.facts));
    }
    let trial = Trial {
        format: FORMAT,
        number: scheduled.number,
        block: scheduled.block,
        cell: scheduled.cell.clone(),
        role: scheduled.role,
        outcome,
        phases: phases.end(),
        preparation: readied.executed,
        finishing: finished.executed,
        knobs,
        load: totals,
        caveats,
    };
    writer.commit(&trial)?;
    Ok(trial)
}

/// The load of one cell.
pub(super) fn job(plan: &Plan, workload: &Workload, clients: u32, seed: u64, member: &Member) -> Job {
    let at_least_one = |number: u32| NonZeroU32::new(number).expect("a plan's counts are checked when it is read");
    let script = Script::builtin(workload.builtin.word()).expect("the engine has every built-in script of a plan");
    Job {
        server: observe::login(member.target.conninfo()),
        scripts: vec![Weighted::one(script)],
        mode: match workload.mode {
            Mode::Simple => QueryMode::Simple,
            Mode::Extended => QueryMode::Extended,
            Mode::Prepared => QueryMode::Prepared,
        },
        clients: at_least_one(clients),
        threads: at_least_one(plan.threads.expect("a run's plan is complete").min(clients)),
        warm_up: plan.trial.warm_up,
        measure: plan.trial.measure,
        seed,
        scale: workload.scale,
    }
}

/// The load engine at work in a thread of its own, and what it tells.
struct Load {
    messages: mpsc::UnboundedReceiver<Message>,
    engine: tokio::task::JoinHandle<Result<Summary, LoadError>>,
    /// Ends the load: because a person wants it, or because its trial cannot be written any more.
    give_up: Stop,
    length_s: u64,
}

/// An event of the load, owned.
enum Message {
    Began(load::Phase),
    Second(Box<ObservedSecond>),
}

impl Load {
    fn start(job: Job) -> Self {
        let stop = Stop::new();
        let (sender, messages) = mpsc::unbounded_channel();
        let length_s = (job.warm_up + job.measure).as_secs();
        let give_up = stop.clone();
        let engine = tokio::task::spawn_blocking(move || {
            let mut out = BTreeSet::new();
            let mut tell = |event: Event<'_>| {
                let message = match event {
                    Event::Began { phase, .. } => Message::Began(phase),
                    Event::Second(second) => {
                        follow_outages(&mut out, &second.outages);
                        let clients_out = u32::try_from(out.len()).unwrap_or(u32::MAX);
                        Message::Second(Box::new(observe::second(second, clients_out)))
                    }
                    Event::Connecting { .. } | Event::Ended { .. } => return,
                };
                // The receiver is gone only when the trial is being given up.
                let _gone = sender.send(message);
            };
            load::run(&job, &stop, &mut tell)
        });
        Self { messages, engine, give_up, length_s }
    }

    /// Writes every second with what the probes read in it, until the load has ended; a request to stop is passed on.
    async fn watch(
        &mut self,
        stop: &Stop,
        probes: &mut Probes,
        writer: &mut TrialWriter,
        phases: &mut Phases,
        show: &mut dyn FnMut(LiveSecond),
    ) -> Result<(), Problem> {
        let mut seconds = 0;
        while let Some(message) = self.next(stop).await {
            match message {
                Message::Began(phase) => {
                    if seconds == 0 {
                        probes.prime().await;
                    }
                    phases.enter(observe::phase(phase));
                }
                Message::Second(mut second) => {
                    seconds += 1;
                    second.interval.probes = probes.read().await;
                    let histograms: Vec<_> = second.histograms.iter().map(|(s, h)| (s.clone(), h)).collect();
                    if let Err(error) = writer.append(&second.interval, &histograms) {
                        self.give_up.request();
                        return Err(error.into());
                    }
                    show(live(&second, [seconds, self.length_s]));
                }
            }
        }
        Ok(())
    }

    /// The next event; none when the load has ended.
    async fn next(&mut self, stop: &Stop) -> Option<Message> {
        if !self.give_up.is_requested() {
            tokio::select! {
                biased;
                message = self.messages.recv() => return message,
                () = requested(stop) => self.give_up.request(),
            }
        }
        self.messages.recv().await
    }

    async fn finish(self) -> Result<Summary, LoadError> {
        self.engine.await.expect("the load engine does not panic")
    }
}

/// An error of the load with what the system said.
fn in_full(error: &LoadError) -> String {
    error.detail().map_or(error.to_string(), |detail| format!("{error}: {detail}"))
}

fn follow_outages(out: &mut BTreeSet<u32>, changes: &[OutageChange]) {
    for change in changes {
        match change {
            OutageChange::Began { client, .. } => out.insert(*client),
            OutageChange::Ended { client, .. } => out.remove(client),
        };
    }
}

fn live(second: &ObservedSecond, seconds: [u64; 2]) -> LiveSecond {
    let interval = &second.interval;
    LiveSecond {
        seconds,
        warm_up: interval.phase == Phase::WarmUp,
        tps: interval.transactions as f64 * 1e6 / interval.duration_us.max(1) as f64,
        latency_ns_p99: interval.latency.map(|latency| latency.p99_ns),
    }
}

/// The phases of a trial as they are entered.
#[derive(Default)]
struct Phases {
    ended: Vec<PhaseRecord>,
    current: Option<(Phase, Timestamp, Instant)>,
}

impl Phases {
    fn enter(&mut self, phase: Phase) {
        self.leave();
        self.current = Some((phase, Timestamp::now(), Instant::now()));
    }

    fn leave(&mut self) {
        if let Some((phase, started_at, began)) = self.current.take() {
            let duration_us = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
            self.ended.push(PhaseRecord { phase, started_at, duration_us });
        }
    }

    fn end(mut self) -> Vec<PhaseRecord> {
        self.leave();
        self.ended
    }
}
