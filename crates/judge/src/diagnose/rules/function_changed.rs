//! `function-changed`: the statements that call a function take longer than on a side where it is another one.

use std::collections::BTreeSet;

use results::catalog::CatalogPart;
use results::tables::{DatabaseFunction, TrialTables};
use results::workload::StatementNumber;
use stats::Estimate;

use crate::codes::{Code, CodeGroup, IssueEffect};
use crate::diagnose::case::{DiagnosisCase, MeasuredTrial};
use crate::diagnose::catalog::{advice_of_facts, figures_of_facts};
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{
    CaseFinding, Confidence, EvidenceFigure, FigureAmount, FindingKind, SHARE_OF_CHANGE, figure,
};
use crate::diagnose::quantity::Measure;
use crate::diagnose::rule::{Looked, MissingObservation, Rule};
use crate::diagnose::spent::{STATEMENTS_EXPLAIN, STATEMENTS_TAKE_LONGER, is_in_server};
use crate::diagnose::tables::TableUse;
use crate::unlike_tables::UnlikeTableFact;

/// The rule.
pub(in crate::diagnose) const RULE: Rule = Rule {
    code: &Code {
        name: "function-changed",
        group: CodeGroup::Schema,
        detects: "Statements that call a function take longer than on the other side, where the function of that name has a different \
                source or declaration. Calls through views, policies, triggers, indexes and other functions count.",
        reported_if: "A function of the same name has another source or declaration on the other side. The statements that \
                call it, directly or not, take longer beyond chance and account for most of the additional latency. \
                Trigger functions belong to `write-overhead`. \
                The issue has a cost only if no other known difference may be the cause.",
        thresholds: &[STATEMENTS_TAKE_LONGER, STATEMENTS_EXPLAIN],
        effects: IssueEffect::OF_FINDINGS,
        why: "A query plan shows the call of a function but not its work. A change of the function affects every statement that calls it.",
        evidence: "Time of the statements that call the function, and the source and attributes of the function on both sides (`pg_proc`).",
        fix: "Restore the other side's function, or optimize the new one.",
        confirm: "Install the other side's function on this side and run the plan again.",
        formerly: &["another-function"],
    },
    measure: Measure::Time,
    look: look_for_function_changed,
};

/// Functions that are listed.
const LISTED: usize = 5;

fn look_for_function_changed(case: &DiagnosisCase<'_>) -> Looked {
    case.beside_others(|other| {
        Ok(find_slower_functions(case, other)?.map(|slower| finding_of_functions(case, other, &slower)))
    })
}

/// What takes longer where the functions that it calls are not those of the other side.
struct SlowerCaller<'a> {
    functions: Vec<&'a DatabaseFunction>,
    statements: Vec<StatementNumber>,
    /// Milliseconds by which they take longer, and their share of how much longer a transaction takes.
    longer: Estimate,
    share: f64,
}

fn find_slower_functions<'a>(
    case: &DiagnosisCase<'a>,
    other: &DiagnosisCase<'a>,
) -> Result<Option<SlowerCaller<'a>>, MissingObservation> {
    let (here, there) = (case.user_functions()?, other.user_functions()?);
    let same_version = case.is_of_one_version_with(other)?;
    let (mut functions, mut statements) = (Vec::new(), BTreeSet::new());
    let tables = case.table_uses()?;
    // What a trigger executes shows in what is attached to its table.
    for function in here.iter().filter(|function| !function.by_trigger) {
        let same = there.iter().find(|there| there.name == function.name);
        let is_another =
            same.is_some_and(|there| there.source != function.source || same_version && there.body != function.body);
        if !is_another {
            continue;
        }
        let callers = statements_that_call(case, &tables, &leading_to(here, function))?;
        if !callers.is_empty() {
            functions.push(function);
            statements.extend(callers);
        }
    }
    if functions.is_empty() {
        return Ok(None);
    }
    let statements: Vec<StatementNumber> = statements.into_iter().collect();
    let longer = case.statements_make_the_difference(other, &statements)?;
    Ok(longer.map(|(longer, share)| SlowerCaller { functions, statements, longer, share }))
}

/// A function, and those that call it, or call one that does.
fn leading_to<'a>(all: &'a [DatabaseFunction], function: &'a DatabaseFunction) -> Vec<&'a DatabaseFunction> {
    let mut leading = vec![function];
    let mut at = 0;
    while let Some(called) = leading.get(at).map(|function| &function.called) {
        leading.extend(
            all.iter()
                .filter(|caller| {
                    caller.calls.contains(called) && !leading.iter().any(|known| known.name == caller.name)
                })
                .collect::<Vec<_>>(),
        );
        at += 1;
    }
    leading
}

/// The statements that call one of these functions by its name, read what calls it, or write a table of which a
/// trigger, an index, a check or a default does.
fn statements_that_call(
    case: &DiagnosisCase<'_>,
    tables: &[TableUse],
    functions: &[&DatabaseFunction],
) -> Result<Vec<StatementNumber>, MissingObservation> {
    let texts = case.workload_statements().map_or(&[][..], |statements| &statements.statements);
    let mut callers: Vec<StatementNumber> = Vec::new();
    for (number, statement) in (0..).zip(texts) {
        let mut views = functions.iter().flat_map(|function| &function.behind);
        if calls_function(&statement.text, functions) || views.any(|view| contains_name(&statement.text, view, false)) {
            callers.push(StatementNumber(number));
        }
    }
    for table in tables.iter().map(|table| &table.sums).filter(|table| table.rows_changed > 0) {
        let indexes = table.indexes.iter().map(|index| &index.definition);
        let attached = table.attached.iter().flatten().map(|attached| &attached.definition);
        if indexes.chain(attached).any(|definition| calls_function(definition, functions)) {
            callers.extend(case.writers_of(&table.name)?.iter().map(|plans| plans.statement));
        }
    }
    Ok(callers)
}

fn calls_function(text: &str, functions: &[&DatabaseFunction]) -> bool {
    functions.iter().any(|function| contains_name(text, &function.called, true))
}

/// Whether a name stands in a text as a word, before a bracket if it is called, whatever its case where it is not
/// quoted.
fn contains_name(text: &str, name: &str, is_called: bool) -> bool {
    let (text, name) = match name.starts_with('"') {
        true => (text.to_owned(), name.to_owned()),
        false => (text.to_lowercase(), name.to_lowercase()),
    };
    text.match_indices(&name).any(|(at, found)| {
        let (before, after) = (text[..at].chars().next_back(), &text[at + found.len()..]);
        let ends = if is_called { after.trim_start().starts_with('(') } else { !after.starts_with(is_part_of_name) };
        ends && !before.is_some_and(is_part_of_name)
    })
}

fn is_part_of_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

fn finding_of_functions(case: &DiagnosisCase<'_>, other: &DiagnosisCase<'_>, slower: &SlowerCaller<'_>) -> CaseFinding {
    let first = &slower.functions[0].name;
    let declared = declared_differently(case, other, slower);
    let wait = case.wait_of_change(other);
    let waits = match &wait {
        Some((wait, _)) => format!("; most of the change is {wait}"),
        None => String::new(),
    };
    let mut figures = figures_of_function(other, slower, &declared);
    figures
        .extend(wait.map(|(wait, share)| figure(format!("share of the change in {wait}"), FigureAmount::Share(share))));
    let advice = advice_of_facts(&declared).map_or_else(String::new, |advice| format!("{advice}, or "));
    CaseFinding {
        title: format!("function {first} differs from the other side{}{waits}", how_it_differs(&declared)),
        kind: FindingKind::Problem,
        // How long a statement takes was counted, and not what of it goes where.
        confidence: Confidence::Medium,
        cost: case.cost_counted(
            |measured: &MeasuredTrial<'_>| case.time_of_statements(measured, &slower.statements),
            is_in_server,
        ),
        figures,
        windows: case.all_the_time(),
        chart: None,
        would_disprove: "the same difference in latency with the same function on both sides".to_owned(),
        confirm: Confirm::repeat_unchanged(
            case,
            &format!(
                "{advice}install the function of {} on a copy (pg_get_functiondef prints it), run this plan, and compare: its callers take as \
                 long as there",
                other.cell().target
            ),
        ),
        mend: None,
    }
}

fn figures_of_function(
    other: &DiagnosisCase<'_>,
    slower: &SlowerCaller<'_>,
    declared: &[UnlikeTableFact],
) -> Vec<EvidenceFigure> {
    let mut figures = vec![
        figure("called functions that differ", FigureAmount::Count(slower.functions.len() as f64)),
        figure(
            format!("additional time of the calling statements, compared with {}", other.cell().target),
            FigureAmount::Ms(slower.longer.point),
        ),
        figure(SHARE_OF_CHANGE, FigureAmount::Share(slower.share)),
    ];
    let listed = slower.functions.iter().take(LISTED);
    figures.extend(listed.map(|function| figure("function that differs", FigureAmount::Text(function.name.clone()))));
    figures.extend(figures_of_facts(declared));
    figures
}

/// How the first function is declared differently, for a title; nothing where its source alone differs.
fn how_it_differs(declared: &[UnlikeTableFact]) -> String {
    match declared.iter().find(|fact| fact.fact != "source") {
        Some(fact) => format!(": {} {}", fact.fact, fact.values_in_words()),
        None => String::new(),
    }
}

/// What the functions are declared to be on one side and not on the other; none where the catalogs were not read.
fn declared_differently(
    case: &DiagnosisCase<'_>,
    other: &DiagnosisCase<'_>,
    slower: &SlowerCaller<'_>,
) -> Vec<UnlikeTableFact> {
    let mut facts = case.unlike_table_facts(other).unwrap_or_default();
    facts.retain(|fact| {
        let is_called = slower.functions.iter().any(|function| function.name == fact.name);
        fact.part == CatalogPart::Functions && is_called
    });
    facts
}

impl<'a> DiagnosisCase<'a> {
    /// The functions that somebody made, as its first trial tells.
    fn user_functions(&self) -> Result<&'a [DatabaseFunction], MissingObservation> {
        let tables = self.trials().iter().find_map(|measured| measured.watched.tables.as_ref());
        let gap = match tables {
            Some(TrialTables { functions: Some(functions), .. }) => return Ok(functions),
            Some(tables) => tables.gap.as_deref().unwrap_or("they were not read"),
            None => "the server was not queried",
        };
        Err(MissingObservation::new("the functions of the database", gap))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    fn with_function(cell: Measurement, source: &str) -> Measurement {
        let function = |name: &str, source: &str| json!({ "name": format!("public.{name}(integer)"), "called": name, "source": source });
        cell.functions(&json!([function("other", "1"), function("total", source)]))
    }

    /// Statements of which the second calls the function, which takes this long.
    fn calling(cell: Measurement, ms: f64) -> Measurement {
        cell.times(&[0.4, ms])
    }

    #[test]
    fn a_function_that_is_another_one_is_found_by_what_calls_it() {
        let slow = |cell: Measurement| with_function(calling(cell.throughput(1000.0), 3.4), "b");
        let fast = |cell: Measurement| with_function(calling(cell, 0.5), "a");
        let found = Built::pair().with_first(fast).with(slow).finds(&RULE);
        assert!(found.title.contains("public.total(integer)"), "{}", found.title);
        assert!(found.figures.contains(&figure("called functions that differ", FigureAmount::Count(1.0))));
    }

    #[test]
    fn the_same_function_or_one_that_costs_nothing_is_none() {
        let same = |cell: Measurement| with_function(calling(cell.throughput(1000.0), 3.4), "a");
        let fast = |cell: Measurement| with_function(calling(cell, 0.5), "a");
        Built::pair().with_first(fast).with(same).is_fine_for(&RULE);
        let alike = |cell: Measurement| with_function(calling(cell.throughput(1000.0), 0.5), "b");
        Built::pair().with_first(fast).with(alike).is_fine_for(&RULE);
    }

    #[test]
    fn who_calls_what_calls_it_or_reads_a_view_that_does_calls_it() {
        let step = |source: &str| json!({ "name": "public.step()", "called": "step", "source": source });
        let calls = |name: &str, calls: &str| json!({ "name": name, "called": name, "source": "1", "calls": [calls] });
        let behind = |name: &str, view: &str| json!({ "name": name, "called": name, "source": "1", "calls": ["step"], "behind": [view] });
        let pair = |others: Value| {
            let with = |cell: Measurement, source: &str| {
                let mut all = others.clone();
                all.as_array_mut().expect("functions").push(step(source));
                cell.functions(&all)
            };
            let slow = |cell: Measurement| with(calling(cell.throughput(1000.0), 3.4), "b");
            let fast = |cell: Measurement| with(calling(cell, 0.5), "a");
            Built::pair().with_first(fast).with(slow)
        };
        // `total` is called by a statement; `step` by `middle`, which calls itself, too.
        let through_another = json!([calls("total", "middle"), calls("middle", "step"), calls("middle", "middle")]);
        for others in [through_another, json!([behind("shown", "sums")])] {
            let found = pair(others).finds(&RULE);
            assert_eq!(found.title, "function public.step() differs from the other side");
        }
        pair(json!([calls("total", "middle"), behind("shown", "other_sums")])).is_fine_for(&RULE);
    }

    #[test]
    fn what_a_trigger_executes_is_told_by_what_is_attached() {
        let stamp = |source: &str| json!([{ "name": "public.total()", "called": "total", "source": source, "by_trigger": true }]);
        let slow = |cell: Measurement| calling(cell.throughput(1000.0), 3.4).functions(&stamp("b"));
        let fast = |cell: Measurement| calling(cell, 0.5).functions(&stamp("a"));
        Built::pair().with_first(fast).with(slow).is_fine_for(&RULE);
    }

    #[test]
    fn who_writes_a_table_whose_index_calls_it_calls_it() {
        let function = |source: &str| json!([{ "name": "public.slug(text)", "called": "slug", "source": source }]);
        let index = json!({ "name": "by_slug", "definition": "CREATE INDEX by_slug ON public.t USING btree (slug(name))",
                            "valid": true, "scans": 0, "entries": 0 });
        let table = json!({ "name": "public.t", "live_rows": 10, "sequential_scans": 0, "sequential_rows": 0,
                            "index_rows": 0, "rows_changed": 48_000, "indexes": [index] });
        let written = |cell: Measurement, ms: f64, source: &str| {
            let select = json!({ "node": "Result", "rows": 1, "cost": 1 });
            let update = json!({ "node": "Update", "relation": "t", "rows": 0, "cost": 1 });
            let cell = cell.throughput(4.0 / (ms + 0.2) * 1e3).functions(&function(source)).tables(vec![table.clone()]);
            cell.plans(vec![select, update]).times(&[0.1, ms])
        };
        let slow = |cell: Measurement| written(cell, 3.8, "b");
        let fast = |cell: Measurement| written(cell, 0.8, "a");
        let found = Built::pair().with_first(fast).with(slow).finds(&RULE);
        assert!(found.title.contains("public.slug(text)"), "{}", found.title);
    }

    #[test]
    fn without_the_functions_it_stays_open() {
        let unread = |cell: Measurement| cell.functions(&serde_json::Value::Null);
        let built = Built::pair().with_first(unread).with(unread);
        assert_eq!(built.lacks(&RULE), "the functions of the database: they were not read");
    }

    #[test]
    fn a_name_is_a_word_and_a_call_has_a_bracket() {
        assert!(contains_name("SELECT Total(:a)", "total", true));
        assert!(contains_name("select public.total (1)", "total", true));
        assert!(!contains_name("select subtotal(1), total from t", "total", true));
        assert!(contains_name("select \"Total\"(1)", "\"Total\"", true));
        assert!(contains_name("select subtotal(1), total from t", "total", false));
        assert!(!contains_name("select totals from subtotal", "total", false));
    }
}
