//! `jit`: much of the time of the statements goes into compiling them before they are executed.

use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::case::{DiagnosisCase, MeasuredTrial};
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{CaseFinding, Confidence, EvidenceFigure, FigureAmount, FindingKind, figure};
use crate::diagnose::mend::Mend;
use crate::diagnose::quantity::Measure;
use crate::diagnose::rule::{Looked, MissingObservation, Rule};
use crate::diagnose::seconds::ChartedSeries;
use crate::diagnose::spent::{EXECUTES_LONGER, STATEMENTS_TAKE_LONGER, is_executing};
use crate::units;

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &Code {
        name: "jit",
        group: CodeGroup::Plans,
        detects: "JIT compilation takes a large share of the time of the statements.",
        reported_if: "JIT compilation takes most of the execution time. A smaller share suffices if it is much lower on \
                another side, and execution takes longer here beyond chance. If it is not counted, a statement that is \
                compiled only here suffices, if its query plan is the same otherwise and it takes longer beyond chance.",
        thresholds: &[
            RuleThreshold::at_least("JIT compilation as a share of the execution time", MOST, ThresholdUnit::Share),
            RuleThreshold::at_least("the same, if another side compiles less", MUCH, ThresholdUnit::Share),
            RuleThreshold::less_than("the share on that side, relative to this side", LESS, ThresholdUnit::Share),
            EXECUTES_LONGER,
            STATEMENTS_TAKE_LONGER,
        ],
        effects: IssueEffect::OF_FINDINGS,
        why: "Compilation takes as long for one row as for a million, and is repeated for each execution; it pays only for statements \
              that take seconds. A higher jit_above_cost, or jit = off, avoids it for the others.",
        evidence: "JIT time per statement (`pg_stat_statements`) and its share of the execution time.",
        fix: "Raise jit_above_cost, or set jit = off.",
        confirm: "Run the plan again with jit = off.",
        formerly: &[],
    },
    measure: Measure::Time,
    look: look_for_jit,
};

/// From this share of the execution time on, compiling costs more than it can have saved: executing what is compiled is
/// the smaller part.
const MOST: f64 = 0.5;

/// From this share on it tells why executing takes longer than on a side that compiles less.
const MUCH: f64 = 0.1;

/// A side compiles less below this share of what this side compiles.
const LESS: f64 = 0.5;

fn look_for_jit(case: &DiagnosisCase<'_>) -> Looked {
    if case.statement_plans().is_ok_and(|plans| plans.gap.is_none()) && case.jit_compiled_statements()?.is_empty() {
        return Ok(None);
    }
    let share = match share_of_compiling(case) {
        Ok(share) => share,
        Err(missing) => return look_for_compiling_alone(case, missing),
    };
    if share < MUCH {
        return Ok(None);
    }
    if share >= MOST {
        return Ok(Some(finding_of_compiling(case, share)));
    }
    // Of a side alone it is not known whether it saves as much as it takes.
    let others = case.other_sides();
    let less = others.iter().filter(|other| share_of_compiling(other).is_ok_and(|there| there < LESS * share));
    for other in less {
        if case.executes_longer_than(other)? {
            return Ok(Some(finding_of_compiling(case, share)));
        }
    }
    Ok(None)
}

/// Where compiling is not counted: statements that are compiled here and not on another side, whose plans are the same
/// otherwise, and which take longer here.
fn look_for_compiling_alone(case: &DiagnosisCase<'_>, missing: MissingObservation) -> Looked {
    for other in case.other_sides() {
        let Ok(theirs) = other.statement_plans() else { continue };
        for ours in case.jit_compiled_statements()? {
            let same = theirs.statements.iter().find(|theirs| theirs.statement == ours.statement);
            let plans = [Some(&ours.custom), same.map(|same| &same.custom)].map(|plan| plan?.known_plan());
            if let [Some(here), Some(there)] = plans
                && here.jit
                && !there.jit
                && here.shape == there.shape
                && case.statements_take_longer_than(&other, &[ours.statement])?.is_some()
            {
                return Ok(Some(finding_of_compiling_alone(case, &case.name_of(ours))));
            }
        }
    }
    Err(missing)
}

fn finding_of_compiling_alone(case: &DiagnosisCase<'_>, statement: &str) -> CaseFinding {
    CaseFinding {
        title: format!("{statement} is compiled before it is executed (JIT), and not on the other side"),
        kind: FindingKind::Problem,
        // How long it takes was not counted.
        confidence: Confidence::Medium,
        cost: case.cost_in(is_executing),
        figures: vec![
            figure("the rest of its query plan", FigureAmount::Text("the same on both sides".to_owned())),
            figure("compilation time", FigureAmount::Text("not counted without pg_stat_statements".to_owned())),
            setting_with_default(case, "jit_above_cost", "100000"),
        ],
        windows: case.all_the_time(),
        chart: case.chart_of_windows(&case.all_the_time(), &[ChartedSeries::Latency]),
        would_disprove: "the same latency with jit = off".to_owned(),
        confirm: Confirm::with_settings(case, &[("jit", "off")], "without JIT, latency falls by the compilation time"),
        mend: Mend::with_new_settings(case, &[("jit", "off")]),
    }
}

fn setting_with_default(case: &DiagnosisCase<'_>, name: &str, default: &str) -> EvidenceFigure {
    figure(name, FigureAmount::Text(case.setting_value_or(name, &format!("default ({default})"))))
}

/// Share of the execution time of all statements that went into compiling, 0 to 1.
fn share_of_compiling(case: &DiagnosisCase<'_>) -> Result<f64, MissingObservation> {
    let counted = case.trials().iter().filter_map(|measured| measured.watched.statements.as_ref());
    let (mut jit_us, mut total_us, mut gap) = (0.0, 0.0, "the server was not queried");
    for statements in counted {
        match (statements.jit_us, &statements.gap) {
            (Some(us), _) => {
                jit_us += us;
                total_us += statements.total_us;
            }
            (None, Some(why)) => gap = why,
            (None, None) => gap = "servers before PostgreSQL 15 do not count it",
        }
    }
    match total_us > 0.0 {
        true => Ok(jit_us / total_us),
        false => Err(MissingObservation::new("the JIT compilation time of the statements", gap)),
    }
}

/// Milliseconds of a mean transaction.
fn compiling_ms(measured: &MeasuredTrial<'_>) -> Option<f64> {
    let jit_us = measured.watched.statements.as_ref()?.jit_us?;
    (measured.load.transactions > 0).then(|| jit_us / 1e3 / measured.load.transactions as f64)
}

fn finding_of_compiling(case: &DiagnosisCase<'_>, share: f64) -> CaseFinding {
    let mut figures = vec![figure("share of JIT compilation in the execution time", FigureAmount::Share(share))];
    if let Ok(compiled) = case.jit_compiled_statements() {
        let names: Vec<String> = compiled.into_iter().take(5).map(|statement| case.name_of(statement)).collect();
        figures.push(figure("JIT-compiled statements", FigureAmount::Text(names.join(", "))));
    }
    figures.push(setting_with_default(case, "jit_above_cost", "100000"));
    CaseFinding {
        title: format!("JIT compilation takes {} of the execution time", units::format_percent(share)),
        kind: FindingKind::Problem,
        confidence: Confidence::High,
        cost: case.cost_counted(compiling_ms, is_executing),
        figures,
        windows: case.all_the_time(),
        chart: case.chart_of_windows(&case.all_the_time(), &[ChartedSeries::Latency]),
        would_disprove: "the same latency with jit = off".to_owned(),
        confirm: Confirm::with_settings(case, &[("jit", "off")], "without JIT, latency falls by the compilation time"),
        mend: Mend::with_new_settings(case, &[("jit", "off")]),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    fn plan(jit: bool) -> Value {
        json!({ "node": "Aggregate", "rows": 1, "cost": 190_000, "jit": jit })
    }

    /// Of 12 seconds in each of which the statements take 3.
    fn compiled(cell: Measurement, share: f64) -> Measurement {
        let us = 36e6;
        cell.plans(vec![plan(true)]).statements(json!({ "total_us": us, "jit_us": us * share }))
    }

    /// A fifth of the throughput, all of whose time is spent executing.
    fn slow(cell: Measurement) -> Measurement {
        cell.throughput(800.0).sees_nothing().sees("active", None, 40)
    }

    #[test]
    fn compiling_that_takes_most_of_the_time_is_found_with_what_it_costs() {
        let found = Built::healthy().with(|cell| compiled(cell, 0.6)).finds(&RULE);
        assert_eq!(found.figures[0].amount, FigureAmount::Share(0.6));
        assert_eq!(found.figures[1].amount, FigureAmount::Text("t.sql line 2".to_owned()));
        let share = found.cost.attributed_share().expect("it was counted");
        assert!((0.4..0.5).contains(&share), "21.6 s of 48 000 transactions of 1 ms: {share}");
        assert_eq!(found.mend.expect("a setting").change.in_words(), "jit = off");
    }

    #[test]
    fn compiling_that_tells_the_slower_side_from_the_other_is_found() {
        let without =
            |cell: Measurement| cell.plans(vec![plan(false)]).statements(json!({ "total_us": 9e6, "jit_us": 0 }));
        Built::pair().with_first(without).with(|cell| compiled(slow(cell), 0.3)).finds(&RULE);
        // It may save as much.
        Built::pair().with_first(without).with(|cell| compiled(cell, 0.3)).is_fine_for(&RULE);
        let as_much = |cell| compiled(cell, 0.3);
        Built::pair().with_first(as_much).with(|cell| compiled(slow(cell), 0.3)).is_fine_for(&RULE);
    }

    #[test]
    fn compiling_of_long_statements_and_none_at_all_are_fine() {
        Built::healthy().with(|cell| compiled(cell, 0.05)).is_fine_for(&RULE);
        Built::healthy().with(|cell| compiled(cell, 0.4)).is_fine_for(&RULE);
        Built::healthy().with(|cell| cell.plans(vec![plan(false)])).is_fine_for(&RULE);
    }

    #[test]
    fn compiling_that_nobody_counts_is_told_where_only_the_slower_side_does() {
        let pair = |there: bool| {
            let first = move |cell: Measurement| cell.plans(vec![plan(there)]).times(&[0.1]);
            Built::pair().with_first(first).with(|cell| slow(cell).plans(vec![plan(true)]).times(&[9.0]))
        };
        let found = pair(false).finds(&RULE);
        assert!(found.title.ends_with("compiled before it is executed (JIT), and not on the other side"), "{found:?}");
        assert!(pair(true).lacks(&RULE).starts_with("the JIT compilation time"));
    }

    #[test]
    fn what_nobody_counts_stays_open() {
        let of = |statements| Built::healthy().with(|cell| cell.plans(vec![plan(true)]).statements(statements));
        let none = of(json!({ "gap": "the database has no extension pg_stat_statements" }));
        let what = "the JIT compilation time of the statements";
        assert_eq!(none.lacks(&RULE), format!("{what}: the database has no extension pg_stat_statements"));
        let old = of(json!({ "total_us": 9e6 }));
        assert_eq!(old.lacks(&RULE), format!("{what}: servers before PostgreSQL 15 do not count it"));
    }
}
