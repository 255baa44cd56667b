//! What a cluster of CloudNativePG can be made to go through by a word of the API: asked for as people ask for it, and
//! followed until the cluster is healthy again.
//!
//! Every step is dated when the API server tells of it, by the monotonic clock of this process: the clocks of nodes do
//! not come into it.

use std::time::Instant;

use jiff::Timestamp;
use k8s_openapi::api::core::v1::Pod;
use k8s_openapi::api::discovery::v1::EndpointSlice;
use kube::ResourceExt as _;
use kube::api::{DeleteParams, Patch, PatchParams, Preconditions};
use kube::core::DynamicObject;
use results::trial::{SessionsOf, SmartShutdown, Step};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::api::{Api, Kind};
use crate::cnpg::{self, CLUSTER, Cluster};
use crate::error::ClusterError;
use crate::make::FIELD_MANAGER;
use crate::pods::{self, POD};
use crate::service::{self, Endpoint};
use crate::steps::{Seen, Steps};
use crate::watch::Version;

const SLICE: Kind = Kind { word: "EndpointSlice", plural: "endpointslices.discovery.k8s.io" };

/// What a cluster of CloudNativePG is made to go through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disruption {
    /// A replica becomes the primary, as by `kubectl cnpg promote`.
    Switchover,
    /// The pod of the primary is deleted, as by `kubectl delete pod`.
    DeletePrimary,
    /// The same without waiting for its end, as by `kubectl delete pod --force --grace-period 0`.
    DeletePrimaryForcibly,
    /// The server of the primary is restarted in its pod, as by `kubectl cnpg restart`.
    RestartInPlace,
}

/// What was seen of a disruption so far.
#[derive(Debug, Default)]
pub struct Followed {
    /// When it was asked for, by the clock of this process and by that of the machine; none while it is prepared.
    pub asked: Option<(Instant, Timestamp)>,
    /// The steps, each with the pod that it is about.
    pub steps: Vec<(Step, Option<String>, Instant)>,
    /// What the primary waits for before it stops, if it was asked to wait.
    pub smart_shutdown: Option<SmartShutdown>,
    /// What the cluster said of itself last, unless it was healthy.
    pub said: Option<String>,
}

/// What is known of a cluster before it is disrupted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// How many servers it has.
    pub instances: u32,
    /// For how long a primary that is stopped in order waits for its sessions to end, in seconds.
    pub smart_shutdown_s: u32,
}

impl Disruption {
    /// Whether the primary is first asked to wait for its sessions to end (`smartShutdownTimeout`).
    #[must_use]
    pub fn waits_for_sessions(self) -> bool {
        match self {
            Self::DeletePrimary | Self::RestartInPlace => true,
            // Fast at once: `reconcileOldPrimary` of the operator.
            Self::Switchover | Self::DeletePrimaryForcibly => false,
        }
    }

    /// Whether another pod may be the primary afterwards.
    #[must_use]
    pub fn changes_primary(self) -> bool {
        match self {
            Self::Switchover | Self::DeletePrimary | Self::DeletePrimaryForcibly => true,
            Self::RestartInPlace => false,
        }
    }
}

/// What the watches tell.
enum Told {
    /// One of them has begun.
    Begun,
    Cluster(Box<Cluster>),
    Pod(Box<Pod>),
    PodGone(Box<Pod>),
    Service(Box<EndpointSlice>),
}

impl Told {
    fn as_seen(&self) -> Option<Seen<'_>> {
        Some(match self {
            Self::Begun => return None,
            Self::Cluster(cluster) => Seen::Cluster(cluster),
            Self::Pod(pod) => Seen::Pod(pod),
            Self::PodGone(pod) => Seen::PodGone(pod),
            Self::Service(slice) => Seen::Service(slice),
        })
    }
}

/// How many watches there are.
const WATCHES: usize = 3;

/// What is asked of the API server.
enum Request {
    /// Fields of the status of the cluster.
    Status(Value),
    /// The end of the primary's pod.
    Delete(DeleteParams),
}

impl Api {
    /// What is to be known of a cluster before it goes through any of this.
    ///
    /// # Errors
    /// It is not healthy, has no replica to switch to, or cannot be read.
    pub async fn patience(&self, name: &str, what: &[Disruption]) -> Result<Patience, ClusterError> {
        let cluster = self.cluster(name).await?;
        cluster.primary(name)?;
        if cluster.spec.instances < 2 && what.contains(&Disruption::Switchover) {
            return Err(ClusterError::NoReplica { cluster: name.to_owned() });
        }
        Ok(Patience { instances: cluster.spec.instances, smart_shutdown_s: cluster.smart_shutdown_s() })
    }

    /// Has a cluster go through this, and follows it until it is healthy again. What was seen stands in `followed`,
    /// also when this is dropped; `sessions` are those of the primary, as far as they may be seen.
    ///
    /// # Errors
    /// It is not healthy now, there is nobody to switch to, a right is missing, or it cannot be read any more.
    pub async fn disrupt(
        &self,
        name: &str,
        what: Disruption,
        sessions: Option<Vec<SessionsOf>>,
        followed: &mut Followed,
    ) -> Result<(), ClusterError> {
        let (sender, mut told) = mpsc::unbounded_channel();
        let tell = |one: Told| drop(sender.send((Instant::now(), one)));
        let doing = async {
            let mut begun = 0;
            while begun < WATCHES {
                begun += usize::from(matches!(told.recv().await, Some((_, Told::Begun))));
            }
            let (cluster, primary, request) = self.request(name, what).await?;
            let timeout_s = cluster.smart_shutdown_s();
            let waits_s = Some(timeout_s).filter(|_| what.waits_for_sessions());
            followed.smart_shutdown = waits_s.map(|timeout_s| SmartShutdown { timeout_s, sessions });
            let mut steps = Steps::before(name, &primary, waits_s);
            followed.asked = Some((Instant::now(), Timestamp::now()));
            self.ask(name, &primary, request).await?;
            followed.steps.push((Step::Accepted, None, Instant::now()));
            while !followed.is_over() {
                let Some((at, one)) = told.recv().await else { break };
                let new = one.as_seen().map(|seen| steps.see(&seen)).unwrap_or_default();
                followed.steps.extend(new.into_iter().map(|(step, pod)| (step, pod, at)));
                followed.said = steps.said();
            }
            Ok(())
        };
        tokio::select! {
            biased;
            done = doing => done,
            error = self.watch_all(name, &tell) => Err(error),
        }
    }

    /// Where the other instances of a cluster are, any of which may be its primary next.
    ///
    /// # Errors
    /// They may not be seen, or one has no address.
    pub async fn other_instances(&self, name: &str, primary: &str) -> Result<Vec<Endpoint>, ClusterError> {
        let pods: Vec<Pod> = self.list(POD, &of_cluster(name)).await?;
        pods.iter().filter(|pod| pod.name_any() != primary).map(service::at_pod).collect()
    }

    /// Tells of everything that a cluster's primary shows in; ends only if that may not be seen.
    async fn watch_all(&self, name: &str, tell: &(dyn Fn(Told) + Sync)) -> ClusterError {
        let namespace = self.namespace();
        let clusters =
            kube::Api::<DynamicObject>::namespaced_with(self.client.clone(), namespace, &cnpg::resource(CLUSTER));
        let pods = kube::Api::<Pod>::namespaced(self.client.clone(), namespace);
        let slices = kube::Api::<EndpointSlice>::namespaced(self.client.clone(), namespace);
        let named = format!("metadata.name={name}");
        let instances = of_cluster(name);
        let of_service = format!("kubernetes.io/service-name={name}-rw");
        let tell_cluster = |told: Version<DynamicObject>| {
            tell_each(
                told,
                tell,
                |object| cnpg::read(&object, CLUSTER).ok().map(Box::new).map(Told::Cluster),
                |_| None,
            );
        };
        let tell_pod =
            |told: Version<Pod>| tell_each(told, tell, |pod| Some(Told::Pod(pod)), |pod| Some(Told::PodGone(pod)));
        let tell_service =
            |told: Version<EndpointSlice>| tell_each(told, tell, |slice| Some(Told::Service(slice)), |_| None);
        let services = async {
            // Without the right less is told.
            self.watch(&slices, SLICE, (&of_service, ""), &tell_service).await;
            tell(Told::Begun);
            std::future::pending().await
        };
        tokio::select! {
            error = self.watch(&clusters, CLUSTER, ("", &named), &tell_cluster) => error,
            error = self.watch(&pods, POD, (&instances, ""), &tell_pod) => error,
            error = services => error,
        }
    }

    async fn cluster(&self, name: &str) -> Result<Cluster, ClusterError> {
        cnpg::read(&self.get_custom(&cnpg::resource(CLUSTER), CLUSTER, name).await?, CLUSTER)
    }

    /// A cluster that is healthy, the pod of its primary, and what is to be asked to disrupt it so.
    async fn request(&self, name: &str, what: Disruption) -> Result<(Cluster, Pod, Request), ClusterError> {
        let cluster = self.cluster(name).await?;
        let primary: Pod = self.get(POD, cluster.primary(name)?).await?;
        let delete = || {
            // Another pod of that name is not the primary that was.
            let only = Preconditions { uid: primary.uid(), resource_version: None };
            DeleteParams::default().preconditions(only)
        };
        let request = match what {
            Disruption::Switchover => {
                let pods: Vec<Pod> = self.list(POD, &of_cluster(name)).await?;
                let replica = replica(&pods, &primary.name_any());
                let replica = replica.ok_or_else(|| ClusterError::NoReplica { cluster: name.to_owned() })?;
                Request::Status(json!({
                    "targetPrimary": replica,
                    "targetPrimaryTimestamp": format!("{:.6}", Timestamp::now()),
                    "phase": "Switchover in progress",
                    "phaseReason": format!("Switching over to {replica}"),
                }))
            }
            Disruption::RestartInPlace => Request::Status(json!({
                "phase": "Primary instance is being restarted in-place",
                "phaseReason": "Requested by pgdyno",
            })),
            Disruption::DeletePrimary => Request::Delete(delete()),
            Disruption::DeletePrimaryForcibly => Request::Delete(delete().grace_period(0)),
        };
        Ok((cluster, primary, request))
    }

    async fn ask(&self, name: &str, primary: &Pod, request: Request) -> Result<(), ClusterError> {
        const STATUS: Kind = Kind { word: "Cluster", plural: "clusters.postgresql.cnpg.io/status" };
        match request {
            Request::Status(status) => {
                let resource = cnpg::resource(CLUSTER);
                let clusters: kube::Api<DynamicObject> =
                    kube::Api::namespaced_with(self.client.clone(), self.namespace(), &resource);
                let by = PatchParams { field_manager: Some(FIELD_MANAGER.to_owned()), ..PatchParams::default() };
                let patch = Patch::Merge(json!({ "status": status }));
                self.asked("patch", STATUS, clusters.patch_status(name, &by, &patch)).await.map(drop)
            }
            Request::Delete(how) => {
                let pods: kube::Api<Pod> = kube::Api::namespaced(self.client.clone(), self.namespace());
                self.asked("delete", POD, pods.delete(&primary.name_any(), &how)).await.map(drop)
            }
        }
    }
}

impl Followed {
    fn is_over(&self) -> bool {
        self.steps.iter().any(|(step, ..)| *step == Step::Healthy)
    }
}

/// The label of the instances of a cluster.
fn of_cluster(name: &str) -> String {
    format!("cnpg.io/cluster={name}")
}

/// The first replica that is ready.
fn replica(pods: &[Pod], primary: &str) -> Option<String> {
    let others = pods.iter().filter(|pod| pod.name_any() != primary && pods::require_ready(pod).is_ok());
    others.map(kube::ResourceExt::name_any).min()
}

/// Tells of each of the objects that a watch tells of.
fn tell_each<K>(
    version: Version<K>,
    tell: &(dyn Fn(Told) + Sync),
    is: impl Fn(Box<K>) -> Option<Told>,
    gone: impl Fn(Box<K>) -> Option<Told>,
) {
    let told: Vec<Told> = match version {
        Version::All(all) => all.into_iter().filter_map(|one| is(Box::new(one))).chain([Told::Begun]).collect(),
        Version::Is(one) => is(one).into_iter().collect(),
        Version::Gone(one) => gone(one).into_iter().collect(),
    };
    told.into_iter().for_each(tell);
}
