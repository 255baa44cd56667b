//! Disks that are said to be the same perform alike.

use super::Check;
use crate::audit::material::{Material, Stage};
use crate::audit::outcome::{Figure, Outcome, Weight};
use crate::units;

pub(super) const CHECK: Check = Check {
    id: "same-disk",
    rule: "the same storage job (name, block size, depth, direction, sync) gives the same throughput, within 20 %, on sides whose storage is said to be the same",
    judge,
};

const TOLERANCE: f64 = 0.20;

fn judge(material: &Material) -> Outcome {
    let mut figures = Vec::new();
    for (index, one) in material.stages.iter().enumerate() {
        figures.extend(material.stages[index + 1..].iter().filter_map(|other| compare(material, one, other)));
    }
    if figures.is_empty() {
        return Outcome::cannot_tell("the same storage job on two sides whose storage is said to be the same", vec![]);
    }
    if figures.iter().all(|figure| !figure.breaks) {
        return Outcome::holds(figures);
    }
    let consequence = "what is called the same storage is not: a neighbour, a burst, a limit or another depth made the difference, and \
                       it is part of every other difference between these sides";
    Outcome::broken(Weight::Conclusion, figures, consequence)
}

fn compare(material: &Material, one: &Stage, other: &Stage) -> Option<Figure> {
    let storage = |stage: &Stage| material.side(&stage.side)?.storage.clone();
    let asked = |stage: &Stage| {
        (stage.block_bytes, stage.stated_in_flight, stage.synced, stage.reads.is_some(), stage.writes.is_some())
    };
    let same = one.side != other.side
        && one.job == other.job
        && asked(one) == asked(other)
        && storage(one)? == storage(other)?;
    let [a, b] = [one.iops()?, other.iops()?];
    same.then(|| Figure {
        of: format!("{}, {} and {}", one.job, one.side, other.side),
        text: format!(
            "{a:.0} and {b:.0} IOPS ({}) on {}",
            units::change(b / a - 1.0),
            storage(one).unwrap_or_default()
        ),
        breaks: a.max(b) > (1.0 + TOLERANCE) * a.min(b),
    })
}
