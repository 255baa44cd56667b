//! One client: gets its connection, keeps it at work, and gets it back when it is lost.
//!
//! Down ─(retry is due)─▶ Up ─(lost)─▶ Down. Before the load has begun a loss ends the run, unless there is another
//! address or another way to be tried; after that it is an outage. With a connection per transaction a client is down
//! between two of them, without an outage.

use crate::engine::agenda::NextClientAction;
use crate::engine::attempt::TlsAttempt;
use crate::engine::cancel::StatementUnderWay;
use crate::engine::clock::{NEVER, duration_to_ns};
use crate::engine::context::{Context, ThreadLoadState};
use crate::engine::io::ReadySocket;
use crate::engine::session::{ConnectionRoute, ConnectionStage, EngineSession, FirstRefusal, Lost};
use crate::engine::shell::EndedCommand;
use crate::engine::start::{TransactionStart, WaitedFor};
use crate::engine::transaction::{AnswerProgress, ClientWork, Halt};
use crate::error::LoadError;
use crate::ledger::LedgerPage;
use crate::path::PathActivity;
use crate::report::OutageChange;
use conninfo::{EncryptionMode, SessionAttrs};
use rustix::io::Errno;
use wire::{SqlState, WireError};
use work::Connections;

/// How long a client waits when the server's queue of new connections is full.
const QUEUE_FULL_WAIT_NS: u64 = 10_000_000;

/// A client's connection.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "nearly all are up nearly always; a box would cost a look-up per answer")]
enum ClientLink {
    /// None; to be made at this instant.
    Down { retry_ns: u64 },
    /// Made, or being made.
    Up(EngineSession),
}

/// One client.
#[derive(Debug)]
pub(crate) struct Client {
    /// Its number among all clients of the job.
    number: u32,
    /// Its number on its thread.
    index: u32,
    link: ClientLink,
    work: ClientWork,
    /// Which of the server's addresses is in use or tried next.
    address: usize,
    /// How many addresses have been tried in vain since there was a connection.
    tried: usize,
    /// In which of libpq's two ways the address is tried; every connection begins with the first.
    attempt: TlsAttempt,
    /// What the first way came to, where the second one is tried.
    first_refusal: Option<FirstRefusal>,
    /// Since when it has been connecting, over all attempts since there was a connection or an outage; `NEVER` while it
    /// does not.
    connecting_since_ns: u64,
    /// When to give up connecting to the address.
    give_up_ns: u64,
    /// The connection was lost, and has not been made again.
    in_outage: bool,
    /// When its pause between two transactions ends; `NEVER` without one.
    pause_ns: u64,
    /// The transaction that is to be begun on the connection that is being made for it.
    pending: Option<TransactionStart>,
    /// Its session has ended, and its pause ends when the next one connects.
    changes_session: bool,
}

impl Client {
    /// A client that is not connected and does not connect by itself.
    pub(crate) fn new(number: u32, index: u32, work: ClientWork) -> Client {
        let link = ClientLink::Down { retry_ns: NEVER };
        Client {
            number,
            index,
            link,
            work,
            address: 0,
            tried: 0,
            attempt: TlsAttempt::First,
            first_refusal: None,
            connecting_since_ns: NEVER,
            give_up_ns: NEVER,
            in_outage: false,
            pause_ns: NEVER,
            pending: None,
            changes_session: false,
        }
    }

    /// Has what an answer to it touches fetched, but for the client itself, by way of which that is found.
    #[inline]
    pub(crate) fn prefetch_rest(&self) {
        self.work.prefetch_rest();
    }

    /// Begins to connect for the first time.
    ///
    /// # Errors
    /// When that has failed already.
    pub(crate) fn connect_first(&mut self, now_ns: u64, cx: &mut Context<'_>) -> Result<(), LoadError> {
        if cx.side.job.server.spread {
            self.address = self.number as usize % cx.side.addresses.address_count();
        }
        self.begin_connecting(now_ns, cx)
    }

    /// Begins a transaction, if it is connected; [`send`](Self::send_requests) sends it.
    ///
    /// # Errors
    /// When the run cannot go on.
    #[inline]
    pub(crate) fn begin_transaction(&mut self, start: TransactionStart, cx: &mut Context<'_>) -> Result<(), LoadError> {
        let ClientLink::Up(session) = &mut self.link else { return self.connect_for(start, cx) };
        session.wire.borrow(&mut cx.memory);
        match self.work.begin_transaction(session, start, cx) {
            Ok(()) => Ok(()),
            Err(halt) => self.handle_halt(halt, cx),
        }
    }

    /// Makes the connection for a transaction.
    fn connect_for(&mut self, start: TransactionStart, cx: &mut Context<'_>) -> Result<(), LoadError> {
        self.pending = Some(start);
        // It has been taken, so that it is under way, and the job has one less to begin.
        cx.side.in_flight += 1;
        let now_ns = cx.clock.now_ns();
        self.begin_connecting(now_ns, cx)
    }

    /// It is free since `now_ns`: begins a transaction, pauses, or waits for an arrival.
    ///
    /// # Errors
    /// When the run cannot go on.
    #[inline]
    pub(crate) fn become_free(&mut self, now_ns: u64, cx: &mut Context<'_>) -> Result<(), LoadError> {
        let may_begin = cx.side.load == ThreadLoadState::Running || cx.may_catch_up(self.index);
        if !may_begin || self.in_outage {
            if !self.in_outage {
                cx.side.enlist_if_paused(self.index);
            }
            return Ok(());
        }
        match cx.next(self.index, now_ns) {
            NextClientAction::Begin(start) => self.begin_transaction(start, cx),
            NextClientAction::Pause { until_ns } => {
                self.pause_until(until_ns, cx);
                Ok(())
            }
            NextClientAction::ChangeSession { at_ns } => {
                self.hang_up(cx);
                self.changes_session = true;
                self.pause_until(at_ns, cx);
                Ok(())
            }
            NextClientAction::Rest => Ok(()),
        }
    }

    fn pause_until(&mut self, until_ns: u64, cx: &mut Context<'_>) {
        self.pause_ns = until_ns;
        cx.timers.call_at(self.index, until_ns);
    }

    /// Its socket is ready: receives, and decides what follows; [`send`](Self::send_requests) sends it.
    ///
    /// # Errors
    /// When the run cannot go on.
    #[inline]
    pub(crate) fn handle_ready_socket(&mut self, ready: ReadySocket, cx: &mut Context<'_>) -> Result<(), LoadError> {
        let ClientLink::Up(session) = &mut self.link else { return Ok(()) };
        session.wire.borrow(&mut cx.memory);
        match serve_session(session, &mut self.work, ready, cx) {
            Ok(AnswerProgress::Working) => Ok(()),
            Ok(AnswerProgress::Over { at_ns }) => self.end_transaction(at_ns, cx),
            Ok(AnswerProgress::Opened) => self.handle_opened_connection(cx),
            Err(halt) => self.handle_halt(halt, cx),
        }
    }

    /// Gives back the memory that its connection has no use for until it sends or receives again;
    /// [`send`](Self::send_requests) does so, too.
    #[inline]
    pub(crate) fn give_back(&mut self, cx: &mut Context<'_>) {
        if let ClientLink::Up(session) = &mut self.link {
            session.wire.give_back(&mut cx.memory);
        }
    }

    /// Sends what is to be sent.
    ///
    /// # Errors
    /// When the run cannot go on.
    #[inline]
    pub(crate) fn send_requests(&mut self, cx: &mut Context<'_>) -> Result<(), LoadError> {
        let ClientLink::Up(session) = &mut self.link else { return Ok(()) };
        if session.deadline_ns == NEVER && self.work.awaits_answer() {
            session.deadline_ns = cx.now_ns.saturating_add(cx.side.answer_timeout_ns);
            cx.timers.call_at(self.index, session.deadline_ns);
        }
        match session.flush(&mut cx.io, self.index) {
            Ok(()) => {
                session.wire.give_back(&mut cx.memory);
                Ok(())
            }
            Err(cause) => self.cut_off(cause, cx),
        }
    }

    /// Sending has failed. A server that ends a session says why before; that may not have been read yet.
    #[cold]
    fn cut_off(&mut self, cause: Lost, cx: &mut Context<'_>) -> Result<(), LoadError> {
        let ClientLink::Up(session) = &mut self.link else { return self.handle_lost_connection(cause, cx) };
        let unread = ReadySocket { client: self.index, writable: false, until_empty: true };
        match serve_session(session, &mut self.work, unread, cx) {
            Err(Halt::Lost(said @ Lost::Server { .. })) => self.handle_lost_connection(said, cx),
            Err(Halt::Fatal(error)) => Err(*error),
            Ok(_) | Err(Halt::Lost(_)) => self.handle_lost_connection(cause, cx),
        }
    }

    /// Does what is due at `now_ns`, and has itself called when it is.
    ///
    /// # Errors
    /// When the run cannot go on.
    pub(crate) fn handle_due_timer(&mut self, now_ns: u64, cx: &mut Context<'_>) -> Result<(), LoadError> {
        let due_ns = match &self.link {
            ClientLink::Down { retry_ns } => *retry_ns,
            ClientLink::Up(session) => session.deadline_ns.min(self.work.due_ns()),
        };
        // A pause does not go on between two turns of its side.
        let stands_still = cx.side.load == ThreadLoadState::Paused && !cx.may_catch_up(self.index);
        let pause_ns = if stands_still { NEVER } else { self.pause_ns };
        // With a connection per transaction there is none during a pause.
        let due_ns = due_ns.min(pause_ns);
        if due_ns > now_ns {
            cx.timers.call_at(self.index, due_ns);
            return Ok(());
        }
        match &mut self.link {
            _ if pause_ns <= now_ns => self.end_pause(now_ns, cx),
            ClientLink::Up(session) if self.work.due_ns() <= now_ns => {
                session.wire.borrow(&mut cx.memory);
                let resumed = self.work.resume_script(session, cx);
                self.gone_on(resumed, cx)
            }
            ClientLink::Up(_) => self.handle_lost_connection(Lost::Timeout, cx),
            ClientLink::Down { .. } => self.begin_connecting(now_ns, cx),
        }
    }

    /// The turn of its side begins, after `away_ns` in which it could not begin anything: goes on with its pause, or is
    /// free.
    ///
    /// # Errors
    /// When the run cannot go on.
    pub(crate) fn take_turn(&mut self, now_ns: u64, away_ns: u64, cx: &mut Context<'_>) -> Result<(), LoadError> {
        if self.pause_ns != NEVER {
            self.pause_ns = self.pause_ns.saturating_add(away_ns);
            cx.timers.call_at(self.index, self.pause_ns);
            return Ok(());
        }
        let is_free = match &self.link {
            ClientLink::Up(session) => session.stage == ConnectionStage::Idle,
            ClientLink::Down { retry_ns } => *retry_ns == NEVER && self.pending.is_none(),
        };
        if is_free { self.become_free(now_ns, cx) } else { Ok(()) }
    }

    /// Its pause is over.
    fn end_pause(&mut self, now_ns: u64, cx: &mut Context<'_>) -> Result<(), LoadError> {
        let until_ns = std::mem::replace(&mut self.pause_ns, NEVER);
        if cx.side.load != ThreadLoadState::Running && !cx.may_catch_up(self.index) {
            return Ok(());
        }
        if std::mem::take(&mut self.changes_session) {
            return self.begin_connecting(now_ns, cx);
        }
        match cx.next_after_pause(self.index, now_ns) {
            NextClientAction::Begin(start) => {
                if start.waited_for == WaitedFor::Nothing {
                    cx.side.recorder.sent_after(now_ns - until_ns);
                }
                self.begin_transaction(start, cx)
            }
            NextClientAction::Pause { until_ns } => {
                self.pause_until(until_ns, cx);
                Ok(())
            }
            NextClientAction::ChangeSession { .. } | NextClientAction::Rest => Ok(()),
        }
    }

    /// A shell command of its script has ended.
    ///
    /// # Errors
    /// When the run cannot go on.
    pub(crate) fn shell_ended(&mut self, ended: EndedCommand, cx: &mut Context<'_>) -> Result<(), LoadError> {
        let ClientLink::Up(session) = &mut self.link else { return Ok(()) };
        session.wire.borrow(&mut cx.memory);
        let gone_on = self.work.shell_ended(session, ended, cx);
        self.gone_on(gone_on, cx)
    }

    /// Its script has gone on without an answer.
    fn gone_on(&mut self, progress: Result<AnswerProgress, Halt>, cx: &mut Context<'_>) -> Result<(), LoadError> {
        match progress {
            Ok(AnswerProgress::Working | AnswerProgress::Opened) => Ok(()),
            Ok(AnswerProgress::Over { at_ns }) => {
                cx.count_completed(self.index, at_ns);
                self.end_transaction(at_ns, cx)
            }
            Err(halt) => self.handle_halt(halt, cx),
        }
    }

    /// Its transaction is over since `at_ns`.
    #[inline]
    fn end_transaction(&mut self, at_ns: u64, cx: &mut Context<'_>) -> Result<(), LoadError> {
        if cx.side.job.connections == Connections::PerTransaction {
            self.hang_up(cx);
        }
        self.become_free(at_ns, cx)
    }

    /// Adds what the kernel knows of its connection's path; nothing without a connection.
    pub(crate) fn read_path(&mut self, path: &mut PathActivity) {
        match &mut self.link {
            ClientLink::Up(session) if session.stage.is_at_work() => session.read_path(path),
            ClientLink::Up(_) | ClientLink::Down { .. } => {}
        }
    }

    /// Ends the connection, which has served its transaction.
    fn hang_up(&mut self, cx: &mut Context<'_>) {
        if let ClientLink::Up(session) = std::mem::replace(&mut self.link, ClientLink::Down { retry_ns: NEVER }) {
            cx.io.remove_socket(self.index);
            session.terminate_session();
        }
    }

    /// What the server is at work on for it, if it can be cancelled.
    pub(crate) fn under_way(&self) -> Option<StatementUnderWay> {
        match &self.link {
            ClientLink::Up(session) if session.stage == ConnectionStage::InTransaction && self.work.awaits_answer() => {
                session.key.map(|session| StatementUnderWay { address: self.address, session })
            }
            ClientLink::Up(_) | ClientLink::Down { .. } => None,
        }
    }

    /// Says goodbye to the server. Returns its page of the ledger, if the job keeps one.
    pub(crate) fn close_connection(self) -> Option<(u32, LedgerPage)> {
        if let ClientLink::Up(session) = self.link {
            session.terminate_session();
        }
        self.work.close_page()
    }

    /// Begins to connect to the address whose turn it is.
    fn begin_connecting(&mut self, now_ns: u64, cx: &mut Context<'_>) -> Result<(), LoadError> {
        let server = &cx.side.job.server;
        if self.give_up_ns == NEVER {
            self.give_up_ns = now_ns.saturating_add(duration_to_ns(server.timeout_per_host()));
        }
        if self.connecting_since_ns == NEVER {
            self.connecting_since_ns = now_ns;
        }
        if self.in_outage {
            cx.side.recorder.tried_again();
        }
        let count = cx.side.addresses.address_count();
        let route = ConnectionRoute {
            address: self.address,
            attempt: self.attempt,
            begun_ns: now_ns,
            deadline_ns: self.give_up_ns,
            // Every other time round: a standby may have come back since.
            last_resort: (self.tried / count) % 2 == 1,
        };
        match EngineSession::start_connecting(server, cx.side.addresses, route, &mut cx.io, self.index) {
            Ok(session) => {
                self.link = ClientLink::Up(session);
                cx.timers.call_at(self.index, self.give_up_ns);
                Ok(())
            }
            Err(error) => self.handle_lost_connection(Lost::Io(error), cx),
        }
    }

    /// The connection has become ready for transactions.
    #[cold]
    fn handle_opened_connection(&mut self, cx: &mut Context<'_>) -> Result<(), LoadError> {
        let now_ns = cx.clock.now_ns();
        cx.finish_past_intervals(now_ns);
        self.give_up_ns = NEVER;
        self.tried = 0;
        self.attempt = TlsAttempt::First;
        self.first_refusal = None;
        let since_ns = std::mem::replace(&mut self.connecting_since_ns, NEVER);
        let ClientLink::Up(session) = &self.link else { return Ok(()) };
        cx.side.recorder.count_connection(since_ns, &session.steps, &session.wire);
        match cx.side.load {
            ThreadLoadState::Connecting => {
                cx.connected += 1;
                Ok(())
            }
            ThreadLoadState::Running | ThreadLoadState::Paused => {
                if std::mem::take(&mut self.in_outage) {
                    cx.clients_out(now_ns, -1);
                    cx.side.recorder.note_outage(OutageChange::Ended { client: self.number, at_ns: now_ns });
                }
                match self.take_pending(cx) {
                    // As pgbench has it: what is prepared on the new connection is part of the transaction.
                    Some(start) => self.begin_transaction(start.on_connection(since_ns), cx),
                    None => self.become_free(now_ns, cx),
                }
            }
            ThreadLoadState::Draining { .. } => {
                let _never_begun = self.take_pending(cx);
                Ok(())
            }
        }
    }

    /// What the connection was made for.
    fn take_pending(&mut self, cx: &mut Context<'_>) -> Option<TransactionStart> {
        let pending = self.pending.take();
        cx.side.in_flight -= u64::from(pending.is_some());
        pending
    }

    #[cold]
    fn handle_halt(&mut self, halt: Halt, cx: &mut Context<'_>) -> Result<(), LoadError> {
        match halt {
            Halt::Lost(cause) => self.handle_lost_connection(cause, cx),
            Halt::Fatal(error) => Err(*error),
        }
    }

    #[cold]
    fn handle_lost_connection(&mut self, cause: Lost, cx: &mut Context<'_>) -> Result<(), LoadError> {
        let now_ns = cx.clock.now_ns();
        cx.finish_past_intervals(now_ns);
        let link = std::mem::replace(&mut self.link, ClientLink::Down { retry_ns: NEVER });
        let (stage, usable_ns, other_way, cause) = match link {
            ClientLink::Up(mut session) => {
                cx.io.remove_socket(self.index);
                if matches!(cause, Lost::Wire(WireError::Tls(_))) {
                    session.send_tls_alert();
                }
                let other_way = self.other_way(&session, &cause, cx);
                let at_first = cx.side.load == ThreadLoadState::Connecting;
                let cause = if at_first { session.diagnose_failure(cause, &cx.side.job.server) } else { cause };
                (session.stage, session.steps.logged_in_ns, other_way, cause)
            }
            ClientLink::Down { .. } => (ConnectionStage::Connecting, NEVER, false, cause),
        };
        if other_way {
            let encrypted = matches!(cx.side.job.server.encryption, EncryptionMode::IfPossible(_));
            self.first_refusal = Some(FirstRefusal::from_cause(&cause, encrypted));
            self.attempt = TlsAttempt::Second;
            return self.begin_connecting(now_ns, cx);
        }
        let cause = match self.first_refusal.take() {
            Some(first) => first.combine_with_second(cause),
            None => cause,
        };
        let in_transaction = matches!(stage, ConnectionStage::InTransaction | ConnectionStage::RollingBack);
        let in_flight = in_transaction && self.work.abandon_transaction(cx);
        if in_transaction {
            cx.count_completed(self.index, now_ns);
        }
        self.pause_ns = NEVER;
        self.changes_session = false;
        cx.side.note_lost_client(self.index);
        match cx.side.load {
            ThreadLoadState::Connecting => self.lost_at_first(cause, stage, now_ns, cx),
            // A connection for a transaction, and the server's queue is full: no outage yet.
            ThreadLoadState::Running | ThreadLoadState::Paused
                if !self.in_outage && self.pending.is_some() && self.may_wait(&cause, now_ns) =>
            {
                self.wait_for_queue(now_ns, cx);
                Ok(())
            }
            ThreadLoadState::Running | ThreadLoadState::Paused => {
                let silent = in_transaction && cause.is_silence();
                let at_ns = if silent { self.work.started_ns().max(usable_ns) } else { now_ns };
                self.lost_at_work(&cause, stage, at_ns, in_flight, cx);
                Ok(())
            }
            ThreadLoadState::Draining { .. } => {
                let _never_begun = self.take_pending(cx);
                Ok(())
            }
        }
    }

    /// Whether libpq would try this address once more, with encryption after without, or the other way round.
    fn other_way(&self, session: &EngineSession, cause: &Lost, cx: &Context<'_>) -> bool {
        let first_was_in_clear = match cx.side.job.server.encryption {
            EncryptionMode::IfInsisted(_) => true,
            EncryptionMode::IfPossible(_) => false,
            EncryptionMode::Never | EncryptionMode::Always(_) => return false,
        };
        let is_unix = cx.side.addresses.certificate_host(self.address).is_none();
        if is_unix || self.attempt == TlsAttempt::Second || session.stage != ConnectionStage::LoggingIn {
            return false;
        }
        match cause {
            Lost::Server { sqlstate, .. } => {
                // Only what pg_hba.conf may see otherwise; and not if there was no encryption after all.
                sqlstate.as_str().starts_with("28") && (first_was_in_clear || session.wire.is_encrypted())
            }
            Lost::Wire(WireError::Tls(error)) => error.is_negotiation(),
            Lost::Io(_) | Lost::Closed => !session.wire.is_negotiated(),
            Lost::Wire(_) | Lost::Prepare { .. } | Lost::Unfit(_) | Lost::Timeout => false,
        }
    }

    /// The next attempt is another address's.
    fn next_address(&mut self) {
        self.address = self.address.wrapping_add(1);
        self.tried += 1;
        self.attempt = TlsAttempt::First;
        self.give_up_ns = NEVER;
    }

    /// An outage begins, or goes on: try again later.
    fn lost_at_work(
        &mut self,
        cause: &Lost,
        stage: ConnectionStage,
        at_ns: u64,
        in_flight: bool,
        cx: &mut Context<'_>,
    ) {
        self.give_up_ns = NEVER;
        self.connecting_since_ns = NEVER;
        self.attempt = TlsAttempt::First;
        if is_anothers_turn(cause, stage) {
            self.next_address();
        }
        if !std::mem::replace(&mut self.in_outage, true) {
            let (client, cause) = (self.number, cause.to_string());
            cx.side.recorder.note_outage(OutageChange::Began { client, at_ns, cause, in_flight });
            // The turn does not wait for what was to be begun on a connection that cannot be had.
            if cx.seat.is_some()
                && let Some(start) = self.take_pending(cx)
            {
                cx.side.agenda.note_dropped_transaction();
                if let Some(listed) = start.listed {
                    cx.side.program.remembered_values().note_ended_transaction(listed);
                }
            }
            cx.clients_out(cx.now_ns, 1);
        }
        let retry_ns = cx.side.attempts.next(cx.clock.now_ns());
        self.link = ClientLink::Down { retry_ns };
        cx.timers.call_at(self.index, retry_ns);
    }

    /// Whether the server's queue of new connections is full, which soon passes.
    fn may_wait(&self, cause: &Lost, now_ns: u64) -> bool {
        matches!(cause, Lost::Io(Errno::AGAIN)) && now_ns < self.give_up_ns
    }

    fn wait_for_queue(&mut self, now_ns: u64, cx: &mut Context<'_>) {
        let retry_ns = now_ns + QUEUE_FULL_WAIT_NS;
        self.link = ClientLink::Down { retry_ns };
        cx.timers.call_at(self.index, retry_ns);
    }

    /// Tries what is left to try; else the run ends before it has begun.
    fn lost_at_first(
        &mut self,
        cause: Lost,
        stage: ConnectionStage,
        now_ns: u64,
        cx: &mut Context<'_>,
    ) -> Result<(), LoadError> {
        if self.may_wait(&cause, now_ns) {
            self.wait_for_queue(now_ns, cx);
            return Ok(());
        }
        let rounds = if cx.side.job.server.session == SessionAttrs::PreferStandby { 2 } else { 1 };
        if is_anothers_turn(&cause, stage) && self.tried + 1 < rounds * cx.side.addresses.address_count() {
            self.next_address();
            return self.begin_connecting(now_ns, cx);
        }
        Err(first_connection_error(cause, stage, cx))
    }
}

/// Whether another address may do better, as libpq sees it.
fn is_anothers_turn(cause: &Lost, stage: ConnectionStage) -> bool {
    match cause {
        Lost::Io(_) => stage == ConnectionStage::Connecting,
        Lost::Timeout => matches!(stage, ConnectionStage::Connecting | ConnectionStage::LoggingIn),
        Lost::Unfit(_) => true,
        Lost::Server { sqlstate, .. } => {
            stage == ConnectionStage::LoggingIn && *sqlstate == SqlState::CANNOT_CONNECT_NOW
        }
        Lost::Closed | Lost::Wire(_) | Lost::Prepare { .. } => false,
    }
}

/// Receives as far as it goes without waiting.
#[inline]
fn serve_session(
    session: &mut EngineSession,
    work: &mut ClientWork,
    ready: ReadySocket,
    cx: &mut Context<'_>,
) -> Result<AnswerProgress, Halt> {
    if ready.writable || session.stage == ConnectionStage::Connecting {
        session.handle_writable(|| cx.clock.now_ns())?;
    }
    if session.stage.is_at_work() {
        // It has said something; whether it owes more is decided when what follows is sent.
        session.deadline_ns = NEVER;
    }
    let mut progress = AnswerProgress::Working;
    while let Some(received) = session.receive_once(&mut cx.io, ready.client)? {
        cx.side.recorder.count_received_bytes(received.bytes);
        session.note_answered(|| cx.clock.now_ns());
        match work.handle_answers(session, cx)? {
            AnswerProgress::Working => session.note_negotiated(|| cx.clock.now_ns()),
            AnswerProgress::Opened => progress = AnswerProgress::Opened,
            AnswerProgress::Over { at_ns } => {
                // Even if the connection turns out to be lost in what follows.
                cx.count_completed(ready.client, at_ns);
                progress = AnswerProgress::Over { at_ns };
            }
        }
        // Else a short read has emptied the socket.
        if !received.may_be_more && !ready.until_empty {
            break;
        }
    }
    Ok(progress)
}

/// What a failure to connect for the first time is called.
fn first_connection_error(cause: Lost, stage: ConnectionStage, cx: &Context<'_>) -> LoadError {
    let to = &cx.side.job.server;
    let server = to.display_address();
    match cause {
        cause if stage == ConnectionStage::Idle => LoadError::Lost { server, cause: cause.to_string() },
        Lost::Io(error) if stage == ConnectionStage::Connecting => LoadError::Connect { server, source: error.into() },
        Lost::Io(_) | Lost::Closed => LoadError::Closed { server },
        Lost::Wire(source) => LoadError::Wire { server, source },
        Lost::Timeout => LoadError::Timeout { server, seconds: to.timeout_per_host().as_secs() },
        Lost::Unfit(wanted) => LoadError::Unfit { server, wanted },
        Lost::Server { sqlstate, message } => {
            let (user, database) = (to.user.clone(), to.dbname.clone());
            LoadError::Refused { server, user, database, sqlstate, message }
        }
        Lost::Prepare { script, sqlstate, message } => {
            let script = cx.side.program.scripts()[script].name.clone();
            LoadError::Prepare { script, sqlstate, message }
        }
    }
}
