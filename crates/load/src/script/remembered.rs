//! `\remember` and `\recall`: values that all clients of a job share, each under a number. A replay keeps in them what
//! its server made in the place of a value of the capture, and a later transaction takes it from there.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use super::command::{Generate, SharedGenerator};
use super::variables::{ClientVariables, Scratch, VariableSlot};
use work::Random;

/// The values of one job.
#[derive(Debug, Default)]
pub(crate) struct NumberedValues {
    by_number: RwLock<HashMap<i64, Box<[u8]>>>,
}

impl NumberedValues {
    /// A command that keeps the value of its variable under the number that its input is.
    pub(crate) fn remember_command(values: &Arc<Self>) -> SharedGenerator {
        SharedGenerator(Arc::new(RememberValue(Arc::clone(values))))
    }

    /// A command that gives its variable the value under the number that its input is, if there is one.
    pub(crate) fn recall_command(values: &Arc<Self>) -> SharedGenerator {
        SharedGenerator(Arc::new(RecallValue(Arc::clone(values))))
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
        self.0.by_number.write().unwrap_or_else(PoisonError::into_inner).insert(number, text.into());
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
        if let Some(text) = known.get(&number) {
            variables.set_text(target).extend_from_slice(text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
