//! Starts the threads, gives the times, passes on what they count, and ends them; on the thread that called [`run`].

use crate::engine::client::Client;
use crate::engine::clock::{Clock, NEVER};
use crate::engine::collector::Collector;
use crate::engine::context::{Context, Load};
use crate::engine::control::{Control, Report};
use crate::engine::poller::{Poller, Waker};
use crate::engine::recorder::{Counts, Recorder};
use crate::engine::socket::Addresses;
use crate::engine::timetable::Timetable;
use crate::engine::transaction::Work;
use crate::engine::worker::Worker;
use crate::error::LoadError;
use crate::job::Job;
use crate::latency::Latency;
use crate::random::ClientRandom;
use crate::report::{Event, Phase, Summary};
use crate::script::program::Program;
use crate::stop::Stop;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, SystemTime};

/// How the engine talks to the kernel.
const BACKEND: &str = "epoll";
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
    if job.scripts.is_empty() {
        return Err(LoadError::Job("the job has no script"));
    }
    if job.measure.is_zero() {
        return Err(LoadError::Job("the measurement phase is empty"));
    }
    let program = Program::new(&job.scripts, job.mode)?;
    let (clock, started_at) = (Clock::start(), SystemTime::now());
    on_event(Event::Connecting { at_ns: 0 });
    let addresses = Addresses::of(&job.server.endpoint)?;
    let control = Control::new();
    let shared = Shared { job, program: &program, addresses: &addresses, control: &control, clock };
    thread::scope(|scope| {
        let crew = shared.start(scope)?;
        let mut coordinator = Coordinator { shared, crew, stop, interrupted: false, end_ns: NEVER };
        let outcome = coordinator.coordinate(on_event);
        // Whatever has happened, the threads must end before the scope can.
        control.abort();
        coordinator.wake_all();
        outcome.map(|outcome| outcome.summary(job, started_at))
    })
}

/// What all threads share.
#[derive(Clone, Copy)]
struct Shared<'a> {
    job: &'a Job,
    program: &'a Program,
    addresses: &'a Addresses,
    control: &'a Control,
    clock: Clock,
}

/// The threads that were started, as seen from here.
struct Crew {
    reports: Receiver<Report>,
    returns: Vec<Sender<Box<Counts>>>,
    wakers: Vec<Waker>,
}

impl<'a> Shared<'a> {
    fn start<'scope>(self, scope: &'scope thread::Scope<'scope, 'a>) -> Result<Crew, LoadError> {
        let clients = self.job.clients.get() as usize;
        let threads = clients.min(self.job.threads.get() as usize);
        let (report, reports) = mpsc::channel();
        let mut crew = Crew { reports, returns: Vec::new(), wakers: Vec::new() };
        let mut randoms = ClientRandom::all(self.job.seed);
        for number in 0..threads {
            let (first, end) = (clients * number / threads, clients * (number + 1) / threads);
            let randoms: Vec<ClientRandom> = randoms.by_ref().take(end - first).collect();
            let started = self.start_thread(scope, number, first as u32, randoms, report.clone(), &mut crew);
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
        number: usize,
        first_client: u32,
        randoms: Vec<ClientRandom>,
        reports: Sender<Report>,
        crew: &mut Crew,
    ) -> Result<(), LoadError> {
        let poller = Poller::new()
            .map_err(|error| LoadError::System { action: "wait for connections with epoll", source: error.into() })?;
        crew.wakers.push(poller.waker());
        let (give_back, returned) = mpsc::channel();
        crew.returns.push(give_back);
        let body = move || {
            let last_words = LastWords(reports.clone());
            let cx = Context {
                job: self.job,
                program: self.program,
                addresses: self.addresses,
                control: self.control,
                clock: self.clock,
                thread: number,
                poller,
                recorder: Recorder::new(self.program.scripts().len(), returned),
                reports,
                load: Load::Connecting,
                connected: 0,
                in_flight: 0,
                next_timer_ns: NEVER,
            };
            if let Err(error) = Worker::new(cx, self.clients(first_client, randoms)).run() {
                last_words.say(Report::Failed(error));
            }
        };
        let started = thread::Builder::new().name(format!("load-{number}")).spawn_scoped(scope, body);
        started.map(|_joined_by_the_scope| ()).map_err(|source| LoadError::System { action: "start a thread", source })
    }

    fn clients(&self, first: u32, randoms: Vec<ClientRandom>) -> Vec<Client> {
        let clients = (0u32..).zip(randoms).map(|(index, random)| {
            let number = first + index;
            let variables = self.program.initial_variables(number, self.job.scale, self.job.seed);
            Client::new(number, index, Work::new(random, variables))
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
}

/// What a run has come to.
struct Outcome {
    collector: Collector,
    timetable: Timetable,
    connection_ns: u64,
    end_ns: u64,
    unfinished: u64,
    interrupted: bool,
}

impl Coordinator<'_> {
    fn wake_all(&self) {
        self.crew.wakers.iter().for_each(Waker::wake);
    }

    fn coordinate(&mut self, on_event: &mut dyn FnMut(Event<'_>)) -> Result<Outcome, LoadError> {
        self.until_connected()?;
        let connection_ns = self.shared.clock.now();
        let timetable = Timetable::of(self.shared.job, connection_ns + START_NOTICE_NS);
        self.end_ns = timetable.end_ns();
        self.shared.control.schedule(timetable.start_ns, self.end_ns);
        self.wake_all();
        let returns = std::mem::take(&mut self.crew.returns);
        let mut collector = Collector::new(self.shared.program, timetable, returns);
        let unfinished = self.until_ended(timetable, &mut collector, on_event)?;
        let (end_ns, interrupted) = (self.end_ns, self.interrupted);
        Ok(Outcome { collector, timetable, connection_ns, end_ns, unfinished, interrupted })
    }

    fn until_connected(&self) -> Result<(), LoadError> {
        let mut missing = self.crew.wakers.len();
        while missing > 0 {
            if self.stop.is_requested() {
                return Err(LoadError::Stopped);
            }
            match self.next_report(STOP_CHECK) {
                Some(Report::Connected) => missing -= 1,
                Some(Report::Failed(error)) => return Err(error),
                Some(Report::Gone) => return Err(LoadError::Stopped),
                Some(Report::Counted { .. } | Report::Ended { .. }) | None => {}
            }
        }
        Ok(())
    }

    /// Returns how many transactions were under way at the end.
    fn until_ended(
        &mut self,
        timetable: Timetable,
        collector: &mut Collector,
        on_event: &mut dyn FnMut(Event<'_>),
    ) -> Result<u64, LoadError> {
        let (mut unfinished, mut at_work) = (0, self.crew.wakers.len());
        let mut phases = Phases::new(timetable);
        while at_work > 0 {
            let now_ns = self.shared.clock.now();
            phases.announce(now_ns, self.end_ns, on_event);
            self.check_stop(timetable, now_ns);
            let wait_ns = phases.next_ns(self.end_ns).saturating_sub(now_ns);
            match self.next_report(STOP_CHECK.min(Duration::from_nanos(wait_ns))) {
                Some(Report::Counted { thread, counts }) => {
                    collector.add(thread, counts);
                    while let Some(second) = collector.next_second(self.end_ns) {
                        on_event(Event::Second(second));
                    }
                }
                Some(Report::Ended { unfinished: of_thread }) => unfinished += of_thread,
                Some(Report::Failed(error)) => return Err(error),
                Some(Report::Gone) => at_work -= 1,
                Some(Report::Connected) | None => {}
            }
        }
        phases.announce(self.end_ns, self.end_ns, on_event);
        Ok(unfinished)
    }

    /// Once a stop is requested, the load ends with the second under way.
    fn check_stop(&mut self, timetable: Timetable, now_ns: u64) {
        if self.interrupted || !self.stop.is_requested() {
            return;
        }
        let end_ns = timetable.end_of_second(now_ns + NOTICE_NS);
        if end_ns < self.end_ns {
            self.interrupted = true;
            self.end_ns = end_ns;
            self.shared.control.schedule(timetable.start_ns, end_ns);
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
    fn summary(self, job: &Job, started_at: SystemTime) -> Summary {
        let totals = self.collector.totals;
        let measure_start_ns = self.timetable.measure_start_ns();
        let mut latency = Latency::new();
        totals.scripts.iter().for_each(|script| latency.merge(&script.latency));
        let mut outages = totals.outages;
        outages.retain(|outage| outage.end_ns.is_none_or(|end_ns| end_ns >= measure_start_ns));
        outages.sort_by_key(|outage| (outage.start_ns, outage.client));
        Summary {
            started_at,
            backend: BACKEND,
            clients: job.clients.get(),
            threads: totals.threads.len() as u32,
            connection_ns: self.connection_ns,
            measure_start_ns,
            measure_ns: self.end_ns.saturating_sub(measure_start_ns),
            interrupted: self.interrupted,
            latency,
            failed: totals.scripts.iter().map(|script| script.failed).sum(),
            unknown: totals.unknown,
            unfinished: self.unfinished,
            scripts: totals.scripts,
            errors: totals.errors,
            outages,
            engine: totals.threads,
        }
    }
}
