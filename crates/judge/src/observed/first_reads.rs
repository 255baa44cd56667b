//! What the server asked for in the first seconds of a trial's load, warm-up or not, and what the disk then read: they
//! tell what was in the caches when the trial began.

use results::probe_fields::{ProbeField, host_disk, pg_database};

use super::series::SeriesLine;

/// So many seconds after the load has begun still show what the caches held.
const SECONDS: usize = 3;

/// The reads of the first seconds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FirstReads {
    /// How many seconds these are; at most three.
    pub seconds: usize,
    /// Blocks that the server did not have in its own cache.
    pub blocks_read: f64,
    /// Blocks that it had.
    pub blocks_hit: f64,
    /// Bytes that the disk of its data read.
    pub disk_read_bytes: f64,
    /// Why a figure is missing in one of the seconds.
    pub gap: Option<String>,
}

impl FirstReads {
    pub(super) fn from_lines(lines: &[SeriesLine<'_>]) -> Self {
        let mut first = Self::default();
        for line in lines.iter().take(SECONDS) {
            first.add(line);
        }
        first
    }

    fn add(&mut self, line: &SeriesLine<'_>) {
        self.seconds += 1;
        let wanted = [
            (pg_database::BLOCKS_READ, &mut self.blocks_read),
            (pg_database::BLOCKS_HIT, &mut self.blocks_hit),
            (host_disk::READ_BYTES, &mut self.disk_read_bytes),
        ];
        for (ProbeField { probe, name, .. }, sum) in wanted {
            let Some(reading) = line.probes.get(probe.as_str()) else {
                self.gap = Some(format!("{probe} was not read"));
                continue;
            };
            match (&reading.gap, reading.values.as_ref().and_then(|values| values.get(name))) {
                (Some(gap), _) => self.gap = Some(format!("{probe}: {gap}")),
                (None, Some(value)) => *sum += value,
                (None, None) => self.gap = Some(format!("{probe} has no {name}")),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(probes: &[&str]) -> FirstReads {
        let line = |probes: &&str| {
            format!(
                r#"{{ "phase": "warm-up", "index": 0, "start_us": 0, "duration_us": 1000000, "transactions": 1, "failed": 0,
                     "latency": null, "engine": null, "probes": {{ {probes} }} }}"#
            )
        };
        let texts: Vec<String> = probes.iter().map(line).collect();
        let lines: Vec<SeriesLine<'_>> = texts.iter().map(|text| serde_json::from_str(text).unwrap()).collect();
        FirstReads::from_lines(&lines)
    }

    const WHOLE: &str = r#""pg.database": { "took_us": 1, "over_us": 1, "values": { "blocks_read": 10, "blocks_hit": 5 } },
                           "host.disk": { "took_us": 1, "over_us": 1, "values": { "read_bytes": 100 } }"#;

    #[test]
    fn the_first_three_seconds_count_and_no_other() {
        let first = of(&[WHOLE; 5]);
        let expected =
            FirstReads { seconds: 3, blocks_read: 30.0, blocks_hit: 15.0, disk_read_bytes: 300.0, gap: None };
        assert_eq!(first, expected);
        assert_eq!(of(&[WHOLE]).seconds, 1);
        assert_eq!(of(&[]), FirstReads::default());
    }

    #[test]
    fn a_figure_that_is_missing_is_a_gap_with_its_reason() {
        let no_disk = r#""pg.database": { "took_us": 1, "over_us": 1, "values": { "blocks_read": 1, "blocks_hit": 1 } },
                         "host.disk": { "took_us": 1, "gap": "no device" }"#;
        let no_hits = r#""pg.database": { "took_us": 1, "over_us": 1, "values": { "blocks_read": 1 } },
                         "host.disk": { "took_us": 1, "over_us": 1, "values": { "read_bytes": 100 } }"#;
        for (probes, gap) in [
            (no_disk, "host.disk: no device"),
            (no_hits, "pg.database has no blocks_hit"),
            ("", "host.disk was not read"),
        ] {
            assert_eq!(of(&[WHOLE, probes]).gap.as_deref(), Some(gap));
        }
    }
}
