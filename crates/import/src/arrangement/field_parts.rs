//! Fields that hold more than a figure: several figures, a change from one to another, the name of what is measured.

use super::name_parts::is_metric;
use crate::figure::{Marks, TableFigure, is_not_measured, parse_figure};
use crate::unit::{UnitFactor, UnitKind};

/// What stands between the figures of two sides.
const ARROWS: [&str; 8] = ["→", "⇒", "➜", "➔", "⟶", "->", "=>", "~>"];

/// Whether a field is a figure.
pub(super) fn is_figure(field: &str) -> bool {
    matches!(parse_figure(field, Marks::Unknown), Ok(TableFigure::Number(..)))
}

/// Whether a field is empty, or has a word or sign for it.
pub(super) fn is_missing(field: &str) -> bool {
    is_not_measured(field)
}

/// The figures of a field that has so many of them, by lines, slashes, brackets or commas; of a missing field, and of
/// one that has the first only, the others are missing.
pub(super) fn split_into_figures(field: &str, count: usize) -> Option<Vec<String>> {
    if is_missing(field) {
        return Some(vec![String::new(); count]);
    }
    if count == 1 {
        return is_figure(field).then(|| vec![field.to_owned()]);
    }
    for separators in [&['\n'][..], &['/'], &['('], &[';'], &['|'], &[',']] {
        let pieces: Vec<String> = split_field(field, separators);
        if pieces.len() == count && pieces.iter().all(|piece| is_figure(piece) || is_missing(piece)) {
            return Some(pieces);
        }
    }
    if !is_figure(field) {
        return None;
    }
    let mut pieces = vec![field.to_owned()];
    pieces.resize(count, String::new());
    Some(pieces)
}

/// The pieces between separators; a comma within a number is none.
fn split_field(field: &str, separators: &[char]) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let chars: Vec<char> = field.chars().collect();
    for (at, c) in chars.iter().enumerate() {
        let is_in_number = *c == ',' && chars.get(at + 1).is_some_and(char::is_ascii_digit);
        // `1000 tx/s` is one figure.
        let is_in_unit = *c == '/' && chars.get(at + 1).is_some_and(|next| next.is_alphabetic());
        if separators.contains(c) && !is_in_number && !is_in_unit {
            pieces.push(String::new());
        } else if let Some(piece) = pieces.last_mut() {
            piece.push(*c);
        }
    }
    for piece in &mut pieces {
        // The bracket around a whole piece.
        let text = piece.trim();
        let text = match text.strip_prefix('(') {
            Some(within) => within.strip_suffix(')').unwrap_or(within),
            None if text.ends_with(')') && !text.contains('(') => &text[..text.len() - 1],
            None => text,
        };
        *piece = text.trim().to_owned();
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// The parts of a text before and behind an arrow.
pub(super) fn split_at_arrow(text: &str) -> Option<(&str, &str)> {
    let arrow = ARROWS.iter().filter_map(|arrow| Some((text.find(arrow)?, arrow.len()))).min()?;
    Some((text[..arrow.0].trim(), text[arrow.0 + arrow.1..].trim()))
}

/// The figures on both sides of an arrow, and the change in brackets behind them: `1200 → 1500 (+25 %)`.
pub(super) fn figures_at_arrow(field: &str) -> Option<(String, String, Option<String>)> {
    let (before, after) = split_at_arrow(field)?;
    let (after, change) = match after.split_once('(') {
        Some((after, change)) => (after.trim(), Some(change.trim_end_matches(')').trim().to_owned())),
        None => (after, None),
    };
    (is_figure(before) && is_figure(after)).then(|| (before.to_owned(), after.to_owned(), change))
}

/// The name of what a field says that it measures, and its figure: `tps = 1530.58`, `latency average: 5 ms`,
/// `1,234 tps`. Only a unit that no other kind of figure has says that.
pub(super) fn named_figure(field: &str) -> Option<(String, String)> {
    if let Some((name, figure)) = field.split_once(['=', ':']) {
        let (name, figure) = (name.trim(), figure.trim());
        return (is_metric(name) && is_figure(figure)).then(|| (name.to_owned(), figure.to_owned()));
    }
    let figure = field.split_once('(').map_or(field, |(figure, _)| figure).trim();
    let Ok(TableFigure::Number(_, Some(UnitFactor { kind, .. }))) = parse_figure(figure, Marks::Unknown) else {
        return None;
    };
    let unit = figure.trim_start_matches(|c: char| !c.is_alphabetic()).to_lowercase();
    let name = match kind {
        UnitKind::SizePerSecond => "bandwidth",
        UnitKind::PerSecond if unit.contains("iops") => "iops",
        UnitKind::PerSecond if unit.contains("qps") || unit.contains("quer") => "qps",
        UnitKind::PerSecond if unit.contains("tp") || unit.contains("trans") || unit.contains("tx") => "tps",
        UnitKind::PerSecond | UnitKind::Time | UnitKind::Size | UnitKind::Prefix | UnitKind::Share => return None,
    };
    Some((name.to_owned(), figure.to_owned()))
}

/// A count and the remark in brackets behind it: `1600 (64 worker)`.
pub(super) fn count_with_remark(field: &str) -> Option<(&str, &str)> {
    let (count, remark) = field.split_once('(')?;
    let remark = remark.trim().strip_suffix(')')?.trim();
    (is_figure(count) && remark.contains(char::is_alphabetic)).then_some((count.trim(), remark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_have_as_many_figures_as_their_header_names() {
        for (field, count, expected) in [
            ("3,441 ± 68\n(1.16 ms)", 2, Some(&["3,441 ± 68", "1.16 ms"][..])),
            ("41215 / 20µs", 2, Some(&["41215", "20µs"])),
            ("2694/ 1480µs", 2, Some(&["2694", "1480µs"])),
            ("1,203 (6.65 ms)", 2, Some(&["1,203", "6.65 ms"])),
            ("1,203, 6.65 ms", 2, Some(&["1,203", "6.65 ms"])),
            ("1,203", 2, Some(&["1,203", ""])),
            ("n/a", 2, Some(&["", ""])),
            ("1203 tx/s", 1, Some(&["1203 tx/s"])),
            ("fast / slow", 2, None),
        ] {
            let found = split_into_figures(field, count);
            let expected = expected.map(|pieces| pieces.iter().map(|piece| (*piece).to_owned()).collect::<Vec<_>>());
            assert_eq!(found, expected, "{field}");
        }
    }

    #[test]
    fn a_field_may_name_its_figure_by_a_word_or_a_unit_that_nothing_else_has() {
        for (field, expected) in [
            ("tps = 1530.58", Some(("tps", "1530.58"))),
            ("latency average: 5.5 ms", Some(("latency average", "5.5 ms"))),
            ("1,234.5 tps (peak)", Some(("tps", "1,234.5 tps"))),
            ("15.9 kIOPS", Some(("iops", "15.9 kIOPS"))),
            ("125 MB/s", Some(("bandwidth", "125 MB/s"))),
            ("5 ms", None),
            ("1234", None),
            ("100/s", None),
            ("scale = 5", None),
            ("done in 24.46 s", None),
        ] {
            let expected = expected.map(|(name, figure)| (name.to_owned(), figure.to_owned()));
            assert_eq!(named_figure(field), expected, "{field}");
        }
    }

    #[test]
    fn figures_stand_on_both_sides_of_an_arrow() {
        let found = figures_at_arrow("1,200 -> 1,500 (+25 %)");
        assert_eq!(found, Some(("1,200".to_owned(), "1,500".to_owned(), Some("+25 %".to_owned()))));
        for field in ["vm → pod", "1200", "1200 → n/a"] {
            assert_eq!(figures_at_arrow(field), None, "{field}");
        }
    }
}
