//! The generator does not take CPU from the server.
//!
//! On one host with the server a generator takes what it needs, alike on both sides. Where the CPUs are busy, the
//! server's figures are lower by that share, and a change of the server shows as that much less than it is. What it
//! took is that of all trials of a cell: a moment of one of them is what they are repeated for, and shows in their
//! spread.

use super::cpu_of_host::{most_of_cells, of_all_sides};
use super::{Check, RuleSubject};
use crate::audit::material::{AuditedSide, Material, TrialAccount};
use crate::audit::outcome::{CheckResult, VerdictFigure};
use crate::codes;
use crate::thresholds::{CPUS_SATURATED, FOREIGN, TAKEN_BY_GENERATOR, is_stolen};
use crate::units;

pub(super) const CHECK: Check = Check {
    code: &codes::SHARED_HOST,
    about: RuleSubject::Transactions,
    rule: "the generator has a machine of its own, leaves idle CPU time, or takes less than 20 % of the CPUs",
    judge: check_shared_host,
};

/// CPUs of which there were none to spare.
pub(super) struct Contended {
    /// Share of their time in which they were in use.
    pub(super) busy: f64,
    /// Share of their time that the generator used.
    pub(super) by_generator: f64,
}

/// The CPUs of a trial's host, if the generator ran there, all were in use, and nearly all of it was by the server.
pub(super) fn had_by_server(side: &AuditedSide, trial: &TrialAccount) -> Option<Contended> {
    let contended = Contended { busy: trial.host_busy?, by_generator: trial.generator_share? };
    let is_busy = side.on_generator_host? && contended.busy > CPUS_SATURATED;
    let is_the_servers =
        contended.by_generator <= TAKEN_BY_GENERATOR && trial.foreign? < FOREIGN && !is_stolen(trial.stolen?);
    (is_busy && is_the_servers).then_some(contended)
}

fn check_shared_host(material: &Material) -> CheckResult {
    let mut figures = Vec::new();
    let mut untold = Vec::new();
    for side in &material.sides {
        match (side.on_generator_host, most_of_cells(material, side, |trial| trial.host_busy)) {
            (Some(true), Some(busy)) => {
                figures.push(shared_host_figure(side, busy, most_of_cells(material, side, generator_cpu_share)));
            }
            (Some(true), None) => {
                untold.push(VerdictFigure::within_rule(
                    side.name.clone(),
                    "the generator ran on the server's host, whose CPU usage is not known",
                ));
            }
            (Some(false), _) => {
                figures.push(VerdictFigure::within_rule(side.name.clone(), "the generator had a machine of its own"));
            }
            (None, _) => {
                untold.push(VerdictFigure::within_rule(side.name.clone(), "the host of the generator is not known"));
            }
        }
    }
    let consequence = "the generator used CPU time that the server needed: the server's figures are too low, and the \
                       comparison holds only as far as the sides were affected equally. Give the load a machine of its \
                       own";
    of_all_sides(material, figures, untold, "the host of the generator, and its CPU usage", consequence)
}

/// What the generator took of the CPUs in a trial in which there were none to spare.
fn generator_cpu_share(trial: &TrialAccount) -> Option<f64> {
    trial.generator_share.filter(|_| trial.host_busy.is_none_or(|busy| busy > CPUS_SATURATED))
}

/// What a generator on the host of a side did to CPUs that were up to so much in use.
fn shared_host_figure(side: &AuditedSide, busy: f64, taken: Option<f64>) -> VerdictFigure {
    let of_it = taken.map_or_else(String::new, |share| {
        format!(", up to {} by the generator while no CPU was idle", units::format_percent(share))
    });
    VerdictFigure {
        of: side.name.clone(),
        text: format!(
            "the generator ran on the server's host, whose CPUs were up to {} busy{of_it}",
            units::format_percent(busy)
        ),
        breaks: busy > CPUS_SATURATED && taken.is_none_or(|share| share > TAKEN_BY_GENERATOR),
    }
}
