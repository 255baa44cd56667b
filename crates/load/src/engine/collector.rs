//! Puts the threads' counts together: second by second for whoever watches, and over the measurement phase.

use crate::engine::recorder::{Counts, ScriptCounts};
use crate::engine::timetable::Timetable;
use crate::latency::{Latency, duration_histogram};
use crate::report::{
    ErrorTotal, Outage, OutageChange, Phase, ScriptSecond, ScriptTotal, Second, ThreadSecond, ThreadTotal,
};
use crate::script::program::Program;
use hdrhistogram::Histogram;
use std::collections::{BTreeMap, VecDeque};
use std::sync::mpsc::Sender;
use wire::SqlState;

/// Everything that has been counted so far.
#[derive(Debug)]
pub(crate) struct Collector {
    timetable: Timetable,
    /// Where emptied boxes go, by thread.
    returns: Vec<Sender<Box<Counts>>>,
    /// Intervals that some thread has not ended yet, by thread.
    pending: Vec<VecDeque<Box<Counts>>>,
    /// Reused from second to second.
    second: Second,
    pub(crate) totals: Totals,
}

/// The measurement phase so far.
#[derive(Debug)]
pub(crate) struct Totals {
    pub(crate) scripts: Vec<ScriptTotal>,
    pub(crate) unknown: u64,
    pub(crate) errors: BTreeMap<SqlState, ErrorTotal>,
    /// Of the whole run, in the order in which they began on their thread.
    pub(crate) outages: Vec<Outage>,
    pub(crate) threads: Vec<ThreadTotal>,
    loop_lags: Vec<Histogram<u64>>,
    /// Messages, also of errors that happened in the warm-up.
    examples: BTreeMap<SqlState, String>,
}

impl Collector {
    pub(crate) fn new(program: &Program, timetable: Timetable, returns: Vec<Sender<Box<Counts>>>) -> Collector {
        let names = || program.scripts().iter().map(|script| script.name.clone());
        let threads = returns.len();
        let second = Second {
            phase: Phase::WarmUp,
            index: 0,
            start_ns: 0,
            duration_ns: 0,
            scripts: names().map(|name| ScriptSecond { name, latency: Latency::new(), failed: 0 }).collect(),
            errors: BTreeMap::new(),
            unknown: 0,
            outages: Vec::new(),
            threads: vec![ThreadSecond::default(); threads],
        };
        let nothing = ThreadTotal { cpu_system_ns: Some(0), ..ThreadTotal::default() };
        let totals = Totals {
            scripts: names().map(|name| ScriptTotal { name, latency: Latency::new(), failed: 0 }).collect(),
            unknown: 0,
            errors: BTreeMap::new(),
            outages: Vec::new(),
            threads: vec![nothing; threads],
            loop_lags: (0..threads).map(|_| duration_histogram(2)).collect(),
            examples: BTreeMap::new(),
        };
        Collector { timetable, pending: (0..threads).map(|_| VecDeque::new()).collect(), returns, second, totals }
    }

    /// Takes in what a thread counted in its next interval.
    pub(crate) fn add(&mut self, thread: usize, counts: Box<Counts>) {
        self.pending[thread].push_back(counts);
    }

    /// The next second that is complete on all threads, if it began before `end_ns`.
    pub(crate) fn next_second(&mut self, end_ns: u64) -> Option<&Second> {
        let number = self.pending.first()?.front()?.number;
        let interval = self.timetable.interval(number).filter(|interval| interval.start_ns < end_ns)?;
        if self.pending.iter().any(VecDeque::is_empty) {
            return None;
        }
        self.second.clear();
        self.second.phase = interval.phase;
        self.second.index = interval.index;
        self.second.start_ns = interval.start_ns;
        self.second.duration_ns = interval.end_ns - interval.start_ns;
        for thread in 0..self.pending.len() {
            if let Some(mut counts) = self.pending[thread].pop_front() {
                self.second.add(thread, &counts);
                self.totals.add(thread, &mut counts, interval.phase);
                counts.reset();
                // The thread is gone when these were its last counts.
                let _thread_gone = self.returns[thread].send(counts);
            }
        }
        Some(&self.second)
    }
}

impl Second {
    /// Forgets everything; keeps the memory.
    fn clear(&mut self) {
        for script in &mut self.scripts {
            script.latency.reset();
            script.failed = 0;
        }
        self.errors.clear();
        self.unknown = 0;
        self.outages.clear();
    }

    fn add(&mut self, thread: usize, counts: &Counts) {
        for (script, ScriptCounts { latency, failed }) in self.scripts.iter_mut().zip(&counts.scripts) {
            script.latency.merge(latency);
            script.failed += failed;
        }
        for (sqlstate, count) in &counts.errors {
            *self.errors.entry(*sqlstate).or_default() += count;
        }
        self.unknown += counts.unknown;
        self.outages.extend_from_slice(&counts.outages);
        self.threads[thread] = ThreadSecond {
            cpu_ns: counts.cpu.total_ns,
            cpu_system_ns: counts.cpu.system_ns,
            busy_ns: counts.busy_ns,
            loop_lag_max_ns: counts.loop_lag.max(),
            loop_lag_p99_ns: counts.loop_lag.value_at_quantile(0.99),
        };
    }
}

impl Totals {
    fn add(&mut self, thread: usize, counts: &mut Counts, phase: Phase) {
        self.outages_changed(counts.outages.drain(..));
        for (sqlstate, message) in counts.examples.drain(..) {
            self.examples.entry(sqlstate).or_insert(message);
        }
        match phase {
            Phase::WarmUp => {}
            Phase::Measure => self.measured(thread, counts),
        }
    }

    fn measured(&mut self, thread: usize, counts: &Counts) {
        for (total, ScriptCounts { latency, failed }) in self.scripts.iter_mut().zip(&counts.scripts) {
            total.latency.merge(latency);
            total.failed += failed;
        }
        for (sqlstate, count) in &counts.errors {
            let example = self.examples.get(sqlstate).cloned().unwrap_or_default();
            self.errors.entry(*sqlstate).or_insert(ErrorTotal { count: 0, example }).count += count;
        }
        self.unknown += counts.unknown;
        let total = &mut self.threads[thread];
        total.cpu_ns += counts.cpu.total_ns;
        total.cpu_system_ns = total.cpu_system_ns.zip(counts.cpu.system_ns).map(|(sum, system)| sum + system);
        total.busy_ns += counts.busy_ns;
        let lag = &mut self.loop_lags[thread];
        // Cannot fail: all these histograms have the same bounds.
        let _same_bounds = lag.add(&counts.loop_lag);
        total.loop_lag_max_ns = lag.max();
        total.loop_lag_p99_ns = lag.value_at_quantile(0.99);
    }

    /// A client has at most one outage at a time, and its changes come in order.
    fn outages_changed(&mut self, changes: impl Iterator<Item = OutageChange>) {
        for change in changes {
            match change {
                OutageChange::Began { client, at_ns: start_ns, cause, in_flight } => {
                    self.outages.push(Outage { client, start_ns, end_ns: None, cause, in_flight });
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
