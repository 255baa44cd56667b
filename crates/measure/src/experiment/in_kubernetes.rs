//! Targets in Kubernetes as a plan has them, in the words of the crates that find and reach them.

use cluster::{CaObject, Disruption, LoginSecret, ServiceWay, Sought, Which};
use plan::{
    CaFrom, ClusterVia, DRAWN, Happening, InKubernetes, Kubernetes, Made, MadeObjects, ObjectName, OfTarget, Plan,
    Reach, SERVER, ServerPlace, Target,
};
use server::{KubernetesSpec, MakeSpec};

use super::events::{Doer, doer_of_event};
use crate::agent::carrier_of_agent;
use crate::disk::Volume;

/// How the server of a target is found and reached. One that is another target's is found as that one's is.
pub fn spec_of_target(plan: &Plan, target: &Target, kubernetes: &Kubernetes) -> KubernetesSpec {
    let (target_of_server, owner) = owner_of_server(plan, target, kubernetes);
    let objects = plan.objects_of_target(target_of_server);
    KubernetesSpec {
        context: owner.context.clone(),
        namespace: owner.namespace.as_ref().map(|name| name.0.clone()),
        is_new: objects.is_some(),
        sought: sought_server(owner, objects.as_ref()),
        way: way_to_server(&kubernetes.via, objects.as_ref()),
        tls: kubernetes.tls,
        may_change: kubernetes.may_change,
        database: owner.database.as_ref().map(|name| name.0.clone()),
        disruptions: plan.events.iter().filter_map(|event| disruption_of_event(&event.what, target)).collect(),
        agent: target.agent.as_ref().map(carrier_of_agent),
        make: objects.filter(|_| target_of_server.name == target.name).and_then(|objects| make_spec(owner, objects)),
    }
}

/// What an event of the plan is to a cluster of CloudNativePG.
fn disruption_of_event(what: &Happening, target: &Target) -> Option<Disruption> {
    match doer_of_event(what, &target.reach) {
        Doer::Cluster(disruption) => Some(disruption),
        Doer::Supervisor(_)
        | Doer::Signal
        | Doer::Freeze(_)
        | Doer::FreezeDisk(_)
        | Doer::Session
        | Doer::Shell(_)
        | Doer::Agent(_) => None,
    }
}

/// The volume on which the storage of a target is measured, if its server is in Kubernetes and its own.
pub fn volume_of_target(plan: &Plan, target: &Target, place: &ServerPlace) -> Option<Volume> {
    let Reach::Kubernetes(kubernetes) = &target.reach else { return None };
    let objects = plan.volume_objects(target, place)?;
    let namespace = kubernetes.namespace.as_ref().map(|name| name.0.clone());
    Some(Volume { context: kubernetes.context.clone(), namespace, objects })
}

/// The target whose server it is, itself or another one.
fn owner_of_server<'p>(plan: &'p Plan, target: &'p Target, kubernetes: &'p Kubernetes) -> (&'p Target, &'p Kubernetes) {
    let owner = match kubernetes.server {
        InKubernetes::ServerOf(OfTarget(ref owner)) => plan.target_by_name(owner),
        InKubernetes::Cluster(_) | InKubernetes::Pods(_) | InKubernetes::Create(_) => None,
    };
    match owner.map(|owner| (owner, &owner.reach)) {
        Some((owner, Reach::Kubernetes(kubernetes))) => (owner, kubernetes),
        Some((_, Reach::Url(_) | Reach::Local(_) | Reach::Shared(_))) | None => (target, kubernetes),
    }
}

/// What is made of a server before it is looked for.
fn make_spec(owner: &Kubernetes, objects: MadeObjects) -> Option<Box<MakeSpec>> {
    let server = owner.server_to_make()?.server_options();
    Some(Box::new(MakeSpec {
        label: (SERVER.to_owned(), objects.name),
        manifests: objects.manifests.into_iter().map(|manifest| manifest.object).collect(),
        drawn: DRAWN,
        keep: server.keep,
        ready_within: server.ready_within,
        storage_class: server.storage_class.as_ref().map(|class| class.0.clone()),
        node_selector: server.node_selector.clone(),
    }))
}

fn sought_server(owner: &Kubernetes, objects: Option<&MadeObjects>) -> Sought {
    let name = objects.map_or("", |objects| &objects.name);
    let which = match &owner.server {
        InKubernetes::Create(made) => match &**made {
            Made::Cnpg(_) => Which::Cluster(name.to_owned()),
            Made::Pod(_) | Made::StatefulSet(_) => Which::Pods(format!("{SERVER}={name}")),
        },
        InKubernetes::Cluster(ObjectName(name)) => Which::Cluster(name.clone()),
        InKubernetes::Pods(labels) => Which::Pods(labels.0.clone()),
        InKubernetes::ServerOf(_) => unreachable!("parse refuses the server of a target that has none of its own"),
    };
    let secret = match (owner.server_to_make(), &owner.secret) {
        // What is kept may be of an earlier run; its name follows from its keys.
        (Some(made), _) if made.server_options().keep => LoginSecret::Named(format!("{name}-app")),
        (Some(_), _) => LoginSecret::Made(format!("{name}-app")),
        (None, Some(ObjectName(secret))) => LoginSecret::Named(secret.clone()),
        (None, None) => LoginSecret::OfApplication,
    };
    let ca = owner.ca.as_ref().map(|from| match from {
        CaFrom::ConfigMap(ObjectName(name)) => CaObject::ConfigMap(name.clone()),
        CaFrom::Secret(ObjectName(name)) => CaObject::Secret(name.clone()),
    });
    Sought { which, secret, ca }
}

fn way_to_server(via: &ClusterVia, objects: Option<&MadeObjects>) -> ServiceWay {
    let text = |name: &Option<ObjectName>| name.as_ref().map(|name| name.0.clone());
    match via {
        ClusterVia::Pod => ServiceWay::Pod,
        ClusterVia::Service(name) => ServiceWay::Service(text(name)),
        ClusterVia::NodePort(name) => ServiceWay::NodePort(text(name)),
        ClusterVia::HostNetwork => ServiceWay::HostNetwork,
        ClusterVia::Socket => ServiceWay::Socket,
        ClusterVia::Pooler(Some(ObjectName(name))) => ServiceWay::Pooler(name.clone()),
        ClusterVia::Pooler(None) => {
            let objects = objects.expect("parse refuses a Pooler without a name unless one is made");
            ServiceWay::Pooler(format!("{}-pooler", objects.name))
        }
    }
}
