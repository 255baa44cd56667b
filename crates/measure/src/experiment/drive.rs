//! A load at work: pgdyno's engine or another program, in a thread of its own, every second and every turn written down
//! as it ends. A load has one side, or several that take turns; each side is a trial.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use jiff::{SignedDuration, Timestamp};
use load::external::{self, ExternalJob};
use load::{EngineEvent, EngineJob, StopRequest, Tally, TurnTakingJobs, TurnsEvent};
use probe::Pause;
use results::trial::{ExternalGenerator, TrialPhase};
use tokio::sync::{mpsc, watch};
use tokio::task::spawn_blocking;

use super::beside::LoadStage;
use super::events::{LoadClock, LoadClockReceiver};
use super::from_elsewhere::{FromElsewhere, run_elsewhere};
use super::from_several::{Farm, FromSeveral, run_several};
use super::load_messages::{Message, Seconds, SingleSideLoad, Together};
use super::load_result::{FinishedLoad, NoFigures};
use super::observe::{self, Alternating, ObservedSecond};
use super::side::SideAtWork;
use crate::generator::{GeneratorSession, LoadOrder};
use crate::interrupt::wait_for_stop_request;
use crate::progress::{LiveSecond, LiveSide};
use problem::Problem;

/// What sends the load.
pub(super) enum LoadDriver {
    /// pgdyno's own engine.
    Engine(Box<EngineJob>),
    /// Another program.
    External(ExternalJob),
    /// pgdyno's own engine, whose sides take turns.
    Turns {
        turns: TurnTakingJobs,
        /// By side, what pauses the samples of its sessions while another side has its turn.
        samples: Vec<Option<Pause>>,
    },
    /// pgdyno's own engine on another machine; its one side, or its sides that take turns.
    Elsewhere(Box<FromElsewhere>),
    /// pgdyno's own engine on several other machines, each with a part of the clients of the one side.
    Several(Box<FromSeveral>),
}

impl LoadDriver {
    /// What pgdyno's own engine is asked to do, by side; nothing where another program sends.
    pub(super) fn engine_jobs(&self) -> &[EngineJob] {
        match self {
            Self::Engine(job) => std::slice::from_ref(job),
            Self::Turns { turns, .. } => &turns.sides,
            Self::Elsewhere(elsewhere) => &elsewhere.jobs,
            Self::Several(several) => std::slice::from_ref(&several.job),
            Self::External(_) => &[],
        }
    }

    /// The same, counting its transactions there as well: those of one side, which its job says where there are
    /// several. Another program tells nothing before its second is over.
    pub(super) fn counting_into(self, tally: Tally) -> Self {
        match self {
            Self::Engine(mut job) => {
                job.tally = tally;
                Self::Engine(job)
            }
            other @ (Self::External(_) | Self::Turns { .. } | Self::Elsewhere(_) | Self::Several(_)) => other,
        }
    }
}

impl LoadDriver {
    /// The same load, sent by a generator on another machine; what another program sends is sent from here only.
    pub(super) fn sent_from_generator(
        self,
        session: GeneratorSession,
        order: LoadOrder,
        start: Instant,
        generator: &str,
    ) -> Self {
        let (jobs, samples, tally) = match self {
            Self::Engine(job) => {
                let tally = job.tally.clone();
                (vec![*job], Vec::new(), tally)
            }
            Self::Turns { turns, samples } => (turns.sides, samples, Tally::new()),
            other @ (Self::External(_) | Self::Elsewhere(_) | Self::Several(_)) => return other,
        };
        let generator = generator.to_owned();
        Self::Elsewhere(Box::new(FromElsewhere { session, order, start, generator, jobs, samples, tally }))
    }

    /// The same load of one side, sent by several generators as one; sides do not take turns then.
    pub(super) fn sent_from_several(self, farm: Farm) -> Self {
        match self {
            Self::Engine(job) => Self::Several(Box::new(FromSeveral { farm, job: *job })),
            other @ (Self::External(_) | Self::Turns { .. } | Self::Elsewhere(_) | Self::Several(_)) => other,
        }
    }

    /// When the load begins, which is instant zero of its trials.
    pub(super) fn load_start(&self) -> Timestamp {
        let start = match self {
            Self::Elsewhere(elsewhere) => elsewhere.start,
            Self::Several(several) => several.farm.start,
            Self::Engine(_) | Self::External(_) | Self::Turns { .. } => return Timestamp::now(),
        };
        let until = start.saturating_duration_since(Instant::now());
        Timestamp::now() + SignedDuration::try_from(until).unwrap_or_default()
    }
}

/// The generator at work in a thread of its own, and what it tells.
pub(super) struct RunningGenerator {
    messages: mpsc::UnboundedReceiver<Message>,
    generator: tokio::task::JoinHandle<Result<Vec<FinishedLoad>, NoFigures>>,
    /// Ends the load: because a person wants it, or because its trial cannot be written any more.
    give_up: StopRequest,
    length_s: u64,
    /// How far it is, for what runs beside it.
    stage: watch::Sender<LoadStage>,
}

impl RunningGenerator {
    /// Starts it; it takes `length_s` seconds besides connecting. The clock tells when the measurement begins.
    pub(super) fn start_load(driver: LoadDriver, length_s: u64) -> (Self, LoadClockReceiver) {
        let stop = StopRequest::new();
        let (tell_clock, clock) = watch::channel(None);
        let (sender, messages) = mpsc::unbounded_channel();
        let give_up = stop.clone();
        let generator = match driver {
            LoadDriver::Engine(job) => spawn_blocking(move || run_engine(&job, &stop, &sender, &tell_clock)),
            LoadDriver::External(work) => spawn_blocking(move || run_external(&work, &stop, &sender)),
            LoadDriver::Turns { turns, samples } => spawn_blocking(move || run_turns(&turns, &samples, &stop, &sender)),
            LoadDriver::Elsewhere(elsewhere) => {
                tokio::spawn(async move { run_elsewhere(*elsewhere, &stop, &sender, &tell_clock).await })
            }
            LoadDriver::Several(several) => {
                tokio::spawn(async move { run_several(*several, &stop, &sender, &tell_clock).await })
            }
        };
        let stage = watch::Sender::new(LoadStage::Connecting);
        (Self { messages, generator, give_up, length_s, stage }, clock)
    }

    /// Told how far it is.
    pub(super) fn load_stage(&self) -> watch::Receiver<LoadStage> {
        self.stage.subscribe()
    }

    /// Writes every turn, and every second with what the probes read in it, until the load has ended; a request to stop
    /// is passed on.
    pub(super) async fn watch_until_end(
        &mut self,
        stop: &StopRequest,
        sides: &mut [SideAtWork<'_>],
        show: &mut dyn FnMut(&LiveSecond),
    ) -> Result<(), Problem> {
        let watched = self.watch_messages(stop, sides, show).await;
        self.stage.send_replace(LoadStage::Over);
        watched
    }

    async fn watch_messages(
        &mut self,
        stop: &StopRequest,
        sides: &mut [SideAtWork<'_>],
        show: &mut dyn FnMut(&LiveSecond),
    ) -> Result<(), Problem> {
        let mut live = LiveSecond::before_first_second(sides.len());
        while let Some(message) = self.next(stop).await {
            let written = match message {
                Message::Began(phase) => {
                    self.stage.send_replace(LoadStage::Running);
                    begin_phase(phase, live.seconds[0] == 0, sides).await;
                    Ok(())
                }
                Message::Turn { side, turn } => sides[side].writer.append_turn(&turn),
                // Several generators send for one side.
                Message::Generator(second) => sides[0].writer.append_generator(&second),
                Message::Second { side, second } => {
                    let written = append_second(&mut sides[side], *second, &mut live, side).await;
                    if side + 1 == sides.len() {
                        live.seconds = [live.seconds[0] + 1, self.length_s];
                        show(&live);
                    }
                    written
                }
            };
            if let Err(error) = written {
                self.give_up.request_stop();
                return Err(error.into());
            }
        }
        Ok(())
    }

    /// The next event; none when the load has ended.
    async fn next(&mut self, stop: &StopRequest) -> Option<Message> {
        if !self.give_up.is_requested() {
            tokio::select! {
                biased;
                message = self.messages.recv() => return message,
                () = wait_for_stop_request(stop) => self.give_up.request_stop(),
            }
        }
        self.messages.recv().await
    }

    /// What it measured, by side.
    pub(super) async fn finish_load(self) -> Result<Vec<FinishedLoad>, NoFigures> {
        self.generator.await.expect("the load engine does not panic")
    }
}

/// A phase begins, for all sides; `first`: there was none before.
async fn begin_phase(phase: load::LoadPhase, first: bool, sides: &mut [SideAtWork<'_>]) {
    for SideAtWork { side, .. } in sides {
        if first {
            side.watchers.begin_watching().await;
        }
        side.phases.enter_phase(observe::phase_of_load(phase));
        if phase == load::LoadPhase::Measure {
            side.watchers.begin_measurement().await;
        }
    }
}

/// Writes a second of a side, with what was read in it, and shows it.
async fn append_second(
    at_work: &mut SideAtWork<'_>,
    mut second: ObservedSecond,
    live: &mut LiveSecond,
    place: usize,
) -> results::Result<()> {
    let activity = at_work.side.watchers.read_interval(&mut second.interval).await;
    let histograms: Vec<_> = second.histograms.iter().map(|(s, h)| (s.clone(), h)).collect();
    at_work.writer.append_interval(&second.interval, &histograms)?;
    at_work.writer.append_activity(&activity)?;
    live.warm_up = second.interval.phase == TrialPhase::WarmUp;
    live.sides[place] = side_live(second, live.sides[place].first_error.take());
    Ok(())
}

fn run_engine(
    job: &EngineJob,
    stop: &StopRequest,
    sender: &mpsc::UnboundedSender<Message>,
    clock: &watch::Sender<Option<LoadClock>>,
) -> Result<Vec<FinishedLoad>, NoFigures> {
    let mut alone = SingleSideLoad {
        zero: Instant::now(),
        seconds: Seconds { sender, alternating: Alternating::Alone, out: vec![BTreeSet::new()] },
        clock,
    };
    let mut tell = |event: EngineEvent<'_>| match event {
        // Told at once, so that this is when the engine has its zero.
        EngineEvent::Connecting { at_ns } => alone.zero = Instant::now() - Duration::from_nanos(at_ns),
        EngineEvent::Began { phase, at_ns } => alone.begin_phase(phase, at_ns),
        EngineEvent::Second(second) => alone.seconds.send_second(0, second),
        EngineEvent::Connected { .. } | EngineEvent::Ended { .. } => {}
    };
    let summary = load::run_job(job, stop, &mut tell)?;
    Ok(vec![FinishedLoad::single_side(summary, None)])
}

fn run_turns(
    turns: &TurnTakingJobs,
    samples: &[Option<Pause>],
    stop: &StopRequest,
    sender: &mpsc::UnboundedSender<Message>,
) -> Result<Vec<FinishedLoad>, NoFigures> {
    let mut together = Together::new(sender, samples);
    let mut tell = |event: TurnsEvent<'_>| match event {
        TurnsEvent::Began { phase, .. } => together.seconds.send_message(Message::Began(phase)),
        TurnsEvent::Second { side, second } => together.seconds.send_second(side, second),
        TurnsEvent::TurnBegan { side, .. } => together.pause_samples(side, false),
        TurnsEvent::Turn(turn) => together.end_turn(turn),
        TurnsEvent::Connecting { .. } | TurnsEvent::Connected { .. } | TurnsEvent::Ended { .. } => {}
    };
    let done = load::run_turns(turns, stop, &mut tell)?;
    Ok(together.into_done(done))
}

fn run_external(
    job: &ExternalJob,
    stop: &StopRequest,
    sender: &mpsc::UnboundedSender<Message>,
) -> Result<Vec<FinishedLoad>, NoFigures> {
    let mut phase_start_us = 0;
    let measured = external::run_external_job(job, stop, &mut |event| {
        let _gone = sender.send(message_of_event(event, &mut phase_start_us));
    })?;
    let generator = ExternalGenerator {
        program: measured.program.tool.program_name().to_owned(),
        version: measured.program.version,
        arguments: measured.arguments,
        untold: measured.missing.iter().map(ToString::to_string).collect(),
    };
    Ok(vec![FinishedLoad::single_side(measured.summary, Some(generator))])
}

/// What another program's event says to the watchers; its seconds are counted from the begin of each phase.
fn message_of_event(event: &external::ToolEvent, phase_start_us: &mut u64) -> Message {
    match event {
        external::ToolEvent::Began { phase, start_ns } => {
            *phase_start_us = start_ns / 1_000;
            Message::Began(*phase)
        }
        external::ToolEvent::Second(progress) => {
            let second = Box::new(observe::external_second(progress, *phase_start_us));
            Message::Second { side: 0, second }
        }
    }
}

/// `first_error`: that of the seconds before.
fn side_live(second: ObservedSecond, first_error: Option<String>) -> LiveSide {
    let interval = &second.interval;
    LiveSide {
        failed: interval.failed,
        first_error: first_error.or(second.first_error),
        tps: interval.transactions as f64 * 1e6 / interval.turn_us.unwrap_or(interval.duration_us).max(1) as f64,
        latency_ns_p99: interval.latency.map(|latency| latency.p99_ns),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seconds_of_another_program_follow_one_another_through_its_phases() {
        let second = |phase, index| {
            external::ToolEvent::Second(external::ToolProgress {
                phase,
                index,
                tps: 1.0,
                latency_mean_ms: None,
                latency_stddev_ms: None,
                latency_percentile_ms: None,
                failed: None,
                lag_mean_ms: None,
                skipped: None,
            })
        };
        let (warm_up, measure) = (load::LoadPhase::WarmUp, load::LoadPhase::Measure);
        let events = [
            external::ToolEvent::Began { phase: warm_up, start_ns: 4_000 },
            second(warm_up, 0),
            second(warm_up, 1),
            external::ToolEvent::Began { phase: measure, start_ns: 2_100_000_000 },
            second(measure, 0),
            second(measure, 1),
        ];
        let mut phase_start_us = 0;
        let told = events.iter().map(|event| match message_of_event(event, &mut phase_start_us) {
            Message::Began(_) | Message::Turn { .. } | Message::Generator(_) => None,
            Message::Second { second, .. } => Some(second.interval.start_us),
        });
        let starts: Vec<Option<u64>> = told.collect();
        assert_eq!(starts, [None, Some(4), Some(1_000_004), None, Some(2_100_000), Some(3_100_000)]);
    }
}
