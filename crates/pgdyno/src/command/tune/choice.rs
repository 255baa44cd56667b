//! Which change is tried next, and whether one that was tried is kept. Pure.

use std::collections::BTreeSet;

use judge::compare::PairStanding;
use judge::diagnose::{Diagnosis, Mend, RankedFinding};
use plan::Risk;
use results::tuning::{SettingsChange, TuningAttempt, UntriedChange};

/// What was tried against the best server and not kept.
pub(super) struct Tried {
    pub attempt: TuningAttempt,
    /// Whether it may be tried once more beside others: it was no loss, and the server took it.
    pub may_join: bool,
}

/// The first change that would mend a finding and that was not tried: sizes follow from rates that are never the same
/// twice, so that what was tried with one value is not tried with another. What may not be tried is noted, once. After
/// the last of them, those that were no loss are tried together.
pub(super) fn next(
    diagnosis: &Diagnosis,
    tried: &[Tried],
    may: &May,
    left_out: &mut Vec<UntriedChange>,
) -> Option<TuningAttempt> {
    let mends = diagnosis.findings.iter().filter_map(|finding| Some((finding, finding.found.mend.as_ref()?)));
    for (finding, mend) in mends.filter(|(_, mend)| !sets_what_was(tried, &mend.change)) {
        let attempt = attempt_for_mend(finding, mend);
        match may.reason_not_allowed(mend) {
            None => return Some(attempt),
            Some(why) => note_left_out(left_out, &attempt, why),
        }
    }
    combined_attempt(tried)
}

fn attempt_for_mend(finding: &RankedFinding, mend: &Mend) -> TuningAttempt {
    TuningAttempt {
        rule: finding.rule.code.name.to_owned(),
        found: finding.found.title.clone(),
        expected: finding.found.confirm.expect.clone(),
        change: mend.change.clone(),
        gives_up: mend.gives_up.map(|gives_up| gives_up.what.to_owned()),
    }
}

fn sets_what_was(tried: &[Tried], change: &SettingsChange) -> bool {
    tried.iter().any(|tried| tried.attempt.change.sets_what(change))
}

/// All that may join as one change: of several things that hold a server back each may hide the others, so that mending
/// one of them shows nothing.
fn combined_attempt(tried: &[Tried]) -> Option<TuningAttempt> {
    let joined: Vec<&TuningAttempt> = tried.iter().filter(|tried| tried.may_join).map(|tried| &tried.attempt).collect();
    let mut change = SettingsChange::default();
    joined.iter().for_each(|attempt| change.add(&attempt.change));
    if joined.len() < 2 || sets_what_was(tried, &change) {
        return None;
    }
    let rules: BTreeSet<&str> = joined.iter().map(|attempt| attempt.rule.as_str()).collect();
    let gives_up: Vec<&str> = joined.iter().filter_map(|attempt| attempt.gives_up.as_deref()).collect();
    Some(TuningAttempt {
        rule: rules.into_iter().collect::<Vec<_>>().join(", "),
        found: "none of these changes is an improvement or a regression by itself".to_owned(),
        expected: "limits that hide each other are removed when all fixes are applied together".to_owned(),
        change,
        gives_up: (!gives_up.is_empty()).then(|| gives_up.join("; ")),
    })
}

/// Notes a change that is not tried.
pub(super) fn note_left_out(left_out: &mut Vec<UntriedChange>, attempt: &TuningAttempt, why: String) {
    let TuningAttempt { rule, found, change, .. } = attempt.clone();
    if !left_out.iter().any(|left| left.change.sets_what(&change)) {
        left_out.push(UntriedChange { rule, found, change, why });
    }
}

/// What may be changed.
pub(super) struct May {
    /// Durability that the plan allows to give up.
    pub risk: BTreeSet<Risk>,
    /// Values of the kernel.
    pub sysctl: bool,
}

impl May {
    /// Why a change may not be made.
    fn reason_not_allowed(&self, mend: &Mend) -> Option<String> {
        match mend.gives_up {
            Some(gives_up) if !self.risk.contains(&gives_up.setting) => Some(format!(
                "{}; `may_risk: [{}]` in the plan allows it",
                gives_up.what,
                plan::WordChoice::as_word(gives_up.setting)
            )),
            _ if !self.sysctl && !mend.change.sysctl.is_empty() => {
                Some("only root can change kernel parameters".to_owned())
            }
            _ => None,
        }
    }
}

/// Whether a change is kept: somewhere it is a gain, and nowhere a loss.
pub(super) fn is_kept(standings: &[PairStanding]) -> bool {
    standings.contains(&PairStanding::Gain) && !is_loss(standings)
}

/// Whether a change loses anywhere.
pub(super) fn is_loss(standings: &[PairStanding]) -> bool {
    standings.contains(&PairStanding::Loss)
}

#[cfg(test)]
mod tests {
    use judge::diagnose::{Bearing, CaseFinding, Confidence, Confirm, FindingCost, FindingKind, GivesUp, RULES};

    use super::*;

    fn finding(rule: usize, mend: Option<Mend>) -> RankedFinding {
        let found = CaseFinding {
            title: format!("found by {}", RULES[rule].code.name),
            kind: FindingKind::Problem,
            confidence: Confidence::High,
            cost: FindingCost::NotAttributable,
            figures: Vec::new(),
            windows: Vec::new(),
            chart: None,
            would_disprove: String::new(),
            confirm: Confirm { expect: String::new(), by_hand: None, plan: None },
            mend,
        };
        RankedFinding {
            rule: RULES[rule],
            cells: Vec::new(),
            bearing: Bearing::NoComparison,
            beside: None,
            share_of_change: None,
            overlaps: Vec::new(),
            found,
        }
    }

    fn mend(name: &str, value: &str) -> Mend {
        let settings = [(name.to_owned(), value.to_owned())].into();
        Mend { change: SettingsChange { settings, ..SettingsChange::default() }, gives_up: None }
    }

    fn diagnosis() -> Diagnosis {
        let risky = Mend {
            gives_up: Some(GivesUp { setting: Risk::SynchronousCommit, what: "the last transactions are lost" }),
            ..mend("synchronous_commit", "off")
        };
        let sysctl = [("vm.dirty_bytes".to_owned(), "9".to_owned())].into();
        let kernel = Mend { change: SettingsChange { sysctl, ..SettingsChange::default() }, gives_up: None };
        let mends = [None, Some(risky), Some(kernel), Some(mend("max_wal_size", "8GB"))];
        let findings = mends.into_iter().enumerate().map(|(rule, mend)| finding(rule, mend)).collect();
        Diagnosis { findings, ..Diagnosis::default() }
    }

    #[test]
    fn what_gives_up_durability_or_needs_root_is_left_out_with_the_reason_until_it_is_allowed() {
        let (diagnosis, mut left_out) = (diagnosis(), Vec::new());
        let nothing = May { risk: BTreeSet::new(), sysctl: false };
        let first = |may: &May, left_out: &mut Vec<UntriedChange>| {
            next(&diagnosis, &[], may, left_out).map(|attempt| attempt.change.in_words())
        };
        for _ in 0..2 {
            assert_eq!(first(&nothing, &mut left_out).as_deref(), Some("max_wal_size = 8GB"));
        }
        let why: Vec<&str> = left_out.iter().map(|left| left.why.as_str()).collect();
        let allowed = "the last transactions are lost; `may_risk: [synchronous_commit]` in the plan allows it";
        assert_eq!(why, [allowed, "only root can change kernel parameters"], "each once");
        let all = May { risk: BTreeSet::from([Risk::SynchronousCommit]), sysctl: true };
        assert_eq!(first(&all, &mut left_out).as_deref(), Some("synchronous_commit = off"));
    }

    #[test]
    fn what_was_tried_is_not_tried_with_another_value() {
        let (diagnosis, may) = (diagnosis(), May { risk: BTreeSet::new(), sysctl: false });
        assert!(next(&diagnosis, &[tried(&[("max_wal_size", "4GB")], true)], &may, &mut Vec::new()).is_none());
    }

    fn tried(settings: &[(&str, &str)], may_join: bool) -> Tried {
        let settings = settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let change = SettingsChange { settings, ..SettingsChange::default() };
        Tried { attempt: TuningAttempt { rule: "a-rule".to_owned(), change, ..TuningAttempt::default() }, may_join }
    }

    #[test]
    fn what_was_no_loss_by_itself_is_tried_together_once() {
        let (diagnosis, may) = (diagnosis(), May { risk: BTreeSet::new(), sysctl: false });
        let next =
            |all: &[Tried]| next(&diagnosis, all, &may, &mut Vec::new()).map(|attempt| attempt.change.in_words());
        let mut all = vec![tried(&[("max_wal_size", "4GB")], true), tried(&[("jit", "off")], false)];
        assert_eq!(next(&all), None, "one is not together");
        all.push(tried(&[("wal_recycle", "on")], true));
        assert_eq!(next(&all).as_deref(), Some("max_wal_size = 4GB, wal_recycle = on"), "without the loss");
        all.push(tried(&[("max_wal_size", "4GB"), ("wal_recycle", "on")], true));
        assert_eq!(next(&all), None);
        // The second of them is the first one and more.
        let within = [tried(&[("max_wal_size", "4GB")], true), tried(&[("max_wal_size", "8GB"), ("jit", "off")], true)];
        assert_eq!(next(&within), None);
    }

    #[test]
    fn a_gain_is_kept_unless_something_else_loses() {
        use PairStanding::{Equivalent, Gain, Loss, Undecided};
        let kept = [vec![Gain, Equivalent, Undecided], vec![Gain, Loss], vec![Equivalent], vec![Undecided], vec![]];
        assert_eq!(kept.map(|standings| is_kept(&standings)), [true, false, false, false, false]);
    }
}
