//! Who waits for the WAL, and for what of it. One session at a time writes and flushes it, and makes its next segment;
//! who needs one of its locks or buffers meanwhile waits for what that one does.

use catalog::WaitResource;
use results::activity::{SampledSessions, WaitEvent};
use results::log::{Checkpoint, LogEvent};

use super::case::{DiagnosisCase, MeasuredTrial};
use super::finding::FindingCost;
use super::spent::resource_of_wait;
use crate::budget::BudgetPart;

/// Whether a session fills a new segment with zeros, or waits until they are on the disk.
pub(super) fn is_segment_fill_wait(wait: &WaitEvent) -> bool {
    resource_of_wait(wait) == Some(WaitResource::WalFill)
}

/// Whether a session writes WAL, flushes it or makes room for it.
fn is_at_work(wait: &WaitEvent) -> bool {
    matches!(resource_of_wait(wait), Some(WaitResource::WalFill | WaitResource::WalFlush | WaitResource::WalFile))
}

/// Whether a session waits for one of the locks that who is at work on the WAL holds: that of writing it, and those of
/// buffers that are full until it is written.
pub(super) fn waits_for_work(wait: &WaitEvent) -> bool {
    resource_of_wait(wait) == Some(WaitResource::WalLock)
}

/// Of the sessions that were seen at work on the WAL in a trial the share that filled a new segment, 0 to 1: so much of
/// the waits for them is for that.
pub(super) fn share_of_fills(measured: &MeasuredTrial<'_>) -> f64 {
    let (mut at_work, mut filling) = (0, 0);
    for SampledSessions { wait, sessions, .. } in measured.watched.activity.iter().flatten().flat_map(|it| &it.seen) {
        let Some(wait) = wait else { continue };
        at_work += if is_at_work(wait) { *sessions } else { 0 };
        filling += if is_segment_fill_wait(wait) { *sessions } else { 0 };
    }
    if at_work == 0 { 0.0 } else { filling as f64 / at_work as f64 }
}

/// What new segments cost: filling them, and waiting for who does. `share` of that.
pub(super) fn cost_of_fills(case: &DiagnosisCase<'_>, share: f64) -> FindingCost {
    case.cost_of_shares(|measured, part| match part {
        BudgetPart::Waiting(wait) if is_segment_fill_wait(wait) => share,
        BudgetPart::Waiting(wait) if waits_for_work(wait) => share * share_of_fills(measured),
        _ => 0.0,
    })
}

/// What becomes of segments at a checkpoint, as the log has it.
type OfCheckpoint = fn(&Checkpoint) -> u64;

/// Segments that checkpoints made.
pub(super) const ADDED: OfCheckpoint = |done| done.wal_files_added;
/// Segments that they removed.
pub(super) const REMOVED: OfCheckpoint = |done| done.wal_files_removed;
/// Segments that they keep to be used again.
pub(super) const RECYCLED: OfCheckpoint = |done| done.wal_files_recycled;

/// How many segments the checkpoints of a cell treated so; none where the log is not there, or has no checkpoint.
pub(super) fn segments_of_checkpoints(case: &DiagnosisCase<'_>, of: OfCheckpoint) -> Option<f64> {
    let mut counts: Vec<u64> = Vec::new();
    for logged in case.logged_messages().ok()? {
        if let LogEvent::CheckpointComplete(done) = logged.event {
            counts.push(of(done));
        }
    }
    (!counts.is_empty()).then(|| counts.iter().sum::<u64>() as f64)
}
