//! Keeps one client's part of the ledger while it works: gives each transaction that writes its entry,
//! and notes how it ended.

use crate::error::LoadError;
use crate::job::EngineJob;
use crate::ledger::entry::{CLIENTS_AT_MOST, EntryId};
use crate::ledger::{EntryOutcome, LedgerKept, LedgerPage, LedgerRunTag, VARIABLE};
use crate::script::compiled_script::CompiledScript;
use crate::script::variables::{ClientVariables, VariableSlot};

/// Which scripts of a program write entries, and in which variable they find them.
#[derive(Debug)]
pub(crate) struct LedgerUse {
    slot: VariableSlot,
    /// By the script's number.
    writes: Vec<bool>,
}

impl LedgerUse {
    /// How the compiled scripts of a job use the ledger that it keeps, if it keeps one.
    ///
    /// # Errors
    /// When they do not, or cannot.
    pub(crate) fn from_job(
        job: &EngineJob,
        scripts: &[CompiledScript],
        variables: &ClientVariables,
    ) -> Result<Option<LedgerUse>, LoadError> {
        if job.ledger == LedgerKept::No {
            return Ok(None);
        }
        if job.definitions.iter().any(|(name, _)| name == VARIABLE) {
            return Err(LoadError::Job("the variable \"ledger\" is defined, but it is reserved for the ledger"));
        }
        if job.clients.get() > CLIENTS_AT_MOST {
            return Err(LoadError::Job("a ledger supports at most 100000 clients"));
        }
        let unused = LoadError::Job("a ledger requires a script that writes the variable \"ledger\" to a table");
        let Some(slot) = variables.find_slot("", VARIABLE) else { return Err(unused) };
        let writes: Vec<bool> = scripts.iter().map(|script| script.sends_variable(slot)).collect();
        if writes.contains(&true) { Ok(Some(LedgerUse { slot, writes })) } else { Err(unused) }
    }
}

/// One client's part of the ledger.
#[derive(Debug)]
pub(crate) struct Scribe {
    tag: LedgerRunTag,
    client: u32,
    page: LedgerPage,
}

impl Scribe {
    pub(crate) fn new(tag: LedgerRunTag, client: u32) -> Scribe {
        Scribe { tag, client, page: LedgerPage::default() }
    }

    /// A transaction of that script begins: if it writes an entry, this is the one.
    #[inline]
    pub(crate) fn begin_entry(&mut self, script: usize, used: &LedgerUse, variables: &mut ClientVariables) {
        if used.writes[script] {
            let number = self.page.begin_entry();
            EntryId::new(self.tag, self.client, number).assign_to_variable(variables, used.slot);
        }
    }

    /// The transaction has ended.
    #[inline]
    pub(crate) fn settle_entry(&mut self, outcome: EntryOutcome) {
        self.page.settle_entry(outcome);
    }

    /// The client is gone. Returns its number and what it was told.
    pub(crate) fn close_page(mut self) -> (u32, LedgerPage) {
        self.page.close_page();
        (self.client, self.page)
    }
}
