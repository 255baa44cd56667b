//! What the forms of a report print, read back as numbers. Of a rounded number as much is known as was printed.

use std::collections::BTreeMap;

/// A number as it is printed, with what it may be off by for its rounding.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Printed {
    pub(crate) value: f64,
    pub(crate) off_by: f64,
}

impl Printed {
    /// Whether both may be the same number.
    pub(crate) fn may_be(self, value: f64) -> bool {
        (self.value - value).abs() <= self.off_by * 1.000_001 + 1e-9 * value.abs()
    }
}

/// `12.3k tps`, `4.08 ms`, `−2.9 %` in a base unit: transactions per second, milliseconds, percent, bytes.
pub(crate) fn number(text: &str) -> Option<Printed> {
    let text = text.trim().trim_end_matches(['%', ' ']).replace('\u{2212}', "-").replace(['±', '+'], "");
    let text = text.trim();
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == '-')).unwrap_or(text.len());
    let (digits, unit) = text.split_at(end);
    let value: f64 = digits.parse().ok()?;
    let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let factor = match unit.trim() {
        "" | "tps" | "ms" | "B" => 1.0,
        "k tps" | "k" | "s" => 1e3,
        "M tps" => 1e6,
        "µs" => 1e-3,
        "KiB" => 1024.0,
        "MiB" => 1024.0 * 1024.0,
        "GiB" => 1024.0 * 1024.0 * 1024.0,
        _ => return None,
    };
    Some(Printed { value: value * factor, off_by: 0.5 * 10_f64.powi(-(decimals as i32)) * factor })
}

/// `[−12.8, −9.0] %`, `[+0.010, +0.030]` and `[950 µs, 1.05 ms]`.
pub(crate) fn interval(text: &str) -> Option<[Printed; 2]> {
    let (ends, unit) = text.trim().strip_prefix('[')?.rsplit_once(']')?;
    let (low, high) = ends.split_once(", ")?;
    let end = |text: &str| number(&format!("{text}{unit}"));
    Some([end(low)?, end(high)?])
}

/// The records of a CSV table by the names of their columns.
pub(crate) fn records(text: &str) -> Vec<BTreeMap<String, String>> {
    csv::Reader::from_reader(text.as_bytes()).deserialize().map(|record| record.expect("a record")).collect()
}

/// The cells of the rows of the first table of a Markdown text, without its titles.
pub(crate) fn markdown_rows(text: &str) -> Vec<Vec<String>> {
    let rows = text.lines().skip_while(|line| !line.starts_with("|---")).skip(1);
    let rows = rows.take_while(|line| line.starts_with('|'));
    rows.map(|line| {
        let cells = line.trim_matches('|').split('|');
        cells.map(|cell| cell.replace('\\', "").trim().to_owned()).collect()
    })
    .collect()
}
