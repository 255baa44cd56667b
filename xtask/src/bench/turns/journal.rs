//! Blocks that were measured: each is a line of JSON in a file, if one is named, so that a question can be asked for as
//! long as there is time and gone on with later. What was measured before is not measured again.
//!
//! A block is known by its name, how its sides shared it, and its seed; so the programs that ask go through all their
//! blocks every time. A torn last line is a block that was not measured.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use load::EngineJob;
use serde_json::Value;

use super::block::{Block, Measured};

/// What has been measured, and until when more is.
pub(super) struct Journal {
    file: Option<File>,
    known: BTreeMap<(String, String, u64), Measured>,
    until: Option<Instant>,
}

impl Journal {
    /// Goes on with the file, if there is one; no block begins when the time is over.
    pub(super) fn open(file: Option<&Path>, time: Option<Duration>) -> Self {
        let known = file.and_then(|path| std::fs::read_to_string(path).ok()).map(|text| parse(&text));
        let appended = |path| {
            let opened = OpenOptions::new().create(true).append(true).open(path);
            opened.unwrap_or_else(|error| panic!("{}: {error}", Path::display(path)))
        };
        Self {
            file: file.map(appended),
            known: known.unwrap_or_default(),
            until: time.map(|time| Instant::now() + time),
        }
    }

    /// A block's figures: as known, or measured now between the sides that are made ready for it; none when the time is
    /// over.
    pub(super) fn block(
        &mut self,
        name: &str,
        block: Block,
        sides: impl FnOnce() -> [EngineJob; 2],
    ) -> Option<Measured> {
        let key = (name.to_owned(), block.how.in_words(), block.seed);
        if let Some(known) = self.known.get(&key) {
            return Some(*known);
        }
        if self.until.is_some_and(|until| Instant::now() >= until) {
            return None;
        }
        let (measured, pairs) = block.measure(&sides());
        let line = serde_json::json!({
            "name": name, "how": key.1, "seed": block.seed, "rates": measured.rates, "engine_us": measured.engine_us,
            "pairs": pairs,
        });
        if let Some(file) = &mut self.file {
            // One write: what is cut off is the last line.
            file.write_all(format!("{line}\n").as_bytes()).expect("the journal can be written");
        }
        eprintln!("{line}");
        self.known.insert(key, measured);
        Some(measured)
    }
}

fn parse(text: &str) -> BTreeMap<(String, String, u64), Measured> {
    let block = |line: &str| {
        let line: Value = serde_json::from_str(line).ok()?;
        let figure = |figure: &str, side: usize| line[figure][side].as_f64();
        let measured = Measured {
            rates: [figure("rates", 0)?, figure("rates", 1)?],
            engine_us: [figure("engine_us", 0)?, figure("engine_us", 1)?],
        };
        let key = (line["name"].as_str()?.to_owned(), line["how"].as_str()?.to_owned(), line["seed"].as_u64()?);
        Some((key, measured))
    };
    text.lines().filter_map(block).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_measured_is_known_again_but_for_a_torn_line() {
        let text = "{\"name\":\"a-a\",\"how\":\"turns\",\"seed\":7,\"rates\":[1.5,3.0],\"engine_us\":[5.0,6.0],\"pairs\":[]}\n\
                    {\"name\":\"a-a\",\"how\":\"turns\",\"seed\":8,\"rates\":[1.5,3";
        let known = parse(text);
        let measured = known[&("a-a".to_owned(), "turns".to_owned(), 7)];
        assert_eq!((measured.log_ratio(), known.len()), (2f64.ln(), 1));
    }
}
