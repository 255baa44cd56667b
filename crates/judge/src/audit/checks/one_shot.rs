//! A cell is measured more than once, and what is compared is not the best of several.

use super::Check;
use crate::audit::material::Material;
use crate::audit::outcome::{Figure, Outcome, Weight};

pub(super) const CHECK: Check = Check {
    id: "one-shot",
    rule: "every cell is repeated (three times or more), its spread is given, and no best-of is compared",
    judge,
};

/// Two trials of a cell give no interval that is worth its name.
const REPETITIONS_AT_LEAST: u32 = 3;

fn judge(material: &Material) -> Outcome {
    let mut figures = Vec::new();
    match material.design.repetitions {
        None => {
            return Outcome::cannot_tell("how often each cell was measured, and the spread", vec![]);
        }
        Some(n) => figures.push(Figure {
            of: "each cell".to_owned(),
            text: if n == 1 { "measured once".to_owned() } else { format!("measured {n} times") },
            breaks: n < REPETITIONS_AT_LEAST,
        }),
    }
    if figures.iter().all(|figure| !figure.breaks) {
        return Outcome::holds(figures);
    }
    if material.design.compares_peaks == Some(true) {
        let text = "the highest over the numbers of clients: the best of several single trials, which luck raises";
        figures.push(Figure::against("what is compared", text));
    }
    let consequence = "nothing is known of how much a second measurement would differ: a change cannot be told from the variation between runs. \
                       Measure three blocks or more";
    Outcome::broken(Weight::Conclusion, figures, consequence)
}
