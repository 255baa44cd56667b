//! `\gset` and `\aset`: rows become variables. Allocates nothing once its buffers have grown to the largest row.

use super::command::StatementRows;
use super::evaluation_error::EvaluationError;
use super::sql;
use super::variables::{ClientVariables, VariableSlot};
use std::ops::Range;
use wire::{DataRow, RowDescription};

/// The rows of the exchange under way.
#[derive(Debug, Default)]
pub(crate) struct Gather {
    /// The variables that the columns of the current result become, from left to right; `None`: nobody uses it.
    columns: Vec<Option<VariableSlot>>,
    /// A column whose name cannot be a variable's.
    misnamed: Option<String>,
    /// A column is asked for by its number.
    has_numbered: bool,
    /// The values of the last row, and where each begins and ends.
    bytes: Vec<u8>,
    values: Vec<(VariableSlot, Range<usize>)>,
    /// Rows of the current result; once it is complete, of the last one.
    rows: u64,
    /// There are rows to come in the current result.
    in_result: bool,
}

impl Gather {
    /// A new exchange begins.
    pub(crate) fn begin_exchange(&mut self) {
        self.start_result();
        self.in_result = false;
    }

    fn start_result(&mut self) {
        self.columns.clear();
        self.misnamed = None;
        self.has_numbered = false;
        self.forget_row();
        self.rows = 0;
    }

    fn forget_row(&mut self) {
        self.bytes.clear();
        self.values.clear();
    }

    /// A result begins.
    pub(crate) fn describe_result(
        &mut self,
        description: &RowDescription<'_>,
        wanted: &StatementRows,
        variables: &ClientVariables,
    ) {
        self.start_result();
        self.in_result = true;
        let (StatementRows::One { prefix } | StatementRows::Last { prefix }) = wanted else { return };
        let mut number = itoa::Buffer::new();
        for (place, column) in (1_u32..).zip(description.columns()) {
            let name = std::str::from_utf8(column.name).ok();
            let by_name = name.and_then(|name| variables.find_slot(prefix, name));
            // Behind a prefix, a column has a number, too.
            let is_numbered = by_name.is_none() && !prefix.is_empty();
            let by_number = if is_numbered { variables.find_slot(prefix, number.format(place)) } else { None };
            let slot = by_name.or(by_number);
            self.has_numbered |= by_number.is_some();
            // Without a prefix the column's name is the variable's; behind one it may begin with a digit.
            let valid = slot.is_some() || name.is_some_and(|name| sql::is_prefixed_variable_name(prefix, name));
            if !valid && self.misnamed.is_none() {
                self.misnamed = Some(format!("{prefix}{}", String::from_utf8_lossy(column.name)));
            }
            self.columns.push(slot);
        }
    }

    /// A row of the result, which takes the place of the one before it.
    pub(crate) fn take_row(&mut self, row: &DataRow<'_>) {
        self.rows += 1;
        self.forget_row();
        for (slot, value) in self.columns.iter().zip(row.values()) {
            if let Some(slot) = slot {
                let start = self.bytes.len();
                // As in pgbench, NULL is an empty text.
                self.bytes.extend_from_slice(value.unwrap_or_default());
                self.values.push((*slot, start..self.bytes.len()));
            }
        }
    }

    /// A statement is complete, with or without a result.
    ///
    /// # Errors
    /// When its columns cannot become variables.
    pub(crate) fn complete_statement(
        &mut self,
        wanted: &StatementRows,
        variables: &mut ClientVariables,
    ) -> Result<(), EvaluationError> {
        if !std::mem::take(&mut self.in_result) {
            self.start_result();
        }
        match wanted {
            StatementRows::Last { .. } if self.rows > 0 => self.assign_variables(variables),
            StatementRows::Last { .. } | StatementRows::One { .. } | StatementRows::Ignored => Ok(()),
        }
    }

    /// The exchange is over.
    ///
    /// # Errors
    /// When the last result of a `\gset` is not one row, or its columns cannot become variables.
    pub(crate) fn finish_exchange(
        &mut self,
        wanted: &StatementRows,
        variables: &mut ClientVariables,
    ) -> Result<(), EvaluationError> {
        match wanted {
            StatementRows::One { .. } if self.rows == 1 => self.assign_variables(variables),
            StatementRows::One { .. } => Err(EvaluationError::NotOneRow(self.rows)),
            StatementRows::Last { .. } | StatementRows::Ignored => Ok(()),
        }
    }

    fn assign_variables(&mut self, variables: &mut ClientVariables) -> Result<(), EvaluationError> {
        // Who counts the columns does not care for their names.
        let is_named = !self.has_numbered;
        if let Some(name) = self.misnamed.take()
            && is_named
        {
            return Err(EvaluationError::ColumnName(name));
        }
        for (slot, range) in &self.values {
            variables.set_text(*slot).extend_from_slice(&self.bytes[range.clone()]);
        }
        Ok(())
    }
}
