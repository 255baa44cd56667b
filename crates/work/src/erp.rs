//! The business objects that a workload writes, as the 1C:Enterprise platform does it.

use crate::words;

words! {
    /// What one transaction writes.
    ErpObject {
        TempTable = "temp-table", "create, fill, index, analyze, join and drop a temporary table";
        Catalog = "catalog", "write one item of a catalogue with a version check";
        InformationRegister = "information-register", "replace one record set by its dimensions";
        AccumulationRegister = "accumulation-register", "write ten movements and their monthly totals";
        AccountingRegister = "accounting-register", "write ten double entries, their analytics, turnovers and balances";
    }
}
