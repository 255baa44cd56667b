//! Texts of SQL: no panic, no error of memory, and what is cut out is where it was.
//!
//! Input: the text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sql::{read_statement, split_literals};

fuzz_target!(|text: &str| {
    read_statement(text).ok();
    let Ok(split) = split_literals(text) else { return };
    let mut end = 0;
    for literal in &split.literals {
        assert!(literal.range.start >= end && literal.range.end <= text.len());
        end = literal.range.end;
    }
    assert!(split_literals(&split.normalised).is_ok_and(|again| again.literals.is_empty()));
});
