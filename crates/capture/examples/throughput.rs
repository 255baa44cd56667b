//! Captures one log and prints how fast: `cargo run --release -p capture --example throughput -- FILE [text|none]`.

use std::path::PathBuf;
use std::time::Instant;

use capture::mask::{MaskKey, ValueMask};
use capture::{LogOptions, capture_logs};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let file = PathBuf::from(arguments.next().expect("a log"));
    let mask = match arguments.next().as_deref() {
        Some("none") => ValueMask::new_open(),
        _ => ValueMask::new_keyed(false, &MaskKey::from_bytes([1; 32])),
    };
    let bytes = std::fs::metadata(&file).expect("a file").len();
    let out = tempfile::tempdir().expect("a directory");
    let options = LogOptions { files: vec![file], ..LogOptions::default() };
    let begin = Instant::now();
    let summary = capture_logs(&options, mask, &out.path().join("capture")).expect("captured");
    let seconds = begin.elapsed().as_secs_f64();
    let written: u64 = std::fs::read_dir(out.path().join("capture/events"))
        .expect("events")
        .map(|entry| entry.expect("a file").metadata().expect("its size").len())
        .sum();
    let status = std::fs::read_to_string("/proc/self/status").expect("a status");
    let resident = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default();
    println!(
        "{:.0} MB/s, {} events, {:.1} bytes an event, {resident}, losses {:?}",
        bytes as f64 / 1e6 / seconds,
        summary.events,
        written as f64 / summary.events as f64,
        summary.losses
    );
}
