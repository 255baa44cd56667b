//! What one thread counts, interval by interval.
//!
//! An interval's counts live in one box, which goes to the collector when the interval is over and comes back emptied,
//! so that counting allocates nothing. Should the collector be late, a new box is made rather than anything lost.

use crate::engine::agenda::ArrivalCounts;
use crate::engine::clock::{NEVER, duration_to_ns};
use crate::engine::cpu::CpuUsed;
use crate::engine::notice::Noticed;
use crate::engine::referee::TurnSums;
use crate::engine::session::ConnectionSteps;
use crate::engine::start::{TransactionStart, WaitedFor};
use crate::engine::timetable::{PhaseInterval, Timetable};
use crate::first_errors::{FirstErrors, JobFirstError};
use crate::job::{EngineJob, StatementTimes};
use crate::latency::{TransactionLatency, duration_histogram};
use crate::path::PathActivity;
use crate::report::{ConnectionLatency, LoadPhase, OpenLoop, OutageChange, StatementCounts, StatementTotal};
use crate::script::awaited::JobStatementNumber;
use crate::silence::{AcknowledgementListener, Noted, SilenceKind};
use crate::tally::Counter;
use crate::transaction_log::ThreadLog;
use hdrhistogram::Histogram;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use wire::{ServerMessage, SqlState, WireConnection};

/// Significant digits of the loop lag: it is a caveat, not a result.
const LAG_DIGITS: u8 = 2;

/// From this delay on a transaction counts as begun late.
const LATE_SEND_NS: u64 = 1_000_000;

/// What one thread counted in one interval.
#[derive(Debug)]
pub(crate) struct IntervalCounts {
    /// The interval's number.
    pub(crate) number: u32,
    pub(crate) scripts: Vec<ScriptCounts>,
    /// Failed transactions.
    pub(crate) errors: Vec<(SqlState, u64)>,
    /// Those of its kind that the thread saw for the first time.
    pub(crate) first_errors: Vec<JobFirstError>,
    pub(crate) unknown: u64,
    pub(crate) attempts: u64,
    pub(crate) outages: Vec<OutageChange>,
    /// Made at the first connection; an interval in which there is none costs nothing.
    pub(crate) connections: Option<Box<ConnectionLatency>>,
    pub(crate) open: Option<OpenLoop>,
    /// None of it is nothing, not unknown.
    pub(crate) cpu: Option<CpuUsed>,
    pub(crate) busy_ns: u64,
    pub(crate) ready: u64,
    pub(crate) ready_max: u64,
    pub(crate) late_sends: u64,
    pub(crate) send_lag_ns: u64,
    pub(crate) send_lag_max_ns: u64,
    pub(crate) path: PathActivity,
    pub(crate) noticed: Noticed,
    /// Of this interval's acknowledgements.
    pub(crate) silent: Noted,
    /// How long each round of the loop took: an answer that arrived at its start may have waited so long.
    pub(crate) loop_lag: Histogram<u64>,
}

/// One script's part of it.
#[derive(Debug)]
pub(crate) struct ScriptCounts {
    pub(crate) latency: TransactionLatency,
    pub(crate) failed: u64,
    pub(crate) late: u64,
    pub(crate) retried: u64,
    pub(crate) retries: u64,
    pub(crate) statements: StatementCounts,
}

/// What there is to count in a job.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CountedDimensions {
    pub(crate) scripts: usize,
    /// A latency beyond which a transaction is late.
    pub(crate) limit_ns: u64,
    /// There are arrivals.
    pub(crate) open: bool,
    /// Statements that are timed.
    pub(crate) statements: usize,
}

impl CountedDimensions {
    pub(crate) fn from_job(job: &EngineJob, statements: usize) -> CountedDimensions {
        CountedDimensions {
            scripts: job.scripts.len(),
            limit_ns: job.latency_limit.map_or(NEVER, duration_to_ns),
            open: job.pace.is_open(),
            statements: match job.statements {
                StatementTimes::Taken => statements,
                StatementTimes::NotTaken => 0,
            },
        }
    }
}

impl IntervalCounts {
    fn new(counted: CountedDimensions) -> Box<IntervalCounts> {
        let script = || ScriptCounts {
            latency: TransactionLatency::new(),
            failed: 0,
            late: 0,
            retried: 0,
            retries: 0,
            statements: StatementCounts::default(),
        };
        Box::new(IntervalCounts {
            number: 0,
            scripts: std::iter::repeat_with(script).take(counted.scripts).collect(),
            errors: Vec::with_capacity(8),
            first_errors: Vec::new(),
            unknown: 0,
            attempts: 0,
            outages: Vec::new(),
            connections: None,
            open: counted.open.then(OpenLoop::new),
            cpu: None,
            busy_ns: 0,
            ready: 0,
            ready_max: 0,
            late_sends: 0,
            send_lag_ns: 0,
            send_lag_max_ns: 0,
            path: PathActivity::default(),
            noticed: Noticed::default(),
            silent: Noted::new(),
            loop_lag: duration_histogram(LAG_DIGITS),
        })
    }

    fn sum_scripts(&self) -> TurnSums {
        let scripts = self.scripts.iter().map(|script| TurnSums {
            transactions: script.latency.count(),
            failed: script.failed,
            unknown: 0,
            latency_ns: script.latency.sum_ns(),
        });
        scripts.fold(TurnSums { unknown: self.unknown, ..TurnSums::default() }, TurnSums::plus_sums)
    }

    /// Forgets everything; keeps the memory.
    pub(crate) fn reset(&mut self) {
        for script in &mut self.scripts {
            script.latency.reset();
            (script.failed, script.late, script.retried, script.retries) = (0, 0, 0, 0);
            script.statements = StatementCounts::default();
        }
        self.errors.clear();
        self.first_errors.clear();
        self.unknown = 0;
        self.attempts = 0;
        self.outages.clear();
        self.connections = None;
        self.open.iter_mut().for_each(OpenLoop::reset);
        self.cpu = None;
        (self.busy_ns, self.ready, self.ready_max) = (0, 0, 0);
        (self.late_sends, self.send_lag_ns, self.send_lag_max_ns) = (0, 0, 0);
        (self.path, self.noticed) = (PathActivity::default(), Noticed::default());
        self.silent.reset();
        self.loop_lag.reset();
    }
}

/// Emptied boxes.
type SpareCounts = std::collections::VecDeque<Box<IntervalCounts>>;

/// Counts for one thread.
#[derive(Debug)]
pub(crate) struct Recorder {
    counted: CountedDimensions,
    /// Over all intervals.
    tally: Arc<Counter>,
    current: Box<IntervalCounts>,
    spare: SpareCounts,
    /// Emptied boxes, back from the collector.
    returned: Receiver<Box<IntervalCounts>>,
    /// Over all intervals.
    first_errors: FirstErrors,
    /// By script, whether it has changed a row so far.
    writes: Vec<bool>,
    listener: AcknowledgementListener,
    /// What had ended before the current interval.
    earlier: TurnSums,
    timetable: Option<Timetable>,
    /// The end of the current interval; `NEVER` while there is none.
    interval_end_ns: u64,
    /// When the load ends, as far as is known: a later interval may be the one that this cuts.
    load_end_ns: u64,
    measuring: bool,
    /// Of the measurement phase as a whole, by number; empty if they are not timed.
    statements: Vec<StatementTotal>,
    /// A line for each transaction, if the job keeps a log.
    log: Option<ThreadLog>,
}

impl Recorder {
    /// Has counted nothing yet.
    pub(crate) fn new(
        counted: CountedDimensions,
        tally: Arc<Counter>,
        returned: Receiver<Box<IntervalCounts>>,
    ) -> Recorder {
        Recorder {
            counted,
            tally,
            current: IntervalCounts::new(counted),
            spare: SpareCounts::from([IntervalCounts::new(counted)]),
            returned,
            first_errors: FirstErrors::default(),
            writes: vec![false; counted.scripts],
            listener: AcknowledgementListener::default(),
            earlier: TurnSums::default(),
            timetable: None,
            interval_end_ns: NEVER,
            load_end_ns: NEVER,
            measuring: false,
            statements: std::iter::repeat_with(StatementTotal::new).take(counted.statements).collect(),
            log: None,
        }
    }

    /// Keeps a log from now on.
    pub(crate) fn keep_log(&mut self, log: Option<ThreadLog>) {
        self.log = log;
    }

    /// The log of the transactions that end now, if one is kept of them.
    #[inline]
    pub(crate) fn active_log(&mut self) -> Option<&mut ThreadLog> {
        if self.measuring { self.log.as_mut() } else { None }
    }

    /// Begins the first interval. What was counted before belongs to none.
    pub(crate) fn begin_first_interval(&mut self, timetable: Timetable) {
        self.timetable = Some(timetable);
        self.current.reset();
        self.current.number = 0;
        self.enter_interval(0);
    }

    fn enter_interval(&mut self, number: u32) {
        let interval = self.timetable.and_then(|timetable| timetable.interval_by_number(number));
        self.interval_end_ns = interval.map_or(NEVER, |interval| interval.end_ns.min(self.load_end_ns));
        self.measuring = interval.is_some_and(|interval| interval.phase == LoadPhase::Measure);
    }

    /// More is known of the phases: intervals that are over stay what they were.
    pub(crate) fn update_timetable(&mut self, timetable: Timetable) {
        if self.timetable.replace(timetable) != Some(timetable) {
            self.enter_interval(self.current.number);
        }
    }

    /// What has ended so far.
    pub(crate) fn total_sums(&self) -> TurnSums {
        self.earlier.plus_sums(self.current.sum_scripts())
    }

    /// The end of the current interval; `NEVER` while there is none.
    #[inline]
    pub(crate) fn interval_end_ns(&self) -> u64 {
        self.interval_end_ns
    }

    /// The load ends at `end_ns` at the latest, and the interval that is under way then with it.
    pub(crate) fn limit_load_end(&mut self, end_ns: u64) {
        self.load_end_ns = self.load_end_ns.min(end_ns);
        if self.interval_end_ns != NEVER {
            self.interval_end_ns = self.interval_end_ns.min(self.load_end_ns);
        }
    }

    /// The current interval belongs to the measurement phase.
    #[inline]
    pub(crate) fn is_measuring(&self) -> bool {
        self.measuring
    }

    /// Adds CPU time that the thread used for this side's clients.
    pub(crate) fn add_cpu_used(&mut self, cpu: CpuUsed) {
        self.current.cpu = Some(self.current.cpu.map_or(cpu, |so_far| so_far.plus_later(cpu)));
    }

    /// Adds what became of the arrivals in the current interval.
    pub(crate) fn set_arrival_counts(&mut self, counts: ArrivalCounts) {
        if let Some(open) = &mut self.current.open {
            let ArrivalCounts { offered, skipped, waiting } = counts;
            (open.offered, open.skipped, open.waiting) = (offered, skipped, waiting);
        }
    }

    /// Ends the current interval. Returns its counts, which go to the collector, and the interval.
    pub(crate) fn take_ended_interval(&mut self) -> Option<(Box<IntervalCounts>, PhaseInterval)> {
        let timetable = self.timetable?;
        let number = self.current.number;
        let interval = timetable.interval_by_number(number)?;
        self.spare.extend(self.returned.try_iter());
        let mut next = self.spare.pop_front().unwrap_or_else(|| IntervalCounts::new(self.counted));
        next.number = number + 1;
        self.earlier = self.total_sums();
        self.listener.end_interval(&mut self.current.silent);
        self.enter_interval(number + 1);
        Some((std::mem::replace(&mut self.current, next), interval))
    }

    /// There is no further interval; what is counted from now on belongs to none.
    pub(crate) fn end_intervals(&mut self) {
        self.interval_end_ns = NEVER;
    }

    /// Counts a successful transaction.
    #[inline]
    pub(crate) fn count_succeeded(&mut self, script: usize, start: &TransactionStart, end_ns: u64) {
        self.tally.count_transaction();
        let kind = if self.writes[script] { SilenceKind::Write } else { SilenceKind::Read };
        self.listener.note_acknowledgement(kind, end_ns, &mut self.current.silent);
        let latency_ns = end_ns - start.scheduled_ns;
        let counts = &mut self.current.scripts[script];
        counts.latency.record(latency_ns);
        counts.late += u64::from(latency_ns > self.counted.limit_ns);
        if let Some(open) = &mut self.current.open {
            open.service.record(end_ns - start.actual_ns);
            match start.waited_for {
                WaitedFor::Client => open.lag_queued.record(start.lag_ns()),
                WaitedFor::Engine => open.lag_engine.record(start.lag_ns()),
                WaitedFor::Nothing => {}
            }
        }
    }

    /// Counts the delay of a transaction that begins now, if it is the engine's doing.
    #[inline]
    pub(crate) fn count_send_delay(&mut self, start: &TransactionStart) {
        match start.waited_for {
            WaitedFor::Engine => self.sent_after(start.lag_ns()),
            WaitedFor::Client | WaitedFor::Nothing => {}
        }
    }

    /// Counts that the engine began a transaction so long after its instant, although its client was free.
    #[inline]
    pub(crate) fn sent_after(&mut self, lag_ns: u64) {
        self.current.late_sends += u64::from(lag_ns > LATE_SEND_NS);
        self.current.send_lag_ns += lag_ns;
        self.current.send_lag_max_ns = self.current.send_lag_max_ns.max(lag_ns);
    }

    /// Counts a statement that the server has executed.
    #[inline]
    pub(crate) fn count_executed(&mut self, script: usize, tag: &[u8]) {
        let statements = &mut self.current.scripts[script].statements;
        let before = statements.writes;
        statements.count_tag(tag);
        self.writes[script] |= statements.writes > before;
    }

    /// Whether statements are timed.
    #[inline]
    pub(crate) fn times_statements(&self) -> bool {
        !self.statements.is_empty()
    }

    /// Counts a statement that has succeeded.
    #[inline]
    pub(crate) fn record_statement_time(&mut self, statement: JobStatementNumber, took_ns: u64) {
        if let Some(statement) = self.of_statement(statement) {
            statement.latency.record(took_ns);
        }
    }

    /// Counts that a transaction has failed with a statement.
    pub(crate) fn failed_with(&mut self, statement: JobStatementNumber) {
        if let Some(statement) = self.of_statement(statement) {
            statement.failed += 1;
        }
    }

    /// Counts that a transaction that has failed with a statement is tried again.
    pub(crate) fn retried_after(&mut self, statement: JobStatementNumber) {
        if let Some(statement) = self.of_statement(statement) {
            statement.retried += 1;
        }
    }

    /// What is counted of a statement, while measuring.
    #[inline]
    fn of_statement(&mut self, statement: JobStatementNumber) -> Option<&mut StatementTotal> {
        if self.measuring { self.statements.get_mut(statement as usize) } else { None }
    }

    /// What was counted of the statements.
    pub(crate) fn into_statements(self) -> Vec<StatementTotal> {
        self.statements
    }

    /// Counts that a transaction, which is over now, was tried so many times more than once.
    pub(crate) fn count_retries(&mut self, script: usize, retries: u32) {
        if retries > 0 {
            self.current.scripts[script].retried += 1;
            self.current.scripts[script].retries += u64::from(retries);
        }
    }

    /// Counts a failed transaction.
    pub(crate) fn count_failed(&mut self, script: usize, sqlstate: SqlState) {
        self.current.scripts[script].failed += 1;
        match self.current.errors.iter_mut().find(|(state, _)| *state == sqlstate) {
            Some((_, count)) => *count += 1,
            None => self.current.errors.push((sqlstate, 1)),
        }
    }

    /// Keeps what the server said if it is the first of its kind: with this statement a transaction has failed.
    pub(crate) fn first_error(&mut self, error: &ServerMessage<'_>, statement: Option<JobStatementNumber>) {
        self.current.first_errors.extend(self.first_errors.note_error(error, statement).cloned());
    }

    /// Counts a transaction whose connection was lost.
    pub(crate) fn count_unknown(&mut self) {
        self.current.unknown += 1;
    }

    /// Counts an attempt to connect of a client that had lost its connection.
    #[cold]
    pub(crate) fn tried_again(&mut self) {
        self.current.attempts += 1;
    }

    /// Counts a connection that has become ready; attempts at it began at `since_ns`.
    #[cold]
    pub(crate) fn count_connection(&mut self, since_ns: u64, steps: &ConnectionSteps, session: &WireConnection) {
        let latency = self.current.connections.get_or_insert_with(|| Box::new(ConnectionLatency::new()));
        let ConnectionSteps { begun_ns, connected_ns, answered_ns, negotiated_ns, logged_in_ns } = *steps;
        latency.connect.record(connected_ns.saturating_sub(begun_ns));
        latency.first_answer.record(answered_ns.saturating_sub(connected_ns));
        // A refusal to encrypt is an answer, and no handshake.
        let is_encrypted = session.is_encrypted();
        let handshake_over_ns = if is_encrypted { negotiated_ns.max(answered_ns) } else { answered_ns };
        if is_encrypted {
            latency.tls.record(handshake_over_ns - answered_ns);
        }
        latency.login.record(logged_in_ns.saturating_sub(handshake_over_ns));
        latency.total.record(logged_in_ns.saturating_sub(since_ns));
        latency.scram_iterations = latency.scram_iterations.max(session.server_state().scram_iterations);
    }

    /// The connections that were counted before the first interval.
    pub(crate) fn take_connections(&mut self) -> Option<Box<ConnectionLatency>> {
        self.current.connections.take()
    }

    /// Notes an outage's beginning or end.
    pub(crate) fn note_outage(&mut self, change: OutageChange) {
        self.current.outages.push(change);
    }

    /// Counts for how long a client waited because its script asks it to.
    pub(crate) fn script_waited(&mut self, ns: u64) {
        self.current.path.script_ns += ns;
    }

    /// Counts that all that was sent together has been answered.
    #[inline]
    pub(crate) fn round_trip(&mut self) {
        self.current.path.round_trips += 1;
    }

    /// Counts what came of answers.
    #[inline]
    pub(crate) fn count_received_bytes(&mut self, bytes: usize) {
        self.current.path.received_bytes += bytes as u64;
    }

    /// Counts for how long clients together were held between an answer and the next request.
    #[inline]
    pub(crate) fn add_held_time(&mut self, ns: u64) {
        self.current.path.held_ns += ns;
    }

    /// Counts for how long the `ready` answers of a round together had waited to be noticed.
    pub(crate) fn count_noticed(&mut self, waited_ns: u64, ready: usize) {
        self.current.noticed.waited_ns += waited_ns;
        self.current.noticed.answers += ready as u64;
    }

    /// Where readings of connections are added.
    pub(crate) fn path_activity_mut(&mut self) -> &mut PathActivity {
        &mut self.current.path
    }

    /// Counts one round of the event loop, in which so many clients had become ready.
    #[inline]
    pub(crate) fn count_round(&mut self, duration_ns: u64, ready: usize) {
        self.current.busy_ns += duration_ns;
        self.current.ready += ready as u64;
        self.current.ready_max = self.current.ready_max.max(ready as u64);
        self.current.loop_lag.saturating_record(duration_ns);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::clock::SECOND_NS;
    use std::sync::mpsc;

    /// In the first second of a measurement without an end.
    fn recorder() -> Recorder {
        let (_collector, returned) = mpsc::channel();
        let mut recorder = Recorder::new(
            CountedDimensions { scripts: 1, limit_ns: NEVER, open: false, statements: 0 },
            Arc::default(),
            returned,
        );
        recorder.begin_first_interval(Timetable { start_ns: 0, warm_up_ns: 0, measure_ns: NEVER });
        recorder
    }

    #[test]
    fn an_end_in_a_later_interval_cuts_that_one() {
        let mut recorder = recorder();
        recorder.limit_load_end(SECOND_NS + 5);
        assert_eq!(recorder.interval_end_ns(), SECOND_NS);
        recorder.take_ended_interval().expect("the first second is over");
        assert_eq!(recorder.interval_end_ns(), SECOND_NS + 5);
    }

    #[test]
    fn what_has_ended_is_not_begun_again_by_hearing_of_its_end_once_more() {
        let mut recorder = recorder();
        recorder.limit_load_end(SECOND_NS);
        recorder.take_ended_interval().expect("the first second is over");
        recorder.end_intervals();
        recorder.limit_load_end(SECOND_NS);
        assert_eq!(recorder.interval_end_ns(), NEVER);
    }
}
