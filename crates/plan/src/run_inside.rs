//! What is made in Kubernetes to have a whole run made there: a Job with pgdyno, the plan and its files in a ConfigMap,
//! and the volume that the run directory lies on. Objects that follow from the plan and the command line alone.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::str::FromStr;

use serde_json::{Map, Value as Json, json};

use super::made::KubernetesQuantity;
use super::manifests::{
    MadeObjects, object_name_with_hash, on_node, restricted_container, restricted_pod, volume_claim_spec,
};
use super::measured_volume::USER;

/// The label of everything that belongs to a run inside; its value is the run's name.
pub const RUN: &str = "pgdyno/run";

/// The container of pgdyno.
pub const PGDYNO: &str = "pgdyno";

/// Below which run directories are made on the volume.
pub const RUNS_DIRECTORY: &str = "/volume/runs";

/// Where the plan lies.
const PLAN_DIRECTORY: &str = "/plan";

/// How long a run is given to end its trial and to remove what it made, when its pod is deleted, in seconds.
const GRACE_S: u32 = 100;

/// How long a pod that only reads the volume may stay where nobody is left to remove it, in seconds.
const READER_LIVES_AT_MOST_S: u32 = 3_600;

/// A whole run in a cluster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunInside<'a> {
    /// The plan's name.
    pub title: &'a str,
    /// What makes the names unlike those of another run.
    pub of: &'a str,
    /// The files of `/plan` by their path there, `plan.yaml` among them.
    pub files: Vec<(PathBuf, String)>,
    /// More arguments of `pgdyno run`.
    pub arguments: Vec<String>,
    /// An image with pgdyno.
    pub image: &'a str,
    /// The service account whose rights pgdyno has there.
    pub service_account: &'a str,
    /// The node; none: one with the labels, or the scheduler's choice.
    pub node: Option<&'a str>,
    /// Labels of the node.
    pub node_selector: BTreeMap<String, String>,
    /// Whole CPUs for itself; none: as many as there are, shared with others.
    pub cpus: Option<u32>,
    /// The class of the volume; none: the cluster's default.
    pub storage_class: Option<&'a str>,
    /// Its size.
    pub size: &'a KubernetesQuantity,
    /// Variables of pgdyno that are read from Secrets.
    pub secrets: &'a [FromSecret],
}

/// A variable that is a key of a Secret: `PGPASSWORD=db-login/password`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FromSecret {
    variable: String,
    secret: String,
    key: String,
}

impl FromStr for FromSecret {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('=').and_then(|(variable, rest)| Some((variable, rest.split_once('/')?)));
        match parts {
            Some((variable, (secret, key))) if ![variable, secret, key].contains(&"") => {
                Ok(Self { variable: variable.to_owned(), secret: secret.to_owned(), key: key.to_owned() })
            }
            // It may be a password, which nobody is to read in a terminal's history twice.
            Some(_) | None => Err("it must be VARIABLE=SECRET/KEY, the key of a Secret".to_owned()),
        }
    }
}

impl RunInside<'_> {
    /// What is made, in this order.
    #[must_use]
    pub fn objects_of_run(&self) -> MadeObjects {
        let name = object_name_with_hash("pgdyno-run", self.title, self.of);
        let object = |api: &str, kind: &str, key: &str, value: Json| {
            let mut object = json!({ "apiVersion": api, "kind": kind, "metadata": { "name": name, "labels": labels_of_run(&name) } });
            object[key] = value;
            object
        };
        let texts: Map<String, Json> =
            self.files.iter().enumerate().map(|(place, (_, text))| (key_of(place), json!(text))).collect();
        let job = json!({
            // What fails is told, not tried again: the run goes on from its directory, not from its beginning.
            "backoffLimit": 0,
            "template": { "metadata": { "labels": labels_of_run(&name) }, "spec": self.pod_spec_of_run(&name) },
        });
        let objects = vec![
            object("v1", "ConfigMap", "data", Json::Object(texts)),
            object("v1", "PersistentVolumeClaim", "spec", volume_claim_spec(&self.size.0, self.storage_class)),
            object("batch/v1", "Job", "spec", job),
        ];
        MadeObjects::new_in_namespace(name.clone(), None, objects)
    }

    fn pod_spec_of_run(&self, name: &str) -> Json {
        let command = ["pgdyno", "run", "/plan/plan.yaml", "--runs", RUNS_DIRECTORY].map(str::to_owned);
        let command: Vec<String> = command.into_iter().chain(self.arguments.iter().cloned()).collect();
        let secret = |of: &FromSecret| json!({ "name": of.variable, "valueFrom": { "secretKeyRef": { "name": of.secret, "key": of.key } } });
        // What it makes is written down on the volume, so that it is known after its pod, too.
        let given = [("HOME", "/tmp"), ("XDG_STATE_HOME", "/volume/state")];
        let given = given.map(|(variable, value)| json!({ "name": variable, "value": value }));
        let resources = match self.cpus {
            // Equal requests and limits of whole CPUs: they are its own where the kubelet gives such out.
            Some(cpus) => json!({ "cpu": cpus.to_string(), "memory": "1Gi" }),
            None => json!({ "cpu": "100m", "memory": "256Mi" }),
        };
        let mut resources = json!({ "requests": resources });
        if self.cpus.is_some() {
            resources["limits"] = resources["requests"].clone();
        }
        let container = json!({
            "name": PGDYNO,
            "image": self.image,
            "command": command,
            "env": given.into_iter().chain(self.secrets.iter().map(secret)).collect::<Vec<_>>(),
            "resources": resources,
            "securityContext": restricted_container(),
            "volumeMounts": [
                { "name": "volume", "mountPath": "/volume" },
                { "name": "plan", "mountPath": PLAN_DIRECTORY, "readOnly": true },
            ],
        });
        let paths = self.files.iter().enumerate();
        let items: Vec<Json> = paths.map(|(place, (path, _))| json!({ "key": key_of(place), "path": path })).collect();
        let mut spec = Map::new();
        if !self.node_selector.is_empty() {
            spec.insert("nodeSelector".to_owned(), json!(self.node_selector));
        }
        self.node.into_iter().for_each(|node| on_node(node, &mut spec));
        let rest = json!({
            "restartPolicy": "Never",
            "terminationGracePeriodSeconds": GRACE_S,
            "serviceAccountName": self.service_account,
            "enableServiceLinks": false,
            "securityContext": restricted_pod(USER),
            "containers": [container],
            "volumes": [
                { "name": "volume", "persistentVolumeClaim": { "claimName": name } },
                { "name": "plan", "configMap": { "name": name, "items": items } },
            ],
        });
        if let Json::Object(rest) = rest {
            spec.extend(rest);
        }
        Json::Object(spec)
    }
}

/// The pod that has the volume of a run which has ended: to read it, and to undo what the run left.
#[must_use]
pub fn reader_objects(run: &str, image: &str, service_account: &str) -> MadeObjects {
    let name = format!("{run}-reader");
    let container = json!({
        "name": PGDYNO,
        "image": image,
        "command": ["sleep", READER_LIVES_AT_MOST_S.to_string()],
        "resources": { "requests": { "cpu": "10m", "memory": "32Mi" } },
        "securityContext": restricted_container(),
        "volumeMounts": [{ "name": "volume", "mountPath": "/volume" }],
    });
    let spec = json!({
        "restartPolicy": "Never",
        "activeDeadlineSeconds": READER_LIVES_AT_MOST_S,
        "terminationGracePeriodSeconds": 0,
        "serviceAccountName": service_account,
        "enableServiceLinks": false,
        "securityContext": restricted_pod(USER),
        "containers": [container],
        "volumes": [{ "name": "volume", "persistentVolumeClaim": { "claimName": run } }],
    });
    let metadata = json!({ "name": name, "labels": labels_of_run(&name) });
    let pod = json!({ "apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec });
    MadeObjects::new_in_namespace(name, None, vec![pod])
}

fn labels_of_run(name: &str) -> Json {
    json!({ "app.kubernetes.io/managed-by": "pgdyno", RUN: name })
}

/// Keys of a ConfigMap have no slashes, as paths have.
fn key_of(place: usize) -> String {
    format!("file-{place}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn objects(change: impl FnOnce(&mut RunInside<'_>)) -> Vec<Json> {
        let (size, secrets) = (KubernetesQuantity("5Gi".to_owned()), ["PGPASSWORD=login/password".parse().unwrap()]);
        let mut run = RunInside {
            title: "Does it scale?",
            of: "now",
            files: vec![("plan.yaml".into(), "name: x".to_owned()), ("scripts/w/a.sql".into(), "SELECT 1".to_owned())],
            arguments: Vec::new(),
            image: "registry/pgdyno:1",
            service_account: "bench",
            node: None,
            node_selector: BTreeMap::new(),
            cpus: None,
            storage_class: None,
            size: &size,
            secrets: &secrets,
        };
        change(&mut run);
        run.objects_of_run().manifests.into_iter().map(|manifest| manifest.object).collect()
    }

    #[test]
    fn the_plan_and_its_files_travel_under_their_paths_and_secrets_by_reference_only() {
        let [map, claim, job] = objects(|_| ()).try_into().expect("three objects");
        assert_eq!(map["data"], json!({ "file-0": "name: x", "file-1": "SELECT 1" }));
        assert_eq!(claim["spec"]["resources"]["requests"]["storage"], "5Gi");
        let pod = &job["spec"]["template"]["spec"];
        let items = json!([{ "key": "file-0", "path": "plan.yaml" }, { "key": "file-1", "path": "scripts/w/a.sql" }]);
        assert_eq!(pod["volumes"][1]["configMap"]["items"], items);
        let env = pod["containers"][0]["env"].as_array().expect("variables");
        let of_secret = json!({ "secretKeyRef": { "name": "login", "key": "password" } });
        assert_eq!(env.last(), Some(&json!({ "name": "PGPASSWORD", "valueFrom": of_secret })));
        assert_eq!(pod["serviceAccountName"], "bench");
        assert_eq!(job["metadata"]["labels"][RUN], job["metadata"]["name"]);
    }

    #[test]
    fn cpus_of_its_own_are_limits_that_equal_its_requests() {
        let container = |objects: Vec<Json>| objects[2]["spec"]["template"]["spec"]["containers"][0].clone();
        let shared = container(objects(|_| ()));
        assert_eq!(shared["resources"]["limits"], Json::Null);
        let own = container(objects(|run| run.cpus = Some(2)));
        assert_eq!(own["resources"]["limits"], own["resources"]["requests"]);
        assert_eq!(own["resources"]["limits"]["cpu"], "2");
    }

    #[test]
    fn a_variable_names_the_key_of_a_secret_and_what_does_not_is_not_repeated() {
        let parse = |text: &str| text.parse::<FromSecret>();
        assert!(parse("PGPASSWORD=login/password").is_ok());
        for wrong in ["PGPASSWORD=hunter2", "PGPASSWORD", "=a/b", "X=/b", "X=a/"] {
            let said = parse(wrong).expect_err(wrong);
            assert!(!said.contains("hunter2"), "{said}");
        }
    }
}
