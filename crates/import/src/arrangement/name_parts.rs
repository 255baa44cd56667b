//! The parts of a name as it is published: the figures that it names, and what they are of. `PGO latency (ms)` is the
//! latency of `PGO`, `TPS, 16 clients` a throughput at 16 clients.

use crate::columns::{self, ImportColumn};
use crate::table;
use crate::unit::UnitFactor;

/// A longer name is a sentence.
const WORDS_MAX: usize = 14;

/// Words behind or before a number that say what it counts, and the column that has such numbers.
const COUNTED: [(&str, &[&str]); 4] = [
    (
        "clients",
        &[
            "client",
            "clients",
            "connection",
            "connections",
            "conn",
            "conns",
            "user",
            "users",
            "vus",
            "sessions",
            "concurrency",
            "c",
        ],
    ),
    ("threads", &["thread", "threads"]),
    ("scale", &["scale", "sf"]),
    ("repetition", &["run", "rep", "repetition", "iteration", "round", "trial", "attempt", "pass"]),
];

/// Words that a figure is derived by: it is none of a side.
const DERIVED: [&str; 38] = [
    "average",
    "avg",
    "mean",
    "median",
    "min",
    "max",
    "change",
    "changed",
    "gain",
    "diff",
    "difference",
    "delta",
    "δ",
    "ratio",
    "speedup",
    "speed-up",
    "improvement",
    "overhead",
    "loss",
    "increase",
    "decrease",
    "relative",
    "normalized",
    "normalised",
    "vs",
    "vs.",
    "versus",
    "stddev",
    "std",
    "dev",
    "sd",
    "cv",
    "variance",
    "deviation",
    "spread",
    "%",
    "percent",
    "per",
];

/// Words at the ends of a name that only join others.
const JOINING: [&str; 11] = ["on", "in", "of", "for", "at", "the", "@", "by", "and", "&", "-"];

/// What a name, a heading or the field of a row says of figures.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct NameParts {
    /// Names of known columns of figures, with their units.
    pub metrics: Vec<String>,
    /// Known columns of counts with their values: `clients` and `16`.
    pub counts: Vec<(&'static str, String)>,
    /// What numbers elsewhere count, where it is said without a number: `TPS by clients`.
    pub dimension: Option<&'static str>,
    /// Words of what was done.
    pub workload: String,
    /// The other words.
    pub side: String,
    /// Whether it is of figures that were computed from others.
    pub is_derived: bool,
}

impl NameParts {
    pub(super) fn of_name(name: &str) -> Self {
        let parts = Self::with_side(name);
        let mut subjects =
            parts.metrics.iter().filter_map(|metric| columns::parse_column_name(metric)).map(|column| column.subject);
        let first = subjects.next();
        // `Transactions per second (TPS)` says it twice, `TPS (latency)` is two figures.
        if subjects.all(|subject| Some(subject) == first) && is_metric(name) {
            return Self { metrics: vec![name.trim().to_owned()], ..Self::default() };
        }
        parts
    }

    /// The parts of a name of which no word is taken for one that says nothing: the side of `PostgreSQL TPS` beside
    /// `MySQL TPS`.
    pub(super) fn with_side(name: &str) -> Self {
        let mut parts = Self::default();
        for segment in segments_of_name(name.trim()) {
            parts.read_segment(segment);
        }
        parts
    }

    /// Whether it says whose figures they are or under which conditions they were measured.
    pub(super) fn says_whose(&self) -> bool {
        !self.counts.is_empty() || !self.workload.is_empty() || !self.side.is_empty()
    }

    /// Whether it is of the same side and conditions as another name.
    pub(super) fn is_of_same(&self, other: &Self) -> bool {
        (&self.side, &self.workload, &self.counts) == (&other.side, &other.workload, &other.counts)
    }

    fn read_segment(&mut self, segment: &str) {
        if let Some(last) = self.metrics.last_mut()
            && UnitFactor::parse(segment).is_some()
        {
            let with_unit = format!("{last} ({segment})");
            let lacks_unit = columns::parse_column_name(last).is_some_and(|column| column.unit.is_none());
            if lacks_unit && is_metric(&with_unit) {
                *last = with_unit;
            }
            return;
        }
        let mut words: Vec<&str> = segment
            .split(|c: char| c.is_whitespace() || matches!(c, '_' | '='))
            .filter(|word| !word.is_empty())
            .collect();
        if words.len() > WORDS_MAX {
            push_words(&mut self.side, &words);
            return;
        }
        // `tps (without initial connection time)` is of the figure before it.
        let first = words.first().map_or_else(String::new, |word| word.to_lowercase());
        let is_exclusion = matches!(first.as_str(), "without" | "excluding" | "excl" | "including" | "incl");
        if is_exclusion && words.iter().any(|word| word.to_lowercase().starts_with("conn")) {
            return;
        }
        self.take_counts(&mut words);
        self.take_metric(&mut words);
        self.is_derived |= words.iter().any(|word| DERIVED.contains(&word.to_lowercase().as_str()));
        words.retain(|word| {
            let dimension = dimension_of_word(word);
            self.dimension = self.dimension.or(dimension);
            dimension.is_none()
        });
        while words.first().is_some_and(|word| is_joining(word)) {
            words.remove(0);
        }
        while words.last().is_some_and(|word| is_joining(word)) {
            words.pop();
        }
        let (of_workload, of_side): (Vec<&str>, Vec<&str>) = words.iter().partition(|word| table::is_of_workload(word));
        push_words(&mut self.workload, &of_workload);
        push_words(&mut self.side, &of_side);
    }

    /// Takes counts out of the words: `16 clients`, `c=16`, `run 2`, `#2`.
    fn take_counts(&mut self, words: &mut Vec<&str>) {
        // `16 concurrent clients`
        words.retain(|word| !matches!(word.to_lowercase().as_str(), "concurrent" | "parallel" | "simultaneous"));
        let mut at = 0;
        while at < words.len() {
            let next = words.get(at + 1).copied();
            let found = match next.and_then(|next| counted_pair(words[at], next)) {
                Some(count) => Some((count, 2)),
                None => counted_word(words[at]).map(|count| (count, 1)),
            };
            match found {
                Some((count, taken)) => {
                    words.drain(at..at + taken);
                    self.counts.push(count);
                }
                None => at += 1,
            }
        }
    }

    /// Takes the longest words that name a figure, and words of its statistic elsewhere in the name.
    fn take_metric(&mut self, words: &mut Vec<&str>) {
        let Some((begin, end)) = metric_words(words) else { return };
        let mut metric = words[begin..end].join(" ");
        words.drain(begin..end);
        let mut at = 0;
        while at < words.len() {
            let more = format!("{} {metric}", words[at]);
            if changes_statistic(&metric, &more) {
                metric = more;
                words.remove(at);
            } else {
                at += 1;
            }
        }
        self.metrics.push(metric);
    }
}

/// Whether a name is that of a known column of figures.
pub(super) fn is_metric(name: &str) -> bool {
    columns::parse_column_name(name).is_some_and(|column| column.is_figure())
}

fn changes_statistic(metric: &str, more: &str) -> bool {
    let [one, other]: [Option<ImportColumn>; 2] = [metric, more].map(columns::parse_column_name);
    one.zip(other).is_some_and(|(one, other)| one.subject == other.subject && one.statistic != other.statistic)
}

/// Words that name a thing, though a known column may have them in its name without meaning anything else.
const THINGS: [&str; 14] = [
    "a",
    "s",
    "pgbench",
    "sysbench",
    "fio",
    "disk",
    "device",
    "storage",
    "postgresql",
    "postgres",
    "pg",
    "database",
    "db",
    "test",
];

/// The place of the most words that together name a figure, without those at their ends that name a thing.
fn metric_words(words: &[&str]) -> Option<(usize, usize)> {
    for length in (1..=words.len()).rev() {
        for begin in 0..=words.len() - length {
            if !is_metric(&words[begin..begin + length].join(" ")) {
                continue;
            }
            let (mut begin, mut end) = (begin, begin + length);
            while end - begin > 1 && is_thing(words[begin]) && is_metric(&words[begin + 1..end].join(" ")) {
                begin += 1;
            }
            while end - begin > 1 && is_thing(words[end - 1]) && is_metric(&words[begin..end - 1].join(" ")) {
                end -= 1;
            }
            return Some((begin, end));
        }
    }
    None
}

/// Whether a word at the end of a name of a figure is none of it.
fn is_thing(word: &str) -> bool {
    THINGS.contains(&word.to_lowercase().as_str()) || is_joining(word)
}

/// A name without what parts it: commas, brackets, lines, dashes and slashes between blanks.
fn segments_of_name(name: &str) -> Vec<&str> {
    let mut segments = Vec::new();
    let mut begin = 0;
    let mut before = ' ';
    for (at, c) in name.char_indices() {
        let after = name[at + c.len_utf8()..].chars().next().unwrap_or(' ');
        let is_in_number = before.is_ascii_digit() && after.is_ascii_digit();
        let is_between_blanks = before.is_whitespace() && after.is_whitespace();
        let parts = match c {
            '\n' | ';' | '(' | ')' | '[' | ']' | '|' | '–' | '—' | '·' | '\\' => true,
            ',' | ':' => !is_in_number,
            '/' => {
                before.is_whitespace()
                    || after.is_whitespace()
                    || is_between_metrics(&name[begin..at], after, &name[at + 1..])
            }
            '-' => is_between_blanks,
            _ => false,
        };
        if parts {
            segments.push(name[begin..at].trim());
            begin = at + c.len_utf8();
        }
        before = c;
    }
    segments.push(name[begin..].trim());
    segments.retain(|segment| !segment.is_empty());
    segments
}

/// Whether a slash stands between two names of figures: `TPS/latency`, and not `tx/s`.
fn is_between_metrics(before: &str, after: char, rest: &str) -> bool {
    let end = rest.find(['\n', ';', '(', ')', '[', ']', '|', ',', '/']).unwrap_or(rest.len());
    after.is_alphabetic() && is_metric(before.trim()) && is_metric(rest[..end].trim())
}

/// `16 clients`, `clients 16`, `run 2`
fn counted_pair(one: &str, other: &str) -> Option<(&'static str, String)> {
    match (whole_number(one), whole_number(other)) {
        // `3 runs` are no third run.
        (Some(number), None) => {
            column_of_counts(other).filter(|column| *column != "repetition").map(|column| (column, number))
        }
        (None, Some(number)) => column_of_counts(one).map(|column| (column, number)),
        _ => None,
    }
}

/// `#3`
fn counted_word(word: &str) -> Option<(&'static str, String)> {
    word.strip_prefix('#').and_then(whole_number).map(|number| ("repetition", number))
}

/// The known column that has the numbers that a word counts.
fn column_of_counts(word: &str) -> Option<&'static str> {
    let word = word.trim_end_matches('.').to_lowercase();
    COUNTED.iter().find(|(_, words)| words.contains(&word.as_str())).map(|(column, _)| *column)
}

/// What numbers are counts of, where a word says it without one.
pub(super) fn dimension_of_word(word: &str) -> Option<&'static str> {
    column_of_counts(word).filter(|column| word.len() > 2 && matches!(*column, "clients" | "threads"))
}

/// A whole number without what parts its thousands.
pub(super) fn whole_number(text: &str) -> Option<String> {
    let digits = text.replace([',', '\'', '’'], "");
    let is_number = !digits.is_empty() && digits.len() < 10 && digits.chars().all(|c| c.is_ascii_digit());
    is_number.then_some(digits)
}

fn is_joining(word: &str) -> bool {
    JOINING.contains(&word.to_lowercase().as_str())
}

fn push_words(text: &mut String, words: &[&str]) {
    for word in words {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(word);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The parts of a name in words: metrics, counts, workload, side.
    fn words_of_name(name: &str) -> String {
        let parts = NameParts::of_name(name);
        let counts: Vec<String> = parts.counts.iter().map(|(column, number)| format!("{column} {number}")).collect();
        format!("{} | {} | {} | {}", parts.metrics.join(", "), counts.join(", "), parts.workload, parts.side)
    }

    #[test]
    fn a_name_is_figures_counts_and_whose_they_are() {
        for (name, expected) in [
            ("PGO latency (ms)", "latency (ms) |  |  | PGO"),
            ("TPS, 16 clients", "TPS | clients 16 |  | "),
            ("TPS (average latency)", "TPS, average latency |  |  | "),
            ("TPS/latency (ms)", "TPS, latency (ms) |  |  | "),
            ("Transactions per second (TPS)", "Transactions per second (TPS) |  |  | "),
            ("tps (without initial connection time)", "tps (without initial connection time) |  |  | "),
            ("select-only, TPS", "TPS |  | select-only | "),
            ("p95 VM latency [us]", "p95 latency (us) |  |  | VM"),
            ("Throughput (tx/s) with pgbouncer", "Throughput (tx/s) |  |  | with pgbouncer"),
            ("System A TPS", "TPS |  |  | System A"),
            ("PostgreSQL 16.2 TPS", "TPS |  |  | PostgreSQL 16.2"),
            ("16 concurrent connections", " | clients 16 |  | "),
            ("Run 2", " | repetition 2 |  | "),
            ("c=16", " | clients 16 |  | "),
            ("I/O-Optimized", " |  |  | I/O-Optimized"),
            ("randread 4k IOPS", "IOPS |  |  | randread 4k"),
            ("c5.metal", " |  |  | c5.metal"),
        ] {
            assert_eq!(words_of_name(name), expected, "{name}");
        }
        assert_eq!(NameParts::of_name("RO TPS by clients").dimension, Some("clients"));
        for name in ["TPS change", "TPS stddev", "Speedup", "Δ TPS", "Average"] {
            assert!(NameParts::of_name(name).is_derived, "{name}");
        }
    }

    proptest! {
        #[test]
        fn any_name_is_read(name in "[a-zA-Z0-9é ,:/()\\[\\]=_|\n.%#-]{0,40}") {
            let parts = NameParts::of_name(&name);
            let are_metrics = parts.metrics.iter().all(|metric| is_metric(metric));
            prop_assert!(are_metrics);
        }
    }
}
