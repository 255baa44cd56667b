//! What happens to settings between two major versions: gone, renamed, or with another default.

use std::collections::BTreeMap;

use crate::settings::{CatalogSetting, all_settings};

/// New names, which no server says: the version of the new name, the old one, the new one. PostgreSQL still takes the
/// old names.
const RENAMED: [(u32, &str, &str); 2] =
    [(16, "force_parallel_mode", "debug_parallel_query"), (18, "ssl_ecdh_curve", "ssl_groups")];

/// A setting that another version has otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SettingBetweenVersions {
    /// Its name in the older version.
    pub name: &'static str,
    /// What happens to it.
    pub change: SettingChange,
}

/// What happens to a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingChange {
    /// The newer version does not know it: a server with it in its configuration does not start.
    Removed,
    /// It has another name.
    Renamed {
        /// The name.
        to: &'static str,
    },
    /// Its default is another one.
    DefaultChanged {
        /// In the older version, in `unit`.
        from: &'static str,
        /// In the newer one.
        to: &'static str,
        /// `unit` of a plain number, such as `kB` or `8kB`; empty where there is none.
        unit: &'static str,
    },
}

/// The settings that a server can be given and that the version `to` has otherwise than the version `from`, by name.
#[must_use]
pub fn settings_changed_between(from: u32, to: u32) -> Vec<SettingBetweenVersions> {
    let [older, newer] = [from, to].map(settings_of_version);
    let mut changed = Vec::new();
    for (name, before) in &older {
        if before.context == "internal" {
            continue;
        }
        let renamed = RENAMED.iter().find(|(since, old, _)| old == name && from < *since && *since <= to);
        let change = match (newer.get(name), renamed) {
            (_, Some((_, _, new))) => SettingChange::Renamed { to: new },
            (None, None) => SettingChange::Removed,
            (Some(now), None) if before.vartype == now.vartype && before.default != now.default => {
                SettingChange::DefaultChanged { from: before.default, to: now.default, unit: now.unit }
            }
            (Some(_), None) => continue,
        };
        changed.push(SettingBetweenVersions { name, change });
    }
    changed
}

fn settings_of_version(version: u32) -> BTreeMap<&'static str, &'static CatalogSetting> {
    let mut settings = BTreeMap::new();
    for setting in all_settings() {
        if (setting.first_version..=setting.last_version).contains(&version) {
            settings.insert(setting.name, setting);
        }
    }
    settings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change_of(name: &str, from: u32, to: u32) -> Option<SettingChange> {
        settings_changed_between(from, to).iter().find(|one| one.name == name).map(|one| one.change)
    }

    #[test]
    fn settings_that_are_gone_renamed_or_have_another_default_are_known() {
        let default = |from, to| Some(SettingChange::DefaultChanged { from, to, unit: "" });
        for (name, from, to, expected) in [
            ("stats_temp_directory", 14, 18, Some(SettingChange::Removed)),
            ("stats_temp_directory", 15, 18, None),
            ("force_parallel_mode", 14, 18, Some(SettingChange::Renamed { to: "debug_parallel_query" })),
            ("force_parallel_mode", 14, 15, None),
            ("debug_parallel_query", 16, 18, None),
            ("hash_mem_multiplier", 14, 18, default("1", "2")),
            ("hash_mem_multiplier", 15, 18, None),
            ("effective_io_concurrency", 17, 18, default("1", "16")),
            ("work_mem", 14, 18, None),
            ("server_version_num", 14, 18, None),
        ] {
            assert_eq!(change_of(name, from, to), expected, "{name} from {from} to {to}");
        }
        assert!(settings_changed_between(17, 17).is_empty());
    }
}
