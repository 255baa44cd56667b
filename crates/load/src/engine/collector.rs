//! Puts the threads' counts together: second by second for whoever watches, and over the measurement phase.

use crate::engine::clock::NEVER;
use crate::engine::cpu::CpuUsed;
use crate::engine::recorder::{IntervalCounts, ScriptCounts};
use crate::engine::timetable::Timetable;
use crate::first_errors::FirstErrors;
use crate::job::EngineJob;
use crate::latency::{TransactionLatency, duration_histogram};
use crate::path::PathActivity;
use crate::report::{
    ClientOutage, ConnectionLatency, LoadPhase, OpenLoop, OutageChange, PhaseSecond, ScriptSecond, ScriptTotal,
    StatementCounts, ThreadActivity,
};
use crate::silence::Listening;
use hdrhistogram::Histogram;
use std::collections::{BTreeMap, VecDeque};
use std::sync::mpsc::Sender;
use wire::SqlState;

/// Everything that has been counted so far.
#[derive(Debug)]
pub(crate) struct Collector {
    timetable: Timetable,
    /// Where emptied boxes go, by thread.
    returns: Vec<Sender<Box<IntervalCounts>>>,
    /// Intervals that some thread has not ended yet, by thread.
    pending: Vec<VecDeque<Box<IntervalCounts>>>,
    /// Reused from second to second.
    second: PhaseSecond,
    /// The side's turns, without those that were over before the next second: begin and end.
    turns: VecDeque<(u64, u64)>,
    /// Its measured turns together.
    measured_ns: u64,
    pub(crate) totals: Totals,
}

/// The measurement phase so far.
#[derive(Debug)]
pub(crate) struct Totals {
    pub(crate) scripts: Vec<ScriptTotal>,
    pub(crate) unknown: u64,
    pub(crate) errors: BTreeMap<SqlState, u64>,
    /// Also of the warm-up.
    pub(crate) first_errors: FirstErrors,
    /// Of the whole run, in the order in which they began on their thread.
    pub(crate) outages: Vec<ClientOutage>,
    pub(crate) connections: Option<Box<ConnectionLatency>>,
    pub(crate) open: Option<OpenLoop>,
    pub(crate) threads: Vec<ThreadActivity>,
    /// Of the whole run.
    pub(crate) listening: Listening,
    loop_lags: Vec<Histogram<u64>>,
}

impl Collector {
    pub(crate) fn new(job: &EngineJob, timetable: Timetable, returns: Vec<Sender<Box<IntervalCounts>>>) -> Collector {
        let names = || job.scripts.iter().map(|weighted| weighted.script.name().to_owned());
        let open = job.pace.is_open();
        let threads = returns.len();
        let second = PhaseSecond {
            phase: LoadPhase::WarmUp,
            index: 0,
            start_ns: 0,
            duration_ns: 0,
            turn_ns: 0,
            scripts: names().map(ScriptSecond::new).collect(),
            errors: BTreeMap::new(),
            first_errors: Vec::new(),
            unknown: 0,
            attempts: 0,
            outages: Vec::new(),
            connections: None,
            open: open.then(OpenLoop::new),
            threads: vec![ThreadActivity::default(); threads],
        };
        let nothing = ThreadActivity { cpu_system_ns: Some(0), run_delay_ns: Some(0), ..ThreadActivity::default() };
        let totals = Totals {
            scripts: names().map(ScriptTotal::new).collect(),
            unknown: 0,
            errors: BTreeMap::new(),
            outages: Vec::new(),
            connections: None,
            open: open.then(OpenLoop::new),
            threads: vec![nothing; threads],
            listening: Listening::new(threads),
            loop_lags: (0..threads).map(|_| duration_histogram(2)).collect(),
            first_errors: FirstErrors::default(),
        };
        let pending = (0..threads).map(|_| VecDeque::new()).collect();
        Collector { timetable, pending, returns, second, turns: VecDeque::new(), measured_ns: 0, totals }
    }

    /// The warm-up is over, and the measurement begins at `start_ns`.
    pub(crate) fn measure_from(&mut self, start_ns: u64) {
        self.timetable.warm_up_ns = start_ns - self.timetable.start_ns;
    }

    /// When the measurement phase begins; `NEVER` if that is not known.
    pub(crate) fn measure_start_ns(&self) -> u64 {
        self.timetable.measure_start_ns()
    }

    /// How long the side's measured turns were together.
    pub(crate) fn measured_ns(&self) -> u64 {
        self.measured_ns
    }

    /// It is the side's turn from `at_ns` on.
    pub(crate) fn turn_began(&mut self, at_ns: u64) {
        self.turns.push_back((at_ns, NEVER));
    }

    /// It was the side's turn until `at_ns`, and as much of it as lay in the measurement counts.
    pub(crate) fn turn_ended(&mut self, phase: LoadPhase, at_ns: u64) {
        let Some((start_ns, end_ns)) = self.turns.back_mut() else { return };
        *end_ns = at_ns;
        if phase == LoadPhase::Measure {
            self.measured_ns += at_ns.saturating_sub((*start_ns).max(self.timetable.measure_start_ns()));
        }
    }

    /// Takes in what a thread counted in its next interval.
    pub(crate) fn add(&mut self, thread: usize, counts: Box<IntervalCounts>) {
        self.pending[thread].push_back(counts);
    }

    /// The next second that is complete on all threads, if it began before `end_ns`.
    pub(crate) fn next_second(&mut self, end_ns: u64) -> Option<&PhaseSecond> {
        let number = self.pending.first()?.front()?.number;
        let interval = self.timetable.interval_by_number(number).filter(|interval| interval.start_ns < end_ns)?;
        if self.pending.iter().any(VecDeque::is_empty) {
            return None;
        }
        self.second.clear();
        self.second.phase = interval.phase;
        self.second.index = interval.index;
        self.second.start_ns = interval.start_ns;
        let second_end_ns = interval.end_ns.min(end_ns);
        self.second.duration_ns = second_end_ns - interval.start_ns;
        self.second.turn_ns = self.turns.iter().map(|turn| shared_ns(*turn, (interval.start_ns, second_end_ns))).sum();
        while self.turns.front().is_some_and(|(_, turn_end_ns)| *turn_end_ns <= second_end_ns) && self.turns.len() > 1 {
            self.turns.pop_front();
        }
        for thread in 0..self.pending.len() {
            if let Some(mut counts) = self.pending[thread].pop_front() {
                self.second.add(thread, &counts);
                self.totals.add(thread, &mut counts, interval.phase);
                counts.reset();
                // The thread is gone when these were its last counts.
                let _thread_gone = self.returns[thread].send(counts);
            }
        }
        if let (LoadPhase::Measure, Some(total), Some(second)) =
            (interval.phase, &mut self.totals.open, &self.second.open)
        {
            total.append_later(second);
            total.waiting = second.waiting;
        }
        Some(&self.second)
    }
}

impl PhaseSecond {
    /// Forgets everything; keeps the memory.
    fn clear(&mut self) {
        for script in &mut self.scripts {
            script.latency.reset();
            (script.failed, script.late, script.retried, script.retries) = (0, 0, 0, 0);
        }
        self.errors.clear();
        self.first_errors.clear();
        self.unknown = 0;
        self.attempts = 0;
        self.outages.clear();
        self.connections = None;
        self.open.iter_mut().for_each(OpenLoop::reset);
    }

    fn add(&mut self, thread: usize, counts: &IntervalCounts) {
        for (script, ScriptCounts { latency, failed, late, retried, retries, statements: _ }) in
            self.scripts.iter_mut().zip(&counts.scripts)
        {
            script.latency.merge(latency);
            script.failed += failed;
            script.late += late;
            script.retried += retried;
            script.retries += retries;
        }
        for (sqlstate, count) in &counts.errors {
            *self.errors.entry(*sqlstate).or_default() += count;
        }
        self.first_errors.extend_from_slice(&counts.first_errors);
        self.unknown += counts.unknown;
        self.attempts += counts.attempts;
        self.outages.extend_from_slice(&counts.outages);
        add_connections(&mut self.connections, counts.connections.as_deref());
        if let (Some(open), Some(of_thread)) = (&mut self.open, &counts.open) {
            open.merge(of_thread);
        }
        self.threads[thread] = counts.thread_activity();
    }
}

impl IntervalCounts {
    fn thread_activity(&self) -> ThreadActivity {
        let cpu = self.cpu.unwrap_or(CpuUsed::NOTHING);
        let mut activity = ThreadActivity {
            cpu_ns: cpu.total_ns,
            cpu_system_ns: cpu.system_ns,
            run_delay_ns: cpu.run_delay_ns,
            busy_ns: self.busy_ns,
            rounds: self.loop_lag.len(),
            ready: self.ready,
            ready_max: self.ready_max,
            late_sends: self.late_sends,
            send_lag_ns: self.send_lag_ns,
            send_lag_max_ns: self.send_lag_max_ns,
            path: PathActivity { unnoticed_ns: self.noticed.of_all_ns(self.ready), ..self.path },
            ..ThreadActivity::default()
        };
        activity.lag_of(&self.loop_lag);
        activity
    }
}

impl ThreadActivity {
    fn lag_of(&mut self, rounds: &Histogram<u64>) {
        self.loop_lag_max_ns = rounds.max();
        self.loop_lag_p99_ns = rounds.value_at_quantile(0.99);
        self.loop_lag_p50_ns = rounds.value_at_quantile(0.50);
    }

    /// Adds a later time of the same thread. What is not known of every second is not known of their sum.
    fn append_later(&mut self, later: &ThreadActivity, rounds: &Histogram<u64>) {
        self.cpu_ns += later.cpu_ns;
        self.cpu_system_ns = self.cpu_system_ns.zip(later.cpu_system_ns).map(|(so_far, more)| so_far + more);
        self.run_delay_ns = self.run_delay_ns.zip(later.run_delay_ns).map(|(so_far, more)| so_far + more);
        self.busy_ns += later.busy_ns;
        self.rounds += later.rounds;
        self.ready += later.ready;
        self.ready_max = self.ready_max.max(later.ready_max);
        self.late_sends += later.late_sends;
        self.send_lag_ns += later.send_lag_ns;
        self.send_lag_max_ns = self.send_lag_max_ns.max(later.send_lag_max_ns);
        self.path.add(&later.path);
        self.lag_of(rounds);
    }
}

impl ScriptSecond {
    fn new(name: String) -> ScriptSecond {
        ScriptSecond { name, latency: TransactionLatency::new(), failed: 0, late: 0, retried: 0, retries: 0 }
    }
}

impl ScriptTotal {
    /// Nothing counted yet.
    pub(crate) fn new(name: String) -> ScriptTotal {
        let statements = StatementCounts::default();
        ScriptTotal { name, latency: TransactionLatency::new(), failed: 0, late: 0, retried: 0, retries: 0, statements }
    }
}

impl Totals {
    fn add(&mut self, thread: usize, counts: &mut IntervalCounts, phase: LoadPhase) {
        self.outages_changed(counts.outages.drain(..));
        self.listening.add(thread, &counts.silent);
        counts.first_errors.iter().for_each(|error| self.first_errors.add(error));
        match phase {
            LoadPhase::WarmUp => {}
            LoadPhase::Measure => self.add_measured(thread, counts),
        }
    }

    fn add_measured(&mut self, thread: usize, counts: &IntervalCounts) {
        for (total, ScriptCounts { latency, failed, late, retried, retries, statements }) in
            self.scripts.iter_mut().zip(&counts.scripts)
        {
            total.latency.merge(latency);
            total.failed += failed;
            total.late += late;
            total.retried += retried;
            total.retries += retries;
            total.statements.add(statements);
        }
        for (sqlstate, count) in &counts.errors {
            *self.errors.entry(*sqlstate).or_default() += count;
        }
        add_connections(&mut self.connections, counts.connections.as_deref());
        self.unknown += counts.unknown;
        let lag = &mut self.loop_lags[thread];
        // Cannot fail: all these histograms have the same bounds.
        let _same_bounds = lag.add(&counts.loop_lag);
        self.threads[thread].append_later(&counts.thread_activity(), lag);
    }

    /// A client has at most one outage at a time, and its changes come in order.
    fn outages_changed(&mut self, changes: impl Iterator<Item = OutageChange>) {
        for change in changes {
            match change {
                OutageChange::Began { client, at_ns: start_ns, cause, in_flight } => {
                    self.outages.push(ClientOutage { client, start_ns, end_ns: None, cause, in_flight });
                }
                OutageChange::Ended { client, at_ns } => {
                    if let Some(outage) = self.outages.iter_mut().rev().find(|outage| outage.client == client) {
                        outage.end_ns = Some(at_ns);
                    }
                }
            }
        }
    }
}

/// How much of one time lies in another.
fn shared_ns((start_ns, end_ns): (u64, u64), (other_start_ns, other_end_ns): (u64, u64)) -> u64 {
    end_ns.min(other_end_ns).saturating_sub(start_ns.max(other_start_ns))
}

/// Adds what a thread counted to what there is, if anything.
fn add_connections(sum: &mut Option<Box<ConnectionLatency>>, part: Option<&ConnectionLatency>) {
    if let Some(part) = part {
        sum.get_or_insert_with(|| Box::new(ConnectionLatency::new())).merge(part);
    }
}
