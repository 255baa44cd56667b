//! The name of a column as words, and what single words of it say: a time, a unit, a statistic, a direction.

use plan::quantity;

use super::super::unit::{UnitFactor, UnitKind, size_unit_bytes};
use super::{RequestDirection, Statistic};

/// What the name of a rate may end with, and its unit of time.
const PER: [(&str, &str); 5] = [("/s", "s"), ("/sec", "s"), ("/second", "s"), ("/min", "min"), ("/minute", "min")];

/// `Mean latency [ms]` → mean, latency, ms; `kB/s` → kb, per, s.
pub(super) fn split_name_into_words(name: &str) -> Vec<String> {
    let name = name.to_lowercase();
    let mut words = Vec::new();
    for word in name.split(|c: char| !(c.is_alphanumeric() || matches!(c, '.' | '%' | '/'))) {
        let (plain, per) = PER.iter().find_map(|(ending, per)| Some((word.strip_suffix(ending)?, *per))).unzip();
        let plain = plain.unwrap_or(word).trim_matches(['.', '/']);
        words.extend(Some(plain).filter(|plain| !plain.is_empty()).map(str::to_owned));
        words.extend(per.into_iter().flat_map(|per| ["per", per]).map(str::to_owned));
    }
    words
}

/// Takes the number out of a name of which a figure is the mean: `tps mean of 10`.
pub(super) fn take_number_of_all(words: &mut Vec<String>) {
    if let Some(at) = words.windows(2).position(|w| w[0] == "of" && w[1].parse::<u32>().is_ok()) {
        words.drain(at..at + 2);
    }
}

/// Drops the words of pgbench about connections behind a throughput, as in `tps (without initial connection time)`, and
/// says whether the time to connect is included.
pub(super) fn drop_connection_times(words: &mut Vec<String>) -> bool {
    let Some(at) = words
        .iter()
        .position(|word| matches!(word.as_str(), "without" | "excluding" | "excl" | "including" | "incl"))
        .filter(|at| *at > 0)
    else {
        return false;
    };
    let count = words[at + 1..].iter().take_while(|word| is_of_connections(word)).count();
    if count == 0 {
        return false;
    }
    let includes = words[at].starts_with("incl");
    words.drain(at..=at + count);
    includes
}

fn is_of_connections(word: &str) -> bool {
    matches!(word, "initial" | "connection" | "connections" | "conn" | "connecting" | "establishing" | "time" | "times")
}

/// Drops of which rung a figure is where it stands for all: `clients at peak`.
pub(super) fn drop_place_of_peak(words: &mut Vec<String>) {
    if let Some(at) = words
        .windows(2)
        .position(|w| w[0] == "at" && matches!(w[1].as_str(), "peak" | "max" | "maximum" | "best" | "highest"))
        .filter(|at| *at > 0)
    {
        words.drain(at..at + 2);
    }
}

/// Takes the number of a repetition out of a name that says more: `tps run 2`, `latency ms #3`.
pub(super) fn take_repetition(words: &mut Vec<String>) -> Option<u32> {
    let at = words.windows(2).position(|w| {
        matches!(w[0].as_str(), "run" | "rep" | "repetition" | "iteration" | "trial" | "round")
            && w[1].parse::<u32>().is_ok()
    })?;
    let number = words[at + 1].parse().ok().filter(|number| *number > 0 && words.len() > 2)?;
    words.drain(at..at + 2);
    Some(number)
}

/// Takes a time over which is counted out of a name: `queries in 300 s`, `transactions (5 min)`.
pub(super) fn take_time(words: &mut Vec<String>) -> Option<f64> {
    let counts = words.iter().any(|word| matches!(word.as_str(), "queries" | "transactions"));
    let at = words
        .windows(2)
        .position(|w| w[0].parse::<f64>().is_ok() && quantity::ns_of(&w[1]).is_some())
        .filter(|_| counts)?;
    let seconds = words[at].parse::<f64>().ok()? * quantity::ns_of(&words[at + 1])? / 1e9;
    words.drain(at..at + 2);
    (seconds > 0.0).then_some(seconds)
}

/// Takes the unit out of a name: `ms`, `mib per s`, `kb s`, `mbps`, `kb`, `percent`, `per minute`, `ktps`.
pub(super) fn take_unit(words: &mut Vec<String>) -> Option<UnitFactor> {
    if let Some(at) = words.windows(2).position(|w| w[0] == "per" && matches!(w[1].as_str(), "min" | "minute")) {
        words.drain(at..at + 2);
        return Some(UnitFactor { kind: UnitKind::PerSecond, factor: 1.0 / 60.0 });
    }
    if let Some((at, (rate, factor))) = words.iter().enumerate().find_map(|(at, word)| Some((at, scaled_rate(word)?))) {
        words[at] = rate.to_owned();
        return Some(UnitFactor { kind: UnitKind::PerSecond, factor });
    }
    let rate = |factor| Some(UnitFactor { kind: UnitKind::SizePerSecond, factor });
    if let Some(at) = words.windows(3).position(|w| w[1] == "per" && is_second(&w[2])) {
        if let Some(factor) = size_word(&words[at]) {
            words.drain(at..at + 3);
            return rate(factor);
        }
        words.drain(at + 1..at + 3);
        return Some(UnitFactor { kind: UnitKind::PerSecond, factor: 1.0 });
    }
    if let Some(at) = words.windows(2).position(|w| size_word(&w[0]).is_some() && is_second(&w[1])) {
        let factor = size_word(&words[at])?;
        words.drain(at..at + 2);
        return rate(factor);
    }
    let unit = |word: &String| {
        let per_second = || word.strip_suffix("ps").and_then(size_word).and_then(rate);
        let size = || size_word(word).map(|factor| UnitFactor { kind: UnitKind::Size, factor });
        // `min` is the smallest far more often than a minute, and other letters mean more than hours and days.
        let time = || {
            quantity::ns_of(word)
                .filter(|_| !matches!(word.as_str(), "min" | "h" | "d"))
                .map(|factor| UnitFactor { kind: UnitKind::Time, factor })
        };
        let is_share = matches!(word.as_str(), "percent" | "%" | "pct");
        let share = || is_share.then_some(UnitFactor { kind: UnitKind::Share, factor: 0.01 });
        let is_thousands = matches!(word.as_str(), "thousands" | "x1000");
        let thousands = || is_thousands.then_some(UnitFactor { kind: UnitKind::Prefix, factor: 1e3 });
        per_second().or_else(size).or_else(time).or_else(share).or_else(thousands)
    };
    let at = words.iter().position(|word| unit(word).is_some())?;
    unit(&words.remove(at))
}

fn is_second(word: &str) -> bool {
    matches!(word, "s" | "sec" | "second")
}

/// A rate in another unit than one per second, and how many of these one is.
fn scaled_rate(word: &str) -> Option<(&'static str, f64)> {
    Some(match word {
        "ktps" => ("tps", 1e3),
        "kqps" => ("qps", 1e3),
        "kiops" => ("iops", 1e3),
        "tpm" => ("tps", 1.0 / 60.0),
        "qpm" => ("qps", 1.0 / 60.0),
        _ => return None,
    })
}

/// A unit of size in a name, where case is lost: `mb` is a million.
fn size_word(word: &str) -> Option<f64> {
    size_unit_bytes(word).filter(|_| word.len() > 1)
}

pub(super) fn take_statistic(words: &mut Vec<String>) -> Option<Statistic> {
    if let Some((at, (name, of_words))) = (0..words.len()).find_map(|at| Some((at, parse_percentile(&words[at..])?))) {
        words.drain(at..at + of_words);
        return Some(Statistic::Percentile(name));
    }
    let at = words.iter().position(|word| statistic_of_word(word).is_some())?;
    let found = statistic_of_word(&words.remove(at));
    if found == Some(Statistic::Deviation) {
        // `standard deviation`, `std dev`
        words.retain(|word| !matches!(word.as_str(), "standard" | "dev" | "deviation"));
    }
    found
}

fn statistic_of_word(word: &str) -> Option<Statistic> {
    match word {
        "mean" | "avg" | "average" => Some(Statistic::Mean),
        "stddev" | "stdev" | "std" | "sd" | "deviation" => Some(Statistic::Deviation),
        "min" | "minimum" | "lowest" => Some(Statistic::Min),
        "max" | "maximum" | "peak" | "highest" => Some(Statistic::Max),
        "median" => Some(Statistic::Percentile("p50".to_owned())),
        _ => None,
    }
}

/// A percentile at the begin of these words, and of how many it is: `p99`, `p99.9`, `p99 9`, `p999`, `p 95`, `95th`,
/// `95%`, `99%ile`, `95 percentile`.
fn parse_percentile(words: &[String]) -> Option<(String, usize)> {
    let (first, second) = (words.first()?.as_str(), words.get(1).map(String::as_str));
    let ordinal = ["th", "%", "%ile"].iter().find_map(|ending| first.strip_suffix(ending));
    match (first.strip_prefix('p').or(ordinal), second) {
        (Some("99"), Some(fraction @ ("9" | "99" | "5"))) => Some((percentile_name(&format!("99.{fraction}"))?, 2)),
        (Some(""), Some(digits)) => Some((percentile_name(digits)?, 2)),
        (Some(digits), _) => Some((percentile_name(digits)?, 1)),
        (None, Some("percentile" | "pctl" | "pct")) => Some((percentile_name(first)?, 2)),
        (None, _) => None,
    }
}

fn percentile_name(digits: &str) -> Option<String> {
    let value: f64 = digits.parse().ok()?;
    match value {
        999.0 => Some("p99.9".to_owned()),
        9999.0 => Some("p99.99".to_owned()),
        value if value > 0.0 && value < 100.0 => Some(format!("p{value}")),
        _ => None,
    }
}

pub(super) fn take_direction(words: &mut Vec<String>) -> Option<RequestDirection> {
    let at = words.iter().position(|word| direction_of_word(word).is_some())?;
    direction_of_word(&words.remove(at))
}

fn direction_of_word(word: &str) -> Option<RequestDirection> {
    match word {
        "read" | "reads" => Some(RequestDirection::Read),
        "write" | "writes" => Some(RequestDirection::Write),
        _ => None,
    }
}
