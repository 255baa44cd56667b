//! What the results say: shares with Wilson's intervals, in all and by kind, and the misses.

use std::collections::BTreeMap;

use crate::generator::Half;
use crate::results::Outcome;

/// From this share of the change on it counts as explained.
const EXPLAINED_AT_LEAST: f64 = 0.8;

/// The results of a half, or of all.
pub fn text(outcomes: &[Outcome], half: Option<Half>) -> String {
    let mut of_half: Vec<&Outcome> = Vec::new();
    for outcome in outcomes {
        if half.is_none_or(|half| outcome.half == half.name()) {
            of_half.push(outcome);
        }
    }
    let failed = of_half.iter().filter(|outcome| outcome.failed.is_some()).count();
    of_half.retain(|outcome| outcome.failed.is_none());
    let (effects, controls): (Vec<&Outcome>, Vec<&Outcome>) = of_half.iter().partition(|outcome| outcome.has_effect);
    let mut text = format!(
        "conditions measured: {}; with an effect: {}; without: {}; not measured: {failed}\n\n",
        of_half.len(),
        effects.len(),
        controls.len()
    );
    text += &share("named first", &effects, |it| it.named_at == Some(1));
    text += &share("named first or second", &effects, |it| it.named_at.is_some_and(|place| place <= 2));
    text += &share("the same, without findings of every side", &effects, |it| {
        it.named_among_differences_at.is_some_and(|place| place <= 2)
    });
    text += &share("named anywhere", &effects, |it| it.named_at.is_some());
    text += &share("explained at least 80 %", &effects, |it| it.explained.is_some_and(|it| it >= EXPLAINED_AT_LEAST));
    text += &share("something false first", &effects, |it| it.false_first);
    text += &share("controls with a false difference", &controls, |it| !it.false_differences.is_empty());
    let untouched: Vec<&Outcome> = controls.iter().copied().filter(|outcome| outcome.causes.is_empty()).collect();
    text += &share("of these with nothing injected, with a false difference", &untouched, |it| {
        !it.false_differences.is_empty()
    });
    text += &share("controls with the injected fact as a difference", &controls, |it| {
        !it.unmeasured_differences.is_empty()
    });
    text += &by_kind(&of_half);
    text + &misses(&effects)
}

fn share(name: &str, of: &[&Outcome], holds: fn(&Outcome) -> bool) -> String {
    let number = of.iter().filter(|outcome| holds(outcome)).count();
    match stats::estimate::share_estimate(number, of.len()) {
        None => format!("{name}: none measured\n"),
        Some(estimate) => format!(
            "{name}: {number} of {}, {:.0} % [{:.0}, {:.0}]\n",
            of.len(),
            estimate.point * 100.0,
            estimate.interval.low * 100.0,
            estimate.interval.high * 100.0
        ),
    }
}

fn by_kind(outcomes: &[&Outcome]) -> String {
    let mut kinds: BTreeMap<&str, Vec<&Outcome>> = BTreeMap::new();
    for outcome in outcomes {
        kinds.entry(&outcome.kind).or_default().push(outcome);
    }
    let mut text = String::from(
        "\nkind | with an effect | first | first or second | explained | false first | without | false difference\n",
    );
    for (kind, of_kind) in kinds {
        let count = |holds: fn(&Outcome) -> bool| of_kind.iter().filter(|outcome| holds(outcome)).count();
        text += &format!(
            "{kind} | {} | {} | {} | {} | {} | {} | {}\n",
            count(|it| it.has_effect),
            count(|it| it.has_effect && it.named_at == Some(1)),
            count(|it| it.has_effect && it.named_at.is_some_and(|place| place <= 2)),
            count(|it| it.has_effect && it.explained.is_some_and(|share| share >= EXPLAINED_AT_LEAST)),
            count(|it| it.false_first),
            count(|it| !it.has_effect),
            count(|it| !it.false_differences.is_empty())
        );
    }
    text
}

fn misses(effects: &[&Outcome]) -> String {
    let mut text = String::from("\nnot named first or second:\n");
    for outcome in effects.iter().filter(|outcome| outcome.named_at.is_none_or(|place| place > 2)) {
        text += &outcome.words();
        text.push('\n');
    }
    text
}
