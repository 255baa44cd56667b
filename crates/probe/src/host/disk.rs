//! `host.disk`, `host.disk.parent`, `host.disk.wal`: what one block device did, from `/proc/diskstats`.
//! The kernel counts flushes on whole disks only, so those of a data directory on a partition are found at the parent.

use std::path::{Path, PathBuf};

use procfs_core::DiskStat;
use results::probe_fields::{ProbeName, host_disk};

use super::HostSource;
use super::block_device::{BlockDevice, Unresolved};
use super::proc_file::{self, Malformed, UnreadableFile};
use crate::counter::{Backwards, ReadingValues, counter_increase, increase_u32};

/// `/proc/diskstats` counts in sectors of this size, whatever the device's own is.
const SECTOR_BYTES: f64 = 512.0;

/// Reads the line of one device. Its times are summed over requests, so that they may exceed the interval, except
/// `busy_us`, the time with any request under way.
pub(crate) struct DiskStatsReader {
    name: ProbeName,
    root: PathBuf,
    device: Result<BlockDevice, Unresolved>,
}

impl DiskStatsReader {
    pub(crate) fn new(name: ProbeName, root: &Path, device: Result<BlockDevice, Unresolved>) -> Self {
        Self { name, root: root.to_owned(), device }
    }
}

impl HostSource for DiskStatsReader {
    type Snapshot = DiskStat;

    fn probe_name(&self) -> ProbeName {
        self.name
    }

    fn read_snapshot(&self) -> Result<DiskStat, UnreadableFile> {
        let device = self.device.clone().map_err(UnreadableFile::Unresolved)?;
        proc_file::read_proc_file(&self.root, "proc/diskstats", |text| parse_diskstats(text, device))
    }

    /// Subtle: the kernel prints milliseconds in 32 bits, which a busy disk wraps within hours; requests and sectors
    /// have 64 and come first, so that a device which was replaced is noticed there.
    fn snapshot_difference(before: &DiskStat, after: &DiskStat) -> Result<ReadingValues, Backwards> {
        let mut values = ReadingValues::new();
        for (field, before, after, unit) in [
            (host_disk::READS, before.reads, after.reads, 1.0),
            (host_disk::WRITES, before.writes, after.writes, 1.0),
            (host_disk::READS_MERGED, before.merged, after.merged, 1.0),
            (host_disk::WRITES_MERGED, before.writes_merged, after.writes_merged, 1.0),
            (host_disk::READ_BYTES, before.sectors_read, after.sectors_read, SECTOR_BYTES),
            (host_disk::WRITTEN_BYTES, before.sectors_written, after.sectors_written, SECTOR_BYTES),
        ] {
            values.insert(field.name.to_owned(), counter_increase(field.name, before, after)? * unit);
        }
        if let (Some(before), Some(after)) = (before.flushes, after.flushes) {
            let name = host_disk::FLUSHES.name;
            values.insert(name.to_owned(), counter_increase(name, before, after)?);
        }
        for (field, before, after) in [
            (host_disk::READ_TIME_US, Some(before.time_reading), Some(after.time_reading)),
            (host_disk::WRITE_TIME_US, Some(before.time_writing), Some(after.time_writing)),
            (host_disk::FLUSH_TIME_US, before.time_flushing, after.time_flushing),
            (host_disk::BUSY_US, Some(before.time_in_progress), Some(after.time_in_progress)),
            (host_disk::QUEUE_TIME_US, Some(before.weighted_time_in_progress), Some(after.weighted_time_in_progress)),
        ] {
            if let (Some(before), Some(after)) = (before, after) {
                values.insert(field.name.to_owned(), increase_u32(before, after) * 1000.0);
            }
        }
        values.insert(host_disk::IN_FLIGHT.name.to_owned(), after.in_progress as f64);
        Ok(values)
    }
}

fn parse_diskstats(text: &str, device: BlockDevice) -> Result<DiskStat, Malformed> {
    let numbers = [device.major.to_string(), device.minor.to_string()];
    let line = text.lines().find(|line| line.split_whitespace().take(2).eq(numbers.iter().map(String::as_str)));
    match line {
        Some(line) => Ok(DiskStat::from_line(line)?),
        None => Err(Malformed(format!("it has no line for the block device {}:{}", device.major, device.minor))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counter::assert_every_field;

    const VDA: BlockDevice = BlockDevice { major: 254, minor: 0 };

    fn check(before: &str, after: &str) -> Result<ReadingValues, String> {
        let [before, after] =
            [before, after].map(|text| parse_diskstats(text, VDA).map_err(|malformed| malformed.to_string()));
        DiskStatsReader::snapshot_difference(&before?, &after?).map_err(|backwards| backwards.to_string())
    }

    #[test]
    fn the_kernel_s_own_file_is_understood() {
        let disk = parse_diskstats(include_str!("../../tests/fixtures/linux-6.18/proc/diskstats"), VDA).unwrap();
        assert_eq!(disk.name, "vda");
        assert!(disk.flushes.is_some());
    }

    #[test]
    fn sectors_become_bytes_and_milliseconds_become_microseconds() {
        let before = "254 0 vda 100 2 800 50 200 3 1600 70 1 90 120 0 0 0 0 7 11";
        let after = "254 0 vda 101 4 816 53 205 7 1680 80 6 99 140 0 0 0 0 9 14";
        let expected = [
            ("reads", 1.0),
            ("reads_merged", 2.0),
            ("read_bytes", 8192.0),
            ("read_time_us", 3000.0),
            ("writes", 5.0),
            ("writes_merged", 4.0),
            ("written_bytes", 40960.0),
            ("write_time_us", 10_000.0),
            ("in_flight", 6.0),
            ("busy_us", 9000.0),
            ("queue_time_us", 20_000.0),
            ("flushes", 2.0),
            ("flush_time_us", 3000.0),
        ];
        assert_every_field(host_disk::PROBE, &check(before, after).unwrap());
        assert_eq!(check(before, after), Ok(expected.map(|(name, value)| (name.to_owned(), value)).into()));
    }

    #[test]
    fn a_time_that_wrapped_at_32_bits_is_no_gap() {
        let values = check("254 0 vda 1 0 8 4294967295 1 0 8 7 0 9 9", "254 0 vda 2 0 16 1 1 0 8 7 0 9 9").unwrap();
        assert_eq!(values["read_time_us"], 2000.0);
    }

    #[test]
    fn a_kernel_before_5_5_has_no_flushes() {
        let values = check("254 0 vda 1 0 8 1 1 0 8 7 0 9 9", "254 0 vda 2 0 16 1 1 0 8 7 0 9 9").unwrap();
        assert!(!values.contains_key("flushes") && !values.contains_key("flush_time_us"));
    }

    #[test]
    fn a_device_that_was_replaced_is_a_gap() {
        let error = check("254 0 vda 5 0 8 1 1 0 8 7 0 9 9", "254 0 vda 0 0 0 0 0 0 0 0 0 0 0").unwrap_err();
        assert_eq!(error, "the counter reads decreased from 5 to 0");
    }

    #[test]
    fn a_device_that_is_gone_or_a_line_that_is_cut_short_is_an_error() {
        assert_eq!(check("8 0 sda 1", "").unwrap_err(), "it has no line for the block device 254:0");
        assert_eq!(check("254 0 vda 5 0 8", "").unwrap_err(), "a line or a column is missing");
        assert!(check("254 0 vda five 0 8 1", "").unwrap_err().contains("\"five\""));
    }
}
