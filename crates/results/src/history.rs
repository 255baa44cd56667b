//! `history.jsonl`: what runs measured, one line for each cell of a run, kept for years.
//!
//! Promises: a line is only ever added, all lines of one run by one write; two writers wait for each other; a torn last
//! line is told and never read; any other line that cannot be understood is an error with its number. Leaves out what
//! follows from the lines: their order, series and changes are concluded.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{ErrorKind, Read as _, Write as _};
use std::path::Path;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::trial::Cell;

/// The newest format of a line.
pub const FORMAT: u32 = 1;

/// A line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum HistoryLine {
    /// What a run measured of a cell.
    Point(Point),
    /// A run completed practically no transaction of a cell.
    Broken(BrokenCell),
    /// Somebody takes the levels since a run for the new ones.
    Accepted(Accepted),
}

/// What a run measured of a cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Format version, [`FORMAT`] when written by this build.
    pub format: u32,
    /// The run's identifier.
    pub run: String,
    /// When the run began.
    pub at: Timestamp,
    /// Version of the pgdyno that measured.
    pub pgdyno_version: String,
    /// The cell.
    #[serde(flatten)]
    pub cell: Cell,
    /// The metric that decides about the cell.
    pub metric: String,
    /// The unit of `point`, `low` and `high`.
    pub unit: String,
    /// Which direction is good.
    pub better: MetricDirection,
    /// The mean over the trials that count; positive.
    pub point: f64,
    /// Its 95 % interval over these trials; absent where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<[f64; 2]>,
    /// How many trials they are.
    pub trials: u32,
    /// The smallest change worth acting on, as a share.
    pub threshold: f64,
    /// The conditions under which figures can be compared, as they were stated or read back.
    pub contract: BTreeMap<String, String>,
    /// What the figures are of: version and settings, as read back.
    pub server: BTreeMap<String, String>,
    /// What the run says against its own figure, as its report does; absent in lines of before it was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "caveats", alias = "doubts")]
    pub doubts: Option<Vec<RunDoubt>>,
}

/// A cell of a run without a figure, since practically all of its transactions failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrokenCell {
    /// Format version, [`FORMAT`] when written by this build.
    pub format: u32,
    /// The run's identifier.
    pub run: String,
    /// When the run began.
    pub at: Timestamp,
    /// The cell.
    #[serde(flatten)]
    pub cell: Cell,
    /// How many transactions failed and why, for a person.
    pub reason: String,
}

/// What a run says against its own figure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunDoubt {
    /// The rule of the audit that is broken, or the kind of the caveat: the same in every run.
    pub kind: String,
    /// What was found, for a person.
    pub text: String,
    /// It is something that the server did, such as failed transactions, and not how it was measured.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_outcome: bool,
}

/// Which direction of a metric is good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MetricDirection {
    /// More is better.
    Higher,
    /// Less is better.
    Lower,
}

/// Somebody takes the levels since a run for the new ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Accepted {
    /// Format version, [`FORMAT`] when written by this build.
    pub format: u32,
    /// The first run of the new levels.
    pub run: String,
    /// When it was accepted.
    pub at: Timestamp,
    /// Why, in the words of who did it.
    pub because: String,
}

/// What is in the file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct History {
    /// The whole lines, as they stand.
    pub lines: Vec<HistoryLine>,
    /// The text of a last line that was not written to its end.
    pub torn: Option<String>,
}

impl History {
    /// Reads the whole file.
    ///
    /// # Errors
    /// [`Error::Io`] where it cannot be read, [`Error::Malformed`] with the line's number, [`Error::NewerFormat`].
    pub fn read_file(path: &Path) -> Result<Self> {
        let bytes = std::fs::read(path).map_err(Error::io_error_at("read", path))?;
        Self::from_bytes(path, &bytes)
    }

    /// Adds the lines that `of` makes of what is there, all of them by one write, and none if it fails. The file is
    /// made where there is none, and locked meanwhile: another writer waits. A torn last line gives way to them.
    ///
    /// # Errors
    /// As [`History::read_file`], and those of `of`.
    pub fn add<E: From<Error>>(
        path: &Path,
        of: impl FnOnce(&Self) -> std::result::Result<Vec<HistoryLine>, E>,
    ) -> std::result::Result<(), E> {
        let mut file = File::options()
            .read(true)
            .append(true)
            .create(true)
            .open(path)
            .map_err(Error::io_error_at("open", path))?;
        file.lock().map_err(Error::io_error_at("lock", path))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(Error::io_error_at("read", path))?;
        let lines = of(&Self::from_bytes(path, &bytes)?)?;
        let mut text = String::new();
        for line in &lines {
            text.push_str(&serde_json::to_string(line).expect("plain data always serialises"));
            text.push('\n');
        }
        write_after_whole(&mut file, whole_lines(&bytes).len(), &text).map_err(Error::io_error_at("write", path))?;
        Ok(())
    }

    fn from_bytes(path: &Path, bytes: &[u8]) -> Result<Self> {
        let whole = whole_lines(bytes);
        let torn = &bytes[whole.len()..];
        let numbered = whole.split(|&byte| byte == b'\n').zip(1..).filter(|(line, _)| !line.is_empty());
        let lines = numbered.map(|(line, number)| read_line(path, line, number)).collect::<Result<_>>()?;
        let torn = (!torn.is_empty()).then(|| String::from_utf8_lossy(torn).into_owned());
        Ok(Self { lines, torn })
    }

    /// What was measured, in the order of the file.
    pub fn measured_points(&self) -> impl Iterator<Item = &Point> {
        self.lines.iter().filter_map(|line| match line {
            HistoryLine::Point(point) => Some(point),
            HistoryLine::Broken(_) | HistoryLine::Accepted(_) => None,
        })
    }

    /// What was broken, in the order of the file.
    pub fn broken_cells(&self) -> impl Iterator<Item = &BrokenCell> {
        self.lines.iter().filter_map(|line| match line {
            HistoryLine::Broken(broken) => Some(broken),
            HistoryLine::Point(_) | HistoryLine::Accepted(_) => None,
        })
    }

    /// What every line about a cell is of, in the order of the file: the run, when it began, and the cell.
    pub fn measured_cells(&self) -> impl Iterator<Item = (&str, Timestamp, &Cell)> {
        self.lines.iter().filter_map(|line| match line {
            HistoryLine::Point(Point { run, at, cell, .. }) | HistoryLine::Broken(BrokenCell { run, at, cell, .. }) => {
                Some((run.as_str(), *at, cell))
            }
            HistoryLine::Accepted(_) => None,
        })
    }

    /// What was accepted, in the order of the file.
    pub fn accepted_levels(&self) -> impl Iterator<Item = &Accepted> {
        self.lines.iter().filter_map(|line| match line {
            HistoryLine::Point(_) | HistoryLine::Broken(_) => None,
            HistoryLine::Accepted(accepted) => Some(accepted),
        })
    }
}

/// The bytes of the whole lines.
fn whole_lines(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1)]
}

fn write_after_whole(file: &mut File, whole: usize, text: &str) -> std::io::Result<()> {
    // What was torn would make one broken line with what comes next.
    file.set_len(whole as u64)?;
    file.write_all(text.as_bytes())?;
    file.sync_data()
}

/// One line; only what a series can be made of.
fn read_line(path: &Path, line: &[u8], number: usize) -> Result<HistoryLine> {
    let malformed = |detail: String| Error::Malformed {
        path: path.to_owned(),
        expected: "a history",
        detail: format!("line {number}: {detail}"),
    };
    #[derive(Deserialize)]
    struct Formatted {
        format: u32,
    }
    let Formatted { format } = serde_json::from_slice(line).map_err(|error| malformed(error.to_string()))?;
    if format > FORMAT {
        return Err(Error::NewerFormat { path: path.to_owned(), found: format, newest: FORMAT });
    }
    let line = serde_json::from_slice(line).map_err(|error| malformed(error.to_string()))?;
    match &line {
        HistoryLine::Point(point) if point.point <= 0.0 => {
            Err(malformed(format!("the point {} is not positive", point.point)))
        }
        HistoryLine::Point(point) if !(point.threshold > 0.0 && point.threshold < 1.0) => {
            Err(malformed(format!("the threshold {} is not between 0 and 1", point.threshold)))
        }
        HistoryLine::Point(_) | HistoryLine::Broken(_) | HistoryLine::Accepted(_) => Ok(line),
    }
}

impl Error {
    /// Whether there is no such file.
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() == ErrorKind::NotFound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(run: &str) -> HistoryLine {
        HistoryLine::Point(Point {
            format: FORMAT,
            run: run.to_owned(),
            at: "2026-11-20T09:12:33Z".parse().unwrap(),
            pgdyno_version: "0.1.0".to_owned(),
            cell: Cell { target: "pg17".to_owned(), workload: "read".to_owned(), clients: 8.into() },
            metric: "throughput".to_owned(),
            unit: "tps".to_owned(),
            better: MetricDirection::Higher,
            point: 12_345.6,
            interval: Some([12_000.0, 12_700.0]),
            trials: 3,
            threshold: 0.03,
            contract: BTreeMap::from([("kernel".to_owned(), "6.1".to_owned())]),
            doubts: None,
            server: BTreeMap::new(),
        })
    }

    fn add(path: &Path, lines: &[HistoryLine]) -> Result<()> {
        History::add(path, |_| Ok(lines.to_vec()))
    }

    #[test]
    fn what_was_added_is_read_again() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("history.jsonl");
        let because = "the new disks".to_owned();
        let accepted =
            Accepted { format: FORMAT, run: "b".to_owned(), at: "2026-11-21T00:00:00Z".parse().unwrap(), because };
        let broken = HistoryLine::Broken(BrokenCell {
            format: FORMAT,
            run: "b".to_owned(),
            at: "2026-11-20T09:12:33Z".parse().unwrap(),
            cell: Cell { target: "pg17".to_owned(), workload: "write".to_owned(), clients: 8.into() },
            reason: "all 12 transactions failed".to_owned(),
        });
        add(&path, &[point("a"), point("b"), broken.clone()]).unwrap();
        add(&path, &[HistoryLine::Accepted(accepted.clone())]).unwrap();
        let history = History::read_file(&path).unwrap();
        assert_eq!(history.lines, [point("a"), point("b"), broken, HistoryLine::Accepted(accepted)]);
        assert_eq!(history.torn, None);
    }

    #[test]
    fn two_writers_wait_for_each_other() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("history.jsonl");
        std::thread::scope(|scope| {
            for writer in 0..8 {
                let path = &path;
                scope.spawn(move || {
                    for run in 0..8 {
                        History::add::<Error>(path, |there| {
                            // Each run once more than there were: whoever saw an older file would number it as another
                            // did.
                            Ok(vec![point(&format!("{}-{writer}-{run}", there.lines.len()))])
                        })
                        .unwrap();
                    }
                });
            }
        });
        let history = History::read_file(&path).unwrap();
        let numbers: Vec<String> =
            history.measured_points().map(|point| point.run.split('-').next().unwrap().to_owned()).collect();
        assert_eq!(numbers, (0..64).map(|number| number.to_string()).collect::<Vec<_>>());
    }

    #[test]
    fn a_torn_last_line_is_told_and_gives_way_to_the_next() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("history.jsonl");
        add(&path, &[point("a")]).unwrap();
        let mut file = File::options().append(true).open(&path).unwrap();
        file.write_all(b"{\"kind\":\"poi").unwrap();
        assert_eq!(History::read_file(&path).unwrap().torn.as_deref(), Some("{\"kind\":\"poi"));
        add(&path, &[point("b")]).unwrap();
        let history = History::read_file(&path).unwrap();
        assert_eq!((history.lines, history.torn), (vec![point("a"), point("b")], None));
    }

    #[test]
    fn a_line_that_is_none_is_named_and_nothing_is_written() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("history.jsonl");
        add(&path, &[point("a")]).unwrap();
        let good = std::fs::read_to_string(&path).unwrap();
        for (broken, said) in [
            ("{\"format\":1,\"kind\":\"point\"}".to_owned(), "line 2: missing field `run`"),
            ("nonsense".to_owned(), "line 2: expected"),
            (good.trim().replace("12345.6", "-1.0"), "line 2: the point -1 is not positive"),
            (good.trim().replace("\"format\":1", "\"format\":9"), "has format 9"),
        ] {
            let text = format!("{good}{broken}\n{good}");
            std::fs::write(&path, &text).unwrap();
            let error = add(&path, &[point("b")]).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
    }
}
