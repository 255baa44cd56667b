//! Targets in Kubernetes as a plan has them, in the words of the crates that find and reach them.

use cluster::{Way, Which};
use plan::{ClusterVia, InKubernetes, Kubernetes, ObjectName, OfTarget, Plan, Reach, Target};
use server::KubernetesSpec;

use super::fleet::carrier;

/// How the server of a target is found and reached. One that is another target's is found as that one's is.
pub fn spec(plan: &Plan, target: &Target, kubernetes: &Kubernetes) -> KubernetesSpec {
    let owner = match kubernetes.server {
        InKubernetes::ServerOf(OfTarget(ref owner)) => plan.target(owner),
        InKubernetes::Cluster(_) | InKubernetes::Pods(_) => None,
    };
    let owner = match owner.map(|owner| &owner.reach) {
        Some(Reach::Kubernetes(owner)) => owner,
        Some(Reach::Url(_) | Reach::Local(_) | Reach::Shared(_)) | None => kubernetes,
    };
    KubernetesSpec {
        context: owner.context.clone(),
        namespace: owner.namespace.as_ref().map(|name| name.0.clone()),
        which: which(owner),
        way: way(&kubernetes.via),
        tls: kubernetes.tls,
        database: owner.database.as_ref().map(|name| name.0.clone()),
        agent: target.agent.as_ref().map(carrier),
        make: None,
    }
}

fn which(owner: &Kubernetes) -> Which {
    let secret = owner.secret.as_ref().map(|name| name.0.clone());
    match &owner.server {
        InKubernetes::Cluster(ObjectName(name)) => Which::Cluster { name: name.clone(), secret },
        InKubernetes::Pods(labels) => {
            Which::Pods { labels: labels.0.clone(), secret: secret.expect("parse refuses pods without a secret") }
        }
        InKubernetes::ServerOf(_) => unreachable!("parse refuses the server of a target that has none of its own"),
    }
}

fn way(via: &ClusterVia) -> Way {
    let text = |name: &Option<ObjectName>| name.as_ref().map(|name| name.0.clone());
    match via {
        ClusterVia::Pod => Way::Pod,
        ClusterVia::Service(name) => Way::Service(text(name)),
        ClusterVia::NodePort(name) => Way::NodePort(text(name)),
        ClusterVia::Pooler(ObjectName(name)) => Way::Pooler(name.clone()),
    }
}
