//! One value of a fact: its text and where it comes from, which decides how exactly another value must agree with it.

use std::fmt;

use plan::quantity;

/// What people write where they do not know: it is no value, so it differs from none.
const NOT_KNOWN: [&str; 7] = ["", "?", "-", "n/a", "not known", "not stated", "unknown"];

/// A value that is known of a target. It prints as its text; a declared one says so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactValue {
    /// The value, with its unit if it has one.
    pub text: String,
    /// Where it comes from.
    pub provenance: Provenance,
}

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provenance {
    /// Read back from the server or its host.
    ReadBack,
    /// Declared by the author of a publication.
    Declared,
}

impl FactValue {
    /// A value that was read back.
    pub(super) fn read_back(text: String) -> Self {
        Self { text, provenance: Provenance::ReadBack }
    }

    /// A declared value; `None` where its author does not know it.
    pub(super) fn from_declaration(text: &str) -> Option<Self> {
        if NOT_KNOWN.iter().any(|word| text.trim().eq_ignore_ascii_case(word)) {
            return None;
        }
        Some(Self { text: text.to_owned(), provenance: Provenance::Declared })
    }

    /// Whether two values say the same, as far as a declared one tells: `14` may be `14.5`, and `8GB` is `8192MB`.
    pub(super) fn agrees_with(&self, other: &Self) -> bool {
        let (a, b) = (self.text.as_str(), other.text.as_str());
        if self.provenance == Provenance::ReadBack && other.provenance == Provenance::ReadBack {
            return a == b;
        }
        a == b || is_version_within(a, b) || is_version_within(b, a) || is_one_quantity(a, b)
    }
}

impl fmt::Display for FactValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        match self.provenance {
            Provenance::ReadBack => Ok(()),
            Provenance::Declared => f.write_str(" (declared)"),
        }
    }
}

/// Whether `exact` begins with `rough` and a point: `14.5` is a `14`.
fn is_version_within(exact: &str, rough: &str) -> bool {
    exact.strip_prefix(rough).is_some_and(|rest| rest.starts_with('.'))
}

/// Whether two values are one size, time or truth, written in two ways: `8GB` and `8192MB`, `off` and `false`.
fn is_one_quantity(a: &str, b: &str) -> bool {
    fn are_equal<T: PartialEq>(read: fn(&str) -> Option<T>, a: &str, b: &str) -> bool {
        read(a).zip(read(b)).is_some_and(|(a, b)| a == b)
    }
    are_equal(quantity::setting_bytes, a, b)
        || are_equal(quantity::setting_seconds, a, b)
        || are_equal(quantity::setting_truth, a, b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_value_agrees_with_one_that_is_more_exact_or_written_in_another_unit() {
        for (read_back, declared, expected) in [
            ("14.5", "14", true),
            ("14", "14.5", true),
            ("14.5", "1", false),
            ("145", "14", false),
            ("8192MB", "8GB", true),
            ("off", "false", true),
            ("5min", "300s", true),
            ("5min", "5s", false),
        ] {
            let (one, other) =
                (FactValue::read_back(read_back.to_owned()), FactValue::from_declaration(declared).unwrap());
            assert_eq!(one.agrees_with(&other), expected, "{read_back}, {declared}");
            assert_eq!(other.agrees_with(&one), expected, "{declared}, {read_back}");
        }
    }

    #[test]
    fn values_that_were_read_back_agree_only_if_they_are_the_same() {
        let [one, other] = ["8GB", "8192MB"].map(|text| FactValue::read_back(text.to_owned()));
        assert!(one.agrees_with(&one) && !one.agrees_with(&other));
    }

    #[test]
    fn declared_value_says_so_when_it_is_printed() {
        assert_eq!(FactValue::from_declaration("16GB").unwrap().to_string(), "16GB (declared)");
        assert_eq!(FactValue::read_back("16GB".to_owned()).to_string(), "16GB");
    }
}
