//! What became of transactions besides being completed, cell by cell: offered, late, skipped, retried, the schedule's
//! lag, the time to connect, sysbench's queries by kind, the ledger. Sums over the trials of a cell; of percentiles the
//! worst trial's is named as such.

use std::collections::BTreeMap;

use results::trial::{Cell, LoadTotals, QueryTotals, Role, Trial, TrialOutcome};

use super::question::RunQuestion;
use crate::units;

/// From this share of the measurement on, the longest transaction is told:
/// it moves the 99th percentile of an open loop.
const HIDDEN_FROM: f64 = 0.01;

/// One line for each cell that has anything to say, in the order of the cells; searches have curves instead.
pub(super) fn service_lines(question: &RunQuestion, trials: &[Trial]) -> Vec<String> {
    let mut cells: BTreeMap<&Cell, Vec<&LoadTotals>> = BTreeMap::new();
    for trial in trials.iter().filter(|trial| trial.outcome == TrialOutcome::Completed && trial.role == Role::Main) {
        if !question.is_search(&trial.cell.workload)
            && let Some(load) = &trial.load
        {
            cells.entry(&trial.cell).or_default().push(load);
        }
    }
    cells.into_iter().filter_map(line_of_cell).collect()
}

fn line_of_cell((cell, loads): (&Cell, Vec<&LoadTotals>)) -> Option<String> {
    let (open, hidden, late) =
        (describe_open_loop(&loads), describe_coordinated_omission(&loads), describe_late_transactions(&loads));
    let said: Vec<String> = [
        open,
        hidden,
        late,
        describe_retries(&loads),
        describe_connecting(&loads),
        describe_queries(&loads),
        describe_ledger(&loads),
    ]
    .into_iter()
    .flatten()
    .collect();
    (!said.is_empty()).then(|| {
        format!("{} at {}, {}: {}", cell.workload, units::format_clients(cell.clients), cell.target, said.join("; "))
    })
}

fn sum_over_loads(loads: &[&LoadTotals], read: impl Fn(&LoadTotals) -> u64) -> u64 {
    loads.iter().map(|load| read(load)).sum()
}

fn describe_open_loop(loads: &[&LoadTotals]) -> Option<String> {
    let opens: Vec<_> = loads.iter().filter_map(|load| load.open.as_ref()).collect();
    if opens.is_empty() {
        return None;
    }
    let seconds = sum_over_loads(loads, |load| load.measure_us) as f64 / 1e6;
    let offered: u64 = opens.iter().map(|open| open.offered).sum();
    let skipped: u64 = opens.iter().map(|open| open.skipped).sum();
    let achieved = sum_over_loads(loads, |load| load.transactions);
    let worst = |read: fn(&results::trial::OpenTotals) -> Option<u64>| opens.iter().filter_map(|open| read(open)).max();
    let lag = worst(|open| open.lag.map(|lag| lag.p99_ns)).map(|ns| format!(", schedule lag p99 {}", format_ns(ns)));
    let service = worst(|open| open.service.map(|service| service.p99_ns))
        .map(|ns| format!(", service time p99 {}", format_ns(ns)));
    Some(format!(
        "offered {}, achieved {}, {skipped} skipped{}{} (worst trial)",
        units::format_tps(offered as f64 / seconds.max(1e-6)),
        units::format_tps(achieved as f64 / seconds.max(1e-6)),
        lag.unwrap_or_default(),
        service.unwrap_or_default()
    ))
}

fn format_ns(ns: u64) -> String {
    units::format_milliseconds(ns as f64 / 1e6)
}

/// What a closed loop hides (coordinated omission): while its longest transaction lasted, an open loop of the same
/// throughput would have offered so many. Percentiles of a closed loop need not show a pause
/// that everybody had to wait for.
fn describe_coordinated_omission(loads: &[&LoadTotals]) -> Option<String> {
    let closed = loads.iter().filter(|load| load.open.is_none() && load.measure_us > 0);
    let pauses = closed.filter_map(|load| {
        let longest_us = load.latency?.max_ns as f64 / 1e3;
        let share = longest_us / load.measure_us as f64;
        Some((share, longest_us / 1e3, share * load.transactions as f64))
    });
    let (share, longest_ms, arrivals) = pauses.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (share >= HIDDEN_FROM).then(|| {
        format!(
            "the longest transaction took {}; an open loop of the same throughput would have had {arrivals:.0} more slow \
             transactions if all clients had to wait (coordinated omission, worst trial)",
            units::format_milliseconds(longest_ms)
        )
    })
}

fn describe_late_transactions(loads: &[&LoadTotals]) -> Option<String> {
    let late: Vec<u64> = loads.iter().filter_map(|load| load.late).collect();
    (!late.is_empty()).then(|| {
        format!("{} of {} over the latency limit", late.iter().sum::<u64>(), sum_over_loads(loads, |l| l.transactions))
    })
}

fn describe_retries(loads: &[&LoadTotals]) -> Option<String> {
    let (retried, retries) = (sum_over_loads(loads, |load| load.retried), sum_over_loads(loads, |load| load.retries));
    (retried > 0).then(|| format!("{retried} retried, {retries} retries"))
}

fn describe_connecting(loads: &[&LoadTotals]) -> Option<String> {
    let worst = loads.iter().filter_map(|load| load.connecting).max_by_key(|connecting| connecting.total.p99_ns)?;
    let tls = worst.tls.map_or(String::new(), |tls| format!(", of which TLS p50 {}", format_ns(tls.p50_ns)));
    let (p50, p99) = (format_ns(worst.total.p50_ns), format_ns(worst.total.p99_ns));
    let count = sum_over_loads(loads, |load| load.connecting.map_or(0, |connecting| connecting.count));
    Some(format!("{count} connections were made: p50 {p50}, p99 {p99}{tls} (worst trial)"))
}

fn describe_queries(loads: &[&LoadTotals]) -> Option<String> {
    let queries: Vec<QueryTotals> = loads.iter().filter_map(|load| load.queries).collect();
    let sum = |read: fn(&QueryTotals) -> u64| queries.iter().map(read).sum::<u64>();
    (!queries.is_empty()).then(|| {
        format!(
            "queries of all trials: {} read, {} write, {} other",
            sum(|of| of.read),
            sum(|of| of.write),
            sum(|of| of.other)
        )
    })
}

fn describe_ledger(loads: &[&LoadTotals]) -> Option<String> {
    let ledgers: Vec<_> = loads.iter().filter_map(|load| load.ledger.as_ref()).collect();
    if ledgers.is_empty() {
        return None;
    }
    let sum = |read: fn(&results::trial::LedgerTotals) -> u64| ledgers.iter().map(|ledger| read(ledger)).sum::<u64>();
    Some(format!(
        "ledger: {} acknowledged commits, {} lost, {} unexpected; {} unknown, of which {} were committed",
        sum(|ledger| ledger.acknowledged),
        sum(|ledger| ledger.lost),
        sum(|ledger| ledger.unexpected),
        sum(|ledger| ledger.unknown),
        sum(|ledger| ledger.unknown_committed)
    ))
}
