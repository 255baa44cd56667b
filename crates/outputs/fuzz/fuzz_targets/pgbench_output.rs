//! What pgbench prints and logs: no panic, and what was read and printed again is read alike.

#![no_main]

use libfuzzer_sys::fuzz_target;
use outputs::pgbench::{Aggregate, PgbenchReport, ProgressLine};

fuzz_target!(|input: &[u8]| {
    let text = String::from_utf8_lossy(input);
    PgbenchReport::parse(&text).ok();
    for line in text.lines() {
        ProgressLine::parse(line).ok();
        if let Some(aggregate) = Aggregate::parse(line) {
            assert_eq!(Aggregate::parse(&aggregate.to_string()), Some(aggregate));
        }
    }
});
