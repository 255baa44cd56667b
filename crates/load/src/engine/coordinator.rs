//! Gives the threads their times, passes on what they count, and ends them; on the thread that called [`run_job`].

use crate::engine::clock::{JobClock, NEVER};
use crate::engine::collector::Collector;
use crate::engine::control::{Control, ThreadReport};
use crate::engine::crew::{Crew, Party, SharedByThreads};
use crate::engine::file_limit;
use crate::engine::io::{self, Waker};
use crate::engine::outcome::{SideAccount, SideOutcome};
use crate::engine::phases::PhaseInstants;
use crate::engine::referee::{Referee, Rules};
use crate::engine::socket::Addresses;
use crate::engine::standstill::StandstillWatch;
use crate::engine::timetable::Timetable;
use crate::error::LoadError;
use crate::extent::JobExtent;
use crate::job::EngineJob;
use crate::ledger::LedgerRunTag;
use crate::part::GeneratorPart;
use crate::report::{EngineEvent, LoadPhase, Summary};
use crate::script::program::ScriptProgram;
use crate::turns::{EndedTurn, TurnTakingJobs, TurnsEvent, TurnsSummary};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, SystemTime};
use work::StopRequest;

/// How often a request to stop is looked for.
const STOP_CHECK: Duration = Duration::from_millis(50);
/// How often it is looked for when the generators of a load begin, which is told a longer time ahead.
const BEGIN_CHECK: Duration = Duration::from_millis(10);
/// Between the decision on when something happens and that instant: time for every thread to learn of it.
const NOTICE_NS: u64 = 50_000_000;
/// How much longer than it should the last round may be after a request to stop.
const STOP_LIMIT_NS: u64 = 5_000_000_000;
/// The same for the start, when all threads do nothing but wait for it.
const START_NOTICE_NS: u64 = 5_000_000;

/// Runs a job to its end: connects, warms up, measures. Blocks; calls `on_event` on this thread, which should not take
/// much longer than a second (counts are kept until it returns, none is lost).
///
/// After `stop` is requested the second under way is finished and the run ends as interrupted.
///
/// # Errors
/// When the job is impossible or the clients cannot be connected. Once the load has begun: when a script cannot be
/// evaluated or leaves its transaction open. Failed statements and lost connections are results, not errors.
pub fn run_job(
    job: &EngineJob,
    stop: &StopRequest,
    on_event: &mut dyn FnMut(EngineEvent<'_>),
) -> Result<Summary, LoadError> {
    let mut of_the_only_side = |event: TurnsEvent<'_>| match event {
        TurnsEvent::Connecting { at_ns } => on_event(EngineEvent::Connecting { at_ns }),
        TurnsEvent::Connected { at_ns } => on_event(EngineEvent::Connected { at_ns }),
        TurnsEvent::Began { phase, at_ns } => on_event(EngineEvent::Began { phase, at_ns }),
        TurnsEvent::Second { second, .. } => on_event(EngineEvent::Second(second)),
        TurnsEvent::TurnBegan { .. } | TurnsEvent::Turn(_) => {}
        TurnsEvent::Ended { at_ns } => on_event(EngineEvent::Ended { at_ns }),
    };
    run_sides(&[job], None, stop, &mut of_the_only_side).map(|mut done| done.sides.swap_remove(0))
}

/// Runs the jobs of several sides that take turns, as [`run_job`] does with one.
///
/// After `stop` is requested the round under way is finished and the run ends as interrupted; a turn that then takes
/// 5 s longer than it should is cut.
///
/// # Errors
/// As of [`run_job`], and when the sides cannot take turns.
pub fn run_turns(
    turns: &TurnTakingJobs,
    stop: &StopRequest,
    on_event: &mut dyn FnMut(TurnsEvent<'_>),
) -> Result<TurnsSummary, LoadError> {
    turns.check_sides()?;
    let sides: Vec<&EngineJob> = turns.sides.iter().collect();
    run_sides(&sides, Some(turns), stop, on_event)
}

/// Finds out, without a server, whether sides can take turns.
///
/// # Errors
/// What is wrong, as [`run_turns`] would say.
pub fn check_turns(turns: &TurnTakingJobs) -> Result<(), LoadError> {
    turns.check_sides()?;
    turns.sides.iter().try_for_each(check_job)
}

/// Finds out, without a server, whether a job is possible: its phases, its pace, and its scripts with their variables.
///
/// # Errors
/// What is wrong with it, as [`run_job`] would say.
pub fn check_job(job: &EngineJob) -> Result<(), LoadError> {
    compile_program(job).map(|_program| ())
}

fn compile_program(job: &EngineJob) -> Result<ScriptProgram, LoadError> {
    if job.measure == JobExtent::Time(Duration::ZERO) {
        return Err(LoadError::Job("the measurement phase is empty"));
    }
    job.pace.check_extent(job.measure).map_err(LoadError::Job)?;
    if job.pace.timed_sessions().is_some_and(|sessions| sessions.client_count() != job.clients.get() as usize) {
        return Err(LoadError::Job("timed sessions are not those of as many clients as the job has"));
    }
    if job.threads_at_most() == 0 {
        return Err(LoadError::Job("each generator requires a client of its own"));
    }
    ScriptProgram::new(job)
}

/// From when a run counts its instants: now, or from where all generators of its load do.
fn start_clock(job: &EngineJob) -> (JobClock, SystemTime) {
    match &job.part {
        Some(part) => (JobClock::start_at(part.zero), part.started_at),
        None => (JobClock::start(), SystemTime::now()),
    }
}

/// Runs the jobs of all sides on the same threads. What is not a side's own is said by the first.
fn run_sides(
    jobs: &[&EngineJob],
    turns: Option<&TurnTakingJobs>,
    stop: &StopRequest,
    on_event: &mut dyn FnMut(TurnsEvent<'_>),
) -> Result<TurnsSummary, LoadError> {
    let programs = jobs.iter().map(|job| compile_program(job)).collect::<Result<Vec<_>, _>>()?;
    let (clock, started_at) = start_clock(jobs[0]);
    on_event(TurnsEvent::Connecting { at_ns: clock.now_ns() });
    let mut parties = Vec::new();
    for (number, (&job, program)) in jobs.iter().zip(programs).enumerate() {
        // Two sides may write to one server.
        let tag = LedgerRunTag::from_start_time(started_at + Duration::from_nanos(number as u64));
        parties.push(Party { job, program, addresses: Addresses::look_up_server(&job.server)?, tag });
    }
    let clients: Vec<u32> = jobs.iter().map(|job| job.own_clients().len() as u32).collect();
    let most_threads = jobs.iter().map(|job| job.threads_at_most());
    let threads = most_threads.chain([jobs[0].threads.get()]).min().unwrap_or(1);
    file_limit::ensure_open_file_limit(clients.iter().sum(), threads)?;
    // Only one side's are at work at a time.
    let at_work = clients.iter().max().copied().unwrap_or(1).div_ceil(threads) as usize;
    let way = io::choose_backend(jobs[0].backend, at_work)?;
    let wakers = (0..threads).map(|_| Waker::new()).collect::<Result<Vec<_>, _>>();
    let wakers = wakers.map_err(|error| LoadError::System { action: "create an eventfd", source: error.into() })?;
    let control = Control::new();
    let (report, reports) = mpsc::channel();
    let referee = turns.map(|turns| Referee::new(Rules::from_turns(turns), clock, &control, &wakers, report.clone()));
    let referee = referee.as_ref();
    let shared = SharedByThreads { parties: &parties, wakers: &wakers, control: &control, referee, clock, way };
    thread::scope(|scope| {
        let crew = shared.start_crew(scope, &report, reports)?;
        let accounts = parties.iter().map(|_| SideAccount::new()).collect();
        let mut coordinator = Coordinator {
            shared,
            crew,
            stop,
            interrupted: false,
            end_ns: NEVER,
            cut_ns: NEVER,
            accounts,
            turns: Vec::new(),
        };
        let outcome = coordinator.coordinate_threads(on_event);
        // Whatever has happened, the threads must end before the scope can.
        shared.abort_run();
        let outcomes = outcome?.into_iter().zip(&parties);
        let sides = outcomes.map(|(outcome, party)| outcome.into_summary(party.job, way, started_at)).collect();
        let length_ns = referee.map_or(NEVER, Referee::length_ns);
        Ok(TurnsSummary { sides, turns: coordinator.turns, length_ns })
    })
}

struct Coordinator<'a> {
    shared: SharedByThreads<'a>,
    crew: Crew,
    stop: &'a StopRequest,
    interrupted: bool,
    /// When the load ends; `NEVER` while that is not known.
    end_ns: u64,
    /// When the load is ended even if a turn is under way; `NEVER` as long as no stop is requested.
    cut_ns: u64,
    /// By side.
    accounts: Vec<SideAccount>,
    /// Turns that are over.
    turns: Vec<EndedTurn>,
}

impl Coordinator<'_> {
    fn coordinate_threads(&mut self, on_event: &mut dyn FnMut(TurnsEvent<'_>)) -> Result<Vec<SideOutcome>, LoadError> {
        let parties = self.shared.parties;
        self.until_connected()?;
        let connection_ns = self.shared.clock.now_ns();
        on_event(TurnsEvent::Connected { at_ns: connection_ns });
        let start_ns = match &parties[0].job.part {
            None => connection_ns + START_NOTICE_NS,
            Some(part) => self.await_begin(part)?,
        };
        let timetable = match self.shared.referee {
            Some(referee) => referee.begin_load(start_ns),
            None => Timetable::from_job(parties[0].job, start_ns),
        };
        self.end_ns = timetable.end_ns();
        self.shared.control.schedule_load(timetable.start_ns, self.end_ns);
        self.shared.wake_all();
        let returns = std::mem::take(&mut self.crew.returns).into_iter();
        let mut collectors: Vec<_> =
            returns.zip(parties).map(|(returns, party)| Collector::new(party.job, timetable, returns)).collect();
        if self.shared.referee.is_none() {
            collectors[0].turn_began(start_ns);
        }
        self.until_ended(timetable, &mut collectors, on_event)?;
        let (end_ns, interrupted) = (self.end_ns, self.interrupted);
        let sides = parties.iter().zip(collectors).zip(std::mem::take(&mut self.accounts));
        Ok(sides
            .map(|((party, mut collector), account)| {
                if self.shared.referee.is_none() {
                    collector.turn_ended(LoadPhase::Measure, end_ns);
                }
                let tag = party.program.ledger_use().map(|_| party.tag);
                SideOutcome { collector, connection_ns, end_ns, interrupted, account, tag }
            })
            .collect())
    }

    fn until_connected(&mut self) -> Result<(), LoadError> {
        let mut missing = self.shared.wakers.len();
        while missing > 0 {
            if self.stop.is_requested() {
                return Err(LoadError::Stopped);
            }
            match self.next_report(STOP_CHECK) {
                Some(ThreadReport::Connected { connections }) => {
                    missing -= 1;
                    for (account, of_thread) in self.accounts.iter_mut().zip(connections) {
                        of_thread.iter().for_each(|of_thread| account.first_connections.merge(of_thread));
                    }
                }
                Some(ThreadReport::Failed(error)) => return Err(error),
                Some(ThreadReport::Gone) => return Err(LoadError::Stopped),
                Some(
                    ThreadReport::Counted { .. }
                    | ThreadReport::TurnBegan { .. }
                    | ThreadReport::TurnEnded(_)
                    | ThreadReport::Over { .. }
                    | ThreadReport::Done { .. }
                    | ThreadReport::Ended { .. }
                    | ThreadReport::Cancelled { .. }
                    | ThreadReport::Ledger { .. }
                    | ThreadReport::Statements { .. },
                )
                | None => {}
            }
        }
        Ok(())
    }

    /// When the load begins on all generators: it is told when the last of them has connected. That may have passed
    /// here, and is when it begins all the same, so that their seconds are the same ones.
    fn await_begin(&self, part: &GeneratorPart) -> Result<u64, LoadError> {
        loop {
            if let Some(begin) = part.instants.begin_instant() {
                return Ok(self.shared.clock.instant_ns(begin));
            }
            if self.stop.is_requested() {
                return Err(LoadError::Stopped);
            }
            match self.next_report(BEGIN_CHECK) {
                Some(ThreadReport::Failed(error)) => return Err(error),
                Some(ThreadReport::Gone) => return Err(LoadError::Stopped),
                Some(_) | None => {}
            }
        }
    }

    fn until_ended(
        &mut self,
        timetable: Timetable,
        collectors: &mut [Collector],
        on_event: &mut dyn FnMut(TurnsEvent<'_>),
    ) -> Result<(), LoadError> {
        let mut at_work = self.shared.wakers.len();
        let (mut undone, mut done_ns) = (at_work, timetable.measure_start_ns().saturating_add(1));
        let mut phases = match self.shared.referee {
            Some(_) => PhaseInstants::without_timetable(),
            None => PhaseInstants::new(timetable),
        };
        let (mut standstill, mut given_up) = (StandstillWatch::default(), false);
        let has_no_end = self.shared.referee.is_none() && timetable.end_ns() == NEVER;
        while at_work > 0 {
            let now_ns = self.shared.clock.now_ns();
            phases.announce_due_phases(now_ns, self.end_ns, on_event);
            self.check_stop(timetable, now_ns, given_up);
            let wait_ns = phases.next_ns(self.end_ns).saturating_sub(now_ns);
            match self.next_report(STOP_CHECK.min(Duration::from_nanos(wait_ns))) {
                Some(ThreadReport::Counted { side, thread, counts }) => {
                    collectors[side].add(thread, counts);
                    while let Some(second) = collectors[side].next_second(self.end_ns) {
                        on_event(TurnsEvent::Second { side, second });
                        given_up |= has_no_end && standstill.note_second(second);
                    }
                }
                Some(ThreadReport::TurnBegan { phase, side, at_ns }) => {
                    phases.note_begun_turn(phase, at_ns, collectors, on_event);
                    collectors[side].turn_began(at_ns);
                    on_event(TurnsEvent::TurnBegan { side, at_ns });
                }
                Some(ThreadReport::TurnEnded(turn)) => {
                    collectors[turn.side].turn_ended(turn.phase, turn.end_ns);
                    on_event(TurnsEvent::Turn(&turn));
                    self.turns.push(turn);
                }
                Some(ThreadReport::Over { at_ns, interrupted }) => {
                    (self.end_ns, self.interrupted) = (at_ns, interrupted);
                }
                Some(ThreadReport::Done { at_ns }) => {
                    (undone, done_ns) = (undone - 1, done_ns.max(at_ns));
                    if undone == 0 {
                        self.end_at(done_ns, timetable);
                    }
                }
                Some(ThreadReport::Ended { side, unfinished }) => self.accounts[side].unfinished += unfinished,
                Some(ThreadReport::Cancelled { side, statements }) => self.accounts[side].cancelled += statements,
                Some(ThreadReport::Ledger { side, pages }) => self.accounts[side].pages.extend(pages),
                Some(ThreadReport::Statements { side, statements }) => self.accounts[side].add_statements(statements),
                Some(ThreadReport::Failed(error)) => return Err(error),
                Some(ThreadReport::Gone) => at_work -= 1,
                Some(ThreadReport::Connected { .. }) | None => {}
            }
        }
        phases.announce_due_phases(self.end_ns, self.end_ns, on_event);
        if self.shared.referee.is_some() {
            on_event(TurnsEvent::Ended { at_ns: self.end_ns });
        }
        Ok(())
    }

    /// Once a stop is requested, or the server given up, the load ends with the second under way.
    fn check_stop(&mut self, timetable: Timetable, now_ns: u64, given_up: bool) {
        let shared_end = self.shared.parties[0].job.part.as_ref().and_then(|part| part.instants.end_instant());
        if self.interrupted || !(given_up || shared_end.is_some() || self.stop.is_requested()) {
            return;
        }
        if let Some(referee) = self.shared.referee {
            return self.stop_turns(referee, now_ns);
        }
        let from_ns = shared_end.map_or(now_ns + NOTICE_NS, |end| self.shared.clock.instant_ns(end));
        let end_ns = timetable.end_of_second(from_ns);
        if end_ns < self.end_ns {
            self.interrupted = true;
            self.end_at(end_ns, timetable);
        }
    }

    /// No further round begins; what is not over long after the one under way should be is cut.
    fn stop_turns(&mut self, referee: &Referee<'_>, now_ns: u64) {
        if self.cut_ns == NEVER {
            referee.stop_rounds();
            self.cut_ns = now_ns.saturating_add(referee.round_ns()).saturating_add(STOP_LIMIT_NS);
        } else if now_ns >= self.cut_ns && self.end_ns == NEVER {
            referee.end_at(now_ns + NOTICE_NS);
        }
    }

    /// The load ends then, unless it ends earlier anyway.
    fn end_at(&mut self, end_ns: u64, timetable: Timetable) {
        if end_ns < self.end_ns {
            self.end_ns = end_ns;
            self.shared.control.schedule_load(timetable.start_ns, end_ns);
            self.shared.wake_all();
        }
    }

    fn next_report(&self, wait: Duration) -> Option<ThreadReport> {
        match self.crew.reports.recv_timeout(wait) {
            Ok(report) => Some(report),
            Err(RecvTimeoutError::Timeout) => None,
            // Every thread has gone, and has said so before.
            Err(RecvTimeoutError::Disconnected) => Some(ThreadReport::Gone),
        }
    }
}
