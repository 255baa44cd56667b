//! The load generator was not the limit.

use super::{About, Check};
use crate::audit::material::{Material, TrialAccount};
use crate::audit::outcome::{CheckResult, Figure, Weight};
use crate::caveats::BUSY_THREAD;
use crate::units;

pub(super) const CHECK: Check = Check {
    id: "client-bound",
    about: About::Transactions,
    rule: "the busiest thread of the load generator had CPU to spare: it needed less than 90 % of one",
    judge,
};

fn judge(material: &Material) -> CheckResult {
    let told: Vec<(&TrialAccount, f64)> =
        material.trials.iter().filter_map(|trial| Some((trial, trial.generator_demand?))).collect();
    let figure = |(trial, demand): &(&TrialAccount, f64)| Figure {
        of: trial.place(),
        text: format!("its busiest thread needed {} of a CPU", units::percent(*demand)),
        breaks: *demand >= BUSY_THREAD,
    };
    let busiest = told.iter().max_by(|(_, a), (_, b)| a.total_cmp(b));
    match busiest {
        Some((_, demand)) if *demand >= BUSY_THREAD => {
            let figures = told.iter().filter(|(_, demand)| *demand >= BUSY_THREAD).map(figure).collect();
            let consequence = "at these places the generator's limit was measured, and a difference between the sides is hidden by it: give it more \
 threads, or a machine of its own";
            CheckResult::broken(Weight::Comparison, figures, consequence)
        }
        Some(busiest) if told.len() == material.trials.len() => CheckResult::holds(vec![figure(busiest)]),
        Some(_) | None => {
            let tool = material.design.generator.as_deref().unwrap_or("the generator");
            CheckResult::cannot_tell(format!("the CPU that {tool} used, and its number of threads"), vec![])
        }
    }
}
