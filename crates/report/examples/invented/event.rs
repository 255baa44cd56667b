//! The switchover of an invented trial: what was recorded of it, and how far the load had come ten times a second.

use serde_json::{Value, json};

use crate::figures::{Figures, Second, WARM_UP_S};

/// From the request to the gap, in seconds.
const REACTION_S: f64 = 0.03;

/// When writes were not acknowledged, in seconds since the load's start.
pub(crate) fn gap_s(figures: &Figures) -> Option<[f64; 2]> {
    let begin_s = f64::from(figures.switchover_s?) + REACTION_S;
    Some([begin_s, begin_s + figures.away_s()])
}

/// What is recorded of it in `trial.json`.
pub(crate) fn record(figures: &Figures) -> Option<Value> {
    let [begin_us, end_us] = gap_s(figures)?.map(|s| (s * 1e6) as u64);
    let requested_us = u64::from(figures.switchover_s?) * 1_000_000;
    Some(json!({
        "name": "switchover", "what": "kubectl cnpg promote", "planned_us": requested_us - u64::from(WARM_UP_S) * 1_000_000,
        "requested_us": requested_us, "requested_at": "2026-11-20T09:13:05Z", "took_us": 400_000,
        "write_gap": { "between": { "start_us": begin_us, "end_us": end_us } },
    }))
}

/// The clients' outages: lost within a tenth of the gap, made again just before its end.
pub(crate) fn outages(figures: &Figures, clients: u32) -> Option<Vec<Value>> {
    let [begin_s, end_s] = gap_s(figures)?;
    let us = |s: f64| (s * 1e6) as u64;
    let lost_us = |client: u32| us(begin_s + 0.1 * (end_s - begin_s) * f64::from(client) / f64::from(clients));
    let outage = |client| {
        json!({ "client": client, "start_us": lost_us(client), "end_us": us(end_s - 0.02), "cause": "closed",
                "in_flight": client % 4 == 0 })
    };
    Some((0..clients).map(outage).collect())
}

/// The lines of `tally.jsonl`: in the second of the gap all is done outside of it.
pub(crate) fn tally(figures: &Figures, seconds: &[Second]) -> Vec<Value> {
    let Some([begin_s, end_s]) = gap_s(figures) else { return Vec::new() };
    let worked_s = |from: f64, to: f64| (to - from) - (to.min(end_s) - from.max(begin_s)).max(0.0);
    let mut transactions = 0.0;
    let mut lines = Vec::new();
    for tenth in WARM_UP_S * 10..seconds.len() as u32 * 10 {
        lines.push(json!({ "at_us": u64::from(tenth) * 100_000, "transactions": transactions as u64 }));
        let (second, from_s) = (tenth / 10, f64::from(tenth) / 10.0);
        let whole_s = worked_s(f64::from(second), f64::from(second + 1));
        let share = if whole_s > 0.0 { worked_s(from_s, from_s + 0.1) / whole_s } else { 0.0 };
        transactions += seconds[second as usize].transactions as f64 * share;
    }
    lines
}
