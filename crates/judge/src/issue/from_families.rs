//! Issues from what rules, checks and caveats found, and from differences that the plan does not declare.

use std::collections::BTreeSet;

use results::trial::{Cell, Trial};

use super::{Evidence, Issue, IssueEffect};
use crate::audit::{BenchmarkAudit, CheckRuling, Weight};
use crate::caveats::{Caveat, CaveatsOfTrials, by_kind, in_words, is_summed, of_all};
use crate::codes;
use crate::compare::Confounder;
use crate::diagnose::{Bearing, RankedFinding};

/// Those of the diagnosis.
pub(crate) fn of_findings(findings: &[RankedFinding]) -> Vec<Issue> {
    let mut issues = Vec::new();
    for (index, finding) in findings.iter().enumerate() {
        let code = finding.rule.code;
        let found = &finding.found;
        let effect = if code.name == codes::GENERATOR_BOUND.name || code.name == codes::SETTINGS_NOT_APPLIED.name {
            // What was measured is not what was asked for.
            IssueEffect::Weakens
        } else {
            match finding.bearing {
                Bearing::EverySide | Bearing::MoreOnFaster { .. } => IssueEffect::Informs,
                Bearing::Difference { .. } | Bearing::OtherSideUnknown { .. } | Bearing::NoComparison => {
                    IssueEffect::Explains
                }
            }
        };
        issues.push(Issue {
            effect,
            cells: finding.cells.clone(),
            cost: Some(found.cost.clone()),
            evidence: found.figures.iter().cloned().map(Evidence::Measured).collect(),
            risk: found.mend.as_ref().and_then(|mend| mend.gives_up.as_ref()).map(|gives_up| gives_up.what.to_owned()),
            confirm: found.confirm.expect.clone(),
            finding: Some(index),
            ..Issue::of_run(code, found.title.clone(), code.fix.to_owned())
        });
    }
    issues
}

/// Those of the audit: rules that are broken.
pub(crate) fn of_audit(audit: &BenchmarkAudit) -> Vec<Issue> {
    let mut issues = Vec::new();
    for (check, outcome) in &audit.findings {
        let CheckRuling::Broken(weight) = &outcome.verdict else { continue };
        let effect = match weight {
            Weight::Measurement => IssueEffect::Invalidates,
            Weight::Comparison | Weight::Conclusion | Weight::Figures => IssueEffect::Weakens,
            Weight::Description => IssueEffect::Informs,
        };
        let breaking = outcome.figures.iter().filter(|figure| figure.breaks);
        issues.push(Issue {
            effect,
            evidence: breaking
                .map(|figure| Evidence::Noted { of: figure.of.clone(), text: figure.text.clone() })
                .collect(),
            ..Issue::of_run(check.code, check.code.what_is_detected(), outcome.consequence.clone())
        });
    }
    issues
}

/// Those of trials: caveats of one code are one issue however many trials carry it. What `leave_out` says is answered
/// elsewhere.
pub(crate) fn of_caveats(
    trials: &[Trial],
    caveats: &CaveatsOfTrials,
    leave_out: impl Fn(&Caveat) -> bool,
) -> Vec<Issue> {
    let mut issues = Vec::new();
    for mut found in by_kind(trials, caveats) {
        found.retain(|(_, caveat)| !leave_out(caveat));
        if !found.is_empty() {
            issues.push(of_kind(&found));
        }
    }
    issues
}

fn of_kind(found: &[(&Trial, &Caveat)]) -> Issue {
    let targets: BTreeSet<&str> = found.iter().map(|(trial, _)| trial.cell.target.as_str()).collect();
    let targets: Vec<&str> = targets.into_iter().collect();
    let all: Vec<&Caveat> = found.iter().map(|(_, caveat)| *caveat).collect();
    let (text, fix) = in_words(&of_all(&all));
    let mut cells: Vec<Cell> = Vec::new();
    let mut evidence = Vec::new();
    for (trial, caveat) in found {
        if !cells.contains(&trial.cell) {
            cells.push(trial.cell.clone());
        }
        if *caveat != all[0] && !is_summed(caveat) {
            evidence.push(Evidence::Noted { of: format!("trial {}", trial.number), text: in_words(caveat).0 });
        }
    }
    Issue {
        effect: all[0].effect(),
        cells,
        evidence,
        trials: found.iter().map(|(trial, _)| trial.number).collect::<BTreeSet<u32>>().into_iter().collect(),
        ..Issue::of_run(all[0].code(), format!("{}: {text}", targets.join(", ")), fix)
    }
}

/// The differences that the plan does not declare, as one issue.
pub(crate) fn of_confounders(confounders: &[Confounder]) -> Option<Issue> {
    let first = confounders.first()?;
    let code = &codes::UNDECLARED_DIFFERENCE;
    let fix = if confounders.len() == 1 { first.hint.clone() } else { code.fix.to_owned() };
    let mut evidence = Vec::new();
    for found in confounders {
        for candidate in &found.candidates {
            evidence.push(Evidence::Noted { of: candidate.clone(), text: found.difference.to_string() });
        }
    }
    Some(Issue { evidence, ..Issue::of_run(code, "the sides differ in more than the plan declares".to_owned(), fix) })
}
