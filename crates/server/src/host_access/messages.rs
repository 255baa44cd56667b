//! What is said between pgdyno and its agent: one JSON object a line. Every answer bears the number of its order, so
//! that one that comes too late is not taken for the next one's.

use std::collections::BTreeMap;
use std::path::PathBuf;

use results::facts::{DataDirectoryDisk, HostFacts};
use results::interval::Reading;
use results::trial::KernelValue;
use serde::{Deserialize, Serialize};

use super::whereabouts::BackendProcess;
use crate::journal::JournalError;

/// Both sides must have the same.
pub const PROTOCOL: u32 = 5;

/// What the agent is told, by number.
#[derive(Debug, Serialize, Deserialize)]
pub struct Numbered<T> {
    /// Counts up from 1; the agent's first line, before any order, has 0.
    pub number: u64,
    /// What is said.
    #[serde(flatten)]
    pub said: T,
}

/// What the agent is to do.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "order")]
pub enum AgentOrder {
    /// Say what time it is.
    Ping,
    /// Find the processes and the disk of the server one of whose open sessions this is, and read the facts of the
    /// machine.
    Attach(BackendProcess),
    /// Take the first snapshots of a series.
    Prime,
    /// Read what happened since the last snapshots.
    Read,
    /// Write down what the server has of these settings, which are going to be set by ALTER SYSTEM, and put back what was
    /// set before them.
    TakeSettings {
        /// By name.
        set: BTreeMap<String, String>,
        /// Whether one of them, or of those before, takes a restart.
        restart: bool,
        /// Its owner's command that restarts the server.
        restart_by: Option<String>,
    },
    /// Have the server read its settings.
    Reload,
    /// Restart the server.
    Restart {
        /// Its owner's command for that.
        restart_by: Option<String>,
    },
    /// Kill the server's first process, and start the server again.
    KillPostmaster {
        /// Its owner's command that restarts it.
        restart_by: Option<String>,
    },
    /// Kill the process of this session.
    KillSession(BackendProcess),
    /// Stop all processes of the server.
    Freeze {
        /// For how long at most, in milliseconds: until then nobody is needed to have them go on.
        at_most_ms: u64,
    },
    /// Have them go on, and end the command that is at work, if one is.
    LetBe,
    /// Start a command of the person's own in a shell; one at a time.
    StartCommand {
        /// For `sh -c`.
        command: String,
        /// What it finds in its environment.
        variables: BTreeMap<String, String>,
    },
    /// Say what the command has come to.
    LookAtCommand,
    /// Set values of the kernel.
    SetKernel {
        /// By name.
        values: BTreeMap<String, String>,
    },
    /// Put the values of the kernel back.
    ResetKernel,
    /// Put the server's files out of the kernel's cache.
    EmptyCache,
    /// Undo all that has been changed for who asks this.
    PutBack,
    /// Undo what agents that have ended have left on this host.
    Restore,
    /// Make a working directory for fio in this one.
    OpenDisk {
        /// Of this host.
        directory: PathBuf,
    },
    /// Start fio there; one at a time.
    StartFio {
        /// The job file.
        definition: String,
        /// Whether it is the person's own, which writes its logs where fio works.
        is_own: bool,
        /// How long it is to take by itself, in milliseconds.
        expected_ms: Option<u64>,
    },
    /// Say what fio has come to.
    LookAtFio,
    /// End fio before its time.
    StopFio,
    /// Remove the working directory.
    CloseDisk,
}

/// What the agent says.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "answer")]
pub enum AgentAnswer {
    /// It is there.
    Hello {
        /// Of this protocol.
        protocol: u32,
        /// Its pgdyno's version.
        version: String,
    },
    /// Its time.
    Pong {
        /// Microseconds since 1970 by its clock.
        at_us: i64,
    },
    /// The machine.
    Attached {
        /// Its facts; none if the essentials could not be read.
        host: Option<Box<HostFacts>>,
        /// What could not be read, and why.
        gaps: BTreeMap<String, String>,
    },
    /// The snapshots are taken.
    Primed,
    /// What the probes read.
    Readings {
        /// By probe.
        readings: BTreeMap<String, Reading>,
    },
    /// It is done.
    Done,
    /// The command has not ended.
    CommandRuns,
    /// The values of the kernel are set.
    KernelSet {
        /// Each, with what it was.
        values: Vec<KernelValue>,
    },
    /// The files are out of the kernel's cache.
    Emptied {
        /// Their size.
        bytes: u64,
    },
    /// What undoing came to.
    Undone {
        /// Change by change.
        undone: Vec<Undone>,
    },
    /// fio can be started.
    DiskOpen(Box<DiskThere>),
    /// fio has not ended.
    FioRuns,
    /// fio has ended.
    FioEnded(Box<FioResult>),
    /// It cannot be done.
    Refused {
        /// What could not, in a few words.
        what: String,
        /// What the system said.
        detail: String,
        /// What to try; may be empty.
        hint: String,
    },
}

/// The directory that fio works in on the agent's host, and the fio there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DiskThere {
    /// fio's version as it says it.
    pub version: String,
    /// The engines that it lists, separated by white space.
    pub engines: String,
    /// The directory that was asked for, links followed.
    pub directory: PathBuf,
    /// Its file system and device; absent when they could not be read.
    pub disk: Option<DataDirectoryDisk>,
    /// Memory of the host.
    pub memory_bytes: Option<u64>,
    /// What files take of the file system.
    pub used_bytes: u64,
    /// What the agent may still write there.
    pub available_bytes: u64,
    /// Where jobs have to write their logs.
    pub logs: PathBuf,
}

/// What came of one fio.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FioResult {
    /// Its standard output.
    pub output: String,
    /// Its standard error.
    pub errors: String,
    /// How it ended.
    pub end: FioEnd,
    /// The texts of its logs by their names.
    pub logs: BTreeMap<String, String>,
}

/// How fio ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FioEnd {
    /// By itself, without an error.
    Done,
    /// By itself, with an error, or by a signal: how.
    Failed(String),
    /// A person stopped it.
    Stopped,
    /// It did not end in its time.
    Hung,
}

impl AgentAnswer {
    /// That something could not be done to this host.
    #[must_use]
    pub fn change_refused(error: &JournalError) -> Self {
        Self::Refused {
            what: error.to_string(),
            detail: error.detail().unwrap_or_default(),
            hint: error.hint().unwrap_or_default(),
        }
    }
}

/// What became of one change that was to be undone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undone {
    /// What it came to.
    pub(super) outcome: UndoneAs,
    /// The change, in words.
    pub change: String,
    /// Why it was left alone or could not be undone.
    pub why: String,
}

/// What undoing a change came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum UndoneAs {
    Restored,
    NothingLeft,
    LeftAlone,
    Failed,
}

impl Undone {
    /// Whether it is as it was before, and was not.
    #[must_use]
    pub fn is_restored(&self) -> bool {
        self.outcome == UndoneAs::Restored
    }

    /// Whether somebody else has changed it since.
    #[must_use]
    pub fn is_left_alone(&self) -> bool {
        self.outcome == UndoneAs::LeftAlone
    }

    /// Whether it could not be undone.
    #[must_use]
    pub fn is_failed(&self) -> bool {
        self.outcome == UndoneAs::Failed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_and_answers_come_back_as_they_were_said() {
        let backend =
            BackendProcess { backend_pid: 7, backend_started_us: Some(5), data_directory: Some("/data".into()) };
        let order = AgentOrder::Attach(backend);
        let line = serde_json::to_string(&Numbered { number: 3, said: order }).unwrap();
        assert_eq!(
            line,
            r#"{"number":3,"order":"attach","backend_pid":7,"backend_started_us":5,"data_directory":"/data"}"#
        );
        let gap = Reading::Gap { took_us: 3, gap: "gone".to_owned() };
        let value = Reading::Values { took_us: 3, over_us: 9, values: [("a_us".to_owned(), 0.1)].into() };
        let readings = BTreeMap::from([("host.a".to_owned(), gap), ("host.b".to_owned(), value)]);
        let answer = Numbered { number: 4, said: AgentAnswer::Readings { readings: readings.clone() } };
        let text = serde_json::to_string(&answer).unwrap();
        let Numbered { number, said } = serde_json::from_str::<Numbered<AgentAnswer>>(&text).unwrap();
        assert!(matches!(said, AgentAnswer::Readings { readings: back } if number == 4 && back == readings), "{text}");
    }
}
