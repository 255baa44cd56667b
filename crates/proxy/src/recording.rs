//! The thread that records: it takes what the others have handed over, in the order of the instants.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::Duration;

use capture::directory::{CaptureResult, CaptureSummary};
use capture::{TrafficCapture, TrafficRecorder};

use crate::shared_route::SharedRoute;
use crate::tap::{TapOutlet, TappedPiece, TrafficBatch};

/// How often what was handed over is taken.
const ROUND: Duration = Duration::from_millis(10);
/// What happened within this time may still be handed over by another thread, in microseconds.
const LATE_US: i64 = 40_000;
/// How often everything is made readable, in microseconds.
const FLUSH_US: i64 = 1_000_000;

/// Records until the threads that pass bytes have ended and all that they handed over is recorded.
pub(crate) struct RecordingThread {
    pub(crate) outlet: Arc<TapOutlet>,
    pub(crate) route: Arc<SharedRoute>,
    /// Set once nothing more is handed over.
    pub(crate) is_last_round: Arc<AtomicBool>,
    pub(crate) threads: usize,
    /// Where the first failure is told.
    pub(crate) failures: Sender<String>,
}

/// What one thread has handed over.
#[derive(Default)]
struct ThreadQueue {
    batches: VecDeque<OpenBatch>,
}

struct OpenBatch {
    batch: TrafficBatch,
    next_piece: usize,
    next_byte: usize,
}

impl ThreadQueue {
    /// The instant of the next piece.
    fn next_us(&self) -> Option<i64> {
        let open = self.batches.front()?;
        open.batch.pieces.get(open.next_piece).map(|(_, at_us, _)| *at_us)
    }
}

impl RecordingThread {
    /// Records; the summary of the complete capture, or why it is not complete.
    pub(crate) fn record_until_ended(self, capture: TrafficCapture) -> Result<CaptureSummary, String> {
        let mut recorder = capture.start_recorder();
        let mut queues: Vec<ThreadQueue> = Vec::new();
        queues.resize_with(self.threads, ThreadQueue::default);
        let mut flushed_us = 0;
        let mut failure = None;
        loop {
            let is_last = self.is_last_round.load(Ordering::Acquire);
            for (thread, queue) in queues.iter_mut().enumerate() {
                for batch in self.outlet.take_batches(thread) {
                    queue.batches.push_back(OpenBatch { batch, next_piece: 0, next_byte: 0 });
                }
            }
            let now_us = self.route.now_us();
            let before_us = if is_last { i64::MAX } else { now_us - LATE_US };
            if failure.is_none() {
                let mut outcome = self.record_before(&mut recorder, &mut queues, before_us);
                if outcome.is_ok() && now_us - flushed_us > FLUSH_US {
                    flushed_us = now_us;
                    outcome = recorder.flush_recorded();
                }
                if let Err(error) = outcome {
                    self.outlet.close_outlet();
                    let _nobody_listens = self.failures.send(error.to_string());
                    failure = Some(error.to_string());
                }
            }
            if failure.is_some() {
                self.forget_queues(&mut queues);
            }
            if is_last {
                break;
            }
            std::thread::sleep(ROUND);
        }
        match failure {
            Some(failure) => Err(failure),
            None => recorder.finish_recording(self.route.now_us()).map_err(|error| error.to_string()),
        }
    }

    /// Records all that happened before an instant.
    fn record_before(
        &self,
        recorder: &mut TrafficRecorder,
        queues: &mut [ThreadQueue],
        before_us: i64,
    ) -> CaptureResult<()> {
        loop {
            let mut earliest: Option<(i64, usize)> = None;
            for (thread, queue) in queues.iter().enumerate() {
                if let Some(at_us) = queue.next_us()
                    && earliest.is_none_or(|(known_us, _)| at_us < known_us)
                {
                    earliest = Some((at_us, thread));
                }
            }
            let Some((at_us, thread)) = earliest else { return Ok(()) };
            if at_us > before_us {
                return Ok(());
            }
            self.record_piece(recorder, &mut queues[thread])?;
        }
    }

    fn record_piece(&self, recorder: &mut TrafficRecorder, queue: &mut ThreadQueue) -> CaptureResult<()> {
        let Some(open) = queue.batches.front_mut() else { return Ok(()) };
        let (key, at_us, piece) = &mut open.batch.pieces[open.next_piece];
        let (key, at_us) = (*key, *at_us);
        let recorded = match piece {
            TappedPiece::Begin(names) => {
                recorder.begin_session(key, std::mem::take(&mut **names), at_us);
                Ok(())
            }
            TappedPiece::Client(length) => {
                let bytes = &open.batch.bytes[open.next_byte..open.next_byte + *length];
                open.next_byte += *length;
                recorder.take_client_bytes(key, bytes, at_us)
            }
            TappedPiece::Server(length) => {
                let bytes = &open.batch.bytes[open.next_byte..open.next_byte + *length];
                open.next_byte += *length;
                recorder.take_server_bytes(key, bytes, at_us)
            }
            TappedPiece::Skip(messages) => recorder.skip_messages(key, *messages, at_us),
            TappedPiece::Replication => {
                recorder.count_replication(key);
                Ok(())
            }
            TappedPiece::End => recorder.end_session(key, at_us),
        };
        open.next_piece += 1;
        if open.next_piece == open.batch.pieces.len() {
            self.outlet.release_bytes(open.batch.held_bytes());
            queue.batches.pop_front();
        }
        recorded
    }

    fn forget_queues(&self, queues: &mut [ThreadQueue]) {
        for queue in queues {
            for open in queue.batches.drain(..) {
                self.outlet.release_bytes(open.batch.held_bytes());
            }
        }
    }
}
