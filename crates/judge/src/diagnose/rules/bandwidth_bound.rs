//! `bandwidth-bound`: most of the latency was spent on the way between load engine and server, not for its length but
//! for what it carries: answers wait for those before them.

use results::activity::SampledSessions;
use results::path::NetworkPath;
use stats::centre::arithmetic_mean;

use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::case::{DiagnosisCase, MeasuredTrial};
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{CaseFinding, Confidence, EvidenceFigure, FigureAmount, FindingKind, figure};
use crate::diagnose::path::{
    ENGINE_HAS_TIME, LONG_ON_ROUTE, LONG_ON_ROUTE_OF_BUSY_HOST, MOST_ON_ROUTE, OnPath, constant_over_clients, on_path,
    path_ms,
};
use crate::diagnose::quantity::Measure;
use crate::diagnose::rule::{Looked, Rule};
use crate::diagnose::seconds::ChartedSeries;
use crate::diagnose::spent::is_path;
use crate::units;

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &Code {
        name: "bandwidth-bound",
        group: CodeGroup::Network,
        detects: "Answers queue on the route from the server because its bandwidth is exhausted, while server and load engine have idle CPU time.",
        reported_if: "The route takes most of the latency while the load engine has idle time, and the server sends enough \
                bytes. In addition, sessions are blocked while they send answers, or round trips queue, or large answers \
                take many round trips. Not reported if latency stays the same with twice the clients.",
        thresholds: &[
            MOST_ON_ROUTE,
            LONG_ON_ROUTE,
            LONG_ON_ROUTE_OF_BUSY_HOST,
            ENGINE_HAS_TIME,
            RuleThreshold::at_least("bytes of answers", BYTES_PER_S, ThresholdUnit::BytesPerSecond),
            RuleThreshold::at_least(
                "sessions blocked while sending answers as a share of the sessions' time",
                HELD_UP,
                ThresholdUnit::Share,
            ),
            RuleThreshold::at_least(
                "smoothed beyond shortest round-trip time, alternatively",
                QUEUE_MS,
                ThresholdUnit::Milliseconds,
            ),
            RuleThreshold::at_least(
                "the same, relative to the shortest round-trip time or the server time per round trip",
                QUEUED,
                ThresholdUnit::Times,
            ),
            RuleThreshold::at_least("bytes of an answer, alternatively", LARGE_BYTES, ThresholdUnit::Bytes),
            RuleThreshold::at_least(
                "time of such an answer, relative to the shortest round-trip time",
                MANY_TRIPS,
                ThresholdUnit::Times,
            ),
        ],
        effects: IssueEffect::OF_FINDINGS,
        why: "A link, a machine class or a network limit has a fixed bandwidth, and more clients only wait longer. Shorter answers, \
              fewer columns and rows, or more bandwidth raise throughput.",
        evidence: "Bytes sent per second, the send queue of the connections, and idle time of server and load engine.",
        fix: "Return fewer columns and rows, or use a network with more bandwidth.",
        confirm: "Run the plan again with shorter answers or on a faster network; throughput rises.",
        formerly: &[],
    },
    measure: Measure::Time,
    look: look_for_bandwidth_bound,
};

/// From here on, eight megabits a second, a way may be full; what is slower is far.
const BYTES_PER_S: f64 = 1e6;

/// From this share of the sessions' time on they have answers that the way has not taken.
const HELD_UP: f64 = 0.3;

/// Requests that travel so much longer than at best, in milliseconds and in times of that, wait in a queue.
const QUEUE_MS: f64 = 1.0;
const QUEUED: f64 = 2.0;

/// An answer of this size that takes so many of the shortest round trips is not on its way for the distance: a
/// connection sends twice as much with each round trip, and has sent it after five.
const LARGE_BYTES: f64 = 256.0 * 1024.0;
const MANY_TRIPS: f64 = 20.0;

/// Why a way is full, and how sure that is.
pub(super) struct Full {
    bytes_per_s: f64,
    because: Vec<EvidenceFigure>,
    confidence: Confidence,
    /// How much of a trial's mean transaction it takes by count.
    of: CountedWaits,
}

/// What was counted of the time that answers wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CountedWaits {
    /// That sessions have answers which the kernel has not taken.
    HeldUp,
    /// That requests travel longer than at best.
    RoundTrips,
    /// Nothing but how large the answers are: all of the way is theirs where nothing else is on it.
    Answers,
}

impl CountedWaits {
    /// Milliseconds of a trial's mean transaction.
    fn waiting_ms_of_trial(self, measured: &MeasuredTrial<'_>) -> Option<f64> {
        let path_ms = path_ms(measured)?;
        match self {
            Self::HeldUp => {
                let (mut held_up, mut all) = (0, 0);
                for seen in measured.watched.activity.iter().flatten().flat_map(|window| &window.seen) {
                    all += seen.sessions;
                    held_up += if is_held_up(seen) { seen.sessions } else { 0 };
                }
                let latency_ms: f64 = measured.budget.iter().flat_map(|budget| budget.values()).sum();
                (all > 0).then(|| (latency_ms * held_up as f64 / all as f64).min(path_ms))
            }
            Self::RoundTrips => {
                let path = measured.load.path.as_ref()?;
                let NetworkPath::Tcp(tcp) = path.network else { return None };
                let trips = path.round_trips as f64 / measured.load.transactions as f64;
                Some((tcp.rtt_us_smoothed / 1e3 * trips).min(path_ms))
            }
            Self::Answers => Some(path_ms),
        }
    }
}

fn look_for_bandwidth_bound(case: &DiagnosisCase<'_>) -> Looked {
    let Some(spent) = on_path(case)? else { return Ok(None) };
    let Some(full) = find_exhausted_bandwidth(case, &spent) else { return Ok(None) };
    let mut figures = spent.figures_of_path(case);
    figures.push(figure("bytes of answers", FigureAmount::BytesPerS(full.bytes_per_s)));
    figures.push(figure(
        "bytes of answers per transaction",
        FigureAmount::Bytes(full.bytes_per_s / case.throughput_per_s()?),
    ));
    figures.extend(full.because.clone());
    let windows = case.all_the_time();
    Ok(Some(CaseFinding {
        title: format!(
            "the bandwidth of the route from the server is exhausted ({}/s)",
            units::format_bytes(full.bytes_per_s)
        ),
        kind: FindingKind::Limit,
        confidence: full.confidence,
        cost: case.cost_counted(|measured| full.of.waiting_ms_of_trial(measured), is_path),
        figures,
        chart: case.chart_of_windows(
            &windows,
            &[
                ChartedSeries::Latency,
                ChartedSeries::series_of_sessions("sessions blocked while sending answers", &is_held_up),
            ],
        ),
        windows,
        would_disprove: "throughput that rises with twice the clients".to_owned(),
        confirm: Confirm::with_clients(
            case,
            &[case.client_count(), case.client_count().saturating_mul(2)],
            "throughput stays the same with twice the clients, and latency doubles; with shorter answers, or on the server's host, it rises",
        ),
        mend: None,
    }))
}

/// Whether what takes the time is that the way is full.
pub(super) fn find_exhausted_bandwidth(case: &DiagnosisCase<'_>, spent: &OnPath) -> Option<Full> {
    let bytes_per_s = case.received_bytes_per_s().filter(|rate| *rate >= BYTES_PER_S)?;
    // Clients who wait no longer beside more of them have room.
    if constant_over_clients(case).is_some() {
        return None;
    }
    let held_up = case.share_of_sessions(is_held_up).ok()?;
    if held_up >= HELD_UP {
        let because = vec![figure("sessions blocked while sending answers", FigureAmount::Share(held_up))];
        return Some(Full { bytes_per_s, because, confidence: Confidence::High, of: CountedWaits::HeldUp });
    }
    let tcp: Vec<_> = case.tcp_figures().collect();
    let least_ms = arithmetic_mean(tcp.iter().map(|tcp| tcp.rtt_us_min))? / 1e3;
    let smoothed_ms = arithmetic_mean(tcp.iter().map(|tcp| tcp.rtt_us_smoothed))? / 1e3;
    let trips = case.round_trips()?;
    let each_ms = spent.time_on_path_ms() / trips;
    let server_ms = (case.latency_ms().ok()? - spent.time_on_path_ms()).max(0.0) / trips;
    let queue_ms = smoothed_ms - least_ms;
    // Where an acknowledgement travels with the answer, the server's time is in the smoothed one.
    let waits = queue_ms >= QUEUE_MS && queue_ms >= QUEUED * least_ms.max(server_ms);
    let bytes = bytes_per_s / case.throughput_per_s().ok()? / trips;
    // What else is on the way may keep an answer, too.
    let is_large = bytes >= LARGE_BYTES && each_ms >= MANY_TRIPS * least_ms && case.last_hop_name().is_none();
    let because = vec![
        figure("smoothed round-trip time", FigureAmount::Ms(smoothed_ms)),
        figure("shortest round-trip time that the kernel measured", FigureAmount::Ms(least_ms)),
        figure("time on the route per round trip", FigureAmount::Ms(each_ms)),
    ];
    let of = if waits { CountedWaits::RoundTrips } else { CountedWaits::Answers };
    (waits || is_large).then_some(Full { bytes_per_s, because, confidence: Confidence::Medium, of })
}

/// The server has an answer that the kernel has not taken.
fn is_held_up(seen: &SampledSessions) -> bool {
    seen.wait.as_ref().is_some_and(|wait| wait.class == "Client" && wait.event == "ClientWrite")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::diagnose::built::{Built, Measurement};
    use crate::diagnose::rules::network_bound;

    /// Sessions whose time is on the way, with answers of so many bytes a second and these round trips.
    fn path(bytes_per_s: u64, least_us: f64, smoothed_us: f64) -> Value {
        let tcp = json!({ "kind": "tcp", "readings": 40, "rtt_us_min": least_us, "rtt_us_smoothed": smoothed_us, "retransmits": 0, "lost": 0 });
        json!({ "round_trips": 480, "received_bytes": 12 * bytes_per_s, "engine_us": 1000, "network": tcp })
    }

    fn slow(cell: Measurement) -> Measurement {
        cell.sees_nothing()
            .throughput(40.0)
            .load("transactions", json!(480))
            .probe("host.server", &[("backends_cpu_us", 0.2e6), ("backends_run_delay_us", 0.01e6)])
    }

    fn waiting_for_its_client(cell: Measurement) -> Measurement {
        slow(cell).sees("idle", Some("Client:ClientRead"), 38).sees("active", None, 2)
    }

    #[test]
    fn sessions_whose_answers_are_not_taken_are_found() {
        let held_up = |cell| {
            let cell = slow(cell).sees("active", Some("Client:ClientWrite"), 36).sees("active", None, 4);
            cell.load("path", path(12_000_000, 100.0, 150.0))
        };
        let built = Built::healthy().with(held_up);
        let found = built.finds(&RULE);
        assert_eq!(found.confidence, Confidence::High);
        assert!(found.figures.contains(&figure("bytes of answers", FigureAmount::BytesPerS(12e6))), "{found:?}");
        // It is not the distance then.
        built.is_fine_for(&network_bound::RULE);
    }

    #[test]
    fn requests_that_wait_in_a_queue_or_large_answers_on_a_short_way_are_found() {
        for path in [path(12_000_000, 100.0, 40_000.0), path(12_000_000, 100.0, 120.0)] {
            let built = Built::healthy().with(|cell| waiting_for_its_client(cell).load("path", path));
            assert_eq!(built.finds(&RULE).confidence, Confidence::Medium);
            built.is_fine_for(&network_bound::RULE);
        }
    }

    #[test]
    fn a_long_way_or_a_few_bytes_are_none() {
        let built = |path| Built::healthy().with(|cell| waiting_for_its_client(cell).load("path", path));
        let long = built(path(12_000_000, 90_000.0, 91_000.0));
        long.is_fine_for(&RULE);
        long.finds(&network_bound::RULE);
        for path in [path(9000, 100.0, 40_000.0), path(2_000_000, 100.0, 120.0)] {
            built(path.clone()).is_fine_for(&RULE);
            built(path).is_fine_for(&network_bound::RULE);
        }
    }

    #[test]
    fn large_answers_that_something_else_on_the_way_may_keep_are_not_the_ways() {
        let built =
            Built::healthy().with(|cell| waiting_for_its_client(cell).load("path", path(12_000_000, 100.0, 120.0)));
        built.fact("/path/layers", json!(["PgBouncer"])).is_fine_for(&RULE);
    }

    #[test]
    fn a_healthy_way_is_none() {
        Built::healthy().is_fine_for(&RULE);
    }

    #[test]
    fn without_samples_of_the_sessions_it_stays_open() {
        let built = Built::healthy().with(Measurement::sees_nothing);
        assert_eq!(built.lacks(&RULE), "samples of the sessions: none were taken");
    }
}
