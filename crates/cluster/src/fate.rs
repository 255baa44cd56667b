//! What became of a pod: whether it is still the one that it was, and what its status and the events about it say if it
//! is not.

use jiff::Timestamp;
use k8s_openapi::api::core::v1::{Event, Pod};
use kube::api::ListParams;

use crate::api::Api;
use crate::await_ready::EVENT;
use crate::error::ClusterError;
use crate::pods::POD;

/// Events that every pod has when it begins.
const ROUTINE: [&str; 6] = ["Scheduled", "Pulling", "Pulled", "Created", "Started", "SuccessfulAttachVolume"];

impl Api {
    /// What has happened to a pod since an instant, by its name; none if it is as it was.
    ///
    /// # Errors
    /// The API server is away, or the pod may not be read. Without the right to list events less is told.
    pub async fn fate_of_pod(&self, pod: &str, since: Timestamp) -> Result<Option<String>, ClusterError> {
        let api: kube::Api<Pod> = kube::Api::namespaced(self.client.clone(), self.namespace_name());
        let found = self.await_api_answer("get", POD, api.get_opt(pod)).await?;
        let Some(what) = what_happened(found.as_ref(), since) else { return Ok(None) };
        let api: kube::Api<Event> = kube::Api::namespaced(self.client.clone(), self.namespace_name());
        let about = ListParams::default().fields(&format!("involvedObject.kind=Pod,involvedObject.name={pod}"));
        let events = self.await_api_answer("list", EVENT, api.list(&about)).await;
        let told = events.map_or_else(|_| Vec::new(), |events| unusual_events_since(&events.items, since));
        let told = std::iter::once(format!("the pod {pod} {what}")).chain(told);
        Ok(Some(told.collect::<Vec<_>>().join("; ")))
    }
}

/// What its status says.
fn what_happened(pod: Option<&Pod>, since: Timestamp) -> Option<String> {
    let Some(pod) = pod else { return Some("is gone".to_owned()) };
    if pod.metadata.creation_timestamp.as_ref().is_some_and(|made| made.0 > since) {
        return Some("was deleted and recreated".to_owned());
    }
    if pod.metadata.deletion_timestamp.is_some() {
        return Some("is being deleted".to_owned());
    }
    let status = pod.status.as_ref()?;
    if status.phase.as_deref() == Some("Failed") {
        let said = [&status.reason, &status.message].into_iter().flatten().cloned().collect::<Vec<_>>();
        return Some(format!("has failed: {}", said.join(": ")).trim_end_matches(": ").to_owned());
    }
    status.container_statuses.iter().flatten().find_map(|container| {
        let states = [&container.state, &container.last_state].into_iter().flatten();
        let end = states
            .filter_map(|state| state.terminated.as_ref())
            .find(|end| end.finished_at.as_ref().is_some_and(|at| at.0 >= since))?;
        let reason = end.reason.as_deref().unwrap_or("its program ended");
        Some(format!("lost its container {}: {reason}, exit status {}", container.name, end.exit_code))
    })
}

/// What events of no daily routine say since then, the last of each reason.
fn unusual_events_since(events: &[Event], since: Timestamp) -> Vec<String> {
    let mut told: Vec<(&str, &str)> = Vec::new();
    for event in events {
        let at = event.last_timestamp.as_ref().map(|at| at.0).or(event.event_time.as_ref().map(|at| at.0));
        let reason = event.reason.as_deref().unwrap_or_default();
        // Kubernetes writes whole seconds.
        let is_old = at.is_some_and(|at| at.as_second() < since.as_second());
        if is_old || ROUTINE.contains(&reason) {
            continue;
        }
        told.retain(|(known, _)| *known != reason);
        told.push((reason, event.message.as_deref().unwrap_or_default()));
    }
    told.into_iter().map(|(reason, words)| format!("{reason}: {words}")).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn since() -> Timestamp {
        "2026-11-23T10:00:05.5Z".parse().expect("a time")
    }

    fn of(metadata: &Value, status: &Value) -> Option<String> {
        let pod: Pod = serde_json::from_value(json!({ "metadata": metadata, "status": status })).expect("a pod");
        what_happened(Some(&pod), since())
    }

    #[test]
    fn a_pod_that_is_no_longer_what_it_was_says_why() {
        let old = json!({ "creationTimestamp": "2026-11-23T09:00:00Z" });
        let again = json!({ "creationTimestamp": "2026-11-23T10:00:09Z" });
        let going = json!({ "creationTimestamp": "2026-11-23T09:00:00Z", "deletionTimestamp": "2026-11-23T10:00:20Z" });
        let ended = |at: &str| {
            let end = json!({ "terminated": { "reason": "OOMKilled", "exitCode": 137, "finishedAt": at } });
            let running = json!({ "running": {} });
            json!({ "phase": "Running", "containerStatuses": [{ "name": "postgres", "image": "x", "imageID": "",
                    "ready": true, "restartCount": 1, "state": running, "lastState": end }] })
        };
        let evicted = json!({ "phase": "Failed", "reason": "Evicted", "message": "The node was low on memory." });
        for (metadata, status, expected) in [
            (&old, json!({ "phase": "Running" }), None),
            (&old, ended("2026-11-23T09:30:00Z"), None),
            (&old, ended("2026-11-23T10:00:09Z"), Some("lost its container postgres: OOMKilled, exit status 137")),
            (&old, evicted, Some("has failed: Evicted: The node was low on memory.")),
            (&old, json!({ "phase": "Failed" }), Some("has failed")),
            (&going, json!({ "phase": "Running" }), Some("is being deleted")),
            (&again, json!({ "phase": "Running" }), Some("was deleted and recreated")),
        ] {
            assert_eq!(of(metadata, &status).as_deref(), expected, "{metadata} {status}");
        }
        assert_eq!(what_happened(None, since()).as_deref(), Some("is gone"));
    }

    #[test]
    fn events_of_before_and_of_every_day_are_left_out() {
        let event = |reason: &str, at: &str, message: &str| -> Event {
            let object = json!({ "metadata": {}, "involvedObject": {}, "reason": reason, "lastTimestamp": at, "message": message });
            serde_json::from_value(object).expect("an event")
        };
        let events = [
            event("Killing", "2026-11-23T09:00:00Z", "long ago"),
            event("Pulled", "2026-11-23T10:00:06Z", "as ever"),
            event("Killing", "2026-11-23T10:00:05Z", "Stopping container postgres"),
            event("Evicted", "2026-11-23T10:00:06Z", "low on memory"),
            event("Evicted", "2026-11-23T10:00:07Z", "lower on memory"),
        ];
        assert_eq!(
            unusual_events_since(&events, since()),
            ["Killing: Stopping container postgres", "Evicted: lower on memory"]
        );
    }
}
