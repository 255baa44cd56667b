//! The settings, by version.

use std::sync::LazyLock;

use crate::rows::{VersionRange, versioned_rows};

/// What `pg_settings` says of a setting in some major versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CatalogSetting {
    /// The name, as the server spells it.
    pub name: &'static str,
    /// The first of these versions.
    pub first_version: u32,
    /// The last of them.
    pub last_version: u32,
    /// `context`: `internal`, `postmaster`, `sighup`, `backend`, `superuser-backend`, `superuser` or `user`.
    pub context: &'static str,
    /// `vartype`: `bool`, `enum`, `integer`, `real` or `string`.
    pub vartype: &'static str,
    /// `unit` of a plain number, such as `kB` or `8kB`; empty where there is none.
    pub unit: &'static str,
    /// `min_val`; empty where there is none.
    pub least: &'static str,
    /// `max_val`.
    pub most: &'static str,
    /// `enumvals` with commas between, and the words that a server, or another build of it, takes besides.
    pub words: &'static str,
    /// `boot_val` without the unit; empty where there is none, or where it differs between builds.
    pub default: &'static str,
    /// `category`, such as `Query Tuning / Planner Cost Constants`.
    pub group: &'static str,
}

static SETTINGS: LazyLock<Vec<CatalogSetting>> = LazyLock::new(read_settings);

fn read_settings() -> Vec<CatalogSetting> {
    let mut settings = Vec::new();
    for (range, columns) in versioned_rows::<10>(include_str!("../data/settings.tsv")) {
        let VersionRange { first, last } = range;
        let [_, name, context, vartype, unit, least, most, words, default, group] = columns;
        settings.push(CatalogSetting {
            name,
            first_version: first,
            last_version: last,
            context,
            vartype,
            unit,
            least,
            most,
            words,
            default,
            group,
        });
    }
    settings
}

/// All settings, ordered by name and version: as many entries of one as differ between versions.
#[must_use]
pub fn all_settings() -> &'static [CatalogSetting] {
    &SETTINGS
}

/// The group of the manual that a setting is described in, in the newest version that has it; none of the setting of an
/// extension.
#[must_use]
pub fn setting_group(name: &str) -> Option<&'static str> {
    let of_name = SETTINGS.iter().filter(|setting| setting.name.eq_ignore_ascii_case(name));
    of_name.max_by_key(|setting| setting.last_version).map(|setting| setting.group)
}

/// The settings whose default is not the same in all versions that have them: two servers of different versions that
/// nobody has set differ in them. Those that nobody can set are not among them.
pub fn settings_with_changed_default() -> impl Iterator<Item = &'static str> {
    // The entries of a name stand beside each other.
    let changed = SETTINGS.windows(2).filter(|pair| {
        let [one, next] = pair else { return false };
        // Of another type, the same default is another text.
        let is_of_one_type = one.name == next.name && one.vartype == next.vartype;
        is_of_one_type && one.default != next.default && next.context != "internal"
    });
    changed.map(|pair| pair[0].name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_read_and_the_entries_of_a_name_follow_each_other() {
        let lines = include_str!("../data/settings.tsv").lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(SETTINGS.len(), lines);
        for pair in SETTINGS.windows(2) {
            let [one, next] = pair else { continue };
            let is_next = one.name < next.name || (one.name == next.name && one.last_version < next.first_version);
            assert!(is_next, "{} and {}", one.name, next.name);
        }
    }

    #[test]
    fn group_is_that_of_the_newest_version_in_any_case_of_letters() {
        assert_eq!(setting_group("work_mem"), Some("Resource Usage / Memory"));
        assert_eq!(setting_group("datestyle"), setting_group("DateStyle"));
        assert_eq!(setting_group("auto_explain.log_min_duration"), None);
    }

    #[test]
    fn defaults_that_a_version_changed_are_known() {
        let changed: Vec<&str> = settings_with_changed_default().collect();
        // 15: hash_mem_multiplier 1 to 2; 18: effective_io_concurrency 1 to 16; 19: the others.
        let expected = [
            "default_toast_compression",
            "effective_io_concurrency",
            "hash_mem_multiplier",
            "jit",
            "log_lock_waits",
            "max_locks_per_transaction",
        ];
        for name in expected {
            assert!(changed.contains(&name), "{name} is not among {changed:?}");
        }
        assert!(!changed.contains(&"log_connections"), "it is a list of words from 18 on: {changed:?}");
        assert!(!changed.contains(&"work_mem") && !changed.contains(&"shared_memory_size"), "{changed:?}");
    }
}
