//! Every code: of the rules of the diagnosis, the checks of the audit, and what is said of trials and runs.

use std::sync::LazyLock;

use crate::audit::CHECKS;
use crate::codes::{Code, OF_RUNS};
use crate::diagnose::RULES;

/// Every code once, by group and within it in the order of the families: made once, asked for each doubt of a history.
static ALL_CODES: LazyLock<Vec<&'static Code>> = LazyLock::new(|| {
    let mut codes: Vec<&'static Code> = Vec::new();
    let of_rules = RULES.iter().map(|rule| rule.code);
    let of_checks = CHECKS.iter().map(|check| check.code);
    for code in of_rules.chain(of_checks).chain(OF_RUNS.iter().copied()) {
        if codes.iter().all(|known| *known != code) {
            codes.push(code);
        }
    }
    codes.sort_by_key(|code| code.group);
    codes
});

/// Every code once, by group and within it in the order of the families.
pub fn all_codes() -> &'static [&'static Code] {
    &ALL_CODES
}

/// The code of this name.
pub fn code_named(name: &str) -> Option<&'static Code> {
    all_codes().iter().copied().find(|code| code.name == name)
}

/// Today's name of a code that an earlier version may have written; the name itself where it is not known.
pub fn current_name(written: &str) -> &str {
    let renamed = all_codes().iter().copied().find(|code| code.formerly.contains(&written));
    renamed.map_or(written, |code| code.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes::{GENERATOR_BOUND, IssueEffect, SETTINGS_NOT_APPLIED};

    #[test]
    fn codes_list_the_effects_of_their_findings_the_strongest_first() {
        for rule in RULES {
            let weakens = [GENERATOR_BOUND.name, SETTINGS_NOT_APPLIED.name].contains(&rule.code.name);
            let expected: &[IssueEffect] =
                if weakens { &[IssueEffect::Weakens] } else { &[IssueEffect::Explains, IssueEffect::Informs] };
            assert!(expected.iter().all(|effect| rule.code.effects.contains(effect)), "{}", rule.code.name);
        }
        for code in all_codes() {
            assert!(code.effects.is_sorted_by(|one, other| one < other), "{}: {:?}", code.name, code.effects);
            let said = code.effects_in_words();
            assert!(said.ends_with('.') && !said.contains('|') && !said.contains("  "), "{}: {said}", code.name);
        }
    }

    #[test]
    fn codes_are_unique_have_texts_and_never_take_a_former_name() {
        let codes = all_codes();
        let names: Vec<&str> = codes.iter().map(|code| code.name).collect();
        for code in codes {
            let name = code.name;
            assert_eq!(names.iter().filter(|other| **other == name).count(), 1, "{name}");
            assert!(name.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{name}");
            for text in [code.detects, code.reported_if, code.why, code.evidence, code.fix, code.confirm] {
                assert!(text.ends_with('.') && !text.contains('|') && !text.contains("  "), "{name}: {text:?}");
            }
            for threshold in code.thresholds {
                let said = threshold.in_words();
                assert!(!said.ends_with('.') && !said.contains('|') && !said.contains("  "), "{name}: {said:?}");
                assert!(threshold.value.is_finite() && threshold.value > 0.0, "{name}: {said:?}");
            }
            for former in code.formerly {
                assert!(!names.contains(former), "{former} is {name} today, and another code");
                let heirs = codes.iter().filter(|other| other.formerly.contains(former)).count();
                assert_eq!(heirs, 1, "{former}");
                assert_eq!(current_name(former), name);
            }
            assert_eq!(current_name(name), name);
            assert_eq!(code_named(name), Some(*code));
        }
        assert_eq!(current_name("never-heard-of"), "never-heard-of");
    }
}
