//! One client: gets its connection, keeps it at work, and gets it back when it is lost.
//!
//! Down ─(retry is due)─▶ Up ─(lost)─▶ Down. Before the load has begun a loss ends the run; after that it is an outage.

use crate::engine::backoff;
use crate::engine::clock::NEVER;
use crate::engine::context::{Context, Load};
use crate::engine::poller::Ready;
use crate::engine::session::{CONNECT_LIMIT_NS, Lost, Session, Stage};
use crate::engine::transaction::{Halt, Progress, Work};
use crate::error::LoadError;
use crate::report::OutageChange;
use rustix::io::Errno;

/// How long a client waits when the server's queue of new connections is full.
const QUEUE_FULL_WAIT_NS: u64 = 10_000_000;

/// A client's connection.
#[derive(Debug)]
enum Link {
    /// None; to be made at this instant.
    Down { retry_ns: u64 },
    /// Made, or being made.
    Up(Session),
}

/// One client.
#[derive(Debug)]
pub(crate) struct Client {
    /// Its number among all clients of the job.
    number: u32,
    /// Its number on its thread.
    index: u32,
    link: Link,
    work: Work,
    /// Which of the server's addresses is in use or tried next.
    address: usize,
    /// When to give up connecting for the first time.
    give_up_ns: u64,
    /// Attempts to reconnect since the connection was lost; `None` without an outage.
    outage: Option<u32>,
}

impl Client {
    /// A client that is not connected and does not connect by itself.
    pub(crate) fn new(number: u32, index: u32, work: Work) -> Client {
        let link = Link::Down { retry_ns: NEVER };
        Client { number, index, link, work, address: 0, give_up_ns: NEVER, outage: None }
    }

    /// Begins to connect for the first time.
    ///
    /// # Errors
    /// When that has failed already.
    pub(crate) fn connect_first(&mut self, now_ns: u64, cx: &mut Context<'_>) -> Result<(), LoadError> {
        self.give_up_ns = now_ns + CONNECT_LIMIT_NS;
        self.connect(self.give_up_ns, cx)
    }

    /// Begins its first transaction, if it is connected; [`send`](Self::send) sends it.
    ///
    /// # Errors
    /// When the run cannot go on.
    pub(crate) fn begin(&mut self, now_ns: u64, cx: &mut Context<'_>) -> Result<(), LoadError> {
        let Link::Up(session) = &mut self.link else { return Ok(()) };
        let begun = self.work.begin(session, now_ns, cx);
        self.check(begun, cx)
    }

    /// Its socket is ready: receives, and decides what follows; [`send`](Self::send) sends it.
    ///
    /// # Errors
    /// When the run cannot go on.
    #[inline]
    pub(crate) fn ready(&mut self, ready: Ready, cx: &mut Context<'_>) -> Result<(), LoadError> {
        let Link::Up(session) = &mut self.link else { return Ok(()) };
        let served = serve(session, &mut self.work, ready, cx);
        match served {
            Ok(Progress::Working) => Ok(()),
            Ok(Progress::Opened) => self.opened(cx),
            Err(halt) => self.check(Err(halt), cx),
        }
    }

    /// Sends what is to be sent.
    ///
    /// # Errors
    /// When the run cannot go on.
    #[inline]
    pub(crate) fn send(&mut self, cx: &mut Context<'_>) -> Result<(), LoadError> {
        let Link::Up(session) = &mut self.link else { return Ok(()) };
        match session.flush(&cx.poller, self.index) {
            Ok(()) => Ok(()),
            Err(cause) => self.lost(cause, cx),
        }
    }

    /// Does what is due at `now_ns`, and has itself called when the next thing is.
    ///
    /// # Errors
    /// When the run cannot go on.
    pub(crate) fn due(&mut self, now_ns: u64, cx: &mut Context<'_>) -> Result<(), LoadError> {
        let due_ns = match &self.link {
            Link::Down { retry_ns } => *retry_ns,
            Link::Up(session) => session.deadline_ns,
        };
        if due_ns > now_ns {
            cx.call_at(due_ns);
            return Ok(());
        }
        match &self.link {
            Link::Up(_) => self.lost(Lost::Timeout, cx),
            Link::Down { .. } if self.outage.is_none() => self.connect(self.give_up_ns, cx),
            Link::Down { .. } => self.connect(now_ns + CONNECT_LIMIT_NS, cx),
        }
    }

    /// Says goodbye to the server.
    pub(crate) fn close(self) {
        if let Link::Up(session) = self.link {
            session.close();
        }
    }

    fn connect(&mut self, deadline_ns: u64, cx: &mut Context<'_>) -> Result<(), LoadError> {
        let server = &cx.job.server;
        match Session::start(server, cx.addresses, self.address, &cx.poller, self.index, deadline_ns) {
            Ok(session) => {
                self.link = Link::Up(session);
                cx.call_at(deadline_ns);
                Ok(())
            }
            Err(error) => self.lost(Lost::Io(error), cx),
        }
    }

    /// The connection has become ready for transactions.
    #[cold]
    fn opened(&mut self, cx: &mut Context<'_>) -> Result<(), LoadError> {
        let now_ns = cx.clock.now();
        cx.pass(now_ns);
        match cx.load {
            Load::Connecting => {
                cx.connected += 1;
                Ok(())
            }
            Load::Running => {
                self.outage = None;
                cx.recorder.outage(OutageChange::Ended { client: self.number, at_ns: now_ns });
                self.begin(now_ns, cx)
            }
            Load::Draining { .. } => Ok(()),
        }
    }

    fn check(&mut self, result: Result<(), Halt>, cx: &mut Context<'_>) -> Result<(), LoadError> {
        match result {
            Ok(()) => Ok(()),
            Err(Halt::Lost(cause)) => self.lost(cause, cx),
            Err(Halt::Fatal(error)) => Err(*error),
        }
    }

    #[cold]
    fn lost(&mut self, cause: Lost, cx: &mut Context<'_>) -> Result<(), LoadError> {
        let now_ns = cx.clock.now();
        cx.pass(now_ns);
        let stage = match std::mem::replace(&mut self.link, Link::Down { retry_ns: NEVER }) {
            Link::Up(session) => session.stage,
            Link::Down { .. } => Stage::Connecting,
        };
        let in_transaction = matches!(stage, Stage::InTransaction | Stage::RollingBack);
        let in_flight = in_transaction && self.work.abandon(cx);
        match cx.load {
            Load::Connecting => self.lost_at_first(cause, stage, now_ns, cx),
            Load::Running => {
                let at_ns = if in_transaction && cause.is_silence() { self.work.started_ns() } else { now_ns };
                self.lost_at_work(&cause, stage, at_ns, in_flight, cx);
                Ok(())
            }
            Load::Draining { .. } => Ok(()),
        }
    }

    /// An outage begins, or goes on: try again later.
    fn lost_at_work(&mut self, cause: &Lost, stage: Stage, at_ns: u64, in_flight: bool, cx: &mut Context<'_>) {
        if stage == Stage::Connecting {
            self.address = self.address.wrapping_add(1);
        }
        let attempt = match self.outage {
            Some(attempt) => attempt,
            None => {
                let (client, cause) = (self.number, cause.to_string());
                cx.recorder.outage(OutageChange::Began { client, at_ns, cause, in_flight });
                0
            }
        };
        self.outage = Some(attempt.saturating_add(1));
        let retry_ns = cx.clock.now() + backoff::wait_ns(attempt);
        self.link = Link::Down { retry_ns };
        cx.call_at(retry_ns);
    }

    /// Tries what is left to try; else the run ends before it has begun.
    fn lost_at_first(&mut self, cause: Lost, stage: Stage, now_ns: u64, cx: &mut Context<'_>) -> Result<(), LoadError> {
        if matches!(cause, Lost::Io(Errno::AGAIN)) && now_ns < self.give_up_ns {
            let retry_ns = now_ns + QUEUE_FULL_WAIT_NS;
            self.link = Link::Down { retry_ns };
            cx.call_at(retry_ns);
            return Ok(());
        }
        let untried = self.address + 1 < cx.addresses.count();
        if stage == Stage::Connecting && untried && matches!(cause, Lost::Io(_)) {
            self.address += 1;
            return self.connect(self.give_up_ns, cx);
        }
        Err(refusal(cause, stage, cx))
    }
}

/// Receives as far as it goes without waiting.
#[inline]
fn serve(session: &mut Session, work: &mut Work, ready: Ready, cx: &mut Context<'_>) -> Result<Progress, Halt> {
    if ready.writable || session.stage == Stage::Connecting {
        session.writable()?;
    }
    let mut progress = Progress::Working;
    while let Some(full) = session.receive()? {
        if work.answered(session, cx)? == Progress::Opened {
            progress = Progress::Opened;
        }
        // A short read has emptied the socket, unless the end of the stream is what comes next: of that there may be no
        // second event.
        if !full && !ready.closing {
            break;
        }
    }
    Ok(progress)
}

/// What a failure to connect for the first time is called.
fn refusal(cause: Lost, stage: Stage, cx: &Context<'_>) -> LoadError {
    let to = &cx.job.server;
    let server = to.endpoint.to_string();
    match cause {
        cause if stage == Stage::Idle => LoadError::Lost { server, cause: cause.to_string() },
        Lost::Io(error) if stage == Stage::Connecting => LoadError::Connect { server, source: error.into() },
        Lost::Io(_) | Lost::Closed => LoadError::Closed { server },
        Lost::Wire(source) => LoadError::Wire { server, source },
        Lost::Timeout => LoadError::Timeout { server, seconds: CONNECT_LIMIT_NS / 1_000_000_000 },
        Lost::Server { sqlstate, message } => {
            let (user, database) = (to.user.clone(), to.database.clone());
            LoadError::Refused { server, user, database, sqlstate, message }
        }
        Lost::Prepare { script, sqlstate, message } => {
            let script = cx.program.scripts()[script].name.clone();
            LoadError::Prepare { script, sqlstate, message }
        }
    }
}
