//! `write-overhead`: the statements that write a table take longer than on a side on which less is done for each row.

use results::catalog::CatalogPart;
use results::plans::StatementPlans;
use results::probe_fields::pg_tables;
use results::tables::Attached;
use results::workload::StatementNumber;
use stats::Estimate;

use crate::codes::{Code, CodeGroup, IssueEffect};
use crate::diagnose::case::{DiagnosisCase, MeasuredTrial};
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{
    CaseFinding, Confidence, EvidenceFigure, FigureAmount, FindingKind, SHARE_OF_CHANGE, figure,
};
use crate::diagnose::quantity::Measure;
use crate::diagnose::rule::{Looked, MissingObservation, Rule};
use crate::diagnose::spent::{STATEMENTS_EXPLAIN, STATEMENTS_TAKE_LONGER, is_in_server};
use crate::diagnose::tables::TableUse;
use crate::units::format_percent;

/// The rule.
pub(in crate::diagnose) const RULE: Rule = Rule {
    code: &Code {
        name: "write-overhead",
        group: CodeGroup::Schema,
        detects: "Statements that write a table take longer than on the other side. The table has a trigger, foreign key, check, \
                default or index that the other side lacks or defines differently.",
        reported_if: "Both sides write a table, which has a trigger, constraint, default or index here that the other side \
                lacks or defines differently. The statements that write it take longer beyond chance and account for \
                most of the additional latency. The issue has a cost only if no other known difference may be the cause.",
        thresholds: &[STATEMENTS_TAKE_LONGER, STATEMENTS_EXPLAIN],
        effects: IssueEffect::OF_FINDINGS,
        why: "Triggers, checks and foreign keys run for each row, and each index gets an entry. The query plan of a write that is not \
              executed shows none of this work.",
        evidence: "Time of the statements that write the table, triggers, constraints, defaults and indexes of the table on both sides, \
                and the share of the updates that are HOT.",
        fix: "Drop the indexes, triggers and constraints that are not needed.",
        confirm: "Drop them on this side and run the plan again.",
        formerly: &["dearer-writes"],
    },
    measure: Measure::Time,
    look: look_for_write_overhead,
};

/// From this share of all updates on, the title says that they are no longer HOT. Fewer stand in the evidence.
const HOT_UPDATES_LOST: f64 = 0.1;

/// Differences that are listed, each with how it was made.
const LISTED: usize = 5;

/// Characters of how something was made that are told.
const DEFINITION: usize = 160;

fn look_for_write_overhead(case: &DiagnosisCase<'_>) -> Looked {
    let tables = case.table_uses()?;
    case.beside_others(|other| {
        Ok(find_dearer_table(case, other, &tables)?.map(|dearer| finding_of_writes(case, other, &dearer)))
    })
}

/// A table whose rows are written at a greater cost than on the other side.
struct Dearer<'a> {
    table: &'a TableUse,
    /// What is done for its rows here and not there.
    only_here: Vec<Only<'a>>,
    statements: Vec<StatementNumber>,
    /// Milliseconds by which they take longer, and their share of how much longer a transaction takes.
    longer: Estimate,
    share: f64,
}

/// Something that the other side has not.
struct Only<'a> {
    kind: &'static str,
    name: &'a str,
    definition: &'a str,
    /// Whether something of its kind and name is there as well.
    is_other_there: bool,
}

fn find_dearer_table<'a>(
    case: &DiagnosisCase<'_>,
    other: &DiagnosisCase<'_>,
    tables: &'a [TableUse],
) -> Result<Option<Dearer<'a>>, MissingObservation> {
    let there = other.table_uses()?;
    for table in tables.iter().filter(|table| table.sums.rows_changed > 0) {
        let same = there.iter().find(|there| there.sums.name == table.sums.name);
        let Some(same) = same.filter(|there| there.sums.rows_changed > 0) else { continue };
        if case.rows_account_for_time(other, (table, same))? {
            continue;
        }
        let (ours, theirs) = ((table, attached_to_table(case, table)?), (same, attached_to_table(other, same)?));
        let only_here = only_here(ours, theirs, case.is_of_one_version_with(other)?);
        if only_here.is_empty() {
            continue;
        }
        let statements: Vec<StatementNumber> =
            case.writers_of(&table.sums.name)?.into_iter().map(|plans: &StatementPlans| plans.statement).collect();
        if let Some((longer, share)) = case.statements_make_the_difference(other, &statements)? {
            return Ok(Some(Dearer { table, only_here, statements, longer, share }));
        }
    }
    Ok(None)
}

/// What is done for the rows of a table here and not there, triggers first.
fn only_here<'a>(
    (here, ours): (&'a TableUse, &'a [Attached]),
    (there, theirs): (&TableUse, &[Attached]),
    same_version: bool,
) -> Vec<Only<'a>> {
    let not_there = ours.iter().filter(|one| {
        !theirs.iter().any(|other| {
            let said_alike = one.definition == other.definition || (!same_version && one.name == other.name);
            one.function == other.function && said_alike
        })
    });
    let of_rows = not_there.map(|one| Only {
        kind: kind_of_attachment(&one.definition),
        name: &one.name,
        definition: &one.definition,
        is_other_there: theirs.iter().any(|other| other.name == one.name),
    });
    let of_indexes = here.sums.indexes.iter().filter(|index| there.index_like(index).is_none()).map(|index| Only {
        kind: "index",
        name: &index.name,
        definition: &index.definition,
        is_other_there: there.sums.indexes.iter().any(|other| other.name == index.name),
    });
    let mut all: Vec<Only<'a>> = of_rows.chain(of_indexes).collect();
    // Executed for each row in a language of its own; most of the others are a comparison.
    all.sort_by_key(|only| only.kind != "trigger");
    all
}

fn attached_to_table<'a>(case: &DiagnosisCase<'_>, table: &'a TableUse) -> Result<&'a [Attached], MissingObservation> {
    table
        .sums
        .attached
        .as_deref()
        .ok_or_else(|| case.not_defined(format!("the triggers, constraints and defaults of {}", table.sums.name)))
}

fn kind_of_attachment(definition: &str) -> &'static str {
    const KINDS: [(&str, &str); 7] = [
        ("CREATE TRIGGER", "trigger"),
        ("CREATE CONSTRAINT TRIGGER", "trigger"),
        ("CREATE RULE", "rule"),
        ("FOREIGN KEY", "foreign key"),
        ("CHECK", "check"),
        ("DEFAULT", "default of the column"),
        ("GENERATED", "generated column"),
    ];
    KINDS.iter().find(|(begin, _)| definition.starts_with(begin)).map_or("constraint", |(_, kind)| kind)
}

fn finding_of_writes(case: &DiagnosisCase<'_>, other: &DiagnosisCase<'_>, dearer: &Dearer<'_>) -> CaseFinding {
    let (table, first) = (&dearer.table.sums.name, &dearer.only_here[0]);
    let is_deferred = first.definition.contains("INITIALLY DEFERRED");
    let when = if is_deferred { ", which runs at COMMIT," } else { "" };
    let title = match first.is_other_there {
        true => format!("{} {} on {table}{when} differs from the other side", first.kind, first.name),
        false => format!("{} {} on {table}{when} does not exist on the other side", first.kind, first.name),
    };
    let title = match hot_updates_beside(case, other) {
        Some([here, there]) if first.kind == "index" && is_lost(here, there) => {
            format!("{title}: {} of the updates are HOT, {} there", format_percent(here), format_percent(there))
        }
        _ => title,
    };
    let off = match first.kind {
        "trigger" => format!("ALTER TABLE {table} DISABLE TRIGGER {}", first.name),
        kind => format!("the same table without {kind} {}", first.name),
    };
    CaseFinding {
        title,
        kind: FindingKind::Problem,
        // How long a statement takes was counted, and not what of it goes where.
        confidence: Confidence::Medium,
        cost: case.cost_counted(
            |measured: &MeasuredTrial<'_>| case.time_of_statements(measured, &dearer.statements),
            is_in_server,
        ),
        figures: figures_of_writes(case, other, dearer),
        windows: case.all_the_time(),
        chart: None,
        would_disprove:
            "the same difference in latency with the same triggers, constraints, defaults and indexes on both sides"
                .to_owned(),
        confirm: Confirm::repeat_unchanged(
            case,
            &format!(
                "remove it on a copy ({off}), run this plan, and compare: writes take as long as on the other side. With \
                 track_functions = pl, the server reports the time of a trigger's function"
            ),
        ),
        mend: None,
    }
}

fn figures_of_writes(case: &DiagnosisCase<'_>, other: &DiagnosisCase<'_>, dearer: &Dearer<'_>) -> Vec<EvidenceFigure> {
    let mut figures = vec![
        figure("additional time of the statements that write the table", FigureAmount::Ms(dearer.longer.point)),
        figure(SHARE_OF_CHANGE, FigureAmount::Share(dearer.share)),
        figure("rows written per transaction", FigureAmount::Count(dearer.table.rows_written())),
    ];
    let there = &other.cell().target;
    let name = &dearer.table.sums.name;
    if let (Some(indexes), Some(indexes_there)) = (indexes_of(case, name), indexes_of(other, name)) {
        figures.push(figure(
            "index entries written per transaction, at most",
            FigureAmount::Count(dearer.table.rows_written() * indexes),
        ));
        figures.push(figure("indexes of the table", FigureAmount::Count(indexes)));
        figures.push(figure(format!("indexes of the table on {there}"), FigureAmount::Count(indexes_there)));
    }
    if let Some([here, there_too]) = hot_updates_beside(case, other) {
        figures.push(figure("HOT updates, of all updates", FigureAmount::Share(here)));
        figures.push(figure(format!("HOT updates, of all updates on {there}"), FigureAmount::Share(there_too)));
    }
    figures.extend(dearer.only_here.iter().take(LISTED).map(|only| {
        let definition: String = only.definition.chars().take(DEFINITION).collect();
        let state = if only.is_other_there { "different" } else { "missing" };
        figure(format!("{} {}, {state} on {there}", only.kind, only.name), FigureAmount::Text(definition))
    }));
    figures
}

/// The share of the updates that are HOT here and there; none where a side updates nothing or the counters are missing.
/// An update that changes an indexed column, or finds no room in the page of its row, is not HOT.
fn hot_updates_beside(case: &DiagnosisCase<'_>, other: &DiagnosisCase<'_>) -> Option<[f64; 2]> {
    let [here, there] = [case, other].map(|side| {
        let updates = side.total_increase(pg_tables::UPDATES).ok().filter(|updates| *updates > 0.0)?;
        Some((side.total_increase(pg_tables::HOT_UPDATES).ok()? / updates).min(1.0))
    });
    Some([here?, there?])
}

/// Whether a good part of the updates that are HOT there are not here.
fn is_lost(here: f64, there: f64) -> bool {
    there - here >= HOT_UPDATES_LOST
}

/// How many indexes a table has, used or not: a row that is inserted gets an entry in each. None where the catalogs
/// were not read.
fn indexes_of(case: &DiagnosisCase<'_>, table: &str) -> Option<f64> {
    let indexes = case.catalog_contents().ok()?.objects_of(CatalogPart::Indexes).ok()?;
    Some(indexes.iter().filter(|index| index.table.as_deref() == Some(table)).count() as f64)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    /// Transactions of a trial of a healthy cell, about.
    const TRANSACTIONS: u64 = 48_000;

    fn journal(attached: &Value) -> Value {
        let key = json!({ "name": "journal_pkey", "definition": "CREATE UNIQUE INDEX journal_pkey ON public.journal USING btree (id)",
                          "valid": true, "scans": 0, "entries": 0 });
        json!({ "name": "public.journal", "live_rows": 9000, "sequential_scans": 0, "sequential_rows": 0, "index_rows": 0,
                "rows_changed": TRANSACTIONS, "indexes": [key], "attached": attached })
    }

    fn audit(function: &str) -> Value {
        json!([{ "name": "audit", "definition": "CREATE TRIGGER audit BEFORE INSERT ON public.journal FOR EACH ROW EXECUTE FUNCTION audit()",
                 "function": function }])
    }

    /// Writes the journal with its second statement, as many rows in each transaction however many there are.
    fn writes(cell: Measurement, ms: f64, mut table: Value) -> Measurement {
        let rows = table["rows_changed"].as_f64().expect("a count") / (ms + 0.2);
        table["rows_changed"] = json!(rows as u64);
        let insert = json!({ "node": "Insert", "relation": "journal", "rows": 0, "cost": 1 });
        let select = json!({ "node": "Result", "rows": 1, "cost": 1 });
        cell.throughput(4.0 / (ms + 0.2) * 1e3).tables(vec![table]).plans(vec![select, insert]).times(&[0.1, ms])
    }

    fn pair(here: Value, there: Value) -> Built {
        Built::pair().with_first(|cell| writes(cell, 0.8, there)).with(|cell| writes(cell, 3.8, here))
    }

    #[test]
    fn a_trigger_that_does_more_is_found_where_who_writes_waits_for_it() {
        let found = pair(journal(&audit("heavy")), journal(&audit("light"))).finds(&RULE);
        assert_eq!(found.title, "trigger audit on public.journal differs from the other side");
        let FigureAmount::Ms(longer) = found.figures[0].amount else { panic!("{found:?}") };
        assert!((longer - 3.0).abs() < 0.1, "{found:?}");
        assert!(found.confirm.expect.contains("DISABLE TRIGGER audit"), "{found:?}");
    }

    /// Its transaction takes longer where it commits, for a constraint that is checked only then.
    fn commits_in(cell: Measurement, ms: f64, mut table: Value) -> Measurement {
        table["rows_changed"] = json!((TRANSACTIONS as f64 / (ms + 0.4)) as u64);
        let insert = json!({ "node": "Insert", "relation": "journal", "rows": 0, "cost": 1 });
        let none = json!({ "node": "Result", "rows": 1, "cost": 1 });
        let plans = vec![none.clone(), insert, none];
        cell.throughput(4.0 / (ms + 0.4) * 1e3).tables(vec![table]).plans(plans).times(&[0.1, 0.2, ms])
    }

    #[test]
    fn what_is_checked_at_commit_is_the_cost_of_the_statements_that_wrote() {
        let deferred = json!([{ "name": "balanced", "function": "balanced()",
            "definition": "CREATE CONSTRAINT TRIGGER balanced AFTER INSERT ON public.journal DEFERRABLE INITIALLY DEFERRED" }]);
        let texts = ["BEGIN", "INSERT INTO journal VALUES ($1)", "COMMIT"];
        let built = Built::pair()
            .sends(&texts)
            .with_first(|cell| commits_in(cell, 0.8, journal(&json!([]))))
            .with(|cell| commits_in(cell, 3.8, journal(&deferred)));
        let found = built.finds(&RULE);
        assert_eq!(
            found.title,
            "trigger balanced on public.journal, which runs at COMMIT, does not exist on the other side"
        );
        let FigureAmount::Ms(longer) = found.figures[0].amount else { panic!("{found:?}") };
        assert!((longer - 3.0).abs() < 0.1, "{found:?}");
    }

    #[test]
    fn an_index_that_the_other_side_has_not_is_found_by_what_it_is_on() {
        let mut more = journal(&json!([]));
        let index = json!({ "name": "by_payload", "definition": "CREATE INDEX by_payload ON public.journal USING gin (payload)",
                            "valid": true, "scans": 0, "entries": 0 });
        more["indexes"].as_array_mut().unwrap().push(index);
        let built = pair(more, journal(&json!([])));
        let found = built.clone().finds(&RULE);
        assert_eq!(found.title, "index by_payload on public.journal does not exist on the other side");
        // Of an updated column: each update writes into all indexes.
        let updates = |cell: Measurement, hot: f64| {
            cell.probe(pg_tables::PROBE.as_str(), &[("updates", 400.0), ("hot_updates", 400.0 * hot)])
        };
        let found = built.with_first(|cell| updates(cell, 0.97)).with(|cell| updates(cell, 0.02)).finds(&RULE);
        assert_eq!(
            found.title,
            "index by_payload on public.journal does not exist on the other side: 2 % of the updates are HOT, 97 % there"
        );
    }

    #[test]
    fn the_same_table_and_one_that_is_no_dearer_to_write_are_fine() {
        pair(journal(&audit("light")), journal(&audit("light"))).is_fine_for(&RULE);
        // What the slower side lacks does not slow it.
        pair(journal(&json!([])), journal(&audit("light"))).is_fine_for(&RULE);
        let [here, there] = [journal(&audit("heavy")), journal(&audit("light"))];
        let alike = Built::pair().with_first(|cell| writes(cell, 0.8, there)).with(|cell| writes(cell, 0.8, here));
        alike.is_fine_for(&RULE);
    }

    #[test]
    fn a_trigger_is_not_blamed_for_statements_that_write_a_multiple_of_the_rows() {
        let with_rows = |rows: u64| {
            let mut more = journal(&audit("heavy"));
            more["rows_changed"] = json!(rows);
            pair(more, journal(&json!([])))
        };
        with_rows(4 * TRANSACTIONS).is_fine_for(&RULE);
        with_rows(TRANSACTIONS + TRANSACTIONS / 5).finds(&RULE);
    }

    #[test]
    fn another_version_may_say_the_same_in_other_words() {
        let check = |text: &str| json!([{ "name": "positive", "definition": text }]);
        let built = pair(journal(&check("CHECK ((n > 0))")), journal(&check("CHECK (n > 0)")));
        built.clone().finds(&RULE);
        built.fact("/server/version_num", json!(180_001)).is_fine_for(&RULE);
    }

    #[test]
    fn without_what_is_attached_or_the_times_it_stays_open() {
        let mut of_before = journal(&json!([]));
        of_before.as_object_mut().unwrap().remove("attached");
        let lacks = pair(of_before, journal(&audit("light"))).lacks(&RULE);
        assert_eq!(
            lacks,
            "the triggers, constraints and defaults of public.journal: the files of the run do not contain it"
        );
        let untimed = pair(journal(&audit("heavy")), journal(&audit("light"))).with(Measurement::no_times);
        assert!(untimed.lacks(&RULE).contains("they were timed"));
    }
}
