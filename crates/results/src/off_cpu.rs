//! `off-cpu.json`: where in the kernel the server's processes slept while a trial measured, looked at some ten times a
//! second.
//!
//! A look is one instant at which one process was seen. The share of a kind's looks at a place is the share of its time
//! there. In the measurement of T seconds the processes of a kind slept `T × present / samples × looks of the place /
//! looks` seconds at a place, all of them together.

use serde::{Deserialize, Serialize};

use crate::profile::ProcessKind;

/// The newest format of `off-cpu.json`.
pub const FORMAT: u32 = 1;

/// What was seen of the server's processes in one trial.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct OffCpu {
    /// Format version, [`FORMAT`] when written by this build.
    pub format: u32,
    /// Why nothing is known; absent where something is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap: Option<String>,
    /// Why the system calls are not known; absent where they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_gap: Option<String>,
    /// Why only the innermost function of the kernel is known; absent where its callers are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stack_gap: Option<String>,
    /// Microseconds between two samples at the end.
    pub period_us: u64,
    /// Instants at which the processes were looked at.
    pub samples: u64,
    /// Time that pgdyno took for them, in microseconds of wall-clock time.
    pub took_us: u64,
    /// What was seen by kind of process.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub processes: Vec<ProcessesLookedAt>,
}

/// What was seen of one kind of process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessesLookedAt {
    /// Which.
    pub kind: ProcessKind,
    /// Processes of this kind that were looked at.
    pub processes: u32,
    /// Processes that were there, summed over the samples.
    pub present: u64,
    /// Looks at them: fewer than `present` where only some of many processes are looked at in a sample.
    pub looks: u64,
    /// Looks at which the process was on a CPU or ready for one.
    pub runnable: u64,
    /// Looks at which it slept, by place. The rest of the looks was at processes that were stopped or had ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<SleepingPlace>,
}

/// Where processes slept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SleepingPlace {
    /// How it slept.
    pub state: SleepState,
    /// The innermost function of the kernel that is not of its scheduler; absent where it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// The system call, such as `fdatasync`, or [`PAGE_FAULT`]; absent where it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// The file that the call is about; absent where it is about none or that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<CalledFileKind>,
    /// Up to [`STACK_DEPTH`] functions of the kernel, from the innermost one to its callers; empty where they are not
    /// known, and of processes that wait for their client or for work.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stack: Vec<String>,
    /// How often a process was seen there.
    pub looks: u64,
}

/// What stands in the place of a system call where a process slept without one.
pub const PAGE_FAULT: &str = "page fault";

/// Calls in which a process waits for an event at its sockets or for its latch: what a session without work does.
pub const EVENT_WAITS: [&str; 7] = ["epoll_wait", "epoll_pwait", "epoll_pwait2", "poll", "ppoll", "select", "pselect6"];

/// Functions of a stack that are kept.
pub const STACK_DEPTH: usize = 6;

/// How a process sleeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SleepState {
    /// `S`: a signal wakes it.
    Interruptible,
    /// `D`: nothing wakes it but what it waits for, mostly a disk.
    Uninterruptible,
}

/// What a file is to the server. Its path is not kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CalledFileKind {
    /// A segment of the WAL.
    Wal,
    /// A table, an index or another relation.
    Relation,
    /// A temporary file.
    Temporary,
    /// The commit log and what is kept like it: `pg_xact`, `pg_multixact`, `pg_subtrans`, `pg_commit_ts`.
    CommitLog,
    /// A socket.
    Socket,
    /// Any other file.
    Other,
}

impl OffCpu {
    /// Where nothing is known, and why.
    #[must_use]
    pub fn without_samples(gap: String) -> Self {
        Self { format: FORMAT, gap: Some(gap), ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_seen_is_read_as_it_was_written() {
        let place = SleepingPlace {
            state: SleepState::Uninterruptible,
            function: Some("jbd2_log_wait_commit".to_owned()),
            call: Some("fdatasync".to_owned()),
            file: Some(CalledFileKind::Wal),
            stack: vec!["jbd2_log_wait_commit".to_owned(), "ext4_sync_file".to_owned()],
            looks: 7,
        };
        let places = vec![place];
        let load =
            ProcessesLookedAt { kind: ProcessKind::Load, processes: 1, present: 20, looks: 10, runnable: 3, places };
        let off_cpu = OffCpu {
            format: FORMAT,
            stack_gap: Some("Permission denied".to_owned()),
            period_us: 100_000,
            samples: 10,
            took_us: 5,
            processes: vec![load],
            ..OffCpu::default()
        };
        let text = serde_json::to_string(&off_cpu).unwrap();
        assert_eq!(serde_json::from_str::<OffCpu>(&text).unwrap(), off_cpu);
        assert!(text.contains(r#""state":"uninterruptible""#) && text.contains(r#""file":"wal""#), "{text}");
    }

    #[test]
    fn what_could_not_be_seen_says_why() {
        let text = serde_json::to_string(&OffCpu::without_samples("no right".to_owned())).unwrap();
        assert_eq!(text, r#"{"format":1,"gap":"no right","period_us":0,"samples":0,"took_us":0}"#);
    }
}
