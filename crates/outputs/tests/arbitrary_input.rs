//! Every parser against what nobody has written: arbitrary bytes, and real outputs that were cut and changed.

use std::fs;
use std::path::{Path, PathBuf};

use outputs::fio_log::{FioLogKind, SeriesReader};
use outputs::formats::OUTPUT_FORMATS;
use outputs::pgbench::{Aggregate, PgbenchReport, ProgressLine};
use outputs::sysbench::{IntervalLine, SysbenchReport};
use outputs::{fio_json, fio_text};
use proptest::prelude::*;

/// Reads an input with every parser. What they make of it does not matter here, but for where an error is.
fn read_with_every_parser(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for format in OUTPUT_FORMATS {
        format.is_format_of(&text);
        if let Err(error) = format.read_figures(&text) {
            let lines = text.lines().count().max(1);
            assert!((1..=lines).contains(&error.line), "{}: {error} of {lines} lines", format.program_name());
        }
    }
    fio_json::parse_all_executions(&text).ok();
    fio_text::parse_all_executions(&text).ok();
    for kind in [FioLogKind::Iops, FioLogKind::Bandwidth, FioLogKind::Latency] {
        SeriesReader::new(None).read_log(kind, bytes).ok();
    }
    PgbenchReport::parse(&text).ok();
    SysbenchReport::parse(&text).ok();
    for line in text.lines() {
        ProgressLine::parse(line).ok();
        Aggregate::parse(line);
        IntervalLine::parse(line);
    }
}

/// The real outputs below a folder.
fn add_examples(folder: &Path, examples: &mut Vec<Vec<u8>>) {
    let entries = fs::read_dir(folder).expect("the fixtures");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            add_examples(&path, examples);
        } else {
            examples.push(fs::read(&path).expect("an output"));
        }
    }
}

fn real_outputs() -> Vec<Vec<u8>> {
    let mut examples = Vec::new();
    add_examples(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures"), &mut examples);
    examples
}

/// A place in an input as a share of its length, and the bytes that are put there instead of some.
type Change = (f64, usize, Vec<u8>);

fn changed_output(mut bytes: Vec<u8>, length: f64, changes: &[Change]) -> Vec<u8> {
    bytes.truncate((bytes.len() as f64 * length) as usize);
    for (place, removed, inserted) in changes {
        let start = (bytes.len() as f64 * place) as usize;
        let end = bytes.len().min(start + removed);
        bytes.splice(start..end, inserted.iter().copied());
    }
    bytes
}

fn inserted_bytes() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..8),
        "[-0-9.,eE+]{0,24}".prop_map(String::into_bytes),
        prop::sample::select(vec!["\n", "\r\n", "nan", "inf", "null", "{", "]", "\"", " / ", "é"])
            .prop_map(|text| text.as_bytes().to_vec()),
    ]
}

#[test]
fn every_real_output_is_read_without_a_panic() {
    for example in real_outputs() {
        read_with_every_parser(&example);
    }
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        read_with_every_parser(&bytes);
    }

    #[test]
    fn real_outputs_that_were_cut_and_changed_never_panic(
        example in prop::sample::select(real_outputs()),
        length in 0.0..=1.0,
        changes in prop::collection::vec((0.0..=1.0, 0_usize..40, inserted_bytes()), 0..6),
    ) {
        read_with_every_parser(&changed_output(example, length, &changes));
    }
}
