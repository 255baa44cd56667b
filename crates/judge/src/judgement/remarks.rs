//! What the plan says to the reader of the report: who measured, for whom, and notes.

use crate::observed::Observed;

/// Words of the plan's author that are printed as they are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunRemarks {
    /// Who measured.
    pub author: Option<String>,
    /// For whom.
    pub customer: Option<String>,
    /// The day on which the run began, in UTC.
    pub day: String,
    /// What the reader has to know, a line each.
    pub notes: Vec<String>,
}

impl RunRemarks {
    /// Whether the plan says anything.
    pub fn is_empty(&self) -> bool {
        self.author.is_none() && self.customer.is_none() && self.notes.is_empty()
    }
}

/// Those of a run; of an imported one there are none.
pub(super) fn remarks_of_run(observed: &Observed) -> RunRemarks {
    let day = observed.run.started_at.strftime("%Y-%m-%d").to_string();
    match &observed.plan {
        None => RunRemarks { day, ..RunRemarks::default() },
        Some(plan) => {
            RunRemarks { author: plan.author.clone(), customer: plan.customer.clone(), day, notes: plan.notes.clone() }
        }
    }
}
