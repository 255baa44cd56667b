//! Bandwidth is operations × block size.

use super::Check;
use crate::audit::material::{Material, Stage};
use crate::audit::outcome::{Figure, Outcome, Weight};
use crate::units;

pub(super) const CHECK: Check = Check {
    id: "arithmetic-of-storage",
    rule: "the bandwidth of a storage job is its IOPS × its block size, within 5 %",
    judge,
};

const TOLERANCE: f64 = 0.05;

fn judge(material: &Material) -> Outcome {
    let off = |stage: &Stage| -> Vec<f64> {
        let one = |flow: &crate::audit::material::Flow| {
            Some(flow.bytes_per_s? / (flow.iops * stage.block_bytes? as f64) - 1.0)
        };
        stage.flows().filter_map(one).collect()
    };
    let told: Vec<(&Stage, f64)> =
        material.stages.iter().flat_map(|stage| off(stage).into_iter().map(move |off| (stage, off))).collect();
    let Some(largest) = told.iter().map(|(_, off)| off.abs()).reduce(f64::max) else {
        return Outcome::cannot_tell("IOPS, bandwidth and block size of storage jobs", vec![]);
    };
    if largest <= TOLERANCE {
        let text = format!("they agree; the largest deviation is {}", units::percent(largest));
        return Outcome::holds(vec![Figure::fine(format!("{} figures", told.len()), text)]);
    }
    let figures = told.iter().filter(|(_, off)| off.abs() > TOLERANCE).map(|(stage, off)| {
        let text = format!("the bandwidth is {} from what its IOPS give", units::change(*off));
        Figure::against(format!("{}, {}", stage.job, stage.side), text)
    });
    let consequence = "IOPS, block size and bandwidth of these jobs cannot all be right";
    Outcome::broken(Weight::Figures, figures.collect(), consequence)
}
