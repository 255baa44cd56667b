//! What several generators saw of one load, put together as if one had sent it: sums are sums, and percentiles come of
//! merged histograms. Nothing is estimated, so that the parts of a load come to what the whole would have.
//!
//! All parts count their instants from the same one, and a client's number is its own among all of them.

use crate::first_errors::FirstErrors;
use crate::ledger::Ledger;
use crate::report::{ConnectionLatency, OpenLoop, PhaseSecond, ScriptSecond, ScriptTotal, StatementTotal, Summary};
use crate::silence::Silences;
use std::collections::BTreeMap;
use wire::SqlState;

impl PhaseSecond {
    /// Adds what another generator saw in the same second.
    pub fn add_part(&mut self, other: &PhaseSecond) {
        for (script, more) in self.scripts.iter_mut().zip(&other.scripts) {
            script.add_part(more);
        }
        add_counts(&mut self.errors, &other.errors);
        self.first_errors.extend_from_slice(&other.first_errors);
        self.unknown += other.unknown;
        self.attempts += other.attempts;
        self.outages.extend_from_slice(&other.outages);
        merge_connections(&mut self.connections, other.connections.as_deref());
        merge_open_loops(&mut self.open, other.open.as_ref());
        self.threads.extend_from_slice(&other.threads);
    }
}

/// The summaries of all generators, in their order, as one; `None` without any.
pub fn merge_summaries(parts: Vec<Summary>) -> Option<Summary> {
    let silences = Silences::of_parts(parts.iter().map(|part| &part.silences));
    let mut parts = parts.into_iter();
    let mut whole = parts.next()?;
    let mut first_errors = FirstErrors::default();
    std::mem::take(&mut whole.first_errors).iter().for_each(|error| first_errors.add(error));
    for part in parts {
        part.first_errors.iter().for_each(|error| first_errors.add(error));
        whole.append_part(part);
    }
    whole.outages.sort_by_key(|outage| (outage.start_ns, outage.client));
    Some(Summary { first_errors: first_errors.into_vec(), silences, ..whole })
}

impl Summary {
    fn append_part(&mut self, part: Summary) {
        self.clients += part.clients;
        self.threads += part.threads;
        self.connection_ns = self.connection_ns.max(part.connection_ns);
        merge_connections(&mut self.first_connections, part.first_connections.as_deref());
        merge_connections(&mut self.connections, part.connections.as_deref());
        // They begin and end with the same seconds.
        self.measure_ns = self.measure_ns.max(part.measure_ns);
        self.interrupted |= part.interrupted;
        self.latency.merge(&part.latency);
        self.failed += part.failed;
        self.unknown += part.unknown;
        self.unfinished += part.unfinished;
        self.cancelled += part.cancelled;
        self.late += part.late;
        self.retried += part.retried;
        self.retries += part.retries;
        merge_open_loops(&mut self.open, part.open.as_ref());
        for (script, more) in self.scripts.iter_mut().zip(&part.scripts) {
            script.add_part(more);
        }
        merge_statements(&mut self.statements, part.statements);
        add_counts(&mut self.errors, &part.errors);
        self.outages.extend(part.outages);
        self.engine.extend(part.engine);
        self.ledger = merge_ledgers(self.ledger.take(), part.ledger);
    }
}

impl ScriptSecond {
    fn add_part(&mut self, other: &ScriptSecond) {
        self.latency.merge(&other.latency);
        self.failed += other.failed;
        self.late += other.late;
        self.retried += other.retried;
        self.retries += other.retries;
    }
}

impl ScriptTotal {
    fn add_part(&mut self, other: &ScriptTotal) {
        self.latency.merge(&other.latency);
        self.failed += other.failed;
        self.late += other.late;
        self.retried += other.retried;
        self.retries += other.retries;
        self.statements.add(&other.statements);
    }
}

fn add_counts(sums: &mut BTreeMap<SqlState, u64>, more: &BTreeMap<SqlState, u64>) {
    for (state, count) in more {
        *sums.entry(*state).or_default() += count;
    }
}

fn merge_connections(sum: &mut Option<Box<ConnectionLatency>>, part: Option<&ConnectionLatency>) {
    if let Some(part) = part {
        sum.get_or_insert_with(|| Box::new(ConnectionLatency::new())).merge(part);
    }
}

fn merge_open_loops(sum: &mut Option<OpenLoop>, part: Option<&OpenLoop>) {
    if let Some(part) = part {
        sum.get_or_insert_with(OpenLoop::new).merge(part);
    }
}

/// Each in the place of its number; none where one of the parts has not timed them.
fn merge_statements(sum: &mut Option<Vec<StatementTotal>>, part: Option<Vec<StatementTotal>>) {
    match (&mut *sum, part) {
        (Some(totals), Some(part)) => totals.iter_mut().zip(&part).for_each(|(total, more)| total.merge(more)),
        (Some(_) | None, None) | (None, Some(_)) => *sum = None,
    }
}

/// The pages of all clients in the order of their numbers.
fn merge_ledgers(first: Option<Ledger>, next: Option<Ledger>) -> Option<Ledger> {
    let (mut ledger, next) = (first?, next?);
    ledger.pages.extend(next.pages);
    Some(ledger)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::latency::TransactionLatency;
    use crate::report::{LoadPhase, OutageChange, StatementCounts, ThreadActivity};
    use crate::script::ScriptStatementKind;
    use proptest::prelude::*;
    use std::borrow::Cow;
    use std::time::SystemTime;

    const SCRIPTS: [&str; 2] = ["reads", "writes"];

    /// A transaction that ended, as it is recorded.
    #[derive(Debug, Clone)]
    struct Ended {
        generator: usize,
        script: usize,
        latency_ns: u64,
        failed: Option<SqlState>,
        lag_ns: u64,
    }

    fn ended() -> impl Strategy<Value = Ended> {
        let failed = prop_oneof![
            4 => Just(None),
            1 => Just(Some(SqlState::DEADLOCK_DETECTED)),
            1 => Just(SqlState::from_bytes(b"40001")),
        ];
        (0..4usize, 0..2usize, 0..4_000_000_000_000u64, failed, 0..9_000_000u64).prop_map(
            |(generator, script, latency_ns, failed, lag_ns)| Ended { generator, script, latency_ns, failed, lag_ns },
        )
    }

    fn recorded_second(transactions: &[&Ended], threads: usize) -> PhaseSecond {
        let script = |(place, name): (usize, &&str)| {
            let mut of = ScriptSecond {
                name: (*name).to_owned(),
                latency: TransactionLatency::new(),
                failed: 0,
                late: 0,
                retried: 0,
                retries: 0,
            };
            for ended in transactions.iter().filter(|ended| ended.script == place) {
                match ended.failed {
                    Some(_) => of.failed += 1,
                    None => of.latency.record(ended.latency_ns),
                }
                of.late += u64::from(ended.latency_ns > 1_000_000_000);
            }
            of
        };
        let (mut errors, mut open) = (BTreeMap::new(), OpenLoop::new());
        for ended in transactions {
            if let Some(state) = ended.failed {
                *errors.entry(state).or_default() += 1;
            }
            open.offered += 1;
            open.service.record(ended.latency_ns);
            open.lag_queued.record(ended.lag_ns);
        }
        PhaseSecond {
            phase: LoadPhase::Measure,
            index: 3,
            start_ns: 3_000_000_000,
            duration_ns: 1_000_000_000,
            turn_ns: 1_000_000_000,
            scripts: SCRIPTS.iter().enumerate().map(script).collect(),
            errors,
            first_errors: Vec::new(),
            unknown: transactions.len() as u64 / 7,
            attempts: 0,
            outages: Vec::<OutageChange>::new(),
            connections: None,
            open: Some(open),
            threads: vec![ThreadActivity::default(); threads],
        }
    }

    fn recorded_summary(transactions: &[&Ended], threads: u32) -> Summary {
        let second = recorded_second(transactions, threads as usize);
        let total = |script: &ScriptSecond| ScriptTotal {
            name: script.name.clone(),
            latency: script.latency.clone(),
            failed: script.failed,
            late: script.late,
            retried: 0,
            retries: 0,
            statements: StatementCounts { reads: script.latency.count(), writes: 0, others: script.failed },
        };
        let mut statement = StatementTotal::new();
        statement.kind = ScriptStatementKind::Sql;
        transactions.iter().for_each(|ended| statement.latency.record(ended.latency_ns));
        Summary {
            started_at: SystemTime::UNIX_EPOCH,
            backend: Cow::Borrowed("epoll"),
            clients: threads * 2,
            threads,
            connection_ns: 5,
            first_connections: None,
            connections: None,
            measure_start_ns: 0,
            measure_ns: 1_000_000_000,
            interrupted: false,
            latency: second.total_latency(),
            failed: second.scripts.iter().map(|script| script.failed).sum(),
            unknown: 0,
            unfinished: 0,
            cancelled: 0,
            late: second.scripts.iter().map(|script| script.late).sum(),
            retried: 0,
            retries: 0,
            open: second.open.clone(),
            scripts: second.scripts.iter().map(total).collect(),
            statements: Some(vec![statement]),
            errors: second.errors.clone(),
            first_errors: Vec::new(),
            outages: Vec::new(),
            silences: Silences::default(),
            engine: second.threads,
            ledger: None,
        }
    }

    fn as_text(value: &impl serde::Serialize) -> String {
        serde_json::to_string(value).expect("it can be written")
    }

    proptest! {
        #[test]
        fn the_parts_of_a_load_come_to_what_the_whole_does_byte_for_byte(
            transactions in prop::collection::vec(ended(), 0..60),
        ) {
            let all: Vec<&Ended> = transactions.iter().collect();
            let parts: Vec<Vec<&Ended>> =
                (0..4).map(|part| all.iter().copied().filter(|ended| ended.generator == part).collect()).collect();
            // Unknown transactions are no function of the others here.
            let mut whole = recorded_second(&all, 4);
            let mut merged = recorded_second(&parts[0], 1);
            for part in &parts[1..] {
                merged.add_part(&recorded_second(part, 1));
            }
            whole.unknown = parts.iter().map(|part| part.len() as u64 / 7).sum();
            prop_assert_eq!(as_text(&merged), as_text(&whole));
            let summaries = parts.iter().map(|part| recorded_summary(part, 1)).collect();
            let merged = merge_summaries(summaries).expect("four");
            prop_assert_eq!(as_text(&merged), as_text(&recorded_summary(&all, 4)));
        }
    }

    #[test]
    fn ledgers_are_put_together_by_the_numbers_of_their_clients() {
        use crate::ledger::{Auditor, LedgerPage, LedgerRunTag};
        let tag = LedgerRunTag::from_start_time(SystemTime::UNIX_EPOCH);
        let ledger = |clients: std::ops::Range<u32>| {
            let page = |client: u32| {
                let mut page = LedgerPage::default();
                for _ in 0..=client {
                    page.begin_entry();
                    page.settle_entry(crate::ledger::EntryOutcome::Acknowledged);
                }
                (client, page)
            };
            Ledger::from_pages(tag, clients.map(page).collect())
        };
        let part = |clients| Summary { ledger: Some(ledger(clients)), ..recorded_summary(&[], 1) };
        let whole = merge_summaries(vec![part(0..2), part(2..3)]).and_then(|whole| whole.ledger).expect("a ledger");
        assert_eq!(whole, ledger(0..3));
        let mut auditor = Auditor::new(&whole);
        for entry in ["000000000000000", "000010000000001", "000020000000002"] {
            auditor.check_row(&format!("{tag}{entry}"));
        }
        let found = auditor.finish();
        assert_eq!((found.acknowledged, found.foreign, found.lost.count), (6, 0, 3));
    }

    #[test]
    fn entries_of_a_lost_generator_are_unknown_and_never_lost_or_foreign() {
        use crate::job::EngineJob;
        use crate::ledger::{Auditor, LedgerKept, LedgerRunTag, ledger_script};
        use conninfo::{ConnInfo, ServerHost};
        let server = ConnInfo::new((ServerHost::Unix("/nowhere".into()), 1), "nobody", "nothing");
        let script = ledger_script("simple-update").expect("it writes");
        let job = EngineJob { ledger: LedgerKept::Yes, ..EngineJob::new(server, script) };
        let start = SystemTime::UNIX_EPOCH;
        let mut lost = crate::LostPart::of_clients(&job, 2..4, start);
        let told = ended_at(7);
        lost.add_second(&recorded_second(&[&told, &told], 1));
        let lost = lost.into_summary();
        assert_eq!((lost.clients, lost.successful_transactions(), lost.scripts.len()), (2, 2, 1));
        let tag = LedgerRunTag::from_start_time(start);
        let known = crate::LostPart::of_clients(&job, 0..0, start).into_summary();
        let pages = (0..2).map(|client| (client, crate::ledger::LedgerPage::default())).collect();
        let known = Summary { ledger: Some(Ledger::from_pages(tag, pages)), ..known };
        let ledger = merge_summaries(vec![known, lost]).and_then(|whole| whole.ledger).expect("a ledger");
        let mut auditor = Auditor::new(&ledger);
        auditor.check_row(&format!("{tag}000020000000009"));
        auditor.check_row(&format!("{tag}000000000000000"));
        let found = auditor.finish();
        assert_eq!((found.unknown, found.unknown_committed, found.lost.count, found.foreign), (1, 1, 0, 1));
    }

    fn ended_at(latency_ms: u64) -> Ended {
        Ended { generator: 0, script: 0, latency_ns: latency_ms * 1_000_000, failed: None, lag_ns: 0 }
    }

    #[test]
    fn nothing_is_no_load() {
        assert!(merge_summaries(Vec::new()).is_none());
    }
}
