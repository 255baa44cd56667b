//! fio's logs: no panic.
//!
//! Input: which log it is, then its bytes.

#![no_main]

use libfuzzer_sys::fuzz_target;
use outputs::fio_log::{FioLogKind, SeriesReader};

fuzz_target!(|input: &[u8]| {
    let Some((&kind, log)) = input.split_first() else { return };
    let kind = [FioLogKind::Iops, FioLogKind::Bandwidth, FioLogKind::Latency][usize::from(kind) % 3];
    let mut series = SeriesReader::new(None);
    series.read_log(kind, log).ok();
    drop(series.finish());
});
