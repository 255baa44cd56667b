//! Which change is tried next, and whether one that was tried is kept. Pure.

use std::collections::BTreeSet;

use judge::compare::Standing;
use judge::diagnose::{Diagnosis, Finding, Mend};
use plan::Risk;
use results::tuning::{Change, LeftOut};

/// The first change that would mend a finding and that was not tried: sizes follow from rates that are never the same
/// twice, so that what was tried with one value is not tried with another. What may not be tried is noted, once.
pub(super) fn next<'a>(
    diagnosis: &'a Diagnosis,
    tried: &[Change],
    may: &May,
    left_out: &mut Vec<LeftOut>,
) -> Option<(&'a Finding, &'a Mend)> {
    let mends = diagnosis.findings.iter().filter_map(|finding| Some((finding, finding.found.mend.as_ref()?)));
    for (finding, mend) in mends.filter(|(_, mend)| !tried.iter().any(|change| change.sets_what(&mend.change))) {
        match may.not(mend) {
            None => return Some((finding, mend)),
            Some(why) => note(left_out, finding, mend, why),
        }
    }
    None
}

/// Notes a change that is not tried.
pub(super) fn note(left_out: &mut Vec<LeftOut>, finding: &Finding, mend: &Mend, why: String) {
    let (rule, found) = (finding.rule.name.to_owned(), finding.found.title.clone());
    if !left_out.iter().any(|left| left.change.sets_what(&mend.change)) {
        left_out.push(LeftOut { rule, found, change: mend.change.clone(), why });
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
    fn not(&self, mend: &Mend) -> Option<String> {
        match mend.gives_up {
            Some(gives_up) if !self.risk.contains(&gives_up.setting) => Some(format!(
                "{}; `may_risk: [{}]` in the plan allows it",
                gives_up.what,
                plan::Word::word(gives_up.setting)
            )),
            _ if !self.sysctl && !mend.change.sysctl.is_empty() => {
                Some("values of the kernel are root's to change".to_owned())
            }
            _ => None,
        }
    }
}

/// Whether a change is kept: somewhere it is a gain, and nowhere a loss.
pub(super) fn is_kept(standings: &[Standing]) -> bool {
    standings.contains(&Standing::Gain) && !standings.contains(&Standing::Loss)
}

#[cfg(test)]
mod tests {
    use judge::diagnose::{Bearing, Confidence, Confirm, Cost, Found, GivesUp, Kind, RULES};

    use super::*;

    fn finding(rule: usize, mend: Option<Mend>) -> Finding {
        let found = Found {
            title: format!("found by {}", RULES[rule].name),
            kind: Kind::Problem,
            confidence: Confidence::High,
            cost: Cost::NotAttributable,
            figures: Vec::new(),
            windows: Vec::new(),
            chart: None,
            would_disprove: String::new(),
            confirm: Confirm { expect: String::new(), plan: None },
            mend,
        };
        Finding { rule: RULES[rule], cells: Vec::new(), bearing: Bearing::NoComparison, found }
    }

    fn mend(name: &str, value: &str) -> Mend {
        let settings = [(name.to_owned(), value.to_owned())].into();
        Mend { change: Change { settings, ..Change::default() }, gives_up: None }
    }

    fn diagnosis() -> Diagnosis {
        let risky = Mend {
            gives_up: Some(GivesUp { setting: Risk::SynchronousCommit, what: "the last transactions are lost" }),
            ..mend("synchronous_commit", "off")
        };
        let sysctl = [("vm.dirty_bytes".to_owned(), "9".to_owned())].into();
        let kernel = Mend { change: Change { sysctl, ..Change::default() }, gives_up: None };
        let mends = [None, Some(risky), Some(kernel), Some(mend("max_wal_size", "8GB"))];
        let findings = mends.into_iter().enumerate().map(|(rule, mend)| finding(rule, mend)).collect();
        Diagnosis { findings, ..Diagnosis::default() }
    }

    #[test]
    fn what_gives_up_durability_or_needs_root_is_left_out_with_the_reason_until_it_is_allowed() {
        let (diagnosis, mut left_out) = (diagnosis(), Vec::new());
        let nothing = May { risk: BTreeSet::new(), sysctl: false };
        let first = |may: &May, tried: &[Change], left_out: &mut Vec<LeftOut>| {
            next(&diagnosis, tried, may, left_out).map(|(_, mend)| mend.change.in_words())
        };
        for _ in 0..2 {
            assert_eq!(first(&nothing, &[], &mut left_out).as_deref(), Some("max_wal_size = 8GB"));
        }
        let why: Vec<&str> = left_out.iter().map(|left| left.why.as_str()).collect();
        let allowed = "the last transactions are lost; `may_risk: [synchronous_commit]` in the plan allows it";
        assert_eq!(why, [allowed, "values of the kernel are root's to change"], "each once");
        let all = May { risk: BTreeSet::from([Risk::SynchronousCommit]), sysctl: true };
        assert_eq!(first(&all, &[], &mut left_out).as_deref(), Some("synchronous_commit = off"));
    }

    #[test]
    fn what_was_tried_is_not_tried_with_another_value() {
        let (diagnosis, may) = (diagnosis(), May { risk: BTreeSet::new(), sysctl: false });
        assert!(next(&diagnosis, &[mend("max_wal_size", "4GB").change], &may, &mut Vec::new()).is_none());
    }

    #[test]
    fn a_gain_is_kept_unless_something_else_loses() {
        use Standing::{Equivalent, Gain, Loss, Undecided};
        let kept = [vec![Gain, Equivalent, Undecided], vec![Gain, Loss], vec![Equivalent], vec![Undecided], vec![]];
        assert_eq!(kept.map(|standings| is_kept(&standings)), [true, false, false, false, false]);
    }
}
