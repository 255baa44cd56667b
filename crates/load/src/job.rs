//! What a run of the load engine is asked to do. Plain data; checking it needs no server.

use crate::extent::JobExtent;
use crate::ledger::LedgerKept;
use crate::listed::TransactionOrder;
use crate::listed_results::ListedResults;
use crate::pace::TransactionPace;
use crate::part::GeneratorPart;
use crate::script::{ParsedScript, ScriptStatement, statement};
use crate::tally::Tally;
use crate::transaction_log::TransactionLog;
use conninfo::ConnInfo;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;
use work::{Connections, QueryMode, Tries};

/// One run: `clients` connections over `threads` threads run `scripts` against `server`, first for `warm_up` and then
/// for `measure`.
#[derive(Debug, Clone)]
pub struct EngineJob {
    /// Where to.
    pub server: ConnInfo,
    /// How long the server may be silent while it owes an answer, before the connection is given up.
    pub answer_timeout: Duration,
    /// What to run; which one a client runs next is drawn by weight. Not empty.
    pub scripts: Vec<Weighted>,
    /// Which transactions are executed one after the other, in place of scripts that are drawn.
    pub order: Option<Arc<TransactionOrder>>,
    /// How statements are sent.
    pub mode: QueryMode,
    /// Connections, each with one transaction at a time; of all generators together.
    pub clients: NonZeroU32,
    /// Threads that share the clients; more threads than clients are not started.
    pub threads: NonZeroU32,
    /// When transactions begin.
    pub pace: TransactionPace,
    /// How long a transaction may take, from its scheduled start; one that takes longer is late, and in an open loop
    /// one that is later than this before it has begun is skipped.
    pub latency_limit: Option<Duration>,
    /// How often a transaction is tried at most when it fails with 40001 or 40P01.
    pub tries: Tries,
    /// How long a connection is kept.
    pub connections: Connections,
    /// How the engine talks to the kernel.
    pub backend: IoBackend,
    /// How long the load runs before it is measured; may be zero.
    pub warm_up: Duration,
    /// How long it is measured.
    pub measure: JobExtent,
    /// The same seed gives each client the same operations in the same order.
    pub seed: u64,
    /// The value of the script variable `scale`.
    pub scale: u32,
    /// Script variables that have a value from the start, by name: what pgbench calls `--define`. They take precedence
    /// over the automatic ones.
    pub definitions: Vec<(String, String)>,
    /// Whether scripts may run shell commands.
    pub shell: ShellCommands,
    /// Whether each statement is timed.
    pub statements: StatementTimes,
    /// Whether a ledger of acknowledged writes is kept, which is then in the summary.
    pub ledger: LedgerKept,
    /// Where each transaction has a line; none by default. Not for sides that take turns.
    pub log: Option<TransactionLog>,
    /// Where transactions are counted while the run lasts, for whoever has kept a clone.
    pub tally: Tally,
    /// Where the results of listed transactions are noted, for whoever has kept a clone; none by default.
    pub results: Option<Arc<ListedResults>>,
    /// Which part of it is this generator's, where several send it together; none by default.
    pub part: Option<GeneratorPart>,
}

impl EngineJob {
    /// One client that runs `script` for 10 s without a warm-up; change what else is wanted.
    pub fn new(server: ConnInfo, script: ParsedScript) -> EngineJob {
        EngineJob {
            server,
            answer_timeout: Duration::from_secs(120),
            scripts: vec![Weighted::with_weight_one(script)],
            order: None,
            mode: QueryMode::default(),
            clients: NonZeroU32::MIN,
            threads: NonZeroU32::MIN,
            pace: TransactionPace::default(),
            latency_limit: None,
            tries: Tries::default(),
            connections: Connections::default(),
            backend: IoBackend::default(),
            warm_up: Duration::ZERO,
            measure: JobExtent::Time(Duration::from_secs(10)),
            seed: 0,
            scale: 1,
            definitions: Vec::new(),
            shell: ShellCommands::default(),
            statements: StatementTimes::default(),
            ledger: LedgerKept::default(),
            log: None,
            tally: Tally::default(),
            results: None,
            part: None,
        }
    }

    /// The same, which notes the results of its listed transactions, if it has a list.
    #[must_use]
    pub fn noting_results(self) -> EngineJob {
        let by_script: Vec<u32> = self
            .scripts
            .iter()
            .map(|weighted| statement::list_statements([&weighted.script].into_iter(), self.mode).len() as u32)
            .collect();
        let results = self.order.as_ref().map(|order| Arc::new(ListedResults::for_list(order, &by_script)));
        EngineJob { results, ..self }
    }

    /// The statements of its scripts, each in the place of its number.
    pub fn statements_by_number(&self) -> Vec<ScriptStatement> {
        statement::list_statements(self.scripts.iter().map(|weighted| &weighted.script), self.mode)
    }
}

/// Whether scripts may run commands on this machine, as the user who runs the load (`\shell`, `\setshell`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ShellCommands {
    /// A script that would is refused.
    #[default]
    Refused,
    /// They may.
    Permitted,
}

/// Whether the time that each statement takes is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StatementTimes {
    /// It is, in a histogram for each statement and thread.
    #[default]
    Taken,
    /// It is not.
    NotTaken,
}

/// How the engine talks to the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum IoBackend {
    /// What costs less for the number of clients per thread, as measured, and can be had.
    #[default]
    Auto,
    /// Readiness by epoll, a system call per transfer.
    Epoll,
    /// Requests and completions by `io_uring`, a system call per round of the event loop.
    IoUring,
}

/// A script and how often it is chosen, relative to the others of its job.
#[derive(Debug, Clone)]
pub struct Weighted {
    pub script: ParsedScript,
    pub weight: NonZeroU32,
}

impl Weighted {
    /// A script that is as likely as any other with weight 1; what a job with one script has.
    pub fn with_weight_one(script: ParsedScript) -> Weighted {
        Weighted { script, weight: NonZeroU32::MIN }
    }
}
