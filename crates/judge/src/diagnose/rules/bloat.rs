//! `bloat`: a table or an index takes far more pages for its rows than on the other side, and they are read.

use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::case::DiagnosisCase;
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{
    CaseFinding, Confidence, EvidenceFigure, FigureAmount, FindingKind, SHARE_OF_CHANGE, figure,
};
use crate::diagnose::quantity::{Measure, QuantityUnit};
use crate::diagnose::rule::{Looked, MissingObservation, Rule};
use crate::diagnose::spent::{EXECUTES_LONGER, is_executing};
use crate::diagnose::tables::{ALIKE, Paged, TableUse};

use super::table_definition_differs::is_made_otherwise;

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &Code {
        name: "bloat",
        group: CodeGroup::Schema,
        detects: "A table or an index occupies far more pages than on the other side for as many rows, and each transaction reads more of them.",
        reported_if: "Another side has the same table with as many rows, of which a transaction reads as many. Here the table \
                or an index of it is larger, a transaction reads more pages of it, and execution takes longer beyond \
                chance. If the table definitions differ, most rows must be dead.",
        thresholds: &[
            RuleThreshold::at_least("size per row, relative to the other side", TIMES, ThresholdUnit::Times),
            RuleThreshold::at_least(
                "pages read per transaction, relative to the other side",
                TIMES,
                ThresholdUnit::Times,
            ),
            RuleThreshold::at_least("additional pages read per transaction", PAGES_MORE, ThresholdUnit::Count),
            EXECUTES_LONGER,
            RuleThreshold::at_most(
                "ratio of the pages read, relative to that of the sizes per row",
                ALIKE,
                ThresholdUnit::Times,
            ),
            RuleThreshold::at_most(
                "ratio of the rows in the table, and of the rows read, between the sides",
                ALIKE,
                ThresholdUnit::Times,
            ),
            RuleThreshold::at_least(
                "dead rows per live row, if the table definitions differ",
                DEAD,
                ThresholdUnit::Share,
            ),
        ],
        effects: IssueEffect::OF_FINDINGS,
        why: "If rows are deleted or changed faster than vacuum runs, pages with few rows or only dead rows remain, and every scan \
              reads them. VACUUM FULL or REINDEX rewrites the relation; earlier vacuums keep it compact.",
        evidence: "Pages, rows and dead rows of the table or index on both sides, and pages read per transaction.",
        fix: "Rewrite the table or index once (VACUUM FULL, REINDEX), and vacuum earlier from then on.",
        confirm: "VACUUM FULL the table on this side and run the plan again.",
        formerly: &[],
    },
    measure: Measure::Figure {
        name: "pages read per transaction",
        unit: QuantityUnit::Count,
        of: pages_read_per_transaction,
    },
    look: look_for_bloat,
};

/// Pages of all tables and indexes that a transaction read.
fn pages_read_per_transaction(case: &DiagnosisCase<'_>) -> Result<f64, MissingObservation> {
    case.table_uses()?
        .iter()
        .map(|table| {
            table
                .pages_in_all()
                .ok_or_else(|| MissingObservation::new("pages read of each table", "they were not counted"))
        })
        .sum()
}

/// So many times the pages, of the whole and of what a transaction reads: tables of the same rows differ by less while
/// vacuum keeps up.
const TIMES: f64 = 2.0;

/// So many pages more in a transaction: to look at one takes less than a microsecond.
const PAGES_MORE: f64 = 10.0;

/// From this share of the rows on, the dead ones themselves were counted.
const DEAD: f64 = 0.5;

fn look_for_bloat(case: &DiagnosisCase<'_>) -> Looked {
    let tables = case.table_uses()?;
    case.beside_others(|other| {
        Ok(find_bloated_table(case, other, &tables)?.map(|bloated| finding_of_bloat(case, other, &bloated)))
    })
}

/// A table or an index here and there.
struct Bloated<'a> {
    table: &'a TableUse,
    name: String,
    /// Pages of it that a transaction read.
    pages: [f64; 2],
    /// Its size for each row of the table, in bytes.
    bytes_of_row: [f64; 2],
}

fn find_bloated_table<'a>(
    case: &DiagnosisCase<'_>,
    other: &DiagnosisCase<'_>,
    tables: &'a [TableUse],
) -> Result<Option<Bloated<'a>>, MissingObservation> {
    let tables_there = other.table_uses()?;
    for table in tables {
        let there = tables_there.iter().find(|there| there.sums.name == table.sums.name);
        // Where other rows are read, so are other pages.
        let Some(there) =
            there.filter(|there| table.holds_as_many_rows_as(there) && table.reads_as_many_rows_as(there))
        else {
            continue;
        };
        for both in table.paged_beside(there) {
            let pages = both.each_ref().map(Paged::pages_per_transaction);
            let [Some(here), Some(other_side)] = pages else {
                return Err(MissingObservation::new(
                    format!("the pages of {} that were read", both[0].name),
                    "they were not counted in every trial",
                ));
            };
            let is_more = here >= TIMES * other_side && here >= other_side + PAGES_MORE;
            if !is_more || !case.executes_longer_than(other)? {
                continue;
            }
            let bytes_of_row = [both[0].bytes_of_row(case)?, both[1].bytes_of_row(other)?];
            // Other columns make other rows, unless most of them are dead.
            if both[0].name == table.sums.name
                && is_made_otherwise(table, there)
                && table.dead_for_each_live().is_none_or(|dead| dead < DEAD)
            {
                continue;
            }
            // Of pages with fewer rows as many more are read; what is read of them beyond that has another reason.
            let is_explained = here / other_side.max(1.0) <= ALIKE * bytes_of_row[0] / bytes_of_row[1];
            if bytes_of_row[0] >= TIMES * bytes_of_row[1] && is_explained {
                let name = both[0].name.clone();
                return Ok(Some(Bloated { table, name, pages: [here, other_side], bytes_of_row }));
            }
        }
    }
    Ok(None)
}

impl Bloated<'_> {
    fn is_table(&self) -> bool {
        self.name == self.table.sums.name
    }
}

fn finding_of_bloat(case: &DiagnosisCase<'_>, other: &DiagnosisCase<'_>, bloated: &Bloated<'_>) -> CaseFinding {
    let (name, times) = (&bloated.name, bloated.bytes_of_row[0] / bloated.bytes_of_row[1]);
    let anew = match bloated.is_table() {
        true => format!("VACUUM FULL {name}, which locks it (or pg_repack, which does not)"),
        false => format!("REINDEX INDEX CONCURRENTLY {name}"),
    };
    let dead = match bloated.table.dead_for_each_live() {
        Some(dead) if dead >= DEAD => format!(", {dead:.1} dead versions for each row"),
        Some(_) | None => String::new(),
    };
    CaseFinding {
        title: format!("{name} is bloated: {times:.1} times the pages of the other side for as many rows{dead}"),
        kind: FindingKind::Problem,
        // Rows may also be wider here, or pages be filled less on purpose.
        confidence: match bloated.table.dead_for_each_live() {
            Some(dead) if dead >= DEAD => Confidence::High,
            Some(_) | None => Confidence::Medium,
        },
        cost: case.cost_in(is_executing),
        figures: figures_of_bloat(case, other, bloated),
        windows: case.all_the_time(),
        chart: None,
        would_disprove: "wider rows, or a lower fillfactor, that account for the size".to_owned(),
        confirm: Confirm::repeat_unchanged(
            case,
            &format!("rewrite it ({anew}), run this plan, and compare: fewer pages are read and latency falls"),
        ),
        mend: None,
    }
}

fn figures_of_bloat(case: &DiagnosisCase<'_>, other: &DiagnosisCase<'_>, bloated: &Bloated<'_>) -> Vec<EvidenceFigure> {
    let (name, there) = (&bloated.name, &other.cell().target);
    let mut figures = vec![
        figure(format!("pages of {name} read per transaction"), FigureAmount::Count(bloated.pages[0])),
        figure(format!("pages of {name} read per transaction on {there}"), FigureAmount::Count(bloated.pages[1])),
        figure("size per row", FigureAmount::Bytes(bloated.bytes_of_row[0])),
        figure(format!("size per row on {there}"), FigureAmount::Bytes(bloated.bytes_of_row[1])),
    ];
    figures.extend(
        case.share_of_change(other, is_executing).map(|share| figure(SHARE_OF_CHANGE, FigureAmount::Share(share))),
    );
    figures.push(figure("rows in the table", FigureAmount::Count(bloated.table.sums.live_rows as f64)));
    figures.extend(
        bloated.table.dead_for_each_live().map(|dead| figure("dead rows per live row", FigureAmount::Count(dead))),
    );
    figures
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    /// Transactions of a trial of a healthy cell, about.
    const TRANSACTIONS: u64 = 48_000;

    /// A table that every transaction reads from end to end, and its index that none uses.
    fn table(transactions: u64, pages: u64, live_rows: u64, dead_rows: u64) -> Value {
        let unused = json!({ "name": "t_pkey", "definition": "CREATE UNIQUE INDEX t_pkey ON public.t USING btree (a)",
                             "valid": true, "scans": 0, "entries": 0 });
        json!({ "name": "public.t", "live_rows": live_rows, "sequential_scans": transactions, "indexes": [unused],
                "sequential_rows": transactions * live_rows, "index_rows": 0, "rows_changed": 0,
                "dead_rows": dead_rows, "pages_read": transactions * pages, "bytes": pages * 8192 })
    }

    /// A fifth of the throughput, all of whose time is spent executing.
    fn slow(cell: Measurement) -> Measurement {
        cell.throughput(800.0).sees_nothing().sees("active", None, 40)
    }

    fn sound(cell: Measurement) -> Measurement {
        cell.tables(vec![table(TRANSACTIONS, 1640, 100_000, 0)])
    }

    fn of(pages: u64, live_rows: u64, dead_rows: u64) -> impl Fn(Measurement) -> Measurement {
        move |cell| slow(cell).tables(vec![table(TRANSACTIONS / 5, pages, live_rows, dead_rows)])
    }

    #[test]
    fn a_table_of_many_pages_for_its_rows_is_found_with_what_writes_it_anew() {
        let found = Built::pair().with_first(sound).with(of(16_400, 100_000, 0)).finds(&RULE);
        assert_eq!(found.title, "public.t is bloated: 10.0 times the pages of the other side for as many rows");
        assert_eq!(found.confidence, Confidence::Medium);
        assert!(found.confirm.expect.contains("VACUUM FULL public.t"), "{found:?}");
        let dead = Built::pair().with_first(sound).with(of(16_400, 100_000, 900_000)).finds(&RULE);
        assert_eq!(dead.confidence, Confidence::High);
    }

    #[test]
    fn an_index_of_many_pages_is_found_by_how_it_is_made() {
        let lookups = |cell: Measurement, name: &str, pages: u64, transactions: u64| {
            let index = json!({ "name": name, "definition": "CREATE INDEX x ON public.t USING btree (a)", "valid": true,
                                "scans": transactions, "entries": transactions * 500, "pages_read": transactions * pages,
                                "bytes": pages * 1_000_000 });
            cell.tables(vec![
                json!({ "name": "public.t", "live_rows": 100_000, "sequential_scans": 0, "sequential_rows": 0,
                                     "index_rows": transactions * 500, "rows_changed": 0, "dead_rows": 0,
                                     "pages_read": transactions * 20, "bytes": 13_000_000, "indexes": [index] }),
            ])
        };
        let built = Built::pair()
            .with_first(|cell| lookups(cell, "t_a", 4, TRANSACTIONS))
            .with(|cell| lookups(slow(cell), "t_a_idx1", 40, TRANSACTIONS / 5));
        let found = built.finds(&RULE);
        assert!(found.confirm.expect.contains("REINDEX INDEX CONCURRENTLY t_a_idx1"), "{found:?}");
    }

    /// The server counts the dead versions that an index leads to among the rows that it reads.
    #[test]
    fn a_table_whose_lookups_meet_dead_versions_is_found() {
        let looked_up = |cell: Measurement, transactions: u64, versions: u64, dead_rows: u64| {
            let by_key = json!({ "name": "public.t", "live_rows": 16_000, "sequential_scans": 0, "sequential_rows": 0,
                                 "index_rows": transactions * 20 * versions, "rows_changed": 0, "dead_rows": dead_rows,
                                 "pages_read": transactions * 20 * versions, "bytes": 1_300_000 * versions });
            cell.tables(vec![by_key])
        };
        let pair = |dead_rows| {
            Built::pair()
                .with_first(|cell| looked_up(cell, TRANSACTIONS, 1, 0))
                .with(move |cell| looked_up(slow(cell), TRANSACTIONS / 5, 3, dead_rows))
        };
        let found = pair(32_000).finds(&RULE);
        assert!(found.title.ends_with("for as many rows, 2.0 dead versions for each row"), "{}", found.title);
        // Three times the rows of a table in which none is dead: another load.
        pair(0).is_fine_for(&RULE);
    }

    /// Rows that the other side finds in an index alone: the table is also larger, but 450 times the pages are not its
    /// size.
    #[test]
    fn pages_that_the_size_does_not_account_for_are_no_bloat() {
        let counted = |cell: Measurement, transactions: u64, pages: u64, bytes: u64, dead_rows: u64| {
            let by_key = json!({ "name": "public.t", "live_rows": 16_000, "sequential_scans": 0, "sequential_rows": 0,
                                 "index_rows": transactions * 480, "rows_changed": 0, "dead_rows": dead_rows,
                                 "pages_read": transactions * pages, "bytes": bytes });
            cell.tables(vec![by_key])
        };
        Built::pair()
            .with_first(|cell| counted(cell, TRANSACTIONS, 1, 1_300_000, 0))
            .with(|cell| counted(slow(cell), TRANSACTIONS / 5, 480, 2_600_000, 16_000))
            .is_fine_for(&RULE);
    }

    #[test]
    fn tables_of_more_rows_other_plans_and_pages_that_cost_nothing_are_fine() {
        let check = |here: &dyn Fn(Measurement) -> Measurement| {
            Built::pair().with_first(sound).with(here).is_fine_for(&RULE);
        };
        // Slower for another reason.
        check(&of(1640, 100_000, 0));
        // More rows, in as many more pages.
        check(&of(16_400, 1_000_000, 0));
        // As large, and as fast.
        check(&|cell| cell.tables(vec![table(TRANSACTIONS, 16_400, 100_000, 900_000)]));
        // Pages without rows that nobody reads.
        let looked_up = |cell: Measurement, size: u64| {
            let by_key = json!({ "name": "public.t", "live_rows": 100_000, "sequential_scans": 0, "sequential_rows": 0,
                                 "index_rows": TRANSACTIONS, "rows_changed": 0, "dead_rows": 900_000,
                                 "pages_read": TRANSACTIONS, "bytes": size });
            cell.tables(vec![by_key])
        };
        Built::pair()
            .with_first(|cell| looked_up(cell, 13_000_000))
            .with(|cell| looked_up(slow(cell), 130_000_000))
            .is_fine_for(&RULE);
        Built::healthy().with(of(16_400, 100_000, 900_000)).is_fine_for(&RULE);
    }

    #[test]
    fn rows_of_other_columns_are_wider_and_no_bloat_unless_most_of_them_are_dead() {
        let made = |mut table: Value, columns: &Value| {
            table["made"] = columns.clone();
            table
        };
        let narrow = json!([{ "column": "a", "definition": "integer" }]);
        let wide = json!([{ "column": "a", "definition": "integer" }, { "column": "pad", "definition": "text" }]);
        let there = made(table(TRANSACTIONS, 1640, 100_000, 0), &narrow);
        let pair = |dead_rows: u64| {
            let here = made(table(TRANSACTIONS / 5, 16_400, 100_000, dead_rows), &wide);
            Built::pair()
                .with_first(|cell| cell.tables(vec![there.clone()]))
                .with(|cell| slow(cell).tables(vec![here.clone()]))
        };
        pair(0).is_fine_for(&RULE);
        assert_eq!(pair(900_000).finds(&RULE).confidence, Confidence::High);
    }

    #[test]
    fn without_pages_or_sizes_it_stays_open() {
        let mut without = table(TRANSACTIONS / 5, 16_400, 100_000, 0);
        without["bytes"] = json!(null);
        let sizeless = Built::pair().with_first(sound).with(|cell| slow(cell).tables(vec![without.clone()]));
        assert_eq!(sizeless.lacks(&RULE), "the size of public.t: canceling statement due to lock timeout");
        without["pages_read"] = json!(null);
        let pageless = Built::pair().with_first(sound).with(|cell| slow(cell).tables(vec![without.clone()]));
        assert_eq!(pageless.lacks(&RULE), "the pages of public.t that were read: they were not counted in every trial");
    }
}
