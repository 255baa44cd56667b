//! Whose the tables of a workload are.

use crate::words;

words! {
    /// Who makes pgbench's tables.
    Ownership {
        Managed = "managed", "pgdyno creates the tables, checks them, and restores their state before every trial";
        Existing = "existing", "the tables exist; pgdyno neither creates nor fills them";
    }
}
