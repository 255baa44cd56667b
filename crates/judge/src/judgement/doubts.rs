//! Reasons to doubt a run: the caveats of its trials gathered, trials that were not steady, sides that could not be
//! compared, a noise floor that does not include zero.

use std::collections::{BTreeMap, BTreeSet};

use results::facts::TargetFacts;
use results::run::Run;
use results::trial::{Phase, Trial};
use stats::steady::{Reason, Steadiness, steadiness};
use stats::verdict::Verdict;

use crate::caveats::{Caveat, CaveatsOfTrials, in_words, of_all};
use crate::compare::{Observations, PairJudgement, Question};
use crate::observed::{Observed, Second};
use crate::units;

/// A reason to trust some or all trials less, with what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doubt {
    /// What.
    pub text: String,
    /// What to do.
    pub hint: String,
    /// The trials that it concerns; empty: the whole run.
    pub trials: Vec<u32>,
}

impl Doubt {
    /// The trials that it concerns, for the end of a line.
    pub fn trials_in_words(&self) -> String {
        match self.trials.as_slice() {
            [] => String::new(),
            [one] => format!(" (trial {one})"),
            many if many.len() <= 6 => {
                format!(" (trials {})", many.iter().map(u32::to_string).collect::<Vec<_>>().join(", "))
            }
            many => format!(" ({} trials, the first is {})", many.len(), many[0]),
        }
    }
}

/// Every doubt about a run, the ones that concern all of it first.
pub(super) fn of_run(
    observed: &Observed,
    caveats: &CaveatsOfTrials,
    unsteady: &BTreeMap<u32, String>,
    noise_floor: &[PairJudgement],
) -> Vec<Doubt> {
    let mut doubts = noise(noise_floor);
    doubts.extend(imported(&observed.run));
    doubts.extend(single_trials(observed));
    doubts.extend(waiting_for_restart(&observed.facts));
    doubts.extend(without_host(&observed.facts));
    doubts.extend(of_caveats(&observed.trials, caveats, |_| true));
    doubts.extend(unsteady_trials(unsteady));
    doubts
}

/// The doubts about a run that is audited: what a check of the audit says, with its figures, is left to it.
pub(super) fn beside_audit(
    observed: &Observed,
    caveats: &CaveatsOfTrials,
    unsteady: &BTreeMap<u32, String>,
    noise_floor: &[PairJudgement],
) -> Vec<Doubt> {
    let is_audited = |caveat: &Caveat| {
        matches!(caveat, Caveat::ClientBound { .. } | Caveat::SharedHost | Caveat::BranchContention { .. })
    };
    let mut doubts = noise(noise_floor);
    doubts.extend(imported(&observed.run));
    doubts.extend(single_trials(observed));
    doubts.extend(without_host(&observed.facts));
    doubts.extend(of_caveats(&observed.trials, caveats, |caveat| !is_audited(caveat)));
    doubts.extend(unsteady_trials(unsteady));
    doubts
}

/// That a change between servers that were made for the run is one of these two servers, until it was seen between
/// others of their kind. A server that was restarted before every block was another one in each.
pub(super) fn one_server_each(observed: &Observed, baseline: &str, pairs: &[PairJudgement]) -> Option<Doubt> {
    let plan = observed.plan.as_ref()?;
    let is_one = |name: &str| plan.target(name).is_some_and(|target| target.reach.is_made() && !plan.restarts(target));
    let is_claimed = |pair: &&PairJudgement| matches!(pair.verdict(), Verdict::Improved | Verdict::Regressed);
    let claimed = pairs.iter().find(|pair| is_claimed(pair) && is_one(&pair.candidate) && is_one(baseline))?;
    let local = plan.target(baseline).is_some_and(|target| target.reach.can_restart());
    let restart = if local { " (`blocks: { restart: true }` does so before every block)" } else { "" };
    Some(Doubt {
        text: format!(
            "{} and {} were one server each: what two servers of the same kind differ by, such as where their memory lies, \
             is in the change, and no block shows it",
            baseline, claimed.candidate
        ),
        hint: format!("run it again, which makes new ones{restart}, before you take the change for one of the kind"),
        trials: Vec::new(),
    })
}

/// That nothing of an imported run was seen by pgdyno, and what it cannot tell.
fn imported(run: &Run) -> Option<Doubt> {
    let imported = run.imported.as_ref()?;
    let files: Vec<String> = imported
        .sources
        .iter()
        .map(|source| format!("{} ({}, {})", source.file, source.tool, source.content))
        .collect();
    Some(Doubt {
        text: format!("imported from {}; missing: {}", files.join(", "), imported.missing.join(", ")),
        hint: "what is stated of the targets was not read back; measure with pgdyno to have what is missing".to_owned(),
        trials: Vec::new(),
    })
}

fn single_trials(observed: &Observed) -> Option<Doubt> {
    Observations::new(&observed.trials, &Question::of_run(observed)).has_single_trial().then(|| Doubt {
        text:
            "a cell has one trial only: the interval of its throughput is from the seconds of that trial, within this \
               run only, and says nothing of run-to-run variation"
                .to_owned(),
        hint: "measure three blocks or more".to_owned(),
        trials: Vec::new(),
    })
}

/// The trials whose throughput was not steady while measuring, each with what was found.
pub(super) fn unsteady(trials: &[Trial], series: &BTreeMap<u32, Vec<Second>>) -> BTreeMap<u32, String> {
    let of_trial = |trial: &Trial| {
        // A search overloads the server on purpose, and an open loop's throughput is what was offered.
        let is_open = trial.load.as_ref().is_some_and(|load| load.open.is_some())
            || trial.told.as_ref().is_some_and(|told| told.offered_per_s.is_some());
        // Nor is it steady in which something is made to happen.
        if is_open || !trial.events.is_empty() || (trial.load.is_none() && trial.told.is_none()) {
            return None;
        }
        let measured = series.get(&trial.number)?.iter().filter(|second| second.phase == Phase::Measure);
        let read = measured.filter_map(|second| Some((second.start_us, second.throughput_per_s()?)));
        let (starts_us, throughput): (Vec<u64>, Vec<f64>) = read.unzip();
        match steadiness(&throughput) {
            // A gap cannot be: every second that was read has a throughput.
            Steadiness::Steady | Steadiness::TooShort { .. } | Steadiness::Gap { .. } => None,
            Steadiness::Unsteady(reasons) => {
                let reasons: Vec<String> = reasons.iter().map(|reason| unsteady_in_words(reason, &starts_us)).collect();
                Some((trial.number, reasons.join("; ")))
            }
        }
    };
    trials.iter().filter_map(of_trial).collect()
}

/// What speaks against a steady state, whose indices are intervals of the measurement phase that began at these
/// instants: seconds, or what another tool told.
fn unsteady_in_words(reason: &Reason, starts_us: &[u64]) -> String {
    let seconds = |index: usize| {
        let since_us = starts_us.get(index).zip(starts_us.first()).map_or(0, |(start, first)| start - first);
        (since_us + 500_000) / 1_000_000
    };
    match reason {
        Reason::WarmUp { until, shift } => {
            format!(
                "its first {} s differ from the rest, which is {} of the mean apart",
                seconds(*until),
                units::change(shift.point)
            )
        }
        Reason::Trend { change } => format!("it drifts by {} from start to end", units::change(change.point)),
        Reason::Shift { at, shift } => format!("it jumps by {} at {} s", units::change(shift.point), seconds(*at)),
    }
}

fn unsteady_trials(unsteady: &BTreeMap<u32, String>) -> Option<Doubt> {
    let (first, reason) = unsteady.first_key_value()?;
    Some(Doubt {
        text: format!("{} trials were not steady while measuring; trial {first}: {reason}", unsteady.len()),
        hint: "look at their timelines; a longer warm-up or longer trials may help".to_owned(),
        trials: unsteady.keys().copied().collect(),
    })
}

fn noise(noise_floor: &[PairJudgement]) -> Vec<Doubt> {
    let differs = |pair: &&PairJudgement| pair.change().is_some_and(|change| !change.interval.contains(0.0));
    let doubt = |pair: &PairJudgement| {
        let interval = pair.change().map(|c| units::change_interval(c.interval.low, c.interval.high));
        Doubt {
            text: format!(
                "the baseline differs from itself in {} at {} ({}): something other than the targets changes the \
                 figures",
                pair.place.workload,
                units::clients(pair.place.clients),
                interval.unwrap_or_default()
            ),
            hint: "do not trust a change of this size; look for other load on the machine, or measure longer"
                .to_owned(),
            trials: Vec::new(),
        }
    };
    noise_floor.iter().filter(differs).map(doubt).collect()
}

/// The same kind of caveat is one doubt however many trials carry it.
fn of_caveats(trials: &[Trial], caveats: &CaveatsOfTrials, counts: impl Fn(&Caveat) -> bool) -> Vec<Doubt> {
    let mut kinds: Vec<Vec<Carried<'_>>> = Vec::new();
    for trial in trials {
        for caveat in caveats.get(&trial.number).into_iter().flatten().filter(|caveat| counts(caveat)) {
            match kinds.iter_mut().find(|kind| kind[0].1.is_like(caveat)) {
                Some(found) => found.push((trial, caveat)),
                None => kinds.push(vec![(trial, caveat)]),
            }
        }
    }
    kinds.iter().map(|found| of_kind(found)).collect()
}

/// A caveat with the trial that carries it.
type Carried<'a> = (&'a Trial, &'a Caveat);

fn of_kind(found: &[Carried<'_>]) -> Doubt {
    let targets: BTreeSet<&str> = found.iter().map(|(trial, _)| trial.cell.target.as_str()).collect();
    let targets: Vec<&str> = targets.into_iter().collect();
    let (text, hint) = in_words(&of_all(&found.iter().map(|(_, caveat)| *caveat).collect::<Vec<_>>()));
    Doubt {
        text: format!("{}: {text}", targets.join(", ")),
        hint,
        trials: found.iter().map(|(trial, _)| trial.number).collect(),
    }
}

/// A doubt about each target some of whose settings are not in force yet.
fn waiting_for_restart(facts: &BTreeMap<String, TargetFacts>) -> impl Iterator<Item = Doubt> {
    facts.values().filter_map(|target| {
        let waiting = target.settings.iter().filter(|(_, setting)| setting.pending_restart);
        let waiting: Vec<&str> = waiting.map(|(name, _)| name.as_str()).collect();
        (!waiting.is_empty()).then(|| Doubt {
            text: format!("{}: changed settings wait for a restart: {}", target.name, waiting.join(", ")),
            hint: "restart the server and measure again".to_owned(),
            trials: Vec::new(),
        })
    })
}

/// A doubt about each target whose host could not be looked at.
fn without_host(facts: &BTreeMap<String, TargetFacts>) -> impl Iterator<Item = Doubt> {
    facts.values().filter(|target| target.host.is_none()).map(|target| Doubt {
        text: format!("{}: nothing is known about its host", target.name),
        hint: "hardware and kernel of the sides could not be compared".to_owned(),
        trials: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_of_five_seconds_are_told_in_seconds() {
        let starts_us: Vec<u64> = (0..12).map(|index| 3_000_007 + index * 5_000_210).collect();
        let change = stats::estimate::mean_estimate(&[0.1, 0.2]).expect("an estimate");
        let warm_up = unsteady_in_words(&Reason::WarmUp { until: 2, shift: change }, &starts_us);
        assert!(warm_up.starts_with("its first 10 s differ from the rest"), "{warm_up}");
        let shift = unsteady_in_words(&Reason::Shift { at: 7, shift: change }, &starts_us);
        assert!(shift.ends_with(" at 35 s"), "{shift}");
    }
}
