//! fio's JSON, with whatever stands around it: no panic.

#![no_main]

use libfuzzer_sys::fuzz_target;
use outputs::fio_json;

fuzz_target!(|input: &[u8]| {
    fio_json::parse_all_executions(&String::from_utf8_lossy(input)).ok();
});
