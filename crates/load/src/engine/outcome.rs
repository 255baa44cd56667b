//! What the run of a side has come to, as it is told when all is over.

use crate::engine::collector::Collector;
use crate::engine::io::KernelInterface;
use crate::job::{EngineJob, StatementTimes};
use crate::latency::TransactionLatency;
use crate::ledger::{Ledger, LedgerPage, LedgerRunTag};
use crate::report::{ConnectionLatency, StatementTotal, Summary};
use std::borrow::Cow;
use std::time::SystemTime;

/// What is told of a side once, at the begin or at the end.
pub(crate) struct SideAccount {
    pub(crate) first_connections: ConnectionLatency,
    /// Transactions that were not over at the end.
    pub(crate) unfinished: u64,
    /// Those of them that did not finish in the time that they had after it.
    pub(crate) cancelled: u64,
    /// What clients that are gone were told of their writes.
    pub(crate) pages: Vec<(u32, LedgerPage)>,
    /// By number; none if they are not timed.
    statements: Vec<StatementTotal>,
}

impl SideAccount {
    pub(crate) fn new() -> SideAccount {
        SideAccount {
            first_connections: ConnectionLatency::new(),
            unfinished: 0,
            cancelled: 0,
            pages: Vec::new(),
            statements: Vec::new(),
        }
    }

    /// Adds what a thread counted of the statements.
    pub(crate) fn add_statements(&mut self, of_thread: Vec<StatementTotal>) {
        if self.statements.is_empty() {
            self.statements = of_thread;
        } else {
            self.statements.iter_mut().zip(&of_thread).for_each(|(total, more)| total.merge(more));
        }
    }
}

/// What the run of a side has come to.
pub(crate) struct SideOutcome {
    pub(crate) collector: Collector,
    pub(crate) connection_ns: u64,
    pub(crate) end_ns: u64,
    pub(crate) interrupted: bool,
    pub(crate) account: SideAccount,
    /// Names the side's run in the ledger, if one is kept.
    pub(crate) tag: Option<LedgerRunTag>,
}

impl SideOutcome {
    pub(crate) fn into_summary(self, job: &EngineJob, way: KernelInterface, started_at: SystemTime) -> Summary {
        // An interruption may have left no time for it.
        let measure_start_ns = self.collector.measure_start_ns().min(self.end_ns);
        let measure_ns = self.collector.measured_ns();
        let totals = self.collector.totals;
        let mut latency = TransactionLatency::new();
        totals.scripts.iter().for_each(|script| latency.merge(&script.latency));
        let failed: u64 = totals.scripts.iter().map(|script| script.failed).sum();
        let late: u64 = totals.scripts.iter().map(|script| script.late).sum();
        let retried: u64 = totals.scripts.iter().map(|script| script.retried).sum();
        let retries: u64 = totals.scripts.iter().map(|script| script.retries).sum();
        let mut outages = totals.outages;
        outages.retain(|outage| outage.end_ns.is_none_or(|end_ns| end_ns >= measure_start_ns));
        outages.sort_by_key(|outage| (outage.start_ns, outage.client));
        Summary {
            started_at,
            backend: Cow::Borrowed(way.backend_name()),
            clients: job.own_clients().len() as u32,
            threads: totals.threads.len() as u32,
            connection_ns: self.connection_ns,
            first_connections: Some(Box::new(self.account.first_connections)),
            connections: totals.connections,
            measure_start_ns,
            measure_ns,
            interrupted: self.interrupted,
            latency,
            failed,
            unknown: totals.unknown,
            unfinished: self.account.unfinished,
            cancelled: self.account.cancelled,
            late,
            retried,
            retries,
            open: totals.open,
            scripts: totals.scripts,
            statements: (job.statements == StatementTimes::Taken).then(|| of_kinds(job, self.account.statements)),
            errors: totals.errors,
            first_errors: totals.first_errors.into_vec(),
            outages,
            silences: totals.listening.find_silences(self.end_ns),
            engine: totals.threads,
            ledger: self.tag.map(|tag| Ledger::from_pages(tag, self.account.pages)),
        }
    }
}

/// The statements with what each of them is.
fn of_kinds(job: &EngineJob, mut totals: Vec<StatementTotal>) -> Vec<StatementTotal> {
    for (total, statement) in totals.iter_mut().zip(job.statements_by_number()) {
        total.kind = statement.kind;
    }
    totals
}
