//! What a plan would do, before it does anything: how many trials, how long, and everything that it would touch.
//!
//! Computed from the plan alone. The duration rests on the assumptions that are printed with it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::Duration;

use super::cache::Cache;
use super::consented_changes;
use super::data_duration::{
    DurationRange, RESTART, SLOW_DISK_MIB_PER_S, SLOWER_AT_MOST, WARM_MIB_PER_S, WRITTEN_TIMES,
};
use super::disk::DiskPlan;
use super::interleave::Interleave;
use super::interleaving::{Because, Interleaving};
use super::kubernetes::{InKubernetes, Kubernetes};
use super::limits::WorkloadLimits;
use super::load_place::{LoadAt, LoadPlace};
use super::manifests::{MadeObjects, Manifest};
use super::measured_volume::ServerPlace;
use super::model::{Plan, TrialPhases};
use super::tables::size_in_words;
use super::target::{Binaries, DataSource, Reach, Target};
use super::units::format_duration;
use super::workload::{Generator, Workload, WorkloadPace};
use super::workload_words::{given_options, options_in_words};
use work::Ownership;

/// What a trial takes besides its phases: connecting, preparing and writing it down.
pub const TRIAL_OVERHEAD: Duration = Duration::from_millis(500);

/// Truncating the history, vacuuming and a checkpoint, before each trial of a workload that writes.
const RESET_OF_WRITES: Duration = Duration::from_millis(1_000);

/// Making and starting a local server.
const LOCAL_SET_UP: Duration = Duration::from_secs(4);

/// Making a server in Kubernetes, whose image is on the node.
const SET_UP_IN_KUBERNETES: Duration = Duration::from_secs(30);

/// What the built-in scripts change where pgdyno does not make it (`data: existing`).
const EXISTING: &str = "the existing pgbench_accounts, pgbench_branches, pgbench_history and pgbench_tellers";

/// The longest turn that is short beside most disturbances.
const TURN_AT_MOST: Duration = Duration::from_millis(500);

/// Fewer turns than this in a trial are hardly better than none.
const ROUNDS_AT_LEAST: u32 = 8;

/// What a plan would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// The plan's name.
    pub name: String,
    /// Trials of one block, at most.
    pub trials_per_block: u32,
    /// Whether a search for a capacity decides how many of them there are.
    pub searches: bool,
    /// Comparisons (candidate × workload × clients, and the pairs of `compare`) of one block.
    pub comparisons_per_block: u32,
    /// The fewest blocks.
    pub blocks_min: u32,
    /// The most blocks.
    pub blocks_max: u32,
    /// Estimated time before the first trial.
    pub set_up: DurationRange,
    /// Estimated time of one block.
    pub block: DurationRange,
    /// What each workload sends, on which data, at which pace and within which limits, and the phases of a trial.
    pub measured: Vec<String>,
    /// How the sides of each workload alternate and why, one sentence each.
    pub interleaving: Vec<String>,
    /// What the estimates rest on, one sentence each.
    pub assumptions: Vec<String>,
    /// What is touched, in the order of the targets; nothing else is.
    pub touches: Vec<Touch>,
    /// What is allowed but probably not meant.
    pub notes: Vec<String>,
}

/// One thing that a plan would touch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touch {
    /// The target that it concerns; absent when it is this machine.
    pub target: Option<String>,
    /// What is done, as a sentence without its subject.
    pub what: String,
}

impl Explanation {
    /// The estimated duration with the fewest and with the most blocks.
    #[must_use]
    pub fn estimated_duration(&self) -> (Duration, Duration) {
        let least = self.set_up.least + self.block.least * self.blocks_min;
        (least, self.set_up.most + self.block.most * self.blocks_max)
    }

    /// The estimated duration in words: `about 20 min to 1 h 10 min`.
    #[must_use]
    pub fn range_of_duration(&self) -> String {
        let (min, max) = self.estimated_duration();
        format!("about {}", range_in_words(&duration_in_words(min), &duration_in_words(max)))
    }
}

/// The tables that the statements of own scripts change, by the names of their workloads.
pub type ChangedTables = BTreeMap<String, BTreeSet<String>>;

/// Explains a plan whose scripts are not at hand.
#[must_use]
pub fn explain_plan(plan: &Plan) -> Explanation {
    explain_with(plan, &ChangedTables::new())
}

/// Explains a plan whose scripts change these tables.
#[must_use]
pub fn explain_with(plan: &Plan, changed: &ChangedTables) -> Explanation {
    let sides = plan.sides_per_comparison();
    let comparisons = (plan.candidate_targets().count() + plan.compare.len())
        * plan.workloads.iter().map(|workload| plan.clients_of_workload(workload).len()).sum::<usize>();
    let trials: u32 = plan.workloads.iter().map(|workload| trials_of_workload(plan, workload)).sum();
    let count = |n: usize| u32::try_from(n).expect("parse limits the number of trials");
    Explanation {
        name: plan.name.clone(),
        trials_per_block: count(sides) * trials,
        searches: plan.workloads.iter().any(|workload| workload.capacity_search().is_some()),
        comparisons_per_block: count(comparisons),
        blocks_min: plan.blocks.at_least,
        blocks_max: blocks_in_time(plan, count(sides)),
        set_up: set_up(plan),
        block: block_duration(plan, count(sides)),
        measured: measured_workloads(plan),
        interleaving: plan.workloads.iter().map(|workload| interleaving_in_words(plan, workload)).collect(),
        assumptions: duration_assumptions(plan),
        touches: touches_of_plan(plan, changed),
        notes: plan.plan_notes(),
    }
}

fn measured_workloads(plan: &Plan) -> Vec<String> {
    let mut lines = Vec::new();
    for workload in &plan.workloads {
        let (transaction, data) = (workload.transaction_in_words(), plan.data_in_words(workload));
        let mut line = format!("{}: {transaction}; {data}; {}", workload.name, load_in_words(workload));
        if let Some(clients) = &workload.clients {
            let clients: Vec<String> = clients.iter().map(u32::to_string).collect();
            line.push_str(&format!("; clients {}", clients.join(", ")));
        }
        let phases = plan.phases_of_workload(workload);
        if phases != plan.trial {
            line.push_str(&format!("; {}", phases_in_words(phases)));
        }
        let limits = limits_in_words(&workload.require);
        if !limits.is_empty() {
            line.push_str(&format!("; required: {limits}"));
        }
        lines.push(line);
    }
    for pair in &plan.compare {
        lines.push(format!("compared besides: {} against {}", pair.candidate, pair.baseline));
    }
    let phases = phases_in_words(plan.trial);
    lines.push(format!("each trial: {phases}; practical threshold {}", plan.practical_threshold));
    lines
}

fn phases_in_words(TrialPhases { warm_up, measure }: TrialPhases) -> String {
    format!("{} of warm-up, {} measured", duration_in_words(warm_up), duration_in_words(measure))
}

/// How transactions are sent, with all keys of the workload that are of neither its data nor its limits:
/// `closed loop (think 300ms)`.
fn load_in_words(workload: &Workload) -> String {
    let mut options = given_options(workload);
    options.retain(|name, _| {
        let key = name.split('.').next().unwrap_or(name);
        !Workload::is_key_of_transactions(key) && !["require", "interleave"].contains(&key)
    });
    let options = options_in_words(options);
    match &workload.pace {
        WorkloadPace::Closed { .. } => format!("closed loop{options}"),
        WorkloadPace::Open { .. } => format!("open loop{options}"),
        WorkloadPace::Timed { .. } => format!("open loop, sessions as captured{options}"),
        WorkloadPace::Capacity { search, .. } => {
            format!("open loop, search for the capacity at p99 below {}{options}", format_duration(search.p99))
        }
    }
}

/// Limits as the plan writes them; empty without any.
fn limits_in_words(limits: &WorkloadLimits) -> String {
    let mut words = Vec::new();
    for (name, limit) in given_options(limits) {
        words.push(format!("{name} {}", limit.trim_matches('"')));
    }
    words.join(", ")
}

fn interleaving_in_words(plan: &Plan, workload: &Workload) -> String {
    let Interleaving { how, because } = plan.interleaving_of_workload(workload);
    let slices = plan.slices_in_words(workload);
    let how = match how {
        Interleave::Slices => format!("its sides alternate in {slices}"),
        Interleave::FrozenSlices => {
            format!("its sides alternate in {slices}, and the servers of the other sides are stopped meanwhile")
        }
        Interleave::Trials if because == Because::ToBeAsked => {
            "runs as whole trials, or its sides alternate".to_owned()
        }
        Interleave::Trials => "runs as whole trials".to_owned(),
    };
    format!("{}: {how}: {because}", workload.name)
}

fn set_up(plan: &Plan) -> DurationRange {
    plan.targets.iter().map(|target| set_up_of_target(plan, target)).sum()
}

fn set_up_of_target(plan: &Plan, target: &Target) -> DurationRange {
    let server = match &target.reach {
        Reach::Local(_) => LOCAL_SET_UP,
        Reach::Kubernetes(kubernetes) if kubernetes.server_to_make().is_some() => SET_UP_IN_KUBERNETES,
        Reach::Kubernetes(_) | Reach::Url(_) | Reach::Shared(_) => Duration::ZERO,
    };
    let disk = disk_of(plan, target).map_or(Duration::ZERO, DiskPlan::duration_of_jobs);
    let known = DurationRange::of_known_time(server + disk);
    if makes_data(plan, target) { known + plan.duration_of_data(target) } else { known }
}

/// Whether data are created for a target; else the owner of its server has them.
fn makes_data(plan: &Plan, target: &Target) -> bool {
    match &target.reach {
        Reach::Local(_) => true,
        Reach::Kubernetes(_) => target.reach.server_of().is_none(),
        Reach::Url(_) => owner_of_data(plan, target).is_none(),
        Reach::Shared(_) => false,
    }
}

/// What is asked of a target's disk; none where the disk cannot be reached.
fn disk_of<'p>(plan: &'p Plan, target: &Target) -> Option<&'p DiskPlan> {
    let is_here = target.reach.has_disk_here() || target.disk.directory.is_some();
    plan.disk.as_ref().filter(|_| is_here || volume_of(plan, target).is_some())
}

/// What is made to measure the storage of a target in Kubernetes.
fn volume_of(plan: &Plan, target: &Target) -> Option<MadeObjects> {
    plan.volume_objects(target, &ServerPlace::to_be_found())
}

fn touches_of_disk(plan: &Plan, target: &Target) -> Option<String> {
    let disk = disk_of(plan, target)?;
    let size = disk.size.map_or_else(|| "twice the memory".to_owned(), |size| size.to_string());
    if let Some(objects) = volume_of(plan, target) {
        let objects: Vec<String> = objects.manifests.iter().map(Manifest::kind_and_name).collect();
        let objects = objects.join(", ");
        return Some(format!("creates {objects}, runs fio on a file of {size} there, and removes them"));
    }
    let place = match (&target.disk.directory, &target.agent) {
        (Some(directory), Some(_)) => format!("{} on the host of its agent", directory.display()),
        (Some(directory), None) => directory.display().to_string(),
        (None, _) => "the data directory".to_owned(),
    };
    Some(format!("runs fio on a file of {size} in {place}, removed afterwards"))
}

fn block_duration(plan: &Plan, sides: u32) -> DurationRange {
    let restarts = plan.targets.iter().filter(|target| plan.is_restarted_before_blocks(target)).count();
    let restarts = RESTART * u32::try_from(restarts).expect("parse limits the number of trials");
    let trials = of_all_trials(plan, sides, |workload| {
        let reset = if workload.changes_data() { RESET_OF_WRITES } else { Duration::ZERO };
        plan.phases_of_workload(workload).total_duration() + TRIAL_OVERHEAD + reset
    });
    DurationRange::of_known_time(restarts + trials) + duration_of_caches(plan)
}

/// What the caches of all trials of a block take.
fn duration_of_caches(plan: &Plan) -> DurationRange {
    let mut all = DurationRange::default();
    for workload in &plan.workloads {
        let again = plan.noise_floor.then(|| plan.baseline_target());
        for target in plan.targets.iter().chain(again) {
            let of_trial = plan.duration_of_cache(target, plan.cache_of_trial(target, workload));
            all = all + of_trial * trials_of_workload(plan, workload);
        }
    }
    all
}

/// The most blocks that fit into the time of trials, and never fewer than are asked for.
fn blocks_in_time(plan: &Plan, sides: u32) -> u32 {
    let Some(limit) = plan.blocks.at_most_time else { return plan.blocks.at_most };
    let phases = of_all_trials(plan, sides, |workload| plan.phases_of_workload(workload).total_duration());
    let fit = u32::try_from(limit.as_millis() / phases.as_millis().max(1)).unwrap_or(u32::MAX);
    plan.blocks.at_most.min(fit.max(plan.blocks.at_least))
}

/// A time of each trial of a block, of all of them.
fn of_all_trials(plan: &Plan, sides: u32, of_one: impl Fn(&Workload) -> Duration) -> Duration {
    let of_a_side: Duration =
        plan.workloads.iter().map(|workload| of_one(workload) * trials_of_workload(plan, workload)).sum();
    of_a_side * sides
}

/// The trials of a workload on a target in one block, at most.
fn trials_of_workload(plan: &Plan, workload: &Workload) -> u32 {
    u32::try_from(plan.trials_of_workload(workload)).expect("parse limits the number of trials")
}

/// What the duration of this plan rests on.
fn duration_assumptions(plan: &Plan) -> Vec<String> {
    let mut assumed = vec![format!("a trial takes {} in addition to its phases", format_duration(TRIAL_OVERHEAD))];
    if plan.workloads.iter().any(Workload::can_write) {
        let reset = format_duration(RESET_OF_WRITES);
        assumed.push(format!("a trial that writes takes {reset} more, to restore the initial state"));
    }
    if plan.targets.iter().any(|target| matches!(target.reach, Reach::Local(_))) {
        assumed.push(format!(
            "a local server is created in {}, once its binaries are available, and restarted in {}",
            format_duration(LOCAL_SET_UP),
            format_duration(RESTART)
        ));
    }
    assumed.extend(data_assumptions(plan));
    assumed.extend(cache_assumptions(plan));
    assumed
}

/// What the time of creating data rests on: a sentence for each time that a target takes.
fn data_assumptions(plan: &Plan) -> Vec<String> {
    let mut sizes: Vec<String> = Vec::new();
    for tables in plan.managed_tables() {
        for data in &tables.data_sets {
            sizes.push(format!(
                "{} of {} at {} MiB/s",
                size_in_words(data.mib),
                data.kind.in_words(),
                data.kind.mib_per_s()
            ));
        }
    }
    if sizes.is_empty() {
        return Vec::new();
    }
    let mut times: BTreeMap<(Duration, Duration, Option<u64>), Vec<&str>> = BTreeMap::new();
    for target in plan.targets.iter().filter(|target| makes_data(plan, target)) {
        let DurationRange { least, most } = plan.duration_of_data(target);
        times.entry((least, most, plan.disk_mib_per_s(target))).or_default().push(&target.name);
    }
    let mut lines = Vec::new();
    for ((least, most, disk), targets) in times {
        let range = of_range_in_words(DurationRange { least, most });
        let disk = match disk {
            Some(mib_per_s) => format!("{mib_per_s} MiB/s as declared for its disk"),
            None => format!("{SLOW_DISK_MIB_PER_S} MiB/s on a slow disk"),
        };
        lines.push(format!(
            "creating the data of {} takes {range} each: {}, as on an idle machine, {SLOWER_AT_MOST} times longer on \
             a busy one; all is written {WRITTEN_TIMES} times, at {disk}. Existing intact data take no time",
            targets.join(", "),
            sizes.join(", ")
        ));
    }
    lines
}

/// What the time of warm and cold caches rests on.
fn cache_assumptions(plan: &Plan) -> Vec<String> {
    let mut lines = Vec::new();
    for cache in [Cache::Warm, Cache::Cold] {
        let mut times = Vec::new();
        for workload in &plan.workloads {
            let in_state = plan.targets.iter().filter(|target| plan.cache_of_trial(target, workload) == cache);
            times.extend(in_state.map(|target| plan.duration_of_cache(target, cache)));
        }
        let (Some(least), Some(most)) =
            (times.iter().map(|time| time.least).min(), times.iter().map(|time| time.most).max())
        else {
            continue;
        };
        let range = of_range_in_words(DurationRange { least, most });
        let [cached, disk] = WARM_MIB_PER_S;
        lines.push(match cache {
            Cache::Warm => format!(
                "a warm cache takes {range} before each trial: all data are read twice or more, at {cached} MiB/s from \
                 memory and {disk} MiB/s from a slow disk"
            ),
            Cache::Cold | Cache::AsIs => {
                format!(
                    "a cold cache takes {range} before each trial: the server is restarted, and its files are evicted"
                )
            }
        });
    }
    lines
}

fn touches_of_plan(plan: &Plan, changed: &ChangedTables) -> Vec<Touch> {
    let mut touches: Vec<Touch> = plan.targets.iter().flat_map(|target| touches_of(plan, target, changed)).collect();
    let here = |what: &str| Touch { target: None, what: what.to_owned() };
    for (generator, program) in [(Generator::Pgbench, "pgbench"), (Generator::Sysbench, "sysbench")] {
        if plan.workloads.iter().any(|workload| workload.generator == generator) {
            touches.push(Touch { target: None, what: format!("runs the {program} on PATH") });
        }
    }
    touches.extend(plan.load_place().map(|place| Touch { target: None, what: touches_of_load(plan, place) }));
    touches.push(here("creates a run directory under runs/"));
    touches.push(here("nothing else"));
    touches
}

fn touches_of_load(plan: &Plan, place: &LoadPlace) -> String {
    match &place.at {
        LoadAt::Ssh { destinations, pgdyno } => match destinations.as_slice() {
            [only] => format!("runs {} agent on {only} over SSH, which sends the load", pgdyno.display()),
            several => {
                let (hosts, count) = (several.join(", "), several.len());
                format!(
                    "runs {} agent on {hosts} over SSH, each of which sends a part of the load: {count} generators as \
                     one",
                    pgdyno.display()
                )
            }
        },
        LoadAt::Pod(pod) => {
            let objects = plan.load_objects(&plan.passwords_to_be_found());
            let titles = objects.iter().flat_map(|objects| &objects.manifests).map(Manifest::kind_and_name);
            let namespace = pod
                .namespace
                .as_ref()
                .map_or_else(|| "the namespace of the context".to_owned(), |name| format!("namespace {}", name.0));
            let context = pod.context.as_deref().unwrap_or("the current context");
            let titles = titles.collect::<Vec<_>>().join(", ");
            format!("creates {titles} in {namespace} of {context}, which send the load and are removed at the end")
        }
    }
}

fn touches_of(plan: &Plan, target: &Target, changed: &ChangedTables) -> Vec<Touch> {
    let mut whats = Vec::new();
    let database = match &target.reach {
        Reach::Url(url) => {
            whats.push(format!("connects to {url}"));
            let is_cold = plan.workloads.iter().any(|workload| plan.cache_of_trial(target, workload) == Cache::Cold);
            whats.extend(consented_changes::changes_by_consent(target, is_cold));
            Some("the database of that URL")
        }
        Reach::Local(_) => Some("its database"),
        Reach::Kubernetes(kubernetes) => {
            whats.extend(touches_of_cluster(kubernetes));
            whats.extend(touches_of_making(plan, target, kubernetes));
            whats.extend(touches_of_changing(target, kubernetes));
            kubernetes.server_of().is_none().then_some("its database")
        }
        Reach::Shared(shared) => {
            whats.push(format!("uses the server of target \"{}\"", shared.server_of));
            None
        }
    };
    whats.extend(target.server_steps().iter().map(ToString::to_string));
    whats.extend(plan.events_in_words().into_iter().map(|event| format!("in every trial, {event}")));
    whats.extend(plan.beside_target(target).map(|load| {
        format!("in every trial, load \"{}\" beside the workload {}", load.name, load.work.action_in_words())
    }));
    whats.extend(plan.is_restarted_before_blocks(target).then(|| "restarts the server before every block".to_owned()));
    // What is done to the database of a shared server is its owner's to tell.
    whats.extend(database.into_iter().flat_map(|database| touches_of_database(plan, target, database, changed)));
    whats.extend(reads_in_words(plan));
    whats.into_iter().map(|what| Touch { target: Some(target.name.clone()), what }).collect()
}

/// What is executed beside the load, without a change of anything: by sessions that read only.
fn reads_in_words(plan: &Plan) -> Vec<String> {
    let mut whats =
        vec!["reads statistics views, settings and catalogs before, during and after each trial".to_owned()];
    if plan.workloads.iter().any(|workload| workload.generator == Generator::Pgdyno) {
        whats.push(
            "after each trial, asks for the query plans of the statements of the load (EXPLAIN), and executes those that \
             only read for some seconds more (EXPLAIN ANALYZE)"
                .to_owned(),
        );
    }
    whats
}

fn touches_of_making(plan: &Plan, target: &Target, kubernetes: &Kubernetes) -> Option<String> {
    let made = kubernetes.server_to_make()?;
    let objects: Vec<String> = plan.objects_of_target(target)?.manifests.iter().map(Manifest::kind_and_name).collect();
    let end = if made.server_options().keep { "kept at the end" } else { "removed at the end" };
    let (namespace, context) = place_in_words(kubernetes);
    Some(format!("creates in {namespace} of {context}: {}; {end}, with all dependent objects", objects.join(", ")))
}

fn touches_of_changing(target: &Target, kubernetes: &Kubernetes) -> Option<String> {
    let names: Vec<&str> = target.settings.keys().map(String::as_str).collect();
    (kubernetes.may_change && !names.is_empty()).then(|| {
        format!(
            "changes settings of the whole cluster, for all its users, and restores them at the end: {}",
            names.join(", ")
        )
    })
}

/// The namespace and the context of a server, in words.
fn place_in_words(Kubernetes { namespace, context, .. }: &Kubernetes) -> (&str, &str) {
    let namespace = namespace.as_ref().map_or("the namespace of the context", |name| &name.0);
    (namespace, context.as_deref().unwrap_or("the current context"))
}

fn touches_of_cluster(kubernetes: &Kubernetes) -> Option<String> {
    let what = match &kubernetes.server {
        InKubernetes::Cluster(name) => format!("the CloudNativePG cluster {}", name.0),
        InKubernetes::Pods(labels) => format!("the pods labelled {}", labels.0),
        InKubernetes::Create(_) => return None,
        InKubernetes::ServerOf(target) => return Some(format!("uses the server of target \"{}\"", target.0)),
    };
    let (namespace, context) = place_in_words(kubernetes);
    Some(format!(
        "reads {what} in {namespace} of {context}, including its Secret, and files of the pod by exec; changes no \
         object there"
    ))
}

/// The target above it whose database is the same one, which is filled once.
fn owner_of_data<'p>(plan: &'p Plan, target: &Target) -> Option<&'p str> {
    if !target.reach.is_url() {
        return None;
    }
    let first = plan.targets.iter().find(|other| other.reach == target.reach)?;
    if first.name == target.name { None } else { Some(&first.name) }
}

fn touches_of_database(plan: &Plan, target: &Target, database: &str, changed: &ChangedTables) -> Vec<String> {
    let mut whats: Vec<String> = match owner_of_data(plan, target) {
        Some(owner) if !plan.managed_tables().is_empty() => vec![format!("uses the tables of {owner}")],
        Some(_) => Vec::new(),
        None => plan.managed_tables().iter().map(|tables| tables.creation_in_words(database)).collect(),
    };
    whats.extend(touches_of_writers(plan, target, changed));
    whats.extend(touches_of_disk(plan, target));
    whats.extend(target.machine_steps().iter().map(ToString::to_string));
    if !target.settings.is_empty() && !target.settings_are_the_servers() {
        let target_settings: Vec<String> =
            target.settings.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let target_settings = target_settings.join(", ");
        whats.push(match target.reach {
            Reach::Url(_) => format!("its load sessions use {target_settings}; the server is not changed"),
            // It is removed at the end.
            Reach::Local(_) => format!("sets {target_settings}"),
            Reach::Kubernetes(_) | Reach::Shared(_) => format!("sets {target_settings}, restored at the end"),
        });
    }
    whats
}

fn touches_of_writers(plan: &Plan, target: &Target, changed: &ChangedTables) -> Vec<String> {
    let mut workloads = plan.single_workloads();
    workloads.retain(Workload::changes_data);
    let writers: Vec<&Workload> = workloads.iter().collect();
    if writers.is_empty() {
        return Vec::new();
    }
    let mut whats = changes_of_rows(&writers, changed);
    // The role of a server that pgdyno did not make may lack the right.
    let checkpoint = if target.reach.is_url() { "executes CHECKPOINT, if the role may" } else { "executes CHECKPOINT" };
    let mut restorations: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for workload in &writers {
        restorations.entry(restoration_in_words(workload, checkpoint)).or_default().push(&workload.name);
    }
    for (restoration, names) in restorations {
        whats.push(format!("before each trial of {}: {restoration}", names.join(", ")));
    }
    for workload in writers.iter().filter(|workload| workload.access_is_unknown()) {
        whats.push(format!(
            "determines whether the statements of workload {} only read (PREPARE and EXPLAIN, nothing is executed); if \
             so, the workload does not count as writing",
            workload.name
        ));
    }
    whats
}

/// What is done before each trial of a workload that writes.
fn restoration_in_words(workload: &Workload, checkpoint: &str) -> String {
    let own = workload.own_scripts();
    let reset = own.and_then(|scripts| scripts.reset.as_ref()).map(|file| format!("executes {}", file.display()));
    let of_pgbench = match workload.pgbench_tables().map(|tables| tables.data) {
        Some(Ownership::Managed) => Some("truncates pgbench_history, vacuums pgbench_tellers and pgbench_branches"),
        Some(Ownership::Existing) => Some("vacuums pgbench_tellers and pgbench_branches"),
        None if own.is_none() => Some("restores the rows of its tables, vacuums them"),
        None => None,
    };
    let is_left = own.is_some() && reset.is_none();
    let left = match of_pgbench {
        Some(_) => "; other tables of its scripts are neither restored nor vacuumed",
        None => "; the tables of its scripts are neither restored nor vacuumed",
    };
    let steps: Vec<&str> = reset.as_deref().into_iter().chain(of_pgbench).chain([checkpoint]).collect();
    format!("{}{}", steps.join(", "), if is_left { left } else { "" })
}

/// Of which tables workloads change rows: of those that pgdyno makes or was told of, or that the statements of a script
/// name. What the functions change that statements call, no text tells.
fn changes_of_rows(writers: &[&Workload], changed: &ChangedTables) -> Vec<String> {
    let mut whats = Vec::new();
    let (own, others): (Vec<&Workload>, Vec<&Workload>) =
        writers.iter().partition(|workload| workload.own_scripts().is_some());
    let (existing, made): (Vec<&Workload>, Vec<&Workload>) = others
        .into_iter()
        .partition(|workload| workload.pgbench_tables().is_some_and(|tables| tables.data == Ownership::Existing));
    for (workloads, tables) in [(made, "these tables"), (existing, EXISTING)] {
        if !workloads.is_empty() {
            let names: Vec<&str> = workloads.iter().map(|workload| workload.name.as_str()).collect();
            whats.push(format!("changes rows of {tables} (workloads: {})", names.join(", ")));
        }
    }
    for Workload { name, .. } in own {
        let tables = changed.get(name).map(|tables| tables.iter().map(String::as_str).collect::<Vec<_>>().join(", "));
        whats.push(match tables.filter(|tables| !tables.is_empty()) {
            Some(tables) => {
                format!("changes rows of {tables}, and of what functions and triggers change (workload {name})")
            }
            None => format!("changes only what functions change that the statements call (workload {name})"),
        });
    }
    whats
}

/// Scripts that may run commands here are worth knowing of, above all in a plan of somebody else.
fn shell_note(workload: &Workload) -> Option<String> {
    let may = workload.own_scripts()?.allow_shell;
    may.then(|| format!("the scripts of workload \"{}\" may run commands on this machine", workload.name))
}

impl Plan {
    /// What the plan says that is allowed but probably not meant, one sentence each.
    #[must_use]
    pub fn plan_notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        notes.extend(self.single_workloads().iter().filter_map(shell_note));
        notes.extend(self.turn_notes());
        notes.extend(self.ledger_notes());
        if self.blocks.at_least < 3 {
            let n = self.blocks.at_least;
            notes.push(format!(
                "blocks.at_least is {n}: a verdict requires 3 blocks; with fewer it is \"not enough data\""
            ));
        }
        if self.targets.len() == 1 && !self.noise_floor {
            notes.push("there is one target and no noise floor: the run has no comparison".to_owned());
        }
        notes.extend(self.password_notes());
        notes.extend(self.disk_notes());
        notes.extend(self.version_note());
        notes.extend(self.alike_note());
        notes
    }

    /// What a plan with passwords in its URLs has to know of a run that is to be resumed: a note for each of them.
    #[must_use]
    pub fn password_notes(&self) -> Vec<String> {
        let note = |name: &str| {
            format!(
                "the URL of target \"{name}\" contains a password, which is not stored in the run directory, so that \
                 `pgdyno resume` does not have it: use PGPASSWORD or ~/.pgpass"
            )
        };
        self.targets_with_password().into_iter().map(note).collect()
    }

    /// The targets in whose URLs a password stands.
    #[must_use]
    pub fn targets_with_password(&self) -> Vec<&str> {
        let mut names = Vec::new();
        for target in &self.targets {
            let of_reach = match &target.reach {
                Reach::Url(url) => url.has_password(),
                Reach::Local(_) | Reach::Kubernetes(_) | Reach::Shared(_) => false,
            };
            let of_data = match target.data.as_ref().map(|data| &data.source) {
                Some(DataSource::From(url)) => url.has_password(),
                Some(DataSource::Restore(_)) | None => false,
            };
            if of_reach || of_data {
                names.push(target.name.as_str());
            }
        }
        names
    }

    /// Workloads that write and of whose commits nobody can tell whether an event has cost some.
    fn ledger_notes(&self) -> impl Iterator<Item = String> {
        let without = self.workloads.iter().filter(|workload| workload.can_write() && !Self::can_keep_ledger(workload));
        without.filter(|_| !self.events.is_empty()).map(|workload| {
            format!(
                "workload \"{}\": it cannot have a ledger, so that commits lost by an event are not counted; `builtin: \
                 tpcb-like` and `simple-update` can",
                workload.name
            )
        })
    }

    /// Disks that the plan asks for and that cannot be reached.
    fn disk_notes(&self) -> impl Iterator<Item = String> {
        let asked = self.targets.iter().filter(|_| self.disk.is_some());
        asked.filter(|target| disk_of(self, target).is_none()).map(|target| match target.reach.server_of() {
            Some(owner) => {
                format!("the disk of target \"{}\" is that of \"{owner}\", where it is measured", target.name)
            }
            None => format!(
                "the disk of target \"{}\" is not measured: the plan names no directory on it (`disk: {{ directory: … \
                 }}` of the target)",
                target.name
            ),
        })
    }

    /// Turns that are possible but may hide what they should show.
    fn turn_notes(&self) -> Vec<String> {
        let how = |workload: &Workload| self.interleaving_of_workload(workload).how;
        let turns = |workload: &&Workload| how(workload).is_by_slices();
        let taking_turns: Vec<&Workload> = self.workloads.iter().filter(turns).collect();
        let mut notes: Vec<String> = Vec::new();
        let running_on = |workload: &&&Workload| workload.can_write() && how(workload) == Interleave::Slices;
        let writing = taking_turns.iter().filter(running_on);
        notes.extend(writing.map(|workload| self.dilution_note(workload)));
        let has_slices = taking_turns.iter().any(|workload| workload.timed_replay_speed().is_none());
        if has_slices && self.slice > TURN_AT_MOST {
            let [turn, most] = [self.slice, TURN_AT_MOST].map(format_duration);
            notes.push(format!(
                "a slice of {turn} is longer than {most}: a disturbance of this duration affects only one side"
            ));
        }
        let shortest = taking_turns.iter().map(|workload| self.phases_of_workload(workload).measure).min();
        if let Some(measure) = shortest.filter(|shortest| has_slices && self.slice * ROUNDS_AT_LEAST > *shortest) {
            let [turn, measure] = [self.slice, measure].map(format_duration);
            notes.push(format!(
                "a trial of {measure} has few slices of {turn}: use a longer `measure` or a shorter `slice`"
            ));
        }
        notes
    }

    /// How long the sides of a workload send that alternate.
    fn slices_in_words(&self, workload: &Workload) -> String {
        match workload.timed_replay_speed() {
            Some(_) => "windows of 10 to 60 s, cut where sessions pause".to_owned(),
            None => format!("slices of {}", format_duration(self.slice)),
        }
    }

    /// What a reader of the figures of a workload must know whose transactions may write, and whose sides take turns.
    fn dilution_note(&self, workload: &Workload) -> String {
        let (name, turn) = (&workload.name, self.slices_in_words(workload));
        let with_owner = |way: &Target| Some(format!("\"{}\" and \"{}\"", way.name, way.reach.server_of()?));
        let shared: Vec<String> = self.targets.iter().filter_map(with_owner).collect();
        let none_shows = match shared.is_empty() {
            true => String::new(),
            false => format!("; {} share one server, so that none of these effects is visible", shared.join(", ")),
        };
        format!(
            "workload \"{name}\" may write, and its sides alternate in {turn}. The effects of a slice (WAL, dirty \
             pages, checkpoints, autovacuum) continue in those of the other side, so that differences appear smaller than \
             they are{none_shows}. `interleave: trials` shows them completely"
        )
    }

    /// Targets that the plan declares word for word alike.
    fn alike_note(&self) -> Option<String> {
        let baseline = self.target_by_name(&self.baseline)?;
        let alike = self.targets.iter().find(|target| {
            target.name != baseline.name && Target { name: baseline.name.clone(), ..(*target).clone() } == *baseline
        })?;
        Some(format!(
            "targets \"{}\" and \"{}\" are declared alike: the run shows how much equal sides differ by chance, as \
             `noise_floor: true` does beside a comparison",
            baseline.name, alike.name
        ))
    }

    /// Versions that the plan itself chooses unlike, without allowing that they differ.
    fn version_note(&self) -> Option<String> {
        use super::difference::{AllowedDifference, Aspect};
        let versions: Vec<String> = self
            .targets
            .iter()
            .filter_map(|target| match &target.reach {
                Reach::Local(local) => match &local.binaries {
                    Binaries::Version(version) => Some(version.to_string()),
                    Binaries::Bin(_) => None,
                },
                Reach::Url(_) | Reach::Kubernetes(_) | Reach::Shared(_) => None,
            })
            .collect();
        let differ = versions.iter().any(|version| *version != versions[0]);
        (differ && !self.may_differ.contains(&AllowedDifference::Aspect(Aspect::Version))).then(|| {
            format!(
                "the targets have versions {}, and may_differ does not contain `version`: it will be reported as a \
                 confounder",
                versions.join(", ")
            )
        })
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n", self.name)?;
        let at_most = if self.searches { "at most " } else { "" };
        writeln!(
            f,
            "Trials: {at_most}{} in a block ({})",
            self.trials_per_block,
            match self.comparisons_per_block {
                1 => "1 comparison".to_owned(),
                comparisons => format!("{comparisons} comparisons"),
            }
        )?;
        writeln!(f, "Blocks: {}", range_in_words(&self.blocks_min, &self.blocks_max))?;
        writeln!(
            f,
            "Duration: {} (set-up {}, a block {})",
            self.range_of_duration(),
            of_range_in_words(self.set_up),
            of_range_in_words(self.block)
        )?;
        writeln!(f, "\nMeasured:")?;
        self.measured.iter().try_for_each(|line| writeln!(f, "  {line}"))?;
        writeln!(f, "\nInterleaved:")?;
        self.interleaving.iter().try_for_each(|workload| writeln!(f, "  {workload}"))?;
        writeln!(f, "\nAssumed:")?;
        self.assumptions.iter().try_for_each(|assumption| writeln!(f, "  {assumption}"))?;
        writeln!(f, "\nTouched:")?;
        for touch in &self.touches {
            writeln!(f, "  {}: {}", touch.target.as_deref().unwrap_or("this machine"), touch.what)?;
        }
        if !self.notes.is_empty() {
            writeln!(f, "\nNotes:")?;
            self.notes.iter().try_for_each(|note| writeln!(f, "  {note}"))?;
        }
        Ok(())
    }
}

/// A time that is known between two ends.
fn of_range_in_words(range: DurationRange) -> String {
    range_in_words(&duration_in_words(range.least), &duration_in_words(range.most))
}

/// Two ends, or one when they are equal.
fn range_in_words<T: PartialEq + fmt::Display>(min: &T, max: &T) -> String {
    if min == max { min.to_string() } else { format!("{min} to {max}") }
}

/// A duration for people: seconds below two minutes, then minutes, then hours and minutes.
fn duration_in_words(duration: Duration) -> String {
    let s = duration.as_secs_f64().round() as u64;
    match s {
        0..120 => format!("{s} s"),
        120..7_200 => format!("{} min", (s + 30) / 60),
        _ => format!("{} h {} min", (s + 30) / 3_600, (s + 30) % 3_600 / 60),
    }
}
