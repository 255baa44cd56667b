//! A number as people write it: with a decimal comma, with a unit of its own, or not at all.

use super::unit::UnitFactor;

/// A field of a table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum TableFigure {
    /// Nothing: empty, or a word for it.
    Missing,
    /// A number, with its own unit if it has one.
    Number(f64, Option<UnitFactor>),
}

/// What the decimals of a table are marked with; the other mark parts thousands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Marks {
    /// No field tells, or fields contradict each other.
    #[default]
    Unknown,
    /// `1,234.5`
    Points,
    /// `1.234,5`
    Commas,
}

impl Marks {
    /// What the fields of a table tell, each with whether its column has whole numbers only.
    pub(crate) fn from_fields<'t>(fields: impl Iterator<Item = (&'t str, bool)>) -> Self {
        let mut told = Self::Unknown;
        for (field, is_whole) in fields {
            match (told, Self::of_one(field, is_whole)) {
                (_, Self::Unknown) => {}
                (Self::Unknown, own) => told = own,
                (told, own) if told != own => return Self::Unknown,
                _ => {}
            }
        }
        told
    }

    fn of_one(field: &str, is_whole: bool) -> Self {
        let text = field.trim();
        let digits = &text[..end_of_number(text)];
        let (commas, points) = (digits.matches(',').count(), digits.matches('.').count());
        let last_comma_is_first = digits.rfind(',') < digits.find('.');
        let points_are = |marks: bool| if marks { Self::Points } else { Self::Commas };
        match (commas, points) {
            _ if parse_number_with_marks(digits, Self::Unknown).is_none() => Self::Unknown,
            (0, 0) => Self::Unknown,
            (0, 1) if may_part_thousands(digits, '.') => Self::Unknown,
            (1, 0) if may_part_thousands(digits, ',') => points_are(is_whole).only_if(is_whole),
            (0, points) => points_are(points == 1),
            (commas, 0) => points_are(commas > 1),
            _ => points_are(last_comma_is_first),
        }
    }

    fn only_if(self, holds: bool) -> Self {
        if holds { self } else { Self::Unknown }
    }
}

/// Words and signs for nothing.
const NOTHING: [&str; 14] = ["", "-", "–", "—", "--", "---", "n/a", "na", "n.a.", "null", "none", "?", "…", "..."];

/// What stands in the column of a figure in its place where the measurement failed.
const NOT_MEASURED: [&str; 17] = [
    "x",
    "✗",
    "❌",
    "nil",
    "tbd",
    "failed",
    "fail",
    "error",
    "timeout",
    "timed out",
    "oom",
    "crash",
    "crashed",
    "dnf",
    "skipped",
    "not measured",
    "not tested",
];

/// Whether a field in a column of figures says that there is none, maybe with the reason in brackets.
pub(crate) fn is_not_measured(field: &str) -> bool {
    let field = without_notes(field.trim());
    let word = field.split_once('(').map_or(field, |(word, _)| word.trim_end()).to_lowercase();
    (!word.is_empty() || field.is_empty()) && NOTHING.contains(&word.as_str()) || NOT_MEASURED.contains(&word.as_str())
}

/// Reads a field; the error says what is wrong with it.
pub(crate) fn parse_figure(text: &str, marks: Marks) -> Result<TableFigure, String> {
    let text = text.trim();
    let plain = without_notes(text.trim_start_matches(['~', '≈']).trim_start());
    if NOTHING.contains(&plain.to_ascii_lowercase().as_str()) {
        return Ok(TableFigure::Missing);
    }
    let digits = &plain[..end_of_number(plain)];
    let unit = behind_spread(plain[digits.len()..].trim());
    let number = parse_number_with_marks(digits, marks).ok_or_else(|| format!("{text:?} is not a number"))?;
    if !number.is_finite() {
        return Err(format!("{text:?} is not a finite number"));
    }
    if number < 0.0 {
        return Err(format!("{text:?} is negative"));
    }
    if unit.is_empty() {
        return Ok(TableFigure::Number(number, None));
    }
    let unit = UnitFactor::parse(unit).ok_or_else(|| format!("{text:?} has an unknown unit"))?;
    Ok(TableFigure::Number(number, Some(unit)))
}

/// A field without its marks of footnotes: `1234*`, `1234 [1]`, `1234 †`, `1234²`.
fn without_notes(text: &str) -> &str {
    let text = text.trim_end_matches(|c: char| c.is_whitespace() || "*†‡¹²³⁴⁵⁶⁷⁸⁹⁰^".contains(c));
    let within = text.strip_suffix(']').and_then(|text| text.rsplit_once('['));
    within
        .filter(|(_, note)| note.chars().all(|c| c.is_ascii_digit()) && !note.is_empty())
        .map_or(text, |(before, _)| before.trim_end())
}

/// What stands behind a number, maybe with its spread: the unit of `1234 ± 12 ms` and of `1234 ms ± 1 %`.
fn behind_spread(text: &str) -> &str {
    let signs = ["±", "+/-", "+-"];
    // A bracket behind a figure is a remark: `1303.4 (+8.3 %)`.
    let text = text.split_once('(').map_or(text, |(before, _)| before.trim_end());
    let Some((unit, spread)) = signs.iter().find_map(|sign| text.split_once(sign)) else { return text };
    if !unit.trim().is_empty() {
        return unit.trim();
    }
    let spread = spread.trim_start();
    let unit = spread[end_of_number(spread)..].trim_start();
    // Of a spread in percent nothing follows for the figure itself.
    if unit == "%" { "" } else { unit }
}

/// A change, which may be negative, a share or a ratio: `+12 %`, `-3.5`, `0.4%`, `1.3x`.
pub(crate) fn parse_change(text: &str, marks: Marks) -> Option<f64> {
    let text = text.trim().replace('−', "-");
    let ratio = text.strip_suffix(['x', '×']).or_else(|| text.strip_prefix(['x', '×']));
    let plain = ratio.unwrap_or(&text).trim_end_matches('%').trim();
    let is_number = plain.len() == end_of_number(plain);
    is_number.then(|| parse_number_with_marks(plain, marks)).flatten().filter(|number| number.is_finite())
}

/// Where the number ends that a field begins with.
fn end_of_number(text: &str) -> usize {
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let three_follow = |rest: &str| {
        let mut rest = rest.chars();
        (0..3).all(|_| is_digit(rest.next())) && !is_digit(rest.next())
    };
    let ends = |&(at, c): &(usize, char)| match c {
        '+' | '-' => at > 0 && !text[..at].ends_with(['e', 'E']),
        '0'..='9' | '.' | ',' | 'e' | 'E' => false,
        c if PART_THOUSANDS.contains(&c) => {
            !(is_digit(text[..at].chars().next_back()) && three_follow(&text[at + c.len_utf8()..]))
        }
        _ => true,
    };
    let end = text.char_indices().find(ends).map_or(text.len(), |(at, _)| at);
    // An `e` that begins a unit is none of the number.
    text[..end].trim_end_matches(['e', 'E']).len()
}

/// What parts thousands and nothing else, where three digits follow: spaces of several widths, and what Swiss and
/// programmers write.
const PART_THOUSANDS: [char; 7] = [' ', '\u{a0}', '\u{2009}', '\u{202f}', '\'', '’', '_'];

/// Whether the mark of a figure may part thousands as well as decimals: `12,345`, and neither `12,5` nor `0,125`.
pub(crate) fn may_part_thousands(text: &str, mark: char) -> bool {
    let number = text.trim().split(|c: char| !(c.is_ascii_digit() || c == mark)).next().unwrap_or_default();
    number.split_once(mark).is_some_and(|(before, after)| {
        (1..=3).contains(&before.len()) && !before.starts_with('0') && after.len() == 3 && !after.contains(mark)
    })
}

/// Whether the figures of a column are whole numbers with commas between their thousands: some below a thousand have no
/// mark, and several above have commas before three digits each. Decimals would have been printed in all of them.
pub(crate) fn are_whole_numbers<'t>(fields: impl Iterator<Item = &'t str>) -> bool {
    let (mut plain, mut parted) = (0, 0);
    for field in fields {
        let field = field.trim();
        let digits = &field[..end_of_number(field)];
        if digits.is_empty() {
            continue;
        }
        if digits.len() <= 3 && digits.chars().all(|c| c.is_ascii_digit()) {
            plain += 1;
        } else if may_part_thousands(digits, ',') {
            parted += 1;
        } else {
            return false;
        }
    }
    plain > 0 && parted > 1
}

/// A number whose thousands may be parted. Where one mark could part either, and nobody tells, it marks decimals.
fn parse_number_with_marks(digits: &str, marks: Marks) -> Option<f64> {
    if !digits.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '+' | '-')) {
        return None;
    }
    // Which of them are in their places was seen where the number was found to end.
    let digits = digits.replace(PART_THOUSANDS, "");
    let (commas, points) = (digits.matches(',').count(), digits.matches('.').count());
    let decimal = match (commas, points) {
        (0, 0) => '.',
        (0, 1) if marks == Marks::Commas && may_part_thousands(&digits, '.') => ',',
        (0, 1) => '.',
        (1, 0) if marks == Marks::Points && may_part_thousands(&digits, ',') => '.',
        (1, 0) => ',',
        (0, _) => ',',
        (_, 0) => '.',
        _ if digits.rfind(',') < digits.find('.') => '.',
        _ => ',',
    };
    let (whole, rest) = digits.find(decimal).map_or((digits.as_str(), ""), |at| digits.split_at(at));
    let parts = if decimal == '.' { ',' } else { '.' };
    let mut groups = whole.trim_start_matches(['+', '-']).split(parts);
    let first = groups.next().unwrap_or_default();
    let is_parted = whole.contains(parts);
    if is_parted && !((1..=3).contains(&first.len()) && groups.all(|group| group.len() == 3)) {
        return None;
    }
    format!("{}{}", whole.replace(parts, ""), rest.replacen(decimal, ".", 1)).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_behind_a_comma_may_be_thousands() {
        for (text, expected) in [
            ("12,345", true),
            (" 1,234 ms", true),
            ("999,000", true),
            ("12,5", false),
            ("0,125", false),
            ("1234,567", false),
            ("12,3456", false),
            ("12345", false),
            (",125", false),
            ("", false),
            ("n/a", false),
        ] {
            assert_eq!(may_part_thousands(text, ','), expected, "{text}");
        }
    }

    #[test]
    fn whole_numbers_beside_parted_ones_tell_what_a_comma_is() {
        for (fields, expected) in [
            (&["987", "1,234", "12,345", "—"][..], true),
            (&["987", "1,234"], false),
            (&["1,234", "12,345"], false),
            (&["987", "1,234", "12,3"], false),
            (&["98.7", "1,234", "12,345"], false),
            (&["1987", "1,234", "12,345"], false),
        ] {
            assert_eq!(are_whole_numbers(fields.iter().copied()), expected, "{fields:?}");
        }
    }

    #[test]
    fn a_field_is_a_number_with_or_without_a_unit_or_nothing_or_wrong() {
        use super::super::unit::UnitFactor;
        let cases = [
            ("12.5", Ok(TableFigure::Number(12.5, None))),
            ("12,5", Ok(TableFigure::Number(12.5, None))),
            ("1e3", Ok(TableFigure::Number(1000.0, None))),
            (" 3 ms", Ok(TableFigure::Number(3.0, UnitFactor::parse("ms")))),
            ("4KiB/s", Ok(TableFigure::Number(4.0, UnitFactor::parse("KiB/s")))),
            ("", Ok(TableFigure::Missing)),
            ("n/a", Ok(TableFigure::Missing)),
            ("— [1]", Ok(TableFigure::Missing)),
            ("NaN", Err("\"NaN\" is not a number".to_owned())),
            ("-1", Err("\"-1\" is negative".to_owned())),
            ("1,234,567", Ok(TableFigure::Number(1_234_567.0, None))),
            ("1,234.5 tps", Ok(TableFigure::Number(1234.5, UnitFactor::parse("tps")))),
            ("1.234,5", Ok(TableFigure::Number(1234.5, None))),
            ("1.234.567", Ok(TableFigure::Number(1_234_567.0, None))),
            ("12 345 ms", Ok(TableFigure::Number(12_345.0, UnitFactor::parse("ms")))),
            ("1\u{202f}234\u{202f}567,5", Ok(TableFigure::Number(1_234_567.5, None))),
            ("12'345", Ok(TableFigure::Number(12_345.0, None))),
            ("~ 250 ms", Ok(TableFigure::Number(250.0, UnitFactor::parse("ms")))),
            ("12.3k", Ok(TableFigure::Number(12.3, UnitFactor::parse("k")))),
            ("1,23,456", Err("\"1,23,456\" is not a number".to_owned())),
            ("1,234.567.8", Err("\"1,234.567.8\" is not a number".to_owned())),
            ("1234 ± 12", Ok(TableFigure::Number(1234.0, None))),
            ("1,234.5 +/- 3 ms", Ok(TableFigure::Number(1234.5, UnitFactor::parse("ms")))),
            ("1234 ms ± 2 %", Ok(TableFigure::Number(1234.0, UnitFactor::parse("ms")))),
            ("1234 ± 2 %", Ok(TableFigure::Number(1234.0, None))),
            ("1303.4 (+8.3%)", Ok(TableFigure::Number(1303.4, None))),
            ("6.65 ms (best)", Ok(TableFigure::Number(6.65, UnitFactor::parse("ms")))),
            ("1234*", Ok(TableFigure::Number(1234.0, None))),
            ("1234 [2]", Ok(TableFigure::Number(1234.0, None))),
            ("1234²", Ok(TableFigure::Number(1234.0, None))),
            ("12 34", Err("\"12 34\" has an unknown unit".to_owned())),
            ("1e999", Err("\"1e999\" is not a finite number".to_owned())),
            ("5 parsec", Err("\"5 parsec\" has an unknown unit".to_owned())),
        ];
        for (text, expected) in cases {
            assert_eq!(parse_figure(text, Marks::Unknown), expected, "{text}");
        }
    }

    #[test]
    fn a_word_in_place_of_a_figure_says_that_it_was_not_measured() {
        for field in ["", "—", "n/a", "OOM", "failed [2]", "— (too many clients)", "timed out"] {
            assert!(is_not_measured(field), "{field}");
        }
        for field in ["5", "(39)", "5 (OOM)", "quick", "0"] {
            assert!(!is_not_measured(field), "{field}");
        }
    }

    #[test]
    fn a_change_may_be_negative_and_in_percent() {
        for (text, expected) in [
            ("+12 %", Some(12.0)),
            ("-3.5", Some(-3.5)),
            ("−3,5%", Some(-3.5)),
            ("0.4%", Some(0.4)),
            ("1.3x", Some(1.3)),
            ("× 1,25", Some(1.25)),
            ("x", None),
            ("12 ms", None),
            ("c5.large", None),
            ("", None),
        ] {
            assert_eq!(parse_change(text, Marks::Unknown), expected, "{text}");
        }
    }

    #[test]
    fn one_field_that_is_plain_tells_the_marks_of_all_and_two_that_contradict_each_other_tell_nothing() {
        let marks = |fields: &[&str]| Marks::from_fields(fields.iter().map(|field| (*field, false)));
        for (fields, expected) in [
            (&["12,345", "12.5"][..], Marks::Points),
            (&["12,345", "1,234,567"], Marks::Points),
            (&["12,345", "1,234.5 ms"], Marks::Points),
            (&["12.345", "12,5"], Marks::Commas),
            (&["12.345", "1.234.567"], Marks::Commas),
            (&["12,345", "12.345", "n/a", "x,y"], Marks::Unknown),
            (&["12,5", "12.5"], Marks::Unknown),
        ] {
            assert_eq!(marks(fields), expected, "{fields:?}");
        }
        assert_eq!(Marks::from_fields([("1,000", true)].into_iter()), Marks::Points, "clients are whole");
        assert_eq!(parse_figure("12,345", Marks::Points), Ok(TableFigure::Number(12_345.0, None)));
        assert_eq!(parse_figure("12.345", Marks::Commas), Ok(TableFigure::Number(12_345.0, None)));
    }
}
