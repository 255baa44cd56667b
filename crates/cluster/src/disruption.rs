//! What a cluster of CloudNativePG can be made to go through by a word of the API: asked for as people ask for it, and
//! followed until the cluster is healthy again.
//!
//! Every step is dated when the API server tells of it, by the monotonic clock of this process: the clocks of nodes do
//! not come into it.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::time::Instant;

use jiff::Timestamp;
use k8s_openapi::api::core::v1::Pod;
use k8s_openapi::api::discovery::v1::EndpointSlice;
use kube::ResourceExt as _;
use kube::api::{DeleteParams, Patch, PatchParams, Preconditions};
use kube::core::DynamicObject;
use results::trial::{FailoverStep, SessionsOf, SmartShutdown};
use serde_json::{Value, json};
use tokio::sync::{Notify, mpsc};

use crate::api::{Api, ObjectKind};
use crate::cnpg::{self, CLUSTER, CnpgCluster};
use crate::error::ClusterError;
use crate::make::FIELD_MANAGER;
use crate::pods::{self, POD};
use crate::service::{self, Endpoint};
use crate::settings::Update;
use crate::steps::{FailoverSteps, RESTARTED_AT, SeenObject};
use crate::watch::ObjectVersion;

const SLICE: ObjectKind = ObjectKind { word: "EndpointSlice", plural: "endpointslices.discovery.k8s.io" };

/// `primaryUpdateStrategy` of a cluster whose primary a person restarts.
const SUPERVISED: &str = "supervised";

/// Kills the server's first process, in its container.
const KILL_POSTMASTER: &str = "kill -9 \"$(head -n 1 \"$PGDATA/postmaster.pid\")\"";

/// What a cluster of CloudNativePG is made to go through.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Disruption {
    /// A replica becomes the primary, as by `kubectl cnpg promote`.
    Switchover,
    /// The pod of the primary is deleted, as by `kubectl delete pod`.
    DeletePrimary,
    /// The same without waiting for its end, as by `kubectl delete pod --force --grace-period 0`.
    DeletePrimaryForcibly,
    /// The server of the primary is restarted in its pod, as by `kubectl cnpg restart CLUSTER INSTANCE`.
    RestartInPlace,
    /// All servers are restarted, one after the other, as by `kubectl cnpg restart CLUSTER`.
    RollingRestart,
    /// The first process of the primary's server is killed in its container.
    KillPostmaster,
    /// The node of the primary is kept from new pods, and the cluster's pods there are evicted.
    DrainNode,
    /// The node of the primary is taken away by a command, and brought back by another one.
    StopNode(NodeCommands),
    /// The `Cluster` is updated, upon which all servers are restarted, one after the other; or what the last one
    /// changed is put back.
    RollingUpdate(Update),
}

/// Commands of a shell by which a node is taken away and brought back, which Kubernetes cannot do itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeCommands {
    /// Takes it away.
    pub stop: String,
    /// Brings it back.
    pub start: String,
}

/// Something that is done once, on request.
pub type Act<'a> = Pin<Box<dyn Future<Output = Result<(), String>> + Send + 'a>>;

/// What whoever has a cluster disrupted does himself, since it has to be undone also where this process ends before.
pub struct Hands<'a> {
    /// By which name this process keeps a node from new pods.
    pub by: &'a str,
    /// The node of the primary, where the disruption is of the node.
    pub node: Option<String>,
    /// Takes the node away.
    pub take_away: Act<'a>,
    /// Gives the node back: uncordoned, or brought back.
    pub give_back: Act<'a>,
}

/// What was seen of a disruption so far.
#[derive(Debug, Default)]
pub struct FollowedDisruption {
    /// When it was asked for, by the clock of this process and by that of the machine; none while it is prepared.
    pub asked: Option<(Instant, Timestamp)>,
    /// The steps, each with the pod that it is about.
    pub steps: Vec<(FailoverStep, Option<String>, Instant)>,
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

/// What the server of a primary says of itself before it is disrupted.
#[derive(Debug, Default)]
pub struct Before {
    /// Its sessions, as far as they may be seen.
    pub sessions: Option<Vec<SessionsOf>>,
    /// What it works with of the settings that are updated.
    pub shown: BTreeMap<String, String>,
}

impl Disruption {
    /// Whether the primary is first asked to wait for its sessions to end (`smartShutdownTimeout`).
    #[must_use]
    pub fn waits_for_sessions(&self) -> bool {
        match self {
            Self::DeletePrimary | Self::RestartInPlace | Self::RollingRestart | Self::RollingUpdate(_) => true,
            // Fast at once: `reconcileOldPrimary` of the operator. A node that is drained has its primary switched
            // first.
            Self::Switchover
            | Self::DeletePrimaryForcibly
            | Self::KillPostmaster
            | Self::DrainNode
            | Self::StopNode(_) => false,
        }
    }

    /// Whether another pod may be the primary afterwards.
    #[must_use]
    pub fn changes_primary(&self) -> bool {
        match self {
            Self::Switchover
            | Self::DeletePrimary
            | Self::DeletePrimaryForcibly
            | Self::RollingRestart
            | Self::KillPostmaster
            | Self::DrainNode
            | Self::StopNode(_)
            | Self::RollingUpdate(_) => true,
            Self::RestartInPlace => false,
        }
    }

    /// Whether it needs a replica that takes the primary's place.
    #[must_use]
    pub fn needs_replica(&self) -> bool {
        match self {
            Self::Switchover | Self::DrainNode | Self::StopNode(_) => true,
            Self::DeletePrimary
            | Self::DeletePrimaryForcibly
            | Self::RestartInPlace
            | Self::RollingRestart
            | Self::KillPostmaster
            | Self::RollingUpdate(_) => false,
        }
    }

    /// Whether something is to be given back before the cluster can be healthy again: the node of the old primary.
    #[must_use]
    pub fn is_of_node(&self) -> bool {
        match self {
            Self::DrainNode | Self::StopNode(_) => true,
            Self::Switchover
            | Self::DeletePrimary
            | Self::DeletePrimaryForcibly
            | Self::RestartInPlace
            | Self::RollingRestart
            | Self::KillPostmaster
            | Self::RollingUpdate(_) => false,
        }
    }
}

/// What the watches tell.
enum WatchMessage {
    /// One of them has begun.
    Begun,
    Cluster(Box<CnpgCluster>),
    Pod(Box<Pod>),
    PodGone(Box<Pod>),
    Service(Box<EndpointSlice>),
    /// What was taken is given back.
    GivenBack,
}

impl WatchMessage {
    fn as_seen(&self) -> Option<SeenObject<'_>> {
        Some(match self {
            Self::Begun => return None,
            Self::Cluster(cluster) => SeenObject::Cluster(cluster),
            Self::Pod(pod) => SeenObject::Pod(pod),
            Self::PodGone(pod) => SeenObject::PodGone(pod),
            Self::Service(slice) => SeenObject::Service(slice),
            Self::GivenBack => SeenObject::GivenBack,
        })
    }
}

/// How many watches there are.
const WATCHES: usize = 3;

/// What is asked of the API server.
enum DisruptionRequest {
    /// Fields of the status of the cluster.
    Status(Value),
    /// The end of the primary's pod.
    Delete(DeleteParams),
    /// An annotation of the cluster.
    Annotation(String),
    /// The end of the server's first process.
    Kill,
    /// No new pods for the primary's node.
    Cordon,
    /// The end of the primary's node.
    TakeAway,
    /// Fields of the cluster, or what they were.
    Update(Update),
}

impl Api {
    /// What is to be known of a cluster before it goes through any of this.
    ///
    /// # Errors
    /// It is not healthy, has no replica to switch to, waits for a person to update its primary, or cannot be read.
    pub async fn disruption_patience(&self, name: &str, what: &[Disruption]) -> Result<Patience, ClusterError> {
        let cluster = self.get_cnpg_cluster(name).await?;
        cluster.primary_pod_name(name)?;
        if cluster.spec.primary_update_strategy == SUPERVISED
            && what.iter().any(|one| matches!(one, Disruption::RollingRestart | Disruption::RollingUpdate(_)))
        {
            return Err(ClusterError::Supervised { cluster: name.to_owned() });
        }
        if cluster.spec.instances < 2 && what.iter().any(Disruption::needs_replica) {
            return Err(ClusterError::NoReplica { cluster: name.to_owned() });
        }
        Ok(Patience { instances: cluster.spec.instances, smart_shutdown_s: cluster.smart_shutdown_s() })
    }

    /// The node that the primary of a cluster is on.
    ///
    /// # Errors
    /// It is not healthy, or its pod may not be seen.
    pub async fn node_of_primary(&self, name: &str) -> Result<String, ClusterError> {
        let cluster = self.get_cnpg_cluster(name).await?;
        let primary: Pod = self.get_object(POD, cluster.primary_pod_name(name)?).await?;
        let node = primary.spec.and_then(|spec| spec.node_name);
        node.ok_or_else(|| ClusterError::Unhealthy { cluster: name.to_owned(), said: "its pod has no node".to_owned() })
    }

    /// Has a cluster go through this, and follows it until it is healthy again. What was seen stands in `followed`,
    /// also when this is dropped.
    ///
    /// # Errors
    /// It is not healthy now, there is nobody to switch to, a right is missing, or it cannot be read any more.
    pub async fn disrupt_cluster(
        &self,
        name: &str,
        what: &Disruption,
        Before { sessions, shown }: Before,
        hands: Hands<'_>,
        followed: &mut FollowedDisruption,
    ) -> Result<(), ClusterError> {
        let (sender, mut told) = mpsc::unbounded_channel();
        let tell = |one: WatchMessage| drop(sender.send((Instant::now(), one)));
        let Hands { by, node, take_away, give_back } = hands;
        let promoted = Notify::new();
        let doing = async {
            let pods = until_all_watch(&mut told).await;
            let (cluster, primary, request) = self.prepare_disruption_request(name, what, node.as_deref()).await?;
            let timeout_s = cluster.smart_shutdown_s();
            let waits_s = Some(timeout_s).filter(|_| what.waits_for_sessions());
            followed.smart_shutdown = waits_s.map(|timeout_s| SmartShutdown { timeout_s, sessions });
            let mut steps = FailoverSteps::before_request(name, &primary, waits_s).with_pods(&pods);
            if let DisruptionRequest::Annotation(restarted_at) = &request {
                steps.await_restart(restarted_at);
            }
            if what.is_of_node() {
                steps.await_giving_back();
            }
            followed.asked = Some((Instant::now(), Timestamp::now()));
            self.send_disruption_request(name, &primary, request, (by, &shown), take_away).await?;
            followed.steps.push((FailoverStep::Accepted, None, Instant::now()));
            let following = async {
                while !followed.is_over() {
                    let Some((at, one)) = told.recv().await else { break };
                    let new = one.as_seen().map(|seen| steps.observe_change(&seen)).unwrap_or_default();
                    followed.steps.extend(new.into_iter().map(|(step, pod)| (step, pod, at)));
                    followed.said = steps.last_unhealthy_phase();
                    if followed.has_step(FailoverStep::Promoted) {
                        promoted.notify_one();
                    }
                }
                Ok(())
            };
            let giving_back = async {
                match (what, &node) {
                    (Disruption::DrainNode, Some(node)) => self.evict_all(name, node).await?,
                    (Disruption::StopNode(_), _) => promoted.notified().await,
                    _ => return Ok(()),
                }
                let of_node = || format!("the node {}", node.as_deref().unwrap_or_default());
                give_back.await.map_err(|said| ClusterError::Failed { verb: "restore", what: of_node(), said })?;
                tell(WatchMessage::GivenBack);
                Ok(())
            };
            tokio::try_join!(following, giving_back).map(drop)
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
        let pods: Vec<Pod> = self.list_objects(POD, &cnpg::of_cluster(name)).await?;
        pods.iter().filter(|pod| pod.name_any() != primary).map(service::at_pod).collect()
    }

    /// Tells of everything that a cluster's primary shows in; ends only if that may not be seen.
    async fn watch_all(&self, name: &str, tell: &(dyn Fn(WatchMessage) + Sync)) -> ClusterError {
        let namespace = self.namespace_name();
        let clusters = kube::Api::<DynamicObject>::namespaced_with(
            self.client.clone(),
            namespace,
            &cnpg::api_resource_of_kind(CLUSTER),
        );
        let pods = kube::Api::<Pod>::namespaced(self.client.clone(), namespace);
        let slices = kube::Api::<EndpointSlice>::namespaced(self.client.clone(), namespace);
        let named = format!("metadata.name={name}");
        let instances = cnpg::of_cluster(name);
        let of_service = format!("kubernetes.io/service-name={name}-rw");
        let tell_cluster = |told: ObjectVersion<DynamicObject>| {
            tell_each(
                told,
                tell,
                |object| cnpg::deserialize_object(&object, CLUSTER).ok().map(Box::new).map(WatchMessage::Cluster),
                |_| None,
            );
        };
        let tell_pod = |told: ObjectVersion<Pod>| {
            tell_each(told, tell, |pod| Some(WatchMessage::Pod(pod)), |pod| Some(WatchMessage::PodGone(pod)));
        };
        let services = async {
            // Without the right less is told.
            self.watch_objects(&slices, SLICE, (&of_service, ""), &|told: ObjectVersion<EndpointSlice>| {
                tell_each(told, tell, |slice| Some(WatchMessage::Service(slice)), |_| None);
            })
            .await;
            tell(WatchMessage::Begun);
            std::future::pending().await
        };
        tokio::select! {
            error = self.watch_objects(&clusters, CLUSTER, ("", &named), &tell_cluster) => error,
            error = self.watch_objects(&pods, POD, (&instances, ""), &tell_pod) => error,
            error = services => error,
        }
    }

    pub(crate) async fn get_cnpg_cluster(&self, name: &str) -> Result<CnpgCluster, ClusterError> {
        cnpg::deserialize_object(&self.get_custom(&cnpg::api_resource_of_kind(CLUSTER), CLUSTER, name).await?, CLUSTER)
    }

    /// A cluster that is healthy, the pod of its primary, and what is to be asked to disrupt it so.
    async fn prepare_disruption_request(
        &self,
        name: &str,
        what: &Disruption,
        node: Option<&str>,
    ) -> Result<(CnpgCluster, Pod, DisruptionRequest), ClusterError> {
        let cluster = self.get_cnpg_cluster(name).await?;
        let primary: Pod = self.get_object(POD, cluster.primary_pod_name(name)?).await?;
        let is_on = primary.spec.as_ref().and_then(|spec| spec.node_name.as_deref());
        if what.is_of_node() && is_on != node {
            let said = "its primary has moved to another node".to_owned();
            return Err(ClusterError::Unhealthy { cluster: name.to_owned(), said });
        }
        let delete = || {
            // Another pod of that name is not the primary that was.
            let only = Preconditions { uid: primary.uid(), resource_version: None };
            DeleteParams::default().preconditions(only)
        };
        let request = match what {
            Disruption::Switchover => {
                let pods: Vec<Pod> = self.list_objects(POD, &cnpg::of_cluster(name)).await?;
                let replica = first_ready_replica(&pods, &primary.name_any());
                let replica = replica.ok_or_else(|| ClusterError::NoReplica { cluster: name.to_owned() })?;
                DisruptionRequest::Status(json!({
                    "targetPrimary": replica,
                    "targetPrimaryTimestamp": format!("{:.6}", Timestamp::now()),
                    "phase": "Switchover in progress",
                    "phaseReason": format!("Switching over to {replica}"),
                }))
            }
            Disruption::RestartInPlace => DisruptionRequest::Status(json!({
                "phase": "Primary instance is being restarted in-place",
                "phaseReason": "Requested by pgdyno",
            })),
            Disruption::RollingRestart => DisruptionRequest::Annotation(Timestamp::now().to_string()),
            Disruption::KillPostmaster => DisruptionRequest::Kill,
            Disruption::DrainNode => DisruptionRequest::Cordon,
            Disruption::StopNode(_) => DisruptionRequest::TakeAway,
            Disruption::RollingUpdate(update) => DisruptionRequest::Update(update.clone()),
            Disruption::DeletePrimary => DisruptionRequest::Delete(delete()),
            Disruption::DeletePrimaryForcibly => DisruptionRequest::Delete(delete().grace_period(0)),
        };
        Ok((cluster, primary, request))
    }

    async fn send_disruption_request(
        &self,
        name: &str,
        primary: &Pod,
        request: DisruptionRequest,
        (by, shown): (&str, &BTreeMap<String, String>),
        take_away: Act<'_>,
    ) -> Result<(), ClusterError> {
        const STATUS: ObjectKind = ObjectKind { word: "Cluster", plural: "clusters.postgresql.cnpg.io/status" };
        let clusters: kube::Api<DynamicObject> = kube::Api::namespaced_with(
            self.client.clone(),
            self.namespace_name(),
            &cnpg::api_resource_of_kind(CLUSTER),
        );
        let manager = PatchParams { field_manager: Some(FIELD_MANAGER.to_owned()), ..PatchParams::default() };
        let node = primary.spec.as_ref().and_then(|spec| spec.node_name.as_deref()).unwrap_or_default();
        match request {
            DisruptionRequest::Status(status) => {
                let patch = Patch::Merge(json!({ "status": status }));
                self.await_api_answer("patch", STATUS, clusters.patch_status(name, &manager, &patch)).await.map(drop)
            }
            DisruptionRequest::Annotation(restarted_at) => {
                let patch = Patch::Merge(json!({ "metadata": { "annotations": { RESTARTED_AT: restarted_at } } }));
                self.await_api_answer("patch", CLUSTER, clusters.patch(name, &manager, &patch)).await.map(drop)
            }
            DisruptionRequest::Kill => {
                let container = pods::postgres_container(primary).map_or("postgres", |container| &container.name);
                self.run_script(&primary.name_any(), container, KILL_POSTMASTER, &[]).await.map(drop)
            }
            DisruptionRequest::Cordon => self.cordon_node(node, by).await,
            DisruptionRequest::TakeAway => take_away.await.map_err(|said| ClusterError::Failed {
                verb: "stop",
                what: format!("the node {node}"),
                said,
            }),
            DisruptionRequest::Update(update) => self.update_or_put_back(name, &update, shown, by).await,
            DisruptionRequest::Delete(how) => {
                let pods: kube::Api<Pod> = kube::Api::namespaced(self.client.clone(), self.namespace_name());
                self.await_api_answer("delete", POD, pods.delete(&primary.name_any(), &how)).await.map(drop)
            }
        }
    }
}

impl FollowedDisruption {
    fn is_over(&self) -> bool {
        self.has_step(FailoverStep::Healthy)
    }

    fn has_step(&self, wanted: FailoverStep) -> bool {
        self.steps.iter().any(|(step, ..)| *step == wanted)
    }
}

/// Waits until every watch has begun; the pods that there are then.
async fn until_all_watch(told: &mut mpsc::UnboundedReceiver<(Instant, WatchMessage)>) -> Vec<Pod> {
    let (mut begun, mut pods) = (0, Vec::new());
    while begun < WATCHES {
        match told.recv().await {
            Some((_, WatchMessage::Begun)) => begun += 1,
            Some((_, WatchMessage::Pod(pod))) => pods.push(*pod),
            Some(_) => {}
            None => break,
        }
    }
    pods
}

/// The first replica that is ready.
fn first_ready_replica(pods: &[Pod], primary: &str) -> Option<String> {
    let others = pods.iter().filter(|pod| pod.name_any() != primary && pods::require_ready(pod).is_ok());
    others.map(kube::ResourceExt::name_any).min()
}

/// Tells of each of the objects that a watch tells of.
fn tell_each<K>(
    version: ObjectVersion<K>,
    tell: &(dyn Fn(WatchMessage) + Sync),
    is: impl Fn(Box<K>) -> Option<WatchMessage>,
    gone: impl Fn(Box<K>) -> Option<WatchMessage>,
) {
    let told: Vec<WatchMessage> = match version {
        ObjectVersion::All(all) => {
            all.into_iter().filter_map(|one| is(Box::new(one))).chain([WatchMessage::Begun]).collect()
        }
        ObjectVersion::Is(one) => is(one).into_iter().collect(),
        ObjectVersion::Gone(one) => gone(one).into_iter().collect(),
    };
    told.into_iter().for_each(tell);
}
