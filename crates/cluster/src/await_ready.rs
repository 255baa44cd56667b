//! Waiting until a server that was made can be measured, and why it cannot: what its pods, its volume and the events
//! about them say.

use k8s_openapi::api::core::v1::{Event, Pod};
use kube::ResourceExt as _;
use kube::api::{ListParams, LogParams};
use tokio::time::{Duration, Instant, sleep};

use crate::api::{Api, ObjectKind};
use crate::cnpg::{self, CLUSTER, CnpgCluster};
use crate::error::ClusterError;
use crate::make::CreatedServer;
use crate::pods::{self, POD};

pub(crate) const EVENT: ObjectKind = ObjectKind { word: "event", plural: "events" };

/// Between two looks at what is being made.
const PAUSE: Duration = Duration::from_millis(250);

/// Where the pod of an indexed Job has its number, from 0.
const COMPLETION_INDEX: &str = "batch.kubernetes.io/job-completion-index";

/// So many lines of a log are looked at, and so many of them told.
const LOOKED_AT: i64 = 60;
const TOLD_OF_A_LOG: usize = 3;

/// What a container waits for in vain: nobody but the plan's author can mend it.
const IN_VAIN: [&str; 3] = ["ErrImageNeverPull", "InvalidImageName", "CrashLoopBackOff"];

/// What the node tries again by itself, and often gets over: a registry that did not answer, a secret that it had not
/// read yet. In vain only if it is so for this long, which is several of its tries.
const TRIED_AGAIN: [&str; 4] =
    ["ErrImagePull", "ImagePullBackOff", "CreateContainerConfigError", "CreateContainerError"];
const SEVERAL_TRIES: Duration = Duration::from_secs(30);

impl Api {
    /// Waits until what was made serves: the cluster healthy, all pods of it ready.
    ///
    /// # Errors
    /// It is not within this time, or will never be: with the reason that pods, volumes and events give.
    pub async fn await_ready(&self, made: &CreatedServer, within: Duration) -> Result<(), ClusterError> {
        let deadline = Instant::now() + within;
        let mut last = String::new();
        let mut tried_since = None;
        while Instant::now() < deadline {
            match self.what_is_missing(made, &mut tried_since).await {
                Ok(None) => return Ok(()),
                Ok(Some(missing)) => last = missing,
                // It may be back before the time is over.
                Err(ClusterError::Away { why, .. }) => last = why,
                Err(error) => return Err(error),
            }
            sleep(PAUSE).await;
        }
        let events = self.warning_events(made).await;
        let said = if events.is_empty() { last } else { format!("{last}; {}", events.join("; ")) };
        Err(ClusterError::NotMade { server: made.label.1.clone(), seconds: within.as_secs(), said })
    }

    /// What it still waits for; none if it serves. Remembers since when a node has tried again what failed.
    async fn what_is_missing(
        &self,
        made: &CreatedServer,
        tried_since: &mut Option<Instant>,
    ) -> Result<Option<String>, ClusterError> {
        let (label, name) = &made.label;
        let pods: Vec<Pod> = self.list_objects(POD, &format!("{label}={name}")).await?;
        let tried = pods.iter().find_map(|pod| Some((pod, waits_for(pod, &TRIED_AGAIN)?)));
        let since = tried.as_ref().map(|_| tried_since.unwrap_or_else(Instant::now));
        *tried_since = since;
        let tried = tried.filter(|_| since.is_some_and(|since| since.elapsed() >= SEVERAL_TRIES));
        if let Some((pod, said)) = pods.iter().find_map(|pod| Some((pod, in_vain(pod)?))).or(tried) {
            let log = self.end_of_log(pod).await.map_or_else(String::new, |log| format!("; end of its log: {log}"));
            return Err(ClusterError::NotReady { pod: pod.name_any(), said: format!("{said}{log}") });
        }
        if made.objects.iter().any(|object| object.kind == CLUSTER.word) {
            let cluster: CnpgCluster = cnpg::deserialize_object(
                &self.get_custom(&cnpg::api_resource_of_kind(CLUSTER), CLUSTER, name).await?,
                CLUSTER,
            )?;
            if let Err(unhealthy) = cluster.primary_pod_name(name) {
                return Ok(Some(unhealthy.detail().unwrap_or_else(|| unhealthy.to_string())));
            }
        }
        if pods.is_empty() {
            return Ok(Some("it has no pod yet".to_owned()));
        }
        let serving = pods.iter().filter(|pod| !is_done(pod));
        let waits = serving.filter_map(|pod| pods::require_ready(pod).err()).next();
        Ok(waits.map(|error| format!("{error}: {}", error.detail().unwrap_or_default())))
    }

    /// The pod that has the label of what was made, once it is ready.
    ///
    /// # Errors
    /// There is none, or several.
    pub async fn pod_of(&self, made: &CreatedServer) -> Result<String, ClusterError> {
        let labels = format!("{}={}", made.label.0, made.label.1);
        let pods: Vec<Pod> = self.list_objects(POD, &labels).await?;
        pods::only_measurable_pod(pods, &labels, self.namespace_name()).map(|pod| pod.name_any())
    }

    /// The pods that have the label of a Job that was made, in the order of their index, once so many are ready.
    ///
    /// # Errors
    /// They are not within this time, with what the last one of them waits for.
    pub async fn pods_of(
        &self,
        made: &CreatedServer,
        count: u32,
        within: Duration,
    ) -> Result<Vec<String>, ClusterError> {
        if count == 1 {
            return Ok(vec![self.pod_of(made).await?]);
        }
        let labels = format!("{}={}", made.label.0, made.label.1);
        let deadline = Instant::now() + within;
        loop {
            let mut pods: Vec<Pod> = self.list_objects(POD, &labels).await?;
            pods.retain(|pod| pods::require_ready(pod).is_ok());
            pods.sort_by_key(completion_index);
            if pods.len() == count as usize {
                return Ok(pods.iter().map(kube::ResourceExt::name_any).collect());
            }
            if Instant::now() > deadline {
                let events = self.warning_events(made).await;
                let found = format!("{} of {count} pods are ready", pods.len());
                let said = if events.is_empty() { found } else { format!("{found}; {}", events.join("; ")) };
                return Err(ClusterError::NotMade { server: made.label.1.clone(), seconds: within.as_secs(), said });
            }
            sleep(PAUSE).await;
        }
    }

    /// What of the log of a pod tells why it ended, where it was started at all and that may be read.
    async fn end_of_log(&self, pod: &Pod) -> Option<String> {
        let api: kube::Api<Pod> = kube::Api::namespaced(self.client.clone(), self.namespace_name());
        let parameters = LogParams { tail_lines: Some(LOOKED_AT), ..LogParams::default() };
        let log = api.logs(&pod.name_any(), &parameters).await.ok()?;
        Some(error_lines_of_log(&log)).filter(|log| !log.is_empty())
    }

    /// What events warn of about anything that follows from what was made, the last of each kind.
    async fn warning_events(&self, made: &CreatedServer) -> Vec<String> {
        let api: kube::Api<Event> = kube::Api::namespaced(self.client.clone(), self.namespace_name());
        let all = self.await_api_answer("list", EVENT, api.list(&ListParams::default())).await;
        all.map_or_else(|_| Vec::new(), |all| warnings_of_objects(&all.items, &made.label.1))
    }
}

/// Which of the pods of an indexed Job it is.
fn completion_index(pod: &Pod) -> u32 {
    let index = pod.annotations().get(COMPLETION_INDEX).or_else(|| pod.labels().get(COMPLETION_INDEX));
    index.and_then(|index| index.parse().ok()).unwrap_or(u32::MAX)
}

/// What they say of the objects whose name begins with this one, the last of each object and reason.
fn warnings_of_objects(events: &[Event], name: &str) -> Vec<String> {
    let mut told: Vec<(String, String)> = Vec::new();
    for event in events {
        let about = event.involved_object.name.as_deref().unwrap_or_default();
        // That nobody provides a volume is no warning to Kubernetes.
        let waits_for_volume = event.reason.as_deref() == Some("ExternalProvisioning");
        let is_telling = event.type_.as_deref() == Some("Warning") || waits_for_volume;
        if !about.starts_with(name) || !is_telling {
            continue;
        }
        let kind = event.involved_object.kind.as_deref().unwrap_or_default();
        let of = format!("{kind} {about}: {}", event.reason.as_deref().unwrap_or_default());
        let words = event.message.clone().unwrap_or_default();
        match told.iter_mut().find(|(known, _)| *known == of) {
            Some((_, known)) => *known = words,
            None => told.push((of, words)),
        }
    }
    told.into_iter().map(|(of, words)| format!("{of}: {words}")).collect()
}

/// Of a log what tells why its program ended: its errors, or else its last lines. An operator writes JSON, in which the
/// words of PostgreSQL are a part.
fn error_lines_of_log(log: &str) -> String {
    let lines: Vec<String> = log.lines().map(in_words).filter(|line| !line.is_empty()).collect();
    let errors: Vec<&String> = lines
        .iter()
        .filter(|line| ["FATAL", "PANIC", "ERROR", "rror: "].iter().any(|word| line.contains(word)))
        .collect();
    let told = if errors.is_empty() { lines.iter().collect() } else { errors };
    let last: Vec<&str> = told.iter().rev().take(TOLD_OF_A_LOG).rev().map(|line| line.as_str()).collect();
    last.join("; ")
}

fn single_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A line of a log without what only programs read.
fn in_words(line: &str) -> String {
    let Ok(json) = serde_json::from_str::<serde_json::Value>(line) else { return single_spaced(line) };
    let [severity, message, said, error] = ["/record/error_severity", "/record/message", "/msg", "/error"]
        .map(|at| json.pointer(at).and_then(serde_json::Value::as_str));
    match (severity, message, said, error) {
        (Some(severity), Some(message), _, _) => single_spaced(&format!("{severity}: {message}")),
        (_, _, Some(said), Some(error)) => single_spaced(&format!("{said}: error: {error}")),
        (_, _, Some(said), None) => single_spaced(said),
        _ => single_spaced(line),
    }
}

/// A pod of a job that has done it.
fn is_done(pod: &Pod) -> bool {
    pod.status.as_ref().and_then(|status| status.phase.as_deref()) == Some("Succeeded")
}

/// Why a pod will never serve.
fn in_vain(pod: &Pod) -> Option<String> {
    waits_for(pod, &IN_VAIN).or_else(|| {
        let status = pod.status.as_ref()?;
        let reason = status.reason.as_deref().or(status.message.as_deref());
        (status.phase.as_deref() == Some("Failed"))
            .then(|| format!("it has failed{}", reason.map_or_else(String::new, |reason| format!(": {reason}"))))
    })
}

/// The first of a pod's containers that waits for one of these reasons, in the words of its node.
fn waits_for(pod: &Pod, reasons: &[&str]) -> Option<String> {
    let status = pod.status.as_ref()?;
    let mut containers = status.container_statuses.iter().chain(&status.init_container_statuses).flatten();
    containers.find_map(|container| {
        let waiting = container.state.as_ref()?.waiting.as_ref()?;
        let reason = waiting.reason.as_deref().filter(|reason| reasons.contains(reason))?;
        let said = format!("container {}: {reason} {}", container.name, waiting.message.as_deref().unwrap_or_default());
        Some(said.trim().to_owned())
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_pod_whose_image_has_no_name_waits_in_vain_and_what_its_node_tries_again_may_pass() {
        let pod = |reason: &str| -> Pod {
            let state = json!({ "waiting": { "reason": reason, "message": "no such image" } });
            let container = json!({ "name": "postgres", "image": "x", "imageID": "", "ready": false, "restartCount": 0, "state": state });
            serde_json::from_value(json!({ "status": { "phase": "Pending", "containerStatuses": [container] } }))
                .expect("a pod")
        };
        let named = in_vain(&pod("InvalidImageName"));
        assert_eq!(named.as_deref(), Some("container postgres: InvalidImageName no such image"));
        for tried in TRIED_AGAIN {
            assert_eq!(in_vain(&pod(tried)), None);
            assert!(waits_for(&pod(tried), &TRIED_AGAIN).is_some_and(|said| said.contains(tried)));
        }
        assert_eq!(in_vain(&pod("ContainerCreating")), None);
        let failed: Pod =
            serde_json::from_value(json!({ "status": { "phase": "Failed", "reason": "Evicted" } })).expect("a pod");
        assert_eq!(in_vain(&failed).as_deref(), Some("it has failed: Evicted"));
    }

    #[test]
    fn of_a_log_the_errors_are_told_without_the_stack_of_the_operator() {
        let log = r#"{"level":"info","logger":"pg_ctl","msg":"2026-11-24 20:03:38 GMT [20] FATAL:  unrecognized configuration parameter \"x\"","pipe":"stderr"}
            {"level":"info","msg":"Exited log pipe","fileName":"/controller/log/postgres.csv"}
            {"level":"error","msg":"Error while bootstrapping data directory","error":"exit status 1","stacktrace":"a.go:1"}"#;
        let expected = "2026-11-24 20:03:38 GMT [20] FATAL: unrecognized configuration parameter \"x\"; \
                        Error while bootstrapping data directory: error: exit status 1";
        assert_eq!(error_lines_of_log(log), expected);
        let record = r#"{"msg":"record","record":{"error_severity":"PANIC","message":"could not write"}}"#;
        assert_eq!(error_lines_of_log(record), "PANIC: could not write");
        assert_eq!(error_lines_of_log("one\ntwo\n\nthree\nfour\n"), "two; three; four");
    }

    #[test]
    fn the_last_warning_of_each_kind_about_what_was_made_is_told() {
        let of_reason = |name: &str, kind: &str, reason: &str, message: &str| -> Event {
            serde_json::from_value(json!({
                "metadata": {}, "involvedObject": { "kind": "PersistentVolumeClaim", "name": name },
                "type": kind, "reason": reason, "message": message,
            }))
            .expect("an event")
        };
        let event = |name, kind, message| of_reason(name, kind, "ProvisioningFailed", message);
        let events = [
            event("made-1", "Warning", "first"),
            event("made-1", "Warning", "no room"),
            event("made-1", "Normal", "waiting"),
            event("other", "Warning", "not ours"),
        ];
        assert_eq!(warnings_of_objects(&events, "made"), ["PersistentVolumeClaim made-1: ProvisioningFailed: no room"]);
        let nobody = [of_reason("made-1", "Normal", "ExternalProvisioning", "Waiting for nobody")];
        assert_eq!(
            warnings_of_objects(&nobody, "made"),
            ["PersistentVolumeClaim made-1: ExternalProvisioning: Waiting for nobody"]
        );
    }
}
