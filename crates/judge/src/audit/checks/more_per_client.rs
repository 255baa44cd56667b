//! A client does not get more done because there are more clients, unless something else changed between the trials.

use super::Check;
use crate::audit::ladder::ladders;
use crate::audit::material::Material;
use crate::audit::outcome::{Figure, Outcome, Weight};
use crate::units;

pub(super) const CHECK: Check = Check {
    id: "more-per-client",
    rule: "throughput per client does not rise with the number of clients, where trials were not interleaved in a random order",
    judge,
};

/// A rise by less is noise of single trials.
const TOLERANCE: f64 = 0.10;

fn judge(material: &Material) -> Outcome {
    if material.design.interleaved {
        let text = "trials were interleaved in a random order, so that drift falls on all alike";
        return Outcome::holds(vec![Figure::fine("all cells", text)]);
    }
    let ladders = ladders(material);
    if ladders.iter().all(|ladder| ladder.rungs.len() < 2) {
        return Outcome::cannot_tell("two or more numbers of clients, or trials interleaved in a random order", vec![]);
    }
    let mut figures = Vec::new();
    for ladder in &ladders {
        for pair in ladder.rungs.windows(2) {
            let each = [pair[0], pair[1]].map(|rung| rung.throughput_per_s / f64::from(rung.clients));
            if each[1] > (1.0 + TOLERANCE) * each[0] {
                let text = format!(
                    "{} per client at {}, {} at {}",
                    units::tps(each[0]),
                    units::clients(pair[0].clients),
                    units::tps(each[1]),
                    units::clients(pair[1].clients),
                );
                figures.push(Figure::against(ladder.place(), text));
            }
        }
    }
    if figures.is_empty() {
        return Outcome::holds(vec![Figure::fine(format!("{} ladders", ladders.len()), "nowhere more per client")]);
    }
    let consequence = "something other than the clients changed between these trials: a cache grew warm, a neighbour left, the machine \
                       changed its pace. It may differ between the sides as well, and nothing in the figures can tell the two apart";
    Outcome::broken(Weight::Comparison, figures, consequence)
}
