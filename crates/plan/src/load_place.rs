//! Where the load comes from when not from the machine that pgdyno runs on: a pod of a Kubernetes cluster, or a host
//! that is reached by ssh. One place for the whole plan, so that every comparison has the same one.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::disk::Volume;
use super::language::{
    HasName, Key, List, MappingEntries, MappingFields, MappingKeys, MappingRecord, PlanReadingFindings, TextForm,
    Whole, record,
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

/// Where a load is sent from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoadAt {
    /// From a pod that is made for it.
    Pod(Box<LoadPod>),
    /// From another host.
    Ssh {
        /// As ssh takes it: a host, `user@host`, or a name of ~/.ssh/config.
        destination: String,
        /// pgdyno there.
        pgdyno: PathBuf,
    },
}

record! {
    /// A pod that sends the load. pgdyno creates it before the first trial and removes it at the end.
    pub struct LoadPod = "a generator in Kubernetes" {
        /// Namespace.
        key namespace: Option<ObjectName> = Open("the namespace of the context"),
        /// Context of your kubeconfig. pgdyno finds the kubeconfig as kubectl does.
        key context: Option<String> as Option<TextForm> = Open("the current context; inside a cluster, that cluster"),
        /// Number of pods. Only 1 is currently supported.
        key count: u32 as Whole<1, 1000> = Default("1"),
        /// Whole CPUs for the pod, as request and limit, so that a kubelet with static CPU management pins it.
        key cpus: Option<u32> as Option<Whole<1, 1024>> = Absent("no request and no limit"),
        /// Memory request of the pod, and its limit if `cpus` is set.
        key memory: KubernetesQuantity = Default(LoadPod::MEMORY),
        /// Container image with `sleep` and with pgdyno of the same version as here. The nodes must have the default
        /// image already: no registry has it.
        key image: String as TextForm = Default(Volume::IMAGE),
        /// Labels of the nodes on which it may run.
        key node_selector: BTreeMap<String, String> as Labels = Absent("any node"),
        /// Taints that it tolerates, as `kubectl taint` writes them: `dedicated=load:NoSchedule`.
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
    /// The host or pod that sends the load.
    struct LoadPlaceKeys = "a generator" {
        /// Send the load from a pod of a Kubernetes cluster. The results are returned by `pods/exec`. Passwords are
        /// passed only by reference to a Secret.
        key kubernetes: Option<LoadPod> = OneOf("one of `kubernetes`, `ssh` is required"),
        /// SSH destination of the host that sends the load: a host, `user@host`, or a name from ~/.ssh/config. pgdyno
        /// does not prompt for passwords.
        key ssh: Option<String> as Option<TextForm> = OneOf("one of `kubernetes`, `ssh` is required"),
        /// Path of pgdyno on that host. It must have the same version as pgdyno here.
        key pgdyno: Option<PathBuf> = Needs("ssh", "`pgdyno` on the PATH of that host; only with `ssh`"),
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
            (None, Some(destination)) => {
                LoadAt::Ssh { destination, pgdyno: pgdyno.unwrap_or_else(|| PathBuf::from("pgdyno")) }
            }
            // That has been reported.
            (Some(_), Some(_)) | (None, None) => return None,
        };
        Some(Self { name: fields.name.to_owned(), at })
    }

    fn write_keys(&self, to: &mut MappingEntries) {
        let (kubernetes, ssh, pgdyno) = match self.at.clone() {
            LoadAt::Pod(pod) => (Some(*pod), None, None),
            LoadAt::Ssh { destination, pgdyno } => (None, Some(destination), Some(pgdyno)),
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
