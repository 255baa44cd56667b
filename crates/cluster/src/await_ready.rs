//! Waiting until a server that was made can be measured, and why it cannot: what its pods, its volume and the events
//! about them say.

use k8s_openapi::api::core::v1::{Event, Pod};
use kube::ResourceExt as _;
use kube::api::{ListParams, LogParams};
use tokio::time::{Duration, Instant, sleep};

use crate::api::{Api, Kind};
use crate::cnpg::{self, CLUSTER, Cluster};
use crate::error::ClusterError;
use crate::make::Made;
use crate::pods::{self, POD};

pub(crate) const EVENT: Kind = Kind { word: "event", plural: "events" };

/// Between two looks at what is being made.
const PAUSE: Duration = Duration::from_millis(250);

/// What a container waits for in vain: nobody but the plan's author can mend it.
const IN_VAIN: [&str; 7] = [
    "ErrImagePull",
    "ImagePullBackOff",
    "ErrImageNeverPull",
    "InvalidImageName",
    "CreateContainerConfigError",
    "CreateContainerError",
    "CrashLoopBackOff",
];

impl Api {
    /// Waits until what was made serves: the cluster healthy, all pods of it ready.
    ///
    /// # Errors
    /// It is not within this time, or will never be: with the reason that pods, volumes and events give.
    pub async fn await_ready(&self, made: &Made, within: Duration) -> Result<(), ClusterError> {
        let deadline = Instant::now() + within;
        let mut last = String::new();
        while Instant::now() < deadline {
            match self.what_is_missing(made).await {
                Ok(None) => return Ok(()),
                Ok(Some(missing)) => last = missing,
                // It may be back before the time is over.
                Err(ClusterError::Away { why, .. }) => last = why,
                Err(error) => return Err(error),
            }
            sleep(PAUSE).await;
        }
        let events = self.warnings(made).await;
        let said = if events.is_empty() { last } else { format!("{last}; {}", events.join("; ")) };
        Err(ClusterError::NotMade { server: made.label.1.clone(), seconds: within.as_secs(), said })
    }

    /// What it still waits for; none if it serves.
    async fn what_is_missing(&self, made: &Made) -> Result<Option<String>, ClusterError> {
        let (label, name) = &made.label;
        let pods: Vec<Pod> = self.list(POD, &format!("{label}={name}")).await?;
        for pod in &pods {
            if let Some(said) = in_vain(pod) {
                let log = self.last_lines(pod).await.map_or_else(String::new, |log| format!("; its log ends: {log}"));
                let said = format!("{said}{log}");
                return Err(ClusterError::NotReady { pod: pod.name_any(), said });
            }
        }
        if made.objects.iter().any(|object| object.kind == CLUSTER.word) {
            let cluster: Cluster =
                cnpg::read(&self.get_custom(&cnpg::resource(CLUSTER), CLUSTER, name).await?, CLUSTER)?;
            if let Err(unhealthy) = cluster.primary(name) {
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
    pub async fn pod_of(&self, made: &Made) -> Result<String, ClusterError> {
        let labels = format!("{}={}", made.label.0, made.label.1);
        let pods: Vec<Pod> = self.list(POD, &labels).await?;
        pods::only(pods, &labels, self.namespace()).map(|pod| pod.name_any())
    }

    /// The last lines that a pod wrote, where it was started at all and they may be read.
    async fn last_lines(&self, pod: &Pod) -> Option<String> {
        let api: kube::Api<Pod> = kube::Api::namespaced(self.client.clone(), self.namespace());
        let parameters = LogParams { tail_lines: Some(5), ..LogParams::default() };
        let log = api.logs(&pod.name_any(), &parameters).await.ok()?;
        Some(log.split_whitespace().collect::<Vec<_>>().join(" ")).filter(|log| !log.is_empty())
    }

    /// What events warn of about anything that follows from what was made, the last of each kind.
    async fn warnings(&self, made: &Made) -> Vec<String> {
        let api: kube::Api<Event> = kube::Api::namespaced(self.client.clone(), self.namespace());
        let all = self.asked("list", EVENT, api.list(&ListParams::default())).await;
        all.map_or_else(|_| Vec::new(), |all| told(&all.items, &made.label.1))
    }
}

/// What they say of the objects whose name begins with this one, the last of each object and reason.
fn told(events: &[Event], name: &str) -> Vec<String> {
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

/// A pod of a job that has done it.
fn is_done(pod: &Pod) -> bool {
    pod.status.as_ref().and_then(|status| status.phase.as_deref()) == Some("Succeeded")
}

/// Why a pod will never serve.
fn in_vain(pod: &Pod) -> Option<String> {
    let status = pod.status.as_ref()?;
    let containers = status.container_statuses.iter().chain(&status.init_container_statuses).flatten();
    let waiting = containers.filter_map(|container| {
        let waiting = container.state.as_ref()?.waiting.as_ref()?;
        let reason = waiting.reason.as_deref().filter(|reason| IN_VAIN.contains(reason))?;
        Some(format!("container {}: {reason} {}", container.name, waiting.message.as_deref().unwrap_or_default()))
    });
    let failed = (status.phase.as_deref() == Some("Failed")).then(|| {
        let reason = status.reason.as_deref().or(status.message.as_deref());
        format!("it has failed{}", reason.map_or_else(String::new, |reason| format!(": {reason}")))
    });
    waiting.map(|said| said.trim().to_owned()).next().or(failed)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_pod_whose_image_cannot_be_pulled_waits_in_vain_and_one_that_is_pulled_does_not() {
        let pod = |reason: &str| -> Pod {
            let state = json!({ "waiting": { "reason": reason, "message": "no such image" } });
            let container = json!({ "name": "postgres", "image": "x", "imageID": "", "ready": false, "restartCount": 0, "state": state });
            serde_json::from_value(json!({ "status": { "phase": "Pending", "containerStatuses": [container] } }))
                .expect("a pod")
        };
        assert_eq!(in_vain(&pod("ErrImagePull")).as_deref(), Some("container postgres: ErrImagePull no such image"));
        assert_eq!(in_vain(&pod("ContainerCreating")), None);
        let failed: Pod =
            serde_json::from_value(json!({ "status": { "phase": "Failed", "reason": "Evicted" } })).expect("a pod");
        assert_eq!(in_vain(&failed).as_deref(), Some("it has failed: Evicted"));
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
        assert_eq!(told(&events, "made"), ["PersistentVolumeClaim made-1: ProvisioningFailed: no room"]);
        let nobody = [of_reason("made-1", "Normal", "ExternalProvisioning", "Waiting for nobody")];
        assert_eq!(told(&nobody, "made"), ["PersistentVolumeClaim made-1: ExternalProvisioning: Waiting for nobody"]);
    }
}
