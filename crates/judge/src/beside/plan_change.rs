//! Whether both sides execute a statement by the same query plan, as far as EXPLAIN says it.

use results::plans::{ExplainOutcome, Plans, StatementPlans};
use results::workload::StatementNumber;

use crate::compare::{ComparedSide, ComparisonPlace, Observations};
use crate::observed::Observed;

/// The query plans of a statement on both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanComparison {
    /// They have the same shape.
    Same,
    /// They differ in shape.
    Changed,
    /// Not explained on both sides.
    NotKnown,
}

/// The query plans of the statements of both sides at a place, of the last trial of each that has some.
pub(super) struct PlansOfSides<'a> {
    sides: Option<[&'a Plans; 2]>,
}

impl<'a> PlansOfSides<'a> {
    pub(super) fn at_place(
        observed: &'a Observed,
        observations: &Observations<'_>,
        place: &ComparisonPlace,
        sides: [&ComparedSide; 2],
    ) -> Self {
        let sides = sides.map(|side| last_plans(observed, observations, place, side));
        Self { sides: if let [Some(one), Some(other)] = sides { Some([one, other]) } else { None } }
    }

    /// Of a statement at these numbers in the workload: changed where it is so at one of them.
    pub(super) fn compare_plans(&self, numbers: &[usize]) -> PlanComparison {
        let Some(sides) = self.sides else { return PlanComparison::NotKnown };
        let mut found = PlanComparison::NotKnown;
        for number in numbers {
            if let [Some(one), Some(other)] = sides.map(|plans| plans_of_statement(plans, *number)) {
                match have_same_shape(one, other) {
                    Some(false) => return PlanComparison::Changed,
                    Some(true) => found = PlanComparison::Same,
                    None => {}
                }
            }
        }
        found
    }
}

/// Of the last trial of a side that has some.
fn last_plans<'a>(
    observed: &'a Observed,
    observations: &Observations<'_>,
    place: &ComparisonPlace,
    side: &ComparedSide,
) -> Option<&'a Plans> {
    let trials = observations.usable_trials(place, side).into_values().rev();
    let mut plans = trials.filter_map(|trial| observed.watched.get(&trial.number)?.plans.as_ref());
    plans.find(|plans| !plans.statements.is_empty())
}

fn plans_of_statement(plans: &Plans, number: usize) -> Option<&StatementPlans> {
    plans.statements.iter().find(|one| one.statement == StatementNumber(number as u32))
}

/// By the plan for the values that the load draws; for any values where only that is known. A statement without a plan
/// on either side, such as COMMIT, tells nothing.
fn have_same_shape(one: &StatementPlans, other: &StatementPlans) -> Option<bool> {
    let custom = one.custom.known_plan().zip(other.custom.known_plan());
    let [one, other] = [one, other].map(|side| side.generic.as_ref().and_then(ExplainOutcome::known_plan));
    let generic = one.zip(other);
    if custom.is_none() && generic.is_none() {
        return None;
    }
    Some([custom, generic].into_iter().flatten().all(|(one, other)| one.shape == other.shape))
}
