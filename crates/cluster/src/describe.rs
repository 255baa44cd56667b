//! What Kubernetes says of a server that was found: versions, image, limits, node, volume, and what the operator does
//! by itself. Each with the object and the field that it was read from. What may not be read is a gap with the right
//! that would fill it.

use std::collections::BTreeMap;

use k8s_openapi::api::core::v1::{Container, Node, PersistentVolume, PersistentVolumeClaim, Pod, PodSpec};
use k8s_openapi::api::storage::v1::StorageClass;
use kube::ResourceExt as _;
use results::facts::{FactSubject, OfPlatform, PlatformFact};

use crate::api::{Api, ObjectKind};
use crate::cnpg::{self, CnpgCluster};
use crate::error::ClusterError;
use crate::pods;

pub(crate) const NODE: ObjectKind = ObjectKind { word: "node", plural: "nodes" };
pub(crate) const CLAIM: ObjectKind = ObjectKind { word: "PersistentVolumeClaim", plural: "persistentvolumeclaims" };
const VOLUME: ObjectKind = ObjectKind { word: "PersistentVolume", plural: "persistentvolumes" };
pub(crate) const CLASS: ObjectKind = ObjectKind { word: "StorageClass", plural: "storageclasses.storage.k8s.io" };

/// What could not be read, and why.
pub type ObjectFactGaps = BTreeMap<String, String>;

/// What one object says, collected.
#[derive(Default)]
struct ObjectFacts(BTreeMap<String, PlatformFact>);

impl ObjectFacts {
    fn add(&mut self, about: FactSubject, name: &str, source: &str, value: Option<String>) {
        self.0.extend(
            value
                .filter(|value| !value.is_empty())
                .map(|value| (name.to_owned(), PlatformFact { value, source: source.to_owned(), about })),
        );
    }
}

/// Reads what Kubernetes says of a server in this pod, of this cluster if it is one of CloudNativePG's.
pub(crate) async fn describe_platform(
    api: &Api,
    pod: &Pod,
    cluster: Option<&CnpgCluster>,
) -> (OfPlatform, ObjectFactGaps) {
    let (mut facts, mut gaps) = (ObjectFacts::default(), ObjectFactGaps::new());
    of_pod(pod, &mut facts);
    match api.kubernetes_version().await {
        Ok(version) => facts.add(FactSubject::Platform, "Kubernetes", "/version", Some(version)),
        Err(error) => insert_gap(&mut gaps, "platform.Kubernetes", &error),
    }
    if let Some(cluster) = cluster {
        of_cluster(cluster, &mut facts);
    }
    let node = pod.spec.as_ref().and_then(|spec| spec.node_name.as_deref()).unwrap_or_default();
    match api.get_global::<Node>(NODE, node).await {
        Ok(Some(node)) => of_node(&node, &mut facts),
        Ok(None) => {}
        Err(error) => insert_gap(&mut gaps, "platform.node", &error),
    }
    if let Some(claim) = data_claim(pod)
        && let Err(error) = of_volume(api, &claim, &mut facts).await
    {
        insert_gap(&mut gaps, "platform.volume", &error);
    }
    let set_by_operator = cluster.map_or_else(Vec::new, |_| cnpg::SET_BY_ITSELF.map(str::to_owned).to_vec());
    (OfPlatform { facts: facts.0, set_by_operator }, gaps)
}

/// With what would fill it, where a right is missing.
fn insert_gap(gaps: &mut ObjectFactGaps, name: &str, error: &ClusterError) {
    let hint = error.hint().map_or_else(String::new, |hint| format!("; {hint}"));
    gaps.insert(name.to_owned(), format!("{error}{hint}"));
}

fn of_pod(pod: &Pod, facts: &mut ObjectFacts) {
    let platform = FactSubject::Platform;
    let status = pod.status.as_ref();
    let spec = pod.spec.as_ref();
    let container = pods::postgres_container(pod);
    let name = container.map_or("", |container| container.name.as_str());
    let operator = pod.annotations().get("cnpg.io/operatorVersion").map(|version| format!("CloudNativePG {version}"));
    facts.add(platform, "operator", "annotation cnpg.io/operatorVersion of the pod", operator);
    facts.add(platform, "image", "spec.containers[].image of the pod", container.and_then(|of| of.image.clone()));
    facts.add(platform, "QoS", "status.qosClass of the pod", status.and_then(|status| status.qos_class.clone()));
    for (what, resource) in [("CPU", "cpu"), ("memory", "memory")] {
        let (request, limit) = container.map_or((None, None), |of| requests_and_limits(of, resource));
        let or_none = |quantity: Option<String>| container.map(|_| quantity.unwrap_or_else(|| "none".to_owned()));
        let source = "spec.containers[].resources of the pod";
        facts.add(platform, &format!("{what} request of the pod"), source, or_none(request));
        facts.add(platform, &format!("{what} limit of the pod"), source, or_none(limit));
    }
    let others = spec.map_or_else(Vec::new, |spec| {
        spec.containers.iter().map(|container| container.name.as_str()).filter(|other| *other != name).collect()
    });
    let or_none = |all: String| if all.is_empty() { "none".to_owned() } else { all };
    let sidecars = or_none(others.join(", "));
    facts.add(platform, "other containers of the pod", "spec.containers of the pod", Some(sidecars));
    let exporters = or_none(spec.map_or_else(Vec::new, metrics_exporters).join(", "));
    facts.add(platform, "exporter of metrics", "spec.containers[].ports of the pod", Some(exporters));
    let of_host = spec.is_some_and(|spec| spec.host_network == Some(true));
    let network = if of_host { "the node's" } else { "its own" }.to_owned();
    facts.add(platform, "network of the pod", "spec.hostNetwork of the pod", Some(network));
    let node = spec.and_then(|spec| spec.node_name.clone());
    facts.add(FactSubject::Hardware, "node", "spec.nodeName of the pod", node);
}

/// The containers that serve metrics, by the name of their port: whoever scrapes one has the server asked.
fn metrics_exporters(spec: &PodSpec) -> Vec<String> {
    spec.containers
        .iter()
        .flat_map(|container| {
            let ports = container
                .ports
                .iter()
                .flatten()
                .filter(|port| port.name.as_deref().is_some_and(|name| name.contains("metrics")));
            ports.map(|port| format!("port {} of {}", port.container_port, container.name)).collect::<Vec<_>>()
        })
        .collect()
}

/// What a container asks for and what it may have at most.
fn requests_and_limits(container: &Container, name: &str) -> (Option<String>, Option<String>) {
    let Some(resources) = &container.resources else { return (None, None) };
    let [request, limit] = [&resources.requests, &resources.limits]
        .map(|quantities| quantities.as_ref()?.get(name).map(|of| of.0.clone()));
    (request, limit)
}

fn of_cluster(cluster: &CnpgCluster, facts: &mut ObjectFacts) {
    let operator = FactSubject::Operator;
    let instances = Some(cluster.spec.instances.to_string());
    facts.add(operator, "instances", "spec.instances of the Cluster", instances);
    let synchronous = cluster.spec.postgresql.synchronous.as_ref();
    let synchronous = synchronous.map_or_else(|| "none".to_owned(), |of| format!("{} {}", of.method, of.number));
    facts.add(operator, "synchronous replicas", "spec.postgresql.synchronous of the Cluster", Some(synchronous));
}

fn of_node(node: &Node, facts: &mut ObjectFacts) {
    let hardware = FactSubject::Hardware;
    for (name, key) in [
        ("instance type", "node.kubernetes.io/instance-type"),
        ("region", "topology.kubernetes.io/region"),
        ("zone", "topology.kubernetes.io/zone"),
    ] {
        facts.add(hardware, name, &format!("label {key} of the node"), node.labels().get(key).cloned());
    }
    let provider = node.spec.as_ref().and_then(|spec| spec.provider_id.clone());
    facts.add(hardware, "provider", "spec.providerID of the node", provider);
    let info = node.status.as_ref().and_then(|status| status.node_info.as_ref());
    facts.add(hardware, "kernel of the node", "status.nodeInfo of the node", info.map(|of| of.kernel_version.clone()));
    facts.add(hardware, "system of the node", "status.nodeInfo of the node", info.map(|of| of.os_image.clone()));
    let runtime = info.map(|of| of.container_runtime_version.clone());
    facts.add(FactSubject::Platform, "container runtime", "status.nodeInfo of the node", runtime);
    let capacity = node.status.as_ref().and_then(|status| status.capacity.as_ref());
    for (name, key) in [("CPUs of the node", "cpu"), ("memory of the node", "memory")] {
        let quantity = capacity.and_then(|of| of.get(key)).map(|quantity| quantity.0.clone());
        facts.add(hardware, name, "status.capacity of the node", quantity);
    }
}

/// The claim of the volume that holds the data: mounted where PostgreSQL's images keep them, or the only one.
fn data_claim(pod: &Pod) -> Option<String> {
    let volumes = pod.spec.as_ref()?.volumes.as_deref()?;
    let mounts = pods::postgres_container(pod)?.volume_mounts.as_deref().unwrap_or_default();
    let of_data = mounts.iter().filter(|mount| {
        let path = &mount.mount_path;
        let holds_data = path.contains("postgresql") || path.contains("pgdata") || path.contains("/data");
        holds_data && !path.ends_with("/wal")
    });
    of_data.chain(mounts).find_map(|mount| {
        let volume = volumes.iter().find(|of| of.name == mount.name)?;
        Some(volume.persistent_volume_claim.as_ref()?.claim_name.clone())
    })
}

async fn of_volume(api: &Api, claim: &str, facts: &mut ObjectFacts) -> Result<(), ClusterError> {
    let claim: PersistentVolumeClaim = api.get_object(CLAIM, claim).await?;
    let hardware = FactSubject::Hardware;
    let spec = claim.spec.as_ref();
    let size = claim.status.as_ref().and_then(|status| status.capacity.as_ref()?.get("storage").map(|of| of.0.clone()));
    facts.add(hardware, "size of the volume", "status.capacity of the claim", size);
    let class = spec.and_then(|spec| spec.storage_class_name.clone());
    facts.add(hardware, "storage class", "spec.storageClassName of the claim", class.clone());
    if let Some(class) = class
        && let Some(class) = api.get_global::<StorageClass>(CLASS, &class).await?
    {
        facts.add(hardware, "provisioner", "provisioner of the storage class", Some(class.provisioner));
        let parameters = class.parameters.unwrap_or_default();
        let parameters: Vec<String> = parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
        facts.add(hardware, "storage parameters", "parameters of the storage class", Some(parameters.join(", ")));
    }
    if let Some(volume) = spec.and_then(|spec| spec.volume_name.as_deref())
        && let Some(volume) = api.get_global::<PersistentVolume>(VOLUME, volume).await?
    {
        facts.add(hardware, "kind of volume", "spec of the volume", kind_of(&volume));
    }
    Ok(())
}

/// By what a volume is provided.
fn kind_of(volume: &PersistentVolume) -> Option<String> {
    let spec = volume.spec.as_ref()?;
    let csi = spec.csi.as_ref().map(|csi| {
        let attributes = csi.volume_attributes.clone().unwrap_or_default();
        let kind = attributes.get("type").or_else(|| attributes.get("skuname"));
        kind.map_or_else(|| csi.driver.clone(), |kind| format!("{} ({kind})", csi.driver))
    });
    csi.or_else(|| spec.local.as_ref().map(|_| "a directory of the node".to_owned()))
        .or_else(|| spec.host_path.as_ref().map(|_| "a directory of the node".to_owned()))
        .or_else(|| spec.nfs.as_ref().map(|_| "NFS".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn captured<T: serde::de::DeserializeOwned>(text: &str) -> T {
        serde_json::from_str(text).expect("an object")
    }

    #[test]
    fn a_pod_and_its_node_say_what_decides_about_speed() {
        let mut facts = ObjectFacts::default();
        of_pod(&captured(include_str!("../tests/objects/pod.json")), &mut facts);
        of_node(&captured(include_str!("../tests/objects/node.json")), &mut facts);
        of_cluster(&captured(include_str!("../tests/objects/cluster.json")), &mut facts);
        let value = |name: &str| facts.0.get(name).map(|fact| fact.value.as_str());
        assert_eq!(value("operator"), Some("CloudNativePG 1.29.1"));
        assert_eq!(value("image"), Some("localhost/kubelab/postgresql:17"));
        assert_eq!(value("CPU limit of the pod"), Some("none"));
        assert_eq!(value("other containers of the pod"), Some("none"));
        assert_eq!(value("exporter of metrics"), Some("port 9187 of postgres"));
        assert_eq!(value("network of the pod"), Some("its own"));
        assert_eq!(value("instances"), Some("2"));
        assert_eq!(value("synchronous replicas"), Some("none"));
        assert_eq!(value("instance type"), None);
        assert!(value("zone").is_some_and(|zone| zone.starts_with("zone-")));
        assert!(value("container runtime").is_some_and(|runtime| runtime.starts_with("containerd://")));
        assert_eq!(facts.0["QoS"].source, "status.qosClass of the pod");
    }

    #[test]
    fn limits_are_those_of_the_container_that_postgresql_is_in() {
        let mut pod: Pod = captured(include_str!("../tests/objects/pod.json"));
        let limits = serde_json::json!({ "limits": { "cpu": "500m" }, "requests": { "cpu": "250m" } });
        pod.spec.as_mut().expect("a spec").containers[0].resources = Some(serde_json::from_value(limits).expect("it"));
        let mut facts = ObjectFacts::default();
        of_pod(&pod, &mut facts);
        assert_eq!(facts.0["CPU limit of the pod"].value, "500m");
        assert_eq!(facts.0["CPU request of the pod"].value, "250m");
        assert_eq!(facts.0["memory limit of the pod"].value, "none");
    }

    #[test]
    fn the_data_are_on_the_claim_that_is_mounted_for_them() {
        let pod: Pod = captured(include_str!("../tests/objects/pod.json"));
        assert_eq!(data_claim(&pod).as_deref(), Some("pg-1"));
    }
}
