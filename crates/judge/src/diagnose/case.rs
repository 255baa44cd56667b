//! One cell as a rule sees it: its trials with all that was observed in them, so that a rule reads like sentences.
//!
//! Every question that the observations may not be able to answer returns [`MissingObservation`], with the probe's own
//! reason; a rule hands it on with `?` and so says "not enough data" by itself. Figures are over the whole measurement
//! phases of all trials of the cell; nothing here looks at a warm-up. Steps of searches, which overload a server on
//! purpose, are no cases.

use std::collections::BTreeMap;

use plan::{Plan, Workload};
use results::activity::{ActivityWindow, SampledSessions, WaitEvent};
use results::facts::{HostFacts, SETTINGS, ServerSetting, TargetFacts};
use results::path::{NetworkPath, PathFigures, TcpFigures};
use results::probe_fields::{FieldKind, ProbeField, ProbeName, host_cpu, host_foreign, host_server};
use results::trial::{Cell, EngineTotals, LoadTotals, Role, Trial};
use results::workload::WorkloadStatements;
use stats::centre::arithmetic_mean;

use super::missing::MissingObservation;
use crate::budget::{Budget, budget_of_trial};
use crate::compare::{LoadLoop, Metric, RunQuestion};
use crate::known_writes::KnownWrites;
use crate::observed::{COVERED_FROM, Observed, WatchedPhase};

/// Every cell of a run that was measured.
pub(super) struct Cells<'a> {
    pub(super) observed: &'a Observed,
    question: &'a RunQuestion,
    trials: BTreeMap<Cell, Vec<MeasuredTrial<'a>>>,
}

/// A trial that has figures, with what was watched in it.
pub struct MeasuredTrial<'a> {
    /// The trial.
    pub trial: &'a Trial,
    /// Its figures.
    pub load: &'a LoadTotals,
    /// Its seconds and readings.
    pub watched: &'a WatchedPhase,
    /// Where its mean transaction's time went; absent where the sessions were not sampled.
    pub budget: Option<Budget>,
}

impl<'a> Cells<'a> {
    /// Arranges the trials of a run. Those that a comparison leaves out, for outages or failures, are here: why that
    /// came about is what a rule may find. Those with events are not: what followed them has a known cause, and is told
    /// by itself.
    pub(super) fn from_observed(observed: &'a Observed, question: &'a RunQuestion) -> Self {
        let mut trials: BTreeMap<Cell, Vec<MeasuredTrial<'a>>> = BTreeMap::new();
        for trial in &observed.trials {
            let is_case = trial.role == Role::Main && trial.step.is_none() && trial.events.is_empty();
            if is_case && let (Some(load), Some(watched)) = (&trial.load, observed.watched.get(&trial.number)) {
                let budget = budget_of_trial(observed, trial);
                trials.entry(trial.cell.clone()).or_default().push(MeasuredTrial { trial, load, watched, budget });
            }
        }
        Self { observed, question, trials }
    }

    /// Every cell, in order.
    pub(super) fn all_cases(&'a self) -> impl Iterator<Item = DiagnosisCase<'a>> {
        self.trials.keys().filter_map(|cell| self.case_of_cell(cell))
    }

    /// Every candidate with the baseline in its place, baseline first, as far as both were measured.
    pub(super) fn pairs_with_baseline(&'a self) -> impl Iterator<Item = [DiagnosisCase<'a>; 2]> {
        let candidates = self.all_cases().filter(|case| self.question.candidates.contains(&case.cell().target));
        candidates.filter_map(|candidate| {
            let cell = Cell { target: self.question.baseline.clone(), ..candidate.cell().clone() };
            Some([self.case_of_cell(&cell)?, candidate])
        })
    }

    /// One cell; none where it was not measured.
    pub(super) fn case_of_cell(&'a self, cell: &Cell) -> Option<DiagnosisCase<'a>> {
        let (cell, trials) = self.trials.get_key_value(cell)?;
        Some(DiagnosisCase { cells: self, cell, clients: cell.clients.known_count()?, trials })
    }
}

/// One cell.
#[derive(Clone, Copy)]
pub struct DiagnosisCase<'a> {
    cells: &'a Cells<'a>,
    cell: &'a Cell,
    /// The load engine, whose figures all of this are, knows how many.
    clients: u32,
    trials: &'a [MeasuredTrial<'a>],
}

/// What was measured, and where.
impl<'a> DiagnosisCase<'a> {
    /// Target, workload and clients.
    pub fn cell(&self) -> &'a Cell {
        self.cell
    }

    /// Number of clients.
    pub fn clients_as_float(&self) -> f64 {
        f64::from(self.clients)
    }

    /// The same as a count.
    pub fn client_count(&self) -> u32 {
        self.clients
    }

    /// Its trials, at least one, in the order of the schedule.
    pub fn trials(&self) -> &'a [MeasuredTrial<'a>] {
        self.trials
    }

    /// What was sampled of the server's sessions, second by second.
    pub fn activity_windows(&self) -> impl Iterator<Item = &'a ActivityWindow> + use<'a> {
        self.trials.iter().flat_map(|measured| measured.watched.activity.iter().flatten())
    }

    /// The resolved plan of the run; absent for figures of another tool.
    pub fn run_plan(&self) -> Option<&'a Plan> {
        self.cells.observed.plan.as_ref()
    }

    /// What the plan says of its workload; absent without a plan.
    pub fn planned_workload(&self) -> Option<&'a Workload> {
        self.run_plan()?.workload_by_name(&self.cell.workload)
    }

    /// The statements of its workload; absent where they were not kept.
    pub fn workload_statements(&self) -> Option<&'a WorkloadStatements> {
        self.cells.observed.workloads.get(&self.cell.workload)
    }

    /// What is known of what the statements of its workload write.
    pub(crate) fn known_writes(&self) -> KnownWrites<'a> {
        KnownWrites::of_workload(self.cells.observed, &self.cell.workload)
    }

    /// Whether its server and another's are of one major version: others may write down the same thing in other words.
    pub fn is_of_one_version_with(&self, other: &Self) -> Result<bool, MissingObservation> {
        Ok(self.target_facts()?.server.version_num / 10_000 == other.target_facts()?.server.version_num / 10_000)
    }

    /// The other targets in the same place, as far as they were measured.
    pub fn other_sides(&self) -> Vec<Self> {
        self.sides_of_place().into_iter().filter(|case| case.cell.target != self.cell.target).collect()
    }

    /// It and the other targets in the same place, each with all of its trials, in the order of the cells: the same
    /// whichever of them is asked.
    pub fn sides_of_place(&self) -> Vec<Self> {
        self.cells
            .all_cases()
            .filter(|case| case.cell.workload == self.cell.workload && case.cell.clients == self.cell.clients)
            .collect()
    }

    /// Each trial of it and of the other targets in the same place as a case of its own.
    pub(super) fn each_trial(&self) -> impl Iterator<Item = Self> {
        let sides = std::iter::once(*self).chain(self.other_sides());
        sides.flat_map(|side| side.trials.iter().map(move |trial| Self { trials: std::slice::from_ref(trial), ..side }))
    }

    /// What is found beside one of the others; else, what was lacking to look beside one of them.
    pub(super) fn beside_others<T>(
        &self,
        look: impl Fn(&Self) -> Result<Option<T>, MissingObservation>,
    ) -> Result<Option<T>, MissingObservation> {
        let mut lacking = None;
        for other in &self.other_sides() {
            match look(other) {
                Ok(None) => {}
                Ok(found) => return Ok(found),
                Err(missing) => lacking = Some(missing),
            }
        }
        lacking.map_or(Ok(None), Err)
    }

    /// The same target and workload at every number of clients that was measured, ascending, this one included.
    pub fn rungs_by_clients(&self) -> Vec<Self> {
        let mut rungs: Vec<Self> = self
            .cells
            .all_cases()
            .filter(|case| case.cell.target == self.cell.target && case.cell.workload == self.cell.workload)
            .collect();
        rungs.sort_by_key(|case| case.cell.clients);
        rungs
    }

    /// What the target turned out to be.
    pub fn target_facts(&self) -> Result<&'a TargetFacts, MissingObservation> {
        let facts = self.cells.observed.facts.get(&self.cell.target);
        facts.ok_or_else(|| MissingObservation::new(format!("facts of {}", self.cell.target), "they were not read"))
    }

    /// The size of the database in which its data lie, in bytes.
    pub fn data_bytes(&self) -> Result<u64, MissingObservation> {
        let bytes = self.cells.observed.data_bytes(self.cell);
        bytes.ok_or_else(|| MissingObservation::new("the size of the data", "the server did not report it"))
    }

    /// The server's host.
    pub fn server_host(&self) -> Result<&'a HostFacts, MissingObservation> {
        let why = "it is not the host on which pgdyno runs";
        self.target_facts()?
            .host
            .as_ref()
            .ok_or_else(|| MissingObservation::new(format!("the host of {}", self.cell.target), why))
    }

    /// CPUs that the server can use: those of the host, or fewer by its group's quota.
    pub fn usable_cpus(&self) -> Result<f64, MissingObservation> {
        let host = self.server_host()?;
        let online = f64::from(host.cpus);
        Ok(host.cgroup.cpus.map_or(online, |quota| quota.min(online)))
    }

    /// A setting, where the facts list it.
    pub fn server_setting(&self, name: &str) -> Result<&'a ServerSetting, MissingObservation> {
        let facts = self.target_facts()?;
        facts.settings.get(name).ok_or_else(|| {
            let default = "it has its default value, or this version does not have it";
            MissingObservation::new(
                format!("the setting {name}"),
                facts.gaps.get(SETTINGS).map_or(default, String::as_str),
            )
        })
    }

    /// The value of a setting, or `default` where the facts do not list it.
    pub fn setting_value_or(&self, name: &str, default: &str) -> String {
        self.server_setting(name).map_or(default.to_owned(), |setting| setting.value.clone())
    }
}

/// What the load did.
impl DiagnosisCase<'_> {
    /// Seconds of all its measurement phases.
    pub fn measured_s(&self) -> f64 {
        self.trials.iter().map(|measured| measured.watched.length_s()).sum()
    }

    /// Transactions completed.
    pub fn completed_transactions(&self) -> f64 {
        self.trials.iter().map(|measured| measured.load.transactions as f64).sum()
    }

    /// Mean throughput over its trials, in transactions per second.
    pub fn throughput_per_s(&self) -> Result<f64, MissingObservation> {
        self.mean_of_metric(Metric::Throughput)
    }

    /// Mean latency over its trials, in milliseconds.
    pub fn latency_ms(&self) -> Result<f64, MissingObservation> {
        self.mean_of_metric(Metric::LatencyMean)
    }

    /// The mean over its trials of a figure, as far as they have it.
    pub fn mean_over_trials(&self, of: impl Fn(&MeasuredTrial<'_>) -> Option<f64>) -> Option<f64> {
        arithmetic_mean(self.trials.iter().filter_map(of))
    }

    /// Median and 99.9th percentile of latency, each the mean over its trials, in milliseconds.
    pub fn median_and_tail_ms(&self) -> Result<(f64, f64), MissingObservation> {
        Ok((self.mean_of_metric(Metric::LatencyP50)?, self.mean_of_metric(Metric::LatencyP999)?))
    }

    /// How the transactions begin.
    pub fn load_loop(&self) -> &LoadLoop {
        self.cells.question.load_loop(&self.cell.workload)
    }

    /// Share of its time that the load engine's busiest thread was on a CPU, over its trials, 0 to 1.
    pub fn engine_busiest(&self) -> Result<f64, MissingObservation> {
        self.of_engine(|engine| engine.busiest_thread)
    }

    /// The same, on a CPU or waiting for one.
    pub fn engine_demand(&self) -> Result<f64, MissingObservation> {
        self.of_engine(|engine| engine.busiest_demand.unwrap_or(engine.busiest_thread))
    }

    /// Whether its load came from another machine, or another pod, than where pgdyno runs.
    pub fn is_sent_from_elsewhere(&self) -> bool {
        self.trials.iter().all(|measured| measured.load.sent_from.is_some())
    }

    /// CPU time of the load engine in all its measurement phases, in microseconds.
    pub fn engine_cpu_us(&self) -> f64 {
        self.trials.iter().map(|measured| measured.load.engine.cpu_us as f64).sum()
    }

    /// How often a client waited for the server in a transaction; absent where the generator does not tell.
    pub fn round_trips(&self) -> Option<f64> {
        let trips: Option<u64> = self.path_figures().map(|path| path.map(|path| path.round_trips)).sum();
        trips.filter(|_| self.completed_transactions() > 0.0).map(|trips| trips as f64 / self.completed_transactions())
    }

    /// Bytes of answers per second; absent where the generator does not tell.
    pub fn received_bytes_per_s(&self) -> Option<f64> {
        let bytes: Option<u64> = self.path_figures().map(|path| path?.received_bytes).sum();
        bytes.filter(|_| self.measured_s() > 0.0).map(|bytes| bytes as f64 / self.measured_s())
    }

    /// What the kernel measured on the load's TCP connections, trial by trial; nothing of other connections.
    pub fn tcp_figures(&self) -> impl Iterator<Item = TcpFigures> {
        self.path_figures().filter_map(|path| match path?.network {
            NetworkPath::Tcp(figures) => Some(figures),
            NetworkPath::Unix | NetworkPath::Unknown { .. } => None,
        })
    }

    /// Whether all its load's connections are Unix-domain sockets.
    pub fn is_on_unix_sockets(&self) -> bool {
        self.path_figures().all(|path| path.is_some_and(|path| matches!(path.network, NetworkPath::Unix)))
    }

    fn path_figures(&self) -> impl Iterator<Item = Option<&PathFigures>> {
        self.trials.iter().map(|measured| measured.load.path.as_ref())
    }

    fn of_engine(&self, share: fn(&EngineTotals) -> f64) -> Result<f64, MissingObservation> {
        if let Some(generator) = self.trials.iter().find_map(|measured| measured.load.generator.as_ref()) {
            return Err(MissingObservation::new(
                "the load engine's own CPU time",
                format!("{} does not report it", generator.program),
            ));
        }
        let shares: Vec<f64> = self.trials.iter().map(|measured| share(&measured.load.engine)).collect();
        arithmetic_mean(&shares)
            .ok_or_else(|| MissingObservation::new("the load engine's own CPU time", "there is no trial"))
    }

    fn mean_of_metric(&self, metric: Metric) -> Result<f64, MissingObservation> {
        let figures: Vec<f64> =
            self.trials.iter().filter_map(|measured| metric.figure_of_trial(measured.trial)).collect();
        arithmetic_mean(&figures).ok_or_else(|| MissingObservation::new(metric.name(), "no transaction was completed"))
    }
}

/// What the probes read. Names of probes and figures are those of [`results::probe_fields`].
impl DiagnosisCase<'_> {
    /// How much a counter rose per second.
    pub fn counter_rate_per_s(&self, field: ProbeField) -> Result<f64, MissingObservation> {
        debug_assert_eq!(field.kind, FieldKind::Counter, "{field:?}");
        let (sum, over_us) = self.sum_of_readings(field)?;
        Ok(sum * 1e6 / over_us)
    }

    /// How much a counter rose in all: its rate over the whole of the measured time.
    pub fn total_increase(&self, field: ProbeField) -> Result<f64, MissingObservation> {
        Ok(self.counter_rate_per_s(field)? * self.measured_s())
    }

    /// How much a counter rose per completed transaction.
    pub fn per_transaction(&self, field: ProbeField) -> Result<f64, MissingObservation> {
        let transactions = self.completed_transactions();
        if transactions == 0.0 {
            return Err(MissingObservation::new(
                format!("{} per transaction", field.name),
                "no transaction was completed",
            ));
        }
        Ok(self.total_increase(field)? / transactions)
    }

    /// The mean level of a gauge.
    pub fn mean_gauge_level(&self, field: ProbeField) -> Result<f64, MissingObservation> {
        debug_assert_eq!(field.kind, FieldKind::Gauge, "{field:?}");
        self.sum_of_readings(field)?;
        let levels: Vec<f64> = self.readings_of_field(field).map(|(level, _)| level).collect();
        arithmetic_mean(&levels).ok_or_else(|| self.missing_field(field))
    }

    /// The highest level of a gauge, or the largest increase of a counter in one reading.
    pub fn highest_reading(&self, field: ProbeField) -> Result<f64, MissingObservation> {
        self.sum_of_readings(field)?;
        self.readings_of_field(field)
            .map(|(level, _)| level)
            .max_by(f64::total_cmp)
            .ok_or_else(|| self.missing_field(field))
    }

    /// Share of the time of all CPUs of the server's host that went into these figures of `host.cpu` (`steal_us`, ...).
    /// A figure that this kernel does not keep counts nothing.
    pub fn share_of_cpus(&self, fields: &[ProbeField]) -> Result<f64, MissingObservation> {
        self.share_of_all_cpus(self.trials.iter().map(|measured| measured.watched.cpu_us(fields)))
    }

    /// Share of the time of all CPUs of the server's host in which they were not idle, 0 to 1.
    pub fn cpu_busy(&self) -> Result<f64, MissingObservation> {
        Ok(1.0 - self.share_of_cpus(&[host_cpu::IDLE_US, host_cpu::IOWAIT_US])?)
    }

    /// Client backends that were on a CPU or ready for one, per CPU that the server can use. Of sessions that began and
    /// ended between two readings only the time on a CPU is known.
    pub fn ready_per_cpu(&self) -> Result<f64, MissingObservation> {
        let of_living_us = self.counter_rate_per_s(host_server::BACKENDS_CPU_US)?
            + self.counter_rate_per_s(host_server::BACKENDS_RUN_DELAY_US)?;
        let us_per_s = of_living_us + self.counter_rate_per_s(host_server::ENDED_CPU_US).unwrap_or_default();
        Ok(us_per_s / 1e6 / self.usable_cpus()?)
    }

    /// That the readings of the whole host, of which `what` is one, are of this side alone.
    ///
    /// # Errors
    /// When sides took turns: these readings are then of all of them.
    pub fn has_its_host_to_itself(&self, what: &str) -> Result<(), MissingObservation> {
        match self.takes_turns() {
            true => Err(MissingObservation::new(
                what,
                "the sides alternate in slices, and readings of the host cover all sides",
            )),
            false => Ok(()),
        }
    }

    /// Whether it took turns with another side.
    pub fn takes_turns(&self) -> bool {
        self.trials.iter().any(|measured| measured.trial.turns.is_some())
    }

    /// Share of the time of all CPUs of the server's host that went into processes which are neither the server's, nor
    /// of one that takes turns with it, nor pgdyno's.
    pub fn foreign_cpu(&self) -> Result<f64, MissingObservation> {
        self.sum_of_readings(host_foreign::CPU_US)?;
        self.share_of_all_cpus(self.trials.iter().filter_map(|measured| measured.watched.foreign_us()))
    }

    /// The share of a part of the CPUs' time, given the part and the whole of each trial in microseconds.
    fn share_of_all_cpus(&self, of_trials: impl Iterator<Item = [f64; 2]>) -> Result<f64, MissingObservation> {
        let [part_us, all_us] =
            of_trials.fold([0.0; 2], |[part, all], [of_part, of_all]| [part + of_part, all + of_all]);
        if all_us > 0.0 { Ok(part_us / all_us) } else { Err(self.missing_reading(host_cpu::PROBE, "CPU time")) }
    }

    fn readings_of_field(&self, field: ProbeField) -> impl Iterator<Item = (f64, u64)> {
        self.trials.iter().flat_map(move |measured| measured.watched.all_readings(field))
    }

    fn sum_of_readings(&self, field: ProbeField) -> Result<(f64, f64), MissingObservation> {
        let (sum, over_us) = self
            .readings_of_field(field)
            .fold((0.0, 0.0), |(sum, over_us), (value, us)| (sum + value, over_us + us as f64));
        let covered = over_us > 0.0 && over_us >= COVERED_FROM * self.measured_s() * 1e6;
        if covered { Ok((sum, over_us)) } else { Err(self.missing_field(field)) }
    }

    pub(super) fn missing_field(&self, field: ProbeField) -> MissingObservation {
        self.missing_reading(field.probe, field.name)
    }

    fn missing_reading(&self, probe: ProbeName, what: &str) -> MissingObservation {
        let why = self.trials.first().map_or(String::new(), |measured| measured.watched.why_missing(probe));
        MissingObservation::new(format!("{probe} {what}"), why)
    }
}

/// What the sessions were seen doing.
impl DiagnosisCase<'_> {
    /// Share of their time that the load's sessions were in states for which `is` holds, 0 to 1.
    pub fn share_of_sessions(&self, is: impl Fn(&SampledSessions) -> bool) -> Result<f64, MissingObservation> {
        let (mut those, mut all) = (0, 0);
        for seen in self.all_seen_sessions() {
            all += seen.sessions;
            those += if is(seen) { seen.sessions } else { 0 };
        }
        if all > 0 { Ok(those as f64 / all as f64) } else { Err(self.missing_session_samples()) }
    }

    /// Share of their time that the load's sessions waited for events of a class, by event, the largest first.
    pub fn waits_of(&self, class: &str) -> Result<Vec<(String, f64)>, MissingObservation> {
        let waits = self.waits_where(|wait| wait.class == class)?;
        Ok(waits.into_iter().map(|(wait, share)| (wait.event, share)).collect())
    }

    /// The same of the waits for which `is` holds.
    pub(super) fn waits_where(
        &self,
        is: impl Fn(&WaitEvent) -> bool,
    ) -> Result<Vec<(WaitEvent, f64)>, MissingObservation> {
        let (mut waits, mut all) = (BTreeMap::new(), 0);
        for seen in self.all_seen_sessions() {
            all += seen.sessions;
            if let Some(wait) = seen.wait.as_ref().filter(|wait| is(wait)) {
                *waits.entry(wait.clone()).or_insert(0) += seen.sessions;
            }
        }
        if all == 0 {
            return Err(self.missing_session_samples());
        }
        let mut shares: Vec<(WaitEvent, f64)> =
            waits.into_iter().map(|(wait, sessions)| (wait, sessions as f64 / all as f64)).collect();
        shares.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        Ok(shares)
    }

    fn all_seen_sessions(&self) -> impl Iterator<Item = &SampledSessions> {
        self.activity_windows().flat_map(|window| &window.seen)
    }

    pub(super) fn missing_session_samples(&self) -> MissingObservation {
        let gap = self.activity_windows().find_map(|window| window.gap.clone());
        MissingObservation::new("samples of the sessions", gap.unwrap_or_else(|| "none were taken".to_owned()))
    }
}
