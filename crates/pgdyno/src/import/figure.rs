//! A number as people write it: with a decimal comma, with a unit of its own, or not at all.

use super::columns::Unit;

/// A field of a table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Figure {
    /// Nothing: empty, or a word for it.
    Missing,
    /// A number, with its own unit if it has one.
    Number(f64, Option<Unit>),
}

/// Reads a field; the error says what is wrong with it.
pub fn figure(text: &str) -> Result<Figure, String> {
    let text = text.trim();
    if matches!(text.to_ascii_lowercase().as_str(), "" | "-" | "–" | "—" | "n/a" | "na" | "null" | "none") {
        return Ok(Figure::Missing);
    }
    let end = text.find(|c: char| !matches!(c, '0'..='9' | '.' | ',' | '+' | '-' | 'e' | 'E')).unwrap_or(text.len());
    // An `e` that begins a unit is none of the number.
    let digits = text[..end].trim_end_matches(['e', 'E']);
    let unit = text[digits.len()..].trim();
    let number = number(digits).ok_or_else(|| format!("{text:?} is not a number"))?;
    if !number.is_finite() {
        return Err(format!("{text:?} is not a finite number"));
    }
    if number < 0.0 {
        return Err(format!("{text:?} is negative"));
    }
    if unit.is_empty() {
        return Ok(Figure::Number(number, None));
    }
    let unit = Unit::parse(unit).ok_or_else(|| format!("{text:?} has a unit that is not known"))?;
    Ok(Figure::Number(number, Some(unit)))
}

/// Whether the comma of a figure may part thousands as well as decimals: `12,345`, and neither `12,5` nor `0,125`.
pub fn may_part_thousands(text: &str) -> bool {
    let number = text.trim().split(|c: char| !(c.is_ascii_digit() || c == ',')).next().unwrap_or_default();
    number.split_once(',').is_some_and(|(before, after)| {
        (1..=3).contains(&before.len()) && !before.starts_with('0') && after.len() == 3 && !after.contains(',')
    })
}

/// A whole number whose thousands may be parted by commas, as some tools print it; none if they part anything else.
pub fn thousands(text: &str) -> Option<f64> {
    let mut groups = text.split(',');
    let first = groups.next().filter(|first| (1..=3).contains(&first.len()) || !text.contains(','))?;
    let is_parted = groups.all(|group| group.len() == 3);
    let digits: String = text.chars().filter(|c| *c != ',').collect();
    let is_whole = !first.is_empty() && digits.chars().all(|c| c.is_ascii_digit());
    (is_parted && is_whole).then(|| digits.parse().ok()).flatten()
}

/// A number with a decimal point or, where there is one comma and no point, a decimal comma.
pub fn number(digits: &str) -> Option<f64> {
    if !digits.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '+' | '-')) {
        return None;
    }
    match (digits.matches(',').count(), digits.contains('.')) {
        (0, _) => digits.parse().ok(),
        (1, false) => digits.replace(',', ".").parse().ok(),
        _ => None,
    }
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
            assert_eq!(may_part_thousands(text), expected, "{text}");
        }
    }

    #[test]
    fn thousands_are_parted_in_threes_or_not_at_all() {
        for (text, expected) in [
            ("833", Some(833.0)),
            ("90546", Some(90_546.0)),
            ("90,546", Some(90_546.0)),
            ("1,198,067", Some(1_198_067.0)),
            ("90,5", None),
            ("1198,067", None),
            (",067", None),
            ("", None),
            ("n/a", None),
        ] {
            assert_eq!(thousands(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_field_is_a_number_with_or_without_a_unit_or_nothing_or_wrong() {
        use super::super::columns::Unit;
        let cases = [
            ("12.5", Ok(Figure::Number(12.5, None))),
            ("12,5", Ok(Figure::Number(12.5, None))),
            ("1e3", Ok(Figure::Number(1000.0, None))),
            (" 3 ms", Ok(Figure::Number(3.0, Unit::parse("ms")))),
            ("4KiB/s", Ok(Figure::Number(4.0, Unit::parse("KiB/s")))),
            ("", Ok(Figure::Missing)),
            ("n/a", Ok(Figure::Missing)),
            ("NaN", Err("\"NaN\" is not a number".to_owned())),
            ("-1", Err("\"-1\" is negative".to_owned())),
            ("1,234,567", Err("\"1,234,567\" is not a number".to_owned())),
            ("1e999", Err("\"1e999\" is not a finite number".to_owned())),
            ("5 parsec", Err("\"5 parsec\" has a unit that is not known".to_owned())),
        ];
        for (text, expected) in cases {
            assert_eq!(figure(text), expected, "{text}");
        }
    }
}
