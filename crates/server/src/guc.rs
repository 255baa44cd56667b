//! PostgreSQL settings as values: which spellings of a value mean the same, and how a value with a unit is printed.
//!
//! Pure. The server's own description of a setting (type, unit) is an argument, so nothing here is a list of settings,
//! except the few whose special value the server replaces by what it computed.

/// A row of `pg_settings`, as far as values can be compared by it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Guc {
    /// Canonical name.
    pub(crate) name: String,
    /// The value in base units.
    pub(crate) setting: String,
    /// Base unit (`8kB`, `ms`), if the setting has one.
    pub(crate) unit: Option<String>,
    /// `bool`, `integer`, `real`, `string` or `enum`.
    pub(crate) vartype: String,
}

/// Settings whose special value asks the server to choose, so that another value is reported.
const CHOSEN_BY_SERVER: &[(&str, &str)] = &[
    ("wal_buffers", "-1"),
    ("commit_timestamp_buffers", "0"),
    ("subtransaction_buffers", "0"),
    ("transaction_buffers", "0"),
    ("io_max_concurrency", "-1"),
];

/// Enum values that the server reports by another of their names.
const ENUM_SYNONYMS: &[(&str, &str, &str)] =
    &[("wal_compression", "on", "pglz"), ("client_min_messages", "debug", "debug2")];

/// Whether a value as a person wrote it and the value that the server reports are the same.
pub(crate) fn is_same_value(asked: &str, guc: &Guc) -> bool {
    let asked = asked.trim();
    if CHOSEN_BY_SERVER.contains(&(guc.name.as_str(), asked)) {
        return true;
    }
    match guc.vartype.as_str() {
        "bool" => parse_boolean(asked).is_some() && parse_boolean(asked) == parse_boolean(&guc.setting),
        "integer" | "real" => same_number(asked, guc),
        "enum" => {
            let asked = parse_boolean(asked).map_or_else(|| asked.to_lowercase(), |truth| on_off(truth).to_owned());
            let synonym = (guc.name.as_str(), asked.as_str(), guc.setting.as_str());
            asked == guc.setting.to_lowercase() || ENUM_SYNONYMS.contains(&synonym)
        }
        _ => asked == guc.setting || split_list(asked) == split_list(&guc.setting),
    }
}

fn on_off(truth: bool) -> &'static str {
    if truth { "on" } else { "off" }
}

/// As the server reads booleans: any case, unique prefixes of the words, and 1 and 0.
fn parse_boolean(text: &str) -> Option<bool> {
    let text = text.to_lowercase();
    let prefix_of = |word: &str, least: usize| text.len() >= least && word.starts_with(&text);
    if prefix_of("true", 1) || prefix_of("yes", 1) || text == "on" || text == "1" {
        Some(true)
    } else if prefix_of("false", 1) || prefix_of("no", 1) || prefix_of("off", 2) || text == "0" {
        Some(false)
    } else {
        None
    }
}

fn same_number(asked: &str, guc: &Guc) -> bool {
    let Ok(reported) = guc.setting.parse::<f64>() else { return false };
    let Some(asked) = to_base(asked, guc.unit.as_deref()) else { return false };
    if guc.vartype == "integer" {
        // The server rounds a fraction either in base units or, before that, in the next smaller unit.
        (asked - reported).abs() < 1.0
    } else {
        // The server prints reals with six digits.
        (asked - reported).abs() <= 1e-5 * reported.abs().max(1e-30)
    }
}

/// A unit of `pg_settings` or of a person, as a multiple of the smallest unit of its kind (1 byte, 1 µs).
fn unit_size(unit: &str) -> Option<(GucUnitKind, f64)> {
    // pg_settings has units with a count, such as 8kB; people have not.
    let digits = unit.find(|c: char| !c.is_ascii_digit())?;
    let count: f64 = if digits == 0 { 1.0 } else { unit[..digits].parse().ok()? };
    let units =
        MEMORY.iter().map(|unit| (GucUnitKind::Memory, unit)).chain(TIME.iter().map(|unit| (GucUnitKind::Time, unit)));
    units.into_iter().find(|(_, (name, _))| *name == &unit[digits..]).map(|(kind, (_, size))| (kind, count * size))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GucUnitKind {
    Memory,
    Time,
}

/// In bytes, smallest first.
const MEMORY: &[(&str, f64)] =
    &[("B", 1.0), ("kB", 1024.0), ("MB", 1_048_576.0), ("GB", 1_073_741_824.0), ("TB", 1_099_511_627_776.0)];

/// In microseconds, smallest first.
const TIME: &[(&str, f64)] = &[("us", 1.0), ("ms", 1e3), ("s", 1e6), ("min", 60e6), ("h", 3_600e6), ("d", 86_400e6)];

/// A value as a person writes it, in the setting's base unit.
fn to_base(text: &str, base: Option<&str>) -> Option<f64> {
    let end = text
        .char_indices()
        .find(|&(at, c)| c.is_ascii_alphabetic() && !(matches!(c, 'e' | 'E') && exponent_follows(&text[at + 1..])))
        .map_or(text.len(), |(at, _)| at);
    let hexadecimal = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    if let Some(digits) = hexadecimal {
        return i64::from_str_radix(digits, 16).ok().map(|value| value as f64);
    }
    let number: f64 = text[..end].trim().parse().ok()?;
    let unit = text[end..].trim();
    if unit.is_empty() {
        return Some(number);
    }
    let (kind, size) = unit_size(unit)?;
    let (base_kind, base_size) = unit_size(base?)?;
    (kind == base_kind).then(|| number * size / base_size)
}

fn exponent_follows(text: &str) -> bool {
    text.trim_start_matches(['+', '-']).starts_with(|c: char| c.is_ascii_digit())
}

/// Elements of a comma-separated list, without quotes and surrounding white space.
fn split_list(text: &str) -> Vec<String> {
    text.split(',').map(|element| element.trim().trim_matches('"').to_owned()).collect()
}

/// A value in base units as the server would show it: in the largest unit that leaves a whole number.
pub(crate) fn value_with_unit(setting: &str, unit: Option<&str>) -> String {
    let Some((unit, (kind, base))) = unit.and_then(|unit| Some((unit, unit_size(unit)?))) else {
        return setting.to_owned();
    };
    let Ok(number) = setting.parse::<f64>() else { return format!("{setting}{unit}") };
    // As the server: 0 and the negative special values carry no unit.
    if number <= 0.0 {
        return setting.to_owned();
    }
    let units = if kind == GucUnitKind::Memory { MEMORY } else { TIME };
    let whole = units.iter().rev().find(|(_, size)| (number * base) % size == 0.0);
    whole.map_or_else(|| format!("{setting}{unit}"), |(name, size)| format!("{}{name}", number * base / size))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn guc(name: &str, vartype: &str, unit: &str, setting: &str) -> Guc {
        let unit = (!unit.is_empty()).then(|| unit.to_owned());
        Guc { name: name.to_owned(), setting: setting.to_owned(), unit, vartype: vartype.to_owned() }
    }

    #[test]
    fn every_spelling_of_a_value_is_recognised_in_what_the_server_reports() {
        let cases = [
            ("1GB", guc("shared_buffers", "integer", "8kB", "131072"), true),
            ("1024MB", guc("shared_buffers", "integer", "8kB", "131072"), true),
            ("1048576kB", guc("shared_buffers", "integer", "8kB", "131072"), true),
            (" 1 GB ", guc("shared_buffers", "integer", "8kB", "131072"), true),
            ("131072", guc("shared_buffers", "integer", "8kB", "131072"), true),
            ("0x20000", guc("shared_buffers", "integer", "8kB", "131072"), true),
            ("1.5GB", guc("shared_buffers", "integer", "8kB", "196608"), true),
            ("1gb", guc("shared_buffers", "integer", "8kB", "131072"), false),
            ("1GB", guc("shared_buffers", "integer", "8kB", "16384"), false),
            ("1073741824B", guc("shared_buffers", "integer", "8kB", "131072"), true),
            ("1min", guc("checkpoint_timeout", "integer", "s", "60"), true),
            ("1s", guc("deadlock_timeout", "integer", "ms", "1000"), true),
            ("1GB", guc("deadlock_timeout", "integer", "ms", "1000"), false),
            ("1s", guc("max_connections", "integer", "", "1"), false),
            ("0.5", guc("checkpoint_completion_target", "real", "", "0.5"), true),
            ("5e-1", guc("checkpoint_completion_target", "real", "", "0.5"), true),
            ("0.51", guc("checkpoint_completion_target", "real", "", "0.5"), false),
            ("200us", guc("vacuum_cost_delay", "real", "ms", "0.2"), true),
            ("on", guc("fsync", "bool", "", "on"), true),
            ("TRUE", guc("fsync", "bool", "", "on"), true),
            ("1", guc("fsync", "bool", "", "on"), true),
            ("y", guc("fsync", "bool", "", "on"), true),
            ("of", guc("fsync", "bool", "", "off"), true),
            ("o", guc("fsync", "bool", "", "off"), false),
            ("on", guc("fsync", "bool", "", "off"), false),
            ("maybe", guc("fsync", "bool", "", "off"), false),
            ("true", guc("synchronous_commit", "enum", "", "on"), true),
            ("Remote_Apply", guc("synchronous_commit", "enum", "", "remote_apply"), true),
            ("local", guc("synchronous_commit", "enum", "", "on"), false),
            ("on", guc("wal_compression", "enum", "", "pglz"), true),
            ("on", guc("wal_compression", "enum", "", "lz4"), false),
            ("-1", guc("wal_buffers", "integer", "8kB", "512"), true),
            ("-1", guc("autovacuum_work_mem", "integer", "kB", "512"), false),
            ("a,b", guc("shared_preload_libraries", "string", "", "a, b"), true),
            ("a,b", guc("shared_preload_libraries", "string", "", "b, a"), false),
            ("\"$user\", public", guc("search_path", "string", "", "\"$user\",public"), true),
            ("", guc("archive_command", "string", "", ""), true),
            ("x", guc("archive_command", "string", "", ""), false),
            ("", guc("max_connections", "integer", "", "100"), false),
        ];
        for (asked, reported, expected) in cases {
            assert_eq!(is_same_value(asked, &reported), expected, "{asked} against {reported:?}");
        }
    }

    #[test]
    fn a_value_is_shown_as_the_server_shows_it() {
        let cases = [
            ("16384", Some("8kB"), "128MB"),
            ("131072", Some("8kB"), "1GB"),
            ("1", Some("8kB"), "8kB"),
            ("4096", Some("kB"), "4MB"),
            ("1024", Some("MB"), "1GB"),
            ("300", Some("s"), "5min"),
            ("90", Some("s"), "90s"),
            ("0.2", Some("ms"), "200us"),
            ("-1", Some("kB"), "-1"),
            ("0", Some("ms"), "0"),
            ("100", None, "100"),
            ("on", None, "on"),
        ];
        for (setting, unit, expected) in cases {
            assert_eq!(value_with_unit(setting, unit), expected, "{setting} {unit:?}");
        }
    }

    proptest! {
        #[test]
        fn what_is_shown_reads_back_as_the_same_value(
            value in 1i32..,
            unit in prop::sample::select(vec!["B", "kB", "8kB", "MB", "us", "ms", "s", "min"]),
        ) {
            let shown = value_with_unit(&value.to_string(), Some(unit));
            prop_assert!(is_same_value(&shown, &guc("x", "integer", unit, &value.to_string())), "{}", shown);
        }
    }
}
