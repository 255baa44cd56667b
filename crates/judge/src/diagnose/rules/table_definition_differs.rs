//! `table-definition-differs`: statements with the same plan take longer on a table whose columns, or whose storage,
//! are not those of the other side's.

use results::tables::TableProperty;
use results::workload::StatementNumber;
use stats::Estimate;

use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::case::{DiagnosisCase, MeasuredTrial};
use crate::diagnose::catalog::{advice_of_facts, figures_of_facts};
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{
    CaseFinding, Confidence, EvidenceFigure, FigureAmount, FindingKind, SHARE_OF_CHANGE, figure,
};
use crate::diagnose::quantity::Measure;
use crate::diagnose::rule::{Looked, MissingObservation, Rule};
use crate::diagnose::spent::{STATEMENTS_EXPLAIN, STATEMENTS_TAKE_LONGER, is_in_server};
use crate::diagnose::tables::{ALIKE, TableUse};
use crate::unlike_tables::{BearsOn, UnlikeTableFact};

/// The rule.
pub(in crate::diagnose) const RULE: Rule = Rule {
    code: &Code {
        name: "table-definition-differs",
        group: CodeGroup::Schema,
        detects: "Statements with the same query plan take longer than on the other side. Their table has as many rows but a different \
                definition: columns, their types, collation, storage, compression, fillfactor or persistence.",
        reported_if: "A table has as many rows as on the other side, but another definition. How the values of a column are \
                compressed counts only if a statement may read or write them. Statements on it have the same \
                query plan on both sides, take longer beyond chance, and account for most of the additional latency. \
                The issue has a cost only if no other known difference may be the cause.",
        thresholds: &[
            STATEMENTS_TAKE_LONGER,
            STATEMENTS_EXPLAIN,
            RuleThreshold::at_most("ratio of the rows in the table between the sides", ALIKE, ThresholdUnit::Times),
        ],
        effects: IssueEffect::OF_FINDINGS,
        why: "The definition of a column determines the cost of comparing, decompressing and writing its values. The query plan is the same, \
              and every row costs more.",
        evidence: "Column types, collations, storage, compression, fillfactor and persistence of the table on both sides, and the time of its statements.",
        fix: "Define the table as on the other side.",
        confirm: "Change the definition on this side and run the plan again.",
        formerly: &["made-otherwise"],
    },
    measure: Measure::Time,
    look: look_for_table_definition_differs,
};

/// Differences that are listed.
const LISTED: usize = 5;

fn look_for_table_definition_differs(case: &DiagnosisCase<'_>) -> Looked {
    let tables = case.table_uses()?;
    case.beside_others(|other| {
        Ok(find_slower_table(case, other, &tables)?.map(|slower| finding_of_definitions(case, other, &slower)))
    })
}

/// A table that is made otherwise than on the other side.
struct SlowerTable<'a> {
    table: &'a TableUse,
    differences: Vec<DefinitionDifference>,
    statements: Vec<StatementNumber>,
    /// Milliseconds by which they take longer, and their share of how much longer a transaction takes.
    longer: Estimate,
    share: f64,
}

/// What is not so on the other side.
pub(in crate::diagnose) struct DefinitionDifference {
    /// `the column payload`, or `the table`.
    pub(in crate::diagnose) of: String,
    pub(in crate::diagnose) here: String,
    pub(in crate::diagnose) there: String,
}

fn find_slower_table<'a, 't>(
    case: &DiagnosisCase<'a>,
    other: &DiagnosisCase<'a>,
    tables: &'t [TableUse],
) -> Result<Option<SlowerTable<'t>>, MissingObservation> {
    let there = other.table_uses()?;
    for table in tables {
        let same = there.iter().find(|there| there.sums.name == table.sums.name);
        let Some(same) = same.filter(|there| table.holds_as_many_rows_as(there)) else { continue };
        if case.rows_account_for_time(other, (table, same))? {
            continue;
        }
        let mut differences =
            definition_differences(definitions_of_table(case, table)?, definitions_of_table(other, same)?);
        differences.retain(|difference| {
            let column = difference.column_of_compression();
            column.is_none_or(|column| [case, other].iter().any(|side| side.may_touch_column(&table.sums.name, column)))
        });
        if differences.is_empty() {
            continue;
        }
        let statements = case.statements_alike_on(other, &table.sums.name)?;
        if statements.is_empty() {
            continue;
        }
        if let Some((longer, share)) = case.statements_make_the_difference(other, &statements)? {
            return Ok(Some(SlowerTable { table, differences, statements, longer, share }));
        }
    }
    Ok(None)
}

fn definitions_of_table<'a>(
    case: &DiagnosisCase<'_>,
    table: &'a TableUse,
) -> Result<&'a [TableProperty], MissingObservation> {
    table.sums.made.as_deref().ok_or_else(|| case.not_defined(format!("the definition of {}", table.sums.name)))
}

/// Whether a table is known to be made otherwise than the other side's.
pub(super) fn is_made_otherwise(here: &TableUse, there: &TableUse) -> bool {
    let made = [here, there].map(|table| table.sums.made.as_deref());
    matches!(made, [Some(here), Some(there)] if !definition_differences(here, there).is_empty())
}

/// Columns of a table that a run lists: of one with as many it is not known which it lacks.
pub(in crate::diagnose) const COLUMNS_LISTED: usize = 100;

/// What is not alike on both sides, and then the columns that one of them lacks.
pub(in crate::diagnose) fn definition_differences(
    here: &[TableProperty],
    there: &[TableProperty],
) -> Vec<DefinitionDifference> {
    let mut unlike = Vec::new();
    let mut lacking = Vec::new();
    for ours in here {
        let theirs = there.iter().find(|theirs| theirs.column == ours.column);
        if theirs.is_none_or(|theirs| theirs.definition != ours.definition) {
            let list = if theirs.is_some() { &mut unlike } else { &mut lacking };
            list.push(DefinitionDifference::of_definitions(ours, Some(ours), theirs));
        }
    }
    for theirs in there.iter().filter(|theirs| here.iter().all(|ours| ours.column != theirs.column)) {
        lacking.push(DefinitionDifference::of_definitions(theirs, None, Some(theirs)));
    }
    if here.len().max(there.len()) < COLUMNS_LISTED {
        unlike.extend(lacking);
    }
    unlike
}

impl DefinitionDifference {
    fn of_definitions(one: &TableProperty, here: Option<&TableProperty>, there: Option<&TableProperty>) -> Self {
        let of = one.column.as_ref().map_or_else(|| "table".to_owned(), |name| format!("column {name}"));
        let [here, there] =
            [here, there].map(|made| made.map_or_else(|| "missing".to_owned(), |made| made.definition.clone()));
        Self { of, here, there }
    }

    /// The column, where the sides differ in how its values are compressed and in nothing else.
    fn column_of_compression(&self) -> Option<&str> {
        let column = self.of.strip_prefix("column ")?;
        let is_of_compression = without_compression(&self.here) == without_compression(&self.there);
        is_of_compression.then_some(column)
    }
}

/// `text STORAGE EXTENDED` of `text STORAGE EXTENDED COMPRESSION pglz`.
fn without_compression(definition: &str) -> &str {
    definition.split_once(" COMPRESSION ").map_or(definition, |(other, _)| other)
}

fn finding_of_definitions(
    case: &DiagnosisCase<'_>,
    other: &DiagnosisCase<'_>,
    slower: &SlowerTable<'_>,
) -> CaseFinding {
    let (table, first) = (&slower.table.sums.name, &slower.differences[0]);
    let what = if first.of == "table" { table.clone() } else { format!("{} of {table}", first.of) };
    let facts = further_facts(case, other, slower);
    CaseFinding {
        title: format!("table definition differs: {what} is {} (other side: {})", first.here, first.there),
        kind: FindingKind::Problem,
        // How long a statement takes was counted, and not what of it goes where.
        confidence: Confidence::Medium,
        cost: case.cost_counted(
            |measured: &MeasuredTrial<'_>| case.time_of_statements(measured, &slower.statements),
            is_in_server,
        ),
        figures: [figures_of_definitions(case, other, slower), figures_of_facts(&facts)].concat(),
        windows: case.all_the_time(),
        chart: None,
        would_disprove: "the same difference in latency with the same table definition on both sides".to_owned(),
        confirm: Confirm::repeat_unchanged(
            case,
            &format!(
                "give both tables the same definition on copies ({}ALTER TABLE leaves stored values as they are until they are \
                 rewritten), run this plan, and compare: the difference disappears",
                advice_of_facts(&facts).map_or_else(String::new, |advice| format!("{advice}; "))
            ),
        ),
        mend: None,
    }
}

/// What the catalogs say differently of the table besides: what planning and reading cost, and nothing that is in
/// the definitions.
fn further_facts(
    case: &DiagnosisCase<'_>,
    other: &DiagnosisCase<'_>,
    slower: &SlowerTable<'_>,
) -> Vec<UnlikeTableFact> {
    let mut facts = case.unlike_facts_of_table(other, &slower.table.sums.name, &[BearsOn::Planning, BearsOn::Reads]);
    facts.retain(|fact| {
        let is_defined = ["type", "collation", "storage", "compression", "persistence", "access method"];
        !is_defined.contains(&fact.fact.as_str())
    });
    facts
}

fn figures_of_definitions(
    case: &DiagnosisCase<'_>,
    other: &DiagnosisCase<'_>,
    slower: &SlowerTable<'_>,
) -> Vec<EvidenceFigure> {
    let mut figures = vec![
        figure("additional time of the statements on the table", FigureAmount::Ms(slower.longer.point)),
        figure(SHARE_OF_CHANGE, FigureAmount::Share(slower.share)),
    ];
    let [here, there] = [case, other].map(|side| side.cell().target.clone());
    figures.extend(slower.differences.iter().take(LISTED).flat_map(|one| {
        [(&here, &one.here), (&there, &one.there)].map(|(target, definition)| {
            figure(format!("{} on {target}", one.of), FigureAmount::Text(definition.clone()))
        })
    }));
    figures
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    const PACKED: &str = "text STORAGE EXTENDED COMPRESSION pglz";
    const PLAIN: &str = "text STORAGE EXTERNAL";

    fn journal(payload: &str, live_rows: u64) -> Value {
        json!({ "name": "public.journal", "live_rows": live_rows, "sequential_scans": 0, "sequential_rows": 0,
                "index_rows": 48_000, "rows_changed": 0, "attached": [],
                "made": [{ "column": "id", "definition": "bigint" }, { "column": "payload", "definition": payload },
                         { "definition": "LOGGED USING heap" }] })
    }

    /// Reads the journal with its second statement, as many rows in each transaction however many there are.
    fn reads(cell: Measurement, ms: f64, mut table: Value, node: &str) -> Measurement {
        let rows = table["index_rows"].as_f64().expect("a count") / (ms + 0.2);
        table["index_rows"] = json!(rows as u64);
        let read = json!({ "node": node, "relation": "journal", "rows": 1, "cost": 1 });
        let other = json!({ "node": "Result", "rows": 1, "cost": 1 });
        cell.throughput(4.0 / (ms + 0.2) * 1e3).tables(vec![table]).plans(vec![other, read]).times(&[0.1, ms])
    }

    fn pair(here: Value, there: Value) -> Built {
        Built::pair()
            .with_first(|cell| reads(cell, 0.8, there, "Index Scan"))
            .with(|cell| reads(cell, 3.8, here, "Index Scan"))
    }

    #[test]
    fn a_column_that_is_stored_otherwise_is_found_where_its_statements_take_longer() {
        let found = pair(journal(PACKED, 50), journal(PLAIN, 50)).finds(&RULE);
        assert_eq!(
            found.title,
            format!("table definition differs: column payload of public.journal is {PACKED} (other side: {PLAIN})")
        );
        let FigureAmount::Ms(longer) = found.figures[0].amount else { panic!("{found:?}") };
        assert!((longer - 3.0).abs() < 0.1, "{found:?}");
    }

    #[test]
    fn how_values_are_compressed_that_no_statement_has_is_no_cause() {
        let lz4 = "text STORAGE EXTENDED COMPRESSION lz4";
        let sends = |text: &'static str| pair(journal(PACKED, 50), journal(lz4, 50)).sends(&["SELECT 1", text]);
        sends("SELECT id FROM journal WHERE id = $1").is_fine_for(&RULE);
        let found = sends("SELECT payload FROM journal WHERE id = $1").finds(&RULE);
        assert!(found.title.contains(&format!("column payload of public.journal is {PACKED}")), "{}", found.title);
        // A definition that differs in more than that changes the rows themselves.
        let stored = pair(journal(PACKED, 50), journal(PLAIN, 50));
        stored.sends(&["SELECT 1", "SELECT id FROM journal WHERE id = $1"]).finds(&RULE);
    }

    #[test]
    fn a_definition_is_not_blamed_for_statements_that_read_a_multiple_of_the_rows() {
        let mut more = journal(PACKED, 50);
        more["index_rows"] = json!(480_000);
        pair(more, journal(PLAIN, 50)).is_fine_for(&RULE);
    }

    #[test]
    fn a_column_that_only_one_side_has_is_found_and_after_those_that_are_unlike() {
        let mut wider = journal(PLAIN, 50);
        wider["made"].as_array_mut().unwrap().push(json!({ "column": "pad", "definition": "text STORAGE PLAIN" }));
        let title = |of: &str| format!("table definition differs: column {of} of public.journal is ");
        let found = pair(wider.clone(), journal(PLAIN, 50)).finds(&RULE);
        assert_eq!(found.title, format!("{}text STORAGE PLAIN (other side: missing)", title("pad")));
        let lacking = pair(journal(PLAIN, 50), wider.clone()).finds(&RULE);
        assert_eq!(lacking.title, format!("{}missing (other side: text STORAGE PLAIN)", title("pad")));
        let both = pair(wider, journal(PACKED, 50)).finds(&RULE);
        assert!(both.title.starts_with(&title("payload")), "{}", both.title);
    }

    #[test]
    fn a_table_that_is_kept_otherwise_is_found_as_one() {
        let mut unlogged = journal(PLAIN, 50);
        unlogged["made"][2]["definition"] = json!("UNLOGGED USING heap");
        let found = pair(journal(PLAIN, 50), unlogged).finds(&RULE);
        assert!(found.title.starts_with("table definition differs: public.journal is "), "{}", found.title);
    }

    #[test]
    fn tables_made_alike_other_data_another_plan_and_statements_that_are_no_slower_are_fine() {
        pair(journal(PACKED, 50), journal(PACKED, 50)).is_fine_for(&RULE);
        pair(journal(PACKED, 500), journal(PLAIN, 50)).is_fine_for(&RULE);
        let [here, there] = [journal(PACKED, 50), journal(PLAIN, 50)];
        let other_plan = Built::pair()
            .with_first(|cell| reads(cell, 0.8, there.clone(), "Index Scan"))
            .with(|cell| reads(cell, 3.8, here.clone(), "Seq Scan"));
        other_plan.is_fine_for(&RULE);
        let alike = Built::pair()
            .with_first(|cell| reads(cell, 0.8, there, "Index Scan"))
            .with(|cell| reads(cell, 0.8, here, "Index Scan"));
        alike.is_fine_for(&RULE);
    }

    #[test]
    fn without_how_it_is_made_or_the_times_it_stays_open() {
        let mut of_before = journal(PACKED, 50);
        of_before.as_object_mut().unwrap().remove("made");
        let lacks = pair(of_before, journal(PLAIN, 50)).lacks(&RULE);
        assert_eq!(lacks, "the definition of public.journal: the files of the run do not contain it");
        let untimed = pair(journal(PACKED, 50), journal(PLAIN, 50)).with(Measurement::no_times);
        assert!(untimed.lacks(&RULE).contains("they were timed"));
    }
}
