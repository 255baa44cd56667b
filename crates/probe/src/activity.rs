//! What the load's sessions are doing on the server, sampled ten times a second while a trial runs.
//!
//! One query sees all sessions at once. It must not be felt by what is measured: the time that it takes the server is
//! held below a hundredth of the period, which grows where a sample takes long. The instants are spread unevenly within
//! their periods, so that they do not fall into step with anything periodic.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use results::activity::{
    ActivityWindow, Holder, IdleSessions, OtherSessions, SampledSessions, SeenLock, SeenProcesses, SeenQuery, WaitEvent,
};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until, timeout_at};
use tokio_postgres::Row;

use crate::postgres::{ServerLink, grant_hint};
use crate::statements::statement_text_for_display;

/// The time between two samples, where they take little.
pub(crate) const PERIOD: Duration = Duration::from_millis(100);
/// The longest time between two samples, however much they take.
const LONGEST_PERIOD: Duration = Duration::from_secs(5);
/// A period is at least so many times what a sample takes.
const PERIOD_OVER_COST: u32 = 100;
/// The longest that one sample may take.
const SAMPLE_AT_MOST: Duration = Duration::from_secs(1);
/// Locks and holders of a second that are told apart.
const LOCKS: usize = 20;
/// The golden ratio's fraction: multiples of it, modulo 1,
/// fill the unit interval evenly in any number and in no rhythm.
const GOLDEN: f64 = 0.618_033_988_749_895;

const SQL: &str = include_str!("../sql/activity.14.sql");

const OTHERS: &str = include_str!("../sql/others.14.sql");

/// Every how manieth sample looks at the others, too.
const OTHERS_EVERY: u32 = 10;
/// Names of others in a second that are told apart.
const OTHER_NAMES: usize = 10;

/// Kinds of processes, with their waits, in a second that are told apart.
const PROCESSES: usize = 40;

const PROCESSES_AT_WORK: &str = include_str!("../sql/processes.14.sql");

const WAITED_FOR: &str = include_str!("../sql/waited_for.14.sql");

/// The server's processes of the load's sessions, as far as they have been seen.
#[derive(Debug, Clone, Default)]
pub struct LoadProcesses(Arc<Mutex<BTreeSet<u32>>>);

impl LoadProcesses {
    fn add(&self, pids: impl Iterator<Item = u32>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(pids);
    }

    /// Those seen so far.
    pub(crate) fn known_process_ids(&self) -> BTreeSet<u32> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[cfg(test)]
impl<const N: usize> From<[u32; N]> for LoadProcesses {
    fn from(pids: [u32; N]) -> Self {
        Self(Arc::new(Mutex::new(pids.into())))
    }
}

/// Samples until it is dropped.
pub struct ActivitySampling {
    window: Arc<Mutex<ActivityWindow>>,
    pause: Pause,
    task: JoinHandle<()>,
}

/// Whether samples are taken, for whoever decides that.
#[derive(Debug, Clone, Default)]
pub struct Pause(Arc<AtomicBool>);

impl Pause {
    /// From now on no samples are taken, or they are again; one that is under way then does not count.
    pub fn set_paused(&self, paused: bool) {
        self.0.store(paused, Ordering::Relaxed);
    }

    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl Drop for ActivitySampling {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl ActivitySampling {
    /// Samples the sessions with this `application_name` on the server at `config`, and notes their processes.
    ///
    /// Never fails: what cannot be sampled is a gap with its reason in the windows. Must be called within a tokio
    /// runtime with time and I/O enabled.
    pub fn attach_sampler(config: &control::Config, application_name: &str, processes: LoadProcesses) -> Self {
        let (window, pause) = (Arc::default(), Pause::default());
        let sampler = SessionSampler {
            link: ServerLink::new(config),
            of: application_name.to_owned(),
            processes,
            window: Arc::clone(&window),
            pause: pause.clone(),
        };
        Self { window, pause, task: tokio::spawn(sampler.run_sampling_loop()) }
    }

    /// What makes it pause.
    pub fn pause_handle(&self) -> Pause {
        self.pause.clone()
    }

    /// What was seen since the last call.
    pub fn take_window(&self) -> ActivityWindow {
        let mut window = self.window.lock().unwrap_or_else(PoisonError::into_inner);
        let period_us = window.period_us;
        std::mem::replace(&mut *window, ActivityWindow { period_us, ..ActivityWindow::default() })
    }
}

struct SessionSampler {
    link: ServerLink,
    of: String,
    processes: LoadProcesses,
    window: Arc<Mutex<ActivityWindow>>,
    pause: Pause,
}

/// What was seen at one instant.
struct Sample {
    /// Sessions in each state, wait and query.
    seen: Vec<SessionGroup>,
    /// For whom those wait that wait for a heavyweight lock; or why that is not known.
    locks: Result<Vec<SeenLock>, String>,
    /// How long the server took to find out; nothing to speak of where there was no session to see.
    took: Duration,
}

/// The sessions that one sample saw in one state, wait and query.
struct SessionGroup {
    state: String,
    wait: Option<WaitEvent>,
    query_id: Option<i64>,
    sessions: u64,
}

/// Sessions that are not the load's.
enum SeenOthers {
    AtWork(OtherSessions),
    Idle(IdleSessions),
    /// Why the role may not see them.
    Hidden(String),
}

impl SessionSampler {
    async fn run_sampling_loop(mut self) {
        let (mut period_begins, mut period) = (Instant::now(), PERIOD);
        for number in 0u32.. {
            if !self.pause.is_set() {
                let outcome = self.take_sample(Instant::now() + SAMPLE_AT_MOST).await;
                let others = if number.is_multiple_of(OTHERS_EVERY) && outcome.is_ok() {
                    let others = self.query_other_sessions(Instant::now() + SAMPLE_AT_MOST).await;
                    Some((others, self.processes_at_work(Instant::now() + SAMPLE_AT_MOST).await))
                } else {
                    None
                };
                if let Ok(sample) = &outcome {
                    period = period_after(sample.took);
                }
                // It may have seen what came after.
                if !self.pause.is_set() {
                    self.record_outcome(outcome, period);
                    if let Some((others, processes)) = others {
                        self.note_others(others);
                        self.note_processes(processes);
                    }
                }
            }
            // Periods that have gone by unused are not made up for.
            period_begins = (period_begins + period).max(Instant::now());
            sleep_until(period_begins + dithered_sample_offset(number, period)).await;
        }
    }

    /// The answer to a question about the load; a session that does not answer in time is given up.
    async fn query_until_deadline(&mut self, question: &'static str, deadline: Instant) -> Result<Vec<Row>, String> {
        let session = self.link.session_until_deadline(deadline).await.map_err(|silence| silence.to_string())?;
        let Ok(answer) = timeout_at(deadline, session.query_rows(question, &[&self.of])).await else {
            self.link.hang_up();
            return Err(format!("no answer within {} s", SAMPLE_AT_MOST.as_secs()));
        };
        answer
    }

    async fn take_sample(&mut self, deadline: Instant) -> Result<Sample, String> {
        let rows = self.query_until_deadline(SQL, deadline).await?;
        let seen: Vec<SessionGroup> = rows
            .iter()
            .map(|row: &Row| -> Result<_, tokio_postgres::Error> {
                let pids: Vec<i32> = row.try_get("pids")?;
                self.processes.add(pids.into_iter().map(i32::unsigned_abs));
                let class: Option<String> = row.try_get("wait_class")?;
                let event: Option<String> = row.try_get("wait_event")?;
                let wait = class.zip(event).map(|(class, event)| WaitEvent { class, event });
                let sessions: i64 = row.try_get("sessions")?;
                let (state, query_id) = (row.try_get("state")?, row.try_get("query_id")?);
                Ok(SessionGroup { state, wait, query_id, sessions: sessions.unsigned_abs() })
            })
            .collect::<Result<_, _>>()
            .map_err(|error| error.to_string())?;
        let took = time_taken_by_server(&rows);
        let waits = seen.iter().any(|group| group.wait.as_ref().is_some_and(|wait| wait.class == "Lock"));
        if !waits {
            return Ok(Sample { seen, locks: Ok(Vec::new()), took });
        }
        let waited = self.query_until_deadline(WAITED_FOR, deadline).await;
        let took = took + waited.as_ref().map_or(Duration::ZERO, |rows| self::time_taken_by_server(rows));
        let locks = waited.and_then(|rows| locks_from_rows(&rows).map_err(|error| error.to_string()));
        Ok(Sample { seen, locks, took })
    }

    /// Who else is connected.
    async fn query_other_sessions(&mut self, deadline: Instant) -> Result<Vec<SeenOthers>, String> {
        let rows = self.query_until_deadline(OTHERS, deadline).await?;
        rows.iter().map(other_sessions_from_row).collect::<Result<_, _>>().map_err(|error| error.to_string())
    }

    fn note_others(&self, others: Result<Vec<SeenOthers>, String>) {
        let mut window = self.window.lock().unwrap_or_else(PoisonError::into_inner);
        match others {
            Ok(others) => {
                window.others_samples += 1;
                for one in others {
                    match one {
                        SeenOthers::AtWork(one) => count_others(&mut window.others, one),
                        SeenOthers::Idle(one) => count_idle_sessions(&mut window.idle, one),
                        SeenOthers::Hidden(why) => window.others_gap = Some(why),
                    }
                }
            }
            Err(reason) => window.others_gap = Some(reason),
        }
    }

    /// What else the server's processes do; one of a kind that the role may not see is the reason for that.
    async fn processes_at_work(&mut self, deadline: Instant) -> Result<Vec<Result<SeenProcesses, String>>, String> {
        let rows = self.query_until_deadline(PROCESSES_AT_WORK, deadline).await?;
        rows.iter().map(seen_processes).collect::<Result<_, _>>().map_err(|error| error.to_string())
    }

    fn note_processes(&self, outcome: Result<Vec<Result<SeenProcesses, String>>, String>) {
        let mut window = self.window.lock().unwrap_or_else(PoisonError::into_inner);
        match outcome {
            Ok(all) => {
                window.processes_samples += 1;
                for one in all {
                    match one {
                        Ok(seen) => count_processes(&mut window.processes, seen),
                        Err(hidden) => window.processes_gap = Some(hidden),
                    }
                }
            }
            Err(reason) => window.processes_gap = Some(reason),
        }
    }

    fn record_outcome(&self, outcome: Result<Sample, String>, period: Duration) {
        let mut window = self.window.lock().unwrap_or_else(PoisonError::into_inner);
        window.period_us = whole_microseconds(period);
        match outcome {
            Ok(sample) => {
                window.samples += 1;
                window.took_us += whole_microseconds(sample.took);
                for group in sample.seen {
                    add_session_group(&mut window, group);
                }
                match sample.locks {
                    Ok(locks) => locks.into_iter().for_each(|lock| count_lock(&mut window, lock)),
                    Err(reason) => window.locks_gap = Some(reason),
                }
            }
            Err(reason) => window.gap = Some(reason),
        }
    }
}

/// How long the server took for these rows, of which the last was made last.
fn time_taken_by_server(rows: &[Row]) -> Duration {
    let us: Option<i64> = rows.last().and_then(|row| row.try_get("took_us").ok());
    Duration::from_micros(us.map_or(0, i64::unsigned_abs))
}

fn locks_from_rows(rows: &[Row]) -> Result<Vec<SeenLock>, tokio_postgres::Error> {
    rows.iter()
        .map(|row| {
            let us = |column: &str| Ok(row.try_get::<_, Option<i64>>(column)?.map_or(0, i64::unsigned_abs));
            Ok(SeenLock {
                kind: row.try_get("kind")?,
                mode: row.try_get("mode")?,
                relation: row.try_get("relation")?,
                holder: Holder {
                    pid: row.try_get("holder")?,
                    application: row.try_get("application")?,
                    state: row.try_get("state")?,
                    mode: row.try_get("held_mode")?,
                    statement: row.try_get::<_, Option<&str>>("statement")?.map(statement_text_for_display),
                    transaction_us: us("transaction_us")?,
                },
                sessions: row.try_get::<_, i64>("sessions")?.unsigned_abs(),
                longest_us: us("waits_us")?,
            })
        })
        .collect()
}

fn other_sessions_from_row(row: &Row) -> Result<SeenOthers, tokio_postgres::Error> {
    if row.try_get("hidden")? {
        let role: String = row.try_get("role")?;
        let hint = grant_hint(&role);
        return Ok(SeenOthers::Hidden(format!(
            "the role is not permitted to see sessions of other roles; hint: {hint}"
        )));
    }
    let count = |column: &str| Ok(row.try_get::<_, i64>(column)?.unsigned_abs());
    let (application, sessions) = (row.try_get("application")?, count("sessions")?);
    let statement = statement_text_for_display(row.try_get("statement")?);
    if row.try_get("idle")? {
        return Ok(SeenOthers::Idle(IdleSessions { application, sessions, statement }));
    }
    let (waiting_for_io, running) = (count("waiting_for_io")?, count("running")?);
    Ok(SeenOthers::AtWork(OtherSessions { application, sessions, waiting_for_io, running, statement }))
}

/// Processes of one kind in one wait; or why it is not told what they are.
fn seen_processes(row: &Row) -> Result<Result<SeenProcesses, String>, tokio_postgres::Error> {
    let kind: Option<String> = row.try_get("kind")?;
    let Some(kind) = kind else {
        let role: String = row.try_get("role")?;
        let hint = grant_hint(&role);
        return Ok(Err(format!("the role is not permitted to see processes of other roles; hint: {hint}")));
    };
    let class: Option<String> = row.try_get("wait_class")?;
    let event: Option<String> = row.try_get("wait_event")?;
    Ok(Ok(SeenProcesses {
        kind,
        database: row.try_get("database")?,
        slot: row.try_get("slot")?,
        wait: class.zip(event).map(|(class, event)| WaitEvent { class, event }),
        processes: row.try_get::<_, i64>("processes")?.unsigned_abs(),
    }))
}

/// Adds processes that one sample saw to those seen before.
fn count_processes(all: &mut Vec<SeenProcesses>, one: SeenProcesses) {
    let known = all.iter().position(|known| {
        (&known.kind, &known.database, &known.slot, &known.wait) == (&one.kind, &one.database, &one.slot, &one.wait)
    });
    match known {
        Some(at) => all[at].processes += one.processes,
        None if all.len() < PROCESSES => all.push(one),
        None => {}
    }
}

/// Adds who else was at work in one sample to who was before.
fn count_others(all: &mut Vec<OtherSessions>, one: OtherSessions) {
    match all.iter().position(|known| known.application == one.application) {
        Some(at) => {
            let known = &mut all[at];
            known.sessions += one.sessions;
            known.waiting_for_io += one.waiting_for_io;
            known.running += one.running;
        }
        None if all.len() < OTHER_NAMES => all.push(one),
        None => {}
    }
}

fn command_of_sessions(sessions: &IdleSessions) -> Option<String> {
    sessions.statement.split_whitespace().next().map(str::to_ascii_uppercase)
}

/// Adds idle sessions that one sample saw to those seen before: of one name and one command.
fn count_idle_sessions(all: &mut Vec<IdleSessions>, one: IdleSessions) {
    let known = all.iter().position(|known| {
        known.application == one.application && command_of_sessions(known) == command_of_sessions(&one)
    });
    match known {
        Some(at) => all[at].sessions += one.sessions,
        None if all.len() < OTHER_NAMES => all.push(one),
        None => {}
    }
}

/// Adds what was waited for in one sample to what was before.
fn count_lock(window: &mut ActivityWindow, lock: SeenLock) {
    let same = window.locks.iter().position(|seen| {
        (&seen.kind, &seen.mode, &seen.relation, seen.holder.pid)
            == (&lock.kind, &lock.mode, &lock.relation, lock.holder.pid)
    });
    match same {
        Some(at) => {
            let seen = &mut window.locks[at];
            seen.sessions += lock.sessions;
            seen.longest_us = seen.longest_us.max(lock.longest_us);
            seen.holder.transaction_us = seen.holder.transaction_us.max(lock.holder.transaction_us);
        }
        // Where everybody waits for everybody, as for a hot row, the pairs are without number.
        None if window.locks.len() < LOCKS => window.locks.push(lock),
        None => {}
    }
}

/// Adds sessions seen in one sample to those seen before.
fn add_session_group(window: &mut ActivityWindow, group: SessionGroup) {
    let SessionGroup { state, wait, query_id, sessions } = group;
    if let Some(query_id) = query_id {
        match window.queries.iter_mut().find(|seen| seen.query_id == query_id && seen.wait == wait) {
            Some(seen) => seen.sessions += sessions,
            None => window.queries.push(SeenQuery { query_id, wait: wait.clone(), sessions }),
        }
    }
    match window.seen.iter_mut().find(|seen| seen.state == state && seen.wait == wait) {
        Some(seen) => seen.sessions += sessions,
        None => window.seen.push(SampledSessions { state, wait, sessions }),
    }
}

/// The time to the next sample after one that took the server so long.
fn period_after(took: Duration) -> Duration {
    (took * PERIOD_OVER_COST).clamp(PERIOD, LONGEST_PERIOD)
}

/// Where in its period a sample lies: between its begin and its middle,
/// so that two are never closer than half a period.
pub(crate) fn dithered_sample_offset(number: u32, period: Duration) -> Duration {
    period.mul_f64((f64::from(number) * GOLDEN).fract() / 2.0)
}

fn whole_microseconds(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_takes_at_most_a_hundredth_of_its_period_until_that_would_be_too_seldom() {
        let check = |took_us, expected_ms| {
            assert_eq!(period_after(Duration::from_micros(took_us)), Duration::from_millis(expected_ms), "{took_us}");
        };
        check(200, 100);
        check(1_000, 100);
        check(3_000, 300);
        check(900_000, 5_000);
    }

    #[test]
    fn sessions_of_one_state_and_wait_are_added_up_over_their_queries_and_by_query() {
        let sync = || Some(WaitEvent { class: "IO".to_owned(), event: "WALSync".to_owned() });
        let mut window = ActivityWindow::default();
        for (wait, query_id, sessions) in
            [(sync(), Some(7), 3), (None, None, 1), (sync(), Some(8), 2), (sync(), Some(7), 4)]
        {
            add_session_group(&mut window, SessionGroup { state: "active".to_owned(), wait, query_id, sessions });
        }
        assert_eq!(window.seen.iter().map(|seen| seen.sessions).collect::<Vec<_>>(), [9, 1]);
        let queries: Vec<_> = window.queries.iter().map(|seen| (seen.query_id, seen.sessions)).collect();
        assert_eq!(queries, [(7, 7), (8, 2)]);
    }

    #[test]
    fn who_else_was_at_work_is_added_up_by_name() {
        let one = |application: &str, running| OtherSessions {
            application: application.to_owned(),
            sessions: 2,
            waiting_for_io: 1,
            running,
            statement: "SELECT".to_owned(),
        };
        let mut all = Vec::new();
        [one("report", 1), one("", 0), one("report", 2)].into_iter().for_each(|one| count_others(&mut all, one));
        assert_eq!(all, [OtherSessions { sessions: 4, waiting_for_io: 2, ..one("report", 3) }, one("", 0)]);
    }

    fn senders_of_slot(slot: Option<&str>, processes: u64) -> SeenProcesses {
        let (kind, slot) = ("walsender".to_owned(), slot.map(str::to_owned));
        SeenProcesses { kind, database: None, slot, wait: None, processes }
    }

    #[test]
    fn processes_of_one_kind_slot_and_wait_are_added_up() {
        let mut all = Vec::new();
        for (slot, processes) in [(Some("a"), 1), (None, 1), (Some("a"), 2)] {
            count_processes(&mut all, senders_of_slot(slot, processes));
        }
        assert_eq!(all, [senders_of_slot(Some("a"), 3), senders_of_slot(None, 1)]);
    }

    #[test]
    fn samples_are_never_closer_than_half_a_period_and_lie_all_over_it() {
        let instants: Vec<Duration> =
            (0..100).map(|number| PERIOD * number + dithered_sample_offset(number, PERIOD)).collect();
        assert!(instants.windows(2).all(|pair| pair[1] - pair[0] >= PERIOD / 2));
        let phases: Vec<u128> = (0..100).map(|number| dithered_sample_offset(number, PERIOD).as_millis()).collect();
        for tenth in 0..10 {
            let here = phases.iter().filter(|ms| (tenth * 5..(tenth + 1) * 5).contains(*ms)).count();
            assert!((8..=12).contains(&here), "{tenth}: {here}");
        }
    }
}
