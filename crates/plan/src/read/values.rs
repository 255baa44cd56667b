//! The values of a plan, one function per form of the grammar: each says what it found and what would be right.

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::Duration;

use super::super::document::{Entry, Span, Value, is_bool, is_null, is_number};
use super::super::error::{Finding, shown};
use super::super::grammar::{Form, example};
use super::super::model::{Aspect, Difference, Settings, Version, Word};
use super::super::nearest::nearest;
use super::super::secret::ServerUrl;
use super::super::units::{self, Cpus, Decimal, Percent, Unreadable, WalSegmentSize};
use super::{At, Reader, join};

impl Reader<'_> {
    pub(super) fn list<T>(&mut self, at: &At<'_>, read: fn(&mut Self, &At<'_>) -> Option<T>) -> Option<Vec<T>> {
        let Form::List { of, may_be_empty } = at.form else { unreachable!("{} is a list in the grammar", at.path) };
        let Value::List(items) = &at.node.value else {
            let hint = match &at.node.value {
                Value::Plain(text) | Value::Quoted(text) => format!("write [{text}]"),
                Value::List(_) | Value::Map(_) => format!("write {}", example(at.form)),
            };
            return self.wrong(at, "not a list", hint);
        };
        if items.is_empty() && !may_be_empty {
            return self.wrong(at, "which has nothing to execute", format!("write {}", example(at.form)));
        }
        let mut values = Some(Vec::new());
        let mut seen: HashMap<&str, Span> = HashMap::new();
        for item in items {
            if let Value::Plain(text) | Value::Quoted(text) = &item.value {
                if let Some(first) = seen.get(text.as_str()) {
                    let message = format!("{}: {} is given twice", at.path, item.found());
                    let place =
                        format!("it is first given in line {}, column {}", first.start.line, first.start.column);
                    self.report(Finding::new(item.span, message).detail(place).hint("keep one of the two"));
                    continue;
                }
                seen.insert(text, item.span);
            }
            let value = read(self, &At { node: item, path: at.path, form: of });
            values = values.zip(value).map(|(mut values, value)| {
                values.push(value);
                values
            });
        }
        values
    }

    /// Values in an order that counts, two at least.
    pub(super) fn sequence<T>(&mut self, at: &At<'_>, read: fn(&mut Self, &At<'_>) -> Option<T>) -> Option<Vec<T>> {
        let Form::Sequence(form) = at.form else { unreachable!("{} is a sequence in the grammar", at.path) };
        let Value::List(items) = &at.node.value else {
            return self.wrong(at, "not a list", format!("write {}", example(at.form)));
        };
        if items.len() < 2 {
            return self.wrong(at, "too few to follow one another", format!("write {}", example(at.form)));
        }
        let values: Vec<Option<T>> = items.iter().map(|node| read(self, &At { node, path: at.path, form })).collect();
        values.into_iter().collect()
    }

    pub(super) fn named<T>(&mut self, at: &At<'_>, read: fn(&mut Self, &str, &At<'_>) -> Option<T>) -> Option<Vec<T>> {
        let (form, variants) = match at.form {
            Form::Named(form) => (form, false),
            Form::Targets(form) => (form, true),
            _ => unreachable!("{} is a mapping of names in the grammar", at.path),
        };
        let Value::Map(entries) = &at.node.value else {
            return self.wrong(at, "not a mapping of names", format!("write {}", example(at.form)));
        };
        if entries.is_empty() {
            return self.wrong(at, "which is empty", format!("write {}", example(at.form)));
        }
        let mut values = Some(Vec::new());
        for entry in entries {
            let is_variant = |(target, variant)| variants && is_name(target) && is_name(variant);
            if !is_name(&entry.key) && !entry.key.split_once('/').is_some_and(is_variant) {
                self.report(
                    Finding::new(entry.key_span, format!("{}: the name {} cannot be a file name", at.path, shown(&entry.key)))
                        .hint("start with a letter or digit and go on with letters, digits, \"_\", \".\" and \"-\", 64 at most"),
                );
            }
            let path = join(at.path, &entry.key);
            let value = read(self, &entry.key, &At { node: &entry.node, path: &path, form });
            values = values.zip(value).map(|(mut values, value)| {
                values.push(value);
                values
            });
        }
        values
    }

    pub(super) fn settings(&mut self, at: &At<'_>) -> Option<Settings> {
        let Value::Map(entries) = &at.node.value else {
            return self.wrong(at, "not a mapping of settings", format!("write {}", example(at.form)));
        };
        let mut settings = Settings::new();
        let mut seen: HashMap<String, &Entry> = HashMap::new();
        for entry in entries {
            let lower = entry.key.to_lowercase();
            if !is_setting_name(&entry.key) {
                let message = format!("{}: {} is not the name of a setting", at.path, shown(&entry.key));
                let hint = "write letters, digits and \"_\", with one \".\" for an extension's setting";
                self.report(Finding::new(entry.key_span, message).hint(hint));
            } else if let Some(first) = seen.get(&lower) {
                let message = format!("{}: the setting {} is given twice", at.path, shown(&entry.key));
                let place = format!("it is first given in line {}", first.key_span.start.line);
                self.report(Finding::new(entry.key_span, message).detail(place).hint("keep one of the two"));
            }
            match &entry.node.value {
                Value::Quoted(text) => {
                    settings.insert(entry.key.clone(), text.clone());
                }
                Value::Plain(text) if !is_null(text) => {
                    settings.insert(entry.key.clone(), text.clone());
                }
                Value::Plain(_) | Value::List(_) | Value::Map(_) => {
                    let message = format!("{}: found {}, not a value", join(at.path, &entry.key), entry.node.found());
                    let hint = "write a text, a number or true or false; several items go into one text: \"a, b\"";
                    self.report(Finding::new(entry.node.span, message).hint(hint));
                }
            }
            seen.insert(lower, entry);
        }
        Some(settings)
    }

    pub(super) fn text(&mut self, at: &At<'_>) -> Option<String> {
        const CHARS_MAX: usize = 200;
        match &at.node.value {
            Value::Quoted(text) | Value::Plain(text) if text.trim().is_empty() => {
                self.wrong(at, "an empty text", format!("write {}", example(at.form)))
            }
            Value::Plain(text) if is_bool(text) || is_number(text) => {
                self.wrong(at, "not a text", format!("write it in quotes: \"{text}\""))
            }
            Value::Quoted(text) | Value::Plain(text) if text.chars().any(char::is_control) => {
                self.wrong(at, "not one line of text", "write it on one line".to_owned())
            }
            Value::Quoted(text) | Value::Plain(text) if text.chars().count() > CHARS_MAX => {
                self.wrong(at, "too long", format!("write at most {CHARS_MAX} characters"))
            }
            Value::Quoted(text) | Value::Plain(text) => Some(text.clone()),
            Value::List(_) | Value::Map(_) => self.wrong(at, "not a text", format!("write {}", example(at.form))),
        }
    }

    pub(super) fn path(&mut self, at: &At<'_>) -> Option<PathBuf> {
        match &at.node.value {
            Value::Quoted(text) | Value::Plain(text) if text.starts_with('~') => {
                self.wrong(at, "not a path: \"~\" is for shells", "write the whole path".to_owned())
            }
            Value::Quoted(text) | Value::Plain(text) if text.is_empty() || text.chars().any(char::is_control) => {
                self.wrong(at, "not a path", format!("write {}", example(at.form)))
            }
            Value::Plain(text) if is_bool(text) || is_number(text) => {
                self.wrong(at, "not a path", format!("write it in quotes: \"{text}\""))
            }
            Value::Quoted(text) | Value::Plain(text) => Some(PathBuf::from(text)),
            Value::List(_) | Value::Map(_) => self.wrong(at, "not a path", format!("write {}", example(at.form))),
        }
    }

    pub(super) fn url(&mut self, at: &At<'_>) -> Option<ServerUrl> {
        if let Value::Quoted(text) | Value::Plain(text) = &at.node.value {
            let is_url = ["postgresql://", "postgres://"].iter().any(|scheme| text.starts_with(scheme));
            if (is_url || (text.contains('=') && !text.contains("://"))) && !text.chars().any(char::is_control) {
                return Some(ServerUrl::new(text));
            }
        }
        // What was found is not repeated: it may hold a password in a place where nobody looks for one.
        self.report(
            Finding::new(at.node.span, format!("{}: not a connection string", at.path))
                .hint("write postgresql://user@host:port/database or \"host=… dbname=… user=…\""),
        );
        None
    }

    pub(super) fn identifier(&mut self, at: &At<'_>) -> Option<String> {
        match &at.node.value {
            Value::Quoted(text) | Value::Plain(text)
                if text.starts_with(|c: char| c.is_ascii_alphabetic())
                    && text.chars().all(|c| c.is_ascii_alphanumeric() || "_.-@".contains(c)) =>
            {
                Some(text.clone())
            }
            Value::Quoted(_) | Value::Plain(_) | Value::List(_) | Value::Map(_) => {
                self.wrong(at, "not a name that initdb takes", "write one like C, C.UTF-8 or UTF8".to_owned())
            }
        }
    }

    pub(super) fn target_name(&mut self, at: &At<'_>) -> Option<String> {
        match &at.node.value {
            Value::Quoted(text) | Value::Plain(text) => Some(text.clone()),
            Value::List(_) | Value::Map(_) => {
                self.wrong(at, "not the name of a target", "write the name of one target".to_owned())
            }
        }
    }

    pub(super) fn version(&mut self, at: &At<'_>) -> Option<Version> {
        let range = format!("{} to {}", Version::MAJOR_MIN, Version::MAJOR_MAX);
        let text = match &at.node.value {
            Value::Plain(text) if is_number(text) && text.contains('.') => {
                let hint = format!("write it in quotes: \"{text}\"");
                return self.wrong(at, "which other readers of YAML take for a decimal fraction", hint);
            }
            Value::Quoted(text) | Value::Plain(text) => text.as_str(),
            Value::List(_) | Value::Map(_) => "",
        };
        let (major, minor) = text.split_once('.').map_or((text, None), |(major, minor)| (major, Some(minor)));
        let version = canonical(major).and_then(|major| match minor {
            None => Some(Version { major, minor: None }),
            Some(minor) => Some(Version { major, minor: Some(canonical(minor)?) }),
        });
        match version {
            Some(v) if v.major < Version::MAJOR_MIN => {
                self.wrong(at, "which is not supported", format!("write a version from {range}"))
            }
            Some(v) if v.major > Version::MAJOR_MAX => self.wrong(
                at,
                "which this pgdyno does not know",
                format!("write a version from {range}, or name installed binaries with `bin`"),
            ),
            Some(version) => Some(version),
            None => self.wrong(
                at,
                "not a version of PostgreSQL",
                format!("write {range}, or a release in quotes: \"17.5\""),
            ),
        }
    }

    pub(super) fn boolean(&mut self, at: &At<'_>) -> Option<bool> {
        let hint = match &at.node.value {
            Value::Plain(text) if text == "true" => return Some(true),
            Value::Plain(text) if text == "false" => return Some(false),
            Value::Plain(text) | Value::Quoted(text) => match text.to_lowercase().as_str() {
                "yes" | "on" | "y" | "true" | "1" => "write true without quotes",
                "no" | "off" | "n" | "false" | "0" => "write false without quotes",
                _ => "write true or false",
            },
            Value::List(_) | Value::Map(_) => "write true or false",
        };
        self.wrong(at, "not true or false", hint.to_owned())
    }

    pub(super) fn whole(&mut self, at: &At<'_>) -> Option<u64> {
        let Form::Whole { min, max } = *at.form else { unreachable!("{} is a whole number in the grammar", at.path) };
        let limits = if max == u64::MAX { format!("from {min}") } else { format!("from {min} to {max}") };
        match &at.node.value {
            Value::Plain(text) => match canonical(text) {
                Some(number) if (min..=max).contains(&number) => Some(number),
                Some(_) => self.wrong(at, "out of range", format!("write a whole number {limits}")),
                None => self.wrong(at, "not a whole number", format!("write a whole number {limits}, in digits only")),
            },
            Value::Quoted(text) if canonical::<u64>(text).is_some() => {
                self.wrong(at, "a text", format!("write {text} without quotes"))
            }
            Value::Quoted(_) | Value::List(_) | Value::Map(_) => {
                self.wrong(at, "not a whole number", format!("write a whole number {limits}"))
            }
        }
    }

    pub(super) fn whole_u32(&mut self, at: &At<'_>) -> Option<u32> {
        let path = at.path.to_owned();
        self.whole(at)
            .map(|number| u32::try_from(number).unwrap_or_else(|_| unreachable!("{path} is limited in the grammar")))
    }

    pub(super) fn duration(&mut self, at: &At<'_>) -> Option<Duration> {
        let Form::Duration { min_ms } = *at.form else { unreachable!("{} is a duration in the grammar", at.path) };
        let duration = self.quantity(at, units::parse_duration)?;
        if duration.as_millis() < u128::from(min_ms) {
            let least = units::format_duration(Duration::from_millis(min_ms));
            return self.wrong(at, "too short to measure anything", format!("write at least {least}"));
        }
        Some(duration)
    }

    pub(super) fn percent(&mut self, at: &At<'_>) -> Option<Percent> {
        self.quantity(at, units::parse_percent)
    }

    pub(super) fn cpus(&mut self, at: &At<'_>) -> Option<Cpus> {
        self.quantity(at, units::parse_cpus)
    }

    pub(super) fn decimal(&mut self, at: &At<'_>) -> Option<Decimal> {
        let Form::Decimal { min, max } = *at.form else { unreachable!("{} is a number in the grammar", at.path) };
        let hint = format!("write a number from {min} to {max} with at most three decimals");
        let Value::Plain(text) = &at.node.value else { return self.wrong(at, "not a number", hint) };
        match units::parse_decimal_number(text) {
            Some(number) if (min..=max).contains(&number) => Some(number),
            Some(_) => self.wrong(at, "out of range", hint),
            None => self.wrong(at, "not a number from 0 on", hint),
        }
    }

    pub(super) fn wal_segment_size(&mut self, at: &At<'_>) -> Option<WalSegmentSize> {
        self.quantity(at, units::parse_wal_segment_size)
    }

    pub(super) fn quantity<T>(&mut self, at: &At<'_>, parse: fn(&str) -> Result<T, Unreadable>) -> Option<T> {
        let text = match &at.node.value {
            Value::Plain(text) | Value::Quoted(text) => text.as_str(),
            Value::List(_) | Value::Map(_) => "",
        };
        match parse(text) {
            Ok(value) => Some(value),
            Err(Unreadable { why, hint }) => self.wrong(at, &why, hint),
        }
    }

    pub(super) fn word<W: Word>(&mut self, at: &At<'_>) -> Option<W> {
        let text = match &at.node.value {
            Value::Plain(text) | Value::Quoted(text) => text.as_str(),
            Value::List(_) | Value::Map(_) => "",
        };
        W::ALL.iter().copied().find(|word| word.word() == text).or_else(|| {
            let words: Vec<&str> = W::ALL.iter().map(|word| word.word()).collect();
            let hint = format!("{}write one of: {}", did_you_mean(text, &words), words.join(", "));
            self.wrong(at, "not one of the words for this", hint)
        })
    }

    pub(super) fn difference(&mut self, at: &At<'_>) -> Option<Difference> {
        let text = match &at.node.value {
            Value::Plain(text) | Value::Quoted(text) => text.as_str(),
            Value::List(_) | Value::Map(_) => "",
        };
        if let Some(aspect) = Aspect::ALL.iter().find(|aspect| aspect.word() == text) {
            return Some(Difference::Aspect(*aspect));
        }
        let lower = text.to_lowercase();
        let is_setting =
            is_setting_name(&lower) && (lower.contains(['_', '.']) || SHORT_SETTINGS.contains(&lower.as_str()));
        if is_setting {
            return Some(Difference::Setting(lower));
        }
        let aspects: Vec<&str> = Aspect::ALL.iter().map(|aspect| aspect.word()).collect();
        let all: Vec<&str> = aspects.iter().copied().chain(SHORT_SETTINGS.iter().copied()).collect();
        let hint = format!(
            "{}write one of: {}; or the name of a PostgreSQL setting",
            did_you_mean(text, &all),
            aspects.join(", ")
        );
        self.wrong(at, "neither an aspect nor a setting", hint)
    }

    pub(super) fn wrong<T>(&mut self, at: &At<'_>, why: &str, hint: String) -> Option<T> {
        let message = format!("{}: found {}, {why}", at.path, at.node.found());
        self.report(Finding::new(at.node.span, message).hint(hint));
        None
    }

    pub(super) fn report(&mut self, finding: Finding) {
        self.findings.push(finding);
    }
}

/// PostgreSQL's own settings whose names have neither `_` nor `.`, versions 14 to 18, in lower case: all other names
/// of settings can be told from a misspelled aspect.
const SHORT_SETTINGS: [&str; 12] = [
    "autovacuum",
    "bonjour",
    "datestyle",
    "fsync",
    "geqo",
    "intervalstyle",
    "jit",
    "port",
    "ssl",
    "timezone",
    "xmlbinary",
    "xmloption",
];

/// Whether a name can stand in a file name on every file system.
fn is_name(text: &str) -> bool {
    const CHARS_MAX: usize = 64;
    text.len() <= CHARS_MAX
        && text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "_.-".contains(c))
}

/// Whether a text has the form of a setting's name: identifiers joined by dots.
fn is_setting_name(text: &str) -> bool {
    text.split('.').all(|part| {
        part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')
    })
}

/// A whole number in its one spelling: no sign, no leading zeros (octal to other readers), no separators.
fn canonical<N: std::str::FromStr + ToString>(text: &str) -> Option<N> {
    text.parse().ok().filter(|number: &N| number.to_string() == text)
}

fn did_you_mean(word: &str, words: &[&str]) -> String {
    nearest(word, words.iter().copied()).map_or_else(String::new, |near| format!("did you mean \"{near}\"? "))
}
