//! The ledger of acknowledged writes: can the server still show every commit that it has acknowledged?
//!
//! Each transaction of a script that uses the variable `:ledger` writes an entry that names it (see [`EntryId`]) into a
//! column of its own table; the engine remembers what the client was told; an [`Auditor`] compares afterwards. The
//! built-in scripts write it into `pgbench_history.filler` ([`ledger_script`]): the same statements and round trips,
//! each row wider by 23 bytes and its padding. Entries of the warm-up and of transactions that end after the
//! measurement count, too.
//!
//! A script of one's own must write its entry once, on every path, inside the transaction whose end is the script's
//! end: what it commits before a later statement fails would be reported as unexpected. Retried transactions keep their
//! entry. Left out: when an entry was written, and what else its transaction did.

use serde::{Deserialize, Serialize};

mod audit;
mod entry;
mod page;
mod scribe;
mod scripts;

pub use audit::{Auditor, LedgerAudit, LedgerFindings};
pub use entry::{EntryId, LedgerRunTag};
pub use scripts::ledger_script;

pub(crate) use page::{EntryOutcome, LedgerPage};
pub(crate) use scribe::{LedgerUse, Scribe};

/// The script variable that holds the text of the transaction's entry, in a job that keeps a ledger.
pub const VARIABLE: &str = "ledger";

/// Whether a ledger is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LedgerKept {
    /// There is no variable `:ledger`.
    #[default]
    No,
    /// At least one script must use it.
    Yes,
}

/// What the clients of one run were told of their writes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ledger {
    /// What all its entries begin with.
    pub(crate) tag: LedgerRunTag,
    /// By the client's number.
    pub(crate) pages: Vec<LedgerPage>,
}

impl Ledger {
    /// Puts the pages of all clients together.
    pub(crate) fn from_pages(tag: LedgerRunTag, mut pages: Vec<(u32, LedgerPage)>) -> Ledger {
        pages.sort_unstable_by_key(|(client, _)| *client);
        Ledger { tag, pages: pages.into_iter().map(|(_, page)| page).collect() }
    }

    /// What all entries of the run begin with.
    pub fn tag(&self) -> LedgerRunTag {
        self.tag
    }

    /// Entries whose commit the server has acknowledged.
    pub fn acknowledged_entries(&self) -> u64 {
        self.pages.iter().map(|page| page.count_with_outcome(EntryOutcome::Acknowledged)).sum()
    }
}
