//! Every format of the registry: no panic, and an error stands at a line of the input.
//!
//! Input: a file, of which every parser reads all.

#![no_main]

use libfuzzer_sys::fuzz_target;
use outputs::formats::OUTPUT_FORMATS;

fuzz_target!(|input: &[u8]| {
    let text = String::from_utf8_lossy(input);
    for format in OUTPUT_FORMATS {
        format.is_format_of(&text);
        if let Err(error) = format.read_figures(&text) {
            assert!((1..=text.lines().count().max(1)).contains(&error.line), "{error}");
        }
    }
});
