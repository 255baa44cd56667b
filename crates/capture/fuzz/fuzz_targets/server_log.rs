//! Logs in all forms: no panic, and a capture that was written can be read.
//!
//! Input: the log.

#![no_main]

use capture::directory::CaptureReader;
use capture::mask::{MaskKey, ValueMask};
use capture::{LogOptions, capture_logs};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|log: &[u8]| {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("server.log");
    std::fs::write(&file, log).expect("written");
    let out = directory.path().join("out");
    let mask = ValueMask::new_keyed(false, &MaskKey::from_bytes([1; 32]));
    let options = LogOptions { files: vec![file], ..LogOptions::default() };
    if capture_logs(&options, mask, &out).is_ok() {
        let reader = CaptureReader::open_capture(&out).expect("a capture");
        for event in reader.event_stream() {
            event.expect("an event");
        }
    }
});
