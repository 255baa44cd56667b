//! Whose the tables of a workload are.

use crate::words;

words! {
    /// Who makes pgbench's tables.
    Ownership {
        Managed = "managed", "pgdyno makes the tables, checks them, and brings them to the same state before every trial";
        Existing = "existing", "the tables are there already; they are neither made nor filled";
    }
}
