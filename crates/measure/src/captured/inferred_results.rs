//! Results that a log does not have, as far as what was sent afterwards shows them: values that the server made, and
//! those of rows that a statement picked.

use std::collections::{HashMap, HashSet};

use capture::directory::{CaptureReader, Execution, ValueOrigin};

use super::executed_values::value_at;
use super::made_values::{MadeValue, MadeValueFinder, MadeValues};
use super::picked_values::origins_of_picked_values;
use super::statement_shapes::StatementShapes;

/// The results of a capture that has none.
#[derive(Debug, Default)]
pub(super) struct InferredResults {
    shapes: StatementShapes,
    made: MadeValues,
    picked: HashMap<u64, Vec<ValueOrigin>>,
    /// The events with such a result.
    events: HashSet<u64>,
}

impl InferredResults {
    pub(super) fn of_capture(capture: &CaptureReader) -> Result<Self, capture::directory::CaptureError> {
        let shapes = StatementShapes::of_capture(capture);
        let made = MadeValueFinder::of_capture(capture, &shapes)?;
        let picked = origins_of_picked_values(capture, &shapes)?;
        let mut events: HashSet<u64> = made.values().flatten().map(|result| result.event).collect();
        events.extend(picked.values().flatten().map(|origin| origin.event));
        Ok(Self { shapes, made, picked, events })
    }

    /// Whether something of the result of an event is known.
    pub(super) fn has_result(&self, event: u64) -> bool {
        self.events.contains(&event)
    }

    /// Where the values of an execution come from.
    pub(super) fn origins_of_execution(&self, event: u64, execution: &Execution) -> Vec<ValueOrigin> {
        let mut origins = self.picked.get(&event).cloned().unwrap_or_default();
        let places = self.shapes.by_statement(execution.statement).map_or(0, |shape| shape.uses.len());
        for place in 0..u32::try_from(places).unwrap_or(u32::MAX) {
            let Some(value) = value_at(execution, place).and_then(MadeValue::from_text) else { continue };
            for result in self.made.get(&value).into_iter().flatten() {
                if result.event < event {
                    origins.push(ValueOrigin { place, event: result.event, column: result.column, row: 0 });
                }
            }
        }
        origins
    }
}
