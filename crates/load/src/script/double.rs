//! Doubles as pgbench writes them into SQL: C's `%.15g` with PostgreSQL's words for what
//! is no number. Allocates nothing.

use std::fmt::{self, Write};

/// Significant digits; C's `DBL_DIG`.
const DIGITS: usize = 15;

/// A buffer that holds any double as text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DoubleText {
    bytes: [u8; 32],
    length: usize,
}

impl DoubleText {
    pub(crate) fn new() -> DoubleText {
        DoubleText { bytes: [0; 32], length: 0 }
    }

    /// The text of `value`.
    pub(crate) fn format_double(&mut self, value: f64) -> &[u8] {
        self.length = 0;
        if value.is_nan() {
            self.extend(b"NaN");
        } else {
            if value.is_sign_negative() {
                self.push(b'-');
            }
            if value.is_infinite() { self.extend(b"Infinity") } else { self.push_finite(value.abs()) }
        }
        &self.bytes[..self.length]
    }

    fn push_finite(&mut self, value: f64) {
        let mut scientific = DoubleText::new();
        // Cannot fail: "d." and 14 digits, "e", a sign and at most three digits fit.
        let _fits = write!(scientific, "{value:.*e}", DIGITS - 1);
        let text = &scientific.bytes[..scientific.length];
        let (mantissa, exponent) = text.split_at(text.iter().position(|&byte| byte == b'e').unwrap_or(text.len()));
        let exponent: i32 =
            std::str::from_utf8(exponent.get(1..).unwrap_or(b"0")).map_or(0, |e| e.parse().unwrap_or(0));
        let mut digits = [b'0'; DIGITS];
        digits.iter_mut().zip(mantissa.iter().filter(|&&byte| byte != b'.')).for_each(|(to, &from)| *to = from);
        let significant = digits.iter().rposition(|&digit| digit != b'0').map_or(1, |last| last + 1);
        if !(-4..DIGITS as i32).contains(&exponent) {
            self.push(digits[0]);
            self.push_fraction(&digits[1..significant.max(1)]);
            // Cannot fail: 32 bytes are enough for any double.
            let _fits = write!(self, "e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs());
        } else if exponent < 0 {
            self.extend(b"0.");
            (exponent + 1..0).for_each(|_| self.push(b'0'));
            self.extend(&digits[..significant]);
        } else {
            let whole = exponent as usize + 1;
            self.extend(&digits[..whole]);
            self.push_fraction(digits.get(whole..significant).unwrap_or_default());
        }
    }

    fn push_fraction(&mut self, digits: &[u8]) {
        if !digits.is_empty() {
            self.push(b'.');
            self.extend(digits);
        }
    }

    fn push(&mut self, byte: u8) {
        self.extend(&[byte]);
    }

    fn extend(&mut self, bytes: &[u8]) {
        self.bytes[self.length..self.length + bytes.len()].copy_from_slice(bytes);
        self.length += bytes.len();
    }
}

impl Write for DoubleText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.length + text.len() > self.bytes.len() {
            return Err(fmt::Error);
        }
        self.extend(text.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(value: f64) -> String {
        String::from_utf8_lossy(DoubleText::new().format_double(value)).into_owned()
    }

    #[test]
    fn doubles_are_written_as_printf_writes_them_with_15_digits() {
        let cases = [
            (0.0, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (0.1 + 0.2, "0.3"),
            (-1234.5, "-1234.5"),
            (1e14, "100000000000000"),
            (123_456_789_012_345.6, "123456789012346"),
            (1e15, "1e+15"),
            (999_999_999_999_999.9, "1e+15"),
            (0.0001, "0.0001"),
            (0.000_012_345, "1.2345e-05"),
            (1.5e300, "1.5e+300"),
            (5e-324, "4.94065645841247e-324"),
            (f64::MAX, "1.79769313486232e+308"),
            (std::f64::consts::PI, "3.14159265358979"),
            (-f64::NAN, "NaN"),
            (f64::INFINITY, "Infinity"),
            (f64::NEG_INFINITY, "-Infinity"),
        ];
        for (value, expected) in cases {
            assert_eq!(text(value), expected);
        }
    }

    proptest! {
        #[test]
        fn every_double_fits_and_reads_back_to_15_digits(bits: u64) {
            let value = f64::from_bits(bits);
            if value.is_finite() {
                let back: f64 = text(value).parse().expect("a number");
                prop_assert!(back == value || (back - value).abs() <= value.abs() * 1e-14 || value.abs() < 1e-300 || value.abs() > 1e308);
            }
        }
    }
}
