//! `settings-not-applied`: a setting that somebody asked for is not in force, and no error said so.

use plan::Plan;
use results::probe_fields::host_memory;

use crate::codes;
use crate::diagnose::case::DiagnosisCase;
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{
    CaseFinding, Confidence, EvidenceFigure, FigureAmount, FindingCost, FindingKind, figure,
};
use crate::diagnose::quantity::Measure;
use crate::diagnose::rule::{Looked, MissingObservation, Rule};
use crate::thresholds::{HugePages, huge_pages, waiting_for_restart};

/// The rule.
pub(super) const RULE: Rule =
    Rule { code: &codes::SETTINGS_NOT_APPLIED, measure: Measure::Fact, look: look_for_settings_not_applied };

fn look_for_settings_not_applied(case: &DiagnosisCase<'_>) -> Looked {
    let facts = case.target_facts()?;
    let mut figures: Vec<EvidenceFigure> = waiting_for_restart(&facts.settings)
        .map(|(name, setting)| {
            figure(name, FigureAmount::Text(format!("{}; a change requires a restart", setting.value)))
        })
        .collect();
    figures.extend(unlike_the_plan(case));
    // A gap here hides no other figure: what was found stands.
    match without_huge_pages(case) {
        Ok(found) => figures.extend(found),
        Err(missing) if figures.is_empty() => return Err(missing),
        Err(_) => {}
    }
    if figures.is_empty() {
        return Ok(None);
    }
    Ok(Some(CaseFinding {
        title: format!("settings are not in effect: {}", names_of_figures(&figures)),
        kind: FindingKind::Problem,
        confidence: Confidence::High,
        cost: FindingCost::NotAttributable,
        figures,
        windows: case.all_the_time(),
        chart: None,
        would_disprove: "the same figures once the setting is in effect".to_owned(),
        confirm: Confirm::repeat_unchanged(
            case,
            "apply the setting (restart the server; reserve huge pages with vm.nr_hugepages and set huge_pages = on, which \
             fails if there are none), run this plan, and compare",
        ),
        mend: None,
    }))
}

fn names_of_figures(figures: &[EvidenceFigure]) -> String {
    figures.iter().map(|figure| figure.name.as_str()).collect::<Vec<_>>().join(", ")
}

/// `huge_pages`, asked for and not had.
fn without_huge_pages(case: &DiagnosisCase<'_>) -> Result<Option<EvidenceFigure>, MissingObservation> {
    let asked = match huge_pages(&case.target_facts()?.settings) {
        HugePages::NotAsked | HugePages::InUse => return Ok(None),
        HugePages::Missing(asked) => asked,
        // Without reserved pages it cannot have any.
        HugePages::NotSaid(asked) if case.highest_reading(host_memory::HUGE_PAGES_TOTAL)? == 0.0 => asked,
        HugePages::NotSaid(_) => return Ok(None),
    };
    Ok(Some(figure("huge_pages", FigureAmount::Text(format!("{asked}; the server has no huge pages")))))
}

/// Words (no numbers, which are spelled in many units) that the plan gives and the server reports otherwise.
fn unlike_the_plan(case: &DiagnosisCase<'_>) -> Vec<EvidenceFigure> {
    let given = case.run_plan().and_then(|plan: &Plan| plan.target_by_name(&case.cell().target)).into_iter().flat_map(
        |target| {
            let settings = target.reach.as_local().map(|local| &local.settings);
            settings.into_iter().flatten().chain(&target.settings)
        },
    );
    let unlike = given.filter_map(|(name, asked)| {
        let name = name.to_lowercase();
        if case
            .trials()
            .iter()
            .any(|measured| measured.trial.settings.keys().any(|confirmed| confirmed.eq_ignore_ascii_case(&name)))
        {
            return None;
        }
        let is = &case.server_setting(&name).ok()?.value;
        let (word, other) = (as_word(asked)?, as_word(is)?);
        (word != other).then(|| figure(name, FigureAmount::Text(format!("{is}; the plan specifies {asked}"))))
    });
    unlike.collect()
}

/// A setting's value in lower case with the spellings of truth made one; none if a digit is in it.
fn as_word(value: &str) -> Option<String> {
    let word = value.to_lowercase();
    match word.as_str() {
        "true" | "yes" | "on" | "1" => Some("on".to_owned()),
        "false" | "no" | "off" | "0" => Some("off".to_owned()),
        other if other.chars().all(|c| c.is_ascii_lowercase() || c == '_' || c == '-') => Some(word),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::diagnose::built::Built;

    #[test]
    fn huge_pages_that_there_are_none_of_are_found() {
        let found = Built::healthy().setting("huge_pages", "try").setting("huge_pages_status", "off").finds(&RULE);
        assert_eq!(found.title, "settings are not in effect: huge_pages");
        let older = Built::healthy()
            .setting("huge_pages", "try")
            .with(|c| c.probe("host.memory", &[("huge_pages_total", 0.0)]));
        assert_eq!(older.finds(&RULE).title, "settings are not in effect: huge_pages");
    }

    #[test]
    fn a_change_that_waits_for_a_restart_and_a_word_unlike_the_plans_are_found() {
        let pending =
            json!({ "value": "128MB", "default": null, "source": "configuration file", "pending_restart": true });
        let found = Built::healthy().fact("/settings/shared_buffers", pending).finds(&RULE);
        assert_eq!(found.title, "settings are not in effect: shared_buffers");
        let asked = Built::healthy()
            .target("{ local: { version: 18, settings: { io_method: io_uring } } }")
            .setting("io_method", "worker");
        assert_eq!(asked.finds(&RULE).title, "settings are not in effect: io_method");
    }

    #[test]
    fn what_is_in_force_or_was_never_asked_for_is_fine() {
        Built::healthy().is_fine_for(&RULE);
        Built::healthy().setting("huge_pages", "try").setting("huge_pages_status", "on").is_fine_for(&RULE);
        let default = json!({ "value": "try", "default": "try", "source": "default", "pending_restart": false });
        Built::healthy().fact("/settings/huge_pages", default).is_fine_for(&RULE);
        let asked =
            Built::healthy().target("{ local: { version: 18, settings: { jit: 'false' } } }").setting("jit", "off");
        asked.is_fine_for(&RULE);
    }

    #[test]
    fn an_older_server_on_an_unknown_host_leaves_it_open() {
        let built = Built::healthy().setting("huge_pages", "try");
        assert_eq!(built.lacks(&RULE), "host.memory huge_pages_total: the probe was not attached");
    }
}
