//! What a cluster of CloudNativePG goes through when its primary is lost, changed or restarted: the steps that its
//! objects tell of, each once, from one version of an object after another.

use std::collections::BTreeMap;

use k8s_openapi::api::core::v1::Pod;
use k8s_openapi::api::discovery::v1::EndpointSlice;
use kube::ResourceExt as _;
use results::trial::FailoverStep;

use crate::cnpg::CnpgCluster;
use crate::pods;

/// The annotation by which the servers of a cluster are asked to restart, and say that they were.
pub(crate) const RESTARTED_AT: &str = "kubectl.kubernetes.io/restartedAt";

/// The label by which the operator says what an instance is.
const ROLE: &str = "cnpg.io/instanceRole";

/// What the operator writes in place of a primary that it has not chosen yet.
const PENDING: &str = "pending";

/// A version of an object.
pub(crate) enum SeenObject<'s> {
    Cluster(&'s CnpgCluster),
    Pod(&'s Pod),
    /// A pod that is gone.
    PodGone(&'s Pod),
    Service(&'s EndpointSlice),
    /// What was taken of the cluster's surroundings is given back.
    GivenBack,
}

/// What was seen so far, from the request on.
#[derive(Debug)]
pub(crate) struct FailoverSteps {
    cluster: String,
    /// The pod of the primary at the request, and its unique name: one that is made again is another one.
    primary: (String, String),
    /// How often its container had been started again by then.
    restarts: i32,
    /// For how long the primary waits for its sessions before it stops, in seconds; none if it does not.
    waits_s: Option<u32>,
    /// The pods that the -rw Service leads to, by slice.
    leads_to: BTreeMap<String, Vec<String>>,
    /// Whether each instance is ready, and has been restarted where it is to be.
    ready: BTreeMap<String, bool>,
    /// What every instance says that was restarted; none where that is not waited for.
    restarted_at: Option<String>,
    /// Whether the node of the old primary is yet to be given back.
    awaits_giving_back: bool,
    seen: Vec<FailoverStep>,
    /// Whether the cluster was seen to be anything but healthy.
    has_begun: bool,
    /// The primary and how many instances there are to be, while the cluster says that it is healthy.
    healthy: Option<(String, usize)>,
    /// What the cluster says of itself.
    said: Option<String>,
}

impl FailoverSteps {
    /// Of a cluster as it is before the request.
    pub(crate) fn before_request(cluster: &str, primary: &Pod, waits_s: Option<u32>) -> Self {
        Self {
            cluster: cluster.to_owned(),
            primary: (primary.name_any(), primary.uid().unwrap_or_default()),
            restarts: pods::container_restart_count(primary),
            waits_s,
            leads_to: BTreeMap::new(),
            ready: BTreeMap::new(),
            restarted_at: None,
            awaits_giving_back: false,
            seen: Vec::new(),
            has_begun: false,
            healthy: None,
            said: None,
        }
    }

    /// Knowing its pods as they are before the request.
    pub(crate) fn with_pods(mut self, pods: &[Pod]) -> Self {
        pods.iter().for_each(|pod| self.remember_pod(pod));
        self
    }

    /// It is not over before all instances say that they were restarted then.
    pub(crate) fn await_restart(&mut self, restarted_at: &str) {
        self.restarted_at = Some(restarted_at.to_owned());
    }

    /// It is not over before the node is given back.
    pub(crate) fn await_giving_back(&mut self) {
        self.awaits_giving_back = true;
    }

    /// What the cluster said of itself when it was last seen, while it was not healthy.
    pub(crate) fn last_unhealthy_phase(&self) -> Option<String> {
        let has = |step| self.seen.contains(&step);
        let waits = self.waits_s.filter(|waits_s| *waits_s > 0).map_or_else(String::new, |waits_s| {
            format!(": it waits for its sessions to end, for up to {waits_s} s (smartShutdownTimeout)")
        });
        let runs = format!("the primary {} has not stopped{waits}", self.primary.0);
        let stays = (!has(FailoverStep::OldPrimaryStopped) && !has(FailoverStep::Promoted)).then_some(runs);
        let said: Vec<String> = self.said.iter().cloned().chain(stays).collect();
        (!said.is_empty()).then(|| said.join("; "))
    }

    /// The steps that a version of an object is the first to tell of, with the pods that they are about.
    pub(crate) fn observe_change(&mut self, seen: &SeenObject<'_>) -> Vec<(FailoverStep, Option<String>)> {
        let told = match seen {
            SeenObject::Cluster(cluster) => self.of_cluster(cluster),
            SeenObject::Pod(pod) => self.of_pod(pod),
            SeenObject::PodGone(pod) => self.of_pod_that_is_gone(pod),
            SeenObject::Service(slice) => self.of_service(slice),
            SeenObject::GivenBack => {
                self.awaits_giving_back = false;
                Vec::new()
            }
        };
        let over = self.final_healthy_step();
        told.into_iter().chain(over).filter(|(step, _)| self.is_new(*step)).collect()
    }

    /// The end of it: the cluster says that it is healthy, as many instances are ready as there are to be, and nothing
    /// is waited for.
    fn final_healthy_step(&self) -> Option<(FailoverStep, Option<String>)> {
        let (primary, instances) = self.healthy.as_ref()?;
        let ready = self.ready.values().filter(|is_ready| **is_ready).count();
        let is_over = self.has_begun && !self.awaits_giving_back && ready >= *instances;
        is_over.then(|| (FailoverStep::Healthy, Some(primary.clone())))
    }

    fn remember_pod(&mut self, pod: &Pod) {
        let says = pod.annotations().get(RESTARTED_AT);
        let is_restarted = self.restarted_at.as_ref().is_none_or(|restarted_at| says == Some(restarted_at));
        self.ready.insert(pod.name_any(), is_restarted && pods::require_ready(pod).is_ok());
    }

    fn is_new(&mut self, step: FailoverStep) -> bool {
        let is_new = !self.seen.contains(&step);
        self.seen.extend(is_new.then_some(step));
        is_new
    }

    fn is_old(&self, pod: &Pod) -> bool {
        pod.metadata.uid.as_ref() == Some(&self.primary.1)
    }

    fn of_cluster(&mut self, cluster: &CnpgCluster) -> Vec<(FailoverStep, Option<String>)> {
        let status = &cluster.status;
        let is_another = |name: &&String| **name != self.primary.0 && !name.is_empty() && *name != PENDING;
        let chosen = Some(&status.target_primary).filter(is_another);
        let promoted = Some(&status.current_primary).filter(is_another);
        let health = cluster.primary_pod_name(&self.cluster);
        self.has_begun |= health.is_err() || promoted.is_some();
        let mut told = Vec::new();
        told.extend(chosen.map(|pod| (FailoverStep::PrimaryChosen, Some(pod.clone()))));
        told.extend(promoted.map(|pod| (FailoverStep::Promoted, Some(pod.clone()))));
        self.healthy = health.as_ref().ok().map(|primary| ((*primary).to_owned(), cluster.spec.instances as usize));
        self.said = health.err().map(|error| error.detail().unwrap_or_else(|| error.to_string()));
        told
    }

    fn of_pod_that_is_gone(&mut self, pod: &Pod) -> Vec<(FailoverStep, Option<String>)> {
        self.ready.remove(&pod.name_any());
        self.has_begun |= self.is_old(pod);
        if self.is_old(pod) { vec![(FailoverStep::OldPrimaryStopped, Some(pod.name_any()))] } else { Vec::new() }
    }

    fn of_pod(&mut self, pod: &Pod) -> Vec<(FailoverStep, Option<String>)> {
        self.remember_pod(pod);
        let name = pod.name_any();
        if self.is_old(pod) {
            let has_stopped = pods::has_stopped(pod) || pods::container_restart_count(pod) > self.restarts;
            // A server that is back at once is not missed by the operator.
            self.has_begun |= has_stopped;
            let lost = pods::is_lost(pod).then(|| (FailoverStep::NodeLost, Some(name.clone())));
            return has_stopped
                .then_some((FailoverStep::OldPrimaryStopped, Some(name)))
                .into_iter()
                .chain(lost)
                .collect();
        }
        let is_primary = pod.labels().get(ROLE).is_some_and(|role| role == "primary");
        let again = (name == self.primary.0).then(|| (FailoverStep::OldPrimaryStopped, Some(name.clone())));
        again.into_iter().chain(is_primary.then_some((FailoverStep::Labelled, Some(name)))).collect()
    }

    fn of_service(&mut self, slice: &EndpointSlice) -> Vec<(FailoverStep, Option<String>)> {
        let ready =
            slice.endpoints.iter().flatten().filter(|endpoint| {
                endpoint.conditions.as_ref().and_then(|conditions| conditions.ready).unwrap_or(true)
            });
        let pods = ready.filter_map(|endpoint| endpoint.target_ref.as_ref()?.name.clone());
        self.leads_to.insert(slice.name_any(), pods.collect());
        let leads_to: Vec<&String> = self.leads_to.values().flatten().collect();
        let was_empty = self.seen.contains(&FailoverStep::ServiceEmpty);
        match leads_to.iter().find(|pod| was_empty || ***pod != self.primary.0) {
            Some(pod) => vec![(FailoverStep::ServiceMoved, Some((*pod).clone()))],
            None if leads_to.is_empty() => vec![(FailoverStep::ServiceEmpty, None)],
            None => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::Value;

    use super::*;

    /// A line of a captured course: what `kubectl get --watch --output-watch-events` printed, and when.
    #[derive(Deserialize)]
    struct Line {
        /// In milliseconds since the request.
        at_ms: i64,
        kind: String,
        r#type: String,
        object: Value,
    }

    fn seen<'s>(
        line: &Line,
        cluster: &'s mut Option<CnpgCluster>,
        pod: &'s mut Option<Pod>,
        slice: &'s mut Option<EndpointSlice>,
    ) -> SeenObject<'s> {
        let object = line.object.clone();
        match (line.kind.as_str(), line.r#type.as_str()) {
            ("cluster", _) => SeenObject::Cluster(cluster.insert(serde_json::from_value(object).expect("a cluster"))),
            ("pod", "DELETED") => SeenObject::PodGone(pod.insert(serde_json::from_value(object).expect("a pod"))),
            ("pod", _) => SeenObject::Pod(pod.insert(serde_json::from_value(object).expect("a pod"))),
            _ => SeenObject::Service(slice.insert(serde_json::from_value(object).expect("a slice"))),
        }
    }

    /// The steps of a course, in milliseconds since the request.
    fn steps(course: &str) -> Vec<String> {
        let lines: Vec<Line> = course.lines().map(|line| serde_json::from_str(line).expect("a line")).collect();
        let primary = lines.iter().find(|line| line.object["metadata"]["labels"][ROLE] == "primary").expect("one");
        let primary: Pod = serde_json::from_value(primary.object.clone()).expect("a pod");
        let mut steps = FailoverSteps::before_request("db", &primary, None);
        let mut told = Vec::new();
        for line in &lines {
            let (mut cluster, mut pod, mut slice) = (None, None, None);
            for (step, pod) in steps.observe_change(&seen(line, &mut cluster, &mut pod, &mut slice)) {
                let pod = pod.unwrap_or_default();
                told.push(format!("{} {step:?} {pod}", line.at_ms).trim_end().to_owned());
            }
        }
        told
    }

    #[test]
    fn a_switchover_leaves_the_service_empty_long_after_the_promotion() {
        let told = steps(include_str!("../tests/objects/switchover.jsonl"));
        assert_eq!(
            told,
            [
                "572 PrimaryChosen db-2",
                "579 ServiceEmpty",
                "1741 OldPrimaryStopped db-1",
                "2812 Promoted db-2",
                "6321 Labelled db-2",
                "6325 ServiceMoved db-2",
                "18296 Healthy db-2",
            ]
        );
    }

    #[test]
    fn a_primary_whose_pod_is_deleted_stops_while_another_is_chosen() {
        let told = steps(include_str!("../tests/objects/delete-primary.jsonl"));
        assert_eq!(
            told,
            [
                "191 ServiceEmpty",
                "1145 PrimaryChosen db-1",
                "1256 OldPrimaryStopped db-2",
                "2206 Promoted db-1",
                "2637 Labelled db-1",
                "2643 ServiceMoved db-1",
                "13583 Healthy db-1",
            ]
        );
    }

    #[test]
    fn a_primary_that_waits_for_its_sessions_runs_though_it_is_not_ready() {
        let course = include_str!("../tests/objects/delete-primary.jsonl");
        let mut stopped: Line =
            serde_json::from_str(course.lines().find(|line| line.contains("\"terminated\"")).expect("a line"))
                .expect("one");
        let pod = |object: &Value| serde_json::from_value::<Pod>(object.clone()).expect("a pod");
        let terminated = pod(&stopped.object);
        let status = &mut stopped.object["status"]["containerStatuses"][0];
        status["state"] = serde_json::json!({ "running": { "startedAt": "2026-11-20T09:13:05Z" } });
        let unready = pod(&stopped.object);
        stopped.object["status"]["containerStatuses"][0]["restartCount"] = 1.into();
        let again = pod(&stopped.object);
        let mut steps = FailoverSteps::before_request("db", &unready, Some(180));
        let step = |steps: &mut FailoverSteps, pod: &Pod| {
            steps.observe_change(&SeenObject::Pod(pod)).into_iter().map(|(step, _)| step).next()
        };
        assert_eq!(step(&mut steps, &unready), None);
        assert_eq!(step(&mut steps, &terminated), Some(FailoverStep::OldPrimaryStopped));
        let mut missed = FailoverSteps::before_request("db", &unready, Some(180));
        assert_eq!(step(&mut missed, &again), Some(FailoverStep::OldPrimaryStopped), "its end was not told of");
    }

    #[test]
    fn a_primary_whose_pod_is_deleted_forcibly_is_gone_before_anybody_acts() {
        let told = steps(include_str!("../tests/objects/delete-primary-forcibly.jsonl"));
        assert_eq!(
            told,
            [
                "298 OldPrimaryStopped db-1",
                "308 ServiceEmpty",
                "979 PrimaryChosen db-2",
                "2004 Promoted db-2",
                "2263 Labelled db-2",
                "2310 ServiceMoved db-2",
                "14244 Healthy db-2",
            ]
        );
    }

    #[test]
    fn a_cluster_that_is_not_healthy_says_what_it_is_like() {
        let line = |needle: &str| {
            let course = include_str!("../tests/objects/delete-primary.jsonl");
            serde_json::from_str::<Line>(course.lines().find(|line| line.contains(needle)).expect("a line"))
                .expect("one")
        };
        let pod = |line: Line| serde_json::from_value::<Pod>(line.object).expect("a pod");
        let mut steps = FailoverSteps::before_request("db", &pod(line("\"primary\"")), Some(180));
        let cluster: CnpgCluster = serde_json::from_value(line("Initiating").object).expect("a cluster");
        steps.observe_change(&SeenObject::Cluster(&cluster));
        let failing = "Failing over (Initiating a failover from db-2); 1 of 2 instances are ready";
        assert_eq!(
            steps.last_unhealthy_phase(),
            Some(format!(
                "{failing}; the primary db-2 has not stopped: it waits for its sessions to end, for up to 180 s (smartShutdownTimeout)"
            ))
        );
        steps.observe_change(&SeenObject::PodGone(&pod(line("DELETED"))));
        assert_eq!(steps.last_unhealthy_phase().as_deref(), Some(failing));
    }

    #[test]
    fn a_primary_that_is_restarted_in_its_place_stays_the_one_that_the_service_leads_to() {
        let told = steps(include_str!("../tests/objects/restart-in-place.jsonl"));
        assert_eq!(told, ["5491 Healthy db-2"]);
    }
}
