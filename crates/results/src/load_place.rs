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
    /// The other generators that send the load together with this one, each a part of the clients; empty where there is
    /// one. Their names are that of the plan, and their numbers from 1, such as `farm/2`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<LoadPlaceFacts>,
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
    /// All generators that send the load, this one first.
    pub fn all_generators(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(&self.others)
    }

    /// In what other ones are other generators: what their figures depend on; none if in nothing.
    #[must_use]
    pub fn differs_from(&self, other: &Self) -> Option<String> {
        if self.others.len() != other.others.len() {
            return Some(format!("its count was {}, is {}", self.others.len() + 1, other.others.len() + 1));
        }
        let mut pairs = self.all_generators().zip(other.all_generators());
        pairs.find_map(|(one, other)| one.member_differs_from(other))
    }

    /// How the machine of another generator is another one than that of this one, in words: `4 CPUs, not 2`.
    #[must_use]
    pub fn machine_differs_in_words(&self, other: &Self) -> Option<String> {
        let (what, of_this, of_other) = self.first_difference(other)?;
        Some(format!("{what}: {of_other}, not {of_this}"))
    }

    fn member_differs_from(&self, other: &Self) -> Option<String> {
        self.first_difference(other).map(|(what, was, is)| format!("{what} was {was}, is {is}"))
    }

    fn first_difference(&self, other: &Self) -> Option<(&'static str, String, String)> {
        let differing = self.deciding_facts().into_iter().zip(other.deciding_facts()).find(|(one, other)| one != other);
        differing.map(|((what, of_this), (_, of_other))| (what, of_this, of_other))
    }

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
}
