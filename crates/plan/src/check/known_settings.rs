//! PostgreSQL's settings by name: whose they are, and what values they take, in the versions that pgdyno measures. What
//! an extension or a fork adds is not known here.

use catalog::{CatalogSetting, NEWEST_MAJOR, all_settings};
use work::{misspelled_word, nearest_candidate};

/// A setting of PostgreSQL.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct KnownSetting {
    pub(super) name: &'static str,
    /// What versions say of it, the oldest first; at least one.
    entries: &'static [CatalogSetting],
}

impl KnownSetting {
    /// The setting of this name, in any case of its letters.
    pub(super) fn find_by_name(name: &str) -> Option<Self> {
        settings_by_name().find(|setting| setting.name.eq_ignore_ascii_case(name))
    }

    /// The setting that was probably meant.
    pub(super) fn nearest_name(name: &str) -> Option<&'static str> {
        nearest_candidate(name, settings_by_name().map(|setting| setting.name))
    }

    /// The setting whose name this misspells.
    pub(super) fn misspelled_by(name: &str) -> Option<&'static str> {
        misspelled_word(name, settings_by_name().map(|setting| setting.name))
    }

    fn has_context(&self, contexts: &[&str]) -> bool {
        self.entries.iter().any(|entry| contexts.contains(&entry.context))
    }

    /// Whether no session can have a value of its own, in some version.
    pub(super) fn is_of_the_server(&self) -> bool {
        self.has_context(&["internal", "postmaster", "sighup"])
    }

    /// Whether nobody can change it.
    pub(super) fn is_fixed(&self) -> bool {
        self.has_context(&["internal"])
    }

    /// Whether a server reads it at its start only, in some version.
    pub(super) fn is_of_a_start(&self) -> bool {
        self.has_context(&["internal", "postmaster"]) && !self.is_fixed()
    }

    /// What a version that lacks it has against it.
    pub(super) fn lacking_in(&self, major: u32) -> Option<String> {
        let first = self.entries.first()?.first_version;
        let last = self.entries.last()?.last_version;
        if major < first {
            return Some(format!("{} exists from PostgreSQL {first} on", self.name));
        }
        // Of a later version than the newest that is known, it is not known what it lacks.
        (major > last && last < NEWEST_MAJOR).then(|| format!("{} exists up to PostgreSQL {last}", self.name))
    }

    /// What is wrong with a value in a version, or in all of them, and what would be right.
    pub(super) fn refuse_value(&self, value: &str, major: Option<u32>) -> Option<(String, String)> {
        let mut refusal = None;
        for entry in self.entries {
            let is_asked = major.is_none_or(|major| (entry.first_version..=entry.last_version).contains(&major));
            if is_asked {
                // One version that takes it suffices.
                refusal = Some(refuse_value_of(entry, value)?);
            }
        }
        refusal
    }
}

/// All of them, by name.
fn settings_by_name() -> impl Iterator<Item = KnownSetting> {
    let by_name = all_settings().chunk_by(|one, next| one.name == next.name);
    by_name.map(|entries| KnownSetting { name: entries[0].name, entries })
}

fn refuse_value_of(entry: &CatalogSetting, value: &str) -> Option<(String, String)> {
    match entry.vartype {
        "bool" => (!is_truth(value)).then(|| ("is neither on nor off".to_owned(), "write on or off".to_owned())),
        "enum" => refuse_word(entry, value),
        "integer" | "real" => refuse_number(entry, value),
        _ => None,
    }
}

fn refuse_word(entry: &CatalogSetting, value: &str) -> Option<(String, String)> {
    let mut words = entry.words.split(',');
    let takes_truth = words.clone().any(|word| word == "on" || word == "off");
    if words.any(|word| word.eq_ignore_ascii_case(value.trim())) || (takes_truth && is_truth(value)) {
        return None;
    }
    let words: Vec<&str> = entry.words.split(',').filter(|word| !word.is_empty()).collect();
    Some(("is not one of its values".to_owned(), format!("write one of {}", words.join(", "))))
}

fn refuse_number(entry: &CatalogSetting, value: &str) -> Option<(String, String)> {
    let (number, unit) = number_and_unit(value);
    let Some(number) = number else {
        return Some(("is not a number".to_owned(), example_value(entry)));
    };
    let factor = match unit {
        "" => 1.0,
        unit => match unit_factor(unit, entry.unit) {
            Some(factor) => factor,
            None if entry.unit.is_empty() => return Some(("has no unit".to_owned(), example_value(entry))),
            None => {
                return Some((format!("has the unit \"{unit}\", which does not apply to it"), example_value(entry)));
            }
        },
    };
    let in_base = number * factor;
    // The server rounds a whole number that has a fraction.
    let in_base = if entry.vartype == "integer" { in_base.round() } else { in_base };
    let base = if entry.unit.is_empty() { String::new() } else { format!(" (in units of {})", entry.unit) };
    let [least, most] = [entry.least, entry.most].map(|limit| limit.parse::<f64>().ok());
    if let Some(least) = least.filter(|least| in_base < *least) {
        return Some((format!("is below the minimum, {least}{base}"), example_value(entry)));
    }
    let most = most.filter(|most| in_base > *most)?;
    Some((format!("is above the maximum, {most}{base}"), example_value(entry)))
}

/// What a person may write.
fn example_value(entry: &CatalogSetting) -> String {
    match kind_of(entry.unit) {
        Some((SettingUnitKind::Memory, _)) => "write a number and B, kB, MB, GB or TB, such as 64MB".to_owned(),
        Some((SettingUnitKind::Time, _)) => "write a number and us, ms, s, min, h or d, such as 5min".to_owned(),
        None => "write a number without a unit".to_owned(),
    }
}

/// As the server reads booleans: unique beginnings of the words in any case, and 1 and 0.
fn is_truth(value: &str) -> bool {
    let value = value.trim().to_lowercase();
    let begins = |word: &str, at_least: usize| value.len() >= at_least && word.starts_with(&value);
    ["on", "1", "0"].contains(&value.as_str())
        || begins("true", 1)
        || begins("yes", 1)
        || begins("false", 1)
        || begins("no", 1)
        || begins("off", 2)
}

/// The number at the begin of a value, and what follows it.
fn number_and_unit(value: &str) -> (Option<f64>, &str) {
    let value = value.trim();
    let unsigned = value.trim_start_matches(['+', '-']);
    if let Some(digits) = unsigned.strip_prefix("0x").or_else(|| unsigned.strip_prefix("0X")) {
        return (i64::from_str_radix(digits, 16).ok().map(|number| number as f64), "");
    }
    let mut end = value.len();
    for (at, character) in value.char_indices() {
        let rest = value[at + character.len_utf8()..].trim_start_matches(['+', '-']);
        let is_exponent = matches!(character, 'e' | 'E') && rest.starts_with(|c: char| c.is_ascii_digit());
        if !(character.is_ascii_digit() || "+-.".contains(character) || is_exponent) {
            end = at;
            break;
        }
    }
    (value[..end].parse().ok(), value[end..].trim())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SettingUnitKind {
    Memory,
    Time,
}

/// A unit in bytes or microseconds; those of pg_settings may have a count, such as `8kB`.
fn kind_of(unit: &str) -> Option<(SettingUnitKind, f64)> {
    let digits = unit.len() - unit.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let count: f64 = if digits == 0 { 1.0 } else { unit[..digits].parse().ok()? };
    let (kind, size) = match &unit[digits..] {
        "B" => (SettingUnitKind::Memory, 1.0),
        "kB" => (SettingUnitKind::Memory, 1024.0),
        "MB" => (SettingUnitKind::Memory, 1_048_576.0),
        "GB" => (SettingUnitKind::Memory, 1_073_741_824.0),
        "TB" => (SettingUnitKind::Memory, 1_099_511_627_776.0),
        "us" => (SettingUnitKind::Time, 1.0),
        "ms" => (SettingUnitKind::Time, 1e3),
        "s" => (SettingUnitKind::Time, 1e6),
        "min" => (SettingUnitKind::Time, 60e6),
        "h" => (SettingUnitKind::Time, 3_600e6),
        "d" => (SettingUnitKind::Time, 86_400e6),
        _ => return None,
    };
    Some((kind, count * size))
}

/// How many of the base unit a unit is, if they are of one kind.
fn unit_factor(unit: &str, base: &str) -> Option<f64> {
    let ((kind, size), (base_kind, base_size)) = (kind_of(unit)?, kind_of(base)?);
    (kind == base_kind).then(|| size / base_size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_judged_as_the_server_does() {
        // A setting, a value, and what is wrong with it, if something is.
        let cases = [
            ("work_mem", "64MB", ""),
            ("work_mem", " 1 GB ", ""),
            ("work_mem", "1.5GB", ""),
            ("work_mem", "4096", ""),
            ("work_mem", "0x1000", ""),
            ("work_mem", "8 Megabyte", "has the unit \"Megabyte\", which does not apply to it"),
            ("work_mem", "8mb", "has the unit \"mb\", which does not apply to it"),
            ("work_mem", "5min", "has the unit \"min\", which does not apply to it"),
            ("work_mem", "-5", "is below the minimum, 64 (in units of kB)"),
            ("work_mem", "lots", "is not a number"),
            ("shared_buffers", "128MB", ""),
            ("statement_timeout", "5 minutes", "has the unit \"minutes\", which does not apply to it"),
            ("statement_timeout", "5min", ""),
            ("random_page_cost", "1.1", ""),
            ("random_page_cost", "1e0", ""),
            ("random_page_cost", "cheap", "is not a number"),
            ("max_connections", "200", ""),
            ("max_connections", "1s", "has no unit"),
            ("jit", "off", ""),
            ("jit", "maybe", "is neither on nor off"),
            ("synchronous_commit", "true", ""),
            ("synchronous_commit", "Remote_Apply", ""),
            // An enum up to 18, a list of levels by process from 19 on.
            ("log_min_messages", "warning, autovacuum:debug1", ""),
            ("wal_level", "hot_standby", ""),
            ("plan_cache_mode", "generic", "is not one of its values"),
            ("wal_compression", "lz4", ""),
            ("search_path", "anything, at all", ""),
        ];
        let levels = KnownSetting::find_by_name("log_min_messages").expect("it is a setting");
        assert!(levels.refuse_value("warning, autovacuum:debug1", Some(18)).is_some());
        for (name, value, wanted) in cases {
            let found = KnownSetting::find_by_name(name).expect("it is a setting").refuse_value(value, None);
            assert_eq!(found.map(|(why, _)| why).unwrap_or_default(), wanted, "{name} = {value}");
        }
    }

    #[test]
    fn a_setting_belongs_to_versions_and_to_sessions_or_servers() {
        let of = |name| KnownSetting::find_by_name(name).expect("it is a setting");
        assert_eq!(KnownSetting::nearest_name("work_memm"), Some("work_mem"));
        assert!(of("Work_Mem").lacking_in(14).is_none());
        assert!(of("vacuum_buffer_usage_limit").lacking_in(15).is_some(), "it came with 16");
        assert!(of("stats_temp_directory").lacking_in(15).is_some(), "it went with 15");
        assert!(of("io_min_workers").lacking_in(18).is_some(), "it came with 19");
        assert!(of("escape_string_warning").lacking_in(19).is_some(), "it went with 19");
        assert!(of("work_mem").lacking_in(NEWEST_MAJOR + 1).is_none(), "a later version is like the newest");
        // A session's from 19 on, the server's before.
        assert!(of("wal_receiver_timeout").is_of_the_server());
        assert!(of("max_connections").is_of_a_start() && of("max_connections").is_of_the_server());
        assert!(of("max_wal_size").is_of_the_server() && !of("max_wal_size").is_of_a_start());
        assert!(!of("work_mem").is_of_the_server());
    }
}
