//! `packet-loss`: segments were lost on the way and had to be sent again.

use results::path::NetworkPath;
use results::probe_fields::host_tcp;

use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::compare::Metric;
use crate::diagnose::case::{DiagnosisCase, MeasuredTrial};
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{CaseFinding, Confidence, FigureAmount, FindingKind, figure};
use crate::diagnose::path::path_ms;
use crate::diagnose::quantity::{Measure, QuantityUnit};
use crate::diagnose::rule::{Looked, MissingObservation, Rule};
use crate::diagnose::seconds::ChartedSeries;
use crate::diagnose::spent::is_path;
use crate::units;

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &Code {
        name: "packet-loss",
        group: CodeGroup::Network,
        detects: "TCP segments are lost on the route and retransmitted.",
        reported_if: "TCP segments of the load's connections are retransmitted, and as many transactions took 200 ms or more; or \
                segments of the server's host are, without those that the receiver had already. If the sides alternate in \
                slices, only the load's own connections count.",
        thresholds: &[
            RuleThreshold::at_least("retransmitted segments", FEW, ThresholdUnit::Count),
            RuleThreshold::at_least(
                "retransmitted segments as a share of those sent, or of the load's requests",
                LOST,
                ThresholdUnit::Share,
            ),
        ],
        effects: IssueEffect::OF_FINDINGS,
        why: "A lost segment that no other segment follows is retransmitted after 200 ms at the earliest. One loss therefore costs as \
              much time as many transactions.",
        evidence: "TCP segments sent and retransmitted.",
        fix: "Repair the link, or reduce the load on the overloaded hop.",
        confirm: "Run the plan again over another route: no segment is retransmitted.",
        formerly: &[],
    },
    measure: Measure::Figure { name: "retransmitted segments", unit: QuantityUnit::Share, of: lost_share_of_segments },
    look: look_for_packet_loss,
};

/// Share of the segments that were lost and sent again: of the load's own connections or of its host's, whichever is
/// larger.
fn lost_share_of_segments(case: &DiagnosisCase<'_>) -> Result<f64, MissingObservation> {
    let own = LostSegments::of_load(case);
    if own.again == 0.0 {
        case.has_its_host_to_itself("host.tcp of this side alone")?;
    }
    if case.takes_turns() {
        return Ok(own.lost_share());
    }
    Ok(LostSegments::of_host(case)?.lost_share().max(own.lost_share()))
}

/// Segments that were sent again since the first did not arrive.
struct LostSegments {
    again: f64,
    /// Those that were sent at all.
    of: f64,
    /// Those that were sent again though the first had arrived; older kernels do not tell.
    needless: Option<f64>,
}

impl LostSegments {
    /// Of the load's own connections, which send a segment for each round trip at least.
    fn of_load(case: &DiagnosisCase<'_>) -> Self {
        let (mut again, mut of) = (0.0, 0.0);
        for measured in case.trials() {
            again += own_lost(measured);
            of += measured.load.path.as_ref().map_or(0.0, |path| path.round_trips as f64);
        }
        Self { again, of, needless: None }
    }

    /// Of the server's whole host.
    fn of_host(case: &DiagnosisCase<'_>) -> Result<Self, MissingObservation> {
        let all = case.total_increase(host_tcp::SEGMENTS_RETRANSMITTED)?;
        let needless = case.total_increase(host_tcp::SEGMENTS_RETRANSMITTED_NEEDLESSLY).ok();
        let again = all - needless.map_or(0.0, |needless| needless.min(all));
        Ok(Self { again, of: case.total_increase(host_tcp::SEGMENTS_SENT)?, needless })
    }

    fn lost_share(&self) -> f64 {
        if self.of > 0.0 { self.again / self.of } else { 0.0 }
    }

    fn is_felt(&self) -> bool {
        self.again >= FEW && self.lost_share() >= LOST
    }
}

/// What a trial's own connections sent again and waited for: no more than its transactions had time for on the route,
/// and none where its slowest took no longer. The kernel calls it needless where only the answer was lost: the request
/// had arrived. A busy host that acknowledges late sends again, too, but then no transaction waits for it.
fn own_lost(measured: &MeasuredTrial<'_>) -> f64 {
    let Some(NetworkPath::Tcp(tcp)) = measured.load.path.as_ref().map(|path| &path.network) else { return 0.0 };
    if Metric::LatencyP999.figure_of_trial(measured.trial).is_none_or(|ms| ms < SENT_AGAIN_AFTER_MS) {
        return 0.0;
    }
    let on_route_ms = path_ms(measured).map(|ms| ms * measured.load.transactions as f64);
    let most = on_route_ms.map_or(f64::INFINITY, |ms| ms / SENT_AGAIN_AFTER_MS);
    (tcp.retransmits as f64).min(most)
}

/// From this share of the segments on. A sound path within a data centre loses fewer than one in 100 000; one in 2000
/// adds 0.1 ms to the mean latency, since the shortest time after which Linux sends again is 200 ms.
const LOST: f64 = 0.0005;

/// The shortest time after which Linux sends again what nothing follows, in milliseconds.
const SENT_AGAIN_AFTER_MS: f64 = 200.0;

/// So few are any network's.
const FEW: f64 = 5.0;

fn look_for_packet_loss(case: &DiagnosisCase<'_>) -> Looked {
    let (own, host) = (LostSegments::of_load(case), LostSegments::of_host(case)?);
    let is_own = own.is_felt();
    if !is_own {
        if !host.is_felt() {
            return Ok(None);
        }
        case.has_its_host_to_itself("host.tcp of this side alone")?;
    }
    let lost = if is_own { own } else { host };
    let windows =
        case.windows_where(|second| second.rate_of_second(host_tcp::SEGMENTS_RETRANSMITTED).is_some_and(|n| n > 0.0));
    let windows = if windows.is_empty() { case.all_the_time() } else { windows };
    let mut figures = vec![
        figure("share of segments that are retransmitted", FigureAmount::Share(lost.lost_share())),
        figure("retransmitted segments", FigureAmount::Count(lost.again.round())),
    ];
    if let Some(needless) = lost.needless {
        figures.push(figure("spurious retransmissions, not included", FigureAmount::Count(needless.round())));
    }
    let of_load: f64 = case.tcp_figures().map(|tcp| tcp.retransmits as f64).sum();
    if of_load > 0.0 {
        figures.push(figure("retransmitted segments of the load's connections", FigureAmount::Count(of_load)));
    }
    figures.extend(case.figures_of_tail());
    Ok(Some(CaseFinding {
        title: format!(
            "{} of the TCP segments are lost on the route and retransmitted",
            units::format_percent(lost.lost_share())
        ),
        kind: FindingKind::Problem,
        confidence: if is_own { Confidence::High } else { Confidence::Medium },
        cost: case.cost_counted(waited_ms, is_path),
        figures,
        chart: case.chart_of_windows(
            &windows,
            &[
                ChartedSeries::series_of_field(host_tcp::SEGMENTS_RETRANSMITTED, "retransmitted segments"),
                ChartedSeries::Latency,
            ],
        ),
        windows,
        would_disprove: "retransmissions on other connections of the host, and none on the load's".to_owned(),
        confirm: Confirm::repeat_unchanged(
            case,
            "repair the route (`nstat` and `ip -s link` show drops at interfaces, firewalls and queues), run this plan, and compare: \
             the latency tail disappears",
        ),
        mend: None,
    }))
}

/// What a trial's mean transaction waited at most for segments to be sent again, in milliseconds: no longer than it was
/// on the way. Where its own connections lost some it is what the mean is longer than the median: the server sends
/// again, too, and after a second loss it takes twice as long.
fn waited_ms(measured: &MeasuredTrial<'_>) -> Option<f64> {
    let (own, path_ms) = (own_lost(measured), path_ms(measured)?);
    let transactions = measured.load.transactions as f64;
    if transactions <= 0.0 {
        return None;
    }
    // Of sides that take turns the host's are of all of them.
    let of_host =
        measured.watched.risen_by(host_tcp::SEGMENTS_RETRANSMITTED).filter(|_| measured.trial.turns.is_none());
    let needlessly = measured.watched.risen_by(host_tcp::SEGMENTS_RETRANSMITTED_NEEDLESSLY).unwrap_or_default();
    let again = of_host.map_or(own, |all| (all - needlessly).max(own));
    let counted_ms = again / transactions * SENT_AGAIN_AFTER_MS;
    let [mean_ms, median_ms] =
        [Metric::LatencyMean, Metric::LatencyP50].map(|metric| metric.figure_of_trial(measured.trial));
    let beyond_ms = if own > 0.0 { mean_ms.zip(median_ms).map_or(0.0, |(mean, median)| mean - median) } else { 0.0 };
    Some(counted_ms.max(beyond_ms).min(path_ms))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    #[test]
    fn one_in_a_hundred_sent_again_is_found() {
        let lossy = Built::healthy().with(|cell| cell.probe("host.tcp", &[("segments_retransmitted", 90.0)]));
        assert_eq!(lossy.finds(&RULE).figures[0].amount, FigureAmount::Share(0.01));
    }

    #[test]
    fn a_handful_is_any_networks() {
        Built::healthy().is_fine_for(&RULE);
        Built::healthy().with(|cell| cell.probe("host.tcp", &[("segments_retransmitted", 0.1)])).is_fine_for(&RULE);
        Built::healthy().with(|cell| cell.probe("host.tcp", &[("segments_retransmitted", 1.0)])).is_fine_for(&RULE);
    }

    #[test]
    fn what_the_other_side_had_already_was_not_lost() {
        let late = [("segments_retransmitted", 90.0), ("segments_retransmitted_needlessly", 89.8)];
        Built::healthy().with(|cell| cell.probe("host.tcp", &late)).is_fine_for(&RULE);
    }

    /// Transactions of which so many of the load's own connections were sent again, with this 99.9th percentile.
    fn with_retransmits(cell: Measurement, retransmits: u64, p999_ms: f64) -> Measurement {
        let network = json!({ "kind": "tcp", "readings": 4, "rtt_us_min": 30.0, "rtt_us_smoothed": 80.0,
                              "retransmits": retransmits, "lost": 0 });
        let path = json!({ "round_trips": 4000, "engine_us": 0, "network": network });
        let latency = json!({ "mean_ns": 5e6, "stddev_ns": 1e6, "min_ns": 1, "p50_ns": 4_000_000, "p95_ns": 5_000_000,
                              "p99_ns": 6_000_000, "p999_ns": (p999_ms * 1e6) as u64, "max_ns": 300_000_000 });
        cell.load("path", path).load("latency", latency)
    }

    #[test]
    fn answers_that_were_lost_are_found_though_their_requests_had_arrived() {
        let late = [("segments_retransmitted", 4.0), ("segments_retransmitted_needlessly", 4.0)];
        let lost =
            Built::healthy().with(|cell| with_retransmits(cell.takes_turns(0.5), 40, 204.0).probe("host.tcp", &late));
        let found = lost.finds(&RULE);
        assert_eq!(found.confidence, Confidence::High);
        // The transactions took no longer: a busy host was late to acknowledge.
        Built::healthy().with(|cell| with_retransmits(cell, 40, 9.0).probe("host.tcp", &late)).is_fine_for(&RULE);
    }

    #[test]
    fn without_the_kernels_counters_it_stays_open() {
        let built = Built::healthy().with(|cell| cell.gap("host.tcp", "no /proc/net/snmp"));
        assert_eq!(built.lacks(&RULE), "host.tcp segments_retransmitted: no /proc/net/snmp");
    }
}
