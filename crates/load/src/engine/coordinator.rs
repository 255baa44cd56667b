//! Starts the threads, gives the times, passes on what they count, and ends them; on the thread that called [`run`].

use crate::engine::agenda::Agenda;
use crate::engine::client::Client;
use crate::engine::clock::{Clock, NEVER, nanoseconds};
use crate::engine::collector::Collector;
use crate::engine::context::{Context, Load, Side};
use crate::engine::control::{Control, Report};
use crate::engine::cpu::ThreadCpu;
use crate::engine::file_limit;
use crate::engine::io::{self, Io, Waker, Way};
use crate::engine::network_namespace;
use crate::engine::notice::Notice;
use crate::engine::pacer::Share;
use crate::engine::recorder::{Counted, Counts, Recorder};
use crate::engine::referee::{Referee, Rules};
use crate::engine::seat::Seat;
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
use crate::turns::{Turn, Turns, TurnsEvent, TurnsSummary};
use std::collections::VecDeque;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, SystemTime};
use wire::Memory;

/// How often a request to stop is looked for.
const STOP_CHECK: Duration = Duration::from_millis(50);
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
pub fn run(job: &Job, stop: &Stop, on_event: &mut dyn FnMut(Event<'_>)) -> Result<Summary, LoadError> {
    let mut of_the_only_side = |event: TurnsEvent<'_>| match event {
        TurnsEvent::Connecting { at_ns } => on_event(Event::Connecting { at_ns }),
        TurnsEvent::Began { phase, at_ns } => on_event(Event::Began { phase, at_ns }),
        TurnsEvent::Second { second, .. } => on_event(Event::Second(second)),
        TurnsEvent::Turn(_) => {}
        TurnsEvent::Ended { at_ns } => on_event(Event::Ended { at_ns }),
    };
    conduct(&[job], None, stop, &mut of_the_only_side).map(|mut done| done.sides.swap_remove(0))
}

/// Runs the jobs of several sides that take turns, as [`run`] does with one.
///
/// After `stop` is requested the round under way is finished and the run ends as interrupted; a turn that then takes
/// 5 s longer than it should is cut.
///
/// # Errors
/// As of [`run`], and when the sides cannot take turns.
pub fn run_turns(
    turns: &Turns,
    stop: &Stop,
    on_event: &mut dyn FnMut(TurnsEvent<'_>),
) -> Result<TurnsSummary, LoadError> {
    turns.check()?;
    let sides: Vec<&Job> = turns.sides.iter().collect();
    conduct(&sides, Some(turns), stop, on_event)
}

/// Finds out, without a server, whether sides can take turns.
///
/// # Errors
/// What is wrong, as [`run_turns`] would say.
pub fn check_turns(turns: &Turns) -> Result<(), LoadError> {
    turns.check()?;
    turns.sides.iter().try_for_each(check)
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

/// Runs the jobs of all sides on the same threads. What is not a side's own is said by the first.
fn conduct(
    jobs: &[&Job],
    turns: Option<&Turns>,
    stop: &Stop,
    on_event: &mut dyn FnMut(TurnsEvent<'_>),
) -> Result<TurnsSummary, LoadError> {
    let programs = jobs.iter().map(|job| compiled(job)).collect::<Result<Vec<_>, _>>()?;
    let (clock, started_at) = (Clock::start(), SystemTime::now());
    on_event(TurnsEvent::Connecting { at_ns: 0 });
    let mut parties = Vec::new();
    for (number, (&job, program)) in jobs.iter().zip(programs).enumerate() {
        // Two sides may write to one server.
        let tag = Tag::of(started_at + Duration::from_nanos(number as u64));
        parties.push(Party { job, program, addresses: Addresses::of(&job.server)?, tag });
    }
    let clients = || jobs.iter().map(|job| job.clients.get());
    let threads = clients().chain([jobs[0].threads.get()]).min().unwrap_or(1);
    file_limit::ensure(clients().sum(), threads)?;
    // Only one side's are at work at a time.
    let at_work = clients().max().unwrap_or(1).div_ceil(threads) as usize;
    let way = io::choose(jobs[0].backend, at_work)?;
    let wakers = (0..threads).map(|_| Waker::new()).collect::<Result<Vec<_>, _>>();
    let wakers = wakers.map_err(|error| LoadError::System { action: "make an eventfd", source: error.into() })?;
    let control = Control::new();
    let (report, reports) = mpsc::channel();
    let referee = turns.map(|turns| Referee::new(Rules::of(turns), clock, &control, &wakers, report.clone()));
    let referee = referee.as_ref();
    let shared = Shared { parties: &parties, wakers: &wakers, control: &control, referee, clock, way };
    thread::scope(|scope| {
        let crew = shared.start(scope, &report, reports)?;
        let accounts = parties.iter().map(|_| Account::new()).collect();
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
        let outcome = coordinator.coordinate(on_event);
        // Whatever has happened, the threads must end before the scope can.
        shared.abort();
        let outcomes = outcome?.into_iter().zip(&parties);
        let sides = outcomes.map(|(outcome, party)| outcome.summary(party.job, way, started_at)).collect();
        let length_ns = turns.map_or(NEVER, |turns| nanoseconds(turns.length));
        Ok(TurnsSummary { sides, turns: coordinator.turns, length_ns })
    })
}

/// What is known of a side before the threads start.
struct Party<'a> {
    job: &'a Job,
    program: Program,
    addresses: Addresses,
    /// Names its run in the ledger, if one is kept.
    tag: Tag,
}

/// What all threads share.
#[derive(Clone, Copy)]
struct Shared<'a> {
    /// The sides, by number.
    parties: &'a [Party<'a>],
    /// By thread.
    wakers: &'a [Waker],
    control: &'a Control,
    /// If the sides take turns.
    referee: Option<&'a Referee<'a>>,
    clock: Clock,
    way: Way,
}

/// The threads that were started, as seen from here.
struct Crew {
    reports: Receiver<Report>,
    /// By side and thread.
    returns: Vec<Vec<Sender<Box<Counts>>>>,
}

/// A side's part of a thread that is to be started.
struct Post {
    share: Share,
    randoms: Vec<ClientRandom>,
    returned: Receiver<Box<Counts>>,
}

impl<'a> Shared<'a> {
    fn start<'scope>(
        self,
        scope: &'scope thread::Scope<'scope, 'a>,
        report: &Sender<Report>,
        reports: Receiver<Report>,
    ) -> Result<Crew, LoadError> {
        let threads = self.wakers.len() as u32;
        let mut crew = Crew { reports, returns: self.parties.iter().map(|_| Vec::new()).collect() };
        let mut randoms: Vec<_> = self.parties.iter().map(Party::randoms).collect();
        for thread in 0..threads {
            let post = |(number, party): (usize, &Party<'_>)| {
                let share = Share { clients: party.job.clients.get(), threads, thread };
                let (give_back, returned) = mpsc::channel();
                crew.returns[number].push(give_back);
                Post { share, randoms: randoms[number].by_ref().take(share.range().len()).collect(), returned }
            };
            let posts = self.parties.iter().enumerate().map(post).collect();
            if let Err(source) = self.start_thread(scope, thread as usize, posts, report.clone()) {
                // Those that run already must not be waited for in vain.
                self.abort();
                return Err(LoadError::System { action: "start a thread", source });
            }
        }
        Ok(crew)
    }

    fn start_thread<'scope>(
        self,
        scope: &'scope thread::Scope<'scope, 'a>,
        thread: usize,
        posts: Vec<Post>,
        reports: Sender<Report>,
    ) -> std::io::Result<()> {
        let body = move || {
            let last_words = LastWords(reports.clone());
            let clients: usize = posts.iter().map(|post| post.randoms.len()).sum();
            let io = match Io::open(self.way, &self.wakers[thread], clients) {
                Ok(io) => io,
                Err(error) => {
                    let action = "wait for connections";
                    return last_words.say(Report::Failed(LoadError::System { action, source: error.into() }));
                }
            };
            let (mut sides, mut clients) = (VecDeque::new(), Vec::with_capacity(clients));
            for (number, (party, post)) in self.parties.iter().zip(posts).enumerate() {
                sides.push_back(party.side(number, post, &mut clients));
            }
            let Some(side) = sides.pop_front() else { return };
            let namespace = side.job.server.network_namespace.as_deref();
            let cx = Context {
                side,
                others: sides.into(),
                seat: self.referee.map(Seat::new),
                due_ns: NEVER,
                control: self.control,
                clock: self.clock,
                thread,
                io,
                memory: Memory::default(),
                notice: Notice::new(),
                cpu: ThreadCpu::new(),
                reports,
                connected: 0,
                timers: Timers::new(clients.len()),
                now_ns: 0,
                shell: Shell::new(self.wakers[thread].clone()),
            };
            let entered = namespace.map_or(Ok(()), network_namespace::enter);
            if let Err(error) = entered.and_then(|()| Worker::new(cx, clients).run()) {
                last_words.say(Report::Failed(error));
            }
        };
        let started = thread::Builder::new().name(format!("load-{thread}")).spawn_scoped(scope, body);
        started.map(|_joined_by_the_scope| ())
    }

    /// Everything ends now.
    fn abort(&self) {
        self.control.abort();
        self.wake_all();
    }

    fn wake_all(&self) {
        self.wakers.iter().for_each(Waker::wake);
    }
}

impl<'a> Party<'a> {
    /// The random numbers of its clients, by number.
    fn randoms(&self) -> impl Iterator<Item = ClientRandom> + use<> {
        let defined = self.job.definitions.iter().any(|(name, _)| name == "default_seed");
        let default_seed = if defined { DefaultSeed::Defined } else { DefaultSeed::Drawn };
        ClientRandom::all(self.job.seed, self.job.clients.get(), default_seed)
    }

    /// Its part of one thread; adds its clients to those of the thread.
    fn side(&'a self, number: usize, post: Post, clients: &mut Vec<Client>) -> Side<'a> {
        let first = clients.len() as u32;
        for (index, random) in (0u32..).zip(post.randoms) {
            let number = post.share.range().start + index;
            let variables = self.program.initial_variables(number);
            let scribe = self.program.ledger().map(|_| Scribe::new(self.tag, number));
            let work = Work::new(first + index, random, variables, self.program.nothing_prepared(), scribe);
            clients.push(Client::new(number, first + index, work));
        }
        Side {
            number,
            clients: first..clients.len() as u32,
            job: self.job,
            program: &self.program,
            addresses: &self.addresses,
            recorder: Recorder::new(Counted::of(self.job), self.job.tally.counter(), post.returned),
            agenda: Agenda::new(self.job, &Timetable::of(self.job, 0), &post.share),
            load: Load::Connecting,
            in_flight: 0,
            out: 0,
            out_at_most: 0,
            stopped_ns: NEVER,
            is_done: false,
            answer_timeout_ns: nanoseconds(self.job.answer_timeout),
        }
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
    /// When the load is ended even if a turn is under way; `NEVER` as long as no stop is requested.
    cut_ns: u64,
    /// By side.
    accounts: Vec<Account>,
    /// Turns that are over.
    turns: Vec<Turn>,
}

/// What is told of a side once, at the begin or at the end.
struct Account {
    first_connections: ConnectionLatency,
    /// Transactions that were not over at the end.
    unfinished: u64,
    /// Those of them that did not finish in the time that they had after it.
    cancelled: u64,
    /// What clients that are gone were told of their writes.
    pages: Vec<(u32, Page)>,
}

impl Account {
    fn new() -> Account {
        Account { first_connections: ConnectionLatency::new(), unfinished: 0, cancelled: 0, pages: Vec::new() }
    }
}

/// What the run of a side has come to.
struct Outcome {
    collector: Collector,
    connection_ns: u64,
    end_ns: u64,
    interrupted: bool,
    account: Account,
    /// Names the side's run in the ledger, if one is kept.
    tag: Option<Tag>,
}

impl Coordinator<'_> {
    fn coordinate(&mut self, on_event: &mut dyn FnMut(TurnsEvent<'_>)) -> Result<Vec<Outcome>, LoadError> {
        let parties = self.shared.parties;
        self.until_connected()?;
        let connection_ns = self.shared.clock.now();
        let start_ns = connection_ns + START_NOTICE_NS;
        let timetable = match self.shared.referee {
            Some(referee) => referee.begin(start_ns),
            None => Timetable::of(parties[0].job, start_ns),
        };
        self.end_ns = timetable.end_ns();
        self.shared.control.schedule(timetable.start_ns, self.end_ns);
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
        let outcome = |((party, mut collector), account): ((&Party<'_>, Collector), _)| {
            if self.shared.referee.is_none() {
                collector.turn_ended(Phase::Measure, end_ns);
            }
            let tag = party.program.ledger().map(|_| party.tag);
            Outcome { collector, connection_ns, end_ns, interrupted, account, tag }
        };
        Ok(sides.map(outcome).collect())
    }

    fn until_connected(&mut self) -> Result<(), LoadError> {
        let mut missing = self.shared.wakers.len();
        while missing > 0 {
            if self.stop.is_requested() {
                return Err(LoadError::Stopped);
            }
            match self.next_report(STOP_CHECK) {
                Some(Report::Connected { connections }) => {
                    missing -= 1;
                    for (account, of_thread) in self.accounts.iter_mut().zip(connections) {
                        of_thread.iter().for_each(|of_thread| account.first_connections.merge(of_thread));
                    }
                }
                Some(Report::Failed(error)) => return Err(error),
                Some(Report::Gone) => return Err(LoadError::Stopped),
                Some(
                    Report::Counted { .. }
                    | Report::TurnBegan { .. }
                    | Report::TurnEnded(_)
                    | Report::Over { .. }
                    | Report::Done { .. }
                    | Report::Ended { .. }
                    | Report::Cancelled { .. }
                    | Report::Ledger { .. },
                )
                | None => {}
            }
        }
        Ok(())
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
            Some(_) => Phases::none(),
            None => Phases::new(timetable),
        };
        let (mut standstill, mut given_up) = (Standstill::default(), false);
        let has_no_end = self.shared.referee.is_none() && timetable.end_ns() == NEVER;
        while at_work > 0 {
            let now_ns = self.shared.clock.now();
            phases.announce(now_ns, self.end_ns, on_event);
            self.check_stop(timetable, now_ns, given_up);
            let wait_ns = phases.next_ns(self.end_ns).saturating_sub(now_ns);
            match self.next_report(STOP_CHECK.min(Duration::from_nanos(wait_ns))) {
                Some(Report::Counted { side, thread, counts }) => {
                    collectors[side].add(thread, counts);
                    while let Some(second) = collectors[side].next_second(self.end_ns) {
                        on_event(TurnsEvent::Second { side, second });
                        given_up |= has_no_end && standstill.lasts(second);
                    }
                }
                Some(Report::TurnBegan { phase, side, at_ns }) => {
                    phases.began(phase, at_ns, collectors, on_event);
                    collectors[side].turn_began(at_ns);
                }
                Some(Report::TurnEnded(turn)) => {
                    collectors[turn.side].turn_ended(turn.phase, turn.end_ns);
                    on_event(TurnsEvent::Turn(&turn));
                    self.turns.push(turn);
                }
                Some(Report::Over { at_ns, interrupted }) => (self.end_ns, self.interrupted) = (at_ns, interrupted),
                Some(Report::Done { at_ns }) => {
                    (undone, done_ns) = (undone - 1, done_ns.max(at_ns));
                    if undone == 0 {
                        self.end_at(done_ns, timetable);
                    }
                }
                Some(Report::Ended { side, unfinished }) => self.accounts[side].unfinished += unfinished,
                Some(Report::Cancelled { side, statements }) => self.accounts[side].cancelled += statements,
                Some(Report::Ledger { side, pages }) => self.accounts[side].pages.extend(pages),
                Some(Report::Failed(error)) => return Err(error),
                Some(Report::Gone) => at_work -= 1,
                Some(Report::Connected { .. }) | None => {}
            }
        }
        phases.announce(self.end_ns, self.end_ns, on_event);
        if self.shared.referee.is_some() {
            on_event(TurnsEvent::Ended { at_ns: self.end_ns });
        }
        Ok(())
    }

    /// Once a stop is requested, or the server given up, the load ends with the second under way.
    fn check_stop(&mut self, timetable: Timetable, now_ns: u64, given_up: bool) {
        if self.interrupted || !(given_up || self.stop.is_requested()) {
            return;
        }
        if let Some(referee) = self.shared.referee {
            return self.stop_turns(referee, now_ns);
        }
        let end_ns = timetable.end_of_second(now_ns + NOTICE_NS);
        if end_ns < self.end_ns {
            self.interrupted = true;
            self.end_at(end_ns, timetable);
        }
    }

    /// No further round begins; what is not over long after the one under way should be is cut.
    fn stop_turns(&mut self, referee: &Referee<'_>, now_ns: u64) {
        if self.cut_ns == NEVER {
            referee.stop();
            self.cut_ns = now_ns.saturating_add(referee.round_ns()).saturating_add(STOP_LIMIT_NS);
        } else if now_ns >= self.cut_ns && self.end_ns == NEVER {
            referee.end_at(now_ns + NOTICE_NS);
        }
    }

    /// The load ends then, unless it ends earlier anyway.
    fn end_at(&mut self, end_ns: u64, timetable: Timetable) {
        if end_ns < self.end_ns {
            self.end_ns = end_ns;
            self.shared.control.schedule(timetable.start_ns, end_ns);
            self.shared.wake_all();
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
    /// The last one that has begun without having been ahead.
    last: Option<Phase>,
}

impl Phases {
    /// None is known ahead.
    fn none() -> Phases {
        Phases { ahead: Vec::new().into_iter(), next: None, last: None }
    }

    /// A turn of that phase has begun: says so if it is the first.
    fn began(
        &mut self,
        phase: Phase,
        at_ns: u64,
        collectors: &mut [Collector],
        on_event: &mut dyn FnMut(TurnsEvent<'_>),
    ) {
        if self.last.replace(phase) == Some(phase) {
            return;
        }
        if phase == Phase::Measure {
            collectors.iter_mut().for_each(|collector| collector.measure_from(at_ns));
        }
        on_event(TurnsEvent::Began { phase, at_ns });
    }

    fn new(timetable: Timetable) -> Phases {
        let warm_up = (timetable.warm_up_ns > 0).then_some((timetable.start_ns, Some(Phase::WarmUp)));
        let measure = (timetable.measure_start_ns(), Some(Phase::Measure));
        let all: Vec<_> = warm_up.into_iter().chain([measure, (timetable.end_ns(), None)]).collect();
        let mut ahead = all.into_iter();
        let next = ahead.next();
        Phases { ahead, next, last: None }
    }

    /// When something is to be announced next, in a load that ends at `end_ns`.
    fn next_ns(&self, end_ns: u64) -> u64 {
        self.next.map_or(NEVER, |(at_ns, _)| at_ns.min(end_ns))
    }

    fn announce(&mut self, now_ns: u64, end_ns: u64, on_event: &mut dyn FnMut(TurnsEvent<'_>)) {
        while let Some((at_ns, phase)) = self.next.filter(|(at_ns, _)| now_ns >= (*at_ns).min(end_ns)) {
            match phase {
                Some(phase) if at_ns < end_ns => on_event(TurnsEvent::Began { phase, at_ns }),
                // A phase that an interruption has left no time for.
                Some(_) => {}
                None => on_event(TurnsEvent::Ended { at_ns: end_ns }),
            }
            self.next = self.ahead.next();
        }
    }
}

impl Outcome {
    fn summary(self, job: &Job, way: Way, started_at: SystemTime) -> Summary {
        // An interruption may have left no time for it.
        let measure_start_ns = self.collector.measure_start_ns().min(self.end_ns);
        let measure_ns = self.collector.measured_ns();
        let totals = self.collector.totals;
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
            first_connections: Some(Box::new(self.account.first_connections)),
            connections: totals.connections,
            measure_start_ns,
            measure_ns,
            interrupted: self.interrupted,
            latency,
            failed,
            unknown: totals.unknown,
            unfinished: self.account.unfinished,
            cancelled: self.account.cancelled,
            late,
            retried,
            retries,
            open: totals.open,
            scripts: totals.scripts,
            errors: totals.errors,
            outages,
            engine: totals.threads,
            ledger: self.tag.map(|tag| Ledger::of(tag, self.account.pages)),
        }
    }
}
