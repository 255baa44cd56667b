//! CloudNativePG: what its `Cluster` and `Pooler` say of the server that is to be measured.

use std::collections::BTreeMap;

use kube::core::DynamicObject;
use kube::core::dynamic::ApiResource;
use kube::core::gvk::GroupVersionKind;
use serde::Deserialize;

use crate::api::ObjectKind;
use crate::error::ClusterError;

/// The kind of a cluster.
pub(crate) const CLUSTER: ObjectKind = ObjectKind { word: "Cluster", plural: "clusters.postgresql.cnpg.io" };
/// The kind of a pooler.
pub(crate) const POOLER: ObjectKind = ObjectKind { word: "Pooler", plural: "poolers.postgresql.cnpg.io" };

/// The phase of a cluster with which nothing is wrong.
const HEALTHY: &str = "Cluster in healthy state";

/// `smartShutdownTimeout` where a cluster does not say it: `GetSmartShutdownTimeout` of `api/v1/cluster_funcs.go`.
const SMART_SHUTDOWN_S: u32 = 180;

/// The settings that the operator chooses where nobody else does, and a plain server has otherwise:
/// `FixedConfigurationParameters` and the defaults of `pkg/postgres/configuration.go`, version 1.29, without those
/// that say nothing of speed.
pub(crate) const SET_BY_ITSELF: [&str; 28] = [
    "archive_command",
    "archive_mode",
    "archive_timeout",
    "dynamic_shared_memory_type",
    "full_page_writes",
    "hot_standby",
    "log_rotation_age",
    "log_rotation_size",
    "logging_collector",
    "max_parallel_workers",
    "max_replication_slots",
    "max_worker_processes",
    "primary_conninfo",
    "primary_slot_name",
    "recovery_target_timeline",
    "restart_after_crash",
    "restore_command",
    "shared_memory_type",
    "ssl",
    "ssl_ca_file",
    "ssl_max_protocol_version",
    "ssl_min_protocol_version",
    "synchronized_standby_slots",
    "wal_keep_size",
    "wal_level",
    "wal_log_hints",
    "wal_receiver_timeout",
    "wal_sender_timeout",
];

/// The labels of the instances of a cluster; its poolers have the first one, too.
pub(crate) fn of_cluster(name: &str) -> String {
    format!("cnpg.io/cluster={name},cnpg.io/podRole=instance")
}

/// Where the API server has a kind of CloudNativePG.
pub(crate) fn api_resource_of_kind(kind: ObjectKind) -> ApiResource {
    let gvk = GroupVersionKind::gvk("postgresql.cnpg.io", "v1", kind.word);
    let plural = kind.plural.split_once('.').map_or(kind.plural, |(plural, _)| plural);
    ApiResource::from_gvk_with_plural(&gvk, plural)
}

/// What is read of a `Cluster`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CnpgCluster {
    pub(crate) spec: CnpgClusterSpec,
    #[serde(default)]
    pub(crate) status: CnpgClusterStatus,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct CnpgClusterSpec {
    pub(crate) instances: u32,
    pub(crate) smart_shutdown_timeout: Option<u32>,
    pub(crate) primary_update_strategy: String,
    pub(crate) image_name: Option<String>,
    pub(crate) bootstrap: Option<Bootstrap>,
    pub(crate) postgresql: PostgreSql,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Bootstrap {
    pub(crate) initdb: Option<CnpgInitdb>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct CnpgInitdb {
    pub(crate) secret: Option<ObjectReference>,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct ObjectReference {
    pub(crate) name: String,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct PostgreSql {
    pub(crate) parameters: BTreeMap<String, String>,
    pub(crate) synchronous: Option<Synchronous>,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Synchronous {
    pub(crate) method: String,
    pub(crate) number: u32,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct CnpgClusterStatus {
    pub(crate) phase: String,
    pub(crate) phase_reason: String,
    pub(crate) ready_instances: u32,
    pub(crate) current_primary: String,
    pub(crate) target_primary: String,
}

/// What is read of a `Pooler`.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct CnpgPooler {
    pub(crate) spec: PoolerSpec,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct PoolerSpec {
    pub(crate) cluster: ObjectReference,
    #[serde(rename = "type", default)]
    pub(crate) kind: String,
}

/// Reads an object of an operator whose version may know fields otherwise.
pub(crate) fn deserialize_object<T: for<'d> Deserialize<'d>>(
    object: &DynamicObject,
    kind: ObjectKind,
) -> Result<T, ClusterError> {
    serde_json::from_value(object.data.clone()).map_err(|error| ClusterError::Failed {
        verb: "read",
        what: format!("the {} {}", kind.word, object.metadata.name.as_deref().unwrap_or_default()),
        said: error.to_string(),
    })
}

impl CnpgCluster {
    /// The pod of the primary.
    ///
    /// # Errors
    /// The cluster is switching, or not healthy: what would be measured is not what stays.
    pub(crate) fn primary_pod_name(&self, name: &str) -> Result<&str, ClusterError> {
        let CnpgClusterStatus { phase, phase_reason, ready_instances, current_primary, target_primary, .. } =
            &self.status;
        if !current_primary.is_empty() && !target_primary.is_empty() && current_primary != target_primary {
            return Err(ClusterError::Switching {
                cluster: name.to_owned(),
                from: current_primary.clone(),
                to: target_primary.clone(),
            });
        }
        if phase != HEALTHY || *ready_instances != self.spec.instances || current_primary.is_empty() {
            let reason = if phase_reason.is_empty() { String::new() } else { format!(" ({phase_reason})") };
            let phase = if phase.is_empty() { "it has no status yet" } else { phase.as_str() };
            return Err(ClusterError::Unhealthy {
                cluster: name.to_owned(),
                said: format!("{phase}{reason}; {ready_instances} of {} instances are ready", self.spec.instances),
            });
        }
        Ok(current_primary)
    }

    /// For how long a primary that is stopped or restarted in order waits for its sessions to end, in seconds.
    pub(crate) fn smart_shutdown_s(&self) -> u32 {
        self.spec.smart_shutdown_timeout.unwrap_or(SMART_SHUTDOWN_S)
    }

    /// The Secret of the application's user.
    pub(crate) fn application_secret_name(&self, name: &str) -> String {
        let bootstrap = self.spec.bootstrap.as_ref().and_then(|bootstrap| bootstrap.initdb.as_ref()?.secret.as_ref());
        bootstrap.map_or_else(|| format!("{name}-app"), |secret| secret.name.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As `kubectl get cluster pg -o json` printed it.
    pub(crate) fn captured() -> CnpgCluster {
        serde_json::from_str(include_str!("../tests/objects/cluster.json")).expect("a cluster")
    }

    #[test]
    fn the_primary_of_a_healthy_cluster_is_the_one_of_its_status() {
        let cluster = captured();
        assert_eq!(cluster.primary_pod_name("pg"), Ok("pg-1"));
        assert_eq!(cluster.application_secret_name("pg"), "pg-app");
    }

    #[test]
    fn a_cluster_that_is_switching_or_not_healthy_is_refused_in_words() {
        let mut switching = captured();
        switching.status.target_primary = "pg-2".to_owned();
        let error = switching.primary_pod_name("pg").expect_err("it is switching");
        assert_eq!(error.to_string(), "the cluster pg is switching its primary from pg-1 to pg-2");
        let mut short = captured();
        short.status.ready_instances = 1;
        let error = short.primary_pod_name("pg").expect_err("an instance is missing");
        assert_eq!(error.detail().as_deref(), Some("Cluster in healthy state; 1 of 2 instances are ready"));
        let mut new = captured();
        new.status = CnpgClusterStatus::default();
        let error = new.primary_pod_name("pg").expect_err("it has just been made");
        assert_eq!(error.detail().as_deref(), Some("it has no status yet; 0 of 2 instances are ready"));
    }

    #[test]
    fn a_secret_of_ones_own_stands_in_place_of_the_operators() {
        let mut cluster = captured();
        let secret = Some(ObjectReference { name: "mine".to_owned() });
        cluster.spec.bootstrap = Some(Bootstrap { initdb: Some(CnpgInitdb { secret }) });
        assert_eq!(cluster.application_secret_name("pg"), "mine");
    }
}
