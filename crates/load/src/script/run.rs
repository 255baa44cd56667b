//! Running a script's steps, up to the next one that takes time. Allocates nothing.

use super::awaited::{Awaited, StatementNumber};
use super::compiled_script::{CompiledAmount, CompiledScript, CompiledWord, RowsNumber, Step};
use super::evaluation_error::EvaluationError;
use super::request::{Ending, Prepared, Request};
use super::value::Value;
use super::variables::{Scratch, Slot, Variables};
use wire::frontend;
use work::Random;

/// pgbench's limit on the length of a shell command, in bytes.
const MAX_SHELL_COMMAND: usize = 255;

/// A client's place in a script.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Place {
    /// The step that comes next.
    step: usize,
    /// Between `\startpipeline` and `\endpipeline`.
    pipeline: bool,
}

impl Place {
    /// The step that has just been run.
    pub(crate) fn before(self) -> Option<usize> {
        self.step.checked_sub(1)
    }
}

/// What has to happen before the next step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
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
pub(crate) struct Run<'a> {
    pub(crate) variables: &'a mut Variables,
    pub(crate) random: &'a mut Random,
    pub(crate) prepared: &'a mut Prepared,
    /// Answers to come: how often the server will say that it is ready.
    pub(crate) syncs: &'a mut u32,
    pub(crate) awaited: &'a mut Awaited,
    pub(crate) out: &'a mut Vec<u8>,
}

/// What went wrong in a script, and the line of its command.
pub(crate) type Failed = (u32, EvaluationError);

impl CompiledScript {
    /// Whether some statement of the script has the variable in it.
    pub(crate) fn sends(&self, slot: Slot) -> bool {
        let requests = self.steps.iter().flat_map(|step| match step {
            Step::Send { request, .. } => std::slice::from_ref(request),
            Step::SendOneOf { requests, .. } => requests,
            Step::Set { .. }
            | Step::Generate { .. }
            | Step::Unless { .. }
            | Step::GoTo(_)
            | Step::Sleep { .. }
            | Step::Shell { .. }
            | Step::StartPipeline { .. }
            | Step::SyncPipeline { .. }
            | Step::EndPipeline { .. } => &[],
        });
        requests.into_iter().any(|request| request.contains(slot))
    }

    /// Whether no step comes after this place.
    #[inline]
    pub(crate) fn ends_at(&self, place: Place) -> bool {
        place.step == self.steps.len()
    }

    /// Runs steps from `place` on until something has to happen before the next one, which `place` then is.
    ///
    /// # Errors
    /// When a command cannot be executed; with its line.
    #[inline]
    pub(crate) fn advance(&self, place: &mut Place, run: &mut Run<'_>) -> Result<Next, Failed> {
        while let Some(step) = self.steps.get(place.step) {
            place.step += 1;
            match step {
                Step::Set { slot, expression, line } => {
                    let value = expression.evaluate(run.variables, run.random).map_err(|error| (*line, error))?;
                    run.variables.set(*slot, value);
                }
                Step::Send { request, rows, statement, line } => {
                    if rows.is_some() && place.pipeline {
                        return Err((*line, EvaluationError::RowsInPipeline));
                    }
                    if let Some(next) = run.send(request, *place, *rows, *statement) {
                        return Ok(next);
                    }
                }
                Step::SendOneOf { number, requests, statement, line } => {
                    let request = one_of(requests, *number, run.variables).map_err(|error| (*line, error))?;
                    if let Some(next) = run.send(request, *place, None, *statement) {
                        return Ok(next);
                    }
                }
                Step::Generate { slot, inputs, generator } => {
                    generator.0.generate(inputs, *slot, run.variables, run.random);
                }
                Step::Unless { condition, go_to, line } => {
                    let value = condition.evaluate(run.variables, run.random).map_err(|error| (*line, error))?;
                    if !value.holds() {
                        place.step = *go_to;
                    }
                }
                Step::GoTo(step) => place.step = *step,
                Step::Sleep { .. }
                | Step::Shell { .. }
                | Step::StartPipeline { .. }
                | Step::SyncPipeline { .. }
                | Step::EndPipeline { .. } => {
                    if let Some(next) = unusual(step, place, run)? {
                        return Ok(next);
                    }
                }
            }
        }
        match place.pipeline {
            false => Ok(Next::Over),
            true => Err((self.last_line(), EvaluationError::PipelineOpen)),
        }
    }

    /// The shell command of a step, with its variables' values.
    ///
    /// # Errors
    /// When a variable is undefined or the command too long.
    pub(crate) fn shell_command(&self, step: usize, variables: &Variables) -> Result<(String, Option<Slot>), Failed> {
        let Some(Step::Shell { variable, words, line, .. }) = self.steps.get(step) else {
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
                    let undefined = || (*line, EvaluationError::Undefined(variables.name(*slot).to_owned()));
                    command.extend_from_slice(variables.text(*slot, &mut scratch).ok_or_else(undefined)?);
                }
            }
        }
        if command.len() >= MAX_SHELL_COMMAND {
            return Err((*line, EvaluationError::Shell("shell command is too long".to_owned())));
        }
        Ok((String::from_utf8_lossy(&command).into_owned(), *variable))
    }

    /// The variable that the shell command before this place gives a value.
    pub(crate) fn shell_variable(&self, place: Place) -> Option<Slot> {
        match self.steps.get(place.step.checked_sub(1)?) {
            Some(Step::Shell { variable, .. }) => *variable,
            Some(_) | None => None,
        }
    }

    /// The line of the step before this place.
    pub(crate) fn line_before(&self, place: Place) -> u32 {
        self.steps[..place.step.min(self.steps.len())].iter().rev().find_map(Step::line).unwrap_or(1)
    }

    fn last_line(&self) -> u32 {
        self.line_before(Place { step: self.steps.len(), pipeline: false })
    }
}

impl Step {
    fn line(&self) -> Option<u32> {
        match self {
            Step::Set { line, .. }
            | Step::Send { line, .. }
            | Step::SendOneOf { line, .. }
            | Step::Unless { line, .. }
            | Step::Sleep { line, .. }
            | Step::Shell { line, .. }
            | Step::StartPipeline { line }
            | Step::SyncPipeline { line }
            | Step::EndPipeline { line } => Some(*line),
            Step::Generate { .. } | Step::GoTo(_) => None,
        }
    }
}

impl Run<'_> {
    #[inline]
    fn send(
        &mut self,
        request: &Request,
        place: Place,
        rows: Option<RowsNumber>,
        statement: StatementNumber,
    ) -> Option<Next> {
        let ending = if place.pipeline { Ending::Pipeline } else { Ending::Sync };
        request.write(self.variables, self.prepared, ending, self.out);
        match ending {
            Ending::Pipeline => {
                self.awaited.sent_in_pipeline(statement);
                None
            }
            Ending::Sync => {
                self.awaited.sent(statement);
                *self.syncs += 1;
                Some(Next::Answers { rows })
            }
        }
    }

    fn sync(&mut self) {
        frontend::sync(self.out);
        self.awaited.synced();
        *self.syncs += 1;
    }
}

fn unusual(step: &Step, place: &mut Place, run: &mut Run<'_>) -> Result<Option<Next>, Failed> {
    match step {
        Step::Sleep { amount, unit_us, statement, line } => {
            run.awaited.sent(*statement);
            let us = sleep_us(amount, *unit_us, run.variables).map_err(|error| (*line, error))?;
            return Ok(Some(Next::Time { us }));
        }
        Step::Shell { statement, .. } => {
            run.awaited.sent(*statement);
            return Ok(Some(Next::Shell { step: place.step - 1 }));
        }
        Step::StartPipeline { line } if place.pipeline => return Err((*line, EvaluationError::AlreadyInPipeline)),
        Step::StartPipeline { .. } => place.pipeline = true,
        Step::SyncPipeline { line } | Step::EndPipeline { line } if !place.pipeline => {
            return Err((*line, EvaluationError::NotInPipeline));
        }
        Step::SyncPipeline { .. } => run.sync(),
        Step::EndPipeline { .. } => {
            run.sync();
            place.pipeline = false;
            return Ok(Some(Next::Answers { rows: None }));
        }
        Step::Set { .. }
        | Step::Generate { .. }
        | Step::Send { .. }
        | Step::SendOneOf { .. }
        | Step::Unless { .. }
        | Step::GoTo(_) => {}
    }
    Ok(None)
}

fn one_of<'r>(requests: &'r [Request], number: Slot, variables: &Variables) -> Result<&'r Request, EvaluationError> {
    let number = variables.value(number)?.integer()?;
    usize::try_from(number).ok().and_then(|number| requests.get(number)).ok_or(EvaluationError::OutOfRange)
}

/// A text counts as far as it is a number, as C's `atoi` reads it; a negative time has passed already.
fn sleep_us(amount: &CompiledAmount, unit_us: i64, variables: &Variables) -> Result<u64, EvaluationError> {
    let amount = match amount {
        CompiledAmount::Fixed(amount) => *amount,
        CompiledAmount::Variable(slot) => {
            let mut scratch = Scratch::new();
            let Some(text) = variables.text(*slot, &mut scratch) else {
                return Err(EvaluationError::Undefined(variables.name(*slot).to_owned()));
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
pub(crate) fn shell_value(line: &str) -> Result<Value, EvaluationError> {
    let text = line.trim();
    let not_an_integer =
        || EvaluationError::Shell(format!("shell command must return an integer (not \"{}\")", line.trim_end()));
    text.parse::<i32>().map(|value| Value::Integer(i64::from(value))).map_err(|_| not_an_integer())
}
