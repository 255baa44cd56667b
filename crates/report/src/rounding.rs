//! How many digits of a figure a report keeps.

/// Five significant digits: more than a pixel can show, and a third of the file.
pub(crate) fn round_significant(value: f64) -> f64 {
    rounded_to(5, value)
}

/// To so many significant digits.
pub(crate) fn rounded_to(digits: usize, value: f64) -> f64 {
    format!("{value:.*e}", digits.saturating_sub(1)).parse().expect("a formatted number is a number")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_keeps_five_digits_and_a_reading_as_many_as_it_asks_for() {
        assert_eq!([123_456.0, 0.001_234_56, -2.0, 0.0].map(round_significant), [123_460.0, 0.001_234_6, -2.0, 0.0]);
        assert_eq!([1, 4].map(|digits| rounded_to(digits, 31_234.0)), [30_000.0, 31_230.0]);
    }
}
