//! Whether the caches were what the plan wanted them to be when the trial began, by the reads of the first seconds.

use plan::Cache;

use super::{CacheFound, Caveat};
use crate::observed::{BLOCK_BYTES, FirstReads};
use crate::thresholds::{BYTES_OF_ACCOUNT, FROM_DISK_WHEN_COLD, FROM_DISK_WHEN_WARM};

/// Whose reads a disk's are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DiskReads {
    /// The trial's.
    Own,
    /// Those of all sides that took turns.
    OfAllSides,
}

/// What contradicts the caches that the trial was to have.
pub(super) fn cache_contradiction(wanted: Cache, reads: &FirstReads, of_disk: DiskReads) -> Option<Caveat> {
    let missed_bytes = reads.blocks_read * BLOCK_BYTES;
    let asked_bytes = (reads.blocks_read + reads.blocks_hit) * BLOCK_BYTES;
    let disk_bytes = reads.disk_read_bytes;
    let contradicts = match wanted {
        Cache::AsIs => return None,
        Cache::Cold => missed_bytes > BYTES_OF_ACCOUNT && disk_bytes < FROM_DISK_WHEN_COLD * missed_bytes,
        // What the server did not miss, the disk has read for somebody else.
        Cache::Warm => disk_bytes.min(missed_bytes) > (FROM_DISK_WHEN_WARM * asked_bytes).max(BYTES_OF_ACCOUNT),
    };
    let found = match &reads.gap {
        _ if reads.seconds == 0 => CacheFound::NoSecond,
        Some(gap) => CacheFound::Gap(gap.clone()),
        None if !contradicts => return None,
        None if of_disk == DiskReads::OfAllSides => CacheFound::Gap(
            "the sides alternate in slices, and reads of the disk cannot be attributed to one side".to_owned(),
        ),
        None => CacheFound::Reads { seconds: reads.seconds, missed_bytes, asked_bytes, disk_bytes },
    };
    Some(Caveat::Cache { wanted, found })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::caveats::in_words;

    const MIB: f64 = 1_048_576.0;

    /// Three seconds in which so many MiB were missed by the server, found by it, and read by the disk.
    fn reads([missed, hit, disk]: [f64; 3]) -> FirstReads {
        let blocks = |mib: f64| mib * MIB / BLOCK_BYTES;
        FirstReads {
            seconds: 3,
            blocks_read: blocks(missed),
            blocks_hit: blocks(hit),
            disk_read_bytes: disk * MIB,
            gap: None,
        }
    }

    fn said(reads: &FirstReads, wanted: Cache) -> Option<String> {
        cache_contradiction(wanted, reads, DiskReads::Own).map(|caveat| in_words(&caveat).0)
    }

    #[test]
    fn a_cold_trial_reads_from_the_disk_what_the_server_misses_and_a_warm_one_next_to_nothing() {
        let cold = reads([30.0, 30.0, 36.0]);
        let from_the_kernel = reads([30.0, 30.0, 0.3]);
        assert_eq!(said(&cold, Cache::Cold), None);
        assert_eq!(said(&reads([0.0, 300.0, 0.6]), Cache::Warm), None);
        assert_eq!(
            said(&from_the_kernel, Cache::Cold).unwrap(),
            "the trial was to start with cold caches: in the first 3 s the server read 30.0 MiB and the disk only 0.3 \
             MiB"
        );
        assert_eq!(
            said(&cold, Cache::Warm).unwrap(),
            "the trial was to start with warm caches: in the first 3 s the server read 30.0 MiB of 60.0 MiB, and the \
             disk 36.0 MiB"
        );
        assert_eq!(said(&reads([0.0, 300.0, 270.0]), Cache::Warm), None, "somebody else's reads");
        for reads in [cold, from_the_kernel, FirstReads::default()] {
            assert_eq!(said(&reads, Cache::AsIs), None);
        }
    }

    #[test]
    fn where_sides_take_turns_the_reads_of_the_disk_contradict_nothing() {
        let said = |reads: &FirstReads| {
            cache_contradiction(Cache::Warm, reads, DiskReads::OfAllSides).map(|caveat| in_words(&caveat).0)
        };
        assert_eq!(said(&reads([0.0, 300.0, 40.0])), None, "the server missed nothing");
        let unsure = said(&reads([30.0, 30.0, 36.0])).unwrap();
        assert!(
            unsure.ends_with("(the sides alternate in slices, and reads of the disk cannot be attributed to one side)"),
            "{unsure}"
        );
    }

    #[test]
    fn what_was_not_read_verifies_nothing() {
        let gap = FirstReads { gap: Some("host.disk: no device".to_owned()), ..reads([0.0, 1.0, 0.0]) };
        let warm = said(&gap, Cache::Warm).unwrap();
        assert!(warm.ends_with("not verified (host.disk: no device)"), "{warm}");
        let nothing = said(&FirstReads::default(), Cache::Cold).unwrap();
        assert!(nothing.ends_with("not verified: no second was recorded"), "{nothing}");
    }
}
