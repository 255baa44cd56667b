//! Verdicts and caveats in words that a person can act on.

use results::trial::Caveat;
use stats::steady::Reason;
use stats::verdict::Verdict;

use super::units;
use crate::compare::PairJudgement;

/// The verdict's name.
pub fn verdict(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Improved => "improved",
        Verdict::Regressed => "regressed",
        Verdict::Equivalent => "equivalent",
        Verdict::NotEnoughData { .. } => "not enough data",
    }
}

/// The verdict with what it rests on or what it lacks; `threshold` is the practical threshold as a share.
pub fn verdict_in_words(pair: &PairJudgement, threshold: f64) -> String {
    let band = units::percent(threshold);
    let blocks = pair.blocks.len();
    let rests_on = format!("{blocks} blocks");
    let text = match pair.verdict() {
        Verdict::Improved => format!("throughput rose; the interval excludes no change ({rests_on})"),
        Verdict::Regressed => format!("throughput fell; the interval excludes no change ({rests_on})"),
        Verdict::Equivalent => format!("whatever the difference, it is smaller than {band} ({rests_on})"),
        Verdict::NotEnoughData { more_blocks, detectable_change } => {
            let settle = more_blocks.map(|more| match more {
                1 => "1 more block would probably settle it".to_owned(),
                more => format!("about {more} more blocks would probably settle it"),
            });
            let detectable = detectable_change
                .map(|change| format!("a change under {} would have gone unnoticed", units::percent(change)));
            let mut parts = vec![rests_on];
            parts.extend(
                settle.or_else(|| (blocks >= 2).then(|| "longer trials or a calmer machine are needed".to_owned())),
            );
            parts.extend(detectable);
            parts.join("; ")
        }
    };
    match pair.excluded.first() {
        None => text,
        Some(first) => {
            format!(
                "{text}; {} trials do not count, the first (trial {}): {}",
                pair.excluded.len(),
                first.trial,
                first.reason
            )
        }
    }
}

/// A caveat of a trial: what, and what to do about it.
pub fn caveat(caveat: &Caveat) -> (String, String) {
    let (text, hint) = match caveat {
        Caveat::ClientBound { busiest_thread } => (
            format!("the load engine's busiest thread was on a CPU for {} of the time", units::percent(*busiest_thread)),
            "the generator may have been the limit: raise `threads`, or give it a machine of its own".to_owned(),
        ),
        Caveat::Outages { count, cause } => (
            format!("{count} connections were lost while measuring ({cause})"),
            "find out why before trusting any figure of this target; the trial is not compared".to_owned(),
        ),
        Caveat::Failures { failed, of, sqlstate } => (
            format!("{failed} of {of} transactions failed, most often with SQLSTATE {sqlstate}"),
            "failed transactions are not counted in throughput, and a trial with more than 1 % of them is not compared; look into \
             the server's log"
                .to_owned(),
        ),
        Caveat::StepOmitted { statement, why } => (
            format!("{statement} was left out: {why}"),
            "trials of this workload start less alike; use a role that may".to_owned(),
        ),
        Caveat::SharedHost => (
            "the load engine ran on the server's host and took CPU time from it".to_owned(),
            "figures of both sides are lower than with a load machine of its own; the comparison stands as far as both \
             sides suffer alike"
                .to_owned(),
        ),
        Caveat::BranchContention { scale, clients } => (
            format!("tpcb-like at scale {scale} with {clients} clients measures the wait for {scale} branch rows"),
            "use a scale of at least the number of clients, or simple-update".to_owned(),
        ),
    };
    (text, hint)
}

/// What speaks against a steady state; indices are seconds of the measurement phase.
pub fn unsteady(reason: &Reason) -> String {
    match reason {
        Reason::WarmUp { until, shift } => {
            format!(
                "its first {until} s differ from the rest, which is {} of the mean apart",
                units::change(shift.point)
            )
        }
        Reason::Trend { change } => format!("it drifts by {} from start to end", units::change(change.point)),
        Reason::Shift { at, shift } => format!("it jumps by {} at {at} s", units::change(shift.point)),
    }
}
