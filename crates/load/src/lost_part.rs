//! What is known of the part of a generator that was lost while the others went on: what it had told second by second.
//! What its clients did after that is unknown, and what their ledger was told is, too.

use crate::job::{EngineJob, StatementTimes};
use crate::latency::TransactionLatency;
use crate::ledger::{Ledger, LedgerKept, LedgerPage, LedgerRunTag};
use crate::report::{LoadPhase, OpenLoop, PhaseSecond, ScriptTotal, StatementTotal, Summary};
use crate::silence::Silences;
use std::borrow::Cow;
use std::ops::Range;
use std::time::SystemTime;

/// The measurement phase of a generator, as far as it was told.
#[derive(Debug)]
pub struct LostPart {
    summary: Summary,
}

impl LostPart {
    /// Nothing has been told of the job whose clients have these numbers. `started_at`: of all generators.
    pub fn of_clients(job: &EngineJob, clients: Range<u32>, started_at: SystemTime) -> LostPart {
        let scripts = job.scripts.iter().map(|weighted| ScriptTotal::new(weighted.script.name().to_owned())).collect();
        let statements = (job.statements == StatementTimes::Taken).then(|| {
            let sent = job.statements_by_number().into_iter();
            sent.map(|sent| StatementTotal { kind: sent.kind, ..StatementTotal::new() }).collect()
        });
        let ledger = (job.ledger == LedgerKept::Yes).then(|| {
            let pages = clients.clone().map(|client| (client, LedgerPage::of_lost_client())).collect();
            Ledger::from_pages(LedgerRunTag::from_start_time(started_at), pages)
        });
        let summary = Summary {
            started_at,
            backend: Cow::Borrowed(""),
            clients: clients.len() as u32,
            threads: 0,
            connection_ns: 0,
            first_connections: None,
            connections: None,
            measure_start_ns: 0,
            measure_ns: 0,
            interrupted: false,
            latency: TransactionLatency::new(),
            failed: 0,
            unknown: 0,
            unfinished: 0,
            cancelled: 0,
            late: 0,
            retried: 0,
            retries: 0,
            open: job.pace.is_open().then(OpenLoop::new),
            scripts,
            statements,
            errors: std::collections::BTreeMap::new(),
            first_errors: Vec::new(),
            outages: Vec::new(),
            silences: Silences::default(),
            engine: Vec::new(),
            ledger,
        };
        LostPart { summary }
    }

    /// Adds a second that it has told; of the warm-up only what was the first of its kind.
    pub fn add_second(&mut self, second: &PhaseSecond) {
        let summary = &mut self.summary;
        summary.first_errors.extend_from_slice(&second.first_errors);
        if second.phase == LoadPhase::WarmUp {
            return;
        }
        summary.latency.merge(&second.total_latency());
        for (total, script) in summary.scripts.iter_mut().zip(&second.scripts) {
            total.latency.merge(&script.latency);
            total.failed += script.failed;
            total.late += script.late;
            total.retried += script.retried;
            total.retries += script.retries;
            summary.failed += script.failed;
            summary.late += script.late;
            summary.retried += script.retried;
            summary.retries += script.retries;
        }
        for (state, count) in &second.errors {
            *summary.errors.entry(*state).or_default() += count;
        }
        summary.unknown += second.unknown;
        if let (Some(total), Some(open)) = (&mut summary.open, &second.open) {
            total.append_later(open);
            total.waiting = open.waiting;
        }
    }

    /// What it has come to.
    pub fn into_summary(self) -> Summary {
        self.summary
    }
}
