//! Whether a trial's caches were what they were to be: what the server asked for in the first seconds of the load, and
//! what the disk then read.

use std::collections::BTreeMap;

use results::interval::Reading;
use results::trial::Incident;

use plan::{Cache, Word as _};

/// So many seconds after the load has begun still show what the caches held.
const SECONDS: u32 = 3;

/// Bytes of a block of PostgreSQL, as all packages build it.
const BLOCK_BYTES: f64 = 8192.0;

/// Of the blocks that a cold server does not have, the disk must have read at least this share, or the kernel had them.
const FROM_DISK_WHEN_COLD: f64 = 0.5;

/// Of the blocks that a warm server is asked for, the disk may read at most this share.
const FROM_DISK_WHEN_WARM: f64 = 0.05;

/// Less than this many bytes from the disk are of no account.
const BYTES_OF_ACCOUNT: f64 = 1_048_576.0;

/// The reads of the first seconds.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct FirstReads {
    seen: u32,
    blocks_read: f64,
    blocks_hit: f64,
    disk_read_bytes: f64,
    gap: Option<String>,
}

impl FirstReads {
    /// Takes the readings of a second, if it is one of the first.
    pub(in super::super) fn see(&mut self, probes: &BTreeMap<String, Reading>) {
        if self.seen == SECONDS {
            return;
        }
        self.seen += 1;
        let wanted = [
            ("pg.database", "blocks_read", &mut self.blocks_read),
            ("pg.database", "blocks_hit", &mut self.blocks_hit),
            ("host.disk", "read_bytes", &mut self.disk_read_bytes),
        ];
        for (probe, value, sum) in wanted {
            match probes.get(probe) {
                Some(Reading::Values { values, .. }) if values.contains_key(value) => *sum += values[value],
                Some(Reading::Values { .. }) => self.gap = Some(format!("{probe} has no {value}")),
                Some(Reading::Gap { gap, .. }) => self.gap = Some(format!("{probe}: {gap}")),
                None => self.gap = Some(format!("{probe} was not read")),
            }
        }
    }

    /// What contradicts the caches that the trial was to have.
    pub(in super::super) fn contradiction(&self, cache: Cache) -> Option<Incident> {
        let mib = |bytes: f64| format!("{:.1} MiB", bytes / 1_048_576.0);
        let missed = self.blocks_read * BLOCK_BYTES;
        let asked = (self.blocks_read + self.blocks_hit) * BLOCK_BYTES;
        let disk = self.disk_read_bytes;
        let contradiction = match (cache, &self.gap) {
            (Cache::AsIs, _) => None,
            (Cache::Cold | Cache::Warm, _) if self.seen == 0 => Some("there was no second to verify it by".to_owned()),
            (Cache::Cold | Cache::Warm, Some(gap)) => Some(format!("it could not be verified ({gap})")),
            (Cache::Cold, None) => (missed > BYTES_OF_ACCOUNT && disk < FROM_DISK_WHEN_COLD * missed).then(|| {
                format!("in the first {} s the server read {} and the disk only {}", self.seen, mib(missed), mib(disk))
            }),
            // What the server did not miss, the disk has read for somebody else.
            (Cache::Warm, None) => {
                (disk.min(missed) > (FROM_DISK_WHEN_WARM * asked).max(BYTES_OF_ACCOUNT)).then(|| {
                    let (missed, disk, asked) = (mib(missed), mib(disk), mib(asked));
                    format!("in the first {} s the server read {missed} of {asked}, and the disk {disk}", self.seen)
                })
            }
        };
        contradiction.map(|found| Incident::Cache { wanted: cache.word().to_owned(), found })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB_BLOCKS: f64 = 128.0;

    fn reads(seconds: u32, [blocks_read, blocks_hit, read_bytes]: [f64; 3]) -> FirstReads {
        let values = |pairs: &[(&str, f64)]| Reading::Values {
            took_us: 1,
            over_us: 1_000_000,
            values: pairs.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect(),
        };
        let database = values(&[("blocks_read", blocks_read), ("blocks_hit", blocks_hit)]);
        let probes = [("pg.database", database), ("host.disk", values(&[("read_bytes", read_bytes)]))];
        let probes: BTreeMap<_, _> = probes.into_iter().map(|(name, reading)| (name.to_owned(), reading)).collect();
        let mut first = FirstReads::default();
        (0..seconds).for_each(|_| first.see(&probes));
        first
    }

    fn found(first: &FirstReads, cache: Cache) -> Option<String> {
        match first.contradiction(cache)? {
            Incident::Cache { found, .. } => Some(found),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_cold_trial_reads_from_the_disk_what_the_server_misses_and_a_warm_one_next_to_nothing() {
        let mib = 1_048_576.0;
        let cold = [10.0 * MIB_BLOCKS, 10.0 * MIB_BLOCKS, 12.0 * mib];
        let from_the_kernel = [10.0 * MIB_BLOCKS, 10.0 * MIB_BLOCKS, 0.1 * mib];
        let warm = [0.0, 100.0 * MIB_BLOCKS, 0.2 * mib];
        assert_eq!(found(&reads(5, cold), Cache::Cold), None);
        assert_eq!(found(&reads(5, warm), Cache::Warm), None);
        assert_eq!(
            found(&reads(5, from_the_kernel), Cache::Cold).unwrap(),
            "in the first 3 s the server read 30.0 MiB and the disk only 0.3 MiB"
        );
        assert_eq!(
            found(&reads(5, cold), Cache::Warm).unwrap(),
            "in the first 3 s the server read 30.0 MiB of 60.0 MiB, and the disk 36.0 MiB"
        );
        assert_eq!(found(&reads(5, [0.0, 100.0 * MIB_BLOCKS, 90.0 * mib]), Cache::Warm), None, "somebody else's reads");
        for first in [reads(5, cold), reads(5, from_the_kernel), reads(0, cold)] {
            assert_eq!(found(&first, Cache::AsIs), None);
        }
    }

    #[test]
    fn what_was_not_read_verifies_nothing() {
        let mut first = reads(1, [0.0, 1.0, 0.0]);
        let gap = Reading::Gap { took_us: 1, gap: "no device".to_owned() };
        let mut probes = BTreeMap::from([("host.disk".to_owned(), gap)]);
        probes.insert("pg.database".to_owned(), Reading::Values { took_us: 1, over_us: 1, values: BTreeMap::new() });
        first.see(&probes);
        assert_eq!(found(&first, Cache::Warm).unwrap(), "it could not be verified (host.disk: no device)");
        assert_eq!(found(&FirstReads::default(), Cache::Cold).unwrap(), "there was no second to verify it by");
    }
}
