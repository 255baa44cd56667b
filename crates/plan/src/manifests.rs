//! What is made in Kubernetes for a server: every object as a list in the order in which it is made, computed from the
//! plan alone. `plan explain --manifests` prints them, and the experiment makes the same ones.
//!
//! All of them have the label [`SERVER`], by which they are found again, and nothing without it is ever removed. Every
//! pod passes the Pod Security level `restricted`, unless the plan has it share its node's network.

use serde_json::{Map, Value as Json, json};
use work::WordChoice as _;

use super::kubernetes::{ClusterVia, InKubernetes, Kubernetes};
use super::language::SettingsByName;
use super::made::{
    KubernetesQuantity, Limit, Made, MadeCluster, MadePod, MadePooler, MadeServer, Resources, Toleration,
};
use super::model::Plan;
use super::object_name::ObjectName;
use super::target::{Reach, Target};

/// The label of everything that belongs to a server which pgdyno made; its value is the server's name.
pub const SERVER: &str = "pgdyno/server";

/// What stands in a manifest for a text that is made when the object is: a password, a key, a certificate.
pub const DRAWN: [&str; 3] = ["<password>", "<certificate>", "<key>"];

/// The user and the database of a pod, as CloudNativePG has them.
const APP: &str = "app";

/// What [`APP`] is granted, a statement each: what statistics say of other sessions is read for the diagnosis, data of
/// several sizes have databases of their own, and trials begin behind a checkpoint, which can be granted from
/// PostgreSQL 15 on.
const GRANTS: [&str; 3] = [
    "GRANT pg_monitor TO app",
    "ALTER ROLE app CREATEDB",
    "DO 'BEGIN IF EXISTS (SELECT FROM pg_roles WHERE rolname = ''pg_checkpoint'') THEN GRANT pg_checkpoint TO app; END IF; END'",
];

/// Where the volume is mounted, as CloudNativePG does.
const VOLUME: &str = "/var/lib/postgresql/data";

/// What makes the cluster of a pod in an empty volume, and starts its server with the settings that are its arguments.
const START: &str = include_str!("start_in_pod.sh");

/// An object of Kubernetes: its manifest, and what of it tells it from others.
#[derive(Debug, Clone, PartialEq)]
pub struct Manifest {
    /// The object, with its namespace where the plan names one.
    pub object: Json,
}

impl Manifest {
    /// Its kind and its name: `Pod pgdyno-a-1b2c3d`.
    #[must_use]
    pub fn kind_and_name(&self) -> String {
        let text = |at: &str| self.object.pointer(at).and_then(Json::as_str).unwrap_or_default();
        format!("{} {}", text("/kind"), text("/metadata/name"))
    }
}

/// A server that is made in Kubernetes for a target.
#[derive(Debug, Clone, PartialEq)]
pub struct MadeObjects {
    /// The name of the server, and of most of its objects.
    pub name: String,
    /// What is made, in this order.
    pub manifests: Vec<Manifest>,
}

/// Ways to a server that nobody has unless something is made for them.
#[derive(Clone, Copy)]
struct Ways {
    node_port: bool,
    socket: bool,
}

impl Plan {
    /// What is made in Kubernetes for the server of a target; none if nothing is. Names that are not to be kept end
    /// with what follows from the seed, 0 where the plan has none yet.
    #[must_use]
    pub fn objects_of_target(&self, target: &Target) -> Option<MadeObjects> {
        let Reach::Kubernetes(Kubernetes { server: InKubernetes::Create(made), namespace, .. }) = &target.reach else {
            return None;
        };
        let name = server_object_name(target, made, self.seed.unwrap_or_default());
        let is_taken = |way: &ClusterVia| {
            self.targets.iter().any(|other| {
                let leads_here = other.name == target.name || other.reach.server_of() == Some(&target.name);
                leads_here && matches!(&other.reach, Reach::Kubernetes(Kubernetes { via, .. }) if via == way)
            })
        };
        let ways = Ways { node_port: is_taken(&ClusterVia::NodePort(None)), socket: is_taken(&ClusterVia::Socket) };
        let settings = merged_settings(made.server_options(), &target.settings);
        let manifests = match &**made {
            Made::Cnpg(cluster) => of_cluster(&name, cluster, &settings, ways),
            Made::Pod(pod) => of_pod(&name, pod, &settings, ways),
            Made::StatefulSet(pod) => of_stateful_set(&name, pod, &settings, ways),
        };
        Some(MadeObjects::new_in_namespace(name, namespace.as_ref().map(|name| name.0.as_str()), manifests))
    }
}

impl MadeObjects {
    /// These objects, in their namespace where there is one.
    pub(super) fn new_in_namespace(name: String, namespace: Option<&str>, objects: Vec<Json>) -> Self {
        let in_namespace = |mut object: Json| {
            if let Some(namespace) = namespace {
                object["metadata"]["namespace"] = json!(namespace);
            }
            Manifest { object }
        };
        Self { name, manifests: objects.into_iter().map(in_namespace).collect() }
    }
}

/// The settings of a server: what the plan gives it.
fn merged_settings(server: &MadeServer, target_settings: &SettingsByName) -> SettingsByName {
    server.parameters.iter().chain(target_settings).map(|(name, value)| (name.to_lowercase(), value.clone())).collect()
}

/// Begins with a letter and is short enough for everything that CloudNativePG makes of it.
fn server_object_name(target: &Target, made: &Made, seed: u64) -> String {
    // What is kept is found again as long as it would be made alike.
    let of = if made.server_options().keep {
        format!("{:?}{made:?}{:?}", target.name, target.settings)
    } else {
        format!("{}{seed}", target.name)
    };
    object_name_with_hash("pgdyno", &target.name, &of)
}

/// A name that begins with this, has something of the target's, and is another one for another `of`.
pub(super) fn object_name_with_hash(begin: &str, target: &str, of: &str) -> String {
    const CHARS_OF_TARGET: usize = 24;
    let slug: String = target.to_lowercase().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let slug: String = slug.chars().take(CHARS_OF_TARGET).collect();
    format!("{begin}-{}-{:06x}", slug.trim_matches('-'), hash_fnv1a(of.as_bytes()) & 0xff_ffff)
}

/// The hash FNV-1a: the same on every machine and in every version.
fn hash_fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

pub(super) fn object_labels(name: &str) -> Json {
    json!({ "app.kubernetes.io/managed-by": "pgdyno", SERVER: name })
}

pub(super) fn object_metadata(of: &str, name: &str) -> Json {
    json!({ "name": name, "labels": object_labels(of) })
}

fn of_cluster(name: &str, cluster: &MadeCluster, settings: &SettingsByName, ways: Ways) -> Vec<Json> {
    let MadeCluster { server, wal, instances, synchronous, smart_shutdown, pooler } = cluster;
    let mut postgresql = json!({ "parameters": settings });
    if *synchronous > 0 {
        postgresql["synchronous"] = json!({ "method": "any", "number": synchronous });
    }
    if ways.socket {
        // The operator has the socket ask who comes, and this is whom it is told of pgdyno, which is root there.
        postgresql["pg_ident"] = json!([format!("local root {APP}")]);
    }
    let mut affinity = Map::new();
    on_nodes(server, &mut affinity);
    affinity.extend(server.affinity.of_cluster());
    // A Secret of ours: who logs in is known then, and needs not be read.
    let login = format!("{name}-app");
    let initdb = json!({ "database": APP, "owner": APP, "secret": { "name": login }, "postInitSQL": GRANTS });
    let mut spec = json!({
        "imageName": server.image,
        "instances": instances,
        "inheritedMetadata": { "labels": { SERVER: name } },
        "bootstrap": { "initdb": initdb },
        "storage": storage_spec(&server.size, server.storage_class.as_ref()),
        "resources": resource_requirements(&server.resources),
        "postgresql": postgresql,
        "smartShutdownTimeout": smart_shutdown.as_millis().div_ceil(1000),
    });
    if let Some(wal) = wal {
        spec["walStorage"] = storage_spec(&wal.size, wal.storage_class.as_ref());
    }
    if !affinity.is_empty() {
        spec["affinity"] = Json::Object(affinity);
    }
    let api = "postgresql.cnpg.io/v1";
    let cluster =
        json!({ "apiVersion": api, "kind": "Cluster", "metadata": object_metadata(name, name), "spec": spec });
    let secret = json!({
        "apiVersion": "v1", "kind": "Secret", "metadata": object_metadata(name, &login), "type": "kubernetes.io/basic-auth",
        "stringData": { "username": APP, "password": DRAWN[0], "dbname": APP },
    });
    let of_pooler = pooler.as_ref().map(|pooler| self::pooler_object(name, pooler));
    let primary = json!({ "cnpg.io/cluster": name, "cnpg.io/instanceRole": "primary" });
    let service = ways.node_port.then(|| service_object(name, "node", "NodePort", &primary));
    [cluster, secret].into_iter().chain(of_pooler).chain(service).collect()
}

fn pooler_object(
    name: &str,
    MadePooler { image, instances, mode, pool_size, max_prepared_statements }: &MadePooler,
) -> Json {
    let mut parameters = json!({ "max_client_conn": "1000", "default_pool_size": pool_size.to_string() });
    if let Some(statements) = max_prepared_statements {
        parameters["max_prepared_statements"] = json!(statements.to_string());
    }
    let mut spec = json!({
        "cluster": { "name": name },
        "instances": instances,
        "type": "rw",
        "pgbouncer": { "poolMode": mode.as_word(), "parameters": parameters },
        "template": { "metadata": { "labels": { SERVER: name } }, "spec": { "containers": [] } },
    });
    if let Some(image) = image {
        spec["template"]["spec"]["containers"] = json!([{ "name": "pgbouncer", "image": image }]);
    }
    let metadata = object_metadata(name, &format!("{name}-pooler"));
    json!({ "apiVersion": "postgresql.cnpg.io/v1", "kind": "Pooler", "metadata": metadata, "spec": spec })
}

fn service_object(name: &str, suffix: &str, kind: &str, selector: &Json) -> Json {
    let spec = json!({ "type": kind, "selector": selector, "ports": [{ "name": "postgres", "port": 5432, "targetPort": 5432 }] });
    json!({ "apiVersion": "v1", "kind": "Service", "metadata": object_metadata(name, &format!("{name}-{suffix}")), "spec": spec })
}

fn of_pod(name: &str, pod: &MadePod, settings: &SettingsByName, ways: Ways) -> Vec<Json> {
    let server = &pod.server;
    let mut spec = pod_spec(name, pod, settings);
    spec.insert("restartPolicy".to_owned(), json!("Never"));
    let pod = json!({ "apiVersion": "v1", "kind": "Pod", "metadata": object_metadata(name, name), "spec": spec });
    with_its_volume(name, server, pod, ways)
}

/// One pod, and its volume as the pod's by itself would be: so the two differ in who looks after the pod only.
fn of_stateful_set(name: &str, pod: &MadePod, settings: &SettingsByName, ways: Ways) -> Vec<Json> {
    let template = json!({ "metadata": { "labels": object_labels(name) }, "spec": pod_spec(name, pod, settings) });
    let selector = json!({ "matchLabels": { SERVER: name } });
    let spec =
        json!({ "serviceName": format!("{name}-rw"), "replicas": 1, "selector": selector, "template": template });
    let set = json!({ "apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": object_metadata(name, name), "spec": spec });
    with_its_volume(name, &pod.server, set, ways)
}

/// What runs a server without an operator, behind what it needs, and before the Service that leads to it.
fn with_its_volume(name: &str, server: &MadeServer, runs: Json, ways: Ways) -> Vec<Json> {
    let object = |kind: &str, suffix: &str, key: &str, value: Json| {
        let mut object =
            json!({ "apiVersion": "v1", "kind": kind, "metadata": object_metadata(name, &format!("{name}{suffix}")) });
        object[key] = value;
        object
    };
    let [password, certificate, key] = DRAWN;
    let secret = json!({
        "username": APP, "password": password, "dbname": APP, "tls.crt": certificate, "tls.key": key,
    });
    let claim = volume_claim_spec(&server.size.0, server.storage_class.as_ref().map(|class| class.0.as_str()));
    let kind = if ways.node_port { "NodePort" } else { "ClusterIP" };
    vec![
        object("PersistentVolumeClaim", "", "spec", claim),
        runs,
        // Behind what it is made for, with which it goes.
        object("Secret", "-app", "stringData", secret),
        service_object(name, "rw", kind, &json!({ SERVER: name })),
    ]
}

/// What a claim of one node's volume asks for.
pub(super) fn volume_claim_spec(size: &str, class: Option<&str>) -> Json {
    let mut claim = json!({ "accessModes": ["ReadWriteOnce"], "resources": { "requests": { "storage": size } } });
    if let Some(class) = class {
        claim["storageClassName"] = json!(class);
    }
    claim
}

fn pod_spec(name: &str, pod: &MadePod, settings: &SettingsByName) -> Map<String, Json> {
    let MadePod { server, user, host_network } = pod;
    let arguments: Vec<String> =
        settings.iter().flat_map(|(name, value)| ["-c".to_owned(), format!("{name}={value}")]).collect();
    let command: Vec<String> = ["sh", "-c", START, "start"].map(str::to_owned).into_iter().chain(arguments).collect();
    let ready = json!({ "exec": { "command": ["pg_isready", "-q", "-h", "/run/postgresql"] }, "periodSeconds": 1, "timeoutSeconds": 5 });
    let mount = |name: &str, path: &str| json!({ "name": name, "mountPath": path });
    let container = json!({
        "name": "postgres",
        "image": server.image,
        "command": command,
        "env": [
            { "name": "PGDATA", "value": format!("{VOLUME}/pgdata") },
            { "name": "GRANTS", "value": GRANTS.join("\n") },
        ],
        "ports": [{ "name": "postgres", "containerPort": 5432 }],
        "resources": resource_requirements(&server.resources),
        "readinessProbe": ready,
        "securityContext": restricted_container(),
        "volumeMounts": [mount("data", VOLUME), mount("secret", "/secret"), mount("run", "/run/postgresql"), mount("shm", "/dev/shm")],
    });
    let mut spec = Map::new();
    set_pod_placement(server, &mut spec);
    if *host_network {
        spec.insert("hostNetwork".to_owned(), json!(true));
    }
    let rest = json!({
        "terminationGracePeriodSeconds": 10,
        "automountServiceAccountToken": false,
        "enableServiceLinks": false,
        "securityContext": restricted_pod(*user),
        "containers": [container],
        "volumes": [
            { "name": "data", "persistentVolumeClaim": { "claimName": name } },
            { "name": "secret", "secret": { "secretName": format!("{name}-app"), "defaultMode": 0o440 } },
            { "name": "run", "emptyDir": {} },
            // A container's own is 64 MiB, too little for parallel queries.
            { "name": "shm", "emptyDir": { "medium": "Memory" } },
        ],
    });
    if let Json::Object(rest) = rest {
        spec.extend(rest);
    }
    spec
}

/// What the Pod Security level `restricted` asks of a pod, whose processes are this user's.
pub(super) fn restricted_pod(user: u32) -> Json {
    json!({
        "runAsNonRoot": true, "runAsUser": user, "runAsGroup": user, "fsGroup": user,
        "seccompProfile": { "type": "RuntimeDefault" },
    })
}

/// What it asks of a container.
pub(super) fn restricted_container() -> Json {
    json!({ "allowPrivilegeEscalation": false, "capabilities": { "drop": ["ALL"] } })
}

/// Taints that a pod tolerates.
pub(super) fn toleration_list(taints: &[Toleration]) -> Json {
    let of = |Toleration { key, value, effect }: &Toleration| {
        let operator = if value.is_some() { "Equal" } else { "Exists" };
        let given = [("value", value), ("effect", effect)].into_iter();
        let given = given.filter_map(|(name, text)| Some((name.to_owned(), json!(text.as_ref()?))));
        let fixed = [("key".to_owned(), json!(key)), ("operator".to_owned(), json!(operator))];
        Json::Object(fixed.into_iter().chain(given).collect())
    };
    taints.iter().map(of).collect()
}

/// Where a pod of a server may be.
pub(super) fn set_pod_placement(server: &MadeServer, to: &mut Map<String, Json>) {
    on_nodes(server, to);
    to.extend(server.affinity.of_pod().map(|affinity| ("affinity".to_owned(), affinity)));
}

/// On which nodes by their labels and taints.
fn on_nodes(server: &MadeServer, to: &mut Map<String, Json>) {
    if !server.node_selector.is_empty() {
        to.insert("nodeSelector".to_owned(), json!(server.node_selector));
    }
    placed_by_taints(server, to);
}

/// On this very node.
pub(super) fn on_node(node: &str, to: &mut Map<String, Json>) {
    // Not `nodeName`: the scheduler has to see the pod, or a volume that waits for it is never provided.
    let is_node = json!([{ "key": "metadata.name", "operator": "In", "values": [node] }]);
    let terms = json!({ "nodeSelectorTerms": [{ "matchFields": is_node }] });
    let required = json!({ "requiredDuringSchedulingIgnoredDuringExecution": terms });
    to.insert("affinity".to_owned(), json!({ "nodeAffinity": required }));
    // Taints keep those away that were not sent to this very node.
    to.insert("tolerations".to_owned(), json!([{ "operator": "Exists", "effect": "NoSchedule" }]));
}

pub(super) fn placed_by_taints(server: &MadeServer, to: &mut Map<String, Json>) {
    if !server.tolerations.is_empty() {
        to.insert("tolerations".to_owned(), toleration_list(&server.tolerations));
    }
}

fn storage_spec(size: &KubernetesQuantity, class: Option<&ObjectName>) -> Json {
    let mut storage = json!({ "size": size.0 });
    if let Some(class) = class {
        storage["storageClass"] = json!(class.0);
    }
    storage
}

fn resource_requirements(Resources { cpu, memory, limit }: &Resources) -> Json {
    let quantities = [("cpu", cpu), ("memory", memory)];
    let given = quantities.into_iter().filter_map(|(name, quantity)| Some((name, &quantity.as_ref()?.0)));
    let requests: Map<String, Json> = given.map(|(name, quantity)| (name.to_owned(), json!(quantity))).collect();
    let is_limited = |name: &str| match limit {
        Limit::All => true,
        Limit::Memory => name == "memory",
        Limit::None => false,
    };
    let limits: Map<String, Json> = requests
        .iter()
        .filter(|(name, _)| is_limited(name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let given = [("requests", requests), ("limits", limits)].into_iter().filter(|(_, of)| !of.is_empty());
    Json::Object(given.map(|(name, of)| (name.to_owned(), Json::Object(of))).collect())
}
