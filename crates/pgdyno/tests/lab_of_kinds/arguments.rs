//! What the lab of kinds was asked to do.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::generator::Half;

/// The seeds of the committed list.
pub const SEEDS: u64 = 300;

const USAGE: &str = "options: --list, --show, --summary, --check, --from SEED, --count N, --seeds A,B,..., --half open|sealed, \
                     --results FILE, --keep DIR, --kept DIR, --program PGDYNO, --minutes N, --again, --on-disk";

/// What is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// Measure conditions.
    Run,
    /// Print the line of each.
    List,
    /// Print its statements.
    Show,
    /// Print what the results say.
    Summary,
    /// Make conditions and execute their load a few times, without measuring.
    Check,
}

/// When no further condition is begun.
#[derive(Debug, Clone, Copy)]
pub struct Until(Instant);

impl Until {
    /// Whether that has come.
    pub fn has_come(self) -> bool {
        Instant::now() >= self.0
    }
}

/// The command line.
pub struct Arguments {
    /// What is to be done.
    pub asked: Asked,
    /// With these seeds.
    pub seeds: Vec<u64>,
    /// Of this half only.
    pub half: Option<Half>,
    /// Where results are appended.
    pub results: PathBuf,
    /// Where run directories are copied to.
    pub keep: Option<PathBuf>,
    /// Where run directories were kept, which are judged again in place of measuring.
    pub kept: Option<PathBuf>,
    /// The program under test.
    pub program: PathBuf,
    /// When no further condition is begun.
    pub until: Option<Until>,
    /// Also those that have a result.
    pub again: bool,
    /// All servers on a disk, not only those whose cause is about it.
    pub on_disk: bool,
}

impl Arguments {
    /// Reads the words after the program's name.
    pub fn from_words(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut arguments = Self {
            asked: Asked::Run,
            seeds: Vec::new(),
            half: None,
            results: "target/lab-of-kinds.jsonl".into(),
            keep: None,
            kept: None,
            program: env!("CARGO_BIN_EXE_pgdyno").into(),
            until: None,
            again: false,
            on_disk: false,
        };
        let (mut from, mut count) = (1, SEEDS);
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} needs a value; {USAGE}"));
            match word.as_str() {
                "--list" => arguments.asked = Asked::List,
                "--show" => arguments.asked = Asked::Show,
                "--summary" => arguments.asked = Asked::Summary,
                "--check" => arguments.asked = Asked::Check,
                "--on-disk" => arguments.on_disk = true,
                "--again" => arguments.again = true,
                "--from" => from = number(&value()?)?,
                "--count" => count = number(&value()?)?,
                "--seeds" => arguments.seeds = value()?.split(',').map(number).collect::<Result<_, _>>()?,
                "--half" => arguments.half = Some(half(&value()?)?),
                "--results" => arguments.results = value()?.into(),
                "--keep" => arguments.keep = Some(value()?.into()),
                "--kept" => arguments.kept = Some(value()?.into()),
                "--program" => arguments.program = value()?.into(),
                "--minutes" => {
                    arguments.until = Some(Until(Instant::now() + Duration::from_secs(60 * number(&value()?)?)));
                }
                _ => return Err(format!("unknown option {word:?}; {USAGE}")),
            }
        }
        if arguments.seeds.is_empty() {
            arguments.seeds = (from..from + count).collect();
        }
        Ok(arguments)
    }

    /// The seeds of the half that was asked for.
    pub fn seeds_of_half(&self) -> Vec<u64> {
        let mut seeds = self.seeds.clone();
        if let Some(half) = self.half {
            seeds.retain(|seed| Half::of_seed(*seed) == half);
        }
        seeds
    }
}

fn number(word: &str) -> Result<u64, String> {
    word.parse().map_err(|_| format!("{word:?} is no number; {USAGE}"))
}

fn half(word: &str) -> Result<Half, String> {
    match word {
        "open" => Ok(Half::Open),
        "sealed" => Ok(Half::Sealed),
        _ => Err(format!("{word:?} is neither open nor sealed; {USAGE}")),
    }
}
