//! The sleeps of one trial, for each of its transactions.

use std::collections::BTreeMap;
use std::fmt;

use results::off_cpu::{CalledFileKind, EVENT_WAITS, OffCpu, ProcessesLookedAt, SleepState, SleepingPlace};
use results::profile::ProcessKind;
use results::trial::Trial;

use crate::profile::kinds_of_load;

/// Calls besides [`EVENT_WAITS`] in which a process waits for its client or for work.
const WAITS_FOR_OTHERS: [&str; 5] = ["recvfrom", "recvmsg", "accept", "accept4", "wait4"];

/// How the functions begin in which a process sleeps whatever it waits for; who called them says that.
const GENERIC: [&str; 17] = [
    "__cond_resched",
    "__mutex_lock",
    "__wait_on_bit",
    "__wait_on_buffer",
    "__wait_for_common",
    "bit_wait",
    "blk_wait_io",
    "do_wait_for_common",
    "down_read",
    "down_write",
    "folio_wait_bit",
    "io_schedule",
    "mutex_lock",
    "out_of_line_wait_on_bit",
    "rwsem_down_",
    "schedule",
    "wait_for_completion",
];

/// A place in the kernel where processes sleep.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct KernelPlace {
    /// The innermost function that says what is waited for; absent where none is known.
    pub function: Option<String>,
    /// The system call, or [`results::off_cpu::PAGE_FAULT`]; absent where it is not known.
    pub call: Option<String>,
    /// The kind of file that the call is about; absent where there is none.
    pub file: Option<CalledFileKind>,
}

/// Where the processes of one trial slept, in milliseconds per completed transaction.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SleepsOfTrial {
    /// Of the load's sessions.
    pub of_load: BTreeMap<KernelPlace, f64>,
    /// Of it, in sleeps that only what is waited for ends (state D).
    pub uninterruptible_ms: f64,
    /// Of the server's other processes, by name; of other sessions together.
    pub of_others: BTreeMap<(String, KernelPlace), f64>,
}

impl KernelPlace {
    fn of_seen(place: &SleepingPlace) -> Self {
        let says_what = place.stack.iter().find(|function| !is_generic(function));
        Self { function: says_what.or(place.function.as_ref()).cloned(), call: place.call.clone(), file: place.file }
    }

    /// Whether it is a call about a file of the server: PostgreSQL counts most of these as waits of its class `IO`.
    pub(crate) fn is_of_server_file(&self) -> bool {
        match self.file {
            Some(
                CalledFileKind::Wal | CalledFileKind::Relation | CalledFileKind::Temporary | CalledFileKind::CommitLog,
            ) => true,
            Some(CalledFileKind::Socket | CalledFileKind::Other) | None => false,
        }
    }

    /// Whether it is a call by which processes wait for each other: PostgreSQL counts most of these as lightweight
    /// locks.
    pub(crate) fn is_of_lock(&self) -> bool {
        matches!(self.call.as_deref(), Some("futex" | "semop" | "semtimedop"))
    }

    /// Whether pages of the WAL are written or flushed there.
    pub(crate) fn is_of_wal(&self) -> bool {
        self.file == Some(CalledFileKind::Wal)
    }
}

/// `jbd2_log_wait_commit (fdatasync of WAL)`.
impl fmt::Display for KernelPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let call = match (&self.call, self.file) {
            (Some(call), Some(file)) => Some(format!("{call} of {}", file_in_words(file))),
            (Some(call), None) => Some(call.clone()),
            (None, _) => None,
        };
        match (&self.function, call) {
            (Some(function), Some(call)) => write!(f, "{function} ({call})"),
            (Some(function), None) => f.write_str(function),
            (None, Some(call)) => f.write_str(&call),
            (None, None) => f.write_str("an unknown function"),
        }
    }
}

/// Milliseconds at a place; one at which nobody was seen took no time.
pub(crate) fn ms_at(places: &BTreeMap<KernelPlace, f64>, place: &KernelPlace) -> f64 {
    places.get(place).copied().unwrap_or_default()
}

fn file_in_words(file: CalledFileKind) -> &'static str {
    match file {
        CalledFileKind::Wal => "WAL",
        CalledFileKind::Relation => "table or index",
        CalledFileKind::Temporary => "temporary file",
        CalledFileKind::CommitLog => "commit log",
        CalledFileKind::Socket => "socket",
        CalledFileKind::Other => "other file",
    }
}

fn is_generic(function: &str) -> bool {
    GENERIC.iter().any(|prefix| function.starts_with(prefix))
}

/// Whether a process does not wait there for its client, its latch or work.
fn is_sleep_in_kernel(place: &SleepingPlace) -> bool {
    match place.state {
        SleepState::Uninterruptible => true,
        SleepState::Interruptible => {
            let call = place.call.as_deref();
            let is_idle = call.is_some_and(|call| EVENT_WAITS.contains(&call) || WAITS_FOR_OTHERS.contains(&call));
            // Of a sleep of which neither is known nothing can be said.
            (call.is_some() || place.function.is_some()) && !is_idle
        }
    }
}

impl SleepsOfTrial {
    /// Of what was seen. None: nothing was, nothing was completed, or no session of the load was looked at.
    pub fn of_trial(off_cpu: &OffCpu, trial: &Trial) -> Option<Self> {
        let load = trial.load.as_ref()?;
        if off_cpu.gap.is_some() || off_cpu.samples == 0 || load.transactions == 0 {
            return None;
        }
        let sample_ms = load.measure_us as f64 / 1e3 / load.transactions as f64 / off_cpu.samples as f64;
        let of_load = kinds_of_load(trial, off_cpu.processes.iter().any(|seen| seen.kind == ProcessKind::Load));
        let mut sleeps = Self::default();
        let mut looks_at_load = 0;
        for seen in off_cpu.processes.iter().filter(|seen| seen.looks > 0) {
            let is_of_load = of_load.contains(&seen.kind);
            looks_at_load += if is_of_load { seen.looks } else { 0 };
            sleeps.add_processes(seen, is_of_load, sample_ms);
        }
        if looks_at_load > 0 { Some(sleeps) } else { None }
    }

    fn add_processes(&mut self, seen: &ProcessesLookedAt, is_of_load: bool, sample_ms: f64) {
        // A look stands for those processes, too, which were not looked at in its sample.
        let look_ms = sample_ms * seen.present as f64 / seen.looks as f64;
        for place in seen.places.iter().filter(|place| is_sleep_in_kernel(place)) {
            let ms = place.looks as f64 * look_ms;
            let kernel_place = KernelPlace::of_seen(place);
            if !is_of_load {
                *self.of_others.entry((name_of_kind(&seen.kind), kernel_place)).or_default() += ms;
                continue;
            }
            *self.of_load.entry(kernel_place).or_default() += ms;
            if place.state == SleepState::Uninterruptible {
                self.uninterruptible_ms += ms;
            }
        }
    }
}

fn name_of_kind(kind: &ProcessKind) -> String {
    match kind {
        ProcessKind::Load => "sessions of the load".to_owned(),
        ProcessKind::Backend => "other sessions".to_owned(),
        ProcessKind::Server(name) => name.clone(),
    }
}

#[cfg(test)]
mod tests {
    use results::off_cpu::PAGE_FAULT;
    use serde_json::{Value, json};

    use super::*;
    use crate::profile::trial_of_ten_seconds;

    /// 100 samples of 8 sessions and a checkpointer.
    fn off_cpu(places: &Value, looks: u64) -> OffCpu {
        let flushing = json!([{ "state": "uninterruptible", "function": "folio_wait_writeback", "call": "fsync",
                                "file": "relation", "looks": 50 }]);
        serde_json::from_value(json!({ "format": 1, "period_us": 100_000, "samples": 100, "took_us": 900,
            "processes": [
                { "kind": "load", "processes": 8, "present": 800, "looks": looks, "runnable": 100, "places": places },
                { "kind": { "server": "checkpointer" }, "processes": 1, "present": 100, "looks": 100, "runnable": 0,
                  "places": flushing },
            ] }))
        .unwrap()
    }

    fn place(state: &str, function: &str, call: &str, looks: u64) -> Value {
        json!({ "state": state, "function": function, "call": call, "looks": looks })
    }

    #[test]
    fn looks_become_milliseconds_per_transaction_and_waits_for_the_client_are_none() {
        let flush = json!({ "state": "uninterruptible", "function": "jbd2_log_wait_commit", "call": "fdatasync",
                            "file": "wal", "looks": 200 });
        let places = json!([
            flush,
            place("interruptible", "ep_poll", "epoll_wait", 400),
            place("interruptible", "futex_wait", "futex", 100)
        ]);
        let sleeps = SleepsOfTrial::of_trial(&off_cpu(&places, 800), &trial_of_ten_seconds(4_000)).unwrap();
        let found: Vec<(String, f64)> = sleeps.of_load.iter().map(|(place, ms)| (place.to_string(), *ms)).collect();
        // 200 of 100 samples are 2 sessions for 10 s: 20 s of 4000 transactions.
        let expected =
            [("futex_wait (futex)".to_owned(), 2.5), ("jbd2_log_wait_commit (fdatasync of WAL)".to_owned(), 5.0)];
        assert_eq!(found, expected);
        assert_eq!(sleeps.uninterruptible_ms, 5.0);
        let ((name, flushes), ms) = sleeps.of_others.iter().next().unwrap();
        let expected = ("checkpointer", "folio_wait_writeback (fsync of table or index)", 1.25);
        assert_eq!((name.as_str(), flushes.to_string().as_str(), *ms), expected);
    }

    #[test]
    fn looks_at_some_of_the_sessions_stand_for_all() {
        let places = json!([place("uninterruptible", "do_renameat2", "rename", 50)]);
        let sleeps = SleepsOfTrial::of_trial(&off_cpu(&places, 200), &trial_of_ten_seconds(4_000)).unwrap();
        assert_eq!(sleeps.of_load.values().sum::<f64>(), 5.0, "a quarter of 8 sessions");
    }

    #[test]
    fn function_that_says_what_is_waited_for_names_a_place() {
        let stack = json!(["folio_wait_bit_common", "folio_wait_writeback", "ext4_sync_file"]);
        let place =
            json!({ "state": "uninterruptible", "function": "folio_wait_bit_common", "stack": stack, "looks": 1 });
        let seen: SleepingPlace = serde_json::from_value(place).unwrap();
        assert_eq!(KernelPlace::of_seen(&seen).to_string(), "folio_wait_writeback");
        let without = SleepingPlace { stack: Vec::new(), call: Some(PAGE_FAULT.to_owned()), ..seen };
        assert_eq!(KernelPlace::of_seen(&without).to_string(), "folio_wait_bit_common (page fault)");
    }

    #[test]
    fn what_was_not_seen_is_nothing_and_not_none() {
        let seen = off_cpu(&json!([]), 800);
        assert_eq!(SleepsOfTrial::of_trial(&seen, &trial_of_ten_seconds(4_000)).unwrap().of_load, BTreeMap::new());
        assert_eq!(SleepsOfTrial::of_trial(&seen, &trial_of_ten_seconds(0)), None);
        assert_eq!(
            SleepsOfTrial::of_trial(&OffCpu::without_samples("no right".to_owned()), &trial_of_ten_seconds(4_000)),
            None
        );
        let unknown = json!([{ "state": "interruptible", "looks": 50 }]);
        let sleeps = SleepsOfTrial::of_trial(&off_cpu(&unknown, 800), &trial_of_ten_seconds(4_000)).unwrap();
        assert_eq!(sleeps.of_load, BTreeMap::new());
    }
}
