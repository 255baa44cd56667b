//! Where the load comes from when not from the machine that pgdyno runs on: pods of a Kubernetes cluster, or hosts that
//! are reached by ssh. One place for the whole plan, so that every comparison has the same one. Several pods or hosts
//! send the load as one generator, each a part of the clients.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::disk::Volume;
use super::language::{
    HasName, Key, List, MappingEntries, MappingFields, MappingKeys, MappingRecord, PlanReadingFindings, TextForm,
    Whole, record, words,
};
use super::made::{KubernetesQuantity, Labels, Toleration};
use super::object_name::ObjectName;

/// A place from which the load is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadPlace {
    /// Its name in the plan.
    pub name: String,
    /// Where it is.
    pub at: LoadAt,
}

impl LoadPlace {
    /// How many pods or hosts send the load, each a part of it.
    #[must_use]
    pub fn generator_count(&self) -> u32 {
        match &self.at {
            LoadAt::Pod(pod) => pod.count,
            LoadAt::Ssh { destinations, .. } => u32::try_from(destinations.len()).unwrap_or(u32::MAX),
        }
    }
}

/// Where a load is sent from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoadAt {
    /// From a pod that is made for it.
    Pod(Box<LoadPod>),
    /// From another host, or several.
    Ssh {
        /// As ssh takes them: a host, `user@host`, or a name of ~/.ssh/config; at least one.
        destinations: Vec<String>,
        /// pgdyno there.
        pgdyno: PathBuf,
    },
}

words! {
    /// On which nodes the pods of a generator are.
    PodSpread {
        Any = "any", "wherever the scheduler of Kubernetes puts them";
        Node = "node", "each on a node of its own";
    }
}

record! {
    /// Pods that send the load. pgdyno creates them before the first trial and removes them at the end.
    pub struct LoadPod = "a generator in Kubernetes" {
        /// Namespace.
        key namespace: Option<ObjectName> = Open("the namespace of the context"),
        /// Context of your kubeconfig. pgdyno finds the kubeconfig as kubectl does.
        key context: Option<String> as Option<TextForm> = Open("the current context; inside a cluster, that cluster"),
        /// Number of pods. Several send the load as one generator: each has a part of the clients.
        key count: u32 as Whole<1, 1000> = Default("1"),
        /// On which nodes several pods are.
        key spread: PodSpread = Default("any"),
        /// Whole CPUs for each pod, as request and limit, so that a kubelet with static CPU management pins it.
        key cpus: Option<u32> as Option<Whole<1, 1024>> = Absent("no request and no limit"),
        /// Memory request of each pod, and its limit if `cpus` is set.
        key memory: KubernetesQuantity = Default(LoadPod::MEMORY),
        /// Container image with `sleep` and with pgdyno of the same version as here. The nodes must have the default
        /// image already: no registry has it.
        key image: String as TextForm = Default(Volume::IMAGE),
        /// Labels of the nodes on which they may run.
        key node_selector: BTreeMap<String, String> as Labels = Absent("any node"),
        /// Taints that they tolerate, as `kubectl taint` writes them: `dedicated=load:NoSchedule`.
        key tolerations: Vec<Toleration> as List<Toleration, 0> = Default("[]"),
        /// seccomp profile on the nodes, as a path relative to the profile directory of the kubelet. Whether the
        /// default profile of the container runtime permits io_uring depends on the runtime.
        key seccomp_profile: Option<String> as Option<TextForm> = Open("the container runtime's default"),
    }
}

impl LoadPod {
    /// The memory unless another figure is named.
    pub const MEMORY: &str = "512Mi";
}

record! {
    /// The hosts or pods that send the load.
    struct LoadPlaceKeys = "a generator" {
        /// Send the load from pods of a Kubernetes cluster. The results are returned by `pods/exec`. Passwords are
        /// passed only by reference to a Secret.
        key kubernetes: Option<LoadPod> = OneOf("one of `kubernetes`, `ssh` is required"),
        /// SSH destination of the host that sends the load: a host, `user@host`, or a name from ~/.ssh/config. A list
        /// names several hosts, which send the load as one generator: each has a part of the clients. pgdyno does not
        /// prompt for passwords.
        key ssh: Option<Vec<String>> as Option<List<TextForm, 1>> = OneOf("one of `kubernetes`, `ssh` is required"),
        /// Path of pgdyno on these hosts. It must have the same version as pgdyno here.
        key pgdyno: Option<PathBuf> = Needs("ssh", "`pgdyno` on the PATH of these hosts; only with `ssh`"),
    }
}

impl MappingKeys for LoadPlace {
    fn list_keys() -> Vec<Key> {
        LoadPlaceKeys::list_keys()
    }

    fn read_keys(findings: &mut PlanReadingFindings, fields: &MappingFields<'_>) -> Option<Self> {
        let LoadPlaceKeys { kubernetes, ssh, pgdyno } = LoadPlaceKeys::read_keys(findings, fields)?;
        let at = match (kubernetes, ssh) {
            (Some(pod), None) => LoadAt::Pod(Box::new(pod)),
            (None, Some(destinations)) => {
                LoadAt::Ssh { destinations, pgdyno: pgdyno.unwrap_or_else(|| PathBuf::from("pgdyno")) }
            }
            // That has been reported.
            (Some(_), Some(_)) | (None, None) => return None,
        };
        Some(Self { name: fields.name.to_owned(), at })
    }

    fn write_keys(&self, to: &mut MappingEntries) {
        let (kubernetes, ssh, pgdyno) = match self.at.clone() {
            LoadAt::Pod(pod) => (Some(*pod), None, None),
            LoadAt::Ssh { destinations, pgdyno } => (None, Some(destinations), Some(pgdyno)),
        };
        LoadPlaceKeys { kubernetes, ssh, pgdyno }.write_keys(to);
    }
}

impl MappingRecord for LoadPlace {
    const TITLE: &'static str = LoadPlaceKeys::TITLE;
    const DOC: &'static str = LoadPlaceKeys::DOC;
}

impl HasName for LoadPlace {
    fn name(&self) -> &str {
        &self.name
    }
}
