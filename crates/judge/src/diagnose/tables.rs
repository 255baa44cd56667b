//! What the transactions of a cell did to the tables, one by one.

use std::collections::BTreeMap;

use results::tables::{IndexUsage, TableUsage, TrialTables};

use super::case::{DiagnosisCase, MeasuredTrial};
use super::missing::{MissingObservation, NOT_IN_FILES};

/// One table in a cell.
#[derive(Debug, Clone)]
pub struct TableUse {
    /// Sums over the cell's trials; estimates and the list of its indexes as they were in the last of them.
    pub sums: TableUsage,
    /// Transactions in which it was so.
    transactions: f64,
}

/// A table or one of its indexes by its pages.
#[derive(Debug)]
pub struct Paged {
    /// Its name: a table's with the schema, in which its indexes are, too.
    pub name: String,
    pages_read: Option<u64>,
    bytes: Option<u64>,
    live_rows: u64,
    transactions: f64,
}

impl Paged {
    /// Pages of it that a transaction read; none in runs of before they were counted.
    pub fn pages_per_transaction(&self) -> Option<f64> {
        Some(self.pages_read? as f64 / self.transactions)
    }

    /// Its size for each row of the table, in bytes.
    pub fn bytes_of_row(&self, case: &DiagnosisCase<'_>) -> Result<f64, MissingObservation> {
        let Some(bytes) = self.bytes else {
            let why = case.gap_of_tables(|tables| tables.sizes_gap.as_deref()).unwrap_or("it was not read");
            return Err(MissingObservation::new(format!("the size of {}", self.name), why));
        };
        Ok(bytes as f64 / self.live_rows.max(1) as f64)
    }
}

/// Tables whose numbers of rows differ by more hold other data, and transactions whose numbers of rows do read others.
pub(super) const ALIKE: f64 = 2.0;

fn are_alike(one: f64, other: f64) -> bool {
    one <= ALIKE * other && other <= ALIKE * one
}

/// From this share of a multiple on, on the logarithm, rows account for it.
const ROWS_ACCOUNT: f64 = 0.5;

/// The logarithm of here over there; 0 where one of them is nothing.
fn log_of_multiple(here: f64, there: f64) -> f64 {
    if here > 0.0 && there > 0.0 { (here / there).ln() } else { 0.0 }
}

impl TableUse {
    /// Whether there are about as many rows in it as in another side's.
    pub fn holds_as_many_rows_as(&self, other: &Self) -> bool {
        are_alike(self.sums.live_rows as f64, other.sums.live_rows as f64)
    }

    /// Whether a transaction reads about as many of its rows as of another side's. The server counts each version that
    /// an index leads to, also dead ones, so that as many living rows may be more versions.
    pub fn reads_as_many_rows_as(&self, other: &Self) -> bool {
        let versions = [self, other].map(Self::rows_per_transaction);
        let living = [self, other].map(|of| match of.dead_for_each_live() {
            Some(dead) => of.rows_per_transaction() / (1.0 + dead),
            None => of.rows_per_transaction(),
        });
        [versions, living].into_iter().any(|[here, there]| are_alike(here, there))
    }

    /// Rows that are dead, for each that lives; none where they were not counted.
    pub fn dead_for_each_live(&self) -> Option<f64> {
        Some(self.sums.dead_rows? as f64 / self.sums.live_rows.max(1) as f64)
    }

    /// Itself and its indexes that both sides use, each beside the other side's that is made in the same way.
    pub fn paged_beside(&self, other: &Self) -> Vec<[Paged; 2]> {
        let indexes = self.sums.indexes.iter().filter_map(|index| {
            let there = other.index_like(index).filter(|there| index.scans > 0 && there.scans > 0)?;
            Some([self.index(index), other.index(there)])
        });
        std::iter::once([self.whole_table(), other.whole_table()]).chain(indexes).collect()
    }

    fn whole_table(&self) -> Paged {
        let TableUsage { pages_read, bytes, live_rows, .. } = self.sums;
        Paged { name: self.sums.name.clone(), pages_read, bytes, live_rows, transactions: self.transactions }
    }

    fn index(&self, index: &IndexUsage) -> Paged {
        Paged { name: index.name.clone(), pages_read: index.pages_read, bytes: index.bytes, ..self.whole_table() }
    }

    /// Rows of it that a transaction read, however it found them.
    pub fn rows_per_transaction(&self) -> f64 {
        self.sums.rows_read() as f64 / self.transactions
    }

    /// Rows of it that a transaction inserted, updated or deleted.
    pub fn rows_written(&self) -> f64 {
        self.sums.rows_changed as f64 / self.transactions
    }

    /// The logarithm of the multiple of another side's rows that a transaction reads or writes, whichever is more; 0
    /// where it is none.
    fn log_of_more_rows(&self, other: &Self) -> f64 {
        let read = match self.reads_as_many_rows_as(other) {
            true => 0.0,
            false => log_of_multiple(self.rows_per_transaction(), other.rows_per_transaction()),
        };
        read.max(log_of_multiple(self.rows_written(), other.rows_written())).max(0.0)
    }

    /// Pages of it and of its indexes that a transaction read; none where those of the table were not counted.
    pub fn pages_in_all(&self) -> Option<f64> {
        let indexes: u64 = self.sums.indexes.iter().filter_map(|index| index.pages_read).sum();
        Some((self.sums.pages_read? + indexes) as f64 / self.transactions)
    }

    /// Whether it was scanned at all, or one of its indexes, whatever was found.
    pub fn is_looked_at(&self) -> bool {
        self.rows_per_transaction() > 0.0
            || self.sums.sequential_scans > 0
            || self.sums.indexes.iter().any(|index| index.scans > 0)
    }

    /// Rows of it that a transaction read in scans of the whole table.
    pub fn sequential_rows(&self) -> f64 {
        self.sums.sequential_rows as f64 / self.transactions
    }

    /// Scans of the whole table in a transaction.
    pub fn sequential_scans(&self) -> f64 {
        self.sums.sequential_scans as f64 / self.transactions
    }

    /// Scans in a transaction of those of its indexes whose names, quoted where need be, are meant.
    pub fn index_scans(&self, is_meant: impl Fn(&str) -> bool) -> f64 {
        let meant = self.sums.indexes.iter().filter(|index| is_meant(&index.name));
        meant.map(|index| index.scans).sum::<u64>() as f64 / self.transactions
    }

    /// The index that most of its rows were found by; none where none was used.
    pub fn chief_index(&self) -> Option<&IndexUsage> {
        self.sums.indexes.iter().filter(|index| index.scans > 0).max_by_key(|index| index.entries)
    }

    /// Its index that is made in the same way, whatever it is called.
    pub fn index_like(&self, other: &IndexUsage) -> Option<&IndexUsage> {
        let (_, made) = other.definition.split_once(" USING ")?;
        self.sums
            .indexes
            .iter()
            .find(|index| index.definition.split_once(" USING ").is_some_and(|(_, how)| how == made))
    }
}

impl<'a> DiagnosisCase<'a> {
    /// Why something is not known of its tables, as of the last trial that says so.
    pub fn gap_of_tables(&self, gap: fn(&TrialTables) -> Option<&str>) -> Option<&'a str> {
        self.trials().iter().rev().find_map(|measured| gap(measured.watched.tables.as_ref()?))
    }

    /// That it is not known how its tables are defined, and why.
    pub fn not_defined(&self, what: String) -> MissingObservation {
        let why = self.gap_of_tables(|tables| tables.attached_gap.as_deref());
        MissingObservation::new(what, why.unwrap_or(NOT_IN_FILES))
    }

    /// What a transaction did to the tables, those of which it read the most rows first.
    pub fn table_uses(&self) -> Result<Vec<TableUse>, MissingObservation> {
        if self.trials().iter().any(|measured| !measured.trial.beside.is_empty()) {
            let why = "a load beside uses them too, and the server counts both together";
            return Err(MissingObservation::new("what the load did to each table", why));
        }
        let mut used: BTreeMap<&'a str, TableUse> = BTreeMap::new();
        let (mut transactions, mut gap) = (0.0, "the server was not queried");
        for measured in self.trials() {
            match &measured.watched.tables {
                None => {}
                Some(TrialTables { gap: Some(why), .. }) => gap = why,
                Some(TrialTables { tables, .. }) => {
                    transactions += transactions_counted(measured);
                    tables.iter().for_each(|table| add(&mut used, table));
                }
            }
        }
        if transactions == 0.0 {
            return Err(MissingObservation::new("the statistics of each table", gap));
        }
        let mut tables: Vec<TableUse> = used.into_values().map(|table| TableUse { transactions, ..table }).collect();
        for table in &mut tables {
            if let Some(rows) = self.rows_as_analyzed(&table.sums) {
                table.sums.live_rows = rows;
            }
        }
        tables.sort_by(|one, other| other.rows_per_transaction().total_cmp(&one.rows_per_transaction()));
        Ok(tables)
    }
}

impl DiagnosisCase<'_> {
    /// Whether a transaction takes longer than on another side for the rows of a table: those that it reads or writes
    /// are a multiple of the other side's, which is half of what its time is a multiple of, or more, on the logarithm.
    /// How the table is made decides no such multiple where the plans are alike.
    pub fn rows_account_for_time(
        &self,
        other: &Self,
        (here, there): (&TableUse, &TableUse),
    ) -> Result<bool, MissingObservation> {
        let more_rows = here.log_of_more_rows(there);
        Ok(more_rows > 0.0 && more_rows >= ROWS_ACCOUNT * (self.latency_ms()? / other.latency_ms()?).ln())
    }

    /// The rows of a table as ANALYZE estimated them, where hardly any have changed since; none else. The counter of
    /// living rows begins anew in a copy of a database, and counts rows twice that were loaded and analyzed at once.
    fn rows_as_analyzed(&self, table: &TableUsage) -> Option<u64> {
        let rows = self.catalog_contents().ok()?.table_named(&table.name)?.number_fact("rows")?;
        let changed = table.rows_changed.max(table.changed_since_analyze.unwrap_or_default());
        if rows >= 0.0 && changed as f64 <= HARDLY_CHANGED * rows { Some(rows as u64) } else { None }
    }
}

/// Up to this share of its rows, changes leave a table as it was analyzed.
const HARDLY_CHANGED: f64 = 0.1;

/// The transactions of a trial that the counts of its tables are of.
pub(super) fn transactions_counted(measured: &MeasuredTrial<'_>) -> f64 {
    let counted = measured.watched.tables.as_ref().and_then(|tables| tables.transactions);
    counted.unwrap_or(measured.load.transactions) as f64
}

fn add<'a>(used: &mut BTreeMap<&'a str, TableUse>, table: &'a TableUsage) {
    let Some(TableUse { sums, .. }) = used.get_mut(table.name.as_str()) else {
        used.insert(&table.name, TableUse { sums: table.clone(), transactions: 0.0 });
        return;
    };
    *sums = TableUsage {
        indexes: table
            .indexes
            .iter()
            .map(|index| {
                let before = sums.indexes.iter().find(|before| before.name == index.name);
                let (scans, entries) = before.map_or((0, 0), |before| (before.scans, before.entries));
                let pages_read = before.map_or(index.pages_read, |before| Some(before.pages_read? + index.pages_read?));
                IndexUsage { scans: scans + index.scans, entries: entries + index.entries, pages_read, ..index.clone() }
            })
            .collect(),
        sequential_scans: sums.sequential_scans + table.sequential_scans,
        sequential_rows: sums.sequential_rows + table.sequential_rows,
        index_rows: sums.index_rows + table.index_rows,
        rows_changed: sums.rows_changed + table.rows_changed,
        pages_read: sums.pages_read.zip(table.pages_read).map(|(before, more)| before + more),
        ..table.clone()
    };
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::diagnose::built::Built;

    #[test]
    fn scans_of_indexes_are_those_of_all_trials_as_the_scans_of_tables_are() {
        let index = json!({ "name": "by_a", "definition": "", "valid": true, "scans": 48_000, "entries": 96_000 });
        let table = json!({ "name": "public.t", "live_rows": 9, "sequential_scans": 48_000, "sequential_rows": 0,
                            "index_rows": 96_000, "rows_changed": 0, "indexes": [index] });
        Built::healthy().with(|cell| cell.tables(vec![table])).of_last(|case| {
            let table = &case.table_uses().unwrap()[0];
            let index = table.chief_index().unwrap();
            assert_eq!((index.scans, index.entries), (table.sums.sequential_scans, 3 * 96_000));
        });
    }
}
