//! Running a script's steps, up to the next one that takes time. Allocates nothing.

use super::awaited::{Awaited, JobStatementNumber};
use super::compiled_script::{CompiledAmount, CompiledScript, CompiledWord, RowTaking, RowsNumber, ScriptStep};
use super::evaluation_error::EvaluationError;
use super::request::{LatePreparations, RequestEnding, StatementRequest};
use super::value::ScriptValue;
use super::value_rows::RowOrder;
use super::variables::{ClientVariables, Scratch, VariableSlot};
use wire::frontend;
use work::Random;

/// pgbench's limit on the length of a shell command, in bytes.
const MAX_SHELL_COMMAND: usize = 255;

/// A client's place in a script.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ScriptPlace {
    /// The step that comes next.
    step: usize,
    /// Between `\startpipeline` and `\endpipeline`.
    pipeline: bool,
}

impl ScriptPlace {
    /// The step that has just been run.
    pub(crate) fn last_run_step(self) -> Option<usize> {
        self.step.checked_sub(1)
    }
}

/// What has to happen before the next step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NextScriptAction {
    /// Something has been appended, and all its answers have to come; the rows among them become variables.
    Answers { rows: Option<RowsNumber> },
    /// So many microseconds have to pass.
    Time { us: u64 },
    /// The shell command of the step with this number has to end.
    Shell { step: usize },
    /// Nothing: the script is over.
    Over,
}

/// What a script's steps work on.
pub(crate) struct ScriptRun<'a> {
    pub(crate) variables: &'a mut ClientVariables,
    pub(crate) random: &'a mut Random,
    pub(crate) prepared: &'a mut LatePreparations,
    /// Answers to come: how often the server will say that it is ready.
    pub(crate) syncs: &'a mut u32,
    pub(crate) awaited: &'a mut Awaited,
    pub(crate) out: &'a mut Vec<u8>,
}

/// What went wrong in a script, and the line of its command.
pub(crate) type Failed = (u32, EvaluationError);

impl CompiledScript {
    /// Whether some statement of the script has the variable in it.
    pub(crate) fn sends_variable(&self, slot: VariableSlot) -> bool {
        let requests = self.steps.iter().flat_map(|step| match step {
            ScriptStep::Send { request, .. } | ScriptStep::Copy { request, .. } => std::slice::from_ref(request),
            ScriptStep::SendOneOf { requests, .. } => requests,
            ScriptStep::Set { .. }
            | ScriptStep::Generate { .. }
            | ScriptStep::TakeRow(_)
            | ScriptStep::Unless { .. }
            | ScriptStep::GoTo(_)
            | ScriptStep::Sleep { .. }
            | ScriptStep::Shell { .. }
            | ScriptStep::StartPipeline { .. }
            | ScriptStep::SyncPipeline { .. }
            | ScriptStep::EndPipeline { .. } => &[],
        });
        requests.into_iter().any(|request| request.contains_variable(slot))
    }

    /// Whether no step comes after this place.
    #[inline]
    pub(crate) fn ends_at(&self, place: ScriptPlace) -> bool {
        place.step == self.steps.len()
    }

    /// Runs steps from `place` on until something has to happen before the next one, which `place` then is.
    ///
    /// # Errors
    /// When a command cannot be executed; with its line.
    #[inline]
    pub(crate) fn advance_script(
        &self,
        place: &mut ScriptPlace,
        run: &mut ScriptRun<'_>,
    ) -> Result<NextScriptAction, Failed> {
        while let Some(step) = self.steps.get(place.step) {
            place.step += 1;
            match step {
                ScriptStep::Set { slot, expression, line } => {
                    let value = expression.evaluate(run.variables, run.random).map_err(|error| (*line, error))?;
                    run.variables.set_value(*slot, value);
                }
                ScriptStep::Send { request, rows, statement, line } => {
                    if rows.is_some() && place.pipeline {
                        return Err((*line, EvaluationError::RowsInPipeline));
                    }
                    if let Some(next) = run.send_request(request, *place, *rows, *statement) {
                        return Ok(next);
                    }
                }
                ScriptStep::SendOneOf { number, requests, statement, line } => {
                    let request = one_of(requests, *number, run.variables).map_err(|error| (*line, error))?;
                    if let Some(next) = run.send_request(request, *place, None, *statement) {
                        return Ok(next);
                    }
                }
                ScriptStep::TakeRow(taking) => taking.take_row(run.variables, run.random),
                ScriptStep::Generate { slot, inputs, generator } => {
                    generator.0.generate_value(inputs, *slot, run.variables, run.random);
                }
                ScriptStep::Unless { condition, go_to, line } => {
                    let value = condition.evaluate(run.variables, run.random).map_err(|error| (*line, error))?;
                    if !value.is_truthy() {
                        place.step = *go_to;
                    }
                }
                ScriptStep::GoTo(step) => place.step = *step,
                ScriptStep::Copy { .. }
                | ScriptStep::Sleep { .. }
                | ScriptStep::Shell { .. }
                | ScriptStep::StartPipeline { .. }
                | ScriptStep::SyncPipeline { .. }
                | ScriptStep::EndPipeline { .. } => {
                    if let Some(next) = run_unusual_step(step, place, run)? {
                        return Ok(next);
                    }
                }
            }
        }
        match place.pipeline {
            false => Ok(NextScriptAction::Over),
            true => Err((self.last_line(), EvaluationError::PipelineOpen)),
        }
    }

    /// The shell command of a step, with its variables' values.
    ///
    /// # Errors
    /// When a variable is undefined or the command too long.
    pub(crate) fn shell_command(
        &self,
        step: usize,
        variables: &ClientVariables,
    ) -> Result<(String, Option<VariableSlot>), Failed> {
        let Some(ScriptStep::Shell { variable, words, line, .. }) = self.steps.get(step) else {
            return Ok((String::new(), None));
        };
        let mut scratch = Scratch::new();
        let mut command = Vec::new();
        for word in words {
            if !command.is_empty() {
                command.push(b' ');
            }
            match word {
                CompiledWord::Literal(text) => command.extend_from_slice(text.as_bytes()),
                CompiledWord::Variable(slot) => {
                    command.extend_from_slice(
                        variables.sql_text(*slot, &mut scratch).ok_or_else(|| {
                            (*line, EvaluationError::Undefined(variables.slot_name(*slot).to_owned()))
                        })?,
                    );
                }
            }
        }
        if command.len() >= MAX_SHELL_COMMAND {
            return Err((*line, EvaluationError::Shell("shell command is too long".to_owned())));
        }
        Ok((String::from_utf8_lossy(&command).into_owned(), *variable))
    }

    /// The rows of the COPY before this place; none if it is something else.
    pub(crate) fn copy_data(&self, place: ScriptPlace) -> Option<&[u8]> {
        match self.steps.get(place.last_run_step()?) {
            Some(ScriptStep::Copy { data, .. }) => Some(data),
            Some(_) | None => None,
        }
    }

    /// Whether the statement before this place was sent by the simple protocol.
    pub(crate) fn was_sent_as_text(&self, place: ScriptPlace) -> bool {
        let step = place.last_run_step().and_then(|step| self.steps.get(step));
        matches!(step, Some(ScriptStep::Send { request: StatementRequest::Simple { .. }, .. }))
    }

    /// The variable that the shell command before this place gives a value.
    pub(crate) fn shell_variable(&self, place: ScriptPlace) -> Option<VariableSlot> {
        match self.steps.get(place.step.checked_sub(1)?) {
            Some(ScriptStep::Shell { variable, .. }) => *variable,
            Some(_) | None => None,
        }
    }

    /// The line of the step before this place.
    pub(crate) fn line_before(&self, place: ScriptPlace) -> u32 {
        self.steps[..place.step.min(self.steps.len())].iter().rev().find_map(ScriptStep::line_number).unwrap_or(1)
    }

    fn last_line(&self) -> u32 {
        self.line_before(ScriptPlace { step: self.steps.len(), pipeline: false })
    }
}

impl ScriptStep {
    fn line_number(&self) -> Option<u32> {
        match self {
            ScriptStep::Set { line, .. }
            | ScriptStep::Send { line, .. }
            | ScriptStep::Copy { line, .. }
            | ScriptStep::SendOneOf { line, .. }
            | ScriptStep::Unless { line, .. }
            | ScriptStep::Sleep { line, .. }
            | ScriptStep::Shell { line, .. }
            | ScriptStep::StartPipeline { line }
            | ScriptStep::SyncPipeline { line }
            | ScriptStep::EndPipeline { line } => Some(*line),
            ScriptStep::Generate { .. } | ScriptStep::TakeRow(_) | ScriptStep::GoTo(_) => None,
        }
    }
}

impl ScriptRun<'_> {
    #[inline]
    fn send_request(
        &mut self,
        request: &StatementRequest,
        place: ScriptPlace,
        rows: Option<RowsNumber>,
        statement: JobStatementNumber,
    ) -> Option<NextScriptAction> {
        let ending = if place.pipeline { RequestEnding::Pipeline } else { RequestEnding::Sync };
        request.write_request(self.variables, self.prepared, ending, self.out);
        match ending {
            RequestEnding::Pipeline => {
                self.awaited.sent_in_pipeline(statement);
                None
            }
            RequestEnding::Sync => {
                self.awaited.note_sent_statement(statement);
                *self.syncs += 1;
                Some(NextScriptAction::Answers { rows })
            }
        }
    }

    fn send_sync(&mut self) {
        frontend::write_sync_message(self.out);
        self.awaited.note_sent_sync();
        *self.syncs += 1;
    }
}

fn run_unusual_step(
    step: &ScriptStep,
    place: &mut ScriptPlace,
    run: &mut ScriptRun<'_>,
) -> Result<Option<NextScriptAction>, Failed> {
    match step {
        ScriptStep::Copy { line, .. } if place.pipeline => return Err((*line, EvaluationError::CopyInPipeline)),
        ScriptStep::Copy { request, statement, .. } => return Ok(run.send_request(request, *place, None, *statement)),
        ScriptStep::Sleep { amount, unit_us, statement, line } => {
            let us = sleep_us(amount, *unit_us, run.variables).map_err(|error| (*line, error))?;
            if us == 0 {
                return Ok(None);
            }
            run.awaited.note_sent_statement(*statement);
            return Ok(Some(NextScriptAction::Time { us }));
        }
        ScriptStep::Shell { statement, .. } => {
            run.awaited.note_sent_statement(*statement);
            return Ok(Some(NextScriptAction::Shell { step: place.step - 1 }));
        }
        ScriptStep::StartPipeline { line } if place.pipeline => {
            return Err((*line, EvaluationError::AlreadyInPipeline));
        }
        ScriptStep::StartPipeline { .. } => place.pipeline = true,
        ScriptStep::SyncPipeline { line } | ScriptStep::EndPipeline { line } if !place.pipeline => {
            return Err((*line, EvaluationError::NotInPipeline));
        }
        ScriptStep::SyncPipeline { .. } => run.send_sync(),
        ScriptStep::EndPipeline { .. } => {
            run.send_sync();
            place.pipeline = false;
            return Ok(Some(NextScriptAction::Answers { rows: None }));
        }
        ScriptStep::Set { .. }
        | ScriptStep::Generate { .. }
        | ScriptStep::TakeRow(_)
        | ScriptStep::Send { .. }
        | ScriptStep::SendOneOf { .. }
        | ScriptStep::Unless { .. }
        | ScriptStep::GoTo(_) => {}
    }
    Ok(None)
}

impl RowTaking {
    /// The columns of the row that comes next become variables.
    fn take_row(&self, variables: &mut ClientVariables, random: &mut Random) {
        let number = match self.order {
            RowOrder::Listed => variables.listed_row(),
            RowOrder::Random | RowOrder::Sequential | RowOrder::Shuffled => {
                variables.take_row_number(self.place, self.clients)
            }
        };
        let row = self.order.choose_row(self.rows.row_count(), number, self.seed, random);
        for (column, &slot) in self.columns.iter().enumerate() {
            match self.rows.field_text(row, column) {
                Some(text) => variables.set_text(slot).extend_from_slice(text),
                None => variables.set_sql_null(slot),
            }
        }
    }
}

fn one_of<'r>(
    requests: &'r [StatementRequest],
    number: VariableSlot,
    variables: &ClientVariables,
) -> Result<&'r StatementRequest, EvaluationError> {
    let number = variables.variable_value(number)?.to_integer()?;
    usize::try_from(number).ok().and_then(|number| requests.get(number)).ok_or(EvaluationError::OutOfRange)
}

/// A text counts as far as it is a number, as C's `atoi` reads it; a negative time has passed already.
fn sleep_us(amount: &CompiledAmount, unit_us: i64, variables: &ClientVariables) -> Result<u64, EvaluationError> {
    let amount = match amount {
        CompiledAmount::Fixed(amount) => *amount,
        CompiledAmount::Variable(slot) => {
            let mut scratch = Scratch::new();
            let Some(text) = variables.sql_text(*slot, &mut scratch) else {
                return Err(EvaluationError::Undefined(variables.slot_name(*slot).to_owned()));
            };
            let text = String::from_utf8_lossy(text);
            let sign = usize::from(text.starts_with(['+', '-']));
            let digits = sign + text[sign..].bytes().take_while(u8::is_ascii_digit).count();
            text[..digits].parse().map_err(|_| EvaluationError::SleepTime(text.clone().into_owned()))?
        }
    };
    Ok(u64::try_from(amount.saturating_mul(unit_us)).unwrap_or(0))
}

/// What `\setshell` makes of a command's first line: an integer.
///
/// # Errors
/// When it is none.
pub(crate) fn shell_value(line: &str) -> Result<ScriptValue, EvaluationError> {
    let text = line.trim();
    let not_an_integer =
        || EvaluationError::Shell(format!("shell command must return an integer (not \"{}\")", line.trim_end()));
    text.parse::<i32>().map(|value| ScriptValue::Integer(i64::from(value))).map_err(|_| not_an_integer())
}
