//! Variables that a script defines anew at the beginning of each transaction.

use std::sync::Arc;

use work::Random;

use super::ParsedScript;
use super::command::{CommandKind, Generate, ScriptCommand, SharedGenerator};
use super::variables::{ClientVariables, VariableSlot};

/// A value that was given as a text.
#[derive(Debug)]
struct DefinedValue(String);

impl Generate for DefinedValue {
    fn generate_value(
        &self,
        _: &[VariableSlot],
        target: VariableSlot,
        variables: &mut ClientVariables,
        _: &mut Random,
    ) {
        variables.set_text(target).extend_from_slice(self.0.as_bytes());
    }
}

impl ParsedScript {
    /// The same script, in which these variables have their values at the beginning of each transaction, whatever other
    /// scripts of the client have set: of scripts that were not written for each other.
    #[must_use]
    pub fn with_definitions(mut self, definitions: &[(String, String)]) -> ParsedScript {
        for (variable, value) in definitions.iter().rev() {
            let generator = SharedGenerator(Arc::new(DefinedValue(value.clone())));
            let kind = CommandKind::Generate { variable: variable.clone(), inputs: Vec::new(), generator };
            self.commands.insert(0, ScriptCommand { offset: 0, kind });
        }
        self
    }
}
