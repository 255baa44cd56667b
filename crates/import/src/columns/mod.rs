//! What the columns of a table mean, from their names alone: a subject, maybe a statistic and a direction, and a unit.
//!
//! `latency_ms_mean`, `Mean latency [ms]` and `avg lat (ms)` are the same. A column whose name is one letter from a
//! known one is an error, never a silent gap; other columns are kept under their own names.

mod name_words;
mod vocabulary;

use std::collections::BTreeSet;

use plan::quantity::{self, Kilo};

use super::unit::{UnitFactor, UnitKind};

/// The unit in a column's name that may be bits or bytes: `Mb/s`, `Gbps`.
pub(crate) fn may_be_bits(name: &str) -> Option<&str> {
    let mut words = name.split(|c: char| !c.is_alphanumeric());
    words.find(|word| {
        let unit = word.strip_suffix("ps").unwrap_or(word);
        matches!(unit, "Kb" | "Mb" | "Gb" | "Tb") && quantity::bytes_of(unit, Kilo::Is1000).is_none()
    })
}

/// What a column tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subject {
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
    /// How long it was to run.
    Duration,
    /// How long it ran.
    Elapsed,
    /// What a client waits between two transactions.
    Thinking,
    /// Transactions that arrive per second, whatever is completed.
    Offered,
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
    fn unit_kind(self) -> Option<UnitKind> {
        match self {
            Self::Duration | Self::Elapsed | Self::Thinking | Self::Connecting | Self::Latency => Some(UnitKind::Time),
            Self::BlockSize => Some(UnitKind::Size),
            Self::Bandwidth | Self::StatedBandwidth => Some(UnitKind::SizePerSecond),
            Self::Throughput | Self::Offered | Self::Operations | Self::StatedOperations => Some(UnitKind::PerSecond),
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
    pub(crate) fn needed_unit(self) -> Option<&'static str> {
        match self.unit_kind()? {
            UnitKind::Time if matches!(self, Self::Duration | Self::Elapsed) => Some("s"),
            UnitKind::Time => Some("ms"),
            UnitKind::SizePerSecond => Some("mib_per_s"),
            UnitKind::Size | UnitKind::PerSecond | UnitKind::Prefix | UnitKind::Share => None,
        }
    }

    /// Whether it is told of reads and of writes apart.
    fn has_directions(self) -> bool {
        matches!(self, Self::Operations | Self::Bandwidth | Self::Latency)
    }

    /// Whether a column of this figure of a distribution may be what is looked for: a deviation of throughputs is none.
    fn can_be(self, statistic: &Statistic) -> bool {
        match self {
            Self::Latency | Self::StatedOperations | Self::StatedBandwidth => true,
            Self::Throughput | Self::Operations | Self::Bandwidth => statistic.rate_rank().is_some(),
            _ => *statistic == Statistic::Mean,
        }
    }

    /// Whether it counts what cannot be parted.
    pub(crate) fn is_whole(self) -> bool {
        let counts = matches!(self, Self::Clients | Self::Threads | Self::Scale | Self::Repetition);
        counts || matches!(self, Self::Transactions | Self::Failed | Self::Depth | Self::Jobs)
    }

    /// Whether it is printed as a whole number: a count, or the rate of requests, which are counted.
    pub(crate) fn is_counted(self) -> bool {
        self.is_whole() || self == Self::Operations
    }

    /// Whether it is a name, and no figure.
    pub(crate) fn is_name(self) -> bool {
        matches!(self, Self::Target | Self::Workload | Self::Job)
    }
}

/// Which figure of a distribution.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Statistic {
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

/// What may stand for all trials or seconds of a rate, the best first.
const MAIN_STATISTICS: [&str; 3] = ["mean", "p50", "max"];

impl Statistic {
    /// Its place among those that may stand for a rate; none for a measure of spread.
    pub(crate) fn rate_rank(&self) -> Option<usize> {
        let name = match self {
            Self::Mean => "mean",
            Self::Percentile(name) => name,
            Self::Max => "max",
            Self::Deviation | Self::Min => return None,
        };
        MAIN_STATISTICS.iter().position(|known| *known == name)
    }
}

/// Reads or writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RequestDirection {
    Read,
    Write,
}

/// A column whose name is understood.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ImportColumn {
    /// What it tells.
    pub subject: Subject,
    /// Which figure of it.
    pub statistic: Statistic,
    /// Of which direction; absent for transactions.
    pub direction: Option<RequestDirection>,
    /// The unit in its name.
    pub unit: Option<UnitFactor>,
    /// The time over which it counts, in seconds, where its name says it: `queries in 300 s`.
    pub over_s: Option<f64>,
    /// Of which repetition it is, where its name says so.
    pub repetition: Option<u32>,
    /// Whether it counts queries, of which a transaction may have several.
    pub counts_queries: bool,
    /// How good its name is among those of its subject; the lowest is the best.
    pub rank: usize,
}

impl ImportColumn {
    /// Whether it is a figure of one direction of storage, if it names one.
    pub(crate) fn is_flow(&self) -> bool {
        self.subject.has_directions()
    }

    /// Whether it is measured, and no condition under which something is.
    pub(crate) fn is_figure(&self) -> bool {
        use Subject::{
            Bandwidth, Connecting, Elapsed, Failed, Latency, Operations, Throughput, Transactions, Utilisation,
        };
        let measured = matches!(self.subject, Throughput | Transactions | Failed | Latency | Operations | Bandwidth);
        measured || matches!(self.subject, Elapsed | Connecting | Utilisation)
    }

    /// Whether it tells of a disk: by its subject, or since it is of reads or writes.
    pub(crate) fn is_of_storage(&self) -> bool {
        matches!(self.subject, Subject::Operations | Subject::Bandwidth)
            || self.subject == Subject::Latency && self.direction.is_some()
    }
}

/// Reads the name of a column; none when it is not known, or has a word that may change what it tells: `network
/// latency` and `tail latency` are no latencies of a transaction.
pub(crate) fn parse_column_name(name: &str) -> Option<ImportColumn> {
    let (name, bracketed) = unit_in_brackets(name);
    let mut words = name_words::split_name_into_words(&name);
    let includes = name_words::drop_connection_times(&mut words);
    name_words::drop_place_of_peak(&mut words);
    let over_s = name_words::take_time(&mut words);
    let repetition = name_words::take_repetition(&mut words);
    name_words::take_number_of_all(&mut words);
    let statistic = name_words::take_statistic(&mut words);
    // `transactions per second (TPS)` says it twice.
    let is_said_twice = bracketed.is_some() && words.iter().any(|word| word == "per");
    let own = (bracketed.is_none() || is_said_twice).then(|| name_words::take_unit(&mut words)).flatten();
    let unit = bracketed.or(own);
    let direction = name_words::take_direction(&mut words);
    let known = find_subject(&words);
    let others = known.as_ref().map_or(&[][..], |(_, _, others)| others);
    // Only a name without any other word: that word may be a known one misspelt.
    let is_bare = words.iter().all(|word| vocabulary::is_neutral(word));
    let implied = match unit.map(|unit| unit.kind) {
        // `read_mib_per_s`, `p95_ms`, `tx/s`, `queries in 300 s`
        Some(UnitKind::SizePerSecond) if is_bare => Some(Subject::Bandwidth),
        Some(UnitKind::Time) if is_bare && statistic.is_some() => Some(Subject::Latency),
        Some(UnitKind::PerSecond) if is_bare && words.iter().any(|word| vocabulary::is_transaction(word)) => {
            Some(Subject::Throughput)
        }
        None if is_bare && over_s.is_some() => Some(Subject::Transactions),
        _ => None,
    };
    let subject = match (known.as_ref().map(|(_, subject, _)| *subject).or(implied)?, unit.map(|unit| unit.kind)) {
        (Subject::Transactions, Some(UnitKind::PerSecond)) => Subject::Throughput,
        (Subject::Throughput, Some(UnitKind::SizePerSecond)) => Subject::Bandwidth,
        (subject, _) => subject,
    };
    // `latency per transaction` is a latency, `transactions per client` are something else.
    if !others.iter().all(|word| vocabulary::is_neutral(word) || subject == Subject::Latency && word == "per")
        || direction.is_some() && !subject.has_directions()
    {
        return None;
    }
    // `failed_percent` and `read_bandwidth_mb` tell something else than their subject.
    let is_of_subject = |unit: UnitFactor| {
        subject.unit_kind() == Some(unit.kind)
            || unit.kind == UnitKind::Prefix && (subject.is_whole() || subject.unit_kind() == Some(UnitKind::PerSecond))
    };
    let statistic = statistic.unwrap_or(Statistic::Mean);
    let counts_queries = words.iter().any(|word| matches!(word.as_str(), "queries" | "qps"));
    let rank = match subject {
        // What is called a target is one, whatever is called a configuration beside it.
        Subject::Target => known.as_ref().map_or(0, |(place, ..)| *place),
        Subject::Throughput | Subject::Operations | Subject::Bandwidth => {
            // `tps (including connections establishing)` stands beside a better one.
            let worse = usize::from(counts_queries) + usize::from(includes);
            statistic.rate_rank().unwrap_or(0) + worse * MAIN_STATISTICS.len()
        }
        _ => 0,
    };
    ((subject.is_name() || unit.is_none_or(is_of_subject)) && subject.can_be(&statistic)).then_some(ImportColumn {
        subject,
        repetition,
        counts_queries,
        statistic,
        direction,
        unit,
        over_s,
        rank,
    })
}

/// The name of a known column that has the same meaning, in the words of the documentation: `latency_ms_mean`.
pub(crate) fn canonical_name(column: &ImportColumn) -> String {
    let subject = match column.subject {
        Subject::Target => "target",
        Subject::Workload => "workload",
        Subject::Job => "job",
        Subject::Clients => "clients",
        Subject::Threads => "threads",
        Subject::Scale => "scale",
        Subject::Repetition => "repetition",
        Subject::Throughput if column.counts_queries => "qps",
        Subject::Throughput => "tps",
        Subject::Transactions => "transactions",
        Subject::Failed => "failed",
        Subject::Duration => "duration",
        Subject::Elapsed => "elapsed",
        Subject::Thinking => "think_time",
        Subject::Offered => "target_rate",
        Subject::Connecting => "initial_connection",
        Subject::Latency => "latency",
        Subject::Operations => "iops",
        Subject::Bandwidth => "bandwidth",
        Subject::BlockSize => "block_size",
        Subject::StatedOperations => "declared_iops",
        Subject::StatedBandwidth => "declared_bandwidth",
        Subject::Depth => "iodepth",
        Subject::Jobs => "numjobs",
        Subject::Utilisation => "utilisation",
    };
    let direction = match column.direction {
        Some(RequestDirection::Read) => "read_",
        Some(RequestDirection::Write) => "write_",
        None => "",
    };
    let unit = match column.unit {
        Some(UnitFactor { kind: UnitKind::PerSecond, factor: 1.0 }) | None => String::new(),
        Some(unit) => unit.word_in_names().map_or(String::new(), |word| format!("_{word}")),
    };
    let statistic = match &column.statistic {
        Statistic::Mean if column.subject == Subject::Latency => "_mean".to_owned(),
        Statistic::Mean => String::new(),
        Statistic::Deviation => "_stddev".to_owned(),
        Statistic::Min => "_min".to_owned(),
        Statistic::Max => "_max".to_owned(),
        Statistic::Percentile(name) => format!("_{name}"),
    };
    format!("{direction}{subject}{unit}{statistic}")
}

/// Whether a column of this name, which no subject is known of, may name the sides with these values: with several, of
/// which not all are numbers, but for versions.
pub(crate) fn may_name_sides<'v>(name: &str, values: impl Iterator<Item = &'v str>) -> bool {
    let words = name_words::split_name_into_words(name);
    let is_setting = vocabulary::setting_from_words(&words).is_some();
    if !is_setting && !vocabulary::may_name_sides(&words) {
        return false;
    }
    let values: BTreeSet<&str> = values.map(str::trim).filter(|value| !value.is_empty()).collect();
    let are_numbers = values.iter().all(|value| value.parse::<f64>().is_ok());
    let may_be_numbers = is_setting || words.iter().any(|word| vocabulary::is_version(word));
    values.len() > 1 && (!are_numbers || may_be_numbers)
}

/// What a column that is of no figure tells of PostgreSQL itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ServerColumn {
    Version,
    Setting(&'static str),
}

/// What a column of this name tells of PostgreSQL: `PostgreSQL version`, `pg_version`, `fsync`.
pub(crate) fn of_server(name: &str) -> Option<ServerColumn> {
    let words = name_words::split_name_into_words(name);
    let is_version = words.iter().any(|word| word == "version")
        && words.len() > 1
        && words.iter().all(|word| matches!(word.as_str(), "postgresql" | "postgres" | "pg" | "server" | "version"));
    if is_version {
        Some(ServerColumn::Version)
    } else {
        vocabulary::setting_from_words(&words).map(ServerColumn::Setting)
    }
}

/// Whether a word of a heading says nothing of what stands below it.
pub(crate) fn says_nothing_in_heading(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    matches!(word.as_str(), "" | "table" | "tab" | "figure" | "summary" | "comparison" | "performance" | "tests")
        || vocabulary::is_neutral(&word)
        || word.chars().all(|c| c.is_ascii_digit())
}

/// The subject whose words are most of a name's, its place in the vocabulary, and the name's other words.
fn find_subject(words: &[String]) -> Option<(usize, Subject, Vec<String>)> {
    let known = vocabulary::SUBJECTS
        .iter()
        .enumerate()
        .filter(|(_, (all, _))| all.iter().all(|word| words.iter().any(|w| w == word)));
    // `block size` is more than `block`.
    let (place, (all, subject)) = known.max_by_key(|(_, (all, _))| all.len())?;
    Some((place, *subject, words.iter().filter(|word| !all.contains(&word.as_str())).cloned().collect()))
}

/// Takes a unit out of a name that stands in brackets: `throughput (tx/min)`, `TPS [k]`.
fn unit_in_brackets(name: &str) -> (String, Option<UnitFactor>) {
    let found = [('(', ')'), ('[', ']')].into_iter().find_map(|(open, close)| {
        let (before, rest) = name.rsplit_once(open)?;
        let (within, after) = rest.split_once(close)?;
        // `latency (min)` is the smallest far more often than in minutes.
        let unit = UnitFactor::parse(within).filter(|_| !matches!(within.trim(), "min" | "h" | "d"))?;
        // What is counted stays in the name.
        let within = within.to_lowercase();
        let counted = if ["qps", "qpm", "quer"].iter().any(|word| within.contains(word)) { "queries" } else { "" };
        Some((format!("{before} {counted} {after}"), unit))
    });
    found.map_or_else(|| (name.to_owned(), None), |(name, unit)| (name, Some(unit)))
}

/// The name of a known column that a person probably meant by one that is not known.
pub(crate) fn nearest_column_name(name: &str) -> Option<String> {
    let words = name_words::split_name_into_words(name);
    let single = || vocabulary::SUBJECTS.iter().filter(|(all, _)| all.len() == 1);
    let known = || single().flat_map(|(all, _)| all.iter().copied()).filter(|word| word.len() > 3);
    // Reads and writes are no misspelt threads.
    words.iter().filter(|word| !matches!(word.as_str(), "read" | "reads" | "write" | "writes")).find_map(|word| {
        let meant = work::nearest_candidate(word, known()).filter(|meant| meant != word)?;
        let name = words.iter().map(|w| if w == word { meant } else { w }).collect::<Vec<_>>().join("_");
        parse_column_name(&name).map(|_| name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_means_the_same_however_it_is_spelt() {
        let ms = UnitFactor { kind: UnitKind::Time, factor: 1e6 };
        for name in ["latency_ms_mean", "Mean latency [ms]", "avg lat (ms)", "latency_ms", "latency-average-msec"] {
            let expected = ImportColumn {
                subject: Subject::Latency,
                statistic: Statistic::Mean,
                direction: None,
                unit: Some(ms),
                over_s: None,
                repetition: None,
                counts_queries: false,
                rank: 0,
            };
            assert_eq!(parse_column_name(name), Some(expected), "{name}");
        }
        let found = parse_column_name("read_mib_per_s").unwrap();
        assert_eq!((found.subject, found.direction), (Subject::Bandwidth, Some(RequestDirection::Read)));
        assert_eq!(found.unit, Some(UnitFactor { kind: UnitKind::SizePerSecond, factor: 1_048_576.0 }));
        let found = parse_column_name("write_latency_ms_p99.9").unwrap();
        assert_eq!(found.statistic, Statistic::Percentile("p99.9".to_owned()));
        assert_eq!(parse_column_name("initial_connection_ms").map(|c| c.subject), Some(Subject::Connecting));
        assert_eq!(parse_column_name("block_size").map(|c| c.subject), Some(Subject::BlockSize));
        assert_eq!(parse_column_name("block").map(|c| c.subject), Some(Subject::Repetition));
        assert_eq!(parse_column_name("95th percentile (us)").map(|c| c.subject), Some(Subject::Latency));
        assert_eq!(parse_column_name("colour"), None);
        for (name, expected) in [
            ("queries in 300 s", Some(300.0)),
            ("Transactions (5 min)", Some(300.0)),
            ("transactions", None),
            ("latency at 300 s", None),
        ] {
            assert_eq!(parse_column_name(name).and_then(|column| column.over_s), expected, "{name}");
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
            ("throughput_mb_per_s", Some((Subject::Bandwidth, mb))),
            ("transactions_per_minute", Some((Subject::Throughput, 1.0 / 60.0))),
            ("Throughput (tx/min)", Some((Subject::Throughput, 1.0 / 60.0))),
            ("Throughput (kTPS)", Some((Subject::Throughput, kb))),
            ("kTPS", Some((Subject::Throughput, kb))),
            ("tpm", Some((Subject::Throughput, 1.0 / 60.0))),
            ("Throughput (QPS)", Some((Subject::Throughput, 1.0))),
            ("queries/s", Some((Subject::Throughput, 1.0))),
            ("transactions (k)", Some((Subject::Transactions, kb))),
            ("read kIOPS", Some((Subject::Operations, kb))),
            ("tpmC", None),
            ("transactions_per_client", None),
            ("failed_per_second", None),
            ("errors (%)", None),
            ("latency_percent", None),
            ("scale_gb", None),
            ("block_size_ms", None),
            ("run_s", None),
        ] {
            let found = parse_column_name(name)
                .map(|column| (column.subject, column.unit.map_or(f64::NAN, |unit| unit.factor)));
            assert_eq!(found, expected, "{name}");
        }
        for (name, expected) in
            [("clients", Subject::Clients), ("target's name", Subject::Target), ("tps", Subject::Throughput)]
        {
            assert_eq!(parse_column_name(name).map(|column| column.subject), Some(expected), "{name}");
        }
    }

    #[test]
    fn a_word_that_may_change_what_a_column_tells_leaves_it_unknown() {
        for name in [
            "network latency (ms)",
            "Tail latency (ms)",
            "commit latency (ms)",
            "Client CPU (%)",
            "Transaction type",
            "Δ TPS",
            "TPS change (%)",
            "tps_stddev",
            "TPS (p95)",
            "min throughput",
            "max_connections",
            "target throughput of the SLA",
            "read clients",
            "latency 95% CI (ms)",
        ] {
            assert_eq!(parse_column_name(name), None, "{name}");
        }
        let counts_queries = |name: &str| parse_column_name(name).is_some_and(|column| column.counts_queries);
        assert!(counts_queries("Throughput (kQPS)") && counts_queries("queries/s"));
        assert!(!counts_queries("Throughput (req/s)") && !counts_queries("Throughput (tx/s)"));
        for (name, expected) in [
            ("Number of concurrent clients", Subject::Clients),
            ("PostgreSQL throughput (transactions/s)", Subject::Throughput),
            ("end-to-end latency (ms)", Subject::Latency),
            ("Average response time (ms)", Subject::Latency),
            ("median TPS", Subject::Throughput),
            ("peak tps", Subject::Throughput),
            ("Platform", Subject::Target),
            ("think time (ms)", Subject::Thinking),
            ("tps (excluding connections establishing)", Subject::Throughput),
            ("TPS (mean of 10)", Subject::Throughput),
            ("Transactions per second (TPS)", Subject::Throughput),
            ("req/s", Subject::Throughput),
            ("Virtual users", Subject::Clients),
            ("client count", Subject::Clients),
            ("target rate (tps)", Subject::Offered),
            ("run time (s)", Subject::Elapsed),
        ] {
            assert_eq!(parse_column_name(name).map(|column| column.subject), Some(expected), "{name}");
        }
    }

    #[test]
    fn a_percentile_is_told_however_it_is_spelt() {
        for (name, expected) in [
            ("Lat (ms, 95%)", "p95"),
            ("99%ile (ms)", "p99"),
            ("latency_p99_9_ms", "p99.9"),
            ("latency 99.9th (us)", "p99.9"),
            ("latency ms P 90", "p90"),
            ("95 percentile latency (ms)", "p95"),
            ("p999_ms", "p99.9"),
        ] {
            let found = parse_column_name(name).map(|column| column.statistic);
            assert_eq!(found, Some(Statistic::Percentile(expected.to_owned())), "{name}");
        }
        for (name, expected) in [
            ("Latency std dev (ms)", Statistic::Deviation),
            ("latency standard deviation ms", Statistic::Deviation),
            ("latency (min) [ms]", Statistic::Min),
            ("maximum latency (ms)", Statistic::Max),
        ] {
            assert_eq!(parse_column_name(name).map(|column| column.statistic), Some(expected), "{name}");
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
    fn the_canonical_name_of_a_column_means_the_same() {
        for (name, expected) in [
            ("Mean latency [ms]", "latency_ms_mean"),
            ("95th percentile (us)", "latency_us_p95"),
            ("TPM", "tps_per_minute"),
            ("Throughput (kTPS)", "tps_thousands"),
            ("queries/s", "qps"),
            ("Read (MiB/s)", "read_bandwidth_mib_per_s"),
            ("Clients", "clients"),
            ("run time (s)", "elapsed_s"),
            ("write IOPS", "write_iops"),
            ("Initial connection time (ms)", "initial_connection_ms"),
            ("block size", "block_size"),
        ] {
            let column = parse_column_name(name).expect(name);
            let canonical = canonical_name(&column);
            assert_eq!(canonical, expected, "{name}");
            let again = parse_column_name(&canonical).expect(expected);
            let meaning = |column: &ImportColumn| (column.subject, column.statistic.clone(), column.direction);
            assert_eq!(meaning(&again), meaning(&column), "{name}");
            let factor = |column: &ImportColumn| column.unit.map_or(1.0, |unit| unit.factor);
            assert!((factor(&again) / factor(&column) - 1.0).abs() < 1e-12, "{name}");
        }
    }

    #[test]
    fn a_misspelt_column_finds_its_neighbour_and_a_strange_one_none() {
        assert_eq!(nearest_column_name("latncy_ms_mean").as_deref(), Some("latency_ms_mean"));
        assert_eq!(nearest_column_name("client").as_deref(), Some("clients"));
        assert_eq!(nearest_column_name("colour"), None);
        assert_eq!(nearest_column_name("reads"), None);
    }
}
