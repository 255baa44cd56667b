//! The figures of `host.processes`: what the server's processes beyond the load's sessions used, by kind. A figure's
//! name is the kind and what is counted of it, `walsender.cpu_us`: workers of extensions have names of their own.

/// The kinds that PostgreSQL itself has, as its titles begin. The first that fits counts.
pub const KINDS_OF_TITLES: [&str; 18] = [
    "archiver",
    "autovacuum launcher",
    "autovacuum worker",
    "background writer",
    "checkpointer",
    "io worker",
    "logger",
    LOGICAL_REPLICATION_LAUNCHER,
    LOGICAL_REPLICATION,
    PARALLEL_WORKER,
    "slotsync",
    "startup",
    "stats collector",
    "syslogger",
    "walreceiver",
    WALSENDER,
    "walsummarizer",
    "walwriter",
];

/// Sends WAL to a standby or a base backup, or decodes it.
pub const WALSENDER: &str = "walsender";

/// Starts the workers of subscriptions.
pub const LOGICAL_REPLICATION_LAUNCHER: &str = "logical replication launcher";

/// Applies changes of a subscription, or copies a table for it.
pub const LOGICAL_REPLICATION: &str = "logical replication";

/// A parallel worker of a session that is not known to be the load's.
pub const PARALLEL_WORKER: &str = "parallel worker";

/// A parallel worker of one of the load's sessions: no title begins so.
pub const PARALLEL_WORKER_OF_LOAD: &str = "parallel worker of the load";

/// Sessions that are none of the load's, those of pgdyno's probes included: no title begins so.
pub const OTHER_SESSIONS: &str = "other sessions";

/// The first process, which forks the others: its title is the command that started it.
pub const POSTMASTER: &str = "postmaster";

/// What is counted of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProcessFigure {
    /// How many there are, a level.
    Processes,
    /// Microseconds on a CPU.
    CpuUs,
    /// Microseconds ready to run and waiting for a CPU.
    RunDelayUs,
    /// Bytes read from storage.
    ReadBytes,
    /// Bytes written, or made to be written, to storage.
    WrittenBytes,
}

impl ProcessFigure {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Processes, Self::CpuUs, Self::RunDelayUs, Self::ReadBytes, Self::WrittenBytes];

    /// How names of it end.
    pub const fn name_suffix(self) -> &'static str {
        match self {
            Self::Processes => "processes",
            Self::CpuUs => "cpu_us",
            Self::RunDelayUs => "run_delay_us",
            Self::ReadBytes => "read_bytes",
            Self::WrittenBytes => "written_bytes",
        }
    }

    /// Its name of a kind, `walsender.cpu_us`.
    pub fn name_of_kind(self, kind: &str) -> String {
        format!("{kind}.{}", self.name_suffix())
    }

    /// The kind and the figure that a name is of; none of a name that is none.
    pub fn from_name(name: &str) -> Option<(&str, Self)> {
        let (kind, suffix) = name.rsplit_once('.')?;
        Some((kind, Self::ALL.into_iter().find(|figure| figure.name_suffix() == suffix)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_tells_the_kind_and_the_figure() {
        for figure in ProcessFigure::ALL {
            let name = figure.name_of_kind("my.worker");
            assert_eq!(ProcessFigure::from_name(&name), Some(("my.worker", figure)));
        }
        assert_eq!(ProcessFigure::from_name("walsender.speed"), None);
        assert_eq!(ProcessFigure::from_name("cpu_us"), None);
    }
}
