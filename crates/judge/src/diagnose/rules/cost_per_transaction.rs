//! `cost-per-transaction`: one side does a multiple of what the other does for each transaction, and no finding
//! explains the difference.

use results::probe_fields::pg_wal;

use crate::account::{CountedBy, PairAccount};
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::case::DiagnosisCase;
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{CaseFinding, Confidence, EvidenceFigure, FindingCost, FindingKind};
use crate::diagnose::quantity::Measure;
use crate::diagnose::rule::{Looked, Rule};
use crate::diagnose::unexplained::figures_of_multiples;

use super::unexplained_difference::difference_in_words;

/// The rule.
pub(in crate::diagnose) const RULE: Rule = Rule {
    code: &Code {
        name: "cost-per-transaction",
        group: CodeGroup::Method,
        detects: "A transaction costs a multiple of something on one side: rows, blocks, WAL, tries, messages, time of a statement.",
        reported_if: "Something that is counted on both sides surely differs by the factor, corrected for the number of quantities, \
                and a transaction has enough of it to matter. It is not reported where other findings explain most of the change.",
        thresholds: &[
            RuleThreshold::at_least("quantity per transaction, relative to the other side", 2.0, ThresholdUnit::Times),
            RuleThreshold::less_than(
                "share of the change that other findings of the side explain",
                SHARE_THAT_EXPLAINS_COSTS,
                ThresholdUnit::Share,
            ),
        ],
        effects: IssueEffect::OF_FINDINGS,
        why: "The same transactions do not need a multiple of anything unless something differs; it may be felt only under another load.",
        evidence: "The counters of the server, of its tables and statements, and of the load engine, per transaction.",
        fix: "Look for what differs in the table or the statement that the first quantity is of.",
        confirm: "Run the plan again without one of the differences between the sides.",
        formerly: &[],
    },
    measure: Measure::Fact,
    look: look_for_cost_per_transaction,
};

/// From this explained share of a change on, its costs are known.
pub(in crate::diagnose) const SHARE_THAT_EXPLAINS_COSTS: f64 = 0.5;

/// It is known after all other rules have looked at all cells.
fn look_for_cost_per_transaction(_: &DiagnosisCase<'_>) -> Looked {
    Ok(None)
}

/// Groups of settings that may decide how much of a quantity there is, as they begin in the manual.
fn groups_of_settings(by: CountedBy) -> &'static [&'static str] {
    match by {
        CountedBy::LoadEngine => &["Client Connection Defaults / Statement Behavior", "Lock Management", "Connections"],
        CountedBy::ServerLog => &["Reporting and Logging"],
        CountedBy::Probe(pg_wal::PROBE) => &["Write-Ahead Log", "Replication"],
        CountedBy::KernelSleeps
        | CountedBy::StatementTimes
        | CountedBy::StatementCounters
        | CountedBy::TableCounters
        | CountedBy::Probe(_) => &["Query Tuning", "Resource Usage", "Vacuuming"],
    }
}

/// What the side that is the account's `which` has a multiple of; `beside` tells what else is known to differ, settings
/// of these groups first.
pub(in crate::diagnose) fn finding_of_costs(
    case: &DiagnosisCase<'_>,
    (account, which): (&PairAccount, usize),
    other: &str,
    beside: impl FnOnce(&[&str]) -> Vec<EvidenceFigure>,
) -> Option<CaseFinding> {
    let multiples = account.multiples_of_side(which);
    let first = multiples.first()?;
    let [here, there] = [first.sides[which], first.sides[1 - which]].map(|figure| first.quantity.in_words(figure));
    let mut figures = figures_of_multiples(account, which, other);
    let beside = beside(groups_of_settings(first.quantity.by));
    let differs = difference_in_words(&beside);
    figures.extend(beside);
    let windows = case.all_the_time();
    Some(CaseFinding {
        title: format!("{}: {here} per transaction against {there}{differs}", first.quantity.full_name()),
        kind: FindingKind::Problem,
        confidence: Confidence::Medium,
        cost: FindingCost::NotAttributable,
        figures,
        chart: case.chart_of_windows(&windows, &[]),
        windows,
        would_disprove: "a run in which both sides do as much for a transaction".to_owned(),
        confirm: Confirm::repeat_unchanged(case, "without what differs both sides do as much for a transaction"),
        mend: None,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::diagnose::built::{Built, Measurement};
    use crate::diagnose::ranked_finding::{Bearing, RankedFinding};

    fn finding_in(built: &Built) -> Option<RankedFinding> {
        built.diagnosis().findings.into_iter().find(|one| one.rule.code.name == RULE.code.name)
    }

    fn tried_again(cell: Measurement) -> Measurement {
        cell.load("retries", json!(150_000))
    }

    #[test]
    fn tries_that_only_one_side_repeats_are_a_difference_though_it_is_as_fast() {
        let finding = finding_in(&Built::pair().with(tried_again)).expect("three tries for each transaction");
        assert!(finding.found.title.starts_with("further tries after a failure: 3"), "{}", finding.found.title);
        assert_eq!(finding.bearing, Bearing::Difference { target: "new".to_owned() });
    }

    #[test]
    fn equal_sides_and_a_single_one_have_none() {
        assert!(finding_in(&Built::pair()).is_none());
        assert!(finding_in(&Built::pair().with(tried_again).with_first(tried_again)).is_none());
        assert!(finding_in(&Built::healthy().with(tried_again)).is_none());
    }
}
