//! The trials are those that were stated: as long, and at these numbers of clients.
//!
//! How long a trial really took is `duration`, and which stated number of clients was not measured is `aborted`.

use std::collections::BTreeSet;

use stats::centre::range_of_figures;

use super::{Check, RuleSubject};
use crate::audit::material::{Material, TrialAccount};
use crate::audit::outcome::{CheckResult, VerdictFigure, Weight};
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};

pub(super) const CHECK: Check = Check {
    code: &Code {
        name: "claim-mismatch",
        group: CodeGroup::Method,
        detects: "The outputs are of other durations, clients or versions than the study claims.",
        reported_if: "The duration in the outputs differs from that of the study, or the outputs are of other numbers of \
                clients or another version of PostgreSQL.",
        thresholds: &[RuleThreshold::more_than("difference of the duration", TOLERANCE, ThresholdUnit::Share)],
        effects: &[IssueEffect::Informs],
        why: "The description does not fit the figures.",
        evidence: "Duration, clients and versions in the outputs and in the study.",
        fix: "Publish the outputs of the trials that the study describes.",
        confirm: "Compare the study with its outputs.",
        formerly: &["as-stated"],
    },
    about: RuleSubject::Transactions,
    rule: "the outputs agree with the study: its duration within 5 %, its numbers of clients, and its versions of \
           PostgreSQL",
    judge: check_claim_mismatch,
};

const TOLERANCE: f64 = 0.05;

fn check_claim_mismatch(material: &Material) -> CheckResult {
    let (durations, clients, versions) =
        (duration_figures(material), client_figures(material), version_figures(material));
    if durations.is_empty() && clients.is_empty() && versions.is_empty() {
        let needs = "what the study declares (duration_s, clients_per_cell), and outputs that contain the same facts";
        return CheckResult::cannot_tell(needs, vec![]);
    }
    let figures: Vec<VerdictFigure> = durations.into_iter().chain(clients).chain(versions).collect();
    if figures.iter().all(|figure| !figure.breaks) {
        return CheckResult::rule_holds(figures);
    }
    let consequence = "the figures are of other trials than those described, so the rest of the description may not \
                       apply to them either";
    CheckResult::rule_broken(Weight::Description, figures, consequence)
}

/// One figure for each side: the durations that its outputs say and nobody stated, or that all are as stated.
fn duration_figures(material: &Material) -> Vec<VerdictFigure> {
    let Some(stated) = material.design.stated_s else { return Vec::new() };
    material.sides.iter().filter_map(|side| durations_of_side(&side.name, material, stated)).collect()
}

fn durations_of_side(side: &str, material: &Material, stated: f64) -> Option<VerdictFigure> {
    let said: Vec<f64> = trials_of(material, side).filter_map(|trial| trial.stated_s).collect();
    let off: Vec<f64> = said.iter().copied().filter(|seconds| (seconds - stated).abs() > TOLERANCE * stated).collect();
    match range_of_figures(&off) {
        Some([least, most]) => {
            let range = if least < most { format!("{least:.0} to {most:.0} s") } else { format!("{least:.0} s") };
            let text = format!(
                "the outputs of {} of {} trials print a duration of {range}; the study declares {stated:.0} s",
                off.len(),
                said.len()
            );
            Some(VerdictFigure::against_rule(side, text))
        }
        None => (!said.is_empty()).then(|| VerdictFigure::within_rule(side, format!("{stated:.0} s, as declared"))),
    }
}

/// One figure for each side: numbers of clients that nobody stated, or that there are none.
fn client_figures(material: &Material) -> Vec<VerdictFigure> {
    material.sides.iter().filter_map(|side| clients_of_side(&side.name, material)).collect()
}

fn declared_clients_of_trial(trial: &TrialAccount, material: &Material) -> BTreeSet<u32> {
    let lists = material.design.stated_clients.iter();
    let here = lists.filter(|(of, _)| of.is_none() || *of == trial.residency);
    here.flat_map(|(_, clients)| clients.clone()).collect()
}

fn clients_of_side(side: &str, material: &Material) -> Option<VerdictFigure> {
    let told = trials_of(material, side)
        .filter_map(|trial| Some((trial.clients.known_count()?, declared_clients_of_trial(trial, material))));
    let told: Vec<(u32, BTreeSet<u32>)> = told.filter(|(_, stated)| !stated.is_empty()).collect();
    let all: BTreeSet<u32> = told.iter().flat_map(|(_, stated)| stated.clone()).collect();
    let off: BTreeSet<u32> =
        told.iter().filter(|(clients, stated)| !stated.contains(clients)).map(|(clients, _)| *clients).collect();
    match off.is_empty() {
        false => Some(VerdictFigure::against_rule(
            side,
            format!("measured at {} clients; the study declares {}", list_clients(&off), list_clients(&all)),
        )),
        true if told.is_empty() => None,
        true => Some(VerdictFigure::within_rule(side, "at the declared numbers of clients")),
    }
}

fn list_clients(clients: &BTreeSet<u32>) -> String {
    clients.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}

/// One figure for each side whose outputs print another version than is stated.
fn version_figures(material: &Material) -> Vec<VerdictFigure> {
    let unlike = material.sides.iter().filter_map(|side| Some((side, side.versions.as_ref()?)));
    unlike
        .map(|(side, [stated, printed])| {
            VerdictFigure::against_rule(
                &side.name,
                format!("the outputs print PostgreSQL {printed}; the study declares {stated}"),
            )
        })
        .collect()
}

fn trials_of<'a>(material: &'a Material, side: &'a str) -> impl Iterator<Item = &'a TrialAccount> {
    material.trials.iter().filter(move |trial| trial.side == side)
}
