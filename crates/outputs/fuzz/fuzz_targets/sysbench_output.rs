//! What sysbench prints: no panic.

#![no_main]

use libfuzzer_sys::fuzz_target;
use outputs::sysbench::{IntervalLine, SysbenchReport};

fuzz_target!(|input: &[u8]| {
    let text = String::from_utf8_lossy(input);
    SysbenchReport::parse(&text).ok();
    for line in text.lines() {
        IntervalLine::parse(line);
    }
});
