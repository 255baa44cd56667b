//! The ways to a pod: from the objects of the cluster to an address and a port, in pure functions.

use std::collections::BTreeMap;
use std::net::IpAddr;

use k8s_openapi::api::core::v1::{Pod, Service, ServicePort};
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use kube::ResourceExt as _;

use crate::api::ObjectKind;
use crate::error::ClusterError;
use crate::pods;

/// The kind.
pub(crate) const SERVICE: ObjectKind = ObjectKind { word: "Service", plural: "services" };

/// How the load is to reach the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServiceWay {
    /// At the pod's own address.
    Pod,
    /// At the address of this Service, or of the one that leads to the pod.
    Service(Option<String>),
    /// At the port that this Service, or any that leads to the pod, opens on the pod's node.
    NodePort(Option<String>),
    /// At the address of the node in whose network the pod is.
    HostNetwork,
    /// At its Unix-domain socket, which whoever connects has to find; what connects by the network goes to the pod.
    Socket,
    /// At the Service of a CloudNativePG Pooler.
    Pooler(String),
}

/// Where the load connects to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// The address.
    pub address: IpAddr,
    /// The port.
    pub port: u16,
    /// What is between the load and the server, in the order in which a byte passes it.
    pub hops: Vec<String>,
}

/// At the pod itself.
pub(crate) fn at_pod(pod: &Pod) -> Result<Endpoint, ClusterError> {
    let (number, _) = pods::postgres_port(pod);
    let (own, _) = pods::pod_and_node_address(pod);
    let address = own
        .and_then(|address| address.parse().ok())
        .ok_or_else(|| ClusterError::NotReady { pod: pod.name_any(), said: "it has no address".to_owned() })?;
    Ok(Endpoint { address, port: number, hops: vec!["pod network".to_owned()] })
}

/// At the node, whose network the pod shares.
pub(crate) fn at_host(pod: &Pod) -> Result<Endpoint, ClusterError> {
    let shares = pod.spec.as_ref().is_some_and(|spec| spec.host_network == Some(true));
    let node = pods::pod_and_node_address(pod).1.and_then(|address| address.parse().ok()).filter(|_| shares);
    let address = node.ok_or_else(|| ClusterError::NoWay {
        way: "node network",
        pod: pod.name_any(),
        said: "the pod does not use the network of its node (spec.hostNetwork)".to_owned(),
        hint: "use `via: pod`",
    })?;
    Ok(Endpoint { address, port: pods::postgres_port(pod).0, hops: vec!["node network".to_owned()] })
}

/// At the address of a Service.
pub(crate) fn at_service(pod: &Pod, service: &Service) -> Result<Endpoint, ClusterError> {
    let name = service.name_any();
    let no_way = |said: &str| ClusterError::NoWay {
        way: "Service",
        pod: pod.name_any(),
        said: format!("{name}: {said}"),
        hint: "use `via: pod`, or specify another Service: `via: { service: NAME }`",
    };
    let cluster_ip = service.spec.as_ref().and_then(|spec| spec.cluster_ip.as_deref()).unwrap_or_default();
    let address = cluster_ip.parse().map_err(|_| no_way("it has no cluster IP"))?;
    if leads_elsewhere(service, pod) {
        return Err(no_way("its selector does not select the pod"));
    }
    let port = port_to(pod, service).and_then(|port| u16::try_from(port.port).ok());
    let port = port.ok_or_else(|| no_way("none of its ports leads to PostgreSQL"))?;
    Ok(Endpoint { address, port, hops: vec![format!("Service {name}"), "pod network".to_owned()] })
}

/// At a port of the pod's node.
pub(crate) fn at_node(pod: &Pod, service: &Service) -> Result<Endpoint, ClusterError> {
    let name = service.name_any();
    if leads_elsewhere(service, pod) {
        return Err(ClusterError::NoWay {
            way: "node port",
            pod: pod.name_any(),
            said: format!("{name}: its selector does not select the pod"),
            hint: "specify another Service of type NodePort: `via: { node-port: NAME }`",
        });
    }
    let node_port = port_to(pod, service).and_then(|port| u16::try_from(port.node_port?).ok());
    let (_, node) = pods::pod_and_node_address(pod);
    let address = node.and_then(|address| address.parse().ok());
    let (Some(port), Some(address)) = (node_port, address) else {
        return Err(ClusterError::NoWay {
            way: "node port",
            pod: pod.name_any(),
            said: format!("the Service {name} has no node port"),
            hint: "specify a Service of type NodePort: `via: { node-port: NAME }`",
        });
    };
    Ok(Endpoint { address, port, hops: vec![format!("NodePort {name}"), "pod network".to_owned()] })
}

/// At the Service of a Pooler, which is called like it.
pub(crate) fn at_pooler(service: &Service, name: &str) -> Result<Endpoint, ClusterError> {
    let spec = service.spec.as_ref();
    let address = spec.and_then(|spec| spec.cluster_ip.as_deref()?.parse().ok());
    let port = spec.and_then(|spec| u16::try_from(spec.ports.as_deref()?.first()?.port).ok());
    let (Some(address), Some(port)) = (address, port) else {
        return Err(ClusterError::NoWay {
            way: "Pooler",
            pod: "of the primary".to_owned(),
            said: format!("the Service {name} has no cluster IP"),
            hint: "use another route (`via`)",
        });
    };
    let hops = vec![format!("Service {name}"), "PgBouncer".to_owned(), "pod network".to_owned()];
    Ok(Endpoint { address, port, hops })
}

/// The one of these Services that leads to the pod (and opens a port on nodes, if it has to), where none was named.
pub(crate) fn leading_to<'s>(pod: &Pod, services: &'s [Service], on_node: bool) -> Result<&'s Service, ClusterError> {
    let fitting: Vec<&Service> = services
        .iter()
        .filter(|service| {
            let of_node = port_to(pod, service).is_some_and(|port| port.node_port.is_some());
            service_selects_pod(service, pod)
                && if on_node { of_node } else { has_address(service) && port_to(pod, service).is_some() }
        })
        .collect();
    let names: Vec<String> = fitting.iter().map(|service| service.name_any()).collect();
    match fitting[..] {
        [one] => Ok(one),
        _ => Err(ClusterError::NoWay {
            way: match (on_node, fitting.is_empty()) {
                (true, true) => "node port",
                (true, false) => "unique node port",
                (false, true) => "Service",
                (false, false) => "unique Service",
            },
            pod: pod.name_any(),
            said: if names.is_empty() { "none fits".to_owned() } else { format!("these fit: {}", names.join(", ")) },
            hint: match (on_node, fitting.is_empty()) {
                (true, true) => "use another route, or create a Service of type NodePort that selects the pod",
                (true, false) => "specify one: `via: { node-port: NAME }`",
                (false, true) => "use `via: pod`",
                (false, false) => "specify one: `via: { service: NAME }`",
            },
        }),
    }
}

/// Whether a Service chooses its pods by labels that this one has not. One without a selector may lead anywhere.
fn leads_elsewhere(service: &Service, pod: &Pod) -> bool {
    let has_selector = service.spec.as_ref().and_then(|spec| spec.selector.as_ref()).is_some_and(|of| !of.is_empty());
    has_selector && !service_selects_pod(service, pod)
}

fn has_address(service: &Service) -> bool {
    let address = service.spec.as_ref().and_then(|spec| spec.cluster_ip.as_deref()).unwrap_or_default();
    address.parse::<IpAddr>().is_ok()
}

/// Whether the Service selects the pod by its labels.
fn service_selects_pod(service: &Service, pod: &Pod) -> bool {
    let none = BTreeMap::new();
    let selector = service.spec.as_ref().and_then(|spec| spec.selector.as_ref()).unwrap_or(&none);
    !selector.is_empty() && selector.iter().all(|(name, value)| pod.labels().get(name) == Some(value))
}

/// The port of the Service that leads to PostgreSQL's port of the pod.
fn port_to<'s>(pod: &Pod, service: &'s Service) -> Option<&'s ServicePort> {
    let (number, name) = pods::postgres_port(pod);
    let ports = service.spec.as_ref()?.ports.as_deref()?;
    ports.iter().find(|port| match &port.target_port {
        Some(IntOrString::Int(target)) => *target == i32::from(number),
        Some(IntOrString::String(target)) => Some(target.as_str()) == name,
        None => port.port == i32::from(number),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pod() -> Pod {
        serde_json::from_str(include_str!("../tests/objects/pod.json")).expect("a pod")
    }

    fn services() -> Vec<Service> {
        let list: serde_json::Value =
            serde_json::from_str(include_str!("../tests/objects/services.json")).expect("a list");
        serde_json::from_value(list["items"].clone()).expect("services")
    }

    fn service(name: &str) -> Service {
        services().into_iter().find(|service| service.name_any() == name).expect("a service of that name")
    }

    #[test]
    fn a_cluster_of_cloudnativepg_has_these_ways() {
        let pod = pod();
        let at_pod = at_pod(&pod).expect("a way");
        assert_eq!((at_pod.port, at_pod.address.to_string().starts_with("10.244.")), (5432, true));
        let at_service = at_service(&pod, &service("pg-rw")).expect("a way");
        assert_eq!((at_service.port, at_service.address.to_string().starts_with("10.96.")), (5432, true));
        assert_eq!(at_service.hops, ["Service pg-rw", "pod network"]);
        let services = services();
        let on_node = leading_to(&pod, &services, true).expect("a way");
        let at_node = at_node(&pod, on_node).expect("a way");
        assert_eq!((at_node.port, at_node.address.to_string().starts_with("192.168.77.")), (30432, true));
    }

    #[test]
    fn the_network_of_the_node_leads_to_a_pod_that_shares_it_and_to_no_other() {
        let mut pod = pod();
        assert_eq!(at_host(&pod).expect_err("its own").to_string(), "no node network leads to the pod pg-1");
        pod.spec.as_mut().expect("a spec").host_network = Some(true);
        let at_host = at_host(&pod).expect("a way");
        assert_eq!((at_host.port, at_host.address.to_string().starts_with("192.168.77.")), (5432, true));
        assert_eq!(at_host.hops, ["node network"]);
    }

    #[test]
    fn of_several_services_one_has_to_be_named() {
        let services = services();
        let error = leading_to(&pod(), &services, false).expect_err("several select the primary");
        assert_eq!(error.to_string(), "no unique Service leads to the pod pg-1");
        assert!(error.detail().is_some_and(|detail| detail.contains("pg-rw")), "{error:?}");
        let error = leading_to(&pod(), &[], true).expect_err("there is none");
        assert_eq!(error.to_string(), "no node port leads to the pod pg-1");
    }

    #[test]
    fn a_service_that_chooses_other_pods_is_no_way_to_this_one() {
        let mut of_replicas = service("pg-rw");
        let spec = of_replicas.spec.as_mut().expect("a spec");
        let role = ("cnpg.io/instanceRole".to_owned(), "replica".to_owned());
        spec.selector = Some(BTreeMap::from([("cnpg.io/cluster".to_owned(), "pg".to_owned()), role]));
        let error = at_service(&pod(), &of_replicas).expect_err("it leads to replicas");
        assert_eq!(error.detail().as_deref(), Some("pg-rw: its selector does not select the pod"));
        assert!(at_node(&pod(), &of_replicas).is_err());
        // Who made it leads it by hand: where to is asked of the server that answers.
        of_replicas.spec.as_mut().expect("a spec").selector = None;
        assert!(at_service(&pod(), &of_replicas).is_ok());
    }

    #[test]
    fn a_service_without_an_address_or_without_a_port_on_nodes_is_no_such_way() {
        let mut headless = service("pg-rw");
        headless.spec.as_mut().expect("a spec").cluster_ip = Some("None".to_owned());
        let error = at_service(&pod(), &headless).expect_err("headless");
        assert_eq!(error.detail().as_deref(), Some("pg-rw: it has no cluster IP"));
        assert!(at_node(&pod(), &service("pg-rw")).is_err());
    }
}
