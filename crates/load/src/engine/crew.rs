//! The threads of a run: what each of them gets, and how they are started and ended.

use crate::engine::agenda::Agenda;
use crate::engine::backoff::Attempts;
use crate::engine::client::Client;
use crate::engine::client_share::ClientShare;
use crate::engine::clock::{JobClock, NEVER, duration_to_ns};
use crate::engine::context::{Context, ThreadLoadState, ThreadSide};
use crate::engine::control::{Control, ThreadReport};
use crate::engine::cpu::ThreadCpu;
use crate::engine::io::{Io, KernelInterface, Waker};
use crate::engine::notice::Notice;
use crate::engine::recorder::{CountedDimensions, IntervalCounts, Recorder};
use crate::engine::referee::Referee;
use crate::engine::seat::Seat;
use crate::engine::shell::ClientShellCommands;
use crate::engine::socket::Addresses;
use crate::engine::timers::Timers;
use crate::engine::timetable::Timetable;
use crate::engine::transaction::ClientWork;
use crate::engine::worker::Worker;
use crate::error::LoadError;
use crate::job::EngineJob;
use crate::ledger::{LedgerRunTag, Scribe};
use crate::random::{ClientRandom, DefaultSeed};
use crate::script::program::ScriptProgram;
use crate::transaction_log::ThreadClients;
use std::collections::VecDeque;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use wire::BufferMemory;

/// What is known of a side before the threads start.
pub(crate) struct Party<'a> {
    pub(crate) job: &'a EngineJob,
    pub(crate) program: ScriptProgram,
    pub(crate) addresses: Addresses,
    /// Names its run in the ledger, if one is kept.
    pub(crate) tag: LedgerRunTag,
}

/// What all threads share.
#[derive(Clone, Copy)]
pub(crate) struct SharedByThreads<'a> {
    /// The sides, by number.
    pub(crate) parties: &'a [Party<'a>],
    /// By thread.
    pub(crate) wakers: &'a [Waker],
    pub(crate) control: &'a Control,
    /// If the sides take turns.
    pub(crate) referee: Option<&'a Referee<'a>>,
    pub(crate) clock: JobClock,
    pub(crate) way: KernelInterface,
}

/// The threads that were started, as seen from here.
pub(crate) struct Crew {
    pub(crate) reports: Receiver<ThreadReport>,
    /// By side and thread.
    pub(crate) returns: Vec<Vec<Sender<Box<IntervalCounts>>>>,
}

/// A side's part of a thread that is to be started.
pub(crate) struct Post {
    pub(crate) share: ClientShare,
    pub(crate) randoms: Vec<ClientRandom>,
    pub(crate) returned: Receiver<Box<IntervalCounts>>,
}

impl<'a> SharedByThreads<'a> {
    pub(crate) fn start_crew<'scope>(
        self,
        scope: &'scope thread::Scope<'scope, 'a>,
        report: &Sender<ThreadReport>,
        reports: Receiver<ThreadReport>,
    ) -> Result<Crew, LoadError> {
        let threads = self.wakers.len() as u32;
        let mut crew = Crew { reports, returns: self.parties.iter().map(|_| Vec::new()).collect() };
        let mut randoms: Vec<_> = self.parties.iter().map(Party::client_randoms).collect();
        for thread in 0..threads {
            let posts = self
                .parties
                .iter()
                .enumerate()
                .map(|(number, party)| {
                    let share = party.job.share_of_thread(threads, thread);
                    let (give_back, returned) = mpsc::channel();
                    crew.returns[number].push(give_back);
                    Post {
                        share,
                        randoms: randoms[number].by_ref().take(share.client_range().len()).collect(),
                        returned,
                    }
                })
                .collect();
            if let Err(source) = self.start_thread(scope, thread as usize, posts, report.clone()) {
                // Those that run already must not be waited for in vain.
                self.abort_run();
                return Err(LoadError::System { action: "start a thread", source });
            }
        }
        Ok(crew)
    }

    pub(crate) fn start_thread<'scope>(
        self,
        scope: &'scope thread::Scope<'scope, 'a>,
        thread: usize,
        posts: Vec<Post>,
        reports: Sender<ThreadReport>,
    ) -> std::io::Result<()> {
        let started = thread::Builder::new().name(format!("load-{thread}")).spawn_scoped(scope, move || {
            let last_words = ThreadEndNotice(reports.clone());
            let clients: usize = posts.iter().map(|post| post.randoms.len()).sum();
            let io = match Io::open(self.way, &self.wakers[thread], clients) {
                Ok(io) => io,
                Err(error) => {
                    let action = "wait for connections";
                    return last_words
                        .send_report(ThreadReport::Failed(LoadError::System { action, source: error.into() }));
                }
            };
            let (mut sides, mut clients) = (VecDeque::new(), Vec::with_capacity(clients));
            for (number, (party, post)) in self.parties.iter().zip(posts).enumerate() {
                let first_number = post.share.client_range().start;
                let mut side = party.side_on_thread(number, post, &mut clients);
                let of_thread =
                    ThreadClients { first_index: side.clients.start, first_number, count: side.clients.len() };
                let log = party.job.log.as_ref();
                side.recorder
                    .keep_log(log.and_then(|log| log.of_thread(thread, of_thread, self.clock.start_on_the_wall())));
                sides.push_back(side);
            }
            let Some(side) = sides.pop_front() else { return };
            let cx = Context {
                side,
                others: sides.into(),
                seat: self.referee.map(Seat::new),
                due_ns: NEVER,
                control: self.control,
                clock: self.clock,
                thread,
                io,
                memory: BufferMemory::default(),
                notice: Notice::new(),
                cpu: ThreadCpu::new(),
                reports,
                connected: 0,
                timers: Timers::new(clients.len()),
                now_ns: 0,
                shell: ClientShellCommands::new(self.wakers[thread].clone()),
            };
            if let Err(error) = Worker::new(cx, clients).run_load() {
                last_words.send_report(ThreadReport::Failed(error));
            }
        });
        started.map(|_joined_by_the_scope| ())
    }

    /// Everything ends now.
    pub(crate) fn abort_run(&self) {
        self.control.abort_run();
        self.wake_all();
    }

    pub(crate) fn wake_all(&self) {
        self.wakers.iter().for_each(Waker::wake);
    }
}

impl<'a> Party<'a> {
    /// The random numbers of the clients that it has here, by number.
    pub(crate) fn client_randoms(&self) -> impl Iterator<Item = ClientRandom> + use<> {
        let defined = self.job.definitions.iter().any(|(name, _)| name == "default_seed");
        let default_seed = if defined { DefaultSeed::Defined } else { DefaultSeed::Drawn };
        let first = self.job.own_clients().start as usize;
        ClientRandom::streams_of_clients(self.job.seed, self.job.clients.get(), default_seed).skip(first)
    }

    /// Its part of one thread; adds its clients to those of the thread.
    pub(crate) fn side_on_thread(&'a self, number: usize, post: Post, clients: &mut Vec<Client>) -> ThreadSide<'a> {
        let first = clients.len() as u32;
        for (index, random) in (0u32..).zip(post.randoms) {
            let number = post.share.client_range().start + index;
            let variables = self.program.initial_variables(number);
            let scribe = self.program.ledger_use().map(|_| Scribe::new(self.tag, number));
            let work = ClientWork::new(first + index, random, variables, self.program.nothing_prepared(), scribe);
            clients.push(Client::new(number, first + index, work));
        }
        ThreadSide {
            number,
            clients: first..clients.len() as u32,
            job: self.job,
            program: &self.program,
            addresses: &self.addresses,
            recorder: Recorder::new(
                CountedDimensions::from_job(self.job, self.program.statement_count()),
                self.job.tally.add_counter(),
                post.returned,
            ),
            agenda: Agenda::new(self.job, &Timetable::from_job(self.job, 0), &post.share, self.program.list_progress()),
            load: ThreadLoadState::Connecting,
            in_flight: 0,
            out: 0,
            attempts: Attempts::new(clients.len() as u64 - u64::from(first), u64::from(post.share.threads)),
            out_at_most: 0,
            stopped_ns: NEVER,
            is_done: false,
            answer_timeout_ns: duration_to_ns(self.job.answer_timeout),
        }
    }
}

/// Tells the coordinator that a thread is gone, also if it panics.
pub(crate) struct ThreadEndNotice(Sender<ThreadReport>);

impl ThreadEndNotice {
    pub(crate) fn send_report(&self, report: ThreadReport) {
        // Without a coordinator the run is over, and nobody wants to know.
        let _coordinator_gone = self.0.send(report);
    }
}

impl Drop for ThreadEndNotice {
    fn drop(&mut self) {
        self.send_report(ThreadReport::Gone);
    }
}
