//! One case: what is done to a server, what is measured on it, and what pgdyno should say.

use std::any::Any;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use crate::said::{Said, UNEXPLAINED};
use crate::site::{Site, report};

/// A condition, or a healthy control.
pub struct Case {
    /// What is injected, as the matrix says it.
    pub name: &'static str,
    /// What pgdyno should say of it.
    pub expected: Expected,
    /// Whether it needs root.
    pub needs_root: bool,
    /// Makes the servers and the condition.
    pub prepare: fn(&Site) -> Prepared,
}

/// What pgdyno should say of a case.
pub enum Expected {
    /// That it has this condition: one of these rules is the first or second finding.
    Finding(&'static [&'static str]),
    /// That it has nothing but these, where no rule need know it: what else is said would be false.
    AtMost(&'static [&'static str]),
    /// Nothing, and that it knows where the time went: it is healthy.
    Nothing,
    /// That the time went where it was lost: what was found, in words, if it did and if it did not.
    Budget(fn(&Said) -> Result<String, String>),
}

/// The largest share of a healthy server's latency that may be unexplained.
const UNEXPLAINED_AT_MOST: f64 = 0.1;

/// A case that is ready to be measured.
pub struct Prepared {
    /// The plan, as YAML.
    pub plan: String,
    /// What has to be there while it is measured; dropped in this order afterwards.
    pub held: Vec<Box<dyn Any>>,
}

/// The file of a kept run that has the share of the CPU time which was stolen meanwhile.
const STOLEN: &str = "stolen";

/// What came of a case.
pub enum Outcome {
    /// It was measured, and pgdyno said this.
    Said(Said),
    /// It could not be run.
    Failed(String),
}

impl Case {
    /// Runs it in a directory of its own, which is removed at the end.
    pub fn run(&self, keep: Option<&Path>) -> Outcome {
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let site = Site::new();
            let prepared = (self.prepare)(&site);
            let said = site.measure(&prepared.plan);
            // Servers first, then what they stand on.
            prepared.held.into_iter().for_each(drop);
            if let Some(keep) = keep {
                let kept = keep.join(self.file_name());
                site.keep_run(&kept);
                let stolen = said.stolen.map(|share| fs::write(kept.join(STOLEN), share.to_string()));
                stolen.transpose().expect("it is kept");
            }
            said
        }));
        outcome.map_or_else(|panic| Outcome::Failed(message(&*panic)), Outcome::Said)
    }

    /// Has a run that was kept before judged again.
    pub fn judge_kept(&self, kept: &Path) -> Outcome {
        let kept = kept.join(self.file_name());
        let stolen = || fs::read_to_string(kept.join(STOLEN)).ok().map(|share| share.parse().expect("a share"));
        let judged = catch_unwind(AssertUnwindSafe(|| Said { stolen: stolen(), ..report(&kept) }));
        judged.map_or_else(|panic| Outcome::Failed(message(&*panic)), Outcome::Said)
    }

    fn file_name(&self) -> String {
        self.name.chars().map(|c| if c.is_alphanumeric() || c == '_' { c } else { '-' }).collect()
    }

    /// The rules of which one must find something.
    pub fn rules(&self) -> &'static [&'static str] {
        match self.expected {
            Expected::Finding(rules) => rules,
            Expected::AtMost(_) | Expected::Nothing | Expected::Budget(_) => &[],
        }
    }

    /// Whether pgdyno said what it should, and of two sides the same whichever is the baseline.
    pub fn is_right(&self, outcome: &Outcome) -> bool {
        if let Outcome::Said(said) = outcome
            && !said.is_the_same_both_ways()
        {
            return false;
        }
        match (outcome, &self.expected) {
            (Outcome::Failed(_), _) => false,
            (Outcome::Said(said), Expected::Finding(rules)) => {
                said.of_the_case().iter().take(2).any(|rule| rules.contains(rule))
            }
            (Outcome::Said(said), Expected::AtMost(rules)) => {
                said.of_the_case().iter().all(|rule| rules.contains(rule))
            }
            (Outcome::Said(said), Expected::Nothing) => {
                said.of_the_case().is_empty()
                    && !said.budgets.is_empty()
                    && said.share(UNEXPLAINED) <= UNEXPLAINED_AT_MOST
            }
            (Outcome::Said(said), Expected::Budget(check)) => check(said).is_ok(),
        }
    }
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("it panicked").to_owned()
}
