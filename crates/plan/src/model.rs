//! What a plan says, declared once: the structs of the model are the keys of the language (see `language.rs`).
//!
//! A `Plan` comes from [`parse`](super::parse_plan) only, which has checked all that can be checked without a server.
//! Targets, workloads and clients keep the order of the file. What only the machine can supply (`threads`, `seed`) is
//! optional here until [`Plan::complete_with_defaults`] fills it in.

use std::collections::BTreeSet;
use std::time::Duration;

use super::beside::BesideLoad;
use super::blocks::BlockRepetition;
use super::cache::Cache;
use super::comparisons::{ComparedTargets, OneOrMoreLists};
use super::difference::{AllowedDifference, Aspect};
use super::disk::DiskPlan;
use super::event::Event;
use super::interleave::Interleave;
use super::kubernetes::Kubernetes;
use super::language::{
    AtLeastMs, List, NamedValues, OrNone, SettingsByName, TargetName, TextForm, ValueSequence, Whole, record, words,
};
use super::load_place::LoadPlace;
use super::margin::Margin;
use super::profile::ProfileFrequency;
use super::sized_workloads::Workloads;
use super::sizes::CLIENTS_MAX;
use super::target::{Target, Way};
use super::units::Percent;
use super::variants::Targets;
use super::workload::Workload;

/// The aspects and settings of `may_differ`.
type Differences = List<AllowedDifference, 0, BTreeSet<AllowedDifference>>;

record! {
    /// The whole file: targets, workloads, and how they are measured.
    pub struct Plan = "the plan" {
        /// The question that the experiment answers. It is the title of the report and part of the name of the run
        /// directory.
        key name: String as TextForm,
        /// Who measures, for the reader of the report.
        key author: Option<String> as Option<TextForm> = Absent("no author is printed"),
        /// For whom it is measured, for the reader of the report.
        key customer: Option<String> as Option<TextForm> = Absent("no customer is printed"),
        /// What the reader of the report has to know, a line each. `report --redact` keeps it.
        key notes: Vec<String> as List<TextForm, 0, Vec<String>> = Default("[]"),
        /// The PostgreSQL servers to measure, by name (letters, digits, `_`, `.`, `-`). Each of them is compared with
        /// the one named in `baseline`.
        key targets: Vec<Target> as Targets,
        /// Target that the others are compared with.
        key baseline: String as TargetName,
        /// Pairs of targets that are also compared with each other, each as `[candidate, baseline]`: what the first
        /// gains over the second. A variant is named `target/variant`. The trials are those of the plan; a pair costs
        /// none.
        key compare: Vec<ComparedTargets> as OneOrMoreLists<ComparedTargets> =
            Absent("none; the targets are compared only with the baseline"),
        /// Targets in an order in which each adds one layer to the previous one. Each step is also compared
        /// separately. A list of such lists makes several ladders, which may share targets.
        key ladder: Vec<Vec<String>> as OneOrMoreLists<ValueSequence<TargetName>> =
            Absent("none; the targets are compared only with the baseline"),
        /// Aspects and PostgreSQL settings that may differ between the targets. pgdyno reports every other difference
        /// as a confounder. Settings that the plan itself gives different values (`settings`, `initdb`) need not be
        /// listed.
        key may_differ: BTreeSet<AllowedDifference> as Differences = Default("[]"),
        /// The host or pod that sends the load, by a name of your choice. All targets share it.
        key generators: Vec<LoadPlace> as OrNone<NamedValues<LoadPlace>> =
            Absent("the machine on which pgdyno runs"),
        /// The workloads to run, by name (letters, digits, `_`, `.`, `-`).
        key workloads: Vec<Workload> as Workloads,
        /// Numbers of clients. Every workload without `clients` of its own is measured with every number. Each client
        /// has one connection and one transaction in progress at a time. In a closed loop it sends the next transaction
        /// after the answer to the last one. In an open loop (`rate`) it takes the next arrival when it is free.
        key clients: Vec<u32> as List<Whole<1, CLIENTS_MAX>, 1>,
        /// Number of threads of the load engine, limited to the number of clients.
        key threads: Option<u32> as Option<Whole<1, 1024>> =
            Open("half of the CPUs of the machine on which pgdyno runs, from 1 to 8; for a generator with `cpus`, that number"),
        /// Duration of the phases of every trial, for workloads without `trial` of their own. If the sides alternate
        /// within a trial, each side has this much time.
        key trial: TrialPhases = Default("{}"),
        /// Events that pgdyno causes in every trial, by name. The report shows the effects of each event and compares
        /// the targets by them.
        key events: Vec<Event> as OrNone<NamedValues<Event>> = Absent("no events"),
        /// Loads that run on the server of every target while a workload is measured, by name: a report, a backup, an
        /// index build. A target with a key `beside` of its own has only those that it names.
        key beside: Vec<BesideLoad> as OrNone<NamedValues<BesideLoad>> = Absent("none"),
        /// How the sides of a comparison alternate, for workloads without a key `interleave` of their own.
        key interleave: Option<Interleave> = Open("`slices` for workloads that only read, if possible, else `trials`"),
        /// Duration of a slice when the sides alternate within a trial; 50 ms to 500 ms is recommended. During a longer
        /// slice, more disturbances affect only one side. If the warm-up shows that the mean transaction of a side is
        /// longer than 1/20 of it, the measured slices last 20 such transactions, or `measure` if that is shorter.
        key slice: Duration as AtLeastMs<50> = Default("250ms"),
        /// Number of repetitions. A block is one trial of every target, workload and number of clients.
        key blocks: BlockRepetition = Default("{}"),
        /// The smallest change worth acting on. If the whole interval is within ± this value, the verdict is
        /// `equivalent`.
        key practical_threshold: Percent = Default("3%"),
        /// Threshold for secondary metrics: CPU time, WAL, blocks, temporary files and statement time per transaction,
        /// and latencies other than the primary metric.
        key costs: Margin = Default("{}"),
        /// Threshold for statements, by the mean time of one execution.
        key statements: Margin = Default("{}"),
        /// Settings by which `pgdyno tune` may trade safety for speed. Without this key it does not change them.
        key may_risk: BTreeSet<Risk> as List<Risk, 0, BTreeSet<Risk>> = Default("[]"),
        /// Codes (`pgdyno rule` lists them) that reports leave out. Each report says which.
        key ignore: Vec<String> as List<TextForm, 0, Vec<String>> = Default("[]"),
        /// Measure the baseline a second time in every comparison (A/A). If the baseline differs from itself, the
        /// comparison has a caveat. This costs one more trial per comparison.
        key noise_floor: bool = Default("false"),
        /// Read host and server statistics once per second, and sample sessions ten times per second. With `false`,
        /// only the figures of the load remain, without a time budget and a diagnosis.
        key probes: bool = Default("true"),
        /// Measure the cost of the probes: in every pair of 0.2 s intervals they pause during one, chosen at random,
        /// and the report shows the difference in throughput. Diagnosis and time budget then have half the samples.
        /// Requires the load engine of pgdyno.
        key observer_cost: bool = Default("false"),
        /// How many times per second of CPU time pgdyno samples which function the processes of the server execute,
        /// where it runs on the host of the server and may do so. `off` takes no samples, nor looks at where they
        /// sleep.
        key profile: ProfileFrequency = Default("99"),
        /// Measure the disk of every target with fio before the first trial. `{}` selects the jobs of `pgdyno disk`.
        key disk: Option<DiskPlan> = Absent("no disk is measured"),
        /// Rehearse an upgrade from the version of the baseline to that of the candidates. Before the first trial, each
        /// server plans all captured statements, without executing them: with the statistics of the planner missing,
        /// kept and analyzed. The report has what differs, and the durations of restore and ANALYZE. For `captured`
        /// workloads on `local` targets with `data`.
        key rehearse_upgrade: bool = Default("false"),
        /// Seed of the trial order and of the random numbers of the workloads. The same plan with the same seed
        /// executes the same operations in the same order.
        key seed: Option<u64> as Option<Whole<0, { u64::MAX }, u64>> =
            Open("random for every run, and recorded in its plan.yaml"),
    }
}

words! {
    /// Durability that a setting gives up.
    #[derive(PartialOrd, Ord)]
    Risk {
        SynchronousCommit = "synchronous_commit", "the most recent acknowledged transactions may be lost in a crash or failover";
    }
}

record! {
    /// Duration of the phases of every trial. If the sides alternate within a trial, each side has this much time.
    #[derive(Copy)]
    pub struct TrialPhases = "trial" {
        /// Load before the measurement, until caches and plans are stable. Its figures do not count.
        key warm_up: Duration as AtLeastMs<0> = Default("10s"),
        /// Load whose figures count. If this phase is too short, the noise between blocks exceeds what `until` accepts.
        key measure: Duration as AtLeastMs<100> = Default("60s"),
    }
}

impl TrialPhases {
    /// Both together.
    #[must_use]
    pub fn total_duration(self) -> Duration {
        self.warm_up + self.measure
    }
}

/// The fact of who follows a server, as comparisons call it.
pub const STANDBYS: &str = "standbys";

/// Facts that differ with the file system below the data, as comparisons call them: a loop device has its own.
const FACTS_OF_FILESYSTEMS: [&str; 7] = [
    "data disk",
    "data disk: I/O scheduler",
    "data disk: made of",
    "data disk: read-ahead (KiB)",
    "data disk: vendor",
    "data disk: write cache",
    "file system",
];

/// Facts that differ with the limits of a server, as comparisons call them.
const FACTS_OF_LIMITS: [&str; 5] = [
    "CPU affinity of the server",
    "CPU limit (cgroup)",
    "data disk: I/O scheduler",
    "data disk: read-ahead (KiB)",
    "memory limit (cgroup)",
];

impl Plan {
    /// The target that the others are compared with.
    #[must_use]
    pub fn baseline_target(&self) -> &Target {
        self.target_by_name(&self.baseline).expect("parse refuses a baseline that is no target")
    }

    /// Whether the server of a target is restarted before every block.
    #[must_use]
    pub fn is_restarted_before_blocks(&self, target: &Target) -> bool {
        self.blocks.restart && target.reach.can_restart()
    }

    /// The targets that are compared with the baseline, in the order of the file.
    pub fn candidate_targets(&self) -> impl Iterator<Item = &Target> {
        self.targets.iter().filter(|target| target.name != self.baseline)
    }

    /// The target of this name.
    #[must_use]
    pub fn target_by_name(&self, name: &str) -> Option<&Target> {
        self.targets.iter().find(|target| target.name == name)
    }

    /// The target whose server it is, itself or another one.
    pub(super) fn owner_of_server<'p>(&'p self, target: &'p Target) -> &'p Target {
        target.reach.server_of().and_then(|owner| self.target_by_name(owner)).unwrap_or(target)
    }

    /// The numbers of clients with which a workload is measured: its own, or those of the plan.
    #[must_use]
    pub fn clients_of_workload<'a>(&'a self, workload: &'a Workload) -> &'a [u32] {
        workload.clients.as_deref().unwrap_or(&self.clients)
    }

    /// The largest number of clients of a workload.
    #[must_use]
    pub fn most_clients_of_workload(&self, workload: &Workload) -> u32 {
        self.clients_of_workload(workload).iter().copied().max().unwrap_or_default()
    }

    /// The largest number of clients of all workloads.
    #[must_use]
    pub fn most_clients(&self) -> u32 {
        self.workloads.iter().map(|workload| self.most_clients_of_workload(workload)).max().unwrap_or_default()
    }

    /// The trials of a workload on a target in one block, at most.
    pub(crate) fn trials_of_workload(&self, workload: &Workload) -> u64 {
        u64::from(workload.trials_at_most()) * self.clients_of_workload(workload).len() as u64
    }

    /// The phases of the trials of a workload: its own, or those of the plan.
    #[must_use]
    pub fn phases_of_workload(&self, workload: &Workload) -> TrialPhases {
        TrialPhases {
            warm_up: workload.trial.warm_up.unwrap_or(self.trial.warm_up),
            measure: workload.trial.measure.unwrap_or(self.trial.measure),
        }
    }

    /// The workload of this name.
    #[must_use]
    pub fn workload_by_name(&self, name: &str) -> Option<&Workload> {
        self.workloads.iter().find(|workload| workload.name == name)
    }

    /// What may differ: the plan's `may_differ`, and every setting and way that the plan itself gives to the targets
    /// unlike, since that is what it compares.
    #[must_use]
    pub fn allowed_differences(&self) -> BTreeSet<AllowedDifference> {
        let given: Vec<SettingsByName> = self.targets.iter().map(Target::given_settings).collect();
        let names: BTreeSet<&String> = given.iter().flat_map(SettingsByName::keys).collect();
        let varied =
            names.into_iter().filter(|name| given.iter().any(|settings| settings.get(*name) != given[0].get(*name)));
        let aspects = self.varied_aspects().map(AllowedDifference::Aspect);
        let mut allowed: BTreeSet<AllowedDifference> = self
            .may_differ
            .iter()
            .cloned()
            .chain(varied.cloned().map(AllowedDifference::Setting))
            .chain(aspects)
            .collect();
        let filesystem = |target: &Target| target.machine.filesystem;
        if self.targets.iter().any(|target| filesystem(target) != filesystem(&self.targets[0])) {
            allowed.extend(FACTS_OF_FILESYSTEMS.map(AllowedDifference::Fact));
        }
        // Each has a loop device of its own.
        if self.targets.iter().any(|target| target.machine.filesystem.is_some()) {
            allowed.insert(AllowedDifference::Fact("data disk"));
        }
        if self.targets.iter().any(|target| target.machine.limits != self.targets[0].machine.limits) {
            allowed.extend(FACTS_OF_LIMITS.map(AllowedDifference::Fact));
        }
        let standby = |target: &Target| target.reach.local_standby();
        if self.targets.iter().any(|target| standby(target) != standby(&self.targets[0])) {
            allowed.insert(AllowedDifference::Fact(STANDBYS));
        }
        // They are reserved from one target's start on, so that those that start later see them, too.
        if self.targets.iter().any(|target| target.machine.huge_pages == Some(true)) {
            allowed.insert(AllowedDifference::Fact("vm.nr_hugepages"));
        }
        allowed
    }

    /// What is in the caches when a trial of this target with this workload begins.
    #[must_use]
    pub fn cache_of_trial(&self, target: &Target, workload: &Workload) -> Cache {
        target.cache.unwrap_or(workload.cache)
    }

    /// The aspects in which the plan itself makes targets of one kind unlike, by the ways to them.
    fn varied_aspects(&self) -> impl Iterator<Item = Aspect> {
        let in_kubernetes = self.targets.iter().filter_map(|target| target.reach.as_kubernetes());
        let cluster_ways: Vec<_> = in_kubernetes.map(|Kubernetes { via, tls, .. }| (via.clone(), *tls)).collect();
        // A server elsewhere is not reached by another way of the same cluster.
        let all = cluster_ways.len() == self.targets.len();
        let cluster_path = (all && cluster_ways.iter().any(|way| *way != cluster_ways[0])).then_some(Aspect::Route);
        let ways: Vec<Way> = self.targets.iter().filter_map(|target| target.reach.way_to_server()).collect();
        let differ = |of: fn(&Way) -> Way| ways.iter().any(|way| of(way) != of(&ways[0]));
        let path = differ(|way| Way { cpus: None, ..*way }).then_some(Aspect::Route);
        let limits = ways.iter().any(|way| way.cpus != ways[0].cpus).then_some(Aspect::Platform);
        path.or(cluster_path).into_iter().chain(limits)
    }
}
