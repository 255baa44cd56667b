//! `\remember` and `\recall`: values that all clients of a job share, each under a number. A replay keeps in them what
//! its server made in the place of a value of the capture, and a later transaction takes it from there.
//!
//! Where transactions have an order, it is known before the load begins which of them remembers a number. A later one
//! that recalls it waits before its first statement until the earlier one has ended, however it ends: so the rows that
//! belong to the value are there, too. It holds no locks meanwhile, and transactions only wait for earlier ones, which
//! are under way or begin without it. So they cannot wait for each other.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use super::ParsedScript;
use super::command::{CommandKind, Generate, RowsOfFile, SharedGenerator};
use super::value_rows::{RowOrder, ValueRows};
use super::variables::{ClientVariables, Scratch, VariableSlot};
use crate::job::EngineJob;
use crate::listed::ListedTransaction;
use work::Random;

/// The bytes of a value for which there is room from the start: a UUID, and whatever is shorter.
const ROOM: usize = 40;

/// The values of one job.
#[derive(Debug, Default)]
pub(crate) struct NumberedValues {
    by_number: RwLock<HashMap<i64, NumberedValue>>,
    /// Of each script, in the order of the job.
    scripts: Vec<ScriptNumbers>,
}

/// A value that is shared under a number.
#[derive(Debug, Default)]
struct NumberedValue {
    text: Vec<u8>,
    /// It has been remembered.
    is_known: bool,
    /// The place of the transaction that remembers it in the order of the job.
    position: u32,
    /// That transaction has ended.
    has_ended: bool,
}

/// Which numbers the transactions of a script have.
#[derive(Debug, Default)]
struct ScriptNumbers {
    rows: Option<Arc<ValueRows>>,
    /// The columns with numbers that are remembered.
    remembered: Vec<usize>,
    /// The columns with numbers that are recalled.
    recalled: Vec<usize>,
    /// The place of each row in the order of the job.
    positions: Vec<u32>,
}

impl NumberedValues {
    /// Without any value; in a job whose transactions have an order, with the numbers that they remember.
    pub(crate) fn from_job(job: &EngineJob) -> Self {
        let scripts = job.scripts.iter().map(|weighted| ScriptNumbers::from_script(&weighted.script)).collect();
        let mut values = Self { by_number: RwLock::default(), scripts };
        if let Some(order) = &job.order {
            values.note_order(order.listed_transactions());
        } else if let Some(sessions) = job.pace.timed_sessions() {
            values.note_order(sessions.transactions_by_due_time());
        }
        values
    }

    fn note_order(&mut self, order: impl Iterator<Item = ListedTransaction>) {
        let by_number = self.by_number.get_mut().unwrap_or_else(PoisonError::into_inner);
        for (position, listed) in (0u32..).zip(order) {
            let Some(script) = self.scripts.get_mut(listed.script as usize) else { continue };
            if script.remembered.is_empty() && script.recalled.is_empty() {
                continue;
            }
            script.note_position(listed.row, position);
            for number in script.numbers_of_row(&script.remembered, listed.row) {
                let text = Vec::with_capacity(ROOM);
                by_number.insert(number, NumberedValue { text, position, ..NumberedValue::default() });
            }
        }
    }

    /// Whether a transaction recalls what an earlier one remembers that has not ended.
    #[inline]
    pub(crate) fn waits_for_earlier(&self, listed: ListedTransaction) -> bool {
        let script = &self.scripts[listed.script as usize];
        !script.recalled.is_empty() && self.has_pending_number(script, listed.row)
    }

    fn has_pending_number(&self, script: &ScriptNumbers, row: u32) -> bool {
        let Some(position) = script.positions.get(row as usize) else { return false };
        let known = self.by_number.read().unwrap_or_else(PoisonError::into_inner);
        for number in script.numbers_of_row(&script.recalled, row) {
            if known.get(&number).is_some_and(|value| !value.has_ended && value.position < *position) {
                return true;
            }
        }
        false
    }

    /// A transaction has ended, or never will: nothing waits for what it remembers any more.
    #[inline]
    pub(crate) fn note_ended_transaction(&self, listed: ListedTransaction) {
        let script = &self.scripts[listed.script as usize];
        if script.remembered.is_empty() {
            return;
        }
        let mut known = self.by_number.write().unwrap_or_else(PoisonError::into_inner);
        for number in script.numbers_of_row(&script.remembered, listed.row) {
            if let Some(value) = known.get_mut(&number) {
                value.has_ended = true;
            }
        }
    }

    /// A command that keeps the value of its variable under the number that its input is.
    pub(crate) fn remember_command(values: &Arc<Self>) -> SharedGenerator {
        SharedGenerator(Arc::new(RememberValue(Arc::clone(values))))
    }

    /// A command that gives its variable the value under the number that its input is, if there is one.
    pub(crate) fn recall_command(values: &Arc<Self>) -> SharedGenerator {
        SharedGenerator(Arc::new(RecallValue(Arc::clone(values))))
    }
}

impl ScriptNumbers {
    /// Numbers count that are columns of the rows which the order of the job gives to the transactions of the script.
    fn from_script(script: &ParsedScript) -> Self {
        let mut numbers = Self::default();
        for command in &script.commands {
            match &command.kind {
                CommandKind::Values(RowsOfFile { order: RowOrder::Listed, rows: Some(rows), .. })
                    if numbers.rows.is_none() =>
                {
                    numbers.rows = Some(Arc::clone(rows));
                }
                CommandKind::Remember { number, .. } => numbers.remembered.extend(numbers.column_named(number)),
                CommandKind::Recall { number, .. } => numbers.recalled.extend(numbers.column_named(number)),
                _ => {}
            }
        }
        numbers
    }

    fn column_named(&self, name: &str) -> Option<usize> {
        self.rows.as_ref()?.column_names().iter().position(|column| column == name)
    }

    fn note_position(&mut self, row: u32, position: u32) {
        let row = row as usize;
        if self.positions.len() <= row {
            self.positions.resize(row + 1, 0);
        }
        self.positions[row] = position;
    }

    fn numbers_of_row<'a>(&'a self, columns: &'a [usize], row: u32) -> impl Iterator<Item = i64> + 'a {
        columns.iter().filter_map(move |column| {
            let rows = self.rows.as_ref()?;
            let text = rows.field_text(row as usize % rows.row_count(), *column)?;
            std::str::from_utf8(text).ok()?.parse().ok()
        })
    }
}

#[derive(Debug)]
struct RememberValue(Arc<NumberedValues>);

#[derive(Debug)]
struct RecallValue(Arc<NumberedValues>);

/// The number that a variable is; NULL and what is no number stand for none.
fn number_of_input(inputs: &[VariableSlot], variables: &ClientVariables) -> Option<i64> {
    variables.variable_value(*inputs.first()?).ok()?.to_integer().ok()
}

impl Generate for RememberValue {
    fn generate_value(
        &self,
        inputs: &[VariableSlot],
        target: VariableSlot,
        variables: &mut ClientVariables,
        _random: &mut Random,
    ) {
        let Some(number) = number_of_input(inputs, variables) else { return };
        let mut scratch = Scratch::new();
        let Some(text) = variables.parameter_text(target, &mut scratch) else { return };
        let mut known = self.0.by_number.write().unwrap_or_else(PoisonError::into_inner);
        let value = known.entry(number).or_default();
        value.is_known = true;
        value.text.clear();
        value.text.extend_from_slice(text);
    }
}

impl Generate for RecallValue {
    fn generate_value(
        &self,
        inputs: &[VariableSlot],
        target: VariableSlot,
        variables: &mut ClientVariables,
        _random: &mut Random,
    ) {
        let Some(number) = number_of_input(inputs, variables) else { return };
        let known = self.0.by_number.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(value) = known.get(&number)
            && value.is_known
        {
            variables.set_text(target).extend_from_slice(&value.text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::Weighted;
    use crate::listed::{AtListEnd, TransactionOrder};
    use conninfo::{ConnInfo, ServerHost};
    use std::num::NonZeroU32;

    #[test]
    fn a_value_is_recalled_by_its_number_by_any_client() {
        let names: Arc<[String]> = ["value".to_owned(), "number".to_owned()].into();
        let (value, number) = (VariableSlot(0), VariableSlot(1));
        let values = Arc::new(NumberedValues::default());
        let (remember, recall) = (NumberedValues::remember_command(&values), NumberedValues::recall_command(&values));
        let mut random = Random::new(1);
        let mut first = ClientVariables::new(Arc::clone(&names));
        let mut second = ClientVariables::new(names);
        remember.0.generate_value(&[number], value, &mut first, &mut random);
        first.set_text(value).extend_from_slice(b"57");
        first.set_text(number).extend_from_slice(b"3");
        remember.0.generate_value(&[number], value, &mut first, &mut random);
        second.set_text(value).extend_from_slice(b"41");
        second.set_text(number).extend_from_slice(b"4");
        let mut scratch = Scratch::new();
        recall.0.generate_value(&[number], value, &mut second, &mut random);
        assert_eq!(second.sql_text(value, &mut scratch), Some(&b"41"[..]), "nothing has that number");
        second.set_text(number).extend_from_slice(b"3");
        recall.0.generate_value(&[number], value, &mut second, &mut random);
        assert_eq!(second.sql_text(value, &mut scratch), Some(&b"57"[..]));
        second.set_sql_null(number);
        second.set_text(value).extend_from_slice(b"5");
        recall.0.generate_value(&[number], value, &mut second, &mut random);
        assert_eq!(second.sql_text(value, &mut scratch), Some(&b"5"[..]), "NULL is no number");
    }

    /// Two scripts: the first remembers what stands in its column, the second recalls it.
    fn values_of_order(order: [u32; 4]) -> NumberedValues {
        let script = |name: &str, command: &str, rows: &[u8]| {
            let text = format!("\\values {name} listed\n\\set made 1\n{command} made number\nSELECT 1;\n");
            let parsed = ParsedScript::parse(name, &text).expect("it is a script");
            let rows = ValueRows::from_csv(rows).expect("they are rows");
            Weighted { script: parsed.with_values(name, &Arc::new(rows)), weight: NonZeroU32::MIN }
        };
        let writer = script("writer", "\\remember", b"number\n7\n8\n");
        let mut job = EngineJob::new(
            ConnInfo::new((ServerHost::Unix("nowhere".into()), 1), "nobody", "nothing"),
            writer.script.clone(),
        );
        job.scripts = vec![writer, script("reader", "\\recall", b"number\n8\n7\n")];
        job.order = TransactionOrder::from_scripts(order, AtListEnd::EndLoad).map(Arc::new);
        NumberedValues::from_job(&job)
    }

    #[test]
    fn a_transaction_waits_for_earlier_ones_until_they_have_ended() {
        let of = |script, row| ListedTransaction { script, row };
        let values = values_of_order([0, 0, 1, 1]);
        assert!(values.waits_for_earlier(of(1, 0)) && values.waits_for_earlier(of(1, 1)));
        values.note_ended_transaction(of(0, 1));
        assert!(!values.waits_for_earlier(of(1, 0)), "8 is that of the second row");
        assert!(values.waits_for_earlier(of(1, 1)) && !values.waits_for_earlier(of(0, 0)));
        values.note_ended_transaction(of(0, 0));
        assert!(!values.waits_for_earlier(of(1, 1)));
    }

    #[test]
    fn no_transaction_waits_for_a_later_one() {
        let values = values_of_order([0, 1, 1, 0]);
        assert!(!values.waits_for_earlier(ListedTransaction { script: 1, row: 0 }), "8 comes later");
        assert!(values.waits_for_earlier(ListedTransaction { script: 1, row: 1 }));
    }
}
