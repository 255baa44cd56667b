//! What loads beside did otherwise than asked: one that did not run has its trial measure something else.

use results::trial::{BesideTotals, Trial};

use crate::thresholds::FAILED_AT_MOST;

/// What a load beside did otherwise than asked.
#[derive(Debug, Clone, PartialEq)]
pub enum BesideTrouble {
    /// It was never executed, or stopped before the end.
    NotRun {
        /// Its name.
        load: String,
        /// Why, as far as that is known.
        why: String,
    },
    /// Some of its executions failed.
    Failed {
        /// Its name.
        load: String,
        /// How many.
        failed: u64,
        /// Out of how many that ended.
        of: u64,
        /// What was said first.
        first_error: Option<String>,
    },
}

impl BesideTrouble {
    /// Of a load that had some.
    pub(crate) fn of_load(totals: &BesideTotals) -> Option<Self> {
        let load = totals.name.clone();
        if let Some(why) = &totals.error {
            return Some(Self::NotRun { load, why: why.clone() });
        }
        let of = totals.completed + totals.failed;
        if of + totals.unfinished == 0 {
            return Some(Self::NotRun { load, why: "no execution began".to_owned() });
        }
        let (failed, first_error) = (totals.failed, totals.first_error.clone());
        (failed > 0).then_some(Self::Failed { load, failed, of, first_error })
    }

    /// Whether the trial did not have the load that was asked for.
    pub(crate) fn is_invalidating(&self) -> bool {
        match self {
            Self::NotRun { .. } => true,
            Self::Failed { failed, of, .. } => *failed as f64 > FAILED_AT_MOST * *of as f64,
        }
    }

    /// What it is, a sentence without its period.
    pub(crate) fn in_words(&self) -> String {
        match self {
            Self::NotRun { load, why } => format!("the load \"{load}\" did not run beside: {why}"),
            Self::Failed { load, failed, of, first_error } => {
                let said = first_error.as_ref().map_or_else(String::new, |said| format!(": {said}"));
                format!("{failed} of {of} executions of the load \"{load}\" beside failed{said}")
            }
        }
    }

    /// The same, and what to do about it.
    pub(crate) fn text_and_hint(&self) -> (String, String) {
        let hint = if self.is_invalidating() {
            "the trial did not have the load that was to run beside it and is not compared; correct the load"
        } else {
            "the trial had a little less of the load beside than it was to have"
        };
        (self.in_words(), hint.to_owned())
    }
}

/// Why a trial did not have the loads beside that were asked for.
pub(crate) fn missing_load(trial: &Trial) -> Option<String> {
    let trouble = trial.beside.iter().filter_map(BesideTrouble::of_load);
    trouble.filter(BesideTrouble::is_invalidating).map(|trouble| trouble.in_words()).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn totals(completed: u64, failed: u64, unfinished: u64) -> BesideTotals {
        let not_run = BesideTotals::not_run("report", "script", 1, String::new());
        BesideTotals { measure_us: 1_000_000, completed, failed, unfinished, error: None, ..not_run }
    }

    #[test]
    fn a_load_that_was_under_way_all_the_time_has_run() {
        assert_eq!(BesideTrouble::of_load(&totals(0, 0, 1)), None);
        assert_eq!(BesideTrouble::of_load(&totals(3, 0, 0)), None);
    }

    #[test]
    fn a_load_that_never_ran_invalidates_and_single_failures_weaken() {
        for (of, invalidates) in [(totals(0, 0, 0), true), (totals(0, 4, 0), true), (totals(1_000, 1, 0), false)] {
            let trouble = BesideTrouble::of_load(&of).expect("it had some");
            assert_eq!(trouble.is_invalidating(), invalidates, "{trouble:?}");
        }
        let refused = BesideTotals { error: Some("no route".to_owned()), ..totals(5, 0, 1) };
        let trouble = BesideTrouble::of_load(&refused).expect("it stopped");
        assert!(trouble.is_invalidating() && trouble.in_words().contains("no route"));
    }
}
