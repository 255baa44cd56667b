//! `trial.json` as earlier versions of pgdyno wrote it: formats 1 and 2 held caveats, of which most were concluded
//! from figures that stand in the same directory. Those are left out here, so that a report draws the conclusion once,
//! by the rules of today. And what was done before a trial they told in lines of text.

use serde::{Deserialize, Deserializer};

use super::{Incident, KernelValue, Preparation, Unrestored};

/// An entry of `preparation`.
#[derive(Deserialize)]
#[serde(untagged)]
enum EarlierStep {
    Typed(Preparation),
    Line(String),
}

/// What was done before a trial of any format.
pub(super) fn preparation<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Preparation>, D::Error> {
    let steps = Vec::<EarlierStep>::deserialize(deserializer)?;
    let step = |step| match step {
        EarlierStep::Typed(step) => step,
        EarlierStep::Line(line) => match line.strip_prefix("sysctl ").and_then(kernel_value) {
            Some(value) => Preparation::KernelValue(value),
            None if line.starts_with("cache ") => Preparation::InWords(line),
            None => Preparation::Statement(line),
        },
    };
    Ok(steps.into_iter().map(step).collect())
}

/// An entry of `incidents`, or of the `caveats` of before.
#[derive(Deserialize)]
#[serde(untagged)]
enum EarlierIncident {
    Incident(Incident),
    Concluded(#[expect(dead_code, reason = "known by its kind, and left out")] Concluded),
}

/// The caveats that follow from what is stored beside them.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
enum Concluded {
    ClientBound,
    BelowOffered,
    LateSends,
    ExternalGenerator,
    Ledger,
    Outages,
    Failures,
    Cache,
    SharedHost,
    BranchContention,
}

/// What went otherwise than asked, of a trial of any format.
pub(super) fn incidents<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Incident>, D::Error> {
    let written = Vec::<EarlierIncident>::deserialize(deserializer)?;
    let incidents = written.into_iter().filter_map(|written| match written {
        EarlierIncident::Incident(Incident::StepOmitted { statement, why }) => Some(step_omitted(statement, why)),
        EarlierIncident::Incident(incident) => Some(incident),
        EarlierIncident::Concluded(_) => None,
    });
    Ok(incidents.collect())
}

/// All that was not done was an omitted step once; two kinds of it are no statements.
fn step_omitted(statement: String, why: String) -> Incident {
    if statement == "the check of the ledger" {
        return Incident::LedgerUnchecked { why };
    }
    match statement.strip_prefix("restoring sysctl ").and_then(kernel_value) {
        Some(changed) => Incident::NotRestored { changed, why: parse_unrestored(why) },
        None => Incident::StepOmitted { statement, why },
    }
}

fn parse_unrestored(why: String) -> Unrestored {
    match why.strip_prefix("somebody has changed it during the trial: ") {
        Some(found) => Unrestored::ChangedMeanwhile(found.to_owned()),
        None => Unrestored::Failed(why),
    }
}

/// `vm.swappiness = 1 (before: 60)`.
fn kernel_value(text: &str) -> Option<KernelValue> {
    let (name, values) = text.split_once(" = ")?;
    let (set, before) = values.strip_suffix(')')?.rsplit_once(" (before: ")?;
    Some(KernelValue { name: name.to_owned(), set: set.to_owned(), before: before.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct Stored {
        #[serde(alias = "caveats", deserialize_with = "incidents")]
        incidents: Vec<Incident>,
    }

    fn stored(text: &str) -> Result<Vec<Incident>, serde_json::Error> {
        serde_json::from_str(text).map(|stored: Stored| stored.incidents)
    }

    #[test]
    fn of_the_caveats_of_before_those_stay_that_no_figure_tells() {
        let text = r#"{ "caveats": [
            { "kind": "client-bound", "busiest_thread": 0.97 },
            { "kind": "below-offered", "offered_per_s": 200.0, "achieved_per_s": 20.0, "skipped": 3 },
            { "kind": "late-sends", "late": 9, "of": 20 },
            { "kind": "external-generator", "program": "pgbench", "version": "18.0" },
            { "kind": "ledger", "lost": 1, "unexpected": 0, "of": 20 },
            { "kind": "outages", "count": 2, "cause": "reset" },
            { "kind": "failures", "failed": 2, "of": 20, "sqlstate": "40001" },
            { "kind": "cache", "wanted": "cold", "found": "it could not be verified" },
            { "kind": "shared-host" },
            { "kind": "branch-contention", "scale": 1, "clients": 8 },
            { "kind": "cancelled", "transactions": 1 },
            { "kind": "step-omitted", "statement": "CHECKPOINT", "why": "not permitted" },
            { "kind": "step-omitted", "statement": "the check of the ledger", "why": "no connection" },
            { "kind": "step-omitted", "statement": "restoring sysctl vm.swappiness = 1 (before: 60)",
              "why": "somebody has changed it during the trial: it is 8 now" },
            { "kind": "step-omitted", "statement": "restoring sysctl vm.swappiness = 1 (before: 60)", "why": "not permitted" }
        ] }"#;
        let why = |text: &str| text.to_owned();
        let changed = KernelValue { name: why("vm.swappiness"), set: why("1"), before: why("60") };
        let expected = [
            Incident::Cancelled { transactions: 1 },
            Incident::StepOmitted { statement: "CHECKPOINT".to_owned(), why: why("not permitted") },
            Incident::LedgerUnchecked { why: why("no connection") },
            Incident::NotRestored { changed: changed.clone(), why: Unrestored::ChangedMeanwhile(why("it is 8 now")) },
            Incident::NotRestored { changed, why: Unrestored::Failed(why("not permitted")) },
        ];
        assert_eq!(stored(text).unwrap(), expected);
        let expected = [
            &expected[..],
            &[Incident::PodLost { said: why("it is gone") }, Incident::PodUnseen { why: why("no answer") }],
        ];
        let expected = expected.concat();
        let again = format!(r#"{{ "incidents": {} }}"#, serde_json::to_string(&expected).unwrap());
        assert_eq!(stored(&again).unwrap(), expected, "as it is written now");
    }

    #[test]
    fn what_was_done_before_a_trial_is_told_apart_also_where_all_of_it_was_text() {
        #[derive(Deserialize)]
        struct Stored {
            #[serde(deserialize_with = "preparation")]
            preparation: Vec<Preparation>,
        }
        let stored = |text: &str| serde_json::from_str(text).map(|stored: Stored| stored.preparation).unwrap();
        let text = |text: &str| text.to_owned();
        let expected = [
            Preparation::KernelValue(KernelValue { name: text("vm.x"), set: text("1 2"), before: text("6") }),
            Preparation::Statement(text("CHECKPOINT")),
            Preparation::InWords(text("cache cold: server restarted")),
        ];
        let lines = r#"["sysctl vm.x = 1 2 (before: 6)", "CHECKPOINT", "cache cold: server restarted"]"#;
        assert_eq!(stored(&format!(r#"{{ "preparation": {lines} }}"#)), expected);
        let again = serde_json::to_string(&expected).unwrap();
        assert_eq!(stored(&format!(r#"{{ "preparation": {again} }}"#)), expected, "as it is written now");
    }

    #[test]
    fn a_kind_that_no_version_wrote_is_an_error() {
        assert!(stored(r#"{ "incidents": [{ "kind": "miracle" }] }"#).is_err());
    }
}
