//! Traffic of two sessions: no panic, and a capture that was written can be read.
//!
//! Input: parts, each with a byte that says whose it is, a byte for its length, and so many bytes.

#![no_main]

use capture::directory::CaptureReader;
use capture::mask::{MaskKey, ValueMask};
use capture::{TrafficCapture, TrafficSession};
use jiff::Timestamp;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let directory = tempfile::tempdir().expect("a directory");
    let out = directory.path().join("out");
    let mask = ValueMask::new_keyed(false, &MaskKey::from_bytes([1; 32]));
    let capture = TrafficCapture::create_directory(&out, mask, Timestamp::UNIX_EPOCH).expect("a directory");
    let mut recorder = capture.start_recorder();
    for key in 0..2 {
        let names = TrafficSession { user: "u".to_owned(), database: "d".to_owned(), ..TrafficSession::default() };
        recorder.begin_session(key, names, 0);
    }
    let mut rest = input;
    let mut at_us = 0;
    while let [whose, length, following @ ..] = rest {
        at_us += 1;
        let (part, behind) = following.split_at(following.len().min(usize::from(*length)));
        rest = behind;
        let key = u64::from(whose >> 1 & 1);
        let taken = match whose >> 2 {
            0 => recorder.skip_messages(key, 1, at_us),
            1 => recorder.end_session(key, at_us),
            _ if whose & 1 == 0 => recorder.take_client_bytes(key, part, at_us),
            _ => recorder.take_server_bytes(key, part, at_us),
        };
        taken.expect("it is recorded");
    }
    recorder.finish_recording(at_us).expect("it is complete");
    let reader = CaptureReader::open_capture(&out).expect("a capture");
    for event in reader.event_stream() {
        event.expect("an event");
    }
});
