//! fio's normal output: no panic.

#![no_main]

use libfuzzer_sys::fuzz_target;
use outputs::fio_text;

fuzz_target!(|input: &[u8]| {
    fio_text::parse_all_executions(&String::from_utf8_lossy(input)).ok();
});
