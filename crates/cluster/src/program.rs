//! A program in a pod: what it has printed, whether it has ended, and with which status.

use jiff::Timestamp;
use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::core::v1::{Pod, ServiceAccount};
use kube::ResourceExt;
use kube::api::LogParams;

use crate::api::{Api, ObjectKind};
use crate::error::ClusterError;
use crate::make::JOB;
use crate::pods::POD;

const ACCOUNT: ObjectKind = ObjectKind { word: "ServiceAccount", plural: "serviceaccounts" };
const LOG: ObjectKind = ObjectKind { word: "log", plural: "pods/log" };

/// How far a program in a pod has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Course {
    /// It has not begun.
    Waits,
    /// It runs.
    Runs,
    /// It has ended, with this exit status where one is known.
    Ended(Option<i32>),
}

/// A Job that runs a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramJob {
    /// The image that it is started from.
    pub image: String,
    /// The service account whose rights it has.
    pub service_account: String,
    /// Its pod, and when that was made; none where it has been removed.
    pub pod: Option<(String, Timestamp)>,
}

impl Api {
    /// The program of a Job that has this label with its own name.
    ///
    /// # Errors
    /// There is none: with those that there are.
    pub async fn find_job_program(&self, label: &str, name: &str) -> Result<ProgramJob, ClusterError> {
        let selected = format!("{label}={name}");
        let Some(job) = self.list_objects::<Job>(JOB, &selected).await?.into_iter().next() else {
            let known = self.list_objects::<Job>(JOB, label).await?.iter().map(ResourceExt::name_any).collect();
            let (name, namespace) = (name.to_owned(), self.namespace_name().to_owned());
            return Err(ClusterError::NotFound { kind: "run", name, namespace, known });
        };
        let spec = job.spec.and_then(|spec| spec.template.spec);
        let service_account = spec.as_ref().and_then(|spec| spec.service_account_name.clone()).unwrap_or_default();
        let image = spec.and_then(|spec| spec.containers.into_iter().next()?.image).unwrap_or_default();
        let pods: Vec<Pod> = self.list_objects(POD, &selected).await?;
        let pod = pods.first().and_then(|pod| Some((pod.name_any(), pod.metadata.creation_timestamp.as_ref()?.0)));
        Ok(ProgramJob { image, service_account, pod })
    }

    /// Refuses a service account that is not there; that it may not be seen is no reason.
    ///
    /// # Errors
    /// With those that there are.
    pub async fn require_service_account(&self, name: &str) -> Result<(), ClusterError> {
        match self.get_object::<ServiceAccount>(ACCOUNT, name).await {
            Ok(_) | Err(ClusterError::Forbidden { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// How far the program of a pod has come.
    ///
    /// # Errors
    /// The API server is away, or there is no such pod.
    pub async fn course_of_pod(&self, pod: &str) -> Result<Course, ClusterError> {
        Ok(course_from_status(&self.get_object(POD, pod).await?))
    }

    /// What a pod's program has printed after an instant, or all of it: its lines, and when each was printed.
    ///
    /// # Errors
    /// The API server is away, the right to `pods/log` is missing, or there is no log yet.
    pub async fn printed_lines_of_pod(
        &self,
        pod: &str,
        after: Option<Timestamp>,
    ) -> Result<Vec<(Timestamp, String)>, ClusterError> {
        let api: kube::Api<Pod> = kube::Api::namespaced(self.client.clone(), self.namespace_name());
        // It counts in whole seconds.
        let since_time = after.and_then(|after| Timestamp::from_second(after.as_second()).ok());
        let parameters = LogParams { timestamps: true, since_time, ..LogParams::default() };
        let text = self.await_api_answer("get", LOG, api.logs(pod, &parameters)).await?;
        Ok(lines_after(&text, after))
    }
}

fn course_from_status(pod: &Pod) -> Course {
    let Some(status) = &pod.status else { return Course::Waits };
    let states = status.container_statuses.iter().flatten().filter_map(|container| container.state.as_ref());
    let end = states.filter_map(|state| state.terminated.as_ref()).map(|end| end.exit_code).next();
    match (end, status.phase.as_deref()) {
        (Some(code), _) => Course::Ended(Some(code)),
        (None, Some("Succeeded" | "Failed")) => Course::Ended(None),
        (None, Some("Running")) => Course::Runs,
        (None, Some(_) | None) => Course::Waits,
    }
}

/// The lines with an instant before each that are later than this one.
fn lines_after(text: &str, after: Option<Timestamp>) -> Vec<(Timestamp, String)> {
    let lines = text.lines().filter_map(|line| {
        let (at, said) = line.split_once(' ').unwrap_or((line, ""));
        Some((at.parse().ok()?, said.to_owned()))
    });
    lines.filter(|(at, _): &(Timestamp, String)| after.is_none_or(|after| *at > after)).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn lines_are_told_once_whatever_is_asked_again() {
        let text = "2026-11-23T10:00:01.000000001Z one\n2026-11-23T10:00:01.500000000Z two words\n\
                    2026-11-23T10:00:02.000000000Z \n";
        let lines = lines_after(text, None);
        assert_eq!(lines.iter().map(|(_, said)| said.as_str()).collect::<Vec<_>>(), ["one", "two words", ""]);
        assert_eq!(lines_after(text, Some(lines[0].0)), lines[1..]);
        assert_eq!(lines_after(text, Some(lines[2].0)), []);
    }

    #[test]
    fn a_pod_says_how_its_program_ended() {
        let of =
            |status: Value| course_from_status(&serde_json::from_value(json!({ "status": status })).expect("a pod"));
        let ended = |code: i32| {
            json!([{ "name": "p", "image": "x", "imageID": "", "ready": false, "restartCount": 0,
                                         "state": { "terminated": { "exitCode": code } } }])
        };
        assert_eq!(of(json!({ "phase": "Pending" })), Course::Waits);
        assert_eq!(of(json!({ "phase": "Running" })), Course::Runs);
        assert_eq!(of(json!({ "phase": "Failed", "containerStatuses": ended(4) })), Course::Ended(Some(4)));
        assert_eq!(of(json!({ "phase": "Succeeded", "containerStatuses": ended(0) })), Course::Ended(Some(0)));
        assert_eq!(of(json!({ "phase": "Failed", "reason": "Evicted" })), Course::Ended(None));
    }
}
