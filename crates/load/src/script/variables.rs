//! A client's variables, by slot: numbers as numbers, texts in buffers that are kept. Setting and writing one allocates
//! nothing once a slot's buffer has grown to its longest text.

use super::double::DoubleText;
use super::evaluation_error::EvaluationError;
use super::value::ScriptValue;
use crate::prefetch::prefetch_value;
use std::sync::Arc;

/// The place of a variable among all variables of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct VariableSlot(pub(crate) usize);

/// The place of a `\values` command among those of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RowPlace(pub(crate) usize);

/// The variables of one client.
#[derive(Debug, Clone)]
pub(crate) struct ClientVariables {
    /// By slot; shared by all clients.
    names: Arc<[String]>,
    values: Vec<Variable>,
    /// Of each `\values` command the number of the row that comes next, and of the one that came next when the
    /// transaction began.
    next_rows: Vec<(u64, u64)>,
    /// The row that a list of transactions has for the one under way.
    listed_row: u64,
}

#[derive(Debug, Clone)]
struct Variable {
    content: VariableContent,
    /// Meaningful if the content is a text, else kept for its memory.
    text: Vec<u8>,
}

#[derive(Debug, Clone, Copy)]
enum VariableContent {
    Undefined,
    Value(ScriptValue),
    Text,
    /// NULL of SQL, where [`ScriptValue::Null`] is a text, as in pgbench.
    SqlNull,
}

/// Where numbers are written while a statement takes their text.
pub(crate) struct Scratch {
    integer: itoa::Buffer,
    double: DoubleText,
}

impl Scratch {
    pub(crate) fn new() -> Scratch {
        Scratch { integer: itoa::Buffer::new(), double: DoubleText::new() }
    }
}

impl ClientVariables {
    /// Variables of these names, all undefined.
    pub(crate) fn new(names: Arc<[String]>) -> ClientVariables {
        let undefined = Variable { content: VariableContent::Undefined, text: Vec::new() };
        ClientVariables { values: vec![undefined; names.len()], names, next_rows: Vec::new(), listed_row: 0 }
    }

    /// Has the values fetched.
    #[inline]
    pub(crate) fn prefetch_values(&self) {
        prefetch_value(self.values.as_slice());
    }

    /// The value for an expression.
    ///
    /// # Errors
    /// When the variable is undefined, or its text stands for no value.
    #[inline]
    pub(crate) fn variable_value(&self, slot: VariableSlot) -> Result<ScriptValue, EvaluationError> {
        match self.values[slot.0].content {
            VariableContent::Value(value) => Ok(value),
            VariableContent::Text | VariableContent::SqlNull | VariableContent::Undefined => {
                self.convert_text_value(slot)
            }
        }
    }

    #[cold]
    fn convert_text_value(&self, slot: VariableSlot) -> Result<ScriptValue, EvaluationError> {
        let Variable { content, text } = &self.values[slot.0];
        let variable = || self.names[slot.0].clone();
        match content {
            VariableContent::Undefined => Err(EvaluationError::Undefined(variable())),
            VariableContent::Value(value) => Ok(*value),
            VariableContent::SqlNull => Ok(ScriptValue::Null),
            VariableContent::Text => ScriptValue::of_text(text).ok_or_else(|| EvaluationError::Malformed {
                variable: variable(),
                text: String::from_utf8_lossy(text).into_owned(),
            }),
        }
    }

    /// The text of a parameter; `None`: NULL.
    #[inline]
    pub(crate) fn parameter_text<'a>(&'a self, slot: VariableSlot, scratch: &'a mut Scratch) -> Option<&'a [u8]> {
        match self.values[slot.0].content {
            VariableContent::SqlNull => None,
            _ => self.sql_text(slot, scratch),
        }
    }

    /// The text that goes into SQL; `None`: undefined.
    #[inline]
    pub(crate) fn sql_text<'a>(&'a self, slot: VariableSlot, scratch: &'a mut Scratch) -> Option<&'a [u8]> {
        let variable = &self.values[slot.0];
        match variable.content {
            VariableContent::Undefined => None,
            VariableContent::Value(ScriptValue::Integer(value)) => Some(scratch.integer.format(value).as_bytes()),
            VariableContent::Text => Some(&variable.text),
            VariableContent::Value(ScriptValue::Double(value)) => Some(scratch.double.format_double(value)),
            VariableContent::Value(ScriptValue::Boolean(true)) => Some(b"true"),
            VariableContent::Value(ScriptValue::Boolean(false)) => Some(b"false"),
            VariableContent::Value(ScriptValue::Null) | VariableContent::SqlNull => Some(b"NULL"),
        }
    }

    #[inline]
    pub(crate) fn set_value(&mut self, slot: VariableSlot, value: ScriptValue) {
        self.values[slot.0].content = VariableContent::Value(value);
    }

    /// Makes the variable an empty text, to be appended to.
    pub(crate) fn set_text(&mut self, slot: VariableSlot) -> &mut Vec<u8> {
        let variable = &mut self.values[slot.0];
        variable.content = VariableContent::Text;
        variable.text.clear();
        &mut variable.text
    }

    /// Makes the variable NULL.
    pub(crate) fn set_sql_null(&mut self, slot: VariableSlot) {
        self.values[slot.0].content = VariableContent::SqlNull;
    }

    /// So many `\values` commands begin at the row with the number of the client.
    pub(crate) fn begin_rows(&mut self, commands: usize, client: u32) {
        self.next_rows = vec![(u64::from(client), u64::from(client)); commands];
    }

    /// The transaction that begins has this row of a list.
    #[inline]
    pub(crate) fn set_listed_row(&mut self, row: u64) {
        self.listed_row = row;
    }

    /// The row that the list of transactions has for the one under way.
    pub(crate) fn listed_row(&self) -> u64 {
        self.listed_row
    }

    /// The number of the row that comes next; the one after it is so many further.
    pub(crate) fn take_row_number(&mut self, place: RowPlace, step: u32) -> u64 {
        let (next, _) = &mut self.next_rows[place.0];
        let number = *next;
        *next = number.wrapping_add(u64::from(step));
        number
    }

    /// A transaction begins.
    #[inline]
    pub(crate) fn keep_row_numbers(&mut self) {
        for (next, kept) in &mut self.next_rows {
            *kept = *next;
        }
    }

    /// The transaction begins again: it takes the rows that it has taken.
    pub(crate) fn return_row_numbers(&mut self) {
        for (next, kept) in &mut self.next_rows {
            *next = *kept;
        }
    }

    /// The slot of the variable that is called `prefix` and `name` together, if anybody uses it.
    pub(crate) fn find_slot(&self, prefix: &str, name: &str) -> Option<VariableSlot> {
        self.names.iter().position(|variable| variable.strip_prefix(prefix) == Some(name)).map(VariableSlot)
    }

    /// The name of the variable in this slot.
    pub(crate) fn slot_name(&self, slot: VariableSlot) -> &str {
        &self.names[slot.0]
    }
}
