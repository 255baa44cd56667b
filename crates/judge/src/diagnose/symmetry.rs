//! Which side is the baseline must not matter: the harness that asks a run both ways round, for the tests. Every run
//! that they build goes through it.

use stats::verdict::Verdict;

use super::{Diagnosis, ExplainedChange, RankedFinding, diagnose_run};
use crate::compare::RunQuestion;
use crate::judge_question;
use crate::observed::Observed;

/// What rules say of a run, after asking it with every other target for the baseline and finding the same issues with
/// the same shares in the same order.
#[track_caller]
pub(super) fn diagnosed_every_way_round(observed: &Observed) -> Diagnosis {
    let question = RunQuestion::of_run(observed);
    let diagnosis = diagnose_run(observed, &question);
    for candidate in &question.candidates {
        let swapped = question.with_baseline(candidate).expect("a target");
        let other_way = diagnose_run(observed, &swapped);
        let [one, other] = [&diagnosis, &other_way]
            .map(|way| way.findings.iter().map(SymmetricText::from_finding).collect::<Vec<_>>());
        if question.candidates.len() == 1 {
            assert_eq!(one, other, "with {candidate} for the baseline");
            let [one, other] = [&diagnosis, &other_way].map(|way| way.explained.iter().collect::<Vec<_>>());
            assert_eq!(one.len(), other.len(), "{one:?} {other:?}");
            one.into_iter().zip(other).for_each(|(one, other)| assert_the_same_explained(one, other));
        } else {
            // Changes between other pairs may come in another order, and not what is found.
            let [one, other] = [one, other].map(|mut all| {
                all.sort();
                all
            });
            assert_eq!(one, other, "with {candidate} for the baseline");
        }
    }
    diagnosis
}

/// What is said of a finding, whichever side is the baseline.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct SymmetricText(String);

impl SymmetricText {
    fn from_finding(finding: &RankedFinding) -> Self {
        let RankedFinding { rule, cells, bearing, beside, share_of_change: _, overlaps, found } = finding;
        let beside = beside.as_ref().map(|beside| (beside.name, beside.here, &beside.other, beside.there));
        Self(format!(
            "{} {cells:?} {bearing:?} {beside:?} {overlaps:?} {} {:?}",
            rule.code.name, found.title, found.cost
        ))
    }
}

fn assert_the_same_explained(one: &ExplainedChange, other: &ExplainedChange) {
    let is_about = |one: f64, other: f64| (one - other).abs() < 1e-9;
    let context = format!("{one:#?}\n{other:#?}");
    assert_eq!((&one.slower, &one.place), (&other.slower, &other.place), "{context}");
    for of in [|it: &ExplainedChange| it.share, |it: &ExplainedChange| it.change, |it: &ExplainedChange| it.change_ms] {
        let [one, other] = [one, other].map(|it| {
            let estimate = of(it);
            [estimate.point, estimate.interval.low, estimate.interval.high]
        });
        assert!(one.iter().zip(other).all(|(one, other)| is_about(*one, other)), "{context}");
    }
    let by = |it: &ExplainedChange| it.by.iter().map(|by| (by.rule.code.name.to_owned(), by.share)).collect::<Vec<_>>();
    let left =
        |it: &ExplainedChange| it.left.iter().map(|left| (left.part.to_string(), left.share)).collect::<Vec<_>>();
    for (one, other) in [(by(one), by(other)), (left(one), left(other))] {
        assert_eq!(one.len(), other.len(), "{context}");
        assert!(one.iter().zip(&other).all(|(a, b)| a.0 == b.0 && is_about(a.1, b.1)), "{context}");
    }
    let unlike = |it: &ExplainedChange, is_swapped: bool| {
        let of = |fact: &super::UnlikeFact| match is_swapped {
            false => (fact.name.clone(), fact.baseline.clone(), fact.candidate.clone()),
            true => (fact.name.clone(), fact.candidate.clone(), fact.baseline.clone()),
        };
        it.unlike.iter().map(of).collect::<Vec<_>>()
    };
    assert_eq!(unlike(one, false), unlike(other, true), "{context}");
}

/// Judges a run of two sides with either for the baseline: every change is inverted, and so is every verdict.
#[track_caller]
pub(super) fn assert_judged_the_same_both_ways(observed: &Observed) {
    let question = RunQuestion::of_run(observed);
    let [candidate] = question.candidates.as_slice() else { panic!("two sides: {:?}", question.candidates) };
    let swapped = question.with_baseline(candidate).expect("a target");
    let threshold = question.threshold.as_share();
    let [one, other] = [question, swapped].map(|question| judge_question(observed, question));
    assert_eq!(one.comparison.pairs.len(), other.comparison.pairs.len());
    for (one, other) in one.comparison.pairs.iter().zip(&other.comparison.pairs) {
        for (one, other) in one.metrics.iter().zip(&other.metrics) {
            let (Some(change), Some(inverted)) = (one.change, other.change) else {
                assert_eq!(one.change.is_some(), other.change.is_some());
                continue;
            };
            let bounds = [change.point, change.interval.low, change.interval.high];
            let of_inverted = [inverted.point, inverted.interval.high, inverted.interval.low];
            let is_inverse = |(one, other): (f64, f64)| ((1.0 + one) * (1.0 + other) - 1.0).abs() < 1e-6;
            assert!(bounds.into_iter().zip(of_inverted).all(is_inverse), "{change:?} {inverted:?}");
            // The band of what is too small to act on is as wide below 0 as above it in percent, not in logarithms.
            let at_edge =
                bounds.iter().chain(&of_inverted).any(|it| it.abs() > 0.9 * threshold && it.abs() < 1.1 * threshold);
            assert!(
                at_edge || mirrored_verdict_name(one.verdict) == other.verdict.name_in_reports(),
                "{one:?} {other:?}"
            );
        }
    }
}

fn mirrored_verdict_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Improved => Verdict::Regressed.name_in_reports(),
        Verdict::Regressed => Verdict::Improved.name_in_reports(),
        Verdict::NotWorse => Verdict::NotBetter.name_in_reports(),
        Verdict::NotBetter => Verdict::NotWorse.name_in_reports(),
        Verdict::Equivalent | Verdict::NotEnoughData { .. } | Verdict::SoFar => verdict.name_in_reports(),
    }
}
