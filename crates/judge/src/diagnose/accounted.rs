//! How many bytes of a disk a server's own counters account for, at most. The readings of a disk and of the kernel's
//! writeback are of the whole host: what exceeds this is not the work of the server.

use results::probe_fields::{pg_bgwriter, pg_checkpointer, pg_database, pg_wal};

use super::case::DiagnosisCase;
use super::finding::{EvidenceFigure, FigureAmount, figure};
use super::missing::MissingObservation;
use crate::observed::BLOCK_BYTES;

/// A flush of the WAL writes its last block again, and a block or several of the file system's journal.
const BYTES_OF_A_FLUSH: f64 = 64.0 * 1024.0;

/// Below this share of all bytes most are not the server's. The bound is generous, and a file system writes more than
/// it is handed.
const MOST: f64 = 0.5;

/// Bytes per second that the server has written at most. Each buffer that is allocated may evict one that has to be
/// written, which servers from 17 on do not count otherwise.
fn written_at_most(case: &DiagnosisCase<'_>) -> Result<f64, MissingObservation> {
    let evicted = case.counter_rate_per_s(pg_bgwriter::BUFFERS_ALLOC)?;
    let cleaned = case.counter_rate_per_s(pg_bgwriter::BUFFERS_CLEAN)?
        + case.counter_rate_per_s(pg_checkpointer::BUFFERS_WRITTEN)?;
    let wal = case.counter_rate_per_s(pg_wal::BYTES)? + BYTES_OF_A_FLUSH * case.counter_rate_per_s(pg_wal::SYNCS)?;
    Ok(BLOCK_BYTES * (evicted + cleaned) + wal + case.counter_rate_per_s(pg_database::TEMP_BYTES)?)
}

/// Bytes per second that the server has read at most: some of them from the page cache.
fn read_at_most(case: &DiagnosisCase<'_>) -> Result<f64, MissingObservation> {
    let blocks =
        case.counter_rate_per_s(pg_bgwriter::BUFFERS_ALLOC)?.max(case.counter_rate_per_s(pg_database::BLOCKS_READ)?);
    Ok(BLOCK_BYTES * blocks + case.counter_rate_per_s(pg_database::TEMP_BYTES)?)
}

/// That most of the bytes that were written or dirtied in a second are not the server's; none where they may be, or the
/// server's counters were not read.
pub(super) fn written_by_others(case: &DiagnosisCase<'_>, bytes_per_s: f64) -> Option<EvidenceFigure> {
    by_others(written_at_most(case).ok()?, bytes_per_s)
}

/// The same of all bytes that a disk has read and written.
pub(super) fn moved_by_others(case: &DiagnosisCase<'_>, bytes_per_s: f64) -> Option<EvidenceFigure> {
    by_others(read_at_most(case).ok()? + written_at_most(case).ok()?, bytes_per_s)
}

fn by_others(at_most: f64, bytes_per_s: f64) -> Option<EvidenceFigure> {
    let is_less = at_most < MOST * bytes_per_s;
    is_less.then(|| {
        figure("bytes per second that the server's counters account for, at most", FigureAmount::BytesPerS(at_most))
    })
}
