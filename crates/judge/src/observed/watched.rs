//! A trial's measurement phase as it was watched: every second, and in columns beside the seconds what each probe read
//! and what the sessions were seen doing. A second in which a probe had a gap has no value; the first reason is kept.

use std::collections::BTreeMap;

use results::activity::{ActivityWindow, SampledActivity};
use results::execution_results::TrialResults;
use results::interval::{EngineInterval, IntervalLatency};
use results::log::ServerLog;
use results::off_cpu::OffCpu;
use results::plans::Plans;
use results::probe_fields::{
    FieldKind, FieldUnit, ProbeField, ProbeName, host_cgroup, host_cpu, host_foreign, host_processes, host_server,
    pg_checkpointer, pg_database, pg_tables,
};
use results::statement_latency::StatementLatencies;
use results::statements::TrialStatements;
use results::store::RunDir;
use results::tables::TrialTables;
use results::trial::TrialPhase;

use super::first_reads::FirstReads;
use super::named::NamedEntries;
use super::series::{SeriesLine, per_s};
use crate::profile::CpuProfile;
use crate::thresholds::OTHERS_AT_WORK;

/// A figure counts when its readings cover at least this share of the measured time: the rest is guessed from it.
pub(crate) const COVERED_FROM: f64 = 0.5;

/// How the figures begin that are of the side's own sessions, whoever else works on its server.
const OF_THE_LOAD: &str = "load_";

/// The measurement phase of one trial.
#[derive(Debug, Clone, Default)]
pub struct WatchedPhase {
    /// What was read in the first seconds of the load, be they of the warm-up or of this phase.
    pub first_reads: FirstReads,
    /// Its seconds, in order.
    pub seconds: Vec<WatchedSecond>,
    /// What was seen of the sessions, beside each second; absent where nothing was sampled.
    pub activity: Vec<Option<ActivityWindow>>,
    /// What the server's log said during the whole trial; absent where it was not looked at.
    pub log: Option<ServerLog>,
    /// What the server counted of its statements while measuring; absent where it was not asked.
    pub statements: Option<TrialStatements>,
    /// What was done to the tables while measuring; absent where the server was not asked.
    pub tables: Option<TrialTables>,
    /// How its statements would be executed; absent where the server was not asked.
    pub plans: Option<Plans>,
    /// How long its statements took the clients while measuring; absent where they were not timed.
    pub statement_latency: Option<StatementLatencies>,
    /// What its executions came to; absent where they were not noted.
    pub results: Option<TrialResults>,
    /// What its server executed while measuring; absent where it was not to be sampled.
    pub profile: Option<CpuProfile>,
    /// Where its server's processes slept while measuring; absent where they were not to be looked at.
    pub off_cpu: Option<OffCpu>,
    /// Why what its server counted, in its log also, is not of this trial's side alone; absent where it is.
    pub not_its_own: Option<String>,
    probes: BTreeMap<String, Probe>,
}

/// The figures of a probe that are named while measuring, over all of its readings.
#[derive(Debug, Default)]
pub(super) struct SumsByName {
    /// Readings with values.
    pub(super) readings: usize,
    /// Microseconds that they span.
    pub(super) over_us: u64,
    /// By name.
    pub(super) sums: BTreeMap<String, SumOfReadings>,
}

/// The sum of one figure.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SumOfReadings {
    /// How many readings have it.
    pub(super) readings: usize,
    /// Of all of them.
    pub(super) sum: f64,
}

/// How much of a phase a probe read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Covered<'a> {
    /// Microseconds that its readings are of.
    pub(crate) read_us: u64,
    /// Microseconds of the phase.
    pub(crate) measured_us: u64,
    /// Why it was not all of it.
    pub(crate) gap: Option<&'a str>,
}

/// One second as the load engine counted it.
#[derive(Debug, Clone)]
pub struct WatchedSecond {
    /// Start, in microseconds since the load's start.
    pub start_us: u64,
    /// Length in microseconds, above zero.
    pub duration_us: u64,
    /// For how much of it the load could begin transactions: all of it, or as long as its side had its turn.
    pub worked_us: u64,
    /// Transactions that ended.
    pub transactions: u64,
    /// Clients without a connection at its end.
    pub clients_out: u32,
    /// Latency; absent when no transaction ended.
    pub latency: Option<IntervalLatency>,
    /// What the load engine spent itself; absent where another program sent the load.
    pub engine: Option<EngineInterval>,
}

/// The readings of one probe, beside the seconds.
#[derive(Debug, Clone, Default)]
struct Probe {
    over_us: Vec<Option<u64>>,
    fields: ProbeColumns,
    gap: Option<String>,
}

/// The figures of a probe in columns. A line has them in the order of the line before it, so that most are found where
/// the next one is expected.
#[derive(Debug, Clone, Default)]
struct ProbeColumns {
    places: BTreeMap<String, usize>,
    names: Vec<String>,
    columns: Vec<Vec<Option<f64>>>,
}

impl ProbeColumns {
    fn get(&self, name: &str) -> Option<&Vec<Option<f64>>> {
        self.columns.get(*self.places.get(name)?)
    }

    /// Those that are of the side's own sessions.
    fn of_the_load(&self) -> Self {
        let mut own = Self::default();
        for (name, column) in self.names.iter().zip(&self.columns).filter(|(name, _)| name.starts_with(OF_THE_LOAD)) {
            let place = own.place_of_column(name.clone());
            own.columns[place].clone_from(column);
        }
        own
    }

    /// Adds the values of the second `at`.
    fn add(&mut self, at: usize, values: NamedEntries<'_, f64>) {
        for (expected, (name, value)) in values.0.into_iter().enumerate() {
            let is_here = self.names.get(expected).is_some_and(|here| *here == name);
            let place = if is_here { expected } else { self.place_of_column(name.into_owned()) };
            let column = &mut self.columns[place];
            column.resize(at, None);
            column.push(Some(value));
        }
    }

    fn place_of_column(&mut self, name: String) -> usize {
        if let Some(place) = self.places.get(&name) {
            return *place;
        }
        self.places.insert(name.clone(), self.names.len());
        self.names.push(name);
        self.columns.push(Vec::new());
        self.columns.len() - 1
    }
}

/// Bytes of a block of PostgreSQL, as all packages build it.
pub(crate) const BLOCK_BYTES: f64 = 8192.0;

/// A count over several trials; none where one of them was not watched or lacks it.
pub(crate) fn sum_of_trials(trials: &[Option<&WatchedPhase>], count: fn(&WatchedPhase) -> Option<f64>) -> Option<f64> {
    trials.iter().map(|watched| count((*watched)?)).sum()
}

impl WatchedPhase {
    /// One trial's, of whose files two have been read.
    ///
    /// # Errors
    /// When another cannot be read or understood.
    pub fn read(
        dir: &RunDir,
        trial: u32,
        lines: Vec<SeriesLine<'_>>,
        activity: Vec<SampledActivity>,
    ) -> results::Result<Self> {
        let watched = Self::from_lines(lines, activity).with_log(dir.server_log(trial)?);
        let (statements, statement_latency) = (dir.trial_statements(trial)?, dir.statement_latency(trial)?);
        let watched = watched.with_tables(dir.trial_tables(trial)?).with_plans(dir.trial_plans(trial)?);
        let profile = dir.trial_profile(trial)?.map(CpuProfile::of_samples);
        let (off_cpu, results) = (dir.off_cpu(trial)?, dir.trial_results(trial)?);
        Ok(Self { statement_latency, results, profile, off_cpu, ..watched.with_statements(statements) })
    }

    /// Arranges the lines of the measurement phase; a second without any length has no figures.
    pub(crate) fn from_lines(lines: Vec<SeriesLine<'_>>, activity: Vec<SampledActivity>) -> Self {
        let mut windows: BTreeMap<u32, ActivityWindow> = activity
            .into_iter()
            .filter(|second| second.phase == TrialPhase::Measure)
            .map(|second| (second.index, second.window))
            .collect();
        let mut watched = Self { first_reads: FirstReads::from_lines(&lines), ..Self::default() };
        for line in lines.into_iter().filter(|line| line.phase == TrialPhase::Measure && line.duration_us > 0) {
            watched.activity.push(windows.remove(&line.index));
            watched.add(line);
        }
        let length = watched.seconds.len();
        for probe in watched.probes.values_mut() {
            probe.over_us.resize(length, None);
            probe.fields.columns.iter_mut().for_each(|column| column.resize(length, None));
        }
        watched
    }

    /// The same with what the server's log said.
    pub(crate) fn with_log(self, log: Option<ServerLog>) -> Self {
        Self { log, ..self }
    }

    /// The same with what was done to the tables.
    pub(crate) fn with_tables(self, tables: Option<TrialTables>) -> Self {
        Self { tables, ..self }
    }

    /// The same with what the server counted of its statements.
    pub(crate) fn with_statements(self, statements: Option<TrialStatements>) -> Self {
        Self { statements, ..self }
    }

    /// The same with how its statements would be executed.
    pub(crate) fn with_plans(self, plans: Option<Plans>) -> Self {
        Self { plans, ..self }
    }

    fn add(&mut self, line: SeriesLine<'_>) {
        let (at, worked_us) = (self.seconds.len(), line.worked_us());
        for (name, reading) in line.probes.0 {
            if !self.probes.contains_key(&*name) {
                self.probes.insert(name.to_string(), Probe::default());
            }
            let probe = self.probes.get_mut(&*name).expect("there is one now");
            probe.over_us.resize(at, None);
            probe.over_us.push(reading.over_us);
            if probe.gap.is_none() {
                probe.gap = reading.gap;
            }
            if let Some(values) = reading.values {
                probe.fields.add(at, values);
            }
        }
        self.seconds.push(WatchedSecond {
            start_us: line.start_us,
            duration_us: line.duration_us,
            worked_us,
            transactions: line.transactions,
            clients_out: line.clients_out,
            latency: line.latency,
            engine: line.engine,
        });
    }

    /// What a probe read of one figure in one second, with the microseconds that it is of: what the reading spans, or
    /// the part of it in which the side had its turn where the figure is of its own server. A figure of the whole host
    /// is of all sides.
    pub fn reading_in_second(&self, field: ProbeField, second: usize) -> Option<(f64, u64)> {
        let probe = self.probes.get(field.probe.as_str())?;
        let value = *probe.fields.get(field.name)?.get(second)?;
        let over_us = (*probe.over_us.get(second)?)?;
        Some((value?, self.seconds[second].span_of_reading(is_of_the_server(field.probe.as_str()), over_us)))
    }

    /// The same of every second, in order; of a figure that was never read, of none.
    pub fn readings_by_second(&self, field: ProbeField) -> impl Iterator<Item = Option<(f64, u64)>> {
        let probe = self.probes.get(field.probe.as_str());
        let figure = probe.and_then(|probe| Some((probe, probe.fields.get(field.name)?)));
        figure.into_iter().flat_map(move |(probe, column)| self.readings_of_column(field.probe, probe, column))
    }

    fn readings_of_column<'a>(
        &'a self,
        name: ProbeName,
        probe: &'a Probe,
        column: &'a [Option<f64>],
    ) -> impl Iterator<Item = Option<(f64, u64)>> + use<'a> {
        let is_of_the_server = is_of_the_server(name.as_str());
        let rows = self.seconds.iter().zip(column).zip(&probe.over_us);
        rows.map(move |((second, value), over_us)| {
            Some(((*value)?, second.span_of_reading(is_of_the_server, (*over_us)?)))
        })
    }

    /// A counter per second, or the level of a gauge, in one second; absent in a gap.
    pub fn value_at(&self, field: ProbeField, second: usize) -> Option<f64> {
        value_of_reading(field, self.reading_in_second(field, second)?)
    }

    /// The same of every second, in order; of a figure that was never read, of none.
    pub fn values_by_second(&self, field: ProbeField) -> impl Iterator<Item = Option<f64>> {
        self.readings_by_second(field).map(move |reading| value_of_reading(field, reading?))
    }

    /// Every reading of one figure, in order, with the microseconds that each is of.
    pub fn all_readings(&self, field: ProbeField) -> impl Iterator<Item = (f64, u64)> {
        self.readings_by_second(field).flatten()
    }

    /// How much a counter rose over all its readings, and the microseconds that they span;
    /// none where it was never read.
    pub fn rise_of_counter(&self, field: ProbeField) -> Option<(f64, u64)> {
        risen_over(self.all_readings(field))
    }

    /// How much a counter rose over all its readings; none where it was never read.
    pub(crate) fn risen_by(&self, field: ProbeField) -> Option<f64> {
        self.rise_of_counter(field).map(|(risen_by, _)| risen_by)
    }

    /// How much a counter rose per completed transaction, as fast as it did where it was read; none where that is too
    /// little of the phase, or nothing was completed.
    pub(crate) fn per_transaction(&self, field: ProbeField) -> Option<f64> {
        self.divided_by_transactions(self.rise_of_counter(field)?)
    }

    /// A rise over so many microseconds, as [`Self::per_transaction`] tells it.
    fn divided_by_transactions(&self, (rise, over_us): (f64, u64)) -> Option<f64> {
        let transactions: u64 = self.seconds.iter().map(|second| second.transactions).sum();
        let over_s = over_us as f64 / 1e6;
        let known = transactions > 0 && over_s > 0.0 && over_s >= COVERED_FROM * self.length_s();
        known.then(|| rise / over_s * self.length_s() / transactions as f64)
    }

    /// Every figure of a probe, by its name, as [`Self::per_transaction`] tells it. For a probe of which all figures
    /// are counters and are named by what the server has.
    pub(crate) fn counters_per_transaction(&self, probe: ProbeName) -> BTreeMap<String, f64> {
        let mut all = BTreeMap::new();
        let Some(readings) = self.probes.get(probe.as_str()) else { return all };
        for (name, column) in readings.fields.names.iter().zip(&readings.fields.columns) {
            let risen = risen_over(self.readings_of_column(probe, readings, column).flatten());
            if let Some(figure) = risen.and_then(|risen| self.divided_by_transactions(risen)) {
                all.insert(name.clone(), figure);
            }
        }
        all
    }

    /// The sum of every figure of a probe over its readings, by its name; none where it was not attached.
    pub(super) fn sums_by_name(&self, probe: ProbeName) -> Option<SumsByName> {
        let read = self.probes.get(probe.as_str())?;
        let mut all = SumsByName::default();
        let mut has_values = vec![false; read.over_us.len()];
        for (name, column) in read.fields.names.iter().zip(&read.fields.columns) {
            let mut sum = SumOfReadings::default();
            for (value, is_read) in column.iter().zip(&mut has_values) {
                if let Some(value) = value {
                    sum.sum += value;
                    sum.readings += 1;
                    *is_read = true;
                }
            }
            all.sums.insert(name.clone(), sum);
        }
        for (over_us, is_read) in read.over_us.iter().zip(has_values) {
            if is_read {
                all.readings += 1;
                all.over_us += over_us.unwrap_or_default();
            }
        }
        Some(all)
    }

    /// Checkpoints that were done, where the server counts them; older ones count those by time also when there was
    /// nothing to do.
    pub(crate) fn checkpoints_done(&self) -> Option<f64> {
        let done = self.risen_by(pg_checkpointer::DONE);
        done.or_else(|| Some(self.risen_by(pg_checkpointer::TIMED)? + self.risen_by(pg_checkpointer::REQUESTED)?))
    }

    /// Buffers that checkpoints wrote.
    pub(crate) fn checkpoint_buffers(&self) -> Option<f64> {
        self.risen_by(pg_checkpointer::BUFFERS_WRITTEN)
    }

    /// Vacuums that the server began by itself.
    pub(crate) fn autovacuums_started(&self) -> Option<f64> {
        self.risen_by(pg_tables::AUTOVACUUMS)
    }

    /// Microseconds of the host's CPUs that went into these figures of `host.cpu` (`steal_us`, ...), and into all. A
    /// figure that this kernel does not keep counts nothing.
    pub fn cpu_us(&self, fields: &[ProbeField]) -> [f64; 2] {
        let (mut part_us, mut all_us) = (0.0, 0.0);
        for field in host_cpu::PROBE.fields().iter().filter(|field| field.unit == FieldUnit::CpuUs) {
            let us: f64 = self.all_readings(*field).map(|(us, _)| us).sum();
            all_us += us;
            part_us += if fields.contains(field) { us } else { 0.0 };
        }
        [part_us, all_us]
    }

    /// Microseconds of the host's CPUs that went into processes which are neither the server's nor pgdyno's, a
    /// generator that it has started included, and into all; none where the former was never read.
    pub fn foreign_us(&self) -> Option<[f64; 2]> {
        let (foreign_us, _) = self.rise_of_counter(host_foreign::CPU_US)?;
        let [_, all_us] = self.cpu_us(&[]);
        Some([foreign_us, all_us])
    }

    /// Whether somebody else was seen at work on the server: its counters are then not the load's alone.
    pub(crate) fn has_others_at_work(&self) -> bool {
        let (mut samples, mut sessions) = (0, 0);
        for window in self.activity.iter().flatten() {
            samples += window.others_samples;
            sessions += window.others.iter().map(|one| one.sessions).sum::<u64>();
        }
        samples > 0 && sessions as f64 >= OTHERS_AT_WORK * f64::from(samples)
    }

    /// Forgets what a probe read, and why.
    pub(crate) fn leave_out(&mut self, probe: ProbeName, why: &str) {
        self.probes.insert(probe.to_string(), Probe { gap: Some(why.to_owned()), ..Probe::default() });
    }

    /// Forgets what its server counted, as far as `is_it` says so of a probe, and why: it is not of this side alone.
    /// What is of one database stays if that is the side's own.
    pub(crate) fn take_back(&mut self, why: &str, has_own_database: bool, is_it: impl Fn(&str) -> bool) {
        let gap = Some(why.to_owned());
        self.not_its_own.clone_from(&gap);
        for (name, probe) in &mut self.probes {
            let stays = has_own_database && is_of_the_database(name);
            if stays || !is_of_the_server(name) || !is_it(name) {
                continue;
            }
            let fields = probe.fields.of_the_load();
            *probe = Probe { gap: gap.clone(), over_us: std::mem::take(&mut probe.over_us), fields };
        }
        if has_own_database {
            return;
        }
        if let Some(TrialStatements { format, over_us, .. }) = self.statements {
            self.statements = Some(TrialStatements { format, over_us, gap: gap.clone(), ..TrialStatements::default() });
        }
        if let Some(TrialTables { format, over_us, .. }) = self.tables {
            self.tables = Some(TrialTables { format, over_us, gap, ..TrialTables::default() });
        }
    }

    /// Why a figure is missing: what the probe said first, or that it says nothing of the sort.
    pub fn why_missing(&self, probe: ProbeName) -> String {
        match self.probes.get(probe.as_str()) {
            None => "the probe was not attached".to_owned(),
            Some(Probe { gap: Some(gap), .. }) => gap.clone(),
            Some(Probe { gap: None, .. }) => "the probe did not read it".to_owned(),
        }
    }

    /// For how much of the phase a probe read, and why not for the rest; none where it was not attached, or what it
    /// read was left out. A reading that is late is of all the time since the one before.
    pub(crate) fn coverage_of_probe(&self, probe: ProbeName) -> Option<Covered<'_>> {
        let probe = self.probes.get(probe.as_str()).filter(|probe| !probe.over_us.is_empty())?;
        let measured_us: u64 = self.seconds.iter().map(|second| second.duration_us).sum();
        let mut read_us = 0;
        for (at, over_us) in probe.over_us.iter().enumerate() {
            let has_values = probe.fields.columns.iter().any(|column| column.get(at).is_some_and(Option::is_some));
            read_us += over_us.filter(|_| has_values).unwrap_or(0);
        }
        Some(Covered { read_us: read_us.min(measured_us), measured_us, gap: probe.gap.as_deref() })
    }

    /// How long the load could begin transactions, in seconds.
    pub fn length_s(&self) -> f64 {
        self.seconds.iter().map(WatchedSecond::worked_s).sum()
    }
}

/// How much a counter rose over these readings, and the microseconds that they span; none without any.
fn risen_over(readings: impl Iterator<Item = (f64, u64)>) -> Option<(f64, u64)> {
    readings.reduce(|(sum, over_us), (value, us)| (sum + value, over_us + us))
}

/// A counter per second, or the level of a gauge.
fn value_of_reading(field: ProbeField, (value, over_us): (f64, u64)) -> Option<f64> {
    match field.kind {
        FieldKind::Gauge => Some(value),
        FieldKind::Counter if over_us == 0 => None,
        FieldKind::Counter => Some(value * 1e6 / over_us as f64),
    }
}

/// Whether a probe reads what one server does, and not what its whole host does: between the turns of its side that
/// stands still.
/// Whether a probe tells of the database that the probes connect to, and of no other.
fn is_of_the_database(probe: &str) -> bool {
    [pg_database::PROBE, pg_tables::PROBE].iter().any(|of| probe == of.as_str())
}

fn is_of_the_server(probe: &str) -> bool {
    let of_host = [host_server::PROBE, host_processes::PROBE, host_cgroup::PROBE];
    ["pg.", "pooler."].iter().any(|of| probe.starts_with(of)) || of_host.iter().any(|of| probe == of.as_str())
}

impl WatchedSecond {
    /// Transactions per second in which the side could send; absent where it hardly had a turn.
    pub fn throughput_per_s(&self) -> Option<f64> {
        per_s(self.transactions, self.worked_us, self.duration_us)
    }

    /// How long the load could begin transactions, in seconds.
    pub fn worked_s(&self) -> f64 {
        self.worked_us as f64 / 1e6
    }

    /// The part of a reading's span, taken in this second, that its figures are of.
    fn span_of_reading(&self, is_of_the_server: bool, over_us: u64) -> u64 {
        if is_of_the_server { self.worked_of(over_us) } else { over_us }
    }

    /// The part of a span of about this second in which the load could begin transactions.
    fn worked_of(&self, over_us: u64) -> u64 {
        if self.worked_us == self.duration_us {
            return over_us;
        }
        (over_us as f64 * self.worked_us as f64 / self.duration_us as f64) as u64
    }

    /// Its start, in seconds since the load's start.
    pub fn start_s(&self) -> f64 {
        self.start_us as f64 / 1e6
    }

    /// Its end, in seconds since the load's start.
    pub fn end_s(&self) -> f64 {
        (self.start_us + self.duration_us) as f64 / 1e6
    }
}
