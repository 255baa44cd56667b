//! `excess-rows-read`: a transaction reads far more rows of a table than the same transaction does on the other side,
//! or than one that looks rows up by their keys can need.

use std::collections::BTreeSet;

use plan::Workload;
use results::catalog::CatalogPart;
use results::probe_fields::pg_tables;
use results::tables::IndexUsage;

use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::case::DiagnosisCase;
use crate::diagnose::catalog::{advice_of_facts, deciding_fact_in_words, figures_of_facts};
use crate::diagnose::confirm::Confirm;
use crate::diagnose::differing_tables::{DifferingSetting, differing_settings};
use crate::diagnose::finding::{
    CaseFinding, Confidence, EvidenceFigure, FigureAmount, FindingCost, FindingKind, SHARE_OF_CHANGE, figure,
};
use crate::diagnose::plans::{self, touches_table};
use crate::diagnose::quantity::{Measure, QuantityUnit};
use crate::diagnose::rule::{Looked, MissingObservation, Rule};
use crate::diagnose::seconds::ChartedSeries;
use crate::diagnose::spent::{EXECUTES_LONGER, is_executing};
use crate::diagnose::tables::TableUse;
use crate::observed::BLOCK_BYTES;
use crate::units;
use crate::unlike_tables::{BearsOn, DEFINITION, EXISTENCE, UnlikeTableFact};

use super::stale_statistics::is_old;
use super::vacuum_held_back::{HELD_PER_CLIENT, HOLDERS};

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &Code {
        name: "excess-rows-read",
        group: CodeGroup::Plans,
        detects: "Each transaction reads far more rows of a table than on the other side, or a lookup by key scans a whole table or index.",
        reported_if: "One of three conditions holds. A transaction reads far more rows of a table than on another side, and execution takes \
                      longer. Or a B-tree index is read from end to end for few entries, \
                      by a condition that is not on its first column. Or a sequential scan reads a large table for a \
                      lookup: any scan of a workload without own scripts, else one that is expected to find, and changes, few rows.",
        thresholds: &[
            RuleThreshold::at_least(
                "rows read per transaction, relative to the other side",
                TIMES,
                ThresholdUnit::Times,
            ),
            RuleThreshold::at_least("additional rows read per transaction", ROWS_MORE, ThresholdUnit::Count),
            EXECUTES_LONGER,
            RuleThreshold::at_least(
                "entries per lookup of a key of a unique index, to name dead row versions",
                VERSIONS_OF_A_LOOKUP,
                ThresholdUnit::Count,
            ),
            RuleThreshold::at_least("pages of the index, alternatively", PAGES, ThresholdUnit::Count),
            RuleThreshold::at_least("pages of the index that a scan reads", WHOLE, ThresholdUnit::Share),
            RuleThreshold::at_most(
                "entries that a scan finds as a share of the rows in the table",
                FEW,
                ThresholdUnit::Share,
            ),
            RuleThreshold::at_least(
                "rows read per sequential scan, and per transaction, alternatively",
                ROWS_OF_A_SCAN,
                ThresholdUnit::Count,
            ),
            RuleThreshold::at_most(
                "rows that such a scan is expected to find, or changes as a share of the rows in the table",
                FEW,
                ThresholdUnit::Share,
            ),
        ],
        effects: IssueEffect::OF_FINDINGS,
        why: "Every row that is read and discarded costs as much as one that is returned. If an index is missing or not used, the time \
              of a statement grows with its table.",
        evidence: "Rows that each transaction reads of the table on both sides, and the statement that reads them.",
        fix: "Create the missing index, or write the condition so that the planner can use an index.",
        confirm: "Create the index and run the plan again.",
        formerly: &["rows-read"],
    },
    measure: Measure::Figure {
        name: "rows read per transaction",
        unit: QuantityUnit::Count,
        of: rows_read_per_transaction,
    },
    look: look_for_excess_rows_read,
};

/// Rows of all tables that a transaction read.
fn rows_read_per_transaction(case: &DiagnosisCase<'_>) -> Result<f64, MissingObservation> {
    Ok(case.table_uses()?.iter().map(TableUse::rows_per_transaction).sum())
}

/// So many times as many rows as the other side. Ranges that are drawn at random and dead rows differ by less.
const TIMES: f64 = 10.0;

/// So many rows more than the other side in a transaction: the few of a small table are scanned as fast as looked up.
const ROWS_MORE: f64 = 100.0;

/// So many rows of a table in one scan of it, where nothing can be compared.
const ROWS_OF_A_SCAN: f64 = 1000.0;

/// Up to this share of a table is found faster by an index than by a scan, wherever its rows lie.
const FEW: f64 = 0.01;

/// From this share of its pages in a scan on an index is read from end to end.
const WHOLE: f64 = 0.5;

/// So many entries for one key of a unique index are more than a row that is being updated leaves behind.
const VERSIONS_OF_A_LOOKUP: f64 = 3.0;

/// An index of fewer pages is read as fast as looked into.
const PAGES: f64 = 50.0;

fn look_for_excess_rows_read(case: &DiagnosisCase<'_>) -> Looked {
    let tables = case.table_uses()?;
    // Sides may share a server, whose counters lag: what one has read may be counted in the trial of the other.
    let others: Vec<DiagnosisCase<'_>> =
        case.other_sides().into_iter().filter(|other| case.seems_to_execute_longer_than(other)).collect();
    let compared = others.iter().filter_map(|other| Some((other, other.table_uses().ok()?)));
    let compared: Vec<(&DiagnosisCase<'_>, Vec<TableUse>)> = compared.collect();
    for table in &tables {
        for (other, there) in &compared {
            if let Some(excess) = Excess::from_table_uses(table, other, there) {
                return Ok(Some(finding_of_excess(case, &tables, table, Some(&excess))));
            }
        }
    }
    if let Some((table, index)) = tables.iter().find_map(|table| Some((table, whole_index(case, table)?))) {
        return Ok(Some(found_whole(case, table, index)));
    }
    let by_keys = case.planned_workload().is_some_and(has_no_own_scripts);
    let scanned = tables.iter().find(|table| is_scan_of_many(table) && (by_keys || is_for_few(case, table)));
    Ok(scanned.map(|table| finding_of_excess(case, &tables, table, None)))
}

/// Whether all of its transactions are of a kind that pgdyno knows.
fn has_no_own_scripts(workload: &Workload) -> bool {
    workload.single_workloads().iter().all(|single| single.own_scripts().is_none())
}

/// The other side reads far fewer rows of a table.
struct Excess<'a> {
    other: &'a DiagnosisCase<'a>,
    /// Rows of the table that its transactions read.
    rows: f64,
    /// The table there; none where it was not touched.
    table: Option<&'a TableUse>,
}

impl<'a> Excess<'a> {
    fn from_table_uses(here: &TableUse, other: &'a DiagnosisCase<'a>, there: &'a [TableUse]) -> Option<Self> {
        let table = there.iter().find(|table| table.sums.name == here.sums.name);
        let rows = table.map_or(0.0, TableUse::rows_per_transaction);
        let is_far_more =
            here.rows_per_transaction() >= rows + ROWS_MORE && here.rows_per_transaction() >= TIMES * rows;
        // A table that the other side never reads is another workload, or another data set. To look in vain is to read:
        // a foreign key's check finds no row that would be in its way.
        (is_far_more && table.is_some_and(TableUse::is_looked_at)).then_some(Self { other, rows, table })
    }
}

/// Whether a plan of the cell scans the table for hardly any of its rows. What the planner expects is a guess, and a
/// scan that changes more rows than that was for more.
fn is_for_few(case: &DiagnosisCase<'_>, table: &TableUse) -> bool {
    let few = FEW * table.sums.live_rows as f64;
    let scan = case.selective_scan(&table.sums.name);
    let changed = table.sums.rows_changed as f64 / table.sums.sequential_scans.max(1) as f64;
    scan.is_some_and(|scan| scan.rows <= few) && changed <= few
}

fn is_scan_of_many(table: &TableUse) -> bool {
    let scans = table.sums.sequential_scans;
    table.sequential_rows() >= ROWS_OF_A_SCAN && table.sums.sequential_rows as f64 >= ROWS_OF_A_SCAN * scans as f64
}

/// An index of the table that is read from end to end for hardly any of its entries: what is looked for is none of its
/// first columns. Only a B-tree has its entries in the order of its columns; where a condition on its first column is
/// known, its pages are read for another reason.
fn whole_index<'a>(case: &DiagnosisCase<'_>, table: &'a TableUse) -> Option<&'a IndexUsage> {
    table.sums.indexes.iter().find(|index| {
        if !index.definition.contains(" USING btree ") || is_on_first_column(case, index) {
            return false;
        }
        let (Some(read), Some(bytes)) = (index.pages_read, index.bytes) else { return false };
        let (scans, pages) = (index.scans as f64, bytes as f64 / BLOCK_BYTES);
        let of_few = index.entries as f64 <= FEW * table.sums.live_rows as f64 * scans;
        scans > 0.0 && pages >= PAGES && read as f64 >= WHOLE * pages * scans && of_few
    })
}

/// Whether the condition of a plan on an index is known to be on its first column.
fn is_on_first_column(case: &DiagnosisCase<'_>, index: &IndexUsage) -> bool {
    let Some(condition) = case.condition_on(&index.name) else { return false };
    let listed = index.definition.split_once(" USING btree (").map_or("", |(_, listed)| listed);
    let first = listed.split([',', ')', ' ']).next().unwrap_or_default();
    !first.is_empty() && plans::columns_of_filter(condition).iter().any(|column| column == first)
}

fn found_whole(case: &DiagnosisCase<'_>, table: &TableUse, index: &IndexUsage) -> CaseFinding {
    let name = &table.sums.name;
    let [pages, entries] =
        [index.pages_read.unwrap_or(0), index.entries].map(|all| count_of_rows(all as f64 / index.scans as f64));
    let condition = case.condition_on(&index.name);
    let mut figures = vec![figure(format!("pages of {} read per scan", index.name), pages)];
    figures.push(figure("entries found per scan", entries));
    figures.push(figure("index definition", FigureAmount::Text(index.definition.clone())));
    figures.extend(condition.map(|condition| figure("index condition", FigureAmount::Text(condition.to_owned()))));
    let columns = condition.map(plans::columns_of_filter).filter(|columns| !columns.is_empty());
    let remedy = match columns {
        Some(columns) => format!("create the missing index (CREATE INDEX ON {name} ({}))", columns.join(", ")),
        None => format!("create an index whose first columns are those by which {name} is looked up"),
    };
    CaseFinding {
        title: format!(
            "index {} on {name} is read from end to end: the condition is not on its first columns",
            index.name
        ),
        kind: FindingKind::Problem,
        confidence: Confidence::High,
        cost: case.cost_in(is_executing),
        figures,
        windows: case.all_the_time(),
        chart: None,
        would_disprove: "the same latency with an index whose first columns are those of the condition".to_owned(),
        confirm: Confirm::repeat_unchanged(case, &format!("{remedy}, run this plan, and compare: throughput rises")),
        mend: None,
    }
}

fn finding_of_excess(
    case: &DiagnosisCase<'_>,
    tables: &[TableUse],
    table: &TableUse,
    excess: Option<&Excess<'_>>,
) -> CaseFinding {
    let cost = case.time_in(is_executing).map_or(FindingCost::NotAttributable, FindingCost::Latency);
    let facts = unlike_facts(case, table, excess);
    let settings = unlike_settings(case, table, excess);
    let dead = dead_versions_of_lookups(case, table);
    CaseFinding {
        title: match &dead {
            Some(dead) => title_of_dead_versions(table, dead, excess),
            None if deciding_fact_in_words(&facts).is_empty() => {
                format!("{}{}", title_of_table(table, excess, &facts), settings.in_title())
            }
            None => title_of_table(table, excess, &facts),
        },
        kind: FindingKind::Problem,
        confidence: Confidence::High,
        cost,
        figures: [
            figures_of_excess(case, tables, table, excess),
            figures_of_dead_versions(case, table, dead.as_ref()),
            settings.evidence_figures(),
            figures_of_facts(&facts),
        ]
        .concat(),
        windows: case.all_the_time(),
        chart: case.chart_of_windows(
            &case.all_the_time(),
            &[ChartedSeries::with_unit(
                pg_tables::SEQUENTIAL_TUPLES_READ,
                "rows read by sequential scans",
                "rows/s",
                1.0,
            )],
        ),
        would_disprove: "the same latency when an index finds the rows (EXPLAIN shows an index scan)".to_owned(),
        confirm: match (&dead, excess) {
            (Some(_), _) => Confirm::repeat_unchanged(case, &remedy_for_dead_versions(case, table)),
            (None, Some(excess)) if !settings.0.is_empty() => {
                let effect = format!("with the settings of the other side, {} is read as there", table.sums.name);
                Confirm::with_settings_of_other(case, excess.other, &settings.setting_names(), &effect)
            }
            (None, _) => Confirm::repeat_unchanged(case, &remedy_of_table(case, table, excess, &facts)),
        },
        mend: None,
    }
}

/// The planner's settings by which the two plans of a statement on the table differ, if its index is here, too: a side
/// that lacks an index lacks it under any settings.
fn unlike_settings(case: &DiagnosisCase<'_>, table: &TableUse, excess: Option<&Excess<'_>>) -> UnlikeSettings {
    let mut settings = BTreeSet::new();
    let excess = excess.filter(|excess| !matches!(Lack::from_excess(table, excess), Some(Lack::Missing(_))));
    if let Some(excess) = excess {
        for unlike in case.unlike_plans(excess.other).unwrap_or_default() {
            if touches_table(unlike.statement, &table.sums.name) {
                settings.extend(differing_settings(unlike.here, unlike.there));
            }
        }
    }
    UnlikeSettings(settings)
}

/// The planner's settings that differ, each once.
struct UnlikeSettings(BTreeSet<DifferingSetting>);

impl UnlikeSettings {
    fn in_title(&self) -> String {
        match self.0.first() {
            Some(first) => format!("; differs: {first}"),
            None => String::new(),
        }
    }

    fn evidence_figures(&self) -> Vec<EvidenceFigure> {
        let named =
            self.0.iter().map(|one| figure("planner setting that differs", FigureAmount::Text(one.to_string())));
        named.collect()
    }

    fn setting_names(&self) -> Vec<&str> {
        self.0.iter().map(|one| one.name.as_str()).collect()
    }
}

/// What the catalogs say differently of what can change how the table's rows are found: of the table, and where a
/// statement on it has another plan, of all that the plans touch. The planner decides on a statement as a whole.
fn unlike_facts(case: &DiagnosisCase<'_>, table: &TableUse, excess: Option<&Excess<'_>>) -> Vec<UnlikeTableFact> {
    let Some(excess) = excess else { return Vec::new() };
    let mut facts = case.unlike_facts_of_table(excess.other, &table.sums.name, &[BearsOn::Plans]);
    for unlike in case.unlike_plans(excess.other).unwrap_or_default() {
        if touches_table(unlike.statement, &table.sums.name) {
            for fact in case.unlike_facts_of_plans(excess.other, [unlike.here, unlike.there], &[BearsOn::Plans]) {
                if !facts.contains(&fact) {
                    facts.push(fact);
                }
            }
        }
    }
    facts.sort_by_key(|fact| fact.rank);
    facts
}

/// What may be the reason that an index of the table is not used; none of it is another index.
fn reasons_not_to_use(facts: &[UnlikeTableFact]) -> Vec<UnlikeTableFact> {
    facts.iter().filter(|fact| fact.part != CatalogPart::Indexes || fact.fact != EXISTENCE).cloned().collect()
}

/// Entries that a look-up of one key finds in a unique index.
struct DeadVersions<'a> {
    index: &'a IndexUsage,
    per_lookup: f64,
}

/// A unique index in which each look-up of a whole key finds several entries: all but one are of row versions that
/// nobody sees, and that no vacuum has removed.
fn dead_versions_of_lookups<'a>(case: &DiagnosisCase<'_>, table: &'a TableUse) -> Option<DeadVersions<'a>> {
    for index in &table.sums.indexes {
        let per_lookup = index.entries as f64 / index.scans.max(1) as f64;
        let is_of_key = case.condition_on(&index.name).is_some_and(|condition| is_whole_key(index, condition));
        if is_of_key && index.definition.starts_with("CREATE UNIQUE INDEX") && per_lookup >= VERSIONS_OF_A_LOOKUP {
            return Some(DeadVersions { index, per_lookup });
        }
    }
    None
}

/// Whether a condition gives one value for each column of an index.
fn is_whole_key(index: &IndexUsage, condition: &str) -> bool {
    let is_range = condition.contains(['<', '>']) || condition.contains(" ANY ");
    let Some((_, listed)) = index.definition.split_once(" USING btree (") else { return false };
    let listed = listed.split(')').next().unwrap_or_default();
    let equal = plans::columns_of_filter(condition);
    !is_range && listed.split(", ").all(|column| equal.iter().any(|one| one == column))
}

fn title_of_dead_versions(table: &TableUse, dead: &DeadVersions<'_>, excess: Option<&Excess<'_>>) -> String {
    let there = excess.map_or_else(String::new, |excess| {
        format!(
            " ({} rows read per transaction; other side: {})",
            units::format_count(table.rows_per_transaction()),
            units::format_count(excess.rows)
        )
    });
    format!(
        "lookups of a key of {} find {} row versions in the unique index {}: dead versions are not removed{there}",
        table.sums.name,
        units::format_count(dead.per_lookup),
        dead.index.name,
    )
}

fn figures_of_dead_versions(
    case: &DiagnosisCase<'_>,
    table: &TableUse,
    dead: Option<&DeadVersions<'_>>,
) -> Vec<EvidenceFigure> {
    let Some(dead) = dead else { return Vec::new() };
    let mut figures =
        vec![figure(format!("entries of {} per lookup of a key", dead.index.name), count_of_rows(dead.per_lookup))];
    figures.extend(table.sums.dead_rows.map(|rows| figure("dead rows in the table", count_of_rows(rows as f64))));
    for (field, holder) in HOLDERS {
        if let Ok(age) = case.mean_gauge_level(*field) {
            figures.push(figure(format!("age of {holder} in transactions"), count_of_rows(age)));
        }
    }
    figures
}

/// What removes dead versions: first whoever may still see them ends.
fn remedy_for_dead_versions(case: &DiagnosisCase<'_>, table: &TableUse) -> String {
    let mut holders = Vec::new();
    for (field, holder) in HOLDERS {
        // The load's own transactions are as old as the longest of them.
        if case.mean_gauge_level(*field).is_ok_and(|age| age >= HELD_PER_CLIENT * case.clients_as_float()) {
            holders.push(*holder);
        }
    }
    let first = match holders.as_slice() {
        [] => String::new(),
        holders => format!("end what holds back the vacuum horizon ({}), ", holders.join(", ")),
    };
    format!("{first}VACUUM {}, run this plan, and compare: a lookup reads one row version", table.sums.name)
}

fn title_of_table(table: &TableUse, excess: Option<&Excess<'_>>, facts: &[UnlikeTableFact]) -> String {
    let (name, here) = (&table.sums.name, units::format_count(table.rows_per_transaction()));
    let Some(excess) = excess else {
        return format!("{name} is scanned from end to end for lookups by key: {here} rows read per transaction");
    };
    let rows = format!("{here} rows read per transaction (other side: {})", units::format_count(excess.rows));
    match Lack::from_excess(table, excess) {
        Some(Lack::Missing(index)) if is_of_another_kind(&index, facts).is_some() => {
            let kind = is_of_another_kind(&index, facts).unwrap_or_default();
            format!("index {index} on {name} is {kind}: {rows}")
        }
        Some(Lack::Missing(index)) => format!("{name} lacks index {index}, which the other side has: {rows}"),
        Some(Lack::Unused(index)) if is_invalid(table, &index) => {
            format!("index {index} on {name} is invalid and not used: {rows}")
        }
        Some(Lack::Unused(index)) => {
            let differs = deciding_fact_in_words(&reasons_not_to_use(facts));
            format!("index {index} on {name} is not used: {rows}{differs}")
        }
        None => format!("{name}: {rows}"),
    }
}

/// How an index that both sides have by its name is made, where it is made differently.
fn is_of_another_kind(index: &str, facts: &[UnlikeTableFact]) -> Option<String> {
    facts
        .iter()
        .find(|fact| fact.part == CatalogPart::Indexes && fact.fact == DEFINITION && fact.name == index)
        .map(UnlikeTableFact::values_in_words)
}

/// Whether an index of the table is one that no plan may use.
fn is_invalid(table: &TableUse, name: &str) -> bool {
    table.sums.indexes.iter().any(|index| index.name == name && !index.valid)
}

/// What keeps the index that the other side uses from being used.
enum Lack {
    /// There is none like it.
    Missing(String),
    /// There is one.
    Unused(String),
}

impl Lack {
    fn from_excess(table: &TableUse, excess: &Excess<'_>) -> Option<Self> {
        let used = excess.table?.chief_index()?;
        match table.index_like(used) {
            None => Some(Self::Missing(used.name.clone())),
            Some(here) if (here.scans as f64) < 0.1 * table.sums.sequential_scans as f64 => {
                Some(Self::Unused(here.name.clone()))
            }
            Some(_) => None,
        }
    }
}

fn figures_of_excess(
    case: &DiagnosisCase<'_>,
    tables: &[TableUse],
    table: &TableUse,
    excess: Option<&Excess<'_>>,
) -> Vec<EvidenceFigure> {
    let all: f64 = tables.iter().map(TableUse::rows_per_transaction).sum();
    let mut figures = vec![figure(
        format!("rows of {} read per transaction", table.sums.name),
        count_of_rows(table.rows_per_transaction()),
    )];
    if let Some(Excess { other, rows, .. }) = excess {
        figures.push(figure(format!("rows read per transaction on {}", other.cell().target), count_of_rows(*rows)));
        figures.extend(
            case.share_of_change(other, is_executing).map(|share| figure(SHARE_OF_CHANGE, FigureAmount::Share(share))),
        );
    }
    if let Some(index) = excess.and_then(|excess| excess.table?.chief_index()) {
        let state = match table.index_like(index) {
            None if table.sums.indexes.iter().any(|here| here.name == index.name) => "made differently here",
            None => "missing here",
            Some(here) if here.valid => "also here",
            Some(_) => "here, but invalid",
        };
        figures.push(figure(
            "index that the other side uses",
            FigureAmount::Text(format!("{}; {state}", index.definition)),
        ));
    }
    if let Some(filter) = case.selective_scan(&table.sums.name).and_then(|scan| scan.filter.clone()) {
        figures.push(figure("filter of the scan", FigureAmount::Text(filter)));
    }
    figures.push(figure("sequential scans per transaction", count_of_rows(table.sequential_scans())));
    figures.push(figure("rows in the table", FigureAmount::Count(table.sums.live_rows as f64)));
    figures.push(figure("share of all rows read", FigureAmount::Share(table.rows_per_transaction() / all)));
    figures
}

fn count_of_rows(rows: f64) -> FigureAmount {
    FigureAmount::Count(rows)
}

fn remedy_of_table(
    case: &DiagnosisCase<'_>,
    table: &TableUse,
    excess: Option<&Excess<'_>>,
    facts: &[UnlikeTableFact],
) -> String {
    let name = &table.sums.name;
    let used = excess.and_then(|excess| excess.table?.chief_index());
    let then = "run this plan, and compare: throughput rises";
    match (excess.and_then(|excess| Lack::from_excess(table, excess)), used) {
        (Some(Lack::Missing(_)), Some(used)) if table.sums.indexes.iter().any(|here| here.name == used.name) => {
            format!("replace the index (DROP INDEX {}; {}), {then}", used.name, used.definition)
        }
        (Some(Lack::Missing(_)), Some(used)) => format!("create the index ({}), {then}", used.definition),
        (Some(Lack::Unused(index)), _) if is_invalid(table, &index) => {
            format!(
                "rebuild the invalid index (REINDEX INDEX CONCURRENTLY {index}; a CREATE INDEX CONCURRENTLY that failed leaves it so), {then}"
            )
        }
        (Some(Lack::Unused(index)), _) => match advice_of_facts(&reasons_not_to_use(facts)) {
            Some(advice) => format!("make this side as the other one is ({advice}), {then}"),
            None if case.expects_rows_that_come(name) => {
                format!(
                    "find with EXPLAIN why {index} is not used (planner settings, types; the planner expects the rows that come, so \
                     ANALYZE changes nothing), {then}"
                )
            }
            None => {
                let analyze =
                    if is_old(&table.sums).unwrap_or(true) { format!("ANALYZE {name}, ") } else { String::new() };
                format!(
                    "{analyze}find with EXPLAIN why {index} is not used (planner settings, types, statistics), {then}"
                )
            }
        },
        _ if table.sequential_rows() < table.rows_per_transaction() / 2.0 => {
            format!(
                "change the statements so that their plans look up {name} less often (EXPLAIN shows them on both sides), {then}"
            )
        }
        _ => match index_for(case, name) {
            Some(index) => format!("create the missing index ({index}), {then}"),
            None => format!("create an index on the columns by which {name} is looked up, {then}"),
        },
    }
}

/// The index that a scan of the table would not be needed with, as far as its filter tells.
fn index_for(case: &DiagnosisCase<'_>, table: &str) -> Option<String> {
    let columns = plans::columns_of_filter(case.selective_scan(table)?.filter.as_deref()?);
    (!columns.is_empty()).then(|| format!("CREATE INDEX ON {table} ({})", columns.join(", ")))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::diagnose::Bearing;
    use crate::diagnose::built::{Built, Measurement};

    /// Transactions of a trial of a healthy cell, about.
    const TRANSACTIONS: u64 = 48_000;

    fn accounts(sequential_scans: u64, index_scans: u64, indexes: &[&str]) -> Value {
        let index = |column: &&str| {
            json!({ "name": format!("by_{column}"), "valid": true, "scans": index_scans, "entries": index_scans,
                    "definition": format!("CREATE INDEX by_{column} ON public.accounts USING btree ({column})") })
        };
        json!({ "name": "public.accounts", "live_rows": 100_000, "sequential_scans": sequential_scans,
                "sequential_rows": sequential_scans * 100_000, "index_rows": index_scans, "rows_changed": 0,
                "indexes": indexes.iter().map(index).collect::<Vec<_>>() })
    }

    fn by_index(cell: Measurement) -> Measurement {
        cell.tables(vec![accounts(0, TRANSACTIONS, &["aid"])])
    }

    fn by_scan(cell: Measurement) -> Measurement {
        slow(cell).tables(vec![accounts(TRANSACTIONS, 0, &[])])
    }

    /// A fifth of the throughput, all of whose time is spent executing.
    fn slow(cell: Measurement) -> Measurement {
        cell.throughput(800.0).sees_nothing().sees("active", None, 40)
    }

    #[test]
    fn an_index_that_one_side_lacks_is_named_whichever_side_it_is() {
        let found = Built::pair().with_first(by_index).with(by_scan).finds(&RULE);
        assert!(found.title.starts_with("public.accounts lacks index by_aid"), "{found:?}");
        assert!(found.figures.iter().any(|figure| figure.name == "rows read per transaction on db"), "{found:?}");
        let remedy = "create the index (CREATE INDEX by_aid ON public.accounts USING btree (aid))";
        assert!(found.confirm.expect.starts_with(remedy), "{found:?}");

        let other_way = Built::pair().with_first(by_scan).with(by_index);
        let finding = &other_way.diagnosis().findings[0];
        assert_eq!(
            (finding.rule.code.name, &finding.bearing),
            (RULE.code.name, &Bearing::Difference { target: "db".to_owned() })
        );
        other_way.is_fine_for(&RULE);
    }

    #[test]
    fn an_index_that_is_there_and_not_used_is_told_from_one_that_is_missing() {
        let unused = |cell: Measurement| slow(cell).tables(vec![accounts(TRANSACTIONS, 0, &["aid"])]);
        let found = Built::pair().with_first(by_index).with(unused).finds(&RULE);
        assert!(found.title.starts_with("index by_aid on public.accounts is not used"), "{found:?}");
    }

    #[test]
    fn an_index_by_which_the_other_side_looks_in_vain_is_missed_too() {
        let in_vain = |cell: Measurement| {
            let mut table = accounts(0, 0, &["aid"]);
            table["indexes"][0]["scans"] = json!(TRANSACTIONS);
            cell.tables(vec![table])
        };
        let found = Built::pair().with_first(in_vain).with(by_scan).finds(&RULE);
        assert!(found.title.starts_with("public.accounts lacks index by_aid"), "{found:?}");
        // One that nobody looks at there is of another workload.
        let untouched = |cell: Measurement| cell.tables(vec![accounts(0, 0, &["aid"])]);
        Built::pair().workload("{ script: [report.sql] }").with_first(untouched).with(by_scan).is_fine_for(&RULE);
    }

    #[test]
    fn an_index_that_is_read_from_end_to_end_for_a_row_is_found_with_the_one_that_is_lacking() {
        let reads = |pages_of_scan: u64, entries: u64| {
            let mut table = accounts(0, TRANSACTIONS, &["tenant"]);
            table["indexes"][0]["pages_read"] = json!(TRANSACTIONS * pages_of_scan);
            table["indexes"][0]["entries"] = json!(TRANSACTIONS * entries);
            table["indexes"][0]["bytes"] = json!(220 * 8192);
            let node = json!({ "node": "Index Scan", "relation": "accounts", "index": "by_tenant", "condition": "(id = 7)",
                               "rows": 1, "cost": 1490 });
            Built::healthy().with(|cell| cell.tables(vec![table]).plans(vec![node]))
        };
        let found = reads(219, 1).finds(&RULE);
        assert!(found.title.starts_with("index by_tenant on public.accounts is read from end to end"), "{found:?}");
        assert!(found.confirm.expect.contains("(CREATE INDEX ON public.accounts (id))"), "{found:?}");
        // Looked into, and read for all that is in it.
        reads(3, 1).is_fine_for(&RULE);
        reads(219, 90_000).is_fine_for(&RULE);
    }

    #[test]
    fn one_target_that_scans_for_keys_is_found_and_one_whose_scripts_may_want_to_is_not() {
        let found = Built::healthy().with(by_scan).finds(&RULE);
        assert!(found.title.contains("scanned from end to end"), "{found:?}");
        Built::healthy().workload("{ script: [report.sql] }").with(by_scan).is_fine_for(&RULE);
    }

    #[test]
    fn a_script_whose_plan_scans_for_few_rows_is_found_with_the_index_that_would_serve() {
        let scan = |rows: f64| json!({ "node": "Seq Scan", "relation": "accounts", "filter": "(aid = 7)", "rows": rows, "cost": 2890 });
        let built = |rows| {
            let cell = move |cell| by_scan(cell).plans(vec![scan(rows)]);
            Built::healthy().workload("{ script: [report.sql] }").with(cell)
        };
        let found = built(1.0).finds(&RULE);
        assert!(found.confirm.expect.contains("(CREATE INDEX ON public.accounts (aid))"), "{found:?}");
        assert!(found.figures.iter().any(|f| f.amount == FigureAmount::Text("(aid = 7)".to_owned())), "{found:?}");
        built(50_000.0).is_fine_for(&RULE);
    }

    #[test]
    fn a_scan_that_changes_many_rows_is_for_many_whatever_was_expected() {
        let scan = json!({ "node": "Seq Scan", "relation": "accounts", "filter": "((aid % 60) = 7)", "rows": 500, "cost": 2890 });
        let built = |changed_by_each: u64| {
            let mut table = accounts(TRANSACTIONS, 0, &[]);
            table["rows_changed"] = json!(TRANSACTIONS * changed_by_each);
            let cell = |cell| slow(cell).tables(vec![table]).plans(vec![scan.clone()]);
            Built::healthy().workload("{ script: [report.sql] }").with(cell)
        };
        built(400).finds(&RULE);
        built(1_700).is_fine_for(&RULE);
    }

    #[test]
    fn lookups_small_tables_and_scans_on_every_side_are_healthy() {
        Built::healthy().with(by_index).is_fine_for(&RULE);
        let scripts = Built::pair().workload("{ script: [report.sql] }");
        scripts.with_first(by_scan).with(by_scan).is_fine_for(&RULE);
        let small = |cell: Measurement, rows: u64| {
            cell.tables(vec![json!({ "name": "public.branches", "live_rows": rows, "sequential_scans": TRANSACTIONS,
                                     "sequential_rows": TRANSACTIONS * rows, "index_rows": 0, "rows_changed": 1 })])
        };
        Built::pair().with_first(|cell| small(cell, 1)).with(|cell| small(slow(cell), 15)).is_fine_for(&RULE);
        // Rows that cost nothing were read by another side of the same server.
        let not_its_own = |cell: Measurement| cell.tables(vec![accounts(0, 757 * TRANSACTIONS, &["aid"])]);
        Built::pair().with_first(by_index).with(not_its_own).is_fine_for(&RULE);
    }

    #[test]
    fn without_the_tables_figures_it_stays_open() {
        let built = Built::healthy().with(Measurement::no_tables);
        assert_eq!(built.lacks(&RULE), "the statistics of each table: timed out");
    }
}
