//! `encryption-differs`: kept connections are encrypted in another way than on the other side, or only here, and both
//! ends take more time for a transaction.

use results::facts::ConnectionEncryption;

use super::cpu_profile::time_in_subsystem_ms;
use crate::budget::BudgetPart;
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::compare::sides::encryption_in_words;
use crate::diagnose::case::{DiagnosisCase, MeasuredTrial};
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{CaseFinding, Confidence, FigureAmount, FindingKind, SHARE_OF_CHANGE, figure};
use crate::diagnose::path::engine_waited_ms;
use crate::diagnose::quantity::{Measure, QuantityUnit};
use crate::diagnose::rule::{Looked, MissingObservation, Rule};
use crate::profile::{has_own_connections, is_cpu_time};
use crate::units;

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &Code {
        name: "encryption-differs",
        group: CodeGroup::Network,
        detects: "Connections that are kept are encrypted otherwise than on the other side, and encrypting and decrypting takes part \
                of each transaction.",
        reported_if: "TLS, its version or its cipher is not the same on both sides, and the load engine's own time and the server's \
                time on a CPU in its TLS library are longer beyond chance. The handshake of connections that are not kept is \
                `connection-churn`.",
        thresholds: &[RuleThreshold::at_least(
            "additional time, relative to the other side's latency",
            OF_LATENCY,
            ThresholdUnit::Share,
        )],
        effects: IssueEffect::OF_FINDINGS,
        why: "Each byte of an answer is encrypted by the server and decrypted by the client, and each message is authenticated. Small \
              transactions and large answers feel it.",
        evidence: "What encrypts the connections; the load engine's time between an answer and the next request; samples of what the \
                   backends execute.",
        fix: "Leave out encryption on a route that is trusted (sslmode), or let CPUs with instructions for AES do it.",
        confirm: "Run the plan again with the other side's `sslmode`.",
        formerly: &[],
    },
    measure: Measure::Figure {
        name: "time of load engine and TLS library",
        unit: QuantityUnit::Ms,
        of: mean_encryption_ms,
    },
    look: look_at_encryption,
};

/// From this share of the other side's latency on it asks for a reason.
const OF_LATENCY: f64 = 0.03;

/// As the table of subsystems calls it.
const SUBSYSTEM: &str = "TLS and authentication";

/// Milliseconds of a trial's mean transaction in the load engine, without its waiting for a CPU, and in the server's
/// TLS library. With the same answers nothing but their encryption makes this longer.
fn encryption_ms(measured: &MeasuredTrial<'_>) -> Option<f64> {
    let engine_ms = *measured.budget.as_ref()?.get(&BudgetPart::Engine)?;
    let on_server_ms = time_in_subsystem_ms(measured, SUBSYSTEM).unwrap_or_default();
    Some((engine_ms - engine_waited_ms(measured)?).max(0.0) + on_server_ms)
}

fn mean_encryption_ms(case: &DiagnosisCase<'_>) -> Result<f64, MissingObservation> {
    case.mean_over_trials(encryption_ms)
        .ok_or_else(|| MissingObservation::new("the time of the load engine", "the load generator does not report it"))
}

fn look_at_encryption(case: &DiagnosisCase<'_>) -> Looked {
    if case.trials().iter().any(|measured| has_own_connections(measured.trial)) {
        return Ok(None);
    }
    case.beside_others(|other| {
        let Some([here, there]) = unlike_encryption(case, other)? else { return Ok(None) };
        let (more, is_sure) = (case.more_than(other, encryption_ms), case.is_surely_more_than(other, encryption_ms));
        let (Some(more), Some(is_sure)) = (more, is_sure) else {
            mean_encryption_ms(case)?;
            return Err(MissingObservation::new("the additional time of the load engine", "it requires two blocks"));
        };
        if !is_sure || more.interval.low <= 0.0 || more.point < OF_LATENCY * other.latency_ms()? {
            return Ok(None);
        }
        Ok(Some(finding_of_encryption(case, other, [&here, &there], more.point)?))
    })
}

/// What encrypts the connections of two sides, where it is not the same and this side's are encrypted.
fn unlike_encryption(
    case: &DiagnosisCase<'_>,
    other: &DiagnosisCase<'_>,
) -> Result<Option<[String; 2]>, MissingObservation> {
    let [here, there] = [case.target_facts()?, other.target_facts()?].map(|facts| facts.path.encryption.as_ref());
    let (Some(here), Some(there)) = (here, there) else {
        return Err(MissingObservation::new(
            "what encrypts the connections",
            "the facts of the route do not contain it",
        ));
    };
    let [ours, theirs] = [here, there].map(|encryption| match encryption {
        ConnectionEncryption::Nothing => "not encrypted".to_owned(),
        tls @ ConnectionEncryption::Tls { .. } => encryption_in_words(tls),
    });
    Ok((*here != ConnectionEncryption::Nothing && ours != theirs).then_some([ours, theirs]))
}

fn finding_of_encryption(
    case: &DiagnosisCase<'_>,
    other: &DiagnosisCase<'_>,
    [here, there]: [&str; 2],
    more_ms: f64,
) -> Result<CaseFinding, MissingObservation> {
    let change_ms = case.latency_ms()? - other.latency_ms()?;
    let mut figures = vec![
        figure("encryption", FigureAmount::Text(here.to_owned())),
        figure(format!("encryption on {}", other.cell().target), FigureAmount::Text(there.to_owned())),
        figure("additional time of load engine and TLS library", FigureAmount::Ms(more_ms)),
    ];
    if change_ms > 0.0 {
        figures.push(figure(SHARE_OF_CHANGE, FigureAmount::Share((more_ms / change_ms).min(1.0))));
    }
    Ok(CaseFinding {
        title: format!(
            "encryption of the connections (TLS: {here}; other side: {there}) takes {} more of each transaction",
            units::format_milliseconds(more_ms)
        ),
        kind: FindingKind::Problem,
        confidence: Confidence::Medium,
        cost: case.cost_counted(encryption_ms, |part| *part == BudgetPart::Engine || is_cpu_time(part, false)),
        figures,
        windows: case.all_the_time(),
        chart: None,
        would_disprove: "the same difference in latency with the same encryption on both sides".to_owned(),
        confirm: Confirm::repeat_unchanged(
            case,
            "connect with the other side's sslmode (or set ssl = off on a copy), run this plan, and compare: the latency is that \
             of the other side",
        ),
        mend: None,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    /// Whose load engine takes so many microseconds for each of 4 000 transactions a second.
    fn with_engine_time(cell: Measurement, us: u64) -> Measurement {
        let tcp = json!({ "kind": "tcp", "readings": 40, "rtt_us_min": 5.0, "rtt_us_smoothed": 5.0,
                          "retransmits": 0, "lost": 0 });
        cell.load("path", json!({ "round_trips": 48_000, "engine_us": us * 48_000, "network": tcp }))
    }

    fn with_tls(built: Built) -> Built {
        built.fact("/path/encryption", json!({ "tls": { "version": "TLSv1.3", "cipher": "AES" } }))
    }

    fn pair_without_facts(us: u64) -> Built {
        Built::pair()
            .with_first(|cell| with_engine_time(cell, 20))
            .with(|cell| with_engine_time(cell, us).throughput(3900.0))
    }

    fn pair_on_tcp(us: u64) -> Built {
        let built = pair_without_facts(us);
        let route = json!({ "transport": "tcp", "address": "127.0.0.1", "port": 5432, "same_host": true, "encryption": "nothing" });
        built.every_fact("/path", &route)
    }

    #[test]
    fn encryption_on_one_side_is_named_where_it_takes_time() {
        let found = with_tls(pair_on_tcp(2000)).finds(&RULE);
        assert!(found.title.contains("(TLS: TLSv1.3, AES; other side: not encrypted)"), "{}", found.title);
    }

    #[test]
    fn encryption_that_costs_nothing_or_is_the_same_is_fine() {
        with_tls(pair_on_tcp(21)).is_fine_for(&RULE);
        pair_on_tcp(2000).is_fine_for(&RULE);
    }

    #[test]
    fn without_facts_of_the_route_it_stays_open() {
        let built = pair_without_facts(2000);
        assert!(built.lacks(&RULE).starts_with("what encrypts the connections"), "{}", built.lacks(&RULE));
    }
}
