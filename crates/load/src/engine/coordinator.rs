//! Starts the threads, gives the times, passes on what they count, and ends them; on the thread that called [`run`].

use crate::engine::agenda::Agenda;
use crate::engine::client::Client;
use crate::engine::clock::{Clock, NEVER, nanoseconds};
use crate::engine::collector::Collector;
use crate::engine::context::{Context, Load};
use crate::engine::control::{Control, Report};
use crate::engine::file_limit;
use crate::engine::io::{self, Io, Waker, Way};
use crate::engine::network_namespace;
use crate::engine::notice::Notice;
use crate::engine::pacer::Share;
use crate::engine::recorder::{Counted, Counts, Recorder};
use crate::engine::shell::Shell;
use crate::engine::socket::Addresses;
use crate::engine::standstill::Standstill;
use crate::engine::timers::Timers;
use crate::engine::timetable::Timetable;
use crate::engine::transaction::Work;
use crate::engine::worker::Worker;
use crate::error::LoadError;
use crate::job::{Extent, Job};
use crate::latency::Latency;
use crate::ledger::{Ledger, Page, Scribe, Tag};
use crate::random::{ClientRandom, DefaultSeed};
use crate::report::{ConnectionLatency, Event, Phase, ScriptTotal, Summary};
use crate::script::program::Program;
use crate::stop::Stop;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, SystemTime};
use wire::Memory;

/// How often a request to stop is looked for.
const STOP_CHECK: Duration = Duration::from_millis(50);
/// Between the decision on when something happens and that instant: time for every thread to learn of it.
const NOTICE_NS: u64 = 50_000_000;
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
pub fn run(job: &Job, stop: &Stop, on_event: &mut dyn FnMut(Event<'_>)) -> Result<Summary, LoadError> {
    let program = compiled(job)?;
    let (clock, started_at) = (Clock::start(), SystemTime::now());
    on_event(Event::Connecting { at_ns: 0 });
    let addresses = Addresses::of(&job.server)?;
    file_limit::ensure(job.clients.get(), job.threads.get())?;
    let control = Control::new();
    let clients_per_thread = job.clients.get().div_ceil(job.threads.get()) as usize;
    let way = io::choose(job.backend, clients_per_thread)?;
    let tag = Tag::of(started_at);
    let shared = Shared { job, program: &program, addresses: &addresses, control: &control, clock, way, tag };
    thread::scope(|scope| {
        let crew = shared.start(scope)?;
        let mut coordinator = Coordinator { shared, crew, stop, interrupted: false, end_ns: NEVER, pages: Vec::new() };
        let outcome = coordinator.coordinate(on_event);
        // Whatever has happened, the threads must end before the scope can.
        control.abort();
        coordinator.wake_all();
        outcome.map(|outcome| outcome.summary(job, way, started_at))
    })
}

/// Finds out, without a server, whether a job is possible: its phases, its pace, and its scripts with their variables.
///
/// # Errors
/// What is wrong with it, as [`run`] would say.
pub fn check(job: &Job) -> Result<(), LoadError> {
    compiled(job).map(|_program| ())
}

fn compiled(job: &Job) -> Result<Program, LoadError> {
    if job.measure == Extent::Time(Duration::ZERO) {
        return Err(LoadError::Job("the measurement phase is empty"));
    }
    job.pace.check(job.measure).map_err(LoadError::Job)?;
    Program::new(job)
}

/// What all threads share.
#[derive(Clone, Copy)]
struct Shared<'a> {
    job: &'a Job,
    program: &'a Program,
    addresses: &'a Addresses,
    control: &'a Control,
    clock: Clock,
    way: Way,
    /// Names the run in the ledger, if one is kept.
    tag: Tag,
}

/// The threads that were started, as seen from here.
struct Crew {
    reports: Receiver<Report>,
    returns: Vec<Sender<Box<Counts>>>,
    wakers: Vec<Waker>,
}

impl<'a> Shared<'a> {
    fn start<'scope>(self, scope: &'scope thread::Scope<'scope, 'a>) -> Result<Crew, LoadError> {
        let clients = self.job.clients.get();
        let threads = clients.min(self.job.threads.get());
        let (report, reports) = mpsc::channel();
        let mut crew = Crew { reports, returns: Vec::new(), wakers: Vec::new() };
        let defined = self.job.definitions.iter().any(|(name, _)| name == "default_seed");
        let default_seed = if defined { DefaultSeed::Defined } else { DefaultSeed::Drawn };
        let mut randoms = ClientRandom::all(self.job.seed, self.job.clients.get(), default_seed);
        for thread in 0..threads {
            let share = Share { clients, threads, thread };
            let randoms: Vec<ClientRandom> = randoms.by_ref().take(share.range().len()).collect();
            let started = self.start_thread(scope, share, randoms, report.clone(), &mut crew);
            if let Err(error) = started {
                // Those that run already must not be waited for in vain.
                self.control.abort();
                crew.wakers.iter().for_each(Waker::wake);
                return Err(error);
            }
        }
        Ok(crew)
    }

    fn start_thread<'scope>(
        self,
        scope: &'scope thread::Scope<'scope, 'a>,
        share: Share,
        randoms: Vec<ClientRandom>,
        reports: Sender<Report>,
        crew: &mut Crew,
    ) -> Result<(), LoadError> {
        let waker =
            Waker::new().map_err(|error| LoadError::System { action: "make an eventfd", source: error.into() })?;
        crew.wakers.push(waker.clone());
        let (give_back, returned) = mpsc::channel();
        crew.returns.push(give_back);
        let body = move || {
            let last_words = LastWords(reports.clone());
            let io = match Io::open(self.way, &waker, randoms.len()) {
                Ok(io) => io,
                Err(error) => {
                    let action = "wait for connections";
                    return last_words.say(Report::Failed(LoadError::System { action, source: error.into() }));
                }
            };
            let cx = Context {
                job: self.job,
                program: self.program,
                addresses: self.addresses,
                control: self.control,
                clock: self.clock,
                thread: share.thread as usize,
                io,
                memory: Memory::default(),
                recorder: Recorder::new(Counted::of(self.job), self.job.tally.counter(), returned),
                notice: Notice::new(),
                agenda: Agenda::new(self.job, &Timetable::of(self.job, 0), &share),
                reports,
                load: Load::Connecting,
                connected: 0,
                in_flight: 0,
                is_done: false,
                timers: Timers::new(randoms.len()),
                answer_timeout_ns: nanoseconds(self.job.answer_timeout),
                now_ns: 0,
                shell: Shell::new(waker),
            };
            let entered = self.job.server.network_namespace.as_deref().map_or(Ok(()), network_namespace::enter);
            let clients = self.clients(share.range().start, randoms);
            if let Err(error) = entered.and_then(|()| Worker::new(cx, clients).run()) {
                last_words.say(Report::Failed(error));
            }
        };
        let started = thread::Builder::new().name(format!("load-{}", share.thread)).spawn_scoped(scope, body);
        started.map(|_joined_by_the_scope| ()).map_err(|source| LoadError::System { action: "start a thread", source })
    }

    fn clients(&self, first: u32, randoms: Vec<ClientRandom>) -> Vec<Client> {
        let clients = (0u32..).zip(randoms).map(|(index, random)| {
            let number = first + index;
            let variables = self.program.initial_variables(number);
            let scribe = self.program.ledger().map(|_| Scribe::new(self.tag, number));
            let work = Work::new(index, random, variables, self.program.nothing_prepared(), scribe);
            Client::new(number, index, work)
        });
        clients.collect()
    }
}

/// Tells the coordinator that a thread is gone, also if it panics.
struct LastWords(Sender<Report>);

impl LastWords {
    fn say(&self, report: Report) {
        // Without a coordinator the run is over, and nobody wants to know.
        let _coordinator_gone = self.0.send(report);
    }
}

impl Drop for LastWords {
    fn drop(&mut self) {
        self.say(Report::Gone);
    }
}

struct Coordinator<'a> {
    shared: Shared<'a>,
    crew: Crew,
    stop: &'a Stop,
    interrupted: bool,
    /// When the load ends; `NEVER` while that is not known.
    end_ns: u64,
    /// What clients that are gone were told of their writes.
    pages: Vec<(u32, Page)>,
}

/// Transactions that were not over at the end.
#[derive(Debug, Clone, Copy, Default)]
struct Left {
    unfinished: u64,
    /// Those of them that did not finish in the time that they had after it.
    cancelled: u64,
}

/// What a run has come to.
struct Outcome {
    collector: Collector,
    timetable: Timetable,
    connection_ns: u64,
    first_connections: ConnectionLatency,
    end_ns: u64,
    left: Left,
    interrupted: bool,
    ledger: Option<Ledger>,
}

impl Coordinator<'_> {
    fn wake_all(&self) {
        self.crew.wakers.iter().for_each(Waker::wake);
    }

    fn coordinate(&mut self, on_event: &mut dyn FnMut(Event<'_>)) -> Result<Outcome, LoadError> {
        let first_connections = self.until_connected()?;
        let connection_ns = self.shared.clock.now();
        let timetable = Timetable::of(self.shared.job, connection_ns + START_NOTICE_NS);
        self.end_ns = timetable.end_ns();
        self.shared.control.schedule(timetable.start_ns, self.end_ns);
        self.wake_all();
        let returns = std::mem::take(&mut self.crew.returns);
        let mut collector = Collector::new(self.shared.job, timetable, returns);
        let left = self.until_ended(timetable, &mut collector, on_event)?;
        let (end_ns, interrupted) = (self.end_ns, self.interrupted);
        let tag = self.shared.tag;
        let ledger = self.shared.program.ledger().map(|_| Ledger::of(tag, std::mem::take(&mut self.pages)));
        Ok(Outcome { collector, timetable, connection_ns, first_connections, end_ns, left, interrupted, ledger })
    }

    fn until_connected(&self) -> Result<ConnectionLatency, LoadError> {
        let mut first = ConnectionLatency::new();
        let mut missing = self.crew.wakers.len();
        while missing > 0 {
            if self.stop.is_requested() {
                return Err(LoadError::Stopped);
            }
            match self.next_report(STOP_CHECK) {
                Some(Report::Connected { connections }) => {
                    missing -= 1;
                    connections.iter().for_each(|of_thread| first.merge(of_thread));
                }
                Some(Report::Failed(error)) => return Err(error),
                Some(Report::Gone) => return Err(LoadError::Stopped),
                Some(
                    Report::Counted { .. }
                    | Report::Done { .. }
                    | Report::Ended { .. }
                    | Report::Cancelled { .. }
                    | Report::Ledger(_),
                )
                | None => {}
            }
        }
        Ok(first)
    }

    fn until_ended(
        &mut self,
        timetable: Timetable,
        collector: &mut Collector,
        on_event: &mut dyn FnMut(Event<'_>),
    ) -> Result<Left, LoadError> {
        let (mut left, mut at_work) = (Left::default(), self.crew.wakers.len());
        let (mut undone, mut done_ns) = (at_work, timetable.measure_start_ns() + 1);
        let mut phases = Phases::new(timetable);
        let (mut standstill, mut given_up) = (Standstill::default(), false);
        let has_no_end = timetable.end_ns() == NEVER;
        while at_work > 0 {
            let now_ns = self.shared.clock.now();
            phases.announce(now_ns, self.end_ns, on_event);
            self.check_stop(timetable, now_ns, given_up);
            let wait_ns = phases.next_ns(self.end_ns).saturating_sub(now_ns);
            match self.next_report(STOP_CHECK.min(Duration::from_nanos(wait_ns))) {
                Some(Report::Counted { thread, counts }) => {
                    collector.add(thread, counts);
                    while let Some(second) = collector.next_second(self.end_ns) {
                        on_event(Event::Second(second));
                        given_up |= has_no_end && standstill.lasts(second);
                    }
                }
                Some(Report::Done { at_ns }) => {
                    (undone, done_ns) = (undone - 1, done_ns.max(at_ns));
                    if undone == 0 {
                        self.end_at(done_ns, timetable);
                    }
                }
                Some(Report::Ended { unfinished }) => left.unfinished += unfinished,
                Some(Report::Cancelled { statements }) => left.cancelled += statements,
                Some(Report::Ledger(of_thread)) => self.pages.extend(of_thread),
                Some(Report::Failed(error)) => return Err(error),
                Some(Report::Gone) => at_work -= 1,
                Some(Report::Connected { .. }) | None => {}
            }
        }
        phases.announce(self.end_ns, self.end_ns, on_event);
        Ok(left)
    }

    /// Once a stop is requested, or the server given up, the load ends with the second under way.
    fn check_stop(&mut self, timetable: Timetable, now_ns: u64, given_up: bool) {
        if self.interrupted || !(given_up || self.stop.is_requested()) {
            return;
        }
        let end_ns = timetable.end_of_second(now_ns + NOTICE_NS);
        if end_ns < self.end_ns {
            self.interrupted = true;
            self.end_at(end_ns, timetable);
        }
    }

    /// The load ends then, unless it ends earlier anyway.
    fn end_at(&mut self, end_ns: u64, timetable: Timetable) {
        if end_ns < self.end_ns {
            self.end_ns = end_ns;
            self.shared.control.schedule(timetable.start_ns, end_ns);
            self.wake_all();
        }
    }

    fn next_report(&self, wait: Duration) -> Option<Report> {
        match self.crew.reports.recv_timeout(wait) {
            Ok(report) => Some(report),
            Err(RecvTimeoutError::Timeout) => None,
            // Every thread has gone, and has said so before.
            Err(RecvTimeoutError::Disconnected) => Some(Report::Gone),
        }
    }
}

/// The instants of a run that are announced when they come.
struct Phases {
    ahead: std::vec::IntoIter<(u64, Option<Phase>)>,
    next: Option<(u64, Option<Phase>)>,
}

impl Phases {
    fn new(timetable: Timetable) -> Phases {
        let warm_up = (timetable.warm_up_ns > 0).then_some((timetable.start_ns, Some(Phase::WarmUp)));
        let measure = (timetable.measure_start_ns(), Some(Phase::Measure));
        let all: Vec<_> = warm_up.into_iter().chain([measure, (timetable.end_ns(), None)]).collect();
        let mut ahead = all.into_iter();
        let next = ahead.next();
        Phases { ahead, next }
    }

    /// When something is to be announced next, in a load that ends at `end_ns`.
    fn next_ns(&self, end_ns: u64) -> u64 {
        self.next.map_or(NEVER, |(at_ns, _)| at_ns.min(end_ns))
    }

    fn announce(&mut self, now_ns: u64, end_ns: u64, on_event: &mut dyn FnMut(Event<'_>)) {
        while let Some((at_ns, phase)) = self.next.filter(|(at_ns, _)| now_ns >= (*at_ns).min(end_ns)) {
            match phase {
                Some(phase) if at_ns < end_ns => on_event(Event::Began { phase, at_ns }),
                // A phase that an interruption has left no time for.
                Some(_) => {}
                None => on_event(Event::Ended { at_ns: end_ns }),
            }
            self.next = self.ahead.next();
        }
    }
}

impl Outcome {
    fn summary(self, job: &Job, way: Way, started_at: SystemTime) -> Summary {
        let totals = self.collector.totals;
        let measure_start_ns = self.timetable.measure_start_ns();
        let mut latency = Latency::new();
        totals.scripts.iter().for_each(|script| latency.merge(&script.latency));
        let sum = |of: fn(&ScriptTotal) -> u64| totals.scripts.iter().map(of).sum();
        let (failed, late) = (sum(|script| script.failed), sum(|script| script.late));
        let (retried, retries) = (sum(|script| script.retried), sum(|script| script.retries));
        let mut outages = totals.outages;
        outages.retain(|outage| outage.end_ns.is_none_or(|end_ns| end_ns >= measure_start_ns));
        outages.sort_by_key(|outage| (outage.start_ns, outage.client));
        Summary {
            started_at,
            backend: way.name(),
            clients: job.clients.get(),
            threads: totals.threads.len() as u32,
            connection_ns: self.connection_ns,
            first_connections: Some(Box::new(self.first_connections)),
            connections: totals.connections,
            measure_start_ns,
            measure_ns: self.end_ns.saturating_sub(measure_start_ns),
            interrupted: self.interrupted,
            latency,
            failed,
            unknown: totals.unknown,
            unfinished: self.left.unfinished,
            cancelled: self.left.cancelled,
            late,
            retried,
            retries,
            open: totals.open,
            scripts: totals.scripts,
            errors: totals.errors,
            outages,
            engine: totals.threads,
            ledger: self.ledger,
        }
    }
}
