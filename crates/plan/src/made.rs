//! A PostgreSQL that pgdyno makes in Kubernetes, as a plan describes it: a cluster of CloudNativePG, or the control
//! without an operator, a pod, or a StatefulSet of one, with the same image, storage and settings. What is made of it
//! is in `manifests`.

use std::collections::BTreeMap;
use std::str::FromStr;
use std::time::Duration;

use serde_json::json;

use super::affinity::Affinity;
use super::document::{MappingEntry, YamlValue};
use super::language::{
    At, AtLeastMs, Form, List, MappingEntries, MappingRecord, PlanReadingFindings, SettingsByName, TextForm,
    ValueDescription, Whole, Yaml, choice, quote_text, read_text, record, words,
};
use super::object_name::ObjectName;

choice! {
    /// What is made.
    pub enum Made = "one of `cnpg`, `pod`, `statefulset` is required" {
        /// A CloudNativePG cluster. The operator must be installed. It creates the user, the database and the
        /// certificates.
        "cnpg" => Cnpg(MadeCluster),
        /// A pod with a volume and without an operator, as the control for `cnpg`. It also offers TLS. Settings that
        /// the plan does not set have the defaults of PostgreSQL.
        "pod" => Pod(MadePod),
        /// The same pod in a StatefulSet, which recreates a lost pod with its data.
        "statefulset" => StatefulSet(MadePod),
    }
}

impl MappingRecord for Made {
    const TITLE: &'static str = "a created server in Kubernetes";
    const DOC: &'static str = "A server that pgdyno creates in Kubernetes and removes at the end.";
}

/// Much larger than the name of a server that is there.
impl Form for Box<Made> {
    type Value = Self;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Self> {
        Made::read_value(findings, at).map(Box::new)
    }

    fn write_value(value: &Self) -> Yaml {
        Made::write_value(value)
    }

    fn describe_form() -> ValueDescription {
        Made::describe_form()
    }
}

record! {
    /// A CloudNativePG cluster that pgdyno creates.
    pub struct MadeCluster = "a created cluster" {
        /// The server itself.
        keys server: MadeServer,
        /// Separate volume for the WAL of each instance (`walStorage`).
        key wal: Option<MadeVolume> = Absent("beside the data"),
        /// Number of instances: the primary and its replicas.
        key instances: u32 as Whole<1, 9> = Default("1"),
        /// Number of replicas that must confirm each commit.
        key synchronous: u32 as Whole<0, 8> = Default("0"),
        /// How long an instance that is stopped waits for its sessions to end, without accepting new ones; rounded up
        /// to seconds. Sets `smartShutdownTimeout`, whose default in CloudNativePG is 3 minutes.
        key smart_shutdown: Duration as AtLeastMs<1000> = Default("1s"),
        /// A CloudNativePG Pooler before the primary, for `via: pooler`.
        key pooler: Option<MadePooler> = Absent("none"),
    }
}

record! {
    /// A volume that pgdyno creates.
    pub struct MadeVolume = "a volume" {
        /// Storage class of the volume.
        key storage_class: Option<ObjectName> = Open("the default of the cluster"),
        /// Size of the volume.
        key size: KubernetesQuantity = Default("5Gi"),
    }
}

record! {
    /// A pod that pgdyno creates.
    pub struct MadePod = "a created pod" {
        /// The server itself.
        keys server: MadeServer,
        /// User ID that runs PostgreSQL in the image: 26 in images of CloudNativePG, 999 in those of Docker.
        key user: u32 as Whole<1, 65535> = Default("26"),
        /// Use the network of the node (`hostNetwork`), for `via: host-network`. The namespace must permit it.
        key host_network: bool = Default("false"),
    }
}

record! {
    /// What all servers that are made in Kubernetes have.
    pub struct MadeServer = "a created server" {
        /// Container image of PostgreSQL. An image of CloudNativePG also works for a `pod`.
        key image: String as TextForm,
        /// Storage class of the volume.
        key storage_class: Option<ObjectName> = Open("the default of the cluster"),
        /// Size of the volume.
        key size: KubernetesQuantity = Default("10Gi"),
        /// Resources of the container.
        key resources: Resources = Default("{}"),
        /// Labels of the nodes on which it may run.
        key node_selector: BTreeMap<String, String> as Labels = Absent("any node"),
        /// Affinity rules, as in the specification of a pod: `nodeAffinity`, `podAffinity`, `podAntiAffinity`.
        key affinity: Affinity = Absent("anywhere"),
        /// Taints that it tolerates, as `kubectl taint` writes them: `dedicated=database:NoSchedule`.
        key tolerations: Vec<Toleration> as List<Toleration, 0> = Default("[]"),
        /// PostgreSQL settings with which the server is created. `settings` may set them, too.
        key parameters: SettingsByName = Default("{}"),
        /// Keep the server and its data at the end. The next run of the same plan uses it again; its name is derived
        /// from these keys.
        key keep: bool = Default("false"),
        /// Time limit for creating the server, until it accepts connections.
        key ready_within: Duration as AtLeastMs<1000> = Default("5m"),
    }
}

record! {
    /// A CloudNativePG Pooler that pgdyno creates.
    pub struct MadePooler = "a created Pooler" {
        /// Container image of PgBouncer.
        key image: Option<String> as Option<TextForm> = Open("the default of the operator"),
        /// Number of PgBouncer instances.
        key instances: u32 as Whole<1, 99> = Default("1"),
        /// Pool mode of PgBouncer: how long a client keeps a server connection.
        key mode: PoolMode = Default("session"),
        /// Server connections of each PgBouncer, for each user and database.
        key pool_size: u32 as Whole<1, 100_000> = Default("100"),
        /// Prepared statements that PgBouncer keeps per client, from 1.21 on. 0 disables them.
        key max_prepared_statements: Option<u32> as Option<Whole<0, 100_000>> = Open("the default of PgBouncer"),
    }
}

words! {
    /// For how long a client of a Pooler has a connection of the server.
    PoolMode {
        Session = "session", "until the client disconnects";
        Transaction = "transaction", "for one transaction";
    }
}

record! {
    /// Resources of a container. If CPU and memory are limited, its pod has the QoS class Guaranteed; with neither,
    /// BestEffort; otherwise Burstable.
    pub struct Resources = "resources" {
        /// CPU request, such as `4` or `500m`.
        key cpu: Option<KubernetesQuantity> = Absent("no request"),
        /// Memory request, such as `16Gi`.
        key memory: Option<KubernetesQuantity> = Absent("no request"),
        /// Which of the requests are also limits.
        key limit: Limit = Default("all"),
    }
}

words! {
    /// What is limited.
    Limit {
        All = "all", "CPU and memory";
        Memory = "memory", "memory only";
        None = "none", "neither";
    }
}

/// A quantity as Kubernetes writes them: `4`, `500m`, `16Gi`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KubernetesQuantity(pub String);

impl Form for KubernetesQuantity {
    type Value = Self;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Self> {
        let hint = "write a number, optionally with `m`, `k`, `M`, `G`, `T`, `Ki`, `Mi`, `Gi` or `Ti`";
        read_text(findings, at, is_quantity, "not a quantity of Kubernetes", hint).map(Self)
    }

    fn write_value(value: &Self) -> Yaml {
        Yaml::Scalar(quote_text(&value.0))
    }

    fn describe_form() -> ValueDescription {
        let schema = json!({ "type": ["string", "number"], "pattern": "^[0-9]+(\\.[0-9]+)?(m|k|M|G|T|Ki|Mi|Gi|Ti)?$" });
        ValueDescription::new("quantity of Kubernetes", "10Gi", schema)
    }
}

impl FromStr for KubernetesQuantity {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let hint = "not a quantity of Kubernetes, such as 10Gi".to_owned();
        if is_quantity(text) { Ok(Self(text.to_owned())) } else { Err(hint) }
    }
}

fn is_quantity(text: &str) -> bool {
    let units = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let number = &text[..text.len() - units.len()];
    let is_number = number.split('.').count() <= 2 && number.split('.').all(|part| !part.is_empty());
    is_number && ["", "m", "k", "M", "G", "T", "Ki", "Mi", "Gi", "Ti"].contains(&units)
}

/// Labels by name, as text.
pub(crate) struct Labels;

impl Form for Labels {
    type Value = BTreeMap<String, String>;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Self::Value> {
        let YamlValue::Map(entries) = &at.node.value else {
            return at.report_wrong_value(findings, "not a mapping of labels", Self::replacement_hint());
        };
        let mut labels = BTreeMap::new();
        for MappingEntry { key, node, .. } in entries {
            match node.scalar_text().filter(|value| is_label(key, true) && is_label(value, false)) {
                Some(value) => labels.insert(key.clone(), value.to_owned()),
                None => return at.report_wrong_value(findings, "with an invalid label", Self::replacement_hint()),
            };
        }
        Some(labels)
    }

    fn write_value(value: &Self::Value) -> Yaml {
        let scalar = |text: &String| Yaml::Scalar(quote_text(text));
        let entries: MappingEntries = value.iter().map(|(name, value)| (quote_text(name), scalar(value))).collect();
        if entries.is_empty() { Yaml::Absent } else { Yaml::Map(entries) }
    }

    fn describe_form() -> ValueDescription {
        let values = json!({ "type": ["string", "number", "boolean"] });
        let schema = json!({ "type": "object", "additionalProperties": values });
        ValueDescription::new("mapping of labels to values", "{ role: database }", schema)
    }

    fn value_when_absent() -> Option<Self::Value> {
        Some(BTreeMap::new())
    }
}

fn is_label(text: &str, is_name: bool) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c) || (is_name && c == '/');
    text.len() <= if is_name { 317 } else { 63 } && text.chars().all(fits) && !(is_name && text.is_empty())
}

/// A taint that is tolerated: `key=value:effect`, `key:effect`, or `key`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Toleration {
    /// The key of the taint.
    pub key: String,
    /// Its value; none: any.
    pub value: Option<String>,
    /// Its effect; none: all.
    pub effect: Option<String>,
}

impl Form for Toleration {
    type Value = Self;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Self> {
        let text = at.scalar_text();
        let (taint, effect) = text.split_once(':').map_or((text, None), |(taint, effect)| (taint, Some(effect)));
        let (key, value) = taint.split_once('=').map_or((taint, None), |(key, value)| (key, Some(value)));
        let is_effect = effect.is_none_or(|effect| ["NoSchedule", "PreferNoSchedule", "NoExecute"].contains(&effect));
        if !is_effect || !is_label(key, true) || !value.is_none_or(|value| is_label(value, false)) {
            return at.report_wrong_value(findings, "not a taint", Self::replacement_hint());
        }
        let [value, effect] = [value, effect].map(|text| text.map(str::to_owned));
        Some(Self { key: key.to_owned(), value, effect })
    }

    fn write_value(Self { key, value, effect }: &Self) -> Yaml {
        let value = value.as_ref().map_or_else(String::new, |value| format!("={value}"));
        let effect = effect.as_ref().map_or_else(String::new, |effect| format!(":{effect}"));
        Yaml::Scalar(quote_text(&format!("{key}{value}{effect}")))
    }

    fn describe_form() -> ValueDescription {
        ValueDescription::new("taint", "dedicated=database:NoSchedule", json!({ "type": "string" }))
    }
}

impl Made {
    /// What every kind has.
    #[must_use]
    pub fn server_options(&self) -> &MadeServer {
        match self {
            Self::Cnpg(cluster) => &cluster.server,
            Self::Pod(pod) | Self::StatefulSet(pod) => &pod.server,
        }
    }

    /// The same, to be changed.
    pub(crate) fn server_mut(&mut self) -> &mut MadeServer {
        match self {
            Self::Cnpg(cluster) => &mut cluster.server,
            Self::Pod(pod) | Self::StatefulSet(pod) => &mut pod.server,
        }
    }

    /// The key that it stands under.
    #[must_use]
    pub fn plan_key(&self) -> &'static str {
        match self {
            Self::Cnpg(_) => "cnpg",
            Self::Pod(_) => "pod",
            Self::StatefulSet(_) => "statefulset",
        }
    }
}
