//! Scripts made ready to run: variables are slots, statements are encoded for the query mode, `\if` is a jump.
//!
//! A program is shared by all clients of a job and never changes; what changes is a client's variables, random numbers
//! and place in its script.

use super::command::StatementRows;
use super::compiled_script::{CompiledScript, RowsNumber};
use super::compiler;
use super::fold;
use super::remembered::NumberedValues;
use super::request::LatePreparations;
use super::sql;
use super::value::ScriptValue;
use super::variables::{ClientVariables, VariableSlot};
use crate::error::LoadError;
use crate::job::EngineJob;
use crate::ledger::LedgerUse;
use crate::listed::{ListProgress, ListedTransaction};
use crate::random::ClientRandom;
use std::sync::Arc;
use work::Random;

/// The most scripts of a job; pgbench has at most 128.
const MAX_SCRIPTS: usize = 4096;

/// All scripts of a job.
#[derive(Debug)]
pub(crate) struct ScriptProgram {
    scripts: Vec<CompiledScript>,
    /// What becomes of the rows of statements that keep them.
    rows: Vec<StatementRows>,
    /// The variables of a client before its first transaction, but for its number.
    variables: ClientVariables,
    client_id: Option<VariableSlot>,
    ledger: Option<LedgerUse>,
    /// Statements that are prepared when they are executed for the first time.
    prepared_late: usize,
    /// How many statements the scripts have.
    statements: usize,
    total_weight: u64,
    /// How many `\values` commands the scripts have.
    row_places: usize,
    list: Option<Arc<ListProgress>>,
    /// Values that the clients share.
    remembered: Arc<NumberedValues>,
}

impl ScriptProgram {
    /// Compiles the scripts of a job for its query mode.
    ///
    /// # Errors
    /// When a script uses a variable that has no value anywhere, or what the job does not permit.
    pub(crate) fn new(job: &EngineJob) -> Result<ScriptProgram, LoadError> {
        if job.scripts.is_empty() {
            return Err(LoadError::Job("the job has no script"));
        }
        if job.scripts.len() > MAX_SCRIPTS {
            return Err(LoadError::Job("the job has more than 4096 scripts"));
        }
        let highest_listed = job.order.as_ref().map(|order| order.highest_script());
        let highest_timed = job.pace.timed_sessions().map(|sessions| sessions.highest_script());
        if highest_listed.max(highest_timed).is_some_and(|highest| highest as usize >= job.scripts.len()) {
            return Err(LoadError::Job("the order of transactions names a script that the job does not have"));
        }
        if let Some((name, _)) = job.definitions.iter().find(|(name, _)| !sql::is_variable_name(name)) {
            return Err(LoadError::Definition { name: name.clone() });
        }
        let mut compiled = compiler::compile_scripts(job)?;
        let mut variables = with_initial_values(job, ClientVariables::new(Arc::from(compiled.names)));
        for (slot, scale) in compiled.own_scales {
            variables.set_value(slot, ScriptValue::Integer(i64::from(scale)));
        }
        fold::fold_scripts(&mut compiled.scripts, &compiled.rows, &variables);
        let defined = job.definitions.iter().any(|(name, _)| name == "client_id");
        Ok(ScriptProgram {
            ledger: LedgerUse::from_job(job, &compiled.scripts, &variables)?,
            client_id: variables.find_slot("", "client_id").filter(|_| !defined),
            variables,
            rows: compiled.rows,
            prepared_late: compiled.prepared_late,
            statements: compiled.statements as usize,
            row_places: compiled.row_places,
            remembered: compiled.remembered,
            list: job.order.clone().map(|order| Arc::new(ListProgress::new(order))),
            total_weight: compiled.scripts.iter().map(|script| script.weight).sum(),
            scripts: compiled.scripts,
        })
    }

    /// The scripts, in the order of the job.
    pub(crate) fn scripts(&self) -> &[CompiledScript] {
        &self.scripts
    }

    /// How many statements the scripts have, which are numbered from 0.
    pub(crate) fn statement_count(&self) -> usize {
        self.statements
    }

    /// How the scripts use the ledger, if the job keeps one.
    #[inline]
    pub(crate) fn ledger_use(&self) -> Option<&LedgerUse> {
        self.ledger.as_ref()
    }

    /// What becomes of a statement's rows.
    pub(crate) fn rows_by_number(&self, number: RowsNumber) -> &StatementRows {
        &self.rows[number.0]
    }

    /// A client's variables before its first transaction.
    pub(crate) fn initial_variables(&self, client: u32) -> ClientVariables {
        let mut variables = self.variables.clone();
        if let Some(slot) = self.client_id {
            variables.set_value(slot, ScriptValue::Integer(i64::from(client)));
        }
        variables.begin_rows(self.row_places, client);
        variables
    }

    /// What a client has prepared when it is not connected: nothing.
    pub(crate) fn nothing_prepared(&self) -> LatePreparations {
        LatePreparations::none_prepared(self.prepared_late)
    }

    /// Values that the clients share under numbers.
    #[inline]
    pub(crate) fn remembered_values(&self) -> &NumberedValues {
        &self.remembered
    }

    /// How far the load has come in its list of transactions, if it has one.
    pub(crate) fn list_progress(&self) -> Option<&Arc<ListProgress>> {
        self.list.as_ref()
    }

    /// Which script a transaction executes, drawn by weight unless it is of a list, and which row of its values that
    /// list has for it.
    #[inline]
    pub(crate) fn choose_script(&self, listed: Option<ListedTransaction>, random: &mut Random) -> (usize, u64) {
        match listed {
            Some(listed) => (listed.script as usize, u64::from(listed.row)),
            None => (self.draw_script(random), 0),
        }
    }

    #[inline]
    fn draw_script(&self, random: &mut Random) -> usize {
        if self.scripts.len() == 1 {
            return 0;
        }
        let mut ticket = random.up_to(self.total_weight - 1);
        for (number, script) in self.scripts.iter().enumerate() {
            if ticket < script.weight {
                return number;
            }
            ticket -= script.weight;
        }
        self.scripts.len() - 1
    }
}

/// The automatic variables, and the job's definitions, which take precedence.
fn with_initial_values(job: &EngineJob, mut variables: ClientVariables) -> ClientVariables {
    let default_seed = ClientRandom::default_seed(job.seed, job.clients.get());
    // A seed is 64 bits, which a script sees as a signed number.
    let automatic =
        [("default_seed", default_seed as i64), ("random_seed", job.seed as i64), ("scale", i64::from(job.scale))];
    for (name, value) in automatic {
        if let Some(slot) = variables.find_slot("", name) {
            variables.set_value(slot, ScriptValue::Integer(value));
        }
    }
    for (name, value) in &job.definitions {
        if let Some(slot) = variables.find_slot("", name) {
            variables.set_text(slot).extend_from_slice(value.as_bytes());
        }
    }
    variables
}
