//! Units as people and tools write them behind figures and in the names of columns.

use plan::quantity::{self, Kilo};

/// A unit as a factor to the base unit of its kind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct UnitFactor {
    /// Of what.
    pub kind: UnitKind,
    /// So many base units are one.
    pub factor: f64,
}

/// Kinds of units; the base units are nanoseconds, bytes, bytes per second, and 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UnitKind {
    Time,
    Size,
    SizePerSecond,
    /// A count per second.
    PerSecond,
    /// A power of a thousand, or of 1024 where it is a size: `12.3k`.
    Prefix,
    Share,
}

impl UnitFactor {
    /// The same for blocks, which are powers of two whatever the case: 8 kB are 8192 bytes.
    #[must_use]
    pub(crate) fn of_blocks(self) -> Self {
        let thousands = (self.factor.log10() / 3.0).round() as i32;
        let is_decimal =
            matches!(self.kind, UnitKind::Size | UnitKind::Prefix) && self.factor == 1e3_f64.powi(thousands);
        if is_decimal { Self { kind: UnitKind::Size, factor: 1024_f64.powi(thousands) } } else { self }
    }

    /// The word for it in the name of a column; none for units that nobody has there.
    pub(crate) fn word_in_names(self) -> Option<&'static str> {
        const WORDS: [(UnitKind, f64, &str); 16] = [
            (UnitKind::Time, 1.0, "ns"),
            (UnitKind::Time, 1e3, "us"),
            (UnitKind::Time, 1e6, "ms"),
            (UnitKind::Time, 1e9, "s"),
            (UnitKind::PerSecond, 1.0 / 60.0, "per_minute"),
            (UnitKind::PerSecond, 1e3, "thousands"),
            (UnitKind::Prefix, 1e3, "thousands"),
            (UnitKind::Share, 0.01, "percent"),
            (UnitKind::Size, 1024.0, "kib"),
            (UnitKind::Size, 1e3, "kb"),
            (UnitKind::SizePerSecond, 1e3, "kb_per_s"),
            (UnitKind::SizePerSecond, 1024.0, "kib_per_s"),
            (UnitKind::SizePerSecond, 1e6, "mb_per_s"),
            (UnitKind::SizePerSecond, 1_048_576.0, "mib_per_s"),
            (UnitKind::SizePerSecond, 1e9, "gb_per_s"),
            (UnitKind::SizePerSecond, 1_073_741_824.0, "gib_per_s"),
        ];
        WORDS.iter().find(|(kind, factor, _)| *kind == self.kind && *factor == self.factor).map(|(.., word)| *word)
    }

    /// Reads a unit as it stands behind a number or between brackets.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if let Some(factor) = per_second(text) {
            return Some(Self { kind: UnitKind::PerSecond, factor });
        }
        if let Some(factor) = count_prefix_factor(text) {
            return Some(Self { kind: UnitKind::Prefix, factor });
        }
        for ending in ["/sec", "/s", "ps"] {
            if let Some(size) = text.strip_suffix(ending).and_then(size_unit_bytes) {
                return Some(Self { kind: UnitKind::SizePerSecond, factor: size });
            }
        }
        quantity::ns_of(text)
            .map(|factor| Self { kind: UnitKind::Time, factor })
            .or_else(|| size_unit_bytes(text).map(|factor| Self { kind: UnitKind::Size, factor }))
            .or_else(|| (text == "%").then_some(Self { kind: UnitKind::Share, factor: 0.01 }))
    }
}

/// What fio and people write behind a count: `12.3k`.
fn count_prefix_factor(text: &str) -> Option<f64> {
    Some(match text {
        "k" | "K" => 1e3,
        "M" => 1e6,
        "G" => 1e9,
        _ => return None,
    })
}

/// A rate of what is counted, maybe in thousands or by the minute: `tps`, `kIOPS`, `req/s`, `tx/min`.
fn per_second(text: &str) -> Option<f64> {
    if let Some(factor) = rate_factor(text) {
        return Some(factor);
    }
    let (first, rest) = text.split_at_checked(1)?;
    Some(count_prefix_factor(first)? * rate_factor(rest)?)
}

/// How many per second one of a rate is.
fn rate_factor(text: &str) -> Option<f64> {
    const PER: [(&str, f64); 7] = [
        ("/s", 1.0),
        ("/sec", 1.0),
        (" per s", 1.0),
        (" per second", 1.0),
        ("/min", 1.0 / 60.0),
        ("/minute", 1.0 / 60.0),
        (" per minute", 1.0 / 60.0),
    ];
    let text = text.trim_start().to_lowercase();
    let counted = PER.iter().find_map(|(per, factor)| Some((text.strip_suffix(per)?, *factor)));
    match text.as_str() {
        "per s" | "tps" | "iops" | "rps" | "qps" => Some(1.0),
        "tpm" => Some(1.0 / 60.0),
        _ => counted.filter(|(what, _)| is_counted_thing(what)).map(|(_, factor)| factor),
    }
}

/// What a rate may count: nothing, operations, requests, transactions, queries.
fn is_counted_thing(what: &str) -> bool {
    let names =
        ["", "1", "op", "req", "request", "tx", "txn", "trx", "trans", "transaction", "query", "querie", "io", "event"];
    names.contains(&what.strip_suffix('s').unwrap_or(what))
}

/// A unit of size in bytes; a bit is an eighth of one.
pub(super) fn size_unit_bytes(text: &str) -> Option<f64> {
    if let Some(bytes) = quantity::bytes_of(text, Kilo::Is1000) {
        return Some(bytes);
    }
    let prefix = text.strip_suffix("bits").or_else(|| text.strip_suffix("bit")).filter(|prefix| !prefix.is_empty())?;
    Some(quantity::bytes_of(&format!("{}b", prefix.to_lowercase()), Kilo::Is1000)? / 8.0)
}
