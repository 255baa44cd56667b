//! What tables of sysbench are asked for.

use work::{Distribution, SysbenchOptions, SysbenchScript, SysbenchTransaction};

/// The tables `sbtest1`, `sbtest2`, ... of a workload. Workloads share them if they agree in everything but their
/// number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SysbenchData {
    tables: u32,
    shape: SysbenchShape,
}

/// What the tables are like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SysbenchShape {
    /// Those of the `oltp_*` family and of `select_random_*`.
    Oltp(Oltp),
    /// Those of `bulk_insert`, two columns without rows.
    Bulk,
}

/// Tables of the `oltp_*` family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Oltp {
    /// Each has rows with the ids from 1 to this; may be none.
    pub(super) rows: u32,
    /// Whether the ids come from a sequence.
    pub(super) serial: bool,
    /// Whether `k` is indexed.
    pub(super) secondary_index: bool,
    /// How the values of `k` are spread.
    pub(super) distribution: Distribution,
    /// From 1 to this.
    pub(super) largest_k: u32,
}

impl SysbenchData {
    /// The tables that such transactions of so many clients run on.
    pub fn new(transaction: SysbenchTransaction, options: &SysbenchOptions, clients: u32) -> SysbenchData {
        if transaction == SysbenchTransaction::Script(SysbenchScript::BulkInsert) {
            return SysbenchData { tables: clients, shape: SysbenchShape::Bulk };
        }
        let tables = options.tables;
        // Ids that the clients make up might collide with those of rows that are there.
        let empty = transaction == SysbenchTransaction::Script(SysbenchScript::Insert) && !tables.auto_inc;
        let oltp = Oltp {
            rows: if empty { 0 } else { tables.table_size },
            serial: tables.auto_inc,
            secondary_index: tables.create_secondary,
            distribution: options.distribution,
            largest_k: tables.table_size,
        };
        SysbenchData { tables: tables.tables, shape: SysbenchShape::Oltp(oltp) }
    }

    /// The same tables with the values of `k` spread as in others.
    #[must_use]
    pub fn spread_like(self, others: &SysbenchData) -> SysbenchData {
        match (self.shape, others.shape) {
            (SysbenchShape::Oltp(oltp), SysbenchShape::Oltp(Oltp { distribution, .. })) => {
                SysbenchData { shape: SysbenchShape::Oltp(Oltp { distribution, ..oltp }), ..self }
            }
            (SysbenchShape::Bulk, _) | (_, SysbenchShape::Bulk) => self,
        }
    }

    /// How many tables.
    pub fn table_count(&self) -> u32 {
        self.tables
    }

    /// Rows of each table.
    pub fn rows_per_table(&self) -> u32 {
        match self.shape {
            SysbenchShape::Oltp(oltp) => oltp.rows,
            SysbenchShape::Bulk => 0,
        }
    }

    pub(super) fn table_shape(&self) -> SysbenchShape {
        self.shape
    }

    /// The tables' names, without a schema.
    pub(crate) fn table_names(&self) -> Vec<String> {
        (1..=self.tables).map(table_name).collect()
    }

    /// What the mark says of each table.
    pub(crate) fn marker_identity(&self) -> String {
        match self.shape {
            SysbenchShape::Oltp(Oltp { rows, serial, secondary_index, distribution, largest_k: _ }) => {
                let on = |on: bool| if on { "on" } else { "off" };
                format!(
                    "schema=sysbench table_size={rows} auto_inc={} create_secondary={} rand={distribution}",
                    on(serial),
                    on(secondary_index)
                )
            }
            SysbenchShape::Bulk => "schema=sysbench-bulk".to_owned(),
        }
    }

    /// Roughly what they take on disk, in MiB: 227 bytes a row with its place in the page, 43 in the two indexes.
    pub(crate) fn size_mib(&self) -> u64 {
        u64::from(self.tables) * u64::from(self.rows_per_table()) * 270 / (1 << 20) + 1
    }
}

/// The name of the table with that number, from 1 on.
pub(super) fn table_name(number: u32) -> String {
    format!("sbtest{number}")
}
