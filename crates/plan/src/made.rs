//! A PostgreSQL that pgdyno makes in Kubernetes, as a plan describes it: a cluster of CloudNativePG, or the control
//! without an operator, a pod, or a StatefulSet of one, with the same image, storage and settings. What is made of it
//! is in `manifests`.

use std::collections::BTreeMap;
use std::str::FromStr;
use std::time::Duration;

use serde_json::json;

use super::affinity::Affinity;
use super::document::{Entry, Value};
use super::kubernetes::{ObjectName, read_text};
use super::language::{
    About, At, AtLeastMs, Entries, Findings, Form, List, Record, Settings, Text, Whole, Yaml, choice, quoted, record,
    words,
};

choice! {
    /// What is made.
    pub enum Made = "give `cnpg`, `pod` or `statefulset`" {
        /// A cluster of CloudNativePG, whose operator has to be there. Its user, database and certificates are the
        /// operator's.
        "cnpg" => Cnpg(MadeCluster),
        /// A pod with its volume and nobody who looks after it: the control of `cnpg`. It offers TLS, too. A setting
        /// that the plan does not give is PostgreSQL's own.
        "pod" => Pod(MadePod),
        /// The same pod by a StatefulSet, which makes it again, with its data, when it is lost.
        "statefulset" => StatefulSet(MadePod),
    }
}

impl Record for Made {
    const TITLE: &'static str = "a server that is made in Kubernetes";
    const DOC: &'static str = "A PostgreSQL that is made in Kubernetes, and removed at the end.";
}

/// Much larger than the name of a server that is there.
impl Form for Box<Made> {
    type Value = Self;

    fn read(findings: &mut Findings, at: &At<'_>) -> Option<Self> {
        Made::read(findings, at).map(Box::new)
    }

    fn write(value: &Self) -> Yaml {
        Made::write(value)
    }

    fn about() -> About {
        Made::about()
    }
}

record! {
    /// A cluster of CloudNativePG that is made.
    pub struct MadeCluster = "a made cluster" {
        /// The server itself.
        keys server: MadeServer,
        /// A volume of its own for the WAL of each server (`walStorage`).
        key wal: Option<MadeVolume> = Absent("beside the data"),
        /// How many servers: the primary and its replicas.
        key instances: u32 as Whole<1, 9> = Default("1"),
        /// How many replicas have to confirm each commit.
        key synchronous: u32 as Whole<0, 8> = Default("0"),
        /// For how long a server that is to stop waits for its sessions to end, and takes no new one meanwhile, rounded
        /// up to seconds (`smartShutdownTimeout`, which is 3 minutes where a Cluster does not say it).
        key smart_shutdown: Duration as AtLeastMs<1000> = Default("1s"),
        /// A Pooler before the primary, for `via: pooler`.
        key pooler: Option<MadePooler> = Absent("none"),
    }
}

record! {
    /// A volume that is made.
    pub struct MadeVolume = "a volume" {
        /// Its class.
        key storage_class: Option<ObjectName> = Open("the cluster's default"),
        /// Its size.
        key size: Quantity = Default("5Gi"),
    }
}

record! {
    /// A pod that is made.
    pub struct MadePod = "a made pod" {
        /// The server itself.
        keys server: MadeServer,
        /// The number of the user in the image that runs PostgreSQL: 26 in CloudNativePG's, 999 in Docker's.
        key user: u32 as Whole<1, 65535> = Default("26"),
        /// Whether the pod shares its node's network, for `via: host-network`. Its namespace must allow that.
        key host_network: bool = Default("false"),
    }
}

record! {
    /// What all servers that are made in Kubernetes have.
    pub struct MadeServer = "a made server" {
        /// The image of PostgreSQL; one of CloudNativePG's serves a `pod`, too.
        key image: String as Text,
        /// The class of the volume.
        key storage_class: Option<ObjectName> = Open("the cluster's default"),
        /// The size of the volume.
        key size: Quantity = Default("10Gi"),
        /// What the container may use.
        key resources: Resources = Default("{}"),
        /// Labels of the nodes that it may run on.
        key node_selector: BTreeMap<String, String> as Labels = Absent("any node"),
        /// Rules for where it may run beside other pods, and more of them for nodes, as the specification of a pod has
        /// them: `nodeAffinity`, `podAffinity`, `podAntiAffinity`.
        key affinity: Affinity = Absent("anywhere"),
        /// Taints of nodes that it tolerates, as `kubectl taint` writes them: `dedicated=database:NoSchedule`.
        key tolerations: Vec<Toleration> as List<Toleration, 0> = Default("[]"),
        /// PostgreSQL settings that the server is made with, as `knobs` may be, too.
        key parameters: Settings = Default("{}"),
        /// Leave it in place at the end, data included; the next run of the same plan finds it again, by a name that
        /// follows from these keys.
        key keep: bool = Default("false"),
        /// How long making it may take, until it accepts connections.
        key ready_within: Duration as AtLeastMs<1000> = Default("5m"),
    }
}

record! {
    /// A Pooler that is made.
    pub struct MadePooler = "a made Pooler" {
        /// The image of PgBouncer.
        key image: Option<String> as Option<Text> = Open("the operator's own"),
        /// How many PgBouncers.
        key instances: u32 as Whole<1, 99> = Default("1"),
        /// For how long a client has a connection of the server.
        key mode: PoolMode = Default("session"),
        /// How many connections each has to the server, for each user and database.
        key pool_size: u32 as Whole<1, 100_000> = Default("100"),
        /// How many prepared statements it keeps of each client, from PgBouncer 1.21 on; 0: none.
        key max_prepared_statements: Option<u32> as Option<Whole<0, 100_000>> = Open("as PgBouncer has it by itself"),
    }
}

words! {
    /// For how long a client of a Pooler has a connection of the server.
    PoolMode {
        Session = "session", "as long as it is connected";
        Transaction = "transaction", "for a transaction";
    }
}

record! {
    /// What a container may use. With CPU and memory, both limited, its pod is of the class Guaranteed; with neither
    /// BestEffort; else Burstable.
    pub struct Resources = "resources" {
        /// CPUs that are kept for it: `4`, `500m`.
        key cpu: Option<Quantity> = Absent("none is kept"),
        /// Memory that is kept for it: `16Gi`.
        key memory: Option<Quantity> = Absent("none is kept"),
        /// What of these is also the most that it gets.
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
pub struct Quantity(pub String);

impl Form for Quantity {
    type Value = Self;

    fn read(findings: &mut Findings, at: &At<'_>) -> Option<Self> {
        let hint = "write a number, with `m`, `k`, `M`, `G`, `T`, `Ki`, `Mi`, `Gi` or `Ti` behind it if need be";
        read_text(findings, at, is_quantity, "not a quantity of Kubernetes", hint).map(Self)
    }

    fn write(value: &Self) -> Yaml {
        Yaml::Scalar(quoted(&value.0))
    }

    fn about() -> About {
        let schema = json!({ "type": ["string", "number"], "pattern": "^[0-9]+(\\.[0-9]+)?(m|k|M|G|T|Ki|Mi|Gi|Ti)?$" });
        About::new("quantity of Kubernetes", "10Gi", schema)
    }
}

impl FromStr for Quantity {
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

    fn read(findings: &mut Findings, at: &At<'_>) -> Option<Self::Value> {
        let Value::Map(entries) = &at.node.value else {
            return at.wrong(findings, "not a mapping of labels", Self::hint());
        };
        let mut labels = BTreeMap::new();
        for Entry { key, node, .. } in entries {
            match node.scalar().filter(|value| is_label(key, true) && is_label(value, false)) {
                Some(value) => labels.insert(key.clone(), value.to_owned()),
                None => return at.wrong(findings, "with something that is no label", Self::hint()),
            };
        }
        Some(labels)
    }

    fn write(value: &Self::Value) -> Yaml {
        let scalar = |text: &String| Yaml::Scalar(quoted(text));
        let entries: Entries = value.iter().map(|(name, value)| (quoted(name), scalar(value))).collect();
        if entries.is_empty() { Yaml::Absent } else { Yaml::Map(entries) }
    }

    fn about() -> About {
        let values = json!({ "type": ["string", "number", "boolean"] });
        let schema = json!({ "type": "object", "additionalProperties": values });
        About::new("mapping of labels to values", "{ role: database }", schema)
    }

    fn absent() -> Option<Self::Value> {
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

    fn read(findings: &mut Findings, at: &At<'_>) -> Option<Self> {
        let text = at.text();
        let (taint, effect) = text.split_once(':').map_or((text, None), |(taint, effect)| (taint, Some(effect)));
        let (key, value) = taint.split_once('=').map_or((taint, None), |(key, value)| (key, Some(value)));
        let is_effect = effect.is_none_or(|effect| ["NoSchedule", "PreferNoSchedule", "NoExecute"].contains(&effect));
        if !is_effect || !is_label(key, true) || !value.is_none_or(|value| is_label(value, false)) {
            return at.wrong(findings, "not a taint", Self::hint());
        }
        let [value, effect] = [value, effect].map(|text| text.map(str::to_owned));
        Some(Self { key: key.to_owned(), value, effect })
    }

    fn write(Self { key, value, effect }: &Self) -> Yaml {
        let value = value.as_ref().map_or_else(String::new, |value| format!("={value}"));
        let effect = effect.as_ref().map_or_else(String::new, |effect| format!(":{effect}"));
        Yaml::Scalar(quoted(&format!("{key}{value}{effect}")))
    }

    fn about() -> About {
        About::new("taint", "dedicated=database:NoSchedule", json!({ "type": "string" }))
    }
}

impl Made {
    /// What every kind has.
    #[must_use]
    pub fn server(&self) -> &MadeServer {
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
    pub fn key(&self) -> &'static str {
        match self {
            Self::Cnpg(_) => "cnpg",
            Self::Pod(_) => "pod",
            Self::StatefulSet(_) => "statefulset",
        }
    }
}
