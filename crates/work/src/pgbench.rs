//! The scripts that pgbench has built in.

use crate::words;

words! {
    /// The built-in scripts, as pgbench has them.
    Builtin {
        TpcbLike = "tpcb-like", "three updates, a select and an insert in one transaction";
        SimpleUpdate = "simple-update", "tpcb-like without the updates of tellers and branches, for which clients wait in line";
        SelectOnly = "select-only", "one select by primary key";
    }
}

impl Builtin {
    /// Whether its transactions change data.
    #[must_use]
    pub fn writes(self) -> bool {
        match self {
            Builtin::TpcbLike | Builtin::SimpleUpdate => true,
            Builtin::SelectOnly => false,
        }
    }
}
