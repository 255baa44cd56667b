//! `packet-loss`: segments were lost on the way and had to be sent again.

use results::path::Network;
use results::probe_fields::{ProbeField, host_tcp};

use crate::codes::{Code, Group, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::case::{Case, Measured};
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{Amount, Confidence, Found, Kind, figure};
use crate::diagnose::path::path_ms;
use crate::diagnose::quantity::{Measure, Unit};
use crate::diagnose::rule::{Looked, Missing, Rule};
use crate::diagnose::seconds::Drawn;
use crate::diagnose::spent::is_path;
use crate::units;

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &Code {
        name: "packet-loss",
        group: Group::Network,
        detects: "TCP segments are lost on the route and retransmitted.",
        reported_if: "TCP segments of the load's connections or of the server's host are retransmitted, without those that the \
                receiver had already. If the sides alternate in slices, only the load's own connections count.",
        thresholds: &[
            RuleThreshold::at_least("retransmitted segments", FEW, ThresholdUnit::Count),
            RuleThreshold::at_least("retransmitted segments as a share of those sent", LOST, ThresholdUnit::Share),
        ],
        effects: IssueEffect::OF_FINDINGS,
        why: "A lost segment that no other segment follows is retransmitted after 200 ms at the earliest. One loss therefore costs as \
              much time as many transactions.",
        evidence: "TCP segments sent and retransmitted.",
        fix: "Repair the link, or reduce the load on the overloaded hop.",
        confirm: "Run the plan again over another route: no segment is retransmitted.",
        formerly: &[],
    },
    measure: Measure::Figure { name: "retransmitted segments", unit: Unit::Share, of: lost },
    look,
};

/// Share of the segments that were lost and sent again: of the load's own connections where they tell.
fn lost(case: &Case<'_>) -> Result<f64, Missing> {
    let own: f64 = case.tcp().map(|tcp| tcp.retransmits as f64).sum();
    let sent = case.total(host_tcp::SEGMENTS_SENT)?;
    if own == 0.0 {
        case.has_its_host_to_itself("host.tcp of this side alone")?;
    }
    let all = case.total(host_tcp::SEGMENTS_RETRANSMITTED)?.max(own);
    let needless = case.total(host_tcp::SEGMENTS_RETRANSMITTED_NEEDLESSLY).unwrap_or_default();
    Ok(if sent > 0.0 { (all - needless).max(0.0) / sent } else { 0.0 })
}

/// From this share of the segments on. A sound path within a data centre loses fewer than one in 100 000; one in 2000
/// adds 0.1 ms to the mean latency, since the shortest time after which Linux sends again is 200 ms.
const LOST: f64 = 0.0005;

/// The shortest time after which Linux sends again what nothing follows, in milliseconds.
const SENT_AGAIN_AFTER_MS: f64 = 200.0;

/// So few are any network's.
const FEW: f64 = 5.0;

fn look(case: &Case<'_>) -> Looked {
    let own: f64 = case.tcp().map(|tcp| tcp.retransmits as f64).sum();
    let all = case.total(host_tcp::SEGMENTS_RETRANSMITTED)?.max(own);
    // What the other side had already was not lost: a busy host acknowledges late. Older kernels do not tell.
    let needless = case.total(host_tcp::SEGMENTS_RETRANSMITTED_NEEDLESSLY).ok();
    let again = all - needless.map_or(0.0, |needless| needless.min(all));
    let sent = case.total(host_tcp::SEGMENTS_SENT)?;
    if again < FEW || sent == 0.0 || again / sent < LOST {
        return Ok(None);
    }
    if own / sent < LOST {
        case.has_its_host_to_itself("host.tcp of this side alone")?;
    }
    let windows = case.windows(|second| second.rate(host_tcp::SEGMENTS_RETRANSMITTED).is_some_and(|n| n > 0.0));
    let windows = if windows.is_empty() { case.all_the_time() } else { windows };
    let mut figures = vec![
        figure("share of segments that are retransmitted", Amount::Share(again / sent)),
        figure("retransmitted segments", Amount::Count(again.round())),
    ];
    if let Some(needless) = needless {
        figures.push(figure("spurious retransmissions, not included", Amount::Count(needless.round())));
    }
    if own > 0.0 {
        figures.push(figure("retransmitted segments of the load's connections", Amount::Count(own)));
    }
    if let Ok((p50, p999)) = case.median_and_tail_ms() {
        figures.push(figure("median latency", Amount::Ms(p50)));
        figures.push(figure("99.9th percentile of latency", Amount::Ms(p999)));
    }
    Ok(Some(Found {
        title: format!("{} of the TCP segments are lost on the route and retransmitted", units::percent(again / sent)),
        kind: Kind::Problem,
        confidence: if own > 0.0 { Confidence::High } else { Confidence::Medium },
        cost: case.cost_counted(waited_ms, is_path),
        figures,
        chart: case.chart(
            &windows,
            &[Drawn::field(host_tcp::SEGMENTS_RETRANSMITTED, "retransmitted segments"), Drawn::Latency],
        ),
        windows,
        would_disprove: "retransmissions on other connections of the host, and none on the load's".to_owned(),
        confirm: Confirm::again(
            case,
            "repair the route (`nstat` and `ip -s link` show drops at interfaces, firewalls and queues), run this plan, and compare: \
             the latency tail disappears",
        ),
        mend: None,
    }))
}

/// What a trial's mean transaction waited at most for segments to be sent again, in milliseconds: no longer than it was
/// on the way.
fn waited_ms(measured: &Measured<'_>) -> Option<f64> {
    let own = match measured.load.path.as_ref().map(|path| &path.network) {
        Some(Network::Tcp(tcp)) => tcp.retransmits as f64,
        Some(Network::Unix | Network::Unknown { .. }) | None => 0.0,
    };
    let rise = |field: ProbeField| measured.watched.risen_by(field);
    // Of sides that take turns the host's are of all of them.
    let of_host = rise(host_tcp::SEGMENTS_RETRANSMITTED).filter(|_| measured.trial.turns.is_none());
    let again = of_host
        .map_or(own, |all| (all - rise(host_tcp::SEGMENTS_RETRANSMITTED_NEEDLESSLY).unwrap_or_default()).max(own));
    let transactions = measured.load.transactions as f64;
    let path_ms = path_ms(measured)?;
    (transactions > 0.0).then(|| (again / transactions * SENT_AGAIN_AFTER_MS).min(path_ms))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnose::built::Built;

    #[test]
    fn one_in_a_hundred_sent_again_is_found() {
        let lossy = Built::healthy().with(|cell| cell.probe("host.tcp", &[("segments_retransmitted", 90.0)]));
        assert_eq!(lossy.finds(&RULE).figures[0].amount, Amount::Share(0.01));
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

    #[test]
    fn without_the_kernels_counters_it_stays_open() {
        let built = Built::healthy().with(|cell| cell.gap("host.tcp", "no /proc/net/snmp"));
        assert_eq!(built.lacks(&RULE), "host.tcp segments_retransmitted: no /proc/net/snmp");
    }
}
