//! The generator does not take CPU from the server, and neither do neighbours.

use super::{About, Check};
use crate::audit::material::{Material, TrialAccount};
use crate::audit::outcome::{CheckResult, Figure, Weight};
use crate::units;

pub(super) const CHECK: Check = Check {
    id: "placement",
    about: About::Transactions,
    rule: "the generator has a machine of its own or leaves the server's CPUs idle time, and no neighbour takes CPU (steal under 2 %, other processes under 10 %)",
    judge,
};

/// Above this share of its CPU time in use, a host shared with the generator had none to spare.
const BUSY: f64 = 0.9;

/// Steal beyond this share is a neighbour's doing.
const STOLEN: f64 = 0.02;

/// Other processes that use more of the host's CPU time are neighbours; what a system does by itself stays below.
const FOREIGN: f64 = 0.1;

fn judge(material: &Material) -> CheckResult {
    let mut figures = Vec::new();
    let mut untold = Vec::new();
    for side in &material.sides {
        let of_side = || material.trials.iter().filter(|trial| trial.side == side.name);
        let most = |figure: fn(&TrialAccount) -> Option<f64>| of_side().filter_map(figure).reduce(f64::max);
        match (side.on_generator_host, most(|trial| trial.host_busy)) {
            (Some(true), Some(busy)) => figures.push(Figure {
                of: side.name.clone(),
                text: format!("the generator ran on its host, whose CPUs were up to {} in use", units::percent(busy)),
                breaks: busy > BUSY,
            }),
            (Some(true), None) => {
                figures.push(Figure::against(
                    side.name.clone(),
                    "the generator ran on its host, how busy that was is not known",
                ));
            }
            (Some(false), _) => figures.push(Figure::fine(side.name.clone(), "the generator had a machine of its own")),
            (None, _) => untold.push(Figure::fine(side.name.clone(), "where the generator ran is not known")),
        }
        let (stolen, foreign) = (most(|trial| trial.stolen), most(|trial| trial.foreign));
        figures.extend(stolen.map(|stolen| Figure {
            of: side.name.clone(),
            text: format!("up to {} of its CPU time stolen", units::percent(stolen)),
            breaks: stolen > STOLEN,
        }));
        figures.extend(foreign.map(|foreign| Figure {
            of: side.name.clone(),
            text: format!("other processes used up to {} of its CPU time", units::percent(foreign)),
            breaks: foreign > FOREIGN,
        }));
        let what = match (stolen, foreign) {
            (Some(_), Some(_)) => continue,
            (None, Some(_)) => "steal",
            (Some(_), None) => "other processes",
            (None, None) => "steal, other processes",
        };
        untold.push(Figure::fine(side.name.clone(), format!("CPU time taken by neighbours ({what}) is not known")));
    }
    if figures.iter().any(|figure| figure.breaks) {
        let consequence = "CPU that the server needed went elsewhere: its figures are lower than its own, and the comparison stands only as far as \
 the sides suffered alike: give the load a machine of its own, and look for the neighbour";
        let alike =
            material.sides.iter().all(|side| figures.iter().any(|figure| figure.breaks && figure.of == side.name));
        CheckResult::broken(if alike { Weight::Figures } else { Weight::Comparison }, figures, consequence)
    } else if !untold.is_empty() || figures.is_empty() {
        CheckResult::cannot_tell(
            "steal and foreign CPU time of each host, and where the generator ran",
            figures.into_iter().chain(untold).collect(),
        )
    } else {
        CheckResult::holds(figures)
    }
}
