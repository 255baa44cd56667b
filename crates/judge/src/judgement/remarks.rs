//! What the plan, or the study of an import, says to the reader of the report: who measured, for whom, and notes.

use crate::observed::Observed;

/// Words of the plan's author, or the study's, that are printed as they are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunRemarks {
    /// Who measured.
    pub author: Option<String>,
    /// For whom.
    pub customer: Option<String>,
    /// The day on which the run began, or on which it was imported, in UTC.
    pub day: String,
    /// Whether it was imported: when it was measured stands nowhere.
    pub is_imported: bool,
    /// What the reader has to know, a line each.
    pub notes: Vec<String>,
}

impl RunRemarks {
    /// Whether anything is said.
    pub fn is_empty(&self) -> bool {
        self.author.is_none() && self.customer.is_none() && self.notes.is_empty()
    }
}

/// Those of a run.
pub(super) fn remarks_of_run(observed: &Observed) -> RunRemarks {
    let day = observed.run.started_at.strftime("%Y-%m-%d").to_string();
    match (&observed.plan, &observed.run.imported) {
        (Some(plan), _) => RunRemarks {
            author: plan.author.clone(),
            customer: plan.customer.clone(),
            day,
            is_imported: false,
            notes: plan.notes.clone(),
        },
        (None, Some(imported)) => {
            let stated = &imported.stated;
            RunRemarks {
                author: stated.get("author").cloned(),
                customer: stated.get("customer").cloned(),
                day,
                is_imported: true,
                notes: stated.get("notes").cloned().into_iter().collect(),
            }
        }
        (None, None) => RunRemarks { day, ..RunRemarks::default() },
    }
}
