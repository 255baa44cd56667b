//! What watches host and server while a trial's load runs, and what that costs them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use load::Tally;
use plan::{Plan, Workload};
use probe::{HostScope, LoadProcesses, OffCpuSampler, Pause, Probes, Profiler};
use results::activity::{ActivityWindow, SampledActivity};
use results::interval::{Reading, TrialInterval};
use results::off_cpu::OffCpu;
use results::probe_fields::host_agent;
use results::profile::Profile;
use results::statements::TrialStatements;
use results::tables::TrialTables;
use results::trial::{ObserverTotals, TrialPhase};
use server::{HostAccess, Whereabouts};

use super::member::Member;
use super::observe;
use super::pauses::Pauses;
use super::standby;
use crate::agent::HostAgent;
use problem::Problem;

/// Why there is nothing of every other second where the probes pause.
const PAUSED: &str = "the probes pause half of the time to measure their own overhead";

/// Why nothing is sampled of a server whose host is another machine.
const NOT_HERE: &str = "the server runs on another machine; run pgdyno on its host to sample its processes";

/// The same where an agent is on that machine.
const NOT_BY_AGENT: &str = "the agent does not sample the server's processes; run pgdyno on its host";

/// The watchers of one trial; none if the plan wants none.
pub(super) struct Watchers {
    watching: Option<Watching>,
    /// Where the load counts its transactions for them.
    tally: Tally,
    /// When they pause; none if they never do.
    pauses: Option<Pauses>,
    cost: ObserverTotals,
    /// Transactions that have ended since the load began.
    transactions: u64,
}

struct Watching {
    probes: Probes,
    activity: probe::ActivitySampling,
    counts: probe::CountsReader,
    /// On the server's host, where that is another machine; or why it could not be had.
    agent: Option<Result<HostAgent, String>>,
    /// Samples what the server executes; none if the plan does not want that.
    profiler: Option<Profiler>,
    /// Looks where the server's processes sleep; none if the plan does not want the server sampled.
    off_cpu: Option<OffCpuSampler>,
    /// Of the probes that have read something.
    names: Vec<String>,
}

/// What was counted and sampled over the whole of a trial's measurement.
pub(super) struct TrialObservations {
    /// What the statements did while measuring.
    pub(super) statements: TrialStatements,
    /// What was done to the tables.
    pub(super) tables: TrialTables,
    /// What the server executed; none if the plan does not want it sampled.
    pub(super) profile: Option<Profile>,
    /// Where its processes slept; none likewise.
    pub(super) off_cpu: Option<OffCpu>,
}

impl Watchers {
    /// Nobody watches.
    pub(super) fn without_probes() -> Self {
        Self { watching: None, tally: Tally::new(), pauses: None, cost: ObserverTotals::default(), transactions: 0 }
    }

    /// Attaches to a server and its host, as far as the plan wants them observed; `seed` says when they pause, if it
    /// wants that, `place` which sessions are the side's, and `here` which servers of all sides are on this machine.
    pub(super) async fn attach_to_member(
        member: &Member,
        (plan, workload): (&Plan, &Workload),
        seed: u64,
        place: usize,
        here: &[u32],
    ) -> Result<Self, Problem> {
        let nothing = Self::without_probes();
        if !plan.probes {
            return Ok(nothing);
        }
        let primary = member.target.control_config();
        // Whoever executes the load is watched.
        let control = match workload.reads_standby() {
            true => standby::standby_config(member).await.map_err(|why| {
                Problem::could_not_measure(format!("target {:?} has no standby to read", member.name)).detail(why)
            })?,
            false => primary.clone(),
        };
        let host = if workload.reads_standby() { standby::standby_host(member) } else { member.host_access().await? };
        let (scope, agent) = match host {
            HostAccess::Here(found) => (Some(scope_of_host(found, here)), None),
            HostAccess::Agent { carrier, .. } => (None, Some(member.start_agent(&carrier).await)),
            HostAccess::Unreachable { .. } => (None, None),
        };
        let load = match (&scope, &agent) {
            (Some(scope), _) => scope.load.clone(),
            (None, Some(Ok(agent))) => agent.load_processes(),
            (None, _) => LoadProcesses::default(),
        };
        let profiler = plan.profile.samples_per_s().map(|hz| profiler_of_server(scope.as_ref(), agent.is_some(), hz));
        let (in_scope, by_agent) = (scope.clone(), agent.is_some());
        let probes = Probes::attach_probes(Some(&control), scope).await;
        let probes = if workload.reads_standby() { probes.with_standby(&primary, &control).await } else { probes };
        let probes = probes.with_pooler(member.pooler.as_ref().map(control::Config::from).as_ref()).await;
        let activity = probe::ActivitySampling::attach_sampler(&control, &observe::sessions_of(place), load);
        let off_cpu = plan
            .profile
            .samples_per_s()
            .map(|_| off_cpu_of_server(in_scope.as_ref(), by_agent, activity.pause_handle()));
        let pauses = plan
            .observer_cost
            .then(|| Pauses::begin_pauses(seed, nothing.transaction_tally(), activity.pause_handle()));
        let mut counts = probe::CountsReader::new(&control);
        // Before the load, whose beginning waits for no question.
        counts.begin_load().await;
        let watching = Watching { probes, activity, counts, agent, profiler, off_cpu, names: Vec::new() };
        Ok(Self { pauses, watching: Some(watching), ..nothing })
    }

    /// What pauses the samples of the sessions; none if nobody takes any.
    pub(super) fn samples_pause(&self) -> Option<Pause> {
        self.watching.as_ref().map(|watching| watching.activity.pause_handle())
    }

    /// Where the load is to count its transactions.
    pub(super) fn transaction_tally(&self) -> Tally {
        self.tally.clone()
    }

    /// What was seen before the load began is nobody's.
    pub(super) async fn begin_watching(&mut self) {
        let Some(watching) = &mut self.watching else { return };
        watching.probes.take_first_snapshot().await;
        if let Some(Ok(agent)) = &mut watching.agent {
            agent.prime_probes().await;
        }
        watching.activity.take_window();
    }

    /// The measurement phase has begun.
    pub(super) async fn begin_measurement(&mut self) {
        if let Some(watching) = &mut self.watching {
            watching.counts.begin_measurement().await;
            watching.read_profile(false);
        }
        if let Some(pauses) = &mut self.pauses {
            pauses.begin_measurement();
        }
    }

    /// Reads what happened in the second that has just ended. Where the probes pause, only every other time; the
    /// reading after it spans this second, too.
    pub(super) async fn read_interval(&mut self, interval: &mut TrialInterval) -> SampledActivity {
        let window = match &mut self.watching {
            None => {
                ActivityWindow { gap: Some("the plan disables the probes".to_owned()), ..ActivityWindow::default() }
            }
            Some(watching) => {
                let window = watching.activity.take_window();
                watching.read_profile(interval.phase == TrialPhase::Measure);
                let reads = match &mut self.pauses {
                    None => true,
                    Some(pauses) => pauses.should_read_second(interval.index).await,
                };
                interval.probes = if reads { watching.read_all_probes().await } else { watching.gaps_while_paused() };
                window
            }
        };
        self.transactions += interval.transactions;
        if interval.phase == TrialPhase::Measure && self.watching.is_some() {
            let observed_us = interval.duration_us / if self.pauses.is_some() { 2 } else { 1 };
            self.cost.add(interval, &window, observed_us);
        }
        SampledActivity { phase: interval.phase, index: interval.index, window }
    }

    /// Ends the watch. What was counted and sampled over the whole of the measurement; none if nobody watched.
    pub(super) async fn end_counts(&mut self) -> Option<TrialObservations> {
        let watching = self.watching.take()?;
        let profile = watching.profiler.map(Profiler::end_profile);
        let off_cpu = watching.off_cpu.map(OffCpuSampler::end_sampling);
        let (statements, tables) = watching.counts.finish_counting().await;
        let tables = TrialTables { transactions: Some(self.transactions), ..tables };
        Some(TrialObservations { statements, tables, profile, off_cpu })
    }

    /// What they cost while measuring; none if there were none.
    pub(super) fn observer_totals(&self) -> Option<ObserverTotals> {
        let cost = self.cost.clone();
        let cost = match &self.pauses {
            Some(pauses) => ObserverTotals {
                ratios: pauses.throughput_ratios(),
                stolen_pairs_excluded: pauses.stolen_pairs_excluded(),
                ..cost
            },
            None => cost,
        };
        Some(cost).filter(|cost| cost.over_us > 0)
    }
}

impl Watching {
    /// Reads what was sampled of the server; `counts`: while measuring.
    fn read_profile(&mut self, counts: bool) {
        if let Some(profiler) = &mut self.profiler {
            profiler.read_samples(counts);
        }
        if let Some(off_cpu) = &mut self.off_cpu {
            off_cpu.read_samples(counts);
        }
    }

    /// What all probes read.
    async fn read_all_probes(&mut self) -> BTreeMap<String, Reading> {
        let (mut read, of_agent) = tokio::join!(self.probes.read_all(), read_agent(&mut self.agent));
        read.extend(of_agent);
        self.names = read.keys().cloned().collect();
        read
    }

    /// What stands for it while they pause.
    fn gaps_while_paused(&self) -> BTreeMap<String, Reading> {
        self.names.iter().map(|name| (name.clone(), Reading::Gap { took_us: 0, gap: PAUSED.to_owned() })).collect()
    }
}

/// What samples the server's processes, if they are on this machine; `by_agent`: an agent reads the host of the server.
fn profiler_of_server(scope: Option<&HostScope>, by_agent: bool, frequency_hz: u32) -> Profiler {
    match (scope, by_agent) {
        (Some(scope), _) => Profiler::attach_to_server(scope, frequency_hz),
        (None, true) => Profiler::without_samples(frequency_hz, NOT_BY_AGENT.to_owned()),
        (None, false) => Profiler::without_samples(frequency_hz, NOT_HERE.to_owned()),
    }
}

/// What looks where the server's processes sleep, likewise, but not while `pause` is set.
fn off_cpu_of_server(scope: Option<&HostScope>, by_agent: bool, pause: Pause) -> OffCpuSampler {
    match (scope, by_agent) {
        (Some(scope), _) => OffCpuSampler::attach_to_server(scope, pause),
        (None, true) => OffCpuSampler::without_samples(NOT_BY_AGENT.to_owned()),
        (None, false) => OffCpuSampler::without_samples(NOT_HERE.to_owned()),
    }
}

/// Where the figures of this machine are read for a server that was found on it.
fn scope_of_host(found: Whereabouts, here: &[u32]) -> HostScope {
    HostScope {
        root: PathBuf::from("/"),
        data_directory: found.data_directory,
        device: None,
        wal_device: None,
        postmaster: Some(found.postmaster_pid),
        load: LoadProcesses::default(),
        alternating: here.to_vec(),
        of_this_process: Some(PathBuf::from("/")),
    }
}

async fn read_agent(agent: &mut Option<Result<HostAgent, String>>) -> BTreeMap<String, Reading> {
    match agent {
        None => BTreeMap::new(),
        Some(Ok(agent)) => agent.read_probes().await,
        Some(Err(reason)) => {
            let gap = Reading::Gap { took_us: 0, gap: reason.clone() };
            BTreeMap::from([(host_agent::PROBE.to_string(), gap)])
        }
    }
}
