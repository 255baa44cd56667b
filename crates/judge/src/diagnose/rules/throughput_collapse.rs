//! `throughput-collapse`: for some seconds next to nothing was completed. Says when, for how long,
//! and together with what.

use std::collections::BTreeMap;

use crate::diagnose::case::{Case, Measured};
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{Amount, Confidence, Cost, Figure, Found, Kind, Window, figure};
use crate::diagnose::rule::{Looked, Missing, Rule};
use crate::diagnose::seconds::{Drawn, Moment};
use crate::observed::WatchedSecond;

/// The rule.
pub(super) const RULE: Rule = Rule {
    name: "throughput-collapse",
    finds: "Throughput fell to (near) zero for a while; says when, for how long, and what else happened then.",
    why: "A mean hides a standstill, and users do not: look at what coincides with it.",
    look,
};

/// A second with less than this share of its trial's median is a standstill.
const STANDSTILL: f64 = 0.05;

/// A trial whose median second has fewer transactions has empty seconds by chance.
const MEDIAN_AT_LEAST: f64 = 20.0;

/// Fewer seconds have no median worth the name.
const SECONDS_AT_LEAST: usize = 5;

fn look(case: &Case<'_>) -> Looked {
    let medians: BTreeMap<u32, f64> =
        case.trials().iter().filter_map(|measured| Some((measured.trial.number, median(measured)?))).collect();
    if medians.is_empty() {
        return Err(Missing::new(
            "seconds of the measurement phase",
            format!("there are fewer than {SECONDS_AT_LEAST} in a trial"),
        ));
    }
    let stands_still = |second: &Moment<'_>| {
        let median = medians.get(&second.trial()).copied().unwrap_or_default();
        median >= MEDIAN_AT_LEAST && second.throughput_per_s().is_some_and(|tps| tps < STANDSTILL * median)
    };
    let windows = case.windows(stands_still);
    if windows.is_empty() {
        return Ok(None);
    }
    let length = |window: &Window| window.to_s - window.from_s;
    let all_s: f64 = windows.iter().map(length).sum();
    let longest_s = windows.iter().map(length).fold(0.0, f64::max);
    // Of a side that takes turns, by the time in which it could have sent.
    let stood_s: f64 = case.seconds().filter(stands_still).map(|second| second.worked_s()).sum();
    let share = stood_s / case.measured_s();
    let mut figures = vec![
        figure("time at a standstill", Amount::S(all_s)),
        figure("longest standstill", Amount::S(longest_s)),
        figure("how often", Amount::Count(windows.len() as f64)),
    ];
    figures.extend(together_with(case, &stands_still));
    let trials_hit = windows.iter().map(|window| window.trial).collect::<std::collections::BTreeSet<_>>().len();
    figures
        .push(figure("trials in which it happened", Amount::Text(format!("{trials_hit} of {}", case.trials().len()))));
    Ok(Some(Found {
        title: format!("throughput fell to near zero for {longest_s:.0} s at a time"),
        kind: Kind::Problem,
        confidence: Confidence::High,
        cost: Cost::Throughput { share },
        figures,
        chart: case.chart(
            &windows,
            &[
                Drawn::rate("host.pressure", "io_some_us", "time in which a task waited for I/O", "%", 1e-4),
                Drawn::rate("pg.checkpointer", "buffers_written", "buffers written by checkpoints", "/s", 1.0),
            ],
        ),
        windows,
        would_disprove: "standstills of the load engine alone: its loop lag is as long as they are".to_owned(),
        confirm: Confirm::again(case, "a standstill that belongs to the server comes back at the same kind of moment"),
        mend: None,
    }))
}

fn median(measured: &Measured<'_>) -> Option<f64> {
    let mut throughput: Vec<f64> =
        measured.watched.seconds.iter().filter_map(WatchedSecond::throughput_per_s).collect();
    throughput.sort_by(f64::total_cmp);
    (throughput.len() >= SECONDS_AT_LEAST).then(|| throughput[throughput.len() / 2])
}

/// What else was so in the standstills and not otherwise.
fn together_with(case: &Case<'_>, stands_still: &dyn Fn(&Moment<'_>) -> bool) -> Vec<Figure> {
    let (still, usual): (Vec<Moment<'_>>, Vec<Moment<'_>>) = case.seconds().partition(|second| stands_still(second));
    let mut figures = Vec::new();
    if let Some((wait, share)) = most_seen_wait(&still) {
        figures.push(figure(format!("then sessions waited for {wait}"), Amount::Share(share)));
    }
    let clients_out = still.iter().map(Moment::clients_out).max().unwrap_or(0);
    if clients_out > 0 {
        figures.push(figure("then clients without a connection", Amount::Count(f64::from(clients_out))));
    }
    let lag_s = still.iter().filter_map(Moment::engine_lag_s).fold(0.0, f64::max);
    figures.push(figure("then the load engine's longest lag", Amount::S(lag_s)));
    for (probe, field, name) in COINCIDING {
        let rate = |moments: &[Moment<'_>]| {
            let rates: Vec<f64> = moments.iter().filter_map(|second| second.rate(probe, field)).collect();
            crate::diagnose::case::mean(&rates)
        };
        // At least twice the usual: what is always so explains no moment.
        if let (Some(then), Some(else_)) = (rate(&still), rate(&usual))
            && then > 0.0
            && then >= 2.0 * else_
        {
            figures.push(figure(format!("then {name}"), Amount::PerS(then)));
            figures.push(figure(format!("otherwise {name}"), Amount::PerS(else_)));
        }
    }
    figures
}

/// Counters whose rise in a standstill tells something.
const COINCIDING: [(&str, &str, &str); 8] = [
    ("pg.checkpointer", "requested", "checkpoints that were forced"),
    ("pg.checkpointer", "timed", "checkpoints by time"),
    ("pg.checkpointer", "buffers_written", "buffers written by checkpoints"),
    ("pg.wal", "full_page_images", "full-page images"),
    ("pg.tables", "autovacuums", "autovacuums"),
    ("host.pressure", "io_full_us", "microseconds in which all tasks waited for I/O"),
    ("host.vm", "allocation_stalls", "stalls of memory reclaim"),
    ("host.cgroup", "cpu_throttled_periods", "periods stopped by a CPU limit"),
];

/// The wait, other than for a client, that most sessions were in, and their share.
fn most_seen_wait(moments: &[Moment<'_>]) -> Option<(String, f64)> {
    let (mut waits, mut all): (BTreeMap<String, u64>, u64) = (BTreeMap::new(), 0);
    for seen in moments.iter().flat_map(Moment::seen) {
        all += seen.sessions;
        if let Some(wait) = seen.wait.as_ref().filter(|wait| wait.class != "Client") {
            *waits.entry(format!("{}: {}", wait.class, wait.event)).or_default() += seen.sessions;
        }
    }
    let (wait, sessions) = waits.into_iter().max_by_key(|(_, sessions)| *sessions)?;
    Some((wait, sessions as f64 / all as f64))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    fn stalled(cell: Measurement) -> Measurement {
        let wait = json!([{ "state": "active", "wait": { "class": "IO", "event": "WALSync" }, "sessions": 40 }]);
        let checkpoint = json!({ "took_us": 9, "over_us": 1_000_000, "values": { "requested": 1.0, "timed": 0.0 } });
        let second = json!({ "transactions": 0, "seen": wait, "probes": { "pg.checkpointer": checkpoint } });
        cell.second(5, second.clone()).second(6, second)
    }

    #[test]
    fn a_standstill_is_found_with_when_how_long_and_what_coincides() {
        let found = Built::healthy().with(stalled).finds(&RULE);
        assert_eq!(found.title, "throughput fell to near zero for 2 s at a time");
        assert_eq!((found.windows.len(), found.windows[0].from_s, found.windows[0].to_s), (3, 5.0, 7.0));
        let has = |name: &str| found.figures.iter().any(|figure| figure.name == name);
        assert!(has("then sessions waited for IO: WALSync"), "{:?}", found.figures);
        assert!(has("then checkpoints that were forced"), "{:?}", found.figures);
    }

    #[test]
    fn a_steady_load_and_one_of_few_transactions_are_fine() {
        Built::healthy().is_fine_for(&RULE);
        Built::healthy().with(|cell| cell.throughput(2.0).second(5, json!({ "transactions": 0 }))).is_fine_for(&RULE);
        Built::healthy().with(|cell| cell.second(5, json!({ "transactions": 1000 }))).is_fine_for(&RULE);
    }

    #[test]
    fn a_trial_of_a_few_seconds_leaves_it_open() {
        let short = Built::healthy().seconds(3);
        assert_eq!(short.lacks(&RULE), "seconds of the measurement phase: there are fewer than 5 in a trial");
    }
}
