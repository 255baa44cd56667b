//! The scripts that pgbench has built in.

use crate::words;

words! {
    /// The built-in scripts, as pgbench has them.
    Builtin {
        TpcbLike = "tpcb-like", "three UPDATEs, a SELECT and an INSERT in one transaction";
        SimpleUpdate = "simple-update", "tpcb-like without the UPDATEs of tellers and branches, which cause lock waits";
        SelectOnly = "select-only", "one SELECT by primary key";
    }
}

impl Builtin {
    /// Whether its transactions change data.
    #[must_use]
    pub fn is_writing(self) -> bool {
        match self {
            Builtin::TpcbLike | Builtin::SimpleUpdate => true,
            Builtin::SelectOnly => false,
        }
    }
}
