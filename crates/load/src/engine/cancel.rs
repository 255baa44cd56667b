//! Cancels the statements that the server still works on when nobody waits for them any more: a backend that is busy
//! does not notice that its client is gone, and would be at work in whatever is measured next.
//!
//! As libpq did until version 17: each on a connection of its own, in clear, which servers take even where sessions
//! must be encrypted. All of them together take a second at most; what is left then goes on,
//! and errors are nobody's concern any more.

use crate::engine::clock::{JobClock, SECOND_NS};
use crate::engine::io::Transfer;
use crate::engine::socket::{Addresses, EngineSocket};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use wire::frontend;

/// For all statements of a thread.
const LIMIT_NS: u64 = SECOND_NS;

/// Each costs the server a process.
const AT_ONCE: usize = 16;

/// What the server knows a session by.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SessionKey {
    pub(crate) process_id: u32,
    pub(crate) secret: u32,
}

/// A statement that a server works on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StatementUnderWay {
    /// The number of the server's address.
    pub(crate) address: usize,
    pub(crate) session: SessionKey,
}

/// Asks the servers to cancel these statements. Blocks until they have, or the time is up.
pub(crate) fn cancel_statements(statements: &[StatementUnderWay], addresses: &Addresses, clock: JobClock) {
    let end_ns = clock.now_ns().saturating_add(LIMIT_NS);
    let mut unasked =
        statements.iter().filter_map(|statement| PendingCancellation::begin_request(statement, addresses));
    let mut requests: Vec<PendingCancellation> = Vec::with_capacity(AT_ONCE);
    loop {
        requests.extend(unasked.by_ref().take(AT_ONCE - requests.len()));
        let left_ns = end_ns.saturating_sub(clock.now_ns());
        if requests.is_empty() || left_ns == 0 {
            return;
        }
        wait_until_ready(&requests, left_ns);
        requests.retain_mut(PendingCancellation::goes_on);
    }
}

/// Waits until one of them can go on.
fn wait_until_ready(requests: &[PendingCancellation], left_ns: u64) {
    let mut sockets: Vec<PollFd<'_>> =
        requests.iter().map(|request| PollFd::new(request.socket.fd(), request.waits_for())).collect();
    let timeout = Timespec { tv_sec: (left_ns / SECOND_NS) as i64, tv_nsec: (left_ns % SECOND_NS) as i64 };
    // A signal is no harm: whoever cannot go on is waited for again.
    let _interrupted = poll(&mut sockets, Some(&timeout));
}

/// Connecting ─▶ sent ─(the server closes the connection)─▶ done.
struct PendingCancellation {
    socket: EngineSocket,
    /// Of whom to tell; none once that is done.
    untold: Option<SessionKey>,
}

impl PendingCancellation {
    fn begin_request(statement: &StatementUnderWay, addresses: &Addresses) -> Option<PendingCancellation> {
        let socket = EngineSocket::connect(addresses, statement.address).ok()?;
        Some(PendingCancellation { socket, untold: Some(statement.session) })
    }

    fn waits_for(&self) -> PollFlags {
        if self.untold.is_some() { PollFlags::OUT } else { PollFlags::IN }
    }

    /// Does what can be done without waiting. Returns whether there is more to come.
    fn goes_on(&mut self) -> bool {
        let Some(SessionKey { process_id, secret }) = self.untold else {
            return matches!(self.socket.receive(&mut [0; 16]), Ok(Transfer::WouldBlock));
        };
        let mut message = Vec::with_capacity(16);
        frontend::cancel_request(&mut message, process_id, secret);
        match self.socket.send(&message) {
            Ok(Transfer::WouldBlock) => true,
            Ok(Transfer::Bytes(_)) => {
                self.untold = None;
                true
            }
            Err(_) => false,
        }
    }
}
