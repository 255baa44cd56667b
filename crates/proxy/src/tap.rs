//! What is passed on, copied for the recording: into batches, which a thread hands over when they are full or old.
//!
//! There is a limit for all that waits. Beyond it, what a session does is lost up to a moment in which it waits for
//! nothing.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use capture::TrafficSession;

use crate::passed_messages::PassedMessages;

/// Bytes after which a batch is handed over.
const BATCH_BYTES: usize = 64 << 10;
/// Microseconds after which it is handed over.
const BATCH_AGE_US: i64 = 10_000;
/// What a piece takes beside its bytes, about.
const PIECE_BYTES: usize = 64;

/// Something that happened in a session.
#[derive(Debug)]
pub(crate) enum TappedPiece {
    /// It began.
    Begin(Box<TrafficSession>),
    /// Its client has sent so many bytes of the batch.
    Client(usize),
    /// The server has sent so many bytes of the batch.
    Server(usize),
    /// So many messages of the client are lost.
    Skip(u64),
    /// It is one of replication, which is not recorded.
    Replication,
    /// It ended.
    End,
}

/// Pieces in the order of their instants, with the bytes of all of them.
#[derive(Debug, Default)]
pub(crate) struct TrafficBatch {
    pub(crate) bytes: Vec<u8>,
    /// Session, instant and what happened.
    pub(crate) pieces: Vec<(u64, i64, TappedPiece)>,
}

impl TrafficBatch {
    /// About how much memory it takes.
    pub(crate) fn held_bytes(&self) -> usize {
        self.bytes.len() + self.pieces.len() * PIECE_BYTES
    }
}

/// What the threads hand over to the recording.
#[derive(Debug)]
pub(crate) struct TapOutlet {
    queues: Vec<Mutex<Vec<TrafficBatch>>>,
    held_bytes: AtomicUsize,
    memory_bytes: usize,
    /// The recording has ended: nothing is copied any more.
    is_closed: AtomicBool,
}

impl TapOutlet {
    pub(crate) fn with_threads(threads: usize, memory_bytes: usize) -> Self {
        let mut queues = Vec::new();
        queues.resize_with(threads, Mutex::default);
        Self { queues, held_bytes: AtomicUsize::new(0), memory_bytes, is_closed: AtomicBool::new(false) }
    }

    /// What a thread has handed over since this was asked last.
    pub(crate) fn take_batches(&self, thread: usize) -> Vec<TrafficBatch> {
        std::mem::take(&mut *self.lock_queue(thread))
    }

    /// So much of it is recorded.
    pub(crate) fn release_bytes(&self, bytes: usize) {
        self.held_bytes.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Nothing is recorded any more.
    pub(crate) fn close_outlet(&self) {
        self.is_closed.store(true, Ordering::Relaxed);
    }

    fn lock_queue(&self, thread: usize) -> MutexGuard<'_, Vec<TrafficBatch>> {
        self.queues[thread].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reserves memory. False: there is none.
    fn reserve_bytes(&self, bytes: usize) -> bool {
        if self.is_closed.load(Ordering::Relaxed) {
            return false;
        }
        let held = self.held_bytes.fetch_add(bytes, Ordering::Relaxed);
        if held + bytes > self.memory_bytes {
            self.held_bytes.fetch_sub(bytes, Ordering::Relaxed);
            return false;
        }
        true
    }
}

/// The tap of one thread.
#[derive(Debug)]
pub(crate) struct TrafficTap {
    outlet: Arc<TapOutlet>,
    thread: usize,
    batch: TrafficBatch,
    begun_us: i64,
}

/// One session at the tap.
#[derive(Debug)]
pub(crate) struct TappedSession {
    key: u64,
    passed: PassedMessages,
    /// Messages of the client at which a loss began.
    lost_from: Option<u64>,
}

impl TrafficTap {
    pub(crate) fn with_outlet(outlet: Arc<TapOutlet>, thread: usize) -> Self {
        Self { outlet, thread, batch: TrafficBatch::default(), begun_us: 0 }
    }

    /// A session begins. Its begin is recorded in any case, since it is short.
    pub(crate) fn begin_session(&mut self, key: u64, names: TrafficSession, at_us: i64) -> TappedSession {
        self.push_always(key, at_us, TappedPiece::Begin(Box::new(names)));
        TappedSession { key, passed: PassedMessages::default(), lost_from: None }
    }

    /// A session of replication is passed on.
    pub(crate) fn count_replication(&mut self, key: u64, at_us: i64) {
        self.push_always(key, at_us, TappedPiece::Replication);
    }

    /// The client of a session has sent this.
    pub(crate) fn copy_client_bytes(&mut self, session: &mut TappedSession, bytes: &[u8], at_us: i64) {
        self.resume_if_idle(session, at_us);
        let before = session.passed.client_messages;
        session.passed.count_client_bytes(bytes);
        if session.lost_from.is_none() && !self.push_bytes(session.key, bytes, at_us, TappedPiece::Client(bytes.len()))
        {
            session.lost_from = Some(before);
        }
    }

    /// The server of a session has sent this.
    pub(crate) fn copy_server_bytes(&mut self, session: &mut TappedSession, bytes: &[u8], at_us: i64) {
        session.passed.count_server_bytes(bytes);
        match session.lost_from {
            None => {
                if !self.push_bytes(session.key, bytes, at_us, TappedPiece::Server(bytes.len())) {
                    session.lost_from = Some(session.passed.client_messages.saturating_sub(1));
                }
            }
            Some(_) => self.resume_if_idle(session, at_us),
        }
    }

    /// After a loss, a session is recorded again from a moment on in which it waits for nothing.
    fn resume_if_idle(&mut self, session: &mut TappedSession, at_us: i64) {
        let Some(from) = session.lost_from else { return };
        if session.passed.is_idle() && self.outlet.reserve_bytes(PIECE_BYTES) {
            self.push_piece(session.key, at_us, TappedPiece::Skip(session.passed.client_messages - from));
            session.lost_from = None;
        }
    }

    /// A session has ended.
    pub(crate) fn end_session(&mut self, session: &TappedSession, at_us: i64) {
        if let Some(from) = session.lost_from {
            self.push_always(session.key, at_us, TappedPiece::Skip(session.passed.client_messages - from));
        }
        self.push_always(session.key, at_us, TappedPiece::End);
    }

    /// Whether something waits to be handed over.
    pub(crate) fn has_pieces(&self) -> bool {
        !self.batch.pieces.is_empty()
    }

    /// Hands the batch over if it is full or old, or `now` if it is to be in any case.
    pub(crate) fn hand_over(&mut self, at_us: i64, is_last: bool) {
        let is_due = self.batch.bytes.len() >= BATCH_BYTES || at_us - self.begun_us >= BATCH_AGE_US || is_last;
        if is_due && self.has_pieces() {
            let batch = std::mem::take(&mut self.batch);
            self.outlet.lock_queue(self.thread).push(batch);
        }
    }

    fn push_bytes(&mut self, key: u64, bytes: &[u8], at_us: i64, piece: TappedPiece) -> bool {
        if !self.outlet.reserve_bytes(bytes.len() + PIECE_BYTES) {
            return false;
        }
        self.batch.bytes.extend_from_slice(bytes);
        self.push_piece(key, at_us, piece);
        true
    }

    /// A piece without bytes, of which a session has few.
    fn push_always(&mut self, key: u64, at_us: i64, piece: TappedPiece) {
        self.outlet.held_bytes.fetch_add(PIECE_BYTES, Ordering::Relaxed);
        self.push_piece(key, at_us, piece);
    }

    fn push_piece(&mut self, key: u64, at_us: i64, piece: TappedPiece) {
        if self.batch.pieces.is_empty() {
            self.begun_us = at_us;
        }
        self.batch.pieces.push((key, at_us, piece));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_lost_until_the_session_waits_for_nothing() {
        let outlet = Arc::new(TapOutlet::with_threads(1, 500));
        let mut tap = TrafficTap::with_outlet(Arc::clone(&outlet), 0);
        let mut session = tap.begin_session(7, TrafficSession::default(), 0);
        let (query, ready) = (b"Q\0\0\0\x06a\0", b"Z\0\0\0\x05I");
        tap.copy_client_bytes(&mut session, query, 1);
        let row = [&b"D\0\0\x03\xe7"[..], &[0; 995]].concat();
        tap.copy_server_bytes(&mut session, &row, 2);
        tap.copy_client_bytes(&mut session, query, 3);
        tap.hand_over(3, true);
        let batches = outlet.take_batches(0);
        assert_eq!(batches.len(), 1);
        assert_eq!(batches[0].bytes, query);
        outlet.release_bytes(batches[0].held_bytes());
        assert_eq!(outlet.held_bytes.load(Ordering::Relaxed), 0);
        // There is memory again, but the session waits for an answer.
        tap.copy_client_bytes(&mut session, query, 4);
        tap.copy_server_bytes(&mut session, ready, 5);
        tap.copy_server_bytes(&mut session, ready, 5);
        assert!(!tap.has_pieces());
        tap.copy_server_bytes(&mut session, ready, 6);
        tap.copy_client_bytes(&mut session, query, 7);
        tap.end_session(&session, 8);
        tap.hand_over(8, true);
        let batches = outlet.take_batches(0);
        let pieces: Vec<String> = batches[0].pieces.iter().map(|(_, _, piece)| format!("{piece:?}")).collect();
        assert_eq!(pieces, ["Skip(3)", "Client(7)", "End"]);
    }

    #[test]
    fn a_closed_outlet_takes_nothing() {
        let outlet = Arc::new(TapOutlet::with_threads(1, 1 << 20));
        outlet.close_outlet();
        let mut tap = TrafficTap::with_outlet(Arc::clone(&outlet), 0);
        let mut session = tap.begin_session(7, TrafficSession::default(), 0);
        tap.copy_client_bytes(&mut session, b"Q\0\0\0\x06a\0", 1);
        assert!(tap.batch.bytes.is_empty());
    }
}
