//! `latency.hlog`: a standard HdrHistogram interval log (version 1.3), one interval a second.
//!
//! Values are nanoseconds. Untagged intervals are the measurement phase over all scripts, which is what the standard
//! tools show by default; `Tag=warm-up` marks warm-up seconds and `Tag=script:<name>` one script of several.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Write};
use std::path::Path;
use std::time::Duration;

use hdrhistogram::Histogram;
use hdrhistogram::serialization::V2DeflateSerializer;
use hdrhistogram::serialization::interval_log::{
    IntervalLogHistogram, IntervalLogIterator, IntervalLogWriterBuilder, IntervalLogWriterError, LogEntry, Tag,
};
use jiff::Timestamp;

use crate::error::{Error, Result};

/// Name of the log inside a trial's directory.
pub const FILE_NAME: &str = "latency.hlog";

/// Which series an interval belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LatencySeries {
    /// The measurement phase, all scripts together.
    Measure,
    /// A second of the warm-up, all scripts together.
    WarmUp,
    /// The measurement phase of one script.
    Script(String),
}

impl LatencySeries {
    fn log_tag(&self) -> Option<String> {
        match self {
            Self::Measure => None,
            Self::WarmUp => Some("warm-up".to_owned()),
            // A tag ends at a comma or white space.
            Self::Script(name) => {
                Some(format!("script:{}", name.replace(|c: char| c == ',' || c.is_whitespace(), "_")))
            }
        }
    }

    fn from_tag(tag: Option<&str>) -> Self {
        match tag {
            None => Self::Measure,
            Some("warm-up") => Self::WarmUp,
            Some(name) => Self::Script(name.strip_prefix("script:").unwrap_or(name).to_owned()),
        }
    }
}

/// When the load of a log began, by its header: instant zero of every interval.
///
/// # Errors
/// [`Error::Io`], and [`Error::Malformed`] while the header is not there yet.
pub fn load_start(path: &Path) -> Result<Timestamp> {
    let file = File::open(path).map_err(Error::io_error_at("read", path))?;
    let mut header = BufReader::new(file).lines().take_while(|line| line.as_ref().is_ok_and(|l| l.starts_with("#[")));
    let start = header.find_map(|line| {
        let line = line.ok()?;
        line.strip_prefix("#[StartTime: ")?.rsplit_once(", ")?.1.strip_suffix(']')?.parse().ok()
    });
    start.ok_or_else(|| Error::Malformed {
        path: path.to_owned(),
        expected: "a latency log",
        detail: "its header has no start time of the load".to_owned(),
    })
}

/// Writes the header that standard tools expect. `load_start` is instant zero of every interval.
pub(crate) fn write_header(out: &mut impl Write, load_start: Timestamp) -> io::Result<()> {
    writeln!(out, "#[pgdyno latency log, values in nanoseconds]")?;
    writeln!(out, "#[Histogram log format version 1.3]")?;
    let seconds = load_start.as_millisecond() as f64 / 1e3;
    writeln!(out, "#[StartTime: {seconds:.3} (seconds since epoch), {load_start}]")?;
    writeln!(out, "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"")
}

/// Appends one interval; `start` counts from the header's start time.
pub(crate) fn write_interval(
    out: &mut impl Write,
    serializer: &mut V2DeflateSerializer,
    series: &LatencySeries,
    start: Duration,
    length: Duration,
    histogram: &Histogram<u64>,
) -> io::Result<()> {
    let tag = series.log_tag();
    IntervalLogWriterBuilder::new()
        // The maximum is for human eyes; standard tools print it in milliseconds.
        .begin_log_with(out, serializer)?
        .write_histogram(histogram, start, length, tag.as_deref().and_then(Tag::new))
        .map_err(|error| match error {
            IntervalLogWriterError::IoError(error) => error,
            IntervalLogWriterError::SerializeError(error) => io::Error::other(error),
        })
}

/// One interval of a log.
#[derive(Debug, Clone)]
pub struct LoggedInterval {
    /// The series.
    pub series: LatencySeries,
    /// Start since the load's start.
    pub start: Duration,
    /// Length.
    pub length: Duration,
    /// Latencies in nanoseconds.
    pub histogram: Histogram<u64>,
}

/// Reads every whole interval of a log; a torn last line is left out.
///
/// # Errors
/// [`Error::Io`] when the file cannot be read, [`Error::Malformed`] when a line other than the last is not an interval.
pub fn read_latency_log(path: &Path) -> Result<Vec<LoggedInterval>> {
    let mut bytes = std::fs::read(path).map_err(Error::io_error_at("read", path))?;
    // A crash can tear only the last line: whatever follows the last newline was never finished.
    bytes.truncate(bytes.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1));
    let malformed = |detail: String| Error::Malformed { path: path.to_owned(), expected: "a latency log", detail };
    let mut deserializer = hdrhistogram::serialization::Deserializer::new();
    let mut intervals = Vec::new();
    for entry in IntervalLogIterator::new(&bytes) {
        let LogEntry::Interval(interval) = entry.map_err(|error| malformed(format!("{error:?}")))? else {
            continue;
        };
        intervals.push(decode_interval(&interval, &mut deserializer).map_err(malformed)?);
    }
    Ok(intervals)
}

fn decode_interval(
    interval: &IntervalLogHistogram<'_>,
    deserializer: &mut hdrhistogram::serialization::Deserializer,
) -> std::result::Result<LoggedInterval, String> {
    use base64::Engine as _;
    let bytes = base64::engine::general_purpose::STANDARD
        .decode(interval.encoded_histogram())
        .map_err(|error| error.to_string())?;
    let histogram = deserializer.deserialize(&mut bytes.as_slice()).map_err(|error| error.to_string())?;
    Ok(LoggedInterval {
        series: LatencySeries::from_tag(interval.tag().as_ref().map(Tag::as_str)),
        start: interval.start_timestamp(),
        length: interval.duration(),
        histogram,
    })
}
