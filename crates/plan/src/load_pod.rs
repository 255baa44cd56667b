//! The pod in Kubernetes from which the load is sent: a Job whose container waits, and in which pgdyno is started for
//! each trial. Objects that follow from the plan, and from which Secrets hold the passwords.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json, json};

use super::kubernetes::{InKubernetes, Kubernetes};
use super::load_place::{LoadAt, LoadPlace, LoadPod, PodSpread};
use super::made::Made;
use super::manifests::{
    MadeObjects, SERVER, object_labels, object_metadata, object_name_with_hash, restricted_container, restricted_pod,
    toleration_list,
};
use super::measured_volume::USER;
use super::model::Plan;
use super::object_name::ObjectName;
use super::run_inside::PGDYNO;
use super::target::{Reach, Target};

/// How long the pod may stay beside the trials, where nobody is left to remove it, in seconds.
const LIVES_BESIDE_S: u64 = 86_400;

/// Under which key CloudNativePG, and pgdyno, keep a password in a Secret.
const PASSWORD: &str = "password";

/// The key of a Secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretKeyReference {
    /// The Secret's name.
    pub secret: String,
    /// The key in it.
    pub key: String,
}

/// Where the pod has the password of a target from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PasswordFrom {
    /// From a Secret that is there, in the namespace of the pod.
    Secret(SecretKeyReference),
    /// From a Secret that is made with the pod: that of its server is elsewhere, or there is none.
    Own,
}

impl PasswordFrom {
    /// What stands in the manifest of the Secret that is made, until it is.
    #[must_use]
    pub fn stand_in(target: &str) -> String {
        format!("<password of {target}>")
    }
}

/// The variable of the pod that holds the password of a target.
#[must_use]
pub fn password_variable(plan: &Plan, target: &str) -> String {
    let place = plan.targets.iter().position(|known| known.name == target).map_or(0, |place| place + 1);
    format!("PGDYNO_PASSWORD_{place}")
}

impl Plan {
    /// Where the load is sent from; none: from the machine that pgdyno runs on.
    #[must_use]
    pub fn load_place(&self) -> Option<&LoadPlace> {
        self.generators.first()
    }

    /// How many generators send the load as one; 1 where it is sent from the machine that pgdyno runs on.
    #[must_use]
    pub fn generator_count(&self) -> u32 {
        self.load_place().map_or(1, LoadPlace::generator_count)
    }

    /// The pod that the load is sent from, or each of several, if it is sent from Kubernetes.
    #[must_use]
    pub fn load_pod(&self) -> Option<&LoadPod> {
        match &self.load_place()?.at {
            LoadAt::Pod(pod) => Some(pod),
            LoadAt::Ssh { .. } => None,
        }
    }

    /// What is made in Kubernetes to send the load from there, with the passwords of these targets; none if it is sent
    /// from elsewhere.
    #[must_use]
    pub fn load_objects(&self, passwords: &BTreeMap<String, PasswordFrom>) -> Option<MadeObjects> {
        let place = self.load_place()?;
        let pod = self.load_pod()?;
        let name = object_name_with_hash(
            "pgdyno-load",
            &place.name,
            &format!("{}{}", place.name, self.seed.unwrap_or_default()),
        );
        let own = passwords.iter().filter(|(_, from)| **from == PasswordFrom::Own);
        let own: Map<String, Json> =
            own.map(|(target, _)| (password_variable(self, target), json!(PasswordFrom::stand_in(target)))).collect();
        let secret = json!({
            "apiVersion": "v1", "kind": "Secret", "metadata": object_metadata(&name, &name), "stringData": own,
        });
        let secret = (!own.is_empty()).then_some(secret);
        // Behind the Job, with which it goes.
        let objects = [self.load_job(&name, pod, passwords)].into_iter().chain(secret).collect();
        let namespace = pod.namespace.as_ref().map(|name| name.0.as_str());
        Some(MadeObjects::new_in_namespace(name, namespace, objects))
    }

    /// Where the passwords will be, as far as that is known before the servers are found.
    #[must_use]
    pub fn passwords_to_be_found(&self) -> BTreeMap<String, PasswordFrom> {
        let Some(pod) = self.load_pod() else { return BTreeMap::new() };
        let from = |target: &Target| {
            let owner = self.owner_of_server(target);
            let from = match &owner.reach {
                Reach::Kubernetes(kubernetes) => self.secret_of(owner, kubernetes, pod),
                Reach::Url(_) => PasswordFrom::Own,
                Reach::Local(_) | Reach::Shared(_) => return None,
            };
            Some((target.name.clone(), from))
        };
        self.targets.iter().filter_map(from).collect()
    }

    fn secret_of(&self, owner: &Target, kubernetes: &Kubernetes, pod: &LoadPod) -> PasswordFrom {
        if (&kubernetes.namespace, &kubernetes.context) != (&pod.namespace, &pod.context) {
            return PasswordFrom::Own;
        }
        let of = |name: &str| SecretKeyReference { secret: name.to_owned(), key: PASSWORD.to_owned() };
        let named = kubernetes.secret.as_ref().map(|ObjectName(name)| of(name));
        let made = || self.objects_of_target(owner).map(|objects| of(&format!("{}-app", objects.name)));
        let secret = match &kubernetes.server {
            InKubernetes::Cluster(ObjectName(name)) => named.or_else(|| Some(of(&format!("{name}-app")))),
            InKubernetes::Create(of) => match &**of {
                Made::Cnpg(_) | Made::Pod(_) | Made::StatefulSet(_) => made(),
            },
            InKubernetes::Pods(_) | InKubernetes::ServerOf(_) => named,
        };
        secret.map_or(PasswordFrom::Own, PasswordFrom::Secret)
    }

    fn load_job(&self, name: &str, pod: &LoadPod, passwords: &BTreeMap<String, PasswordFrom>) -> Json {
        let lives_at_most_s = LIVES_BESIDE_S + self.load_at_most_s();
        let mut job = json!({
            "apiVersion": "batch/v1", "kind": "Job", "metadata": object_metadata(name, name),
            "spec": {
                // A pod that is lost takes its trial with it: another one in its place would not be known of.
                "backoffLimit": 0,
                "activeDeadlineSeconds": lives_at_most_s,
                "ttlSecondsAfterFinished": LIVES_BESIDE_S,
                "template": {
                    "metadata": { "labels": object_labels(name) },
                    "spec": self.load_pod_spec(name, pod, passwords, lives_at_most_s),
                },
            },
        });
        if pod.count > 1 {
            job["spec"]["completionMode"] = json!("Indexed");
            job["spec"]["parallelism"] = json!(pod.count);
            job["spec"]["completions"] = json!(pod.count);
            // One that is lost takes the others with it: its clients are nobody's.
            job["spec"]["podFailurePolicy"] = json!({ "rules": [
                { "action": "FailJob", "onPodConditions": [{ "type": "DisruptionTarget", "status": "True" }] },
                { "action": "FailJob", "onExitCodes": { "operator": "NotIn", "values": [0] } },
            ]});
        }
        job
    }

    /// Twice the time of all trials that there may be.
    fn load_at_most_s(&self) -> u64 {
        let mut of_a_block_s: u64 = 0;
        for workload in &self.workloads {
            let phases_s = self.phases_of_workload(workload).total_duration().as_secs().saturating_add(30);
            of_a_block_s = of_a_block_s.saturating_add(self.trials_of_workload(workload).saturating_mul(phases_s));
        }
        let sides = u64::try_from(self.sides_per_comparison()).unwrap_or(u64::MAX);
        let all_s = sides.saturating_mul(of_a_block_s).saturating_mul(u64::from(self.blocks.at_most));
        // Kubernetes takes 31 bits of seconds.
        all_s.saturating_mul(2).min(1 << 30)
    }

    fn load_pod_spec(
        &self,
        name: &str,
        pod: &LoadPod,
        passwords: &BTreeMap<String, PasswordFrom>,
        lives_at_most_s: u64,
    ) -> Json {
        let variable = |(target, from): (&String, &PasswordFrom)| {
            let variable = password_variable(self, target);
            let (secret, key) = match from {
                PasswordFrom::Secret(SecretKeyReference { secret, key }) => (secret.as_str(), key.as_str()),
                PasswordFrom::Own => (name, variable.as_str()),
            };
            json!({ "name": variable, "valueFrom": { "secretKeyRef": { "name": secret, "key": key } } })
        };
        let mut resources = match pod.cpus {
            // Equal requests and limits of whole CPUs: they are its own where the kubelet gives such out.
            Some(cpus) => json!({ "requests": { "cpu": cpus.to_string(), "memory": pod.memory.0 } }),
            None => json!({ "requests": { "cpu": "100m", "memory": pod.memory.0 } }),
        };
        if pod.cpus.is_some() {
            resources["limits"] = resources["requests"].clone();
        }
        let container = json!({
            "name": PGDYNO,
            "image": pod.image,
            "command": ["sleep", lives_at_most_s.to_string()],
            "env": passwords.iter().map(variable).collect::<Vec<_>>(),
            "resources": resources,
            "securityContext": restricted_container(),
        });
        let mut security = restricted_pod(USER);
        if let Some(profile) = &pod.seccomp_profile {
            security["seccompProfile"] = json!({ "type": "Localhost", "localhostProfile": profile });
        }
        let mut spec = Map::new();
        if !pod.node_selector.is_empty() {
            spec.insert("nodeSelector".to_owned(), json!(pod.node_selector));
        }
        if !pod.tolerations.is_empty() {
            spec.insert("tolerations".to_owned(), toleration_list(&pod.tolerations));
        }
        if pod.count > 1 && pod.spread == PodSpread::Node {
            spec.insert("affinity".to_owned(), apart_by_node(name));
        }
        let rest = json!({
            "restartPolicy": "Never",
            "terminationGracePeriodSeconds": 0,
            "automountServiceAccountToken": false,
            "enableServiceLinks": false,
            "securityContext": security,
            "containers": [container],
        });
        if let Json::Object(rest) = rest {
            spec.extend(rest);
        }
        Json::Object(spec)
    }
}

/// No two pods of the same Job on one node.
fn apart_by_node(name: &str) -> Json {
    let selector = json!({ "matchLabels": { SERVER: name } });
    let apart = json!([{ "labelSelector": selector, "topologyKey": "kubernetes.io/hostname" }]);
    json!({ "podAntiAffinity": { "requiredDuringSchedulingIgnoredDuringExecution": apart } })
}
