//! The volume of a storage class that fio measures, and the Job in whose pod it does: objects that follow from the plan
//! and from where the database is, made and removed like those of a server.

use serde_json::{Map, Value as Json, json};

use super::disk::Volume;
use super::made::{Made, MadeServer};
use super::manifests::{
    MadeObjects, object_labels, object_metadata, object_name_with_hash, on_node, placed_by_taints,
    restricted_container, restricted_pod, set_pod_placement, volume_claim_spec,
};
use super::model::Plan;
use super::target::{Reach, Target};

/// The directory of the volume that fio works in.
pub const VOLUME_DIRECTORY: &str = "/volume/pgdyno";

/// Where fio is told what to do, and says what came of it: a directory for each job.
pub const WORK_DIRECTORY: &str = "/work";

/// The container of fio.
pub const FIO: &str = "fio";

/// The longest that the pod stays where nobody is left to remove it, in seconds.
const LIVES_AT_MOST_S: u32 = 86_400;

/// What the pod runs.
const START: &str = include_str!("fio_in_pod.sh");

/// Where the database of a target is, as far as it is known before its storage is measured.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ServerPlace {
    /// Its node.
    pub node: Option<String>,
    /// The class of its volume.
    pub storage_class: Option<String>,
}

impl ServerPlace {
    /// What stands for it where objects are shown before there is a server.
    #[must_use]
    pub fn to_be_found() -> Self {
        Self { node: Some("node-of-the-database".to_owned()), storage_class: Some("class-of-the-database".to_owned()) }
    }
}

/// The user that fio runs as: any but root.
pub(super) const USER: u32 = 10001;

impl Plan {
    /// What is made in Kubernetes to measure the storage of a target; none if that is measured elsewhere or not at all.
    #[must_use]
    pub fn volume_objects(&self, target: &Target, place: &ServerPlace) -> Option<MadeObjects> {
        let Reach::Kubernetes(kubernetes) = &target.reach else { return None };
        if target.disk.directory.is_some() || kubernetes.server_of().is_some() {
            return None;
        }
        let server = kubernetes.server_to_make().map(Made::server_options);
        let volume = target.disk.volume.clone().unwrap_or_default();
        let of_server = server.and_then(|server| server.storage_class.clone()).map(|class| class.0);
        let given = volume.storage_class.as_ref().map(|class| class.0.clone());
        let storage_class = given.or(of_server).or_else(|| place.storage_class.clone());
        let place = ServerPlace { storage_class, node: place.node.clone() };
        let name = object_name_with_hash(
            "pgdyno-disk",
            &target.name,
            &format!("{}{}", target.name, self.seed.unwrap_or_default()),
        );
        let namespace = kubernetes.namespace.as_ref().map(|name| name.0.as_str());
        Some(MadeObjects::new_in_namespace(
            name.clone(),
            namespace,
            claim_and_job_objects(&name, &volume, &place, server),
        ))
    }
}

/// What is made to measure a storage class without a database. `of` makes the names unlike those of another run.
#[must_use]
pub fn volume_objects(title: &str, of: &str, volume: &Volume, node: Option<&str>) -> MadeObjects {
    let storage_class = volume.storage_class.as_ref().map(|class| class.0.clone());
    let place = ServerPlace { storage_class, node: node.map(str::to_owned) };
    let name = object_name_with_hash("pgdyno-disk", title, of);
    MadeObjects::new_in_namespace(name.clone(), None, claim_and_job_objects(&name, volume, &place, None))
}

fn claim_and_job_objects(name: &str, volume: &Volume, place: &ServerPlace, server: Option<&MadeServer>) -> Vec<Json> {
    let claim = json!({
        "apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": object_metadata(name, name),
        "spec": volume_claim_spec(&volume.size.0, place.storage_class.as_deref()),
    });
    let job = json!({
        "apiVersion": "batch/v1", "kind": "Job", "metadata": object_metadata(name, name),
        "spec": {
            // What fails is told, not tried again on a volume that is no longer empty.
            "backoffLimit": 0,
            "activeDeadlineSeconds": LIVES_AT_MOST_S,
            "ttlSecondsAfterFinished": LIVES_AT_MOST_S,
            "template": { "metadata": { "labels": object_labels(name) }, "spec": fio_pod_spec(name, volume, place, server) },
        },
    });
    vec![claim, job]
}

fn fio_pod_spec(name: &str, volume: &Volume, place: &ServerPlace, server: Option<&MadeServer>) -> Json {
    let mount = |name: &str, path: &str| json!({ "name": name, "mountPath": path });
    // No limit: fio on a host has none. The request is what keeps it from being the first to be sent away.
    let container = json!({
        "name": FIO,
        "image": volume.image,
        "command": ["sh", "-c", START],
        "resources": { "requests": { "cpu": "100m", "memory": "128Mi" } },
        "securityContext": restricted_container(),
        "volumeMounts": [mount("volume", "/volume"), mount("work", WORK_DIRECTORY)],
    });
    let mut spec = Map::new();
    place_pod(volume, place, server, &mut spec);
    let rest = json!({
        "restartPolicy": "Never",
        "terminationGracePeriodSeconds": 5,
        "automountServiceAccountToken": false,
        "enableServiceLinks": false,
        "securityContext": restricted_pod(USER),
        "containers": [container],
        "volumes": [{ "name": "volume", "persistentVolumeClaim": { "claimName": name } }, { "name": "work", "emptyDir": {} }],
    });
    if let Json::Object(rest) = rest {
        spec.extend(rest);
    }
    Json::Object(spec)
}

/// On the nodes that the plan names, or on the node of the server, or, before there is a server, where it will be.
fn place_pod(volume: &Volume, place: &ServerPlace, server: Option<&MadeServer>, to: &mut Map<String, Json>) {
    match (&place.node, server) {
        _ if !volume.node_selector.is_empty() => {
            to.insert("nodeSelector".to_owned(), json!(volume.node_selector));
            server.into_iter().for_each(|server| placed_by_taints(server, to));
        }
        (Some(node), _) => on_node(node, to),
        (None, Some(server)) => set_pod_placement(server, to),
        (None, None) => {}
    }
}
