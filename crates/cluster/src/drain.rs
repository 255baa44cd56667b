//! The node of a cluster's primary, kept from new pods while those of the cluster are moved away from it, and given
//! back.
//!
//! Who keeps it stands in an annotation of the node, which the patch that keeps it writes, too: so what somebody else
//! keeps is left alone, and giving back twice is giving back once. Pods go by the eviction API, which honours
//! disruption budgets.

use std::collections::BTreeSet;
use std::time::Duration;

use k8s_openapi::api::core::v1::{Node, Pod};
use kube::ResourceExt as _;
use kube::api::{EvictParams, Patch, PatchParams};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::time::sleep;

use crate::api::{Api, ObjectKind};
use crate::error::ClusterError;
use crate::make::{FIELD_MANAGER, Removed};
use crate::pods::POD;

const NODE: ObjectKind = ObjectKind { word: "node", plural: "nodes" };
const EVICTION: ObjectKind = ObjectKind { word: "eviction", plural: "pods/eviction" };

/// Where a node keeps who keeps it from new pods.
const NOTE: &str = "pgdyno/cordoned-by";

/// Before an eviction that a disruption budget refuses is asked for again.
const PAUSE: Duration = Duration::from_secs(1);

/// A node that is kept from new pods, and where: enough to give it back from another process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cordoned {
    /// The kubeconfigs by which the API server was found, as `KUBECONFIG` had them; none: where kubectl looks.
    pub kubeconfig: Option<String>,
    /// The context; none: the current one, or the cluster that this runs in.
    pub context: Option<String>,
    /// The namespace of the cluster whose primary was there.
    pub namespace: String,
    /// The name of the node.
    pub node: String,
    /// Who keeps it, in words that no other process has.
    pub by: String,
}

impl Api {
    /// Keeps a node from new pods.
    ///
    /// # Errors
    /// Somebody else does already, or a right is missing.
    pub(crate) async fn cordon_node(&self, node: &str, by: &str) -> Result<(), ClusterError> {
        let found: Option<Node> = self.get_global(NODE, node).await?;
        if found.is_some_and(|node| node.spec.and_then(|spec| spec.unschedulable).unwrap_or(false)) {
            let said = "it is already cordoned, but not by pgdyno".to_owned();
            return Err(ClusterError::Failed { verb: "cordon", what: format!("the node {node}"), said });
        }
        let patch = json!({ "metadata": { "annotations": { NOTE: by } }, "spec": { "unschedulable": true } });
        self.patch_node(node, &patch).await
    }

    /// Lets a node take pods again, if it is still kept by whom this says.
    ///
    /// # Errors
    /// The API server is away, or a right is missing.
    pub async fn uncordon_node(&self, cordoned: &Cordoned) -> Result<Removed, ClusterError> {
        let Some(node): Option<Node> = self.get_global(NODE, &cordoned.node).await? else {
            return Ok(Removed::Nothing);
        };
        if node.annotations().get(NOTE) != Some(&cordoned.by) {
            return Ok(Removed::Nothing);
        }
        let patch = json!({ "metadata": { "annotations": { NOTE: null } }, "spec": { "unschedulable": null } });
        self.patch_node(&cordoned.node, &patch).await.map(|()| Removed::Gone)
    }

    async fn patch_node(&self, node: &str, patch: &serde_json::Value) -> Result<(), ClusterError> {
        let nodes: kube::Api<Node> = kube::Api::all(self.client.clone());
        let by = PatchParams { field_manager: Some(FIELD_MANAGER.to_owned()), ..PatchParams::default() };
        self.await_api_answer("patch", NODE, nodes.patch(node, &by, &Patch::Merge(patch))).await.map(drop)
    }

    /// Has the pods of a cluster evicted from a node, its poolers among them; returns when none is there any more.
    ///
    /// # Errors
    /// A right is missing, or the API server is away.
    pub(crate) async fn evict_all(&self, cluster: &str, node: &str) -> Result<(), ClusterError> {
        let mut evicted = BTreeSet::new();
        loop {
            let pods: Vec<Pod> = self.list_objects(POD, &format!("cnpg.io/cluster={cluster}")).await?;
            let there: Vec<&Pod> = pods.iter().filter(|pod| is_on(pod, node)).collect();
            if there.is_empty() {
                return Ok(());
            }
            for pod in there {
                if !evicted.contains(&pod.uid()) && self.evict_pod(&pod.name_any()).await? {
                    evicted.insert(pod.uid());
                }
            }
            sleep(PAUSE).await;
        }
    }

    /// Whether the eviction of a pod was granted: a disruption budget refuses it for as long as nobody took its place.
    async fn evict_pod(&self, pod: &str) -> Result<bool, ClusterError> {
        let pods: kube::Api<Pod> = kube::Api::namespaced(self.client.clone(), self.namespace_name());
        match pods.evict(pod, &EvictParams::default()).await {
            Ok(_) => Ok(true),
            Err(kube::Error::Api(status)) if [404, 409, 429].contains(&status.code) => Ok(false),
            Err(error) => Err(self.in_words("create", EVICTION, &error)),
        }
    }
}

/// Whether a pod is on this node and has not ended there.
fn is_on(pod: &Pod, node: &str) -> bool {
    let phase = pod.status.as_ref().and_then(|status| status.phase.as_deref());
    let has_ended = matches!(phase, Some("Succeeded" | "Failed"));
    pod.spec.as_ref().and_then(|spec| spec.node_name.as_deref()) == Some(node) && !has_ended
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pod_is_on_a_node_until_it_is_gone_or_has_ended() {
        let pod = |node: Option<&str>, phase: &str| -> Pod {
            let pod = json!({ "metadata": { "name": "db-1" }, "spec": { "containers": [], "nodeName": node },
                              "status": { "phase": phase } });
            serde_json::from_value(pod).expect("a pod")
        };
        assert!(is_on(&pod(Some("n2"), "Running"), "n2"));
        assert!(!is_on(&pod(Some("n1"), "Running"), "n2"));
        assert!(!is_on(&pod(None, "Pending"), "n2"));
        assert!(!is_on(&pod(Some("n2"), "Failed"), "n2"));
    }
}
