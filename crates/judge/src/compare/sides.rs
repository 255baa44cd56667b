//! Facts of the sides beside each other: what differs, and whether the plan allowed it.
//!
//! Settings that are bound to differ between two servers on
//! one machine (ports, paths) are left out; a setting at its default on both sides belongs to the version.

use std::collections::{BTreeMap, BTreeSet};

use plan::{AllowedDifference, Aspect};
use results::facts::{
    self, Certificate, CgroupLimits, ConnectionEncryption, DataDirectoryDisk, DiskPart, FactSubject, HostFacts,
    MachineFirmware, NumaNode, Platform, ServerSetting, StandbyFacts, TargetFacts, Transport, is_identity_setting,
    short_version,
};
use results::imported::StatedTarget;

use super::build;
use super::fact_value::FactValue;
use super::question::RunQuestion;
use crate::observed::Observed;
use crate::units::format_milliseconds;

/// What is known of a target.
#[derive(Debug, Clone, Copy)]
pub struct KnownTarget<'a> {
    name: &'a str,
    from: From<'a>,
}

/// Where the knowledge comes from.
#[derive(Debug, Clone, Copy)]
enum From<'a> {
    /// The server and its host themselves.
    ReadBack(&'a TargetFacts),
    /// The author of an imported run.
    Stated(&'a StatedTarget),
}

impl<'a> KnownTarget<'a> {
    /// What was read back.
    pub fn read_back(facts: &'a TargetFacts) -> Self {
        Self { name: &facts.name, from: From::ReadBack(facts) }
    }

    /// What is stated only.
    pub fn from_stated(target: &'a StatedTarget) -> Self {
        Self { name: &target.name, from: From::Stated(target) }
    }

    /// The target's name.
    pub fn name(&self) -> &'a str {
        self.name
    }

    /// Whether a setting is one that the operator of the target makes by itself, on every server that it runs.
    pub(super) fn is_set_by_operator(&self, setting: &str) -> bool {
        let of_platform = self.read_back_facts().and_then(|facts| facts.of_platform.as_ref());
        of_platform.is_some_and(|of| of.set_by_operator.iter().any(|name| name == setting))
    }

    fn read_back_facts(&self) -> Option<&'a TargetFacts> {
        match self.from {
            From::ReadBack(facts) => Some(facts),
            From::Stated(_) => None,
        }
    }

    fn stated_target(&self) -> Option<&'a StatedTarget> {
        match self.from {
            From::ReadBack(_) => None,
            From::Stated(target) => Some(target),
        }
    }
}

/// One fact of all targets.
#[derive(Debug, Clone, PartialEq)]
pub struct FactRow {
    /// Its aspect.
    pub aspect: Aspect,
    /// Its name.
    pub name: String,
    /// Values in the order of the targets; absent where it could not be read.
    pub values: Vec<Option<FactValue>>,
    /// Whether two known values differ.
    pub differs: bool,
    /// Whether the plan lets it differ; what is not compared always may.
    pub allowed: bool,
    /// Whether it can be what makes the sides unlike: what names a server, and figures that are never the same twice,
    /// are only told.
    pub compared: bool,
}

/// What is known with the baseline first, then the candidates in the plan's order; targets of which nothing is known
/// are left out.
pub(super) fn known_targets<'a>(observed: &'a Observed, question: &RunQuestion) -> Vec<KnownTarget<'a>> {
    let mut known = Vec::new();
    for name in question.all_targets() {
        let stated = observed.run.imported.as_ref().and_then(|imported| imported.target_named(name));
        match (observed.facts.get(name), stated) {
            (Some(facts), _) => known.push(KnownTarget::read_back(facts)),
            (None, Some(stated)) => known.push(KnownTarget::from_stated(stated)),
            (None, None) => {}
        }
    }
    known
}

/// Every fact of `targets` (the baseline first), differences first within the order of aspects.
pub(crate) fn fact_rows(targets: &[KnownTarget<'_>], may_differ: &BTreeSet<AllowedDifference>) -> Vec<FactRow> {
    let mut table = FactTable { targets, may_differ, rows: Vec::new() };
    table.add_server_facts();
    table.add_path_facts();
    table.of_platform();
    table.add_limits();
    table.add_host_facts();
    table.add_settings();
    table.add_stated_conditions();
    let mut rows = table.rows;
    rows.sort_by_key(|row| !row.differs);
    rows
}

/// What the encryption of a path is called.
pub(super) const ENCRYPTION: &str = "encryption";

/// `TLSv1.3, TLS13_AES_256_GCM_SHA384`.
pub(crate) fn encryption_in_words(encryption: &ConnectionEncryption) -> String {
    match encryption {
        ConnectionEncryption::Nothing => "none".to_owned(),
        ConnectionEncryption::Tls { version, cipher, .. } => format!("{version}, {cipher}"),
    }
}

/// What the limit of the CPU time of a server's control group is called.
pub(crate) const CPU_LIMIT: &str = "CPU limit (cgroup)";

/// What the limit of its memory is called.
pub(crate) const MEMORY_LIMIT: &str = "memory limit (cgroup)";

/// What the key of a server's certificate is called.
pub(super) const CERTIFICATE_KEY: &str = "key of the certificate";

/// What the extensions of a database are called.
pub(crate) const EXTENSIONS: &str = "extensions";

struct FactTable<'a> {
    targets: &'a [KnownTarget<'a>],
    may_differ: &'a BTreeSet<AllowedDifference>,
    rows: Vec<FactRow>,
}

impl FactTable<'_> {
    /// Adds a fact that is read back; what is stated does not tell it.
    fn add(&mut self, aspect: Aspect, name: &str, value: impl Fn(&TargetFacts) -> Option<String>) {
        self.add_known(aspect, name, |known| value(known.read_back_facts()?).map(FactValue::read_back));
    }

    fn add_known(&mut self, aspect: Aspect, name: &str, value: impl Fn(&KnownTarget<'_>) -> Option<FactValue>) {
        self.push_row(aspect, name, self.targets.iter().map(value).collect());
    }

    /// Adds a fact that is read back and a list. Of lists that differ, each is told by what it has beside the others.
    fn add_list(&mut self, aspect: Aspect, name: &str, list: impl Fn(&TargetFacts) -> Option<BTreeSet<String>>) {
        let lists: Vec<Option<BTreeSet<String>>> =
            self.targets.iter().map(|known| known.read_back_facts().and_then(&list)).collect();
        self.push_row(aspect, name, beside_each_other(&lists));
    }

    /// Adds a fact that is read back, told only.
    fn add_told_only(&mut self, aspect: Aspect, name: &str, value: impl Fn(&TargetFacts) -> Option<String>) {
        let before = self.rows.len();
        self.add(aspect, name, value);
        self.tell_only(before);
    }

    /// The rows from this one on are told, and no difference.
    fn tell_only(&mut self, from: usize) {
        for row in &mut self.rows[from..] {
            (row.compared, row.allowed) = (false, true);
        }
    }

    fn push_row(&mut self, aspect: Aspect, name: &str, values: Vec<Option<FactValue>>) {
        let Some(first) = values.iter().flatten().next() else { return };
        let differs = values.iter().flatten().any(|value| !first.agrees_with(value));
        let allowed = self.may_differ.contains(&AllowedDifference::Aspect(aspect))
            || self.may_differ.iter().any(|may| matches!(may, AllowedDifference::Fact(fact) if *fact == name))
            || self.may_differ.contains(&AllowedDifference::Setting(name.to_lowercase()));
        self.rows.push(FactRow { aspect, name: name.to_owned(), values, differs, allowed, compared: true });
    }

    fn add_host(&mut self, aspect: Aspect, name: &str, value: impl Fn(&HostFacts) -> Option<String>) {
        self.add(aspect, name, |facts| facts.host.as_ref().and_then(&value));
    }

    fn add_server_facts(&mut self) {
        self.add_known(Aspect::Version, "version", |known| match known.from {
            From::ReadBack(facts) => Some(FactValue::read_back(short_version(&facts.server.version))),
            From::Stated(target) => {
                let mut version = match &target.printed_version {
                    Some(printed) => FactValue::read_back(printed.clone()),
                    None => FactValue::from_declaration(target.version.as_ref()?)?,
                };
                version.text.insert_str(0, "PostgreSQL ");
                Some(version)
            }
        });
        self.add(Aspect::Platform, "platform", |f| {
            Some(match f.platform {
                Platform::Url => "existing server".to_owned(),
                Platform::Local => "started by pgdyno".to_owned(),
                Platform::Kubernetes => "in Kubernetes".to_owned(),
            })
        });
        self.add_told_only(Aspect::Platform, "server and database", |f| {
            let database = f.server.database.as_ref().filter(|_| f.platform == Platform::Url)?;
            Some(format!("{}:{}/{database}", f.path.address, f.path.port))
        });
        self.add(Aspect::Platform, "in recovery (standby)", |f| Some(yes_no(f.server.in_recovery)));
        self.add(Aspect::Platform, plan::STANDBYS, |f| f.standbys.as_deref().map(in_words));
        self.add(Aspect::Locale, "encoding and collation", |f| f.server.locale.clone());
        self.add_told_only(Aspect::Version, "version and package", |f| Some(f.server.build.as_ref()?.version.clone()));
        self.add_list(Aspect::Version, "options of the build", |f| {
            build::relevant_configure_options(f.server.build.as_ref()?.configure.as_deref()?)
        });
        // Beside the version: one version of two builds is not as fast, and another version need not be another build.
        self.add_list(Aspect::Build, "compiler flags of the build", |f| {
            Some(build::relevant_compiler_flags(f.server.build.as_ref()?.cflags.as_deref()?))
        });
        self.add(Aspect::Build, "compiler", |f| build::compiler_in_words(&f.server.version));
        self.add_list(Aspect::Version, EXTENSIONS, |f| {
            // That one pgdyno makes itself, to warm caches.
            let all = f.server.extensions.as_ref()?.iter().filter(|(name, _)| *name != "pg_prewarm");
            Some(all.map(|(name, version)| format!("{name} {version}")).collect())
        });
    }

    fn add_path_facts(&mut self) {
        self.add(Aspect::Route, "transport", |f| {
            Some(match f.path.transport {
                Transport::Unix => "unix socket".to_owned(),
                Transport::Tcp => "TCP".to_owned(),
            })
        });
        self.add(Aspect::Route, ENCRYPTION, |f| Some(encryption_in_words(f.path.encryption.as_ref()?)));
        self.add(Aspect::Route, CERTIFICATE_KEY, |f| Some(certificate_of_target(f)?.key.clone()));
        self.add_told_only(Aspect::Route, "certificate", |f| Some(certificate_in_words(certificate_of_target(f)?)));
        self.add(Aspect::Route, "route", |f| Some(route_in_words(f, kind_of_hop)));
        // What an object on it is called is no difference.
        self.add_told_only(Aspect::Route, "route by name", |f| {
            Some(route_in_words(f, |hop| hop)).filter(|named| *named != route_in_words(f, kind_of_hop))
        });
        self.add(Aspect::Route, "on the load's host", |f| Some(yes_no(f.path.same_host)));
        // What makes it long is a difference; how long it is is none of its own.
        self.add_told_only(Aspect::Route, "round trip (median)", |f| {
            Some(format_milliseconds(f.path.round_trip_us? as f64 / 1e3))
        });
    }

    /// What a platform says of its servers; of a server without one nothing is known of these.
    fn of_platform(&mut self) {
        let said = self.targets.iter().filter_map(|known| known.read_back_facts()?.of_platform.as_ref());
        let named: BTreeSet<(FactSubject, &String)> =
            said.flat_map(|of| of.facts.iter().map(|(name, fact)| (fact.about, name))).collect();
        for (about, name) in named {
            let aspect = match about {
                FactSubject::Platform | FactSubject::Operator => Aspect::Platform,
                FactSubject::Hardware => Aspect::Hardware,
            };
            self.add(aspect, name, |facts| Some(facts.of_platform.as_ref()?.facts.get(name)?.value.clone()));
        }
    }

    /// The limits that pgdyno has set, which the plan asks for: they are told, and no difference.
    fn add_limits(&mut self) {
        let mut keys: Vec<String> = Vec::new();
        for known in self.targets {
            let Some(facts) = known.read_back_facts() else { continue };
            for limit in &facts.limits {
                if !keys.contains(&limit.key) {
                    keys.push(limit.key.clone());
                }
            }
        }
        for key in keys {
            self.add_told_only(Aspect::Hardware, &format!("limit: {key}"), |facts| {
                facts.limits.iter().find(|limit| limit.key == key).map(|limit| limit.value.clone())
            });
        }
    }

    fn add_host_facts(&mut self) {
        self.add_host(Aspect::Hardware, "CPU model", |h| h.cpu_model.clone());
        self.add_host(Aspect::Hardware, "CPUs", |h| Some(h.cpus.to_string()));
        self.add_host(Aspect::Hardware, "CPUs by NUMA node", |h| Some(by_node(h.numa_nodes.as_ref()?)));
        self.add_host(Aspect::Hardware, "memory", |h| Some(format_mebibytes(h.memory_bytes)));
        self.add_host(Aspect::Hardware, "virtualization", |h| h.virtualization.clone());
        self.add_host(Aspect::Hardware, "machine", |h| machine_in_words(h.machine.as_ref()?));
        self.add(Aspect::Hardware, CPU_LIMIT, |f| {
            Some(cgroup_limits_of_target(f)?.cpus.map_or("none".to_owned(), |cpus| format!("{cpus} CPUs")))
        });
        self.add_host(Aspect::Hardware, "CPU affinity of the server", |h| h.pinned_to.clone());
        self.add(Aspect::Hardware, MEMORY_LIMIT, |f| {
            Some(cgroup_limits_of_target(f)?.memory_bytes.map_or("none".to_owned(), format_mebibytes))
        });
        self.add_host(Aspect::Hardware, "data disk", |h| {
            let disk = h.data_disk.as_ref()?;
            let device = disk.device.as_deref().unwrap_or("no device");
            Some(disk.model.as_ref().map_or(device.to_owned(), |model| format!("{device} ({model})")))
        });
        self.add_host(Aspect::Hardware, "data disk: vendor", |h| h.data_disk.as_ref()?.vendor.clone());
        self.add_host(Aspect::Hardware, "data disk: made of", |h| {
            let disks = &h.data_disk.as_ref()?.made_of;
            (!disks.is_empty()).then(|| by_model(disks))
        });
        self.add_host(Aspect::Hardware, "WAL disk", |h| {
            let (wal, data) = (h.wal_disk.as_ref()?, h.data_disk.as_ref()?);
            let of = |disk: &DataDirectoryDisk| (disk.device.clone(), disk.mount_options.clone(), disk.size_bytes);
            let device = wal.device.as_deref().unwrap_or("no device");
            if of(wal) == of(data) {
                return Some("same as the data disk".to_owned());
            }
            Some(format!("{device}: {} ({})", wal.filesystem, wal.mount_options))
        });
        self.add_host(Aspect::Hardware, "file system", |h| {
            h.data_disk.as_ref().map(|disk| format!("{} ({})", disk.filesystem, disk.mount_options))
        });
        self.add_host(Aspect::Kernel, "kernel", |h| Some(h.kernel.clone()));
        self.add_host(Aspect::Kernel, "distribution", |h| h.os.clone());
        let hosts = self.targets.iter().filter_map(|known| known.read_back_facts()?.host.as_ref());
        let names: BTreeSet<&String> = hosts.flat_map(|host| host.kernel_settings.keys()).collect();
        for name in names {
            self.add_host(Aspect::Kernel, name, |host| host.kernel_settings.get(name).cloned());
        }
    }

    /// What is stated besides version and settings, under the author's own keys.
    fn add_stated_conditions(&mut self) {
        let said = self.targets.iter().filter_map(KnownTarget::stated_target);
        let names: BTreeSet<&String> = said.flat_map(|target| target.conditions.keys()).collect();
        for name in names {
            let aspect = aspect_of_condition(name);
            let before = self.rows.len();
            self.add_known(aspect, name, |known| {
                known.stated_target()?.conditions.get(name).and_then(|value| FactValue::from_declaration(value))
            });
            if is_no_cause(name) {
                self.tell_only(before);
            }
            if ["disk", "storage"].iter().any(|of| name.split('.').next() == Some(of)) && self.may_differ_in_storage() {
                self.rows[before..].iter_mut().for_each(|row| row.allowed = true);
            }
        }
    }

    fn may_differ_in_storage(&self) -> bool {
        ["disk", "storage"].iter().any(|word| self.may_differ.contains(&AllowedDifference::Setting((*word).to_owned())))
    }

    fn add_settings(&mut self) {
        let read_back =
            self.targets.iter().filter_map(KnownTarget::read_back_facts).flat_map(|facts| facts.settings.keys());
        let said = self.targets.iter().filter_map(KnownTarget::stated_target).flat_map(|target| target.settings.keys());
        let names: BTreeSet<&str> = read_back.chain(said).map(String::as_str).collect();
        let names: Vec<&str> = names.into_iter().filter(|name| !is_identity_setting(name)).collect();
        for name in names {
            // Where one side does not list a setting it is at its default there; the default that another side reports
            // is the best knowledge of it. A role that sees only a part of the settings does not know that.
            let all = || self.targets.iter().filter_map(KnownTarget::read_back_facts);
            let default = all().find_map(|f| f.settings.get(name)?.default.clone());
            // A default that a version changed belongs to the version.
            let by_default = all().all(|f| f.settings.get(name).is_none_or(|s| s.source == "default"));
            self.add_known(Aspect::Settings, name, |known| match known.from {
                From::ReadBack(facts) => match facts.settings.get(name) {
                    Some(setting) => Some(setting_in_words(setting)),
                    None if facts.gaps.contains_key(facts::SETTINGS) => None,
                    None => default.clone(),
                }
                .map(FactValue::read_back),
                // What its author leaves out is unknown, not the default.
                From::Stated(target) => target.settings.get(name).and_then(|value| FactValue::from_declaration(value)),
            });
            if by_default && let Some(row) = self.rows.last_mut().filter(|row| row.name == name) {
                row.allowed |= self.may_differ.contains(&AllowedDifference::Aspect(Aspect::Version));
                row.allowed |= FOLLOW_SHARED_BUFFERS.contains(&name)
                    && self.may_differ.contains(&AllowedDifference::Setting("shared_buffers".to_owned()));
            }
        }
    }
}

/// Where nobody sets them the server makes them as large as `shared_buffers` asks for.
const FOLLOW_SHARED_BUFFERS: [&str; 4] =
    ["wal_buffers", "commit_timestamp_buffers", "subtransaction_buffers", "transaction_buffers"];

/// What is on a route whose hops are not known, but whose other end is not what was connected to.
pub(crate) const FORWARDED: &str = "something that forwards connections";

fn route_in_words(facts: &TargetFacts, hop: impl Fn(&str) -> &str) -> String {
    let hops = facts.path.layers.iter().filter(|layer| *layer != "TLS");
    let hops: Vec<&str> = hops.map(|layer| hop(layer)).collect();
    if !hops.is_empty() {
        return hops.join(" > ");
    }
    if facts.path.is_forwarded() == Some(true) { FORWARDED.to_owned() } else { "no known hops".to_owned() }
}

/// A hop without the name of an object of Kubernetes.
fn kind_of_hop(hop: &str) -> &str {
    let kind = hop.split_once(' ').map(|(kind, _)| kind).filter(|kind| ["Service", "NodePort"].contains(kind));
    kind.unwrap_or(hop)
}

/// What a condition is of: its key ends with the word of an aspect, or it is of the hardware.
fn aspect_of_condition(key: &str) -> Aspect {
    let last = key.rsplit('.').next().unwrap_or(key);
    Aspect::of_word(&last.to_lowercase()).filter(is_aspect_of_conditions).unwrap_or(Aspect::Hardware)
}

fn is_aspect_of_conditions(aspect: &Aspect) -> bool {
    matches!(aspect, Aspect::Platform | Aspect::Route | Aspect::Kernel | Aspect::Locale)
}

/// Whether a condition says something of a target and makes no server faster: its price, its name, where it was read.
fn is_no_cause(name: &str) -> bool {
    const WORDS: [&str; 27] = [
        "price",
        "prices",
        "cost",
        "costs",
        "fee",
        "currency",
        "note",
        "notes",
        "comment",
        "description",
        "label",
        "date",
        "url",
        "link",
        "source",
        "author",
        "conclusion",
        "hostname",
        "ip",
        "address",
        "id",
        "uuid",
        "pod",
        "namespace",
        "when",
        "day",
        "measured",
    ];
    let name = name.to_lowercase();
    name.split(['_', '.', '-', ' ']).any(|word| WORDS.contains(&word))
}

fn setting_in_words(setting: &ServerSetting) -> String {
    if setting.pending_restart {
        format!("{} (change waits for a restart)", setting.value)
    } else {
        setting.value.clone()
    }
}

fn certificate_of_target(facts: &TargetFacts) -> Option<&Certificate> {
    match facts.path.encryption.as_ref()? {
        ConnectionEncryption::Nothing => None,
        ConnectionEncryption::Tls { certificate, .. } => certificate.as_ref(),
    }
}

fn certificate_in_words(certificate: &Certificate) -> String {
    let Certificate { subject, issuer, not_after, key: _, signature } = certificate;
    let issuer = if issuer == subject { "itself" } else { issuer };
    let until = not_after.map_or("without an expiry".to_owned(), |end| format!("until {}", end.strftime("%Y-%m-%d")));
    format!("{subject}, signed by {issuer} ({signature}), {until}")
}

/// Lists of words as values that can be told apart: those that are all the same as they are, others without the words
/// that are in all.
fn beside_each_other(lists: &[Option<BTreeSet<String>>]) -> Vec<Option<FactValue>> {
    let mut known = lists.iter().flatten();
    let common = known.clone().cloned().reduce(|one, other| &one & &other).unwrap_or_default();
    let differ = known.any(|list| *list != common);
    let told = |list: &BTreeSet<String>| {
        let words: Vec<&str> =
            list.iter().filter(|word| !differ || !common.contains(*word)).map(String::as_str).collect();
        let words = if words.is_empty() { "none".to_owned() } else { words.join(", ") };
        if differ && !common.is_empty() { format!("{words} (and {} in common)", common.len()) } else { words }
    };
    lists.iter().map(|list| list.as_ref().map(told).map(FactValue::read_back)).collect()
}

/// The limits of a server's control group, where they were read: without any is not the same as not known.
fn cgroup_limits_of_target(facts: &TargetFacts) -> Option<&CgroupLimits> {
    facts.host.as_ref().map(|host| &host.cgroup).filter(|_| !facts.gaps.contains_key(facts::HOST_CGROUP))
}

/// The CPUs of each node, in the order of the nodes.
fn by_node(nodes: &[NumaNode]) -> String {
    let lists: Vec<&str> = nodes.iter().map(|node| if node.cpus.is_empty() { "none" } else { &node.cpus }).collect();
    lists.join(" | ")
}

/// How many disks of which model; how the kernel calls them is no difference.
fn by_model(disks: &[DiskPart]) -> String {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for DiskPart { device: _, model } in disks {
        *counts.entry(model.as_deref().unwrap_or("without a model")).or_default() += 1;
    }
    let words: Vec<String> = counts.into_iter().map(|(model, count)| format!("{count} × {model}")).collect();
    words.join(", ")
}

/// Who runs a machine and of what kind it is; of nobody known, what its maker calls it.
fn machine_in_words(machine: &MachineFirmware) -> Option<String> {
    let MachineFirmware { provider, instance_type, vendor, product } = machine;
    let kind = instance_type.as_ref().or(product.as_ref());
    let words: Vec<&String> = match (provider, kind) {
        (Some(provider), Some(kind)) if kind != provider => vec![provider, kind],
        (Some(provider), Some(_) | None) => vec![provider],
        (None, _) => vendor.iter().chain(product).collect(),
    };
    let words: Vec<&str> = words.into_iter().map(String::as_str).collect();
    (!words.is_empty()).then(|| words.join(", "))
}

/// How many follow a server in which way; what they call themselves is no difference.
fn in_words(standbys: &[StandbyFacts]) -> String {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for StandbyFacts { state, sync_state, .. } in standbys {
        *counts.entry(format!("{state} ({sync_state})")).or_default() += 1;
    }
    let words: Vec<String> = counts.into_iter().map(|(how, count)| format!("{count} {how}")).collect();
    if words.is_empty() { "none".to_owned() } else { words.join(", ") }
}

fn yes_no(value: bool) -> String {
    if value { "yes" } else { "no" }.to_owned()
}

fn format_mebibytes(bytes: u64) -> String {
    format!("{} MiB", bytes >> 20)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// What was read back of a server with this host and these gaps.
    fn read_back(host: &serde_json::Value, gaps: &serde_json::Value) -> TargetFacts {
        let mut all = json!({
            "format": 1, "name": "x", "platform": "url", "read_at": "2026-11-20T09:12:00Z",
            "path": { "transport": "tcp", "address": "x", "port": 5432, "same_host": false },
            "server": { "version": "PostgreSQL 17.1", "version_num": 170_001, "in_recovery": false, "started_at": null,
                        "database_bytes": null, "locale": null },
            "settings": {}, "gaps": gaps,
            "host": { "cpu_model": null, "cpus": 8, "memory_bytes": 1 << 30, "kernel": "6.1", "os": null,
                      "virtualization": null, "data_disk": null, "cgroup": { "cpus": null, "memory_bytes": null } },
        });
        let host = host.as_object().expect("an object").clone();
        all["host"].as_object_mut().expect("an object").extend(host);
        serde_json::from_value(all).expect("facts")
    }

    /// The values of a fact of these sides, if it is among the rows.
    fn values(name: &str, sides: &[&TargetFacts]) -> Option<Vec<Option<String>>> {
        let sides: Vec<KnownTarget<'_>> = sides.iter().map(|facts| KnownTarget::read_back(facts)).collect();
        let row = fact_rows(&sides, &BTreeSet::new()).into_iter().find(|row| row.name == name)?;
        Some(row.values.into_iter().map(|value| value.map(|value| value.to_string())).collect())
    }

    #[test]
    fn limits_of_a_process_that_was_not_found_are_not_told_as_none() {
        let found = read_back(&json!({ "pinned_to": "all" }), &json!({}));
        let lost =
            read_back(&json!({}), &json!({ "host.cgroup": "not known here", "host.pinned_to": "not known here" }));
        for (name, value) in
            [("CPU limit (cgroup)", "none"), ("memory limit (cgroup)", "none"), ("CPU affinity of the server", "all")]
        {
            assert_eq!(values(name, &[&found, &lost]), Some(vec![Some(value.to_owned()), None]), "{name}");
            assert_eq!(values(name, &[&lost]), None, "{name}");
        }
    }

    /// Two sides with these builds and extensions.
    fn built(options: [&str; 2], extensions: [serde_json::Value; 2]) -> [TargetFacts; 2] {
        let sides = options.into_iter().zip(extensions).enumerate().map(|(number, (options, extensions))| {
            let configure = format!("'--prefix=/opt/{number}' {options}");
            let version = format!("PostgreSQL 17.1 (package {number})");
            let mut side = read_back(&json!({}), &json!({}));
            side.server.build =
                serde_json::from_value(json!({ "version": version, "configure": configure, "cflags": "-O2" })).unwrap();
            side.server.extensions = serde_json::from_value(extensions).unwrap();
            side
        });
        sides.collect::<Vec<_>>().try_into().expect("two")
    }

    #[test]
    fn builds_of_other_directories_are_alike_and_those_with_other_options_are_not() {
        let differ = |[one, other]: &[TargetFacts; 2]| {
            let rows =
                super::fact_rows(&[KnownTarget::read_back(one), KnownTarget::read_back(other)], &BTreeSet::new());
            let unlike = rows.into_iter().filter(|row| row.differs && row.compared);
            unlike
                .map(|row| (row.name, row.values.into_iter().flatten().map(|value| value.text).collect::<Vec<_>>()))
                .collect::<Vec<_>>()
        };
        let plain = json!({ "plpgsql": "1.0", "pg_prewarm": "1.2" });
        let alike = built(["--with-llvm", "--with-llvm"], [json!({ "plpgsql": "1.0" }), plain.clone()]);
        assert!(differ(&alike).is_empty());
        let package = super::fact_rows(&alike.each_ref().map(KnownTarget::read_back), &BTreeSet::new()).remove(0);
        assert_eq!((package.name.as_str(), package.differs, package.allowed), ("version and package", true, true));
        let unlike = built(
            ["--with-llvm --with-lz4 --with-icu", "--with-icu --with-llvm --enable-cassert"],
            [plain, json!({ "plpgsql": "1.0", "pg_stat_statements": "1.11" })],
        );
        let told = |one: &str, other: &str| vec![one.to_owned(), other.to_owned()];
        assert_eq!(
            differ(&unlike),
            [
                (
                    "options of the build".to_owned(),
                    told("--with-lz4 (and 2 in common)", "--enable-cassert (and 2 in common)")
                ),
                ("extensions".to_owned(), told("none (and 1 in common)", "pg_stat_statements 1.11 (and 1 in common)")),
            ]
        );
    }

    #[test]
    fn disks_below_a_device_are_told_by_model_and_not_by_name() {
        let over = |one: &str, other: &str| {
            let [one, other] = [one, other].map(|device| json!({ "device": device, "model": "EBS" }));
            let disk = json!({ "device": "dm-0", "model": null, "rotational": false, "filesystem": "xfs",
                               "mount_options": "rw", "size_bytes": 9, "free_bytes": 8,
                               "made_of": [one, other, { "device": "vdb", "model": null }] });
            read_back(&json!({ "data_disk": disk }), &json!({}))
        };
        let sides = [over("nvme1n1", "nvme2n1"), over("nvme3n1", "nvme4n1")];
        let told = Some("2 × EBS, 1 × without a model".to_owned());
        assert_eq!(values("data disk: made of", &sides.each_ref()), Some(vec![told.clone(), told]));
    }

    #[test]
    fn what_follows_from_shared_buffers_may_differ_with_it_unless_somebody_sets_it() {
        let side = |shared: &str, wal: &str, source: &str| {
            let mut side = read_back(&json!({}), &json!({}));
            let setting = |value: &str, source: &str| json!({ "value": value, "default": "-1", "source": source, "pending_restart": false });
            let settings =
                json!({ "shared_buffers": setting(shared, "configuration file"), "wal_buffers": setting(wal, source) });
            side.settings = serde_json::from_value(settings).expect("settings");
            side
        };
        let is_allowed = |source: &str, may: &str| {
            let sides = [side("2MB", "64kB", source), side("1GB", "16MB", source)];
            let may = BTreeSet::from([AllowedDifference::Setting(may.to_owned())]);
            let rows = super::fact_rows(&sides.each_ref().map(KnownTarget::read_back), &may);
            rows.into_iter().find(|row| row.name == "wal_buffers").expect("it differs").allowed
        };
        assert!(is_allowed("default", "shared_buffers"));
        assert!(!is_allowed("configuration file", "shared_buffers"), "it was set");
        assert!(!is_allowed("default", "work_mem"));
    }

    #[test]
    fn setting_that_a_role_may_not_see_is_no_difference() {
        let setting = |value: &str| json!({ "value": value, "default": "", "source": "configuration file", "pending_restart": false });
        let differ = |gaps: serde_json::Value| {
            let (mut sees, mut sees_less) = (read_back(&json!({}), &json!({})), read_back(&json!({}), &gaps));
            sees.settings = serde_json::from_value(json!({ "a": setting("x"), "work_mem": setting("4MB") })).unwrap();
            sees_less.settings = serde_json::from_value(json!({ "work_mem": setting("8MB") })).unwrap();
            let rows = super::fact_rows(
                &[KnownTarget::read_back(&sees), KnownTarget::read_back(&sees_less)],
                &BTreeSet::new(),
            );
            let differing = rows.into_iter().filter(|row| row.aspect == Aspect::Settings && row.differs);
            differing.map(|row| row.name).collect::<Vec<_>>()
        };
        assert_eq!(differ(json!({})), ["a", "work_mem"], "not listed: at its default");
        assert_eq!(differ(json!({ "settings": "sees only a part of the settings" })), ["work_mem"]);
    }

    #[test]
    fn what_an_object_on_the_way_is_called_is_told_and_is_no_difference() {
        let by = |hops: [&str; 2]| {
            let mut side = read_back(&json!({}), &json!({}));
            side.path.layers = hops.map(str::to_owned).to_vec();
            side
        };
        let differ = |one: [&str; 2], other: [&str; 2]| {
            let sides = [by(one), by(other)];
            let rows = super::fact_rows(&sides.each_ref().map(KnownTarget::read_back), &BTreeSet::new());
            rows.into_iter().any(|row| row.differs && row.compared)
        };
        let sides = [by(["Service a-rw", "pod network"]), by(["Service b-rw", "pod network"])];
        let named = Some("Service b-rw > pod network".to_owned());
        assert_eq!(values("route by name", &sides.each_ref()).expect("it is told")[1], named);
        assert!(!differ(["Service a-rw", "pod network"], ["Service b-rw", "pod network"]));
        assert!(differ(["Service a-rw", "pod network"], ["NodePort a-rw", "pod network"]));
        assert!(differ(["Service a", "pod network"], ["Service a", "PgBouncer"]));
    }

    #[test]
    fn forwarded_connections_are_a_difference_of_the_route() {
        let with = |host: &str, end: Value| {
            let mut side = read_back(&json!({}), &json!({}));
            side.path = serde_json::from_value(json!({
                "transport": "tcp", "address": host, "port": 5432, "same_host": false, "server_end": end
            }))
            .unwrap();
            side
        };
        let ends = json!([
            { "address": "10.0.0.5", "port": 5432 },
            { "address": "10.0.0.5", "port": 6432 },
            { "address": "10.0.0.6", "port": 5432 },
            {},
            null
        ]);
        let forwarded = |host| {
            let routes = ends.as_array().unwrap().iter().map(|end| with(host, end.clone()));
            routes.map(|side| side.path.is_forwarded()).collect::<Vec<_>>()
        };
        assert_eq!(forwarded("10.0.0.5"), [Some(false), Some(true), Some(true), Some(true), None]);
        // Which address a name stands for is the resolver's to say.
        assert_eq!(forwarded("db.example"), [Some(false), Some(true), Some(false), Some(true), None]);
        let sides = [with("10.0.0.5", ends[0].clone()), with("10.0.0.5", ends[1].clone())];
        let told = [Some("no known hops".to_owned()), Some(FORWARDED.to_owned())];
        assert_eq!(values("route", &sides.each_ref()), Some(told.to_vec()));
    }

    #[test]
    fn a_round_trip_is_told_and_is_no_difference() {
        let with = |us: Option<u64>| {
            let mut side = read_back(&json!({}), &json!({}));
            side.path.round_trip_us = us;
            side
        };
        let sides = [Some(48), Some(12_345), None].map(with);
        let told = vec![Some("48.0 µs".to_owned()), Some("12.3 ms".to_owned()), None];
        assert_eq!(values("round trip (median)", &sides.each_ref()), Some(told));
        let rows = super::fact_rows(&sides.each_ref().map(KnownTarget::read_back), &BTreeSet::new());
        assert!(!rows.iter().any(|row| row.differs && row.compared), "{rows:?}");
    }

    #[test]
    fn of_a_certificate_only_the_key_is_compared() {
        let with = |subject: &str, issuer: &str, not_after: Option<&str>| {
            let mut side = read_back(&json!({}), &json!({}));
            let certificate = json!({ "subject": subject, "issuer": issuer, "not_after": not_after,
                                      "key": "ECDSA, P-256", "signature": "SHA-256 with ECDSA" });
            let tls = json!({ "version": "TLSv1.3", "cipher": "AES", "certificate": certificate });
            side.path.encryption = serde_json::from_value(json!({ "tls": tls })).unwrap();
            side
        };
        let (one, other) = (with("CN=a", "CN=a", None), with("CN=b", "CN=ca", Some("2027-03-01T12:00:00Z")));
        let told = [
            "CN=a, signed by itself (SHA-256 with ECDSA), without an expiry",
            "CN=b, signed by CN=ca (SHA-256 with ECDSA), until 2027-03-01",
        ];
        assert_eq!(values("certificate", &[&one, &other]), Some(told.map(|told| Some(told.to_owned())).to_vec()));
        let rows = super::fact_rows(&[&one, &other].map(KnownTarget::read_back), &BTreeSet::new());
        assert!(!rows.iter().any(|row| row.differs && row.compared), "{rows:?}");
        assert!(rows.iter().any(|row| row.name == CERTIFICATE_KEY && row.compared), "{rows:?}");
        let before: ConnectionEncryption =
            serde_json::from_value(json!({ "tls": { "version": "x", "cipher": "y" } })).unwrap();
        assert!(
            matches!(before, ConnectionEncryption::Tls { certificate: None, .. }),
            "as the first versions wrote it"
        );
    }

    #[test]
    fn a_machine_is_told_by_its_provider_and_kind_or_as_its_maker_calls_it() {
        let told = |machine: serde_json::Value| {
            let nodes = json!([{ "number": 0, "cpus": "0-3" }, { "number": 1, "cpus": "4-7" }]);
            let facts = read_back(&json!({ "machine": machine, "numa_nodes": nodes }), &json!({}));
            assert_eq!(values("CPUs by NUMA node", &[&facts]), Some(vec![Some("0-3 | 4-7".to_owned())]));
            values("machine", &[&facts]).and_then(|mut values| values.remove(0))
        };
        let is = |provider: Option<&str>, kind: Option<&str>, vendor: &str, product: &str| {
            told(json!({ "provider": provider, "instance_type": kind, "vendor": vendor, "product": product }))
        };
        let amazon = Some("Amazon EC2");
        assert_eq!(is(amazon, Some("m7g.large"), "Amazon EC2", "m7g.large").as_deref(), Some("Amazon EC2, m7g.large"));
        let google = "Google Compute Engine";
        assert_eq!(is(Some(google), None, "Google", google).as_deref(), Some(google));
        assert_eq!(is(None, None, "Dell Inc.", "PowerEdge R640").as_deref(), Some("Dell Inc., PowerEdge R640"));
    }

    #[test]
    fn what_its_author_does_not_know_is_no_stated_value() {
        assert_eq!(["unknown", " N/A ", "?", ""].map(FactValue::from_declaration), [None, None, None, None]);
        let target = |kernel: &str| {
            let stated = format!(r#"{{"name": "x", "conditions": {{"kernel": "{kernel}"}}}}"#);
            serde_json::from_str::<StatedTarget>(&stated).expect("a declared target")
        };
        let differs = |one: &str, other: &str| {
            let targets = [target(one), target(other)];
            let rows =
                super::fact_rows(&targets.iter().map(KnownTarget::from_stated).collect::<Vec<_>>(), &BTreeSet::new());
            rows.iter().any(|row| row.differs)
        };
        assert!(differs("6.1", "5.10") && !differs("6.1", "unknown") && !differs("unknown", "6.1"));
    }
}
