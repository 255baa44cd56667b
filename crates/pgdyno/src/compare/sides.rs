//! Facts of the sides beside each other: what differs, and whether the plan allowed it.
//!
//! A difference that the plan did not allow is a confounder. Settings that are bound to differ between two servers on
//! one machine (ports, paths) are left out; a setting at its default on both sides belongs to the version.

use std::collections::{BTreeMap, BTreeSet};

use results::facts::{Host, Platform, Setting, TargetFacts, Transport};

use super::doubts::Doubt;
use crate::plan::{Aspect, Difference, Word as _};

/// One fact of all targets.
#[derive(Debug, Clone, PartialEq)]
pub struct FactRow {
    /// Its aspect.
    pub aspect: Aspect,
    /// Its name.
    pub name: String,
    /// Values in the order of the targets; absent where it could not be read.
    pub values: Vec<Option<String>>,
    /// Whether two known values differ.
    pub differs: bool,
    /// Whether the plan lets it differ.
    pub allowed: bool,
}

/// A difference between a candidate and the baseline that the plan did not allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confounder {
    /// The candidate.
    pub candidate: String,
    /// What differs.
    pub what: String,
    /// The baseline's value.
    pub baseline: String,
    /// The candidate's value.
    pub value: String,
    /// What to do about it.
    pub hint: String,
}

/// Settings that differ between any two servers and say nothing about their speed.
const IDENTITY_SETTINGS: &[&str] = &[
    "allow_alter_system",
    "application_name",
    "client_encoding",
    "cluster_name",
    "config_file",
    "data_directory",
    "DateStyle",
    "default_text_search_config",
    "event_source",
    "external_pid_file",
    "hba_file",
    "ident_file",
    "in_hot_standby",
    "lc_messages",
    "lc_monetary",
    "lc_numeric",
    "lc_time",
    "listen_addresses",
    "log_destination",
    "log_directory",
    "log_file_mode",
    "log_filename",
    "log_timezone",
    "port",
    "restrict_nonsystem_relation_kind",
    "server_version",
    "server_version_num",
    "stats_temp_directory",
    "TimeZone",
    "transaction_deferrable",
    "transaction_isolation",
    "transaction_read_only",
    "unix_socket_directories",
    "unix_socket_group",
    "unix_socket_permissions",
];

/// Whether a setting differs between any two servers and says nothing about their speed.
pub fn is_identity_setting(name: &str) -> bool {
    IDENTITY_SETTINGS.contains(&name)
}

/// Every fact of `targets` (the baseline first), differences first within the order of aspects.
pub fn rows(targets: &[&TargetFacts], may_differ: &BTreeSet<Difference>) -> Vec<FactRow> {
    let mut table = Table { targets, may_differ, rows: Vec::new() };
    table.server();
    table.path();
    table.host();
    table.settings();
    let mut rows = table.rows;
    rows.sort_by_key(|row| !row.differs);
    rows
}

/// The differences of each candidate against the baseline that were not allowed.
pub fn confounders(targets: &[&TargetFacts], rows: &[FactRow]) -> Vec<Confounder> {
    let mut found = Vec::new();
    for (index, target) in targets.iter().enumerate().skip(1) {
        for row in rows.iter().filter(|row| !row.allowed) {
            if let (Some(Some(baseline)), Some(Some(value))) = (row.values.first(), row.values.get(index))
                && baseline != value
            {
                found.push(Confounder {
                    candidate: target.name.clone(),
                    what: row.name.clone(),
                    baseline: baseline.clone(),
                    value: value.clone(),
                    hint: hint(row),
                });
            }
        }
    }
    found
}

fn hint(row: &FactRow) -> String {
    let word = if row.aspect == Aspect::Settings { row.name.as_str() } else { row.aspect.word() };
    format!("make the sides alike, or add {word:?} to may_differ if it is part of what is compared")
}

struct Table<'a> {
    targets: &'a [&'a TargetFacts],
    may_differ: &'a BTreeSet<Difference>,
    rows: Vec<FactRow>,
}

impl Table<'_> {
    fn add(&mut self, aspect: Aspect, name: &str, value: impl Fn(&TargetFacts) -> Option<String>) {
        let values: Vec<Option<String>> = self.targets.iter().map(|facts| value(facts)).collect();
        let known: BTreeSet<&String> = values.iter().flatten().collect();
        if known.is_empty() {
            return;
        }
        let differs = known.len() > 1;
        let allowed = self.may_differ.contains(&Difference::Aspect(aspect))
            || (aspect == Aspect::Settings && self.may_differ.contains(&Difference::Setting(name.to_lowercase())));
        self.rows.push(FactRow { aspect, name: name.to_owned(), values, differs, allowed });
    }

    fn add_host(&mut self, aspect: Aspect, name: &str, value: impl Fn(&Host) -> Option<String>) {
        self.add(aspect, name, |facts| facts.host.as_ref().and_then(&value));
    }

    fn server(&mut self) {
        self.add(Aspect::Version, "version", |f| Some(short_version(&f.server.version)));
        self.add(Aspect::Platform, "platform", |f| {
            Some(match f.platform {
                Platform::Url => "a server that was there".to_owned(),
                Platform::Local => "started by pgdyno".to_owned(),
            })
        });
        self.add(Aspect::Platform, "in recovery (standby)", |f| Some(yes_no(f.server.in_recovery)));
        self.add(Aspect::Locale, "encoding and collation", |f| f.server.locale.clone());
    }

    fn path(&mut self) {
        self.add(Aspect::Path, "transport", |f| {
            Some(match f.path.transport {
                Transport::Unix => "unix socket".to_owned(),
                Transport::Tcp => "TCP".to_owned(),
            })
        });
        self.add(Aspect::Path, "on the load's host", |f| Some(yes_no(f.path.same_host)));
    }

    fn host(&mut self) {
        self.add_host(Aspect::Hardware, "CPU model", |h| h.cpu_model.clone());
        self.add_host(Aspect::Hardware, "CPUs", |h| Some(h.cpus.to_string()));
        self.add_host(Aspect::Hardware, "memory", |h| Some(mebibytes(h.memory_bytes)));
        self.add_host(Aspect::Hardware, "virtualization", |h| h.virtualization.clone());
        self.add_host(Aspect::Hardware, "CPU limit (cgroup)", |h| {
            Some(h.cgroup.cpus.map_or("none".to_owned(), |cpus| format!("{cpus} CPUs")))
        });
        self.add_host(Aspect::Hardware, "memory limit (cgroup)", |h| {
            Some(h.cgroup.memory_bytes.map_or("none".to_owned(), mebibytes))
        });
        self.add_host(Aspect::Hardware, "data disk", |h| {
            let disk = h.data_disk.as_ref()?;
            let device = disk.device.as_deref().unwrap_or("no device");
            Some(disk.model.as_ref().map_or(device.to_owned(), |model| format!("{device} ({model})")))
        });
        self.add_host(Aspect::Hardware, "file system", |h| {
            h.data_disk.as_ref().map(|disk| format!("{} ({})", disk.filesystem, disk.mount_options))
        });
        self.add_host(Aspect::Kernel, "kernel", |h| Some(h.kernel.clone()));
        self.add_host(Aspect::Kernel, "distribution", |h| h.os.clone());
    }

    fn settings(&mut self) {
        let names: BTreeSet<&str> = self.targets.iter().flat_map(|f| f.settings.keys().map(String::as_str)).collect();
        let names: Vec<&str> = names.into_iter().filter(|name| !is_identity_setting(name)).collect();
        for name in names {
            // Where one side does not list a setting it is at its default there; the default that another side reports is
            // the best knowledge of it.
            let default = self.targets.iter().find_map(|f| f.settings.get(name)?.default.clone());
            self.add(Aspect::Settings, name, |facts| facts.settings.get(name).map(shown).or_else(|| default.clone()));
            // A default that a version changed belongs to the version.
            let by_default = self.targets.iter().all(|f| f.settings.get(name).is_none_or(|s| s.source == "default"));
            if by_default && let Some(row) = self.rows.last_mut().filter(|row| row.name == name) {
                row.allowed |= self.may_differ.contains(&Difference::Aspect(Aspect::Version));
            }
        }
    }
}

fn shown(setting: &Setting) -> String {
    if setting.pending_restart {
        format!("{} (change waits for a restart)", setting.value)
    } else {
        setting.value.clone()
    }
}

/// `PostgreSQL 17.11` out of the long string of `version()`.
pub fn short_version(version: &str) -> String {
    version.split_whitespace().take(2).collect::<Vec<_>>().join(" ")
}

fn yes_no(value: bool) -> String {
    if value { "yes" } else { "no" }.to_owned()
}

fn mebibytes(bytes: u64) -> String {
    format!("{} MiB", bytes >> 20)
}

/// Reasons to doubt single targets: changes that wait for a restart, facts that could not be read.
pub fn doubts(facts: &BTreeMap<String, TargetFacts>) -> Vec<Doubt> {
    facts.values().flat_map(|target| [waiting_for_restart(target), without_host(target)]).flatten().collect()
}

fn waiting_for_restart(target: &TargetFacts) -> Option<Doubt> {
    let waiting: Vec<&str> =
        target.settings.iter().filter(|(_, s)| s.pending_restart).map(|(name, _)| name.as_str()).collect();
    (!waiting.is_empty()).then(|| Doubt {
        text: format!("{}: changed settings wait for a restart: {}", target.name, waiting.join(", ")),
        hint: "restart the server and measure again".to_owned(),
        trials: Vec::new(),
    })
}

fn without_host(target: &TargetFacts) -> Option<Doubt> {
    target.host.is_none().then(|| Doubt {
        text: format!("{}: nothing is known about its host", target.name),
        hint: "hardware and kernel of the sides could not be compared".to_owned(),
        trials: Vec::new(),
    })
}
