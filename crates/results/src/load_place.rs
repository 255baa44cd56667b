//! `generator.json`: where the load of a run was sent from, when not from the machine that pgdyno ran on.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// The newest format of `generator.json`.
pub const FORMAT: u32 = 1;

/// What a generator on another machine turned out to be, before the first trial.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoadPlaceFacts {
    /// Format version, [`FORMAT`] when written by this build.
    pub format: u32,
    /// Its name in the plan.
    pub name: String,
    /// When it was asked.
    pub read_at: Timestamp,
    /// Where it is.
    pub place: GeneratorPlace,
    /// Version of its pgdyno.
    pub pgdyno_version: String,
    /// CPUs that it may use.
    pub cpus: u32,
    /// Release of its kernel.
    pub kernel: String,
    /// Model of its first CPU; absent where that is not told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_model: Option<String>,
    /// Why it may not use io_uring, so that every side of every comparison used epoll; absent where it may.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub io_uring_refused: Option<String>,
    /// By how much the offset of its clock may be wrong, in microseconds: half of the shortest round trip.
    pub clock_error_us: u64,
}

/// Where a generator is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GeneratorPlace {
    /// In a pod.
    Pod {
        /// The context of the kubeconfig; absent: the current one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        context: Option<String>,
        /// The namespace.
        namespace: String,
        /// The pod.
        pod: String,
        /// Its node.
        node: Option<String>,
        /// Its image.
        image: String,
        /// Whole CPUs of its own; absent where it shares them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        own_cpus: Option<u32>,
    },
    /// On a host that ssh leads to.
    Ssh {
        /// As ssh took it.
        destination: String,
    },
}

impl LoadPlaceFacts {
    /// What its figures depend on, in words.
    fn deciding_facts(&self) -> [(&'static str, String); 4] {
        let io_uring = if self.io_uring_refused.is_some() { "forbidden" } else { "allowed" };
        [
            ("io_uring", io_uring.to_owned()),
            ("its CPUs", self.cpus.to_string()),
            ("its CPU model", self.cpu_model.clone().unwrap_or_else(|| "unknown".to_owned())),
            ("its kernel", self.kernel.clone()),
        ]
    }

    /// In what another one is another generator: what its figures depend on; none if in nothing.
    #[must_use]
    pub fn differs_from(&self, other: &Self) -> Option<String> {
        let differing = self.deciding_facts().into_iter().zip(other.deciding_facts()).find(|(one, other)| one != other);
        differing.map(|((what, was), (_, is))| format!("{what} was {was}, is {is}"))
    }
}
