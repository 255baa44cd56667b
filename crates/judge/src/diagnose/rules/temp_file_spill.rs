//! `temp-file-spill`: sorts and hashes do not fit into work_mem and go through temporary files.

use std::collections::BTreeMap;

use catalog::WaitResource;
use results::activity::{SampledSessions, WaitEvent};
use results::log::LogEvent;
use results::plans::StatementPlans;
use results::probe_fields::pg_database;
use results::workload::StatementNumber;

use crate::budget::BudgetPart;
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::case::{DiagnosisCase, MeasuredTrial};
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{
    CaseFinding, Confidence, EvidenceFigure, FigureAmount, FindingCost, FindingKind, figure,
};
use crate::diagnose::mend::Mend;
use crate::diagnose::own_share::OwnAndAll;
use crate::diagnose::plans::{nodes_of_plan, plans_of};
use crate::diagnose::quantity::{Measure, QuantityUnit};
use crate::diagnose::rule::{Looked, MissingObservation, Rule};
use crate::diagnose::seconds::ChartedSeries;
use crate::diagnose::spent::{is_in_server, resource_of_wait};

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &Code {
        name: "temp-file-spill",
        group: CodeGroup::Memory,
        detects: "Sorts, hashes and materialized results spill to temporary files because work_mem is too small.",
        reported_if: "Temporary files are written in the database of the load. Waits, pg_stat_statements and query plans show \
                whether they are the load's. If they are not, or if that is unknown, the finding says so and has no \
                cost.",
        thresholds: &[RuleThreshold::at_least("temporary files written", BYTES_PER_S, ThresholdUnit::BytesPerSecond)],
        effects: IssueEffect::OF_FINDINGS,
        why: "Each spilled row is written and read again. With enough work_mem, the rows stay in memory.",
        evidence: "Temporary files written per transaction, and sessions that wait for them. On a server whose figures are not of \
                   one side alone, what the statements wrote when they were executed to be explained.",
        fix: "Raise work_mem for the statements that spill.",
        confirm: "Run the plan again with a larger work_mem; no temporary file is written.",
        formerly: &[],
    },
    measure: Measure::Figure {
        name: "temporary file bytes per transaction",
        unit: QuantityUnit::Bytes,
        of: temp_bytes_per_transaction,
    },
    look: look_for_temp_file_spill,
};

/// From so many bytes per second on: less is an occasional report.
const BYTES_PER_S: f64 = 1e6;

/// A page of temporary files, unless the server was built with another size.
const PAGE_BYTES: f64 = 8192.0;

/// What is given where the log does not say how large the files are.
const WORK_MEM: u64 = 256 << 20;

/// Whose the temporary files of the database are. The counter has everybody's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Whose {
    /// The load's: its sessions wait for them, or its statements are counted to write them.
    Load,
    /// The load's, it seems: one of its statements has a plan that may.
    PerhapsLoad,
    /// Somebody else's: what the load executes writes none.
    Others,
    /// Nobody tells.
    Unknown,
}

fn look_for_temp_file_spill(case: &DiagnosisCase<'_>) -> Looked {
    let rate = temp_bytes_per_s(case)?;
    if rate < BYTES_PER_S {
        return Ok(None);
    }
    let whose = owner_of_temp_files(case);
    let is_of_load = matches!(whose, Whose::Load | Whose::PerhapsLoad);
    let mut figures = vec![figure("temporary files", FigureAmount::BytesPerS(rate))];
    if is_of_load && let Ok(per_transaction) = temp_bytes_per_transaction(case) {
        figures.push(figure("temporary file bytes per transaction", FigureAmount::Bytes(per_transaction)));
    }
    if let Some(share) = written_by_statements(case).and_then(OwnAndAll::share_of_load) {
        figures.push(figure("share of the load in temporary files (pg_stat_statements)", FigureAmount::Share(share)));
    }
    if let Some(bytes) = largest_temp_file_bytes(case) {
        figures.push(figure("largest file", FigureAmount::Bytes(bytes)));
    }
    let work_mem = case.server_setting("work_mem").map_or("default (4MB)".to_owned(), |setting| setting.value.clone());
    figures.push(figure("work_mem", FigureAmount::Text(work_mem)));
    if let Ok(waiting) =
        case.share_of_sessions(|seen: &SampledSessions| seen.wait.as_ref().is_some_and(is_temp_file_wait))
    {
        figures.push(figure("sessions waiting for temporary files", FigureAmount::Share(waiting)));
    }
    figures.extend(which_statement(case, is_of_load));
    let windows =
        case.windows_where(|second| second.rate_of_second(pg_database::TEMP_BYTES).is_some_and(|rate| rate > 0.0));
    Ok(Some(CaseFinding {
        title: match whose {
            Whose::Load | Whose::PerhapsLoad => "queries spill to temporary files because work_mem is too small",
            Whose::Others => "other sessions write temporary files in the load's database",
            Whose::Unknown => "temporary files of unknown origin are written in the load's database",
        }
        .to_owned(),
        kind: FindingKind::Problem,
        confidence: match whose {
            Whose::Load | Whose::Others => Confidence::High,
            Whose::PerhapsLoad => Confidence::Medium,
            Whose::Unknown => Confidence::Low,
        },
        cost: if is_of_load { cost_of_spilling(case) } else { FindingCost::NotAttributable },
        figures,
        chart: case
            .chart_of_windows(&windows, &[ChartedSeries::series_of_field(pg_database::TEMP_BYTES, "temporary files")]),
        windows: if windows.is_empty() { case.all_the_time() } else { windows },
        would_disprove: if is_of_load {
            "the same latency with a work_mem that is large enough".to_owned()
        } else {
            "as many temporary files without the load".to_owned()
        },
        confirm: confirm_spill(case, is_of_load),
        mend: if is_of_load { mend_with_work_mem(case) } else { None },
    }))
}

/// As the server counts of its database; where that is not of this side alone, as its statements wrote when they were
/// executed to be explained.
fn temp_bytes_per_transaction(case: &DiagnosisCase<'_>) -> Result<f64, MissingObservation> {
    let counted = case.per_transaction(pg_database::TEMP_BYTES);
    counted.or_else(|missing| written_by_executed_plans(case).ok_or(missing))
}

fn temp_bytes_per_s(case: &DiagnosisCase<'_>) -> Result<f64, MissingObservation> {
    case.counter_rate_per_s(pg_database::TEMP_BYTES)
        .or_else(|missing| Ok(written_by_executed_plans(case).ok_or(missing)? * case.throughput_per_s()?))
}

/// Bytes of temporary files that the statements of a mean transaction wrote when they were executed to be explained;
/// none unless each that has a plan was executed.
fn written_by_executed_plans(case: &DiagnosisCase<'_>) -> Option<f64> {
    let measured = case.trials().last()?;
    let mut bytes = 0.0;
    let mut was_executed = false;
    for statement in &case.statement_plans().ok()?.statements {
        let Some(plan) = statement.custom.known_plan() else { continue };
        plan.execution.as_ref()?;
        was_executed = true;
        let pages: u64 = nodes_of_plan(plan)
            .into_iter()
            .filter_map(|node| node.execution.as_ref())
            .map(|execution| execution.blocks.temp_written)
            .sum();
        bytes += pages as f64 * PAGE_BYTES * case.executions_per_transaction(measured, statement.statement)?;
    }
    was_executed.then_some(bytes)
}

fn confirm_spill(case: &DiagnosisCase<'_>, is_of_load: bool) -> Confirm {
    if is_of_load {
        let effect = "with a larger work_mem, no temporary files are written and latency falls";
        let enough = work_mem_without_spill(case).unwrap_or("256MB");
        return Confirm::with_settings(case, &[("work_mem", enough)], effect);
    }
    Confirm::repeat_unchanged(
        case,
        "keep other sessions away from the database, run this plan, and compare: no temporary files are written",
    )
}

/// What its sessions were seen waiting for decides, then what its statements are counted to write, then what their
/// plans may.
fn owner_of_temp_files(case: &DiagnosisCase<'_>) -> Whose {
    let waits = case.share_of_sessions(|seen: &SampledSessions| seen.wait.as_ref().is_some_and(is_temp_file_wait));
    if waits.as_ref().is_ok_and(|share| *share > 0.0) {
        return Whose::Load;
    }
    if let Some(written) = written_by_statements(case)
        && written.all > 0
    {
        return if written.own > 0 { Whose::Load } else { Whose::Others };
    }
    if written_by_executed_plans(case).is_some_and(|bytes| bytes > 0.0) {
        return Whose::Load;
    }
    let Ok(plans) = case.statement_plans() else { return Whose::Unknown };
    if plans.statements.iter().any(may_spill) {
        return Whose::PerhapsLoad;
    }
    // A plan does not show what a function does within it; its session would have been seen waiting.
    if plans.gap.is_none() && waits.is_ok() { Whose::Others } else { Whose::Unknown }
}

fn written_by_statements(case: &DiagnosisCase<'_>) -> Option<OwnAndAll> {
    case.counted_by_statements(|statement| statement.temp_blocks_written)
}

/// The time of the statements that may spill, where they are what a side without such files does not take; else the
/// waits for the files, which tell the least of it: what is written is often still in the kernel's memory when it is
/// read.
fn cost_of_spilling(case: &DiagnosisCase<'_>) -> FindingCost {
    let plans = case.statement_plans().map_or(&[][..], |plans| &plans.statements);
    let may: Vec<StatementNumber> =
        plans.iter().filter(|plans| may_spill(plans)).map(|plans| plans.statement).collect();
    let ms = |measured: &MeasuredTrial<'_>| case.time_of_statements(measured, &may);
    if case.other_sides().iter().any(|other| {
        temp_bytes_per_s(other).is_ok_and(|rate| rate < BYTES_PER_S)
            && case.is_surely_more_than(other, ms) == Some(true)
    }) {
        return case.cost_counted(ms, is_in_server);
    }
    case.cost_in(|part| matches!(part, BudgetPart::Waiting(wait) if is_temp_file_wait(wait)))
}

/// The statement whose files they are: the one that has written most of them as pg_stat_statements counts, else the
/// only one of the load whose plan has what may spill.
fn which_statement(case: &DiagnosisCase<'_>, is_of_load: bool) -> Vec<EvidenceFigure> {
    let counted = case.trials().iter().filter_map(|measured| measured.watched.statements.as_ref());
    let (mut blocks, mut texts) = (BTreeMap::new(), BTreeMap::new());
    for statement in counted.flat_map(|statements| &statements.statements) {
        *blocks.entry(statement.query_id).or_insert(0) += statement.temp_blocks_written;
        texts.extend(statement.text.as_deref().map(|text| (statement.query_id, text)));
    }
    let all: u64 = blocks.values().sum();
    let most = blocks.into_iter().max_by_key(|(_, blocks)| *blocks).filter(|(_, blocks)| *blocks > 0);
    if let Some((query_id, blocks)) = most {
        let text = texts.get(&query_id).map_or(format!("query ID {query_id}"), |text| (*text).to_owned());
        return vec![
            figure("statement that writes most temporary files", FigureAmount::Text(text)),
            figure("share of the temporary files that it writes", FigureAmount::Share(blocks as f64 / all as f64)),
        ];
    }
    let Ok(plans) = case.statement_plans() else { return Vec::new() };
    if !is_of_load {
        return Vec::new();
    }
    let mut may = plans.statements.iter().filter(|statement| may_spill(statement));
    match (may.next(), may.next()) {
        (Some(only), None) if plans.gap.is_none() => {
            vec![figure("the only statement whose plan may spill", FigureAmount::Text(case.name_of(only)))]
        }
        _ => Vec::new(),
    }
}

/// Whether a node of one of its plans writes into files what does not fit into memory.
fn may_spill(statement: &StatementPlans) -> bool {
    const KEEPING: [&str; 9] = [
        "Sort",
        "Incremental Sort",
        "Hash",
        "Aggregate (Hashed",
        "Aggregate (Mixed",
        "Materialize",
        "WindowAgg",
        "SetOp",
        "CTE Scan",
    ];
    // Behind its type stands in parentheses what tells a node from others of the type.
    plans_of(statement).any(|plan| {
        nodes_of_plan(plan).into_iter().any(|node| {
            let mut rest = KEEPING.iter().filter_map(|kind| node.node.strip_prefix(kind));
            rest.any(|rest| rest.is_empty() || rest.starts_with([' ', ',', ')']))
        })
    })
}

/// The work_mem of another side that is another one and spills nothing: what is known to suffice is no guess.
fn work_mem_without_spill<'a>(case: &DiagnosisCase<'a>) -> Option<&'a str> {
    let ours = case.server_setting("work_mem").ok()?;
    for other in case.other_sides() {
        let theirs = other.server_setting("work_mem").ok()?;
        if theirs.value != ours.value && temp_bytes_per_s(&other).is_ok_and(|rate| rate < BYTES_PER_S) {
            return Some(&theirs.value);
        }
    }
    None
}

/// Twice the largest file, since what is in memory takes more room than on disk; every client may want it at once, so
/// that all together take a quarter of the memory at most.
fn mend_with_work_mem(case: &DiagnosisCase<'_>) -> Option<Mend> {
    if let Some(enough) = work_mem_without_spill(case) {
        return Mend::with_new_settings(case, &[("work_mem", enough)]);
    }
    let wanted = largest_temp_file_bytes(case).map_or(WORK_MEM, |bytes| bytes as u64 * 2);
    let for_each = case.server_host().ok()?.memory_bytes / 4 / u64::from(case.client_count());
    Mend::with_raised_sizes(case, &[("work_mem", wanted.min(for_each))])
}

fn is_temp_file_wait(wait: &WaitEvent) -> bool {
    resource_of_wait(wait) == Some(WaitResource::TemporaryFile)
}

fn largest_temp_file_bytes(case: &DiagnosisCase<'_>) -> Option<f64> {
    let logged = case.logged_messages().ok()?;
    let sizes = logged.iter().filter_map(|logged| match logged.event {
        LogEvent::TemporaryFile { bytes } => Some(*bytes),
        _ => None,
    });
    sizes.max().map(|bytes| bytes as f64)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    #[test]
    fn spilling_is_found_with_the_largest_file() {
        let built = Built::healthy().setting("work_mem", "1MB").with(|cell| {
            cell.probe("pg.database", &[("temp_bytes", 5e7)])
                .sees("active", Some("IO:BufFileWrite"), 4)
                .logs(3.0, json!({ "kind": "temporary-file", "bytes": 14_000_000 }))
        });
        let found = built.finds(&RULE);
        assert_eq!(found.figures[0].amount, FigureAmount::BytesPerS(5e7));
        assert!(found.figures.contains(&figure("largest file", FigureAmount::Bytes(14e6))), "{found:?}");
        assert!(found.figures.contains(&figure("work_mem", FigureAmount::Text("1MB".to_owned()))), "{found:?}");
    }

    #[test]
    fn the_statement_that_spills_is_named_by_what_it_wrote_or_as_the_only_one_that_may() {
        let spilling = |cell: Measurement| cell.probe("pg.database", &[("temp_bytes", 5e7)]);
        let node = |node: &str| json!({ "node": node, "rows": 1, "cost": 1 });
        let sort = json!({ "node": "Limit", "rows": 1, "cost": 1, "children": [node("Sort")] });
        let named = |cell: Measurement| {
            let found = Built::healthy().with(|_| spilling(cell)).finds(&RULE);
            found.figures.into_iter().find(|figure| figure.name.contains("statement")).map(|figure| figure.amount)
        };
        let plans = |roots: Vec<Value>| named(Measurement::healthy("db", 4).plans(roots));
        let line = FigureAmount::Text("t.sql line 3".to_owned());
        assert_eq!(plans(vec![node("Index Scan"), sort.clone()]), Some(line));
        assert_eq!(plans(vec![node("Aggregate (Hashed, Partial)"), sort.clone()]), None);

        let counted = |query_id, text: &str, blocks| {
            json!({ "query_id": query_id, "text": text, "calls": 9, "total_us": 9, "rows": 9, "blocks_hit": 0, "blocks_read": 0,
                    "blocks_dirtied": 0, "temp_blocks_written": blocks, "wal_bytes": 0 })
        };
        let statements = json!({ "statements": [counted(1, "SELECT 1", 100), counted(2, "SELECT 2", 300)] });
        let cell = Measurement::healthy("db", 4).plans(vec![node("Index Scan"), sort]).statements(statements);
        assert_eq!(named(cell), Some(FigureAmount::Text("SELECT 2".to_owned())));
    }

    #[test]
    fn beside_a_side_that_does_not_spill_it_costs_what_its_statements_take() {
        let side = |cell: Measurement, ms: f64, temp_bytes: f64| {
            let node = |node: &str| json!({ "node": node, "rows": 1, "cost": 1 });
            let cell = cell.throughput(4.0 / (ms + 0.5) * 1e3).probe("pg.database", &[("temp_bytes", temp_bytes)]);
            cell.plans(vec![node("Index Scan"), node("Sort")]).times(&[0.1, ms])
        };
        let cost = |there_bytes: f64| {
            let built = Built::pair().with_first(|cell| side(cell, 3.0, there_bytes)).with(|cell| side(cell, 3.2, 5e7));
            built.finds(&RULE).cost.attributed_share()
        };
        assert!(cost(0.0).is_some_and(|share| share > 0.5), "{:?}", cost(0.0));
        assert!(cost(5e7).is_none_or(|share| share < 0.1), "both spill: {:?}", cost(5e7));
    }

    /// What pg_stat_statements counts of temporary blocks, by query, and which of them the load's sessions execute.
    fn counts_temporary_blocks(cell: Measurement, blocks: &[(i64, u64)], of_load: i64) -> Measurement {
        let mut statements = Vec::new();
        for (query_id, blocks) in blocks {
            statements.push(json!({ "query_id": query_id, "text": format!("SELECT {query_id}"), "calls": 9,
                "total_us": 9, "rows": 9, "blocks_hit": 0, "blocks_read": 0, "blocks_dirtied": 0,
                "temp_blocks_written": blocks, "wal_bytes": 0 }));
        }
        cell.statements(json!({ "statements": statements })).executes(of_load)
    }

    #[test]
    fn what_an_exporter_writes_beside_the_load_is_not_the_load_s() {
        let spilling = |cell: Measurement| cell.probe("pg.database", &[("temp_bytes", 5e7)]);
        let plan = |node: &str| vec![json!({ "node": node, "rows": 1, "cost": 1 })];
        let of = |change: &dyn Fn(Measurement) -> Measurement| {
            Built::healthy().with(|cell| change(spilling(cell))).finds(&RULE)
        };
        let others = "other sessions write temporary files in the load's database";
        let load = "queries spill to temporary files because work_mem is too small";
        let unknown = "temporary files of unknown origin are written in the load's database";
        let counted = of(&|cell| counts_temporary_blocks(cell, &[(1, 0), (2, 9000)], 1));
        assert_eq!((counted.title.as_str(), &counted.cost), (others, &FindingCost::NotAttributable));
        assert!(counted.mend.is_none(), "work_mem of the load changes nothing");
        let named = figure("statement that writes most temporary files", FigureAmount::Text("SELECT 2".to_owned()));
        assert!(counted.figures.contains(&named), "{:?}", counted.figures);
        assert!(!counted.figures.iter().any(|figure| figure.name.contains("per transaction")), "{counted:?}");
        assert_eq!(of(&|cell| counts_temporary_blocks(cell, &[(1, 9000), (2, 10)], 1)).title, load);
        // A select by an index, whose sessions are never seen waiting for files.
        assert_eq!(of(&|cell| cell.plans(plan("Index Scan"))).title, others);
        assert_eq!(of(&|cell| cell.plans(plan("Sort"))).title, load);
        assert_eq!(of(&|cell| cell.sees("active", Some("IO:BufFileRead"), 1).plans(plan("Index Scan"))).title, load);
        let unseen = of(&|cell| cell.plans(vec![]));
        assert_eq!((unseen.title.as_str(), unseen.confidence), (unknown, Confidence::Low));
        assert_eq!(of(&|cell| counts_temporary_blocks(cell, &[(2, 9000)], 1).plans(plan("Sort"))).title, others);
    }

    #[test]
    fn next_to_no_temporary_files_are_healthy() {
        Built::healthy().is_fine_for(&RULE);
        Built::healthy().with(|cell| cell.probe("pg.database", &[("temp_bytes", 9000.0)])).is_fine_for(&RULE);
    }

    #[test]
    fn where_the_server_s_figures_are_not_of_one_side_the_executed_plans_tell() {
        let sort = |pages: u64| {
            let execution = json!({ "own_us": 900.0, "loops": 1.0, "blocks": { "temp_written": pages } });
            let whole = json!({ "us": 900.0, "executed": 1, "wal_bytes": 0 });
            vec![json!({ "node": "Sort", "rows": 1, "cost": 1, "execution": execution, "execution_of_plan": whole })]
        };
        let built =
            |pages| Built::healthy().with(|cell| cell.not_its_own("of all sides").plans(sort(pages)).times(&[1.0]));
        let found = built(1000).finds(&RULE);
        assert_eq!(found.confidence, Confidence::High);
        let per_transaction = figure("temporary file bytes per transaction", FigureAmount::Bytes(8_192_000.0));
        assert!(found.figures.contains(&per_transaction), "{:?}", found.figures);
        built(0).is_fine_for(&RULE);
    }

    #[test]
    fn without_the_databases_figures_it_stays_open() {
        let built = Built::healthy().with(|cell| cell.gap("pg.database", "timed out"));
        assert_eq!(built.lacks(&RULE), "pg.database temp_bytes: timed out");
    }
}
