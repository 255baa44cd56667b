//! What the columns of a table mean, from their names alone: a subject, maybe a statistic and a direction, and a unit.
//!
//! `latency_ms_mean`, `Mean latency [ms]` and `avg lat (ms)` are the same. A column whose name is one letter from a
//! known one is an error, never a silent gap; other columns are kept under their own names.

use plan::quantity::{self, Kilo};

use super::unit::{Unit, UnitKind, size};

/// The unit in a column's name that may be bits or bytes: `Mb/s`, `Gbps`.
pub fn may_be_bits(name: &str) -> Option<&str> {
    let mut words = name.split(|c: char| !c.is_alphanumeric());
    words.find(|word| {
        let unit = word.strip_suffix("ps").unwrap_or(word);
        matches!(unit, "Kb" | "Mb" | "Gb" | "Tb") && quantity::bytes_of(unit, Kilo::Is1000).is_none()
    })
}

/// What a column tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// The target's name.
    Target,
    /// The workload's name.
    Workload,
    /// A job of a storage benchmark.
    Job,
    Clients,
    /// The generator's threads.
    Threads,
    /// Scale of pgbench's tables.
    Scale,
    /// Which repetition.
    Repetition,
    /// Completed transactions per second.
    Throughput,
    /// Completed transactions.
    Transactions,
    /// Failed transactions.
    Failed,
    /// How long it ran.
    Duration,
    /// Time to connect.
    Connecting,
    /// Latency of transactions, or of requests where there is a direction.
    Latency,
    /// Requests per second.
    Operations,
    /// Bytes per second.
    Bandwidth,
    /// Size of a request.
    BlockSize,
    /// Requests per second that a disk is stated to give at most.
    StatedOperations,
    /// Bytes per second that a disk is stated to give at most.
    StatedBandwidth,
    /// Requests in flight of one job.
    Depth,
    /// Jobs alike.
    Jobs,
    /// How busy the device was.
    Utilisation,
}

impl Subject {
    /// The kind of its figures' unit; none for names and counts, which have none.
    fn kind(self) -> Option<UnitKind> {
        match self {
            Self::Duration | Self::Connecting | Self::Latency => Some(UnitKind::Time),
            Self::BlockSize => Some(UnitKind::Size),
            Self::Bandwidth | Self::StatedBandwidth => Some(UnitKind::SizePerSecond),
            Self::Throughput | Self::Operations | Self::StatedOperations => Some(UnitKind::PerSecond),
            Self::Utilisation => Some(UnitKind::Share),
            Self::Target
            | Self::Workload
            | Self::Job
            | Self::Clients
            | Self::Threads
            | Self::Scale
            | Self::Repetition
            | Self::Transactions
            | Self::Failed
            | Self::Depth
            | Self::Jobs => None,
        }
    }

    /// A unit that its columns could have in their names, where a figure without one could be anything.
    pub fn needed_unit(self) -> Option<&'static str> {
        match self.kind()? {
            UnitKind::Time => Some("ms"),
            UnitKind::SizePerSecond => Some("mib_per_s"),
            UnitKind::Size | UnitKind::PerSecond | UnitKind::Prefix | UnitKind::Share => None,
        }
    }

    /// Whether it counts what cannot be parted.
    pub fn is_whole(self) -> bool {
        let counts = matches!(self, Self::Clients | Self::Threads | Self::Scale | Self::Repetition);
        counts || matches!(self, Self::Transactions | Self::Failed | Self::Depth | Self::Jobs)
    }

    /// Whether it is a name, and no figure.
    pub fn is_name(self) -> bool {
        matches!(self, Self::Target | Self::Workload | Self::Job)
    }
}

/// Words for each subject; the first is the name that messages use. All words of an entry must be in the column's name.
const WORDS: &[(&[&str], Subject)] = &[
    (&["target"], Subject::Target),
    (&["system"], Subject::Target),
    (&["environment"], Subject::Target),
    (&["workload"], Subject::Workload),
    (&["script"], Subject::Workload),
    (&["job"], Subject::Job),
    (&["clients"], Subject::Clients),
    (&["connections"], Subject::Clients),
    (&["concurrency"], Subject::Clients),
    (&["threads"], Subject::Threads),
    (&["scale"], Subject::Scale),
    (&["repetition"], Subject::Repetition),
    (&["iteration"], Subject::Repetition),
    (&["run"], Subject::Repetition),
    (&["block"], Subject::Repetition),
    (&["tps"], Subject::Throughput),
    (&["throughput"], Subject::Throughput),
    (&["transactions"], Subject::Transactions),
    (&["failed"], Subject::Failed),
    (&["errors"], Subject::Failed),
    (&["duration"], Subject::Duration),
    (&["elapsed"], Subject::Duration),
    (&["runtime"], Subject::Duration),
    (&["initial", "connection"], Subject::Connecting),
    (&["connecting"], Subject::Connecting),
    (&["latency"], Subject::Latency),
    (&["lat"], Subject::Latency),
    (&["clat"], Subject::Latency),
    (&["iops"], Subject::Operations),
    (&["bandwidth"], Subject::Bandwidth),
    (&["bw"], Subject::Bandwidth),
    (&["stated", "iops"], Subject::StatedOperations),
    (&["provisioned", "iops"], Subject::StatedOperations),
    (&["stated", "bandwidth"], Subject::StatedBandwidth),
    (&["provisioned", "bandwidth"], Subject::StatedBandwidth),
    (&["block", "size"], Subject::BlockSize),
    (&["bs"], Subject::BlockSize),
    (&["iodepth"], Subject::Depth),
    (&["depth"], Subject::Depth),
    (&["numjobs"], Subject::Jobs),
    (&["util"], Subject::Utilisation),
    (&["utilisation"], Subject::Utilisation),
    (&["utilization"], Subject::Utilisation),
];

/// Which figure of a distribution.
#[derive(Debug, Clone, PartialEq)]
pub enum Statistic {
    /// Arithmetic mean; what a column without a statistic tells.
    Mean,
    /// Standard deviation.
    Deviation,
    /// Smallest.
    Min,
    /// Largest.
    Max,
    /// A percentile by name, as `p99.9`.
    Percentile(String),
}

/// Reads or writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Read,
    Write,
}

/// A column whose name is understood.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// What it tells.
    pub subject: Subject,
    /// Which figure of it.
    pub statistic: Statistic,
    /// Of which direction; absent for transactions.
    pub direction: Option<Direction>,
    /// The unit in its name.
    pub unit: Option<Unit>,
    /// The time over which it counts, in seconds, where its name says it: `queries in 300 s`.
    pub over_s: Option<f64>,
}

impl Column {
    /// Whether it is a figure of one direction of storage, if it names one.
    pub fn is_flow(&self) -> bool {
        matches!(self.subject, Subject::Operations | Subject::Bandwidth | Subject::Latency)
    }
}

/// Reads the name of a column; none when it is not known.
pub fn column(name: &str) -> Option<Column> {
    let mut words = words(name);
    let over_s = take_time(&mut words);
    let unit = take_unit(&mut words);
    let statistic = take_statistic(&mut words);
    let direction = take_direction(&mut words);
    let known = WORDS.iter().filter(|(all, _)| all.iter().all(|word| words.iter().any(|w| w == word)));
    // `block size` is more than `block`.
    let subject = known.max_by_key(|(all, _)| all.len()).map(|(_, subject)| *subject);
    // Only a name without any other word: that word may be a known one misspelt.
    let is_bare = words.iter().all(|word| word == "percentile");
    let implied = match unit.map(|unit| unit.kind) {
        // `read_mib_per_s`, `p95_ms`
        Some(UnitKind::SizePerSecond) if is_bare => Some(Subject::Bandwidth),
        Some(UnitKind::Time) if is_bare && statistic.is_some() => Some(Subject::Latency),
        _ => None,
    };
    let subject = match subject.or(implied)? {
        Subject::Transactions if unit.is_some_and(|unit| unit.kind == UnitKind::PerSecond) => Subject::Throughput,
        subject => subject,
    };
    // `failed_percent`, `read_bandwidth_mb` and `transactions_per_minute` tell something else than their subject.
    let is_of_subject = unit.is_none_or(|unit| subject.kind() == Some(unit.kind));
    let is_ratio = subject != Subject::Latency && words.iter().any(|word| word == "per");
    if !subject.is_name() && (!is_of_subject || is_ratio) {
        return None;
    }
    Some(Column { subject, statistic: statistic.unwrap_or(Statistic::Mean), direction, unit, over_s })
}

/// The name of a known column that a person probably meant by one that is not known.
pub fn nearest(name: &str) -> Option<String> {
    let words = words(name);
    let known = || WORDS.iter().flat_map(|(all, _)| all.iter().copied()).filter(|word| word.len() > 3);
    words.iter().find_map(|word| {
        let meant = work::nearest(word, known()).filter(|meant| meant != word)?;
        Some(words.iter().map(|w| if w == word { meant } else { w }).collect::<Vec<_>>().join("_"))
    })
}

/// `Mean latency [ms]` → mean, latency, ms; `kB/s` → kb, per, s.
fn words(name: &str) -> Vec<String> {
    let name = name.to_lowercase();
    let mut words = Vec::new();
    for word in name.split(|c: char| !(c.is_alphanumeric() || matches!(c, '.' | '%' | '/'))) {
        let rate_of = ["/s", "/sec", "/second"].iter().find_map(|ending| word.strip_suffix(ending));
        let plain = rate_of.unwrap_or(word).trim_matches(['.', '/']);
        words.extend(Some(plain).filter(|plain| !plain.is_empty()).map(str::to_owned));
        words.extend(rate_of.into_iter().flat_map(|_| ["per", "s"]).map(str::to_owned));
    }
    words
}

/// Takes a time over which is counted out of a name: `queries in 300 s`, `transactions (5 min)`.
fn take_time(words: &mut Vec<String>) -> Option<f64> {
    let counts = words.iter().any(|word| matches!(word.as_str(), "queries" | "transactions"));
    let at = words
        .windows(2)
        .position(|w| w[0].parse::<f64>().is_ok() && quantity::ns_of(&w[1]).is_some())
        .filter(|_| counts)?;
    let seconds = words[at].parse::<f64>().ok()? * quantity::ns_of(&words[at + 1])? / 1e9;
    words.drain(at..at + 2);
    // What is counted may be queries where nothing else is.
    words.iter_mut().filter(|word| *word == "queries").for_each(|word| *word = "transactions".to_owned());
    (seconds > 0.0).then_some(seconds)
}

/// Takes the unit out of a name: `ms`, `mib per s`, `kb s`, `mbps`, `kb`, `percent`.
fn take_unit(words: &mut Vec<String>) -> Option<Unit> {
    let is_second = |word: &str| matches!(word, "s" | "sec" | "second");
    let rate = |factor| Some(Unit { kind: UnitKind::SizePerSecond, factor });
    if let Some(at) = words.windows(3).position(|w| w[1] == "per" && is_second(&w[2])) {
        if let Some(factor) = size_word(&words[at]) {
            words.drain(at..at + 3);
            return rate(factor);
        }
        words.drain(at + 1..at + 3);
        return Some(Unit { kind: UnitKind::PerSecond, factor: 1.0 });
    }
    if let Some(at) = words.windows(2).position(|w| size_word(&w[0]).is_some() && is_second(&w[1])) {
        let factor = size_word(&words[at])?;
        words.drain(at..at + 2);
        return rate(factor);
    }
    let unit = |word: &String| {
        let per_second = || word.strip_suffix("ps").and_then(size_word).and_then(rate);
        let size = || size_word(word).map(|factor| Unit { kind: UnitKind::Size, factor });
        // `min` is the smallest far more often than a minute, and other letters mean more than hours and days.
        let time = || {
            quantity::ns_of(word)
                .filter(|_| !matches!(word.as_str(), "min" | "h" | "d"))
                .map(|factor| Unit { kind: UnitKind::Time, factor })
        };
        let is_share = matches!(word.as_str(), "percent" | "%" | "pct");
        let share = || is_share.then_some(Unit { kind: UnitKind::Share, factor: 0.01 });
        per_second().or_else(size).or_else(time).or_else(share)
    };
    let at = words.iter().position(|word| unit(word).is_some())?;
    unit(&words.remove(at))
}

/// A unit of size in a name, where case is lost: `mb` is a million.
fn size_word(word: &str) -> Option<f64> {
    size(word).filter(|_| word.len() > 1)
}

fn take_statistic(words: &mut Vec<String>) -> Option<Statistic> {
    let statistic = |word: &str| match word {
        "mean" | "avg" | "average" => Some(Statistic::Mean),
        "stddev" | "std" | "sd" | "deviation" => Some(Statistic::Deviation),
        "min" => Some(Statistic::Min),
        "max" => Some(Statistic::Max),
        "median" => Some(Statistic::Percentile("p50".to_owned())),
        _ => percentile(word).map(Statistic::Percentile),
    };
    let at = words.iter().position(|word| statistic(word).is_some())?;
    statistic(&words.remove(at))
}

/// `p99`, `p99.9`, `p999`, `95th`.
fn percentile(word: &str) -> Option<String> {
    let digits = word.strip_prefix('p').or_else(|| word.strip_suffix("th"))?;
    let value: f64 = digits.parse().ok()?;
    match value {
        999.0 => Some("p99.9".to_owned()),
        9999.0 => Some("p99.99".to_owned()),
        value if value > 0.0 && value < 100.0 => Some(format!("p{value}")),
        _ => None,
    }
}

fn take_direction(words: &mut Vec<String>) -> Option<Direction> {
    let direction = |word: &str| match word {
        "read" | "reads" => Some(Direction::Read),
        "write" | "writes" => Some(Direction::Write),
        _ => None,
    };
    let at = words.iter().position(|word| direction(word).is_some())?;
    direction(&words.remove(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_means_the_same_however_it_is_spelt() {
        let ms = Unit { kind: UnitKind::Time, factor: 1e6 };
        for name in ["latency_ms_mean", "Mean latency [ms]", "avg lat (ms)", "latency_ms", "latency-average-msec"] {
            let expected = Column {
                subject: Subject::Latency,
                statistic: Statistic::Mean,
                direction: None,
                unit: Some(ms),
                over_s: None,
            };
            assert_eq!(column(name), Some(expected), "{name}");
        }
        let found = column("read_mib_per_s").unwrap();
        assert_eq!((found.subject, found.direction), (Subject::Bandwidth, Some(Direction::Read)));
        assert_eq!(found.unit, Some(Unit { kind: UnitKind::SizePerSecond, factor: 1_048_576.0 }));
        let found = column("write_latency_ms_p99.9").unwrap();
        assert_eq!(found.statistic, Statistic::Percentile("p99.9".to_owned()));
        assert_eq!(column("initial_connection_ms").map(|c| c.subject), Some(Subject::Connecting));
        assert_eq!(column("block_size").map(|c| c.subject), Some(Subject::BlockSize));
        assert_eq!(column("block").map(|c| c.subject), Some(Subject::Repetition));
        assert_eq!(column("95th percentile (us)").map(|c| c.subject), Some(Subject::Latency));
        assert_eq!(column("colour"), None);
        for (name, expected) in [
            ("queries in 300 s", Some(300.0)),
            ("Transactions (5 min)", Some(300.0)),
            ("transactions", None),
            ("latency at 300 s", None),
        ] {
            assert_eq!(column(name).and_then(|column| column.over_s), expected, "{name}");
        }
    }

    #[test]
    fn the_unit_in_a_name_is_that_of_its_subject_or_the_column_is_not_known() {
        let (mib, mb, kb) = (1_048_576.0, 1e6, 1e3);
        for (name, expected) in [
            ("transactions_per_second", Some((Subject::Throughput, 1.0))),
            ("Transactions/s", Some((Subject::Throughput, 1.0))),
            ("throughput [1/s]", Some((Subject::Throughput, 1.0))),
            ("read iops (/s)", Some((Subject::Operations, 1.0))),
            ("block_size_kb", Some((Subject::BlockSize, kb))),
            ("read_bw_mbps", Some((Subject::Bandwidth, mb))),
            ("read_bw_mb_s", Some((Subject::Bandwidth, mb))),
            ("write bandwidth [MiB/s]", Some((Subject::Bandwidth, mib))),
            ("latency_per_transaction_ms", Some((Subject::Latency, 1e6))),
            ("read bandwidth [Mbit/s]", Some((Subject::Bandwidth, mb / 8.0))),
            ("Read Gbit/s", Some((Subject::Bandwidth, 1e9 / 8.0))),
            ("read_bandwidth_mb", None),
            ("throughput_mb_per_s", None),
            ("transactions_per_minute", None),
            ("transactions_per_client", None),
            ("failed_per_second", None),
            ("errors (%)", None),
            ("latency_percent", None),
            ("scale_gb", None),
            ("block_size_ms", None),
            ("run_s", None),
        ] {
            let found = column(name).map(|column| (column.subject, column.unit.map_or(f64::NAN, |unit| unit.factor)));
            assert_eq!(found, expected, "{name}");
        }
        for (name, expected) in
            [("clients", Subject::Clients), ("target's name", Subject::Target), ("tps", Subject::Throughput)]
        {
            assert_eq!(column(name).map(|column| column.subject), Some(expected), "{name}");
        }
    }

    #[test]
    fn a_unit_that_may_be_bits_is_told_by_its_case() {
        for (name, expected) in [
            ("read Mb/s", Some("Mb")),
            ("Read (Gbps)", Some("Gbps")),
            ("read_Mb_s", Some("Mb")),
            ("read MB/s", None),
            ("read_mb_per_s", None),
            ("read Mbit/s", None),
            ("Mbuna", None),
        ] {
            assert_eq!(may_be_bits(name), expected, "{name}");
        }
    }

    #[test]
    fn a_misspelt_column_finds_its_neighbour_and_a_strange_one_none() {
        assert_eq!(nearest("latncy_ms_mean").as_deref(), Some("latency_ms_mean"));
        assert_eq!(nearest("client").as_deref(), Some("clients"));
        assert_eq!(nearest("colour"), None);
    }
}
