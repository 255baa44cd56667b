//! Objects that are made for a server, and removed again: exactly those of a list, in its order, nothing of anybody
//! else's.
//!
//! An object is created, never taken over. What is removed has to have the label of the server that it was made for;
//! what has another one by now is left alone.

use std::collections::BTreeMap;

use k8s_openapi::api::core::v1::{Node, PersistentVolumeClaim, Pod};
use k8s_openapi::api::storage::v1::StorageClass;
use kube::api::{DeleteParams, ListParams, PostParams, PropagationPolicy};
use kube::core::DynamicObject;
use kube::core::dynamic::ApiResource;
use kube::core::gvk::GroupVersionKind;
use kube::{Resource, ResourceExt as _};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::time::{Duration, Instant, sleep};

use crate::api::{Api, ObjectKind};
use crate::cnpg::{CLUSTER, POOLER};
use crate::describe::{CLAIM, CLASS, NODE};
use crate::error::ClusterError;
use crate::login::SECRET;
use crate::pods::POD;
use crate::service::SERVICE;

/// By whom fields of these objects are set, as the API server keeps books.
pub(crate) const FIELD_MANAGER: &str = "pgdyno";
/// The longest that objects may take to be gone.
const GONE_AT_MOST: Duration = Duration::from_secs(120);
/// Between two looks at what goes.
const PAUSE: Duration = Duration::from_millis(250);

pub(crate) const JOB: ObjectKind = ObjectKind { word: "Job", plural: "jobs.batch" };

pub(crate) const CONFIG_MAP: ObjectKind = ObjectKind { word: "ConfigMap", plural: "configmaps" };

const STATEFUL_SET: ObjectKind = ObjectKind { word: "StatefulSet", plural: "statefulsets.apps" };

/// The kinds whose objects a Secret that is made with them belongs to, and goes with.
const OWNERS: [ObjectKind; 4] = [CLUSTER, POD, STATEFUL_SET, JOB];

/// The kinds that are made.
const KINDS: [ObjectKind; 9] = [CLUSTER, POOLER, SECRET, CONFIG_MAP, CLAIM, POD, STATEFUL_SET, SERVICE, JOB];

/// What was made for a server, and where: enough to remove it from another process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CreatedServer {
    /// The kubeconfigs by which the API server was found, as `KUBECONFIG` had them; none: where kubectl looks.
    pub kubeconfig: Option<String>,
    /// The context; none: the current one, or the cluster that this runs in.
    pub context: Option<String>,
    /// The namespace.
    pub namespace: String,
    /// The label that all of it has, and its value.
    pub label: (String, String),
    /// What was made, in this order.
    pub objects: Vec<ObjectOf>,
}

/// An object of Kubernetes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObjectOf {
    /// Group and version of its kind.
    pub api_version: String,
    /// Its kind.
    pub kind: String,
    /// Its name.
    pub name: String,
}

/// What removing, or putting back, came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Removed {
    /// All that was left is gone, or as it was.
    Gone,
    /// There was nothing left.
    Nothing,
    /// This is somebody else's now.
    LeftAlone(String),
}

impl CreatedServer {
    /// What it is, in a word.
    #[must_use]
    pub fn kind_word(&self) -> &'static str {
        let [has_map, has_job, has_claim] =
            [CONFIG_MAP, JOB, CLAIM].map(|kind| self.objects.iter().any(|object| object.kind == kind.word));
        // A run inside has a ConfigMap, and who reads its volume is a pod by itself.
        match (has_map, has_job, has_claim) {
            (true, _, _) => "run",
            (false, true, true) => "volume",
            // The load is sent from a Job that has no volume.
            (false, true, false) => "generator",
            (false, false, _) => "server",
        }
    }
}

impl ObjectOf {
    /// What a manifest is of.
    #[must_use]
    pub fn from_manifest(manifest: &Value) -> Self {
        let [api_version, kind, name] = ["/apiVersion", "/kind", "/metadata/name"]
            .map(|at| manifest.pointer(at).and_then(Value::as_str).unwrap_or_default().to_owned());
        Self { api_version, kind, name }
    }

    fn object_kind(&self) -> ObjectKind {
        let known = KINDS.into_iter().find(|kind| kind.word.eq_ignore_ascii_case(&self.kind));
        known.unwrap_or(ObjectKind { word: "object", plural: "objects" })
    }

    /// Whether a Secret that is made after it goes with it.
    fn owns_secrets(&self) -> bool {
        OWNERS.iter().any(|kind| kind.word == self.object_kind().word)
    }

    /// The group and the kind, as Roles call them.
    pub(crate) fn group_and_resource(&self) -> (&'static str, &'static str) {
        let (resource, group) = self.object_kind().plural.split_once('.').unwrap_or((self.object_kind().plural, ""));
        (group, resource)
    }

    fn api_resource(&self) -> ApiResource {
        let (group, version) = self.api_version.split_once('/').unwrap_or(("", &self.api_version));
        let plural = self.group_and_resource().1;
        ApiResource::from_gvk_with_plural(&GroupVersionKind::gvk(group, version, &self.kind), plural)
    }
}

/// A manifest of a Secret that Kubernetes removes with the object that it was made for.
fn with_owner_reference(manifest: &Value, owner: Option<&(ObjectOf, String)>) -> Value {
    let mut manifest = manifest.clone();
    if let Some((ObjectOf { api_version, kind, name }, uid)) = owner {
        manifest["metadata"]["ownerReferences"] =
            json!([{ "apiVersion": api_version, "kind": kind, "name": name, "uid": uid }]);
    }
    manifest
}

/// What of a manifest is not in what the API server would make of it, by the paths: it drops what it does not know, and
/// only warns of it. What a Secret is given as text stands in it otherwise.
fn left_out(manifest: &Value, taken: &Value) -> Vec<String> {
    fn collect_dropped_paths(given: &Value, taken: &Value, path: &str, out: &mut Vec<String>) {
        match (given, taken) {
            (Value::Object(given), Value::Object(taken)) => {
                for (key, given) in given.iter().filter(|(_, given)| !is_empty(given)) {
                    let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                    match taken.get(key) {
                        Some(taken) => collect_dropped_paths(given, taken, &path, out),
                        None => out.push(path),
                    }
                }
            }
            (Value::Array(given), Value::Array(taken)) => {
                let pairs = given.iter().zip(taken).enumerate();
                pairs.for_each(|(at, (given, taken))| {
                    collect_dropped_paths(given, taken, &format!("{path}[{at}]"), out);
                });
            }
            _ => {}
        }
    }
    let mut out = Vec::new();
    collect_dropped_paths(manifest, taken, "", &mut out);
    out.retain(|path| path != "stringData");
    out
}

/// What an API server has no reason to keep.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(yes) => !yes,
        Value::Object(fields) => fields.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
    }
}

impl Api {
    /// Asks the API server whether it would take these objects, and makes none: what a quota, a webhook or a missing
    /// right has against them is told before anything is made.
    ///
    /// # Errors
    /// What it has against the first one that it would not take.
    pub async fn rehearse_creation(&self, manifests: &[Value], keep: bool) -> Result<(), ClusterError> {
        for manifest in manifests {
            self.create_one(manifest, true, keep).await?;
        }
        Ok(())
    }

    /// Makes these objects, in this order. Those of a server that is kept may be there already.
    ///
    /// # Errors
    /// The first one that is not taken; those before it are there.
    pub async fn create_objects(&self, manifests: &[Value], keep: bool) -> Result<(), ClusterError> {
        let mut owner = None;
        for manifest in manifests {
            let of = ObjectOf::from_manifest(manifest);
            if of.kind == SECRET.word && !keep {
                self.create_one(&with_owner_reference(manifest, owner.as_ref()), false, keep).await?;
                continue;
            }
            let made = self.create_one(manifest, false, keep).await?;
            if of.owns_secrets() {
                owner = made.and_then(|made| Some((of, made.metadata.uid?)));
            }
        }
        Ok(())
    }

    /// Makes an object; none where it is there already and may be.
    async fn create_one(
        &self,
        manifest: &Value,
        dry_run: bool,
        keep: bool,
    ) -> Result<Option<DynamicObject>, ClusterError> {
        let of = ObjectOf::from_manifest(manifest);
        let object: DynamicObject = serde_json::from_value(manifest.clone()).map_err(|error| ClusterError::Failed {
            verb: "read",
            what: format!("the manifest of {} {}", of.kind, of.name),
            said: error.to_string(),
        })?;
        let parameters = PostParams { dry_run, field_manager: Some(FIELD_MANAGER.to_owned()) };
        let api: kube::Api<DynamicObject> = self.of_kind(&of);
        match self.await_api_answer("create", of.object_kind(), api.create(&parameters, &object)).await {
            Err(ClusterError::Exists { .. }) if keep => Ok(None),
            Err(ClusterError::Failed { said, .. }) if said.contains("page not found") => {
                Err(ClusterError::NoKind { context: self.context_name().to_owned(), kind: of.object_kind().word })
            }
            Ok(taken) if dry_run => {
                let fields = left_out(manifest, &serde_json::to_value(taken).unwrap_or_default());
                if fields.is_empty() {
                    return Ok(None);
                }
                let what = format!("{} {}", of.kind, of.name);
                Err(ClusterError::Unknown { context: self.context_name().to_owned(), what, fields })
            }
            other => other.map(Some),
        }
    }

    fn of_kind(&self, object: &ObjectOf) -> kube::Api<DynamicObject> {
        kube::Api::namespaced_with(self.client.clone(), self.namespace_name(), &object.api_resource())
    }

    /// Removes what was made, the last first, and waits until it and the pods and volumes that followed from it are
    /// gone.
    ///
    /// # Errors
    /// The API server is away, a right is missing, or something does not go.
    pub async fn remove_objects(&self, made: &CreatedServer) -> Result<Removed, ClusterError> {
        let mut removed = Removed::Nothing;
        for object in made.objects.iter().rev() {
            let api = self.of_kind(object);
            let found = match self.await_api_answer("get", object.object_kind(), api.get_opt(&object.name)).await {
                // Its operator has been removed, and what it had with it.
                Err(ClusterError::Failed { said, .. }) if said.contains("page not found") => None,
                // Nobody needs to read Secrets to remove one that goes with its owner.
                Err(ClusterError::Forbidden { .. }) if object.kind == SECRET.word => None,
                found => found?,
            };
            let Some(found) = found else { continue };
            let (label, value) = &made.label;
            if found.labels().get(label) != Some(value) {
                removed = Removed::LeftAlone(format!("{} {} lacks the label of its server", object.kind, object.name));
                continue;
            }
            let parameters =
                DeleteParams { propagation_policy: Some(PropagationPolicy::Background), ..DeleteParams::default() };
            match self.await_api_answer("delete", object.object_kind(), api.delete(&object.name, &parameters)).await {
                Ok(_) | Err(ClusterError::Gone) => {}
                Err(error) => return Err(error),
            }
            if removed == Removed::Nothing {
                removed = Removed::Gone;
            }
        }
        self.await_gone(made).await?;
        Ok(removed)
    }

    async fn await_gone(&self, made: &CreatedServer) -> Result<(), ClusterError> {
        let (label, value) = &made.label;
        let labels = format!("{label}={value}");
        let deadline = Instant::now() + GONE_AT_MOST;
        loop {
            let pods = self.list_objects::<Pod>(POD, &labels).await?;
            let claims = self.list_objects::<PersistentVolumeClaim>(CLAIM, &labels).await?;
            let left: Vec<String> = pods.iter().map(|pod| format!("pod {}", pod.name_any())).collect();
            let claims = claims.iter().map(|claim| format!("PersistentVolumeClaim {}", claim.name_any()));
            let left: Vec<String> = left.into_iter().chain(claims).collect();
            if left.is_empty() {
                return Ok(());
            }
            if Instant::now() > deadline {
                let said = format!("it still exists after {} s", GONE_AT_MOST.as_secs());
                return Err(ClusterError::Failed { verb: "remove", what: left.join(", "), said });
            }
            sleep(PAUSE).await;
        }
    }

    /// Refuses a storage class that is not there, and labels that no node has. That it may not be seen is no reason.
    ///
    /// # Errors
    /// With what there is instead.
    pub async fn require_place(
        &self,
        class: Option<&str>,
        nodes: &BTreeMap<String, String>,
    ) -> Result<(), ClusterError> {
        if let Some(class) = class
            && let Ok(None) = self.get_global::<StorageClass>(CLASS, class).await
        {
            let known = self.names_of::<StorageClass>(CLASS).await;
            return Err(ClusterError::NoClass { class: class.to_owned(), known });
        }
        if nodes.is_empty() {
            return Ok(());
        }
        let api: kube::Api<Node> = kube::Api::all(self.client.clone());
        let listed = self.await_api_answer("list", NODE, api.list(&ListParams::default())).await;
        let Ok(all) = listed else { return Ok(()) };
        if all.items.iter().any(|node| nodes.iter().all(|(key, value)| node.labels().get(key) == Some(value))) {
            return Ok(());
        }
        let given = |node: &Node| {
            let values = nodes.keys().filter_map(|key| Some(format!("{key}={}", node.labels().get(key)?)));
            let values = values.collect::<Vec<_>>().join(", ");
            let values = if values.is_empty() { "without any of these labels" } else { &values };
            format!("{}: {values}", node.name_any())
        };
        let labels = nodes.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(",");
        Err(ClusterError::NoNode { labels, known: all.items.iter().map(given).collect() })
    }

    async fn names_of<K>(&self, kind: ObjectKind) -> Vec<String>
    where
        K: Resource<DynamicType = ()> + Clone + serde::de::DeserializeOwned + std::fmt::Debug,
    {
        let api: kube::Api<K> = kube::Api::all(self.client.clone());
        let all = self.await_api_answer("list", kind, api.list(&ListParams::default())).await;
        all.map_or_else(|_| Vec::new(), |all| all.items.iter().map(kube::ResourceExt::name_any).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_that_is_made_goes_with_the_object_that_it_was_made_for() {
        let secret = json!({ "kind": "Secret", "metadata": { "name": "a-app" } });
        let pod = ObjectOf { api_version: "v1".to_owned(), kind: "Pod".to_owned(), name: "a".to_owned() };
        let owners = &with_owner_reference(&secret, Some(&(pod, "7".to_owned())))["metadata"]["ownerReferences"];
        assert_eq!(*owners, json!([{ "apiVersion": "v1", "kind": "Pod", "name": "a", "uid": "7" }]));
        assert_eq!(with_owner_reference(&secret, None), secret);
        for (kind, owns) in [("Pod", true), ("StatefulSet", true), ("Cluster", true), ("Job", true), ("Service", false)]
        {
            assert_eq!(ObjectOf::from_manifest(&json!({ "kind": kind })).owns_secrets(), owns, "{kind}");
        }
    }

    #[test]
    fn what_the_api_server_would_leave_out_is_told_by_its_path() {
        let manifest = json!({
            "kind": "Pod",
            "stringData": { "password": "x" },
            "spec": { "affinity": { "nodeAffinty": { "a": 1 } }, "containers": [{ "image": "a", "imag": "b", "resources": {} }] },
        });
        let taken = json!({
            "kind": "Pod",
            "data": { "password": "eA==" },
            "spec": { "affinity": {}, "containers": [{ "image": "a" }], "dnsPolicy": "ClusterFirst" },
        });
        assert_eq!(left_out(&manifest, &taken), ["spec.affinity.nodeAffinty", "spec.containers[0].imag"]);
        let known = json!({ "kind": "Pod", "spec": { "containers": [{ "image": "a", "stdin": false }] } });
        assert!(left_out(&known, &taken).is_empty(), "a default needs not be said back");
    }
}
