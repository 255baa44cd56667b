//! What a pod says: whether it serves, in which container PostgreSQL is, at which port.

use std::net::IpAddr;

use k8s_openapi::api::core::v1::{Container, ContainerStatus, Pod};
use kube::ResourceExt;

use crate::api::ObjectKind;
use crate::error::ClusterError;

/// The kind.
pub(crate) const POD: ObjectKind = ObjectKind { word: "pod", plural: "pods" };

/// PostgreSQL's usual port.
const POSTGRES_PORT: i32 = 5432;

/// The one pod of those that were selected which can be measured.
pub(crate) fn only_measurable_pod(mut pods: Vec<Pod>, labels: &str, namespace: &str) -> Result<Pod, ClusterError> {
    pods.retain(|pod| pod.metadata.deletion_timestamp.is_none());
    match pods.len() {
        1 => Ok(pods.remove(0)),
        _ => Err(ClusterError::NotOnePod {
            labels: labels.to_owned(),
            namespace: namespace.to_owned(),
            pods: pods.iter().map(ResourceExt::name_any).collect(),
        }),
    }
}

/// Refuses a pod that does not serve, with what its status says.
pub(crate) fn require_ready(pod: &Pod) -> Result<(), ClusterError> {
    let not_ready = |said: String| ClusterError::NotReady { pod: pod.name_any(), said };
    if pod.metadata.deletion_timestamp.is_some() {
        return Err(not_ready("it is being deleted".to_owned()));
    }
    let status = pod.status.as_ref().ok_or_else(|| not_ready("it has no status yet".to_owned()))?;
    let conditions = status.conditions.as_deref().unwrap_or_default();
    if conditions.iter().any(|condition| condition.type_ == "Ready" && condition.status == "True") {
        return Ok(());
    }
    let waiting = status.container_statuses.iter().flatten().find_map(|container| {
        let waiting = container.state.as_ref()?.waiting.as_ref()?;
        let message = waiting.message.as_deref().unwrap_or_default();
        Some(format!("container {}: {} {message}", container.name, waiting.reason.as_deref().unwrap_or("waiting")))
    });
    Err(not_ready(
        waiting
            .or_else(|| {
                let unmet = conditions.iter().find(|condition| condition.status != "True")?;
                Some(format!("{}: {}", unmet.reason.as_deref()?, unmet.message.as_deref().unwrap_or_default()))
            })
            .unwrap_or_else(|| status.phase.clone().unwrap_or_else(|| "it has no phase".to_owned()))
            .trim()
            .to_owned(),
    ))
}

/// The container that PostgreSQL is in: the one that has its port, is called or made like it, or is the only one.
pub(crate) fn postgres_container(pod: &Pod) -> Option<&Container> {
    let containers = pod.spec.as_ref()?.containers.as_slice();
    let has_port =
        |container: &&Container| container.ports.iter().flatten().any(|port| is_postgres(port.container_port));
    let is_called = |container: &&Container| container.name.contains("postgres") || container.name == "database";
    let is_made = |container: &&Container| container.image.as_ref().is_some_and(|image| image.contains("postgres"));
    let find = |is_it: &dyn Fn(&&Container) -> bool| containers.iter().find(is_it);
    find(&has_port).or_else(|| find(&is_called)).or_else(|| find(&is_made)).or_else(|| containers.first())
}

fn is_postgres(port: i32) -> bool {
    port == POSTGRES_PORT
}

/// The port of the pod that PostgreSQL listens at, and what the pod calls it.
pub(crate) fn postgres_port(pod: &Pod) -> (u16, Option<&str>) {
    let ports = postgres_container(pod).and_then(|container| container.ports.as_deref()).unwrap_or_default();
    let found = ports.iter().find(|port| is_postgres(port.container_port)).or_else(|| {
        ports
            .iter()
            .find(|port| port.name.as_deref().is_some_and(|name| name.contains("postgres") || name.contains("pgsql")))
    });
    let number = found.map_or(POSTGRES_PORT, |port| port.container_port);
    (u16::try_from(number).unwrap_or(5432), found.and_then(|port| port.name.as_deref()))
}

/// Whether PostgreSQL does not run in it any more, as far as its status says: its container does not. One that is not
/// ready may run for minutes: until its sessions have ended it takes no new ones.
pub(crate) fn has_stopped(pod: &Pod) -> bool {
    let state = postgres_container_status(pod).and_then(|status| status.state.as_ref());
    state.is_none_or(|state| state.running.is_none())
}

/// How often its container was started again.
pub(crate) fn container_restart_count(pod: &Pod) -> i32 {
    postgres_container_status(pod).map_or(0, |status| status.restart_count)
}

fn postgres_container_status(pod: &Pod) -> Option<&ContainerStatus> {
    let name = &postgres_container(pod)?.name;
    pod.status.as_ref()?.container_statuses.iter().flatten().find(|status| status.name == *name)
}

/// Whether nobody hears of it any more: its container was ready when its node last said so, and it counts as not ready.
pub(crate) fn is_lost(pod: &Pod) -> bool {
    let conditions = pod.status.iter().flat_map(|status| status.conditions.iter().flatten());
    let [containers_ready, is_ready] = ["ContainersReady", "Ready"].map(|wanted| {
        let mut of_kind = conditions.clone().filter(|condition| condition.type_ == wanted);
        of_kind.next().is_some_and(|condition| condition.status == "True")
    });
    !has_stopped(pod) && containers_ready && !is_ready
}

/// Its address within the cluster, and that of its node.
pub(crate) fn pod_and_node_address(pod: &Pod) -> (Option<&str>, Option<&str>) {
    let status = pod.status.as_ref();
    (status.and_then(|status| status.pod_ip.as_deref()), status.and_then(|status| status.host_ip.as_deref()))
}

/// All its own addresses, those that it shares with its node among them.
pub(crate) fn own_addresses(pod: &Pod) -> Vec<IpAddr> {
    let status = pod.status.as_ref();
    let several = status.and_then(|status| status.pod_ips.as_deref()).unwrap_or_default();
    let one = status.and_then(|status| status.pod_ip.as_deref());
    let mut addresses = Vec::new();
    for text in several.iter().map(|ip| ip.ip.as_str()).chain(one) {
        if let Ok(address) = text.parse()
            && !addresses.contains(&address)
        {
            addresses.push(address);
        }
    }
    addresses
}

#[cfg(test)]
mod tests {
    use super::*;

    fn captured() -> Pod {
        serde_json::from_str(include_str!("../tests/objects/pod.json")).expect("a pod")
    }

    #[test]
    fn the_container_and_the_port_of_postgresql_are_found_in_a_pod_of_cloudnativepg() {
        let pod = captured();
        assert_eq!(require_ready(&pod), Ok(()));
        assert_eq!(postgres_container(&pod).map(|container| container.name.as_str()), Some("postgres"));
        assert_eq!(postgres_port(&pod), (5432, Some("postgresql")));
    }

    #[test]
    fn a_pod_that_waits_says_for_what() {
        let mut pod = captured();
        let status = pod.status.as_mut().expect("a status");
        status.conditions = None;
        let waiting = serde_json::json!({ "waiting": { "reason": "ImagePullBackOff", "message": "no such image" } });
        let containers = status.container_statuses.as_mut().expect("containers");
        containers[0].state = Some(serde_json::from_value(waiting).expect("a state"));
        let error = require_ready(&pod).expect_err("it waits");
        assert_eq!(error.detail().as_deref(), Some("container postgres: ImagePullBackOff no such image"));
    }

    #[test]
    fn of_selected_pods_there_has_to_be_one_that_stays() {
        let pod = captured();
        let mut going = captured();
        going.metadata.deletion_timestamp =
            Some(serde_json::from_value("2026-01-01T00:00:00Z".into()).expect("a time"));
        assert_eq!(require_ready(&going).expect_err("it goes").detail().as_deref(), Some("it is being deleted"));
        assert!(only_measurable_pod(vec![pod.clone(), going], "a=b", "pg").is_ok());
        let error = only_measurable_pod(vec![pod.clone(), pod], "a=b", "pg").expect_err("two");
        assert_eq!(error.to_string(), "2 pods in namespace pg have the labels a=b; exactly one is required");
        assert_eq!(error.detail().as_deref(), Some("pg-1, pg-1"));
    }
}
