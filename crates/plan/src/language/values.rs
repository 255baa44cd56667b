//! The values of a plan, one form for each kind: what was found, what would be right, how it is written.

use std::fmt::Display;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::time::Duration;

use conninfo::error_in_text;
use serde_json::json;

use super::super::document::{YamlValue, is_bool, is_number};
use super::super::error::PlanFinding;
use super::super::secret::ServerUrl;
use super::super::units::{self, Decimal, UnreadableQuantity};
use super::{At, Form, PlanReadingFindings, ValueDescription, Yaml, quote_text};
use work::{WordChoice, nearest_candidate};

/// One line of text, not empty.
pub(crate) struct TextForm;

impl Form for TextForm {
    type Value = String;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<String> {
        const CHARS_MAX: usize = 200;
        match &at.node.value {
            YamlValue::Quoted(text) | YamlValue::Plain(text) if text.trim().is_empty() => {
                at.report_wrong_value(findings, "an empty text", Self::replacement_hint())
            }
            YamlValue::Plain(text) if is_bool(text) || is_number(text) => {
                at.report_wrong_value(findings, "not a text", format!("write it in quotes: \"{text}\""))
            }
            YamlValue::Quoted(text) | YamlValue::Plain(text) if text.chars().any(char::is_control) => {
                at.report_wrong_value(findings, "not one line of text", "write it on one line")
            }
            YamlValue::Quoted(text) | YamlValue::Plain(text) if text.chars().count() > CHARS_MAX => {
                at.report_wrong_value(findings, "too long", format!("write at most {CHARS_MAX} characters"))
            }
            YamlValue::Quoted(text) | YamlValue::Plain(text) => Some(text.clone()),
            YamlValue::List(_) | YamlValue::Map(_) => {
                at.report_wrong_value(findings, "not a text", Self::replacement_hint())
            }
        }
    }

    fn write_value(value: &String) -> Yaml {
        Yaml::Scalar(quote_text(value))
    }

    fn describe_form() -> ValueDescription {
        ValueDescription::new(
            "one line of text",
            "What does data_checksums cost?",
            json!({ "type": "string", "minLength": 1, "maxLength": 200 }),
        )
    }

    fn value_when_absent() -> Option<String> {
        Some(String::new())
    }
}

/// Reads a text for which `fits` says whether it is one of its kind.
pub(crate) fn read_text(
    findings: &mut PlanReadingFindings,
    at: &At<'_>,
    fits: fn(&str) -> bool,
    why: &str,
    hint: &str,
) -> Option<String> {
    let text = at.scalar_text();
    if fits(text) { Some(text.to_owned()) } else { at.report_wrong_value(findings, why, hint) }
}

/// A path, not empty; `example` is one for this place.
pub(crate) fn read_path(findings: &mut PlanReadingFindings, at: &At<'_>, example: &str) -> Option<PathBuf> {
    match &at.node.value {
        YamlValue::Quoted(text) | YamlValue::Plain(text) if text.starts_with('~') => {
            at.report_wrong_value(findings, "not a path: \"~\" is expanded only by shells", "write the whole path")
        }
        YamlValue::Quoted(text) | YamlValue::Plain(text) if text.is_empty() || text.chars().any(char::is_control) => {
            at.report_wrong_value(findings, "not a path", format!("write {example}"))
        }
        YamlValue::Plain(text) if is_bool(text) || is_number(text) => {
            at.report_wrong_value(findings, "not a path", format!("write it in quotes: \"{text}\""))
        }
        YamlValue::Quoted(text) | YamlValue::Plain(text) => Some(PathBuf::from(text)),
        YamlValue::List(_) | YamlValue::Map(_) => {
            at.report_wrong_value(findings, "not a path", format!("write {example}"))
        }
    }
}

impl Form for PathBuf {
    type Value = Self;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Self> {
        read_path(findings, at, &Self::describe_form().example)
    }

    fn write_value(value: &Self) -> Yaml {
        Yaml::Scalar(quote_text(&Path::to_string_lossy(value)))
    }

    fn describe_form() -> ValueDescription {
        ValueDescription::new(
            "path",
            "/srv/pgdyno/data",
            json!({ "type": "string", "minLength": 1, "pattern": "^[^~]" }),
        )
    }
}

/// As libpq takes it; written without its password.
impl Form for ServerUrl {
    type Value = Self;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Self> {
        let text = at.scalar_text();
        let is_url = ["postgresql://", "postgres://"].iter().any(|scheme| text.starts_with(scheme));
        if (is_url || (text.contains('=') && !text.contains("://"))) && !text.chars().any(char::is_control) {
            if let Some(error) = error_in_text(text) {
                let finding = PlanFinding::new(at.node.span, format!("{}: {error}", at.path)).mark_as_read();
                findings.push(match error.error_hint() {
                    Some(hint) => finding.hint(hint),
                    None => finding.hint("write a connection parameter of libpq, such as sslmode"),
                });
            }
            return Some(Self::new(text));
        }
        // What was found is not repeated: it may hold a password in a place where nobody looks for one.
        findings.push(
            PlanFinding::new(at.node.span, format!("{}: not a connection string", at.path))
                .hint("write postgresql://user@host:port/database or \"host=… dbname=… user=…\""),
        );
        None
    }

    fn write_value(value: &Self) -> Yaml {
        let left_out = if value.has_password() { " # without its password" } else { "" };
        Yaml::Scalar(format!("{}{left_out}", quote_text(&value.without_password())))
    }

    fn describe_form() -> ValueDescription {
        ValueDescription::new(
            "connection string",
            "postgresql://user@host/database",
            json!({ "type": "string", "pattern": "^postgres(ql)?://|^[^:]*=" }),
        )
    }
}

/// An identifier that initdb takes: letters, digits and `_ . - @`.
pub(crate) struct Identifier;

impl Form for Identifier {
    type Value = String;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<String> {
        let text = at.scalar_text();
        let is_identifier = text.starts_with(|c: char| c.is_ascii_alphabetic())
            && text.chars().all(|c| c.is_ascii_alphanumeric() || "_.-@".contains(c));
        if is_identifier {
            return Some(text.to_owned());
        }
        at.report_wrong_value(findings, "not a valid name for initdb", "write one like C, C.UTF-8 or UTF8")
    }

    fn write_value(value: &String) -> Yaml {
        Yaml::Scalar(quote_text(value))
    }

    fn describe_form() -> ValueDescription {
        ValueDescription::new("name", "C", json!({ "type": "string", "pattern": "^[A-Za-z][A-Za-z0-9_.@-]*$" }))
    }
}

/// The name of a target: a text or a number.
pub(crate) struct TargetName;

impl Form for TargetName {
    type Value = String;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<String> {
        match at.node.scalar_text() {
            Some(text) => Some(text.to_owned()),
            None => at.report_wrong_value(findings, "not the name of a target", "write the name of one target"),
        }
    }

    fn write_value(value: &String) -> Yaml {
        Yaml::Scalar(quote_text(value))
    }

    fn describe_form() -> ValueDescription {
        ValueDescription::new("name of a target", "the name of a target", json!({ "type": ["string", "number"] }))
    }

    fn value_when_absent() -> Option<String> {
        Some(String::new())
    }
}

impl Form for bool {
    type Value = Self;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Self> {
        let hint = match &at.node.value {
            YamlValue::Plain(text) if text == "true" => return Some(true),
            YamlValue::Plain(text) if text == "false" => return Some(false),
            YamlValue::Plain(text) | YamlValue::Quoted(text) => match text.to_lowercase().as_str() {
                "true" => "write true without quotes",
                "yes" | "on" | "y" | "1" => "write true",
                "false" => "write false without quotes",
                "no" | "off" | "n" | "0" => "write false",
                _ => "write true or false",
            },
            YamlValue::List(_) | YamlValue::Map(_) => "write true or false",
        };
        at.report_wrong_value(findings, "not true or false", hint)
    }

    fn write_value(value: &Self) -> Yaml {
        Yaml::Scalar(value.to_string())
    }

    fn describe_form() -> ValueDescription {
        ValueDescription::new("`true` or `false`", "true", json!({ "type": "boolean" }))
    }
}

/// A whole number in these limits, both included.
pub(crate) struct Whole<const MIN: u64, const MAX: u64, N = u32>(PhantomData<N>);

impl<const MIN: u64, const MAX: u64, N: TryFrom<u64> + Display> Form for Whole<MIN, MAX, N> {
    type Value = N;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<N> {
        let limits = if MAX == u64::MAX { format!("from {MIN}") } else { format!("from {MIN} to {MAX}") };
        let hint = format!("write a whole number {limits}");
        match &at.node.value {
            YamlValue::Plain(text) => match parse_canonical_number(text) {
                Some(number) if (MIN..=MAX).contains(&number) => {
                    Some(N::try_from(number).unwrap_or_else(|_| unreachable!("the limits are those of the type")))
                }
                Some(_) => at.report_wrong_value(findings, "out of range", hint),
                None => at.report_wrong_value(findings, "not a whole number", format!("{hint}, in digits only")),
            },
            YamlValue::Quoted(text) if parse_canonical_number::<u64>(text).is_some() => {
                at.report_wrong_value(findings, "a text", format!("write {text} without quotes"))
            }
            YamlValue::Quoted(_) | YamlValue::List(_) | YamlValue::Map(_) => {
                at.report_wrong_value(findings, "not a whole number", hint)
            }
        }
    }

    fn write_value(value: &N) -> Yaml {
        Yaml::Scalar(value.to_string())
    }

    fn describe_form() -> ValueDescription {
        ValueDescription::new(
            match MAX {
                u64::MAX => format!("whole number from {MIN}"),
                max => format!("whole number, {MIN} to {max}"),
            },
            MIN.max(10).to_string(),
            json!({ "type": "integer", "minimum": MIN, "maximum": MAX }),
        )
    }
}

/// A number in these limits, both included and in thousandths.
pub(crate) struct Number<const MIN: u32, const MAX: u32>;

impl<const MIN: u32, const MAX: u32> Number<MIN, MAX> {
    const MIN: Decimal = Decimal::from_thousandths(MIN);
    const MAX: Decimal = Decimal::from_thousandths(MAX);
}

impl<const MIN: u32, const MAX: u32> Form for Number<MIN, MAX> {
    type Value = Decimal;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Decimal> {
        let hint = format!("write a number from {} to {} with at most three decimals", Self::MIN, Self::MAX);
        let YamlValue::Plain(text) = &at.node.value else {
            return at.report_wrong_value(findings, "not a number", hint);
        };
        match units::parse_decimal_number(text) {
            Some(number) if (Self::MIN..=Self::MAX).contains(&number) => Some(number),
            Some(_) => at.report_wrong_value(findings, "out of range", hint),
            None => at.report_wrong_value(findings, "not a number from 0 on", hint),
        }
    }

    fn write_value(value: &Decimal) -> Yaml {
        Yaml::Scalar(value.to_string())
    }

    fn describe_form() -> ValueDescription {
        ValueDescription::new(
            format!("number, {} to {}", Self::MIN, Self::MAX),
            Self::MIN.to_string(),
            json!({ "type": "number", "minimum": Self::MIN.as_f64(), "maximum": Self::MAX.as_f64() }),
        )
    }
}

/// A quantity with its unit, in quotes or not.
pub(crate) fn read_quantity<T>(
    findings: &mut PlanReadingFindings,
    at: &At<'_>,
    parse: impl FnOnce(&str) -> Result<T, UnreadableQuantity>,
) -> Option<T> {
    parse(at.scalar_text())
        .map_err(|UnreadableQuantity { why, hint }| at.report_wrong_value::<T>(findings, &why, hint))
        .ok()
}

/// A duration from so many milliseconds on.
pub(crate) struct AtLeastMs<const MIN: u64>;

impl<const MIN: u64> Form for AtLeastMs<MIN> {
    type Value = Duration;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Duration> {
        let duration = read_quantity(findings, at, units::parse_duration)?;
        if duration < Duration::from_millis(MIN) {
            let least = units::format_duration(Duration::from_millis(MIN));
            return at.report_wrong_value(findings, "too short to measure anything", format!("write at least {least}"));
        }
        Some(duration)
    }

    fn write_value(value: &Duration) -> Yaml {
        Yaml::Scalar(units::format_duration(*value))
    }

    fn describe_form() -> ValueDescription {
        ValueDescription::new(
            "duration: number with `ms`, `s`, `m` or `h`",
            "10s",
            json!({ "type": "string", "pattern": r"^[0-9]+(\.[0-9]{1,3})?(ms|s|m|h)$" }),
        )
    }
}

pub(crate) fn read_word<W: WordChoice>(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<W> {
    let text = at.scalar_text();
    W::ALL.iter().copied().find(|word| word.as_word() == text).or_else(|| {
        let words: Vec<&str> = W::ALL.iter().map(|word| word.as_word()).collect();
        let hint = format!("{}write one of: {}", did_you_mean(text, &words), words.join(", "));
        at.report_wrong_value(findings, "not a valid value here", hint)
    })
}

/// The schema has `oneOf` constants, so that an editor shows the meaning beside the word.
pub(crate) fn about_words<W: WordChoice>() -> ValueDescription {
    let words: Vec<String> =
        W::ALL.iter().map(|word| format!("`{}`: {}", word.as_word(), word.word_meaning())).collect();
    let choice = |word: &W| json!({ "const": word.as_word(), "description": word.word_meaning() });
    let schema = json!({ "oneOf": W::ALL.iter().map(choice).collect::<Vec<_>>() });
    ValueDescription::new(words.join("<br>"), W::ALL[0].as_word(), schema)
}

/// Whether a text has the form of a setting's name: identifiers joined by dots.
pub(crate) fn is_setting_name(text: &str) -> bool {
    text.split('.').all(|part| {
        part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')
    })
}

/// A whole number in its one spelling: no sign, no leading zeros (octal to other readers), no separators.
pub(crate) fn parse_canonical_number<N: std::str::FromStr + ToString>(text: &str) -> Option<N> {
    text.parse().ok().filter(|number: &N| number.to_string() == text)
}

pub(crate) fn did_you_mean(word: &str, words: &[&str]) -> String {
    nearest_candidate(word, words.iter().copied()).map_or_else(String::new, |near| format!("did you mean \"{near}\"? "))
}
