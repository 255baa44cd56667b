//! Where the load comes from when not from the machine that pgdyno runs on: a pod of a Kubernetes cluster, or a host
//! that is reached by ssh. One place for the whole plan, so that every comparison has the same one.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::disk::Volume;
use super::kubernetes::ObjectName;
use super::language::{Entries, Fields, Findings, HasName, Key, Keys, List, Record, Text, Whole, record};
use super::made::{Labels, Quantity, Toleration};

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
    /// A pod from which the load is sent: made before the first trial, and removed at the end.
    pub struct LoadPod = "a generator in Kubernetes" {
        /// The namespace of it.
        key namespace: Option<ObjectName> = Open("that of the context"),
        /// A context of your kubeconfig, which is found as kubectl finds it.
        key context: Option<String> as Option<Text> = Open("the current one; within a cluster its own"),
        /// How many pods. Only one can send by now.
        key count: u32 as Whole<1, 1000> = Default("1"),
        /// Whole CPUs of its own: its requests equal its limits, so that a kubelet that gives out CPUs pins it.
        key cpus: Option<u32> as Option<Whole<1, 1024>> = Absent("as many as there are, shared with others"),
        /// Memory that is kept for it, and the most that it gets where it has CPUs of its own.
        key memory: Quantity = Default(LoadPod::MEMORY),
        /// The image of the pod: pgdyno of the version that directs it, and `sleep`.
        key image: String as Text = Default(Volume::IMAGE),
        /// Labels of the nodes that it may run on.
        key node_selector: BTreeMap<String, String> as Labels = Absent("any node"),
        /// Taints of nodes that it tolerates, as `kubectl taint` writes them: `dedicated=load:NoSchedule`.
        key tolerations: Vec<Toleration> as List<Toleration, 0> = Default("[]"),
        /// A seccomp profile on the nodes, by its path below the kubelet's own, in place of the container runtime's
        /// default: whether that allows io_uring depends on the runtime.
        key seccomp_profile: Option<String> as Option<Text> = Open("the container runtime's default"),
    }
}

impl LoadPod {
    /// The memory unless another figure is named.
    pub const MEMORY: &str = "512Mi";
}

record! {
    /// A place from which the load is sent.
    struct LoadPlaceKeys = "a generator" {
        /// From a pod of a Kubernetes cluster, on a node of your choice. What it measured comes back by `pods/exec`;
        /// passwords reach it by reference to a Secret only.
        key kubernetes: Option<LoadPod> = OneOf("give `kubernetes` or `ssh`"),
        /// From a host over your own ssh, to this destination: a host, `user@host`, or a name of ~/.ssh/config. No
        /// password is asked for.
        key ssh: Option<String> as Option<Text> = OneOf("give `kubernetes` or `ssh`"),
        /// Where pgdyno is on that host, in the version that directs it.
        key pgdyno: Option<PathBuf> = Needs("ssh", "`pgdyno`, found on the PATH there; for `ssh` only"),
    }
}

impl Keys for LoadPlace {
    fn keys() -> Vec<Key> {
        LoadPlaceKeys::keys()
    }

    fn read_keys(findings: &mut Findings, fields: &Fields<'_>) -> Option<Self> {
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

    fn write_keys(&self, to: &mut Entries) {
        let (kubernetes, ssh, pgdyno) = match self.at.clone() {
            LoadAt::Pod(pod) => (Some(*pod), None, None),
            LoadAt::Ssh { destination, pgdyno } => (None, Some(destination), Some(pgdyno)),
        };
        LoadPlaceKeys { kubernetes, ssh, pgdyno }.write_keys(to);
    }
}

impl Record for LoadPlace {
    const TITLE: &'static str = LoadPlaceKeys::TITLE;
    const DOC: &'static str = LoadPlaceKeys::DOC;
}

impl HasName for LoadPlace {
    fn name(&self) -> &str {
        &self.name
    }
}
