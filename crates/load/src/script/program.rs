//! Scripts made ready to run: variables are slots, statements are encoded for the query mode.
//!
//! A program is shared by all clients of a job and never changes; what changes is a client's variables and random
//! numbers. Running a step allocates nothing.

use crate::job::{QueryMode, Weighted};
use crate::random::Random;
use crate::script::Script;
use crate::script::error::{Problem, ScriptError};
use crate::script::expression::{EvaluationError, Expression, Slot};
use crate::script::parser::{Command, Kind};
use crate::script::sql::Piece;
use wire::{BindTemplate, frontend};

/// Variables that have a value before a script sets any, in the order of their slots; pgbench's names.
const AUTOMATIC: [&str; 3] = ["client_id", "random_seed", "scale"];

/// All scripts of a job.
#[derive(Debug)]
pub(crate) struct Program {
    scripts: Vec<CompiledScript>,
    variables: Vec<String>,
    total_weight: u64,
}

/// One script of a program.
#[derive(Debug)]
pub(crate) struct CompiledScript {
    pub(crate) name: String,
    weight: u64,
    pub(crate) steps: Vec<Step>,
    /// What has to be prepared on each connection: name and SQL. Empty unless the mode is prepared.
    pub(crate) preparations: Vec<(String, String)>,
}

/// One step of a script.
#[derive(Debug)]
pub(crate) enum Step {
    Set { slot: Slot, expression: Expression<Slot>, line: u32 },
    Send(Request),
}

/// One statement, encoded up to its parameters.
#[derive(Debug)]
pub(crate) enum Request {
    Simple { pieces: Vec<SimplePiece> },
    Extended { template: BindTemplate, parameters: Vec<Slot> },
}

#[derive(Debug)]
pub(crate) enum SimplePiece {
    Text(Box<str>),
    Value(Slot),
}

impl Program {
    /// Compiles scripts for a query mode.
    ///
    /// # Errors
    /// When a script uses a variable that has no value where it is used.
    pub(crate) fn new(scripts: &[Weighted], mode: QueryMode) -> Result<Program, ScriptError> {
        let mut variables: Vec<String> = AUTOMATIC.map(str::to_owned).into();
        let mut compiled = Vec::with_capacity(scripts.len());
        for (number, Weighted { script, weight }) in scripts.iter().enumerate() {
            let mut compiler =
                Compiler { number, mode, script, variables: &mut variables, defined: AUTOMATIC.to_vec() };
            let mut preparations = Vec::new();
            let steps: Result<_, Problem> =
                script.commands.iter().map(|command| compiler.step(command, &mut preparations)).collect();
            let steps = steps.map_err(|problem| problem.within(&script.name, &script.text))?;
            let weight = u64::from(weight.get());
            compiled.push(CompiledScript { name: script.name.clone(), weight, steps, preparations });
        }
        let total_weight = compiled.iter().map(|script| script.weight).sum();
        Ok(Program { scripts: compiled, variables, total_weight })
    }

    /// The scripts, in the order of the job.
    pub(crate) fn scripts(&self) -> &[CompiledScript] {
        &self.scripts
    }

    /// A client's variables before its first transaction.
    pub(crate) fn initial_variables(&self, client: u32, scale: u32, seed: u64) -> Vec<i64> {
        let mut values = vec![0; self.variables.len()];
        // In the order of `AUTOMATIC`; a seed is 64 bits, which a script sees as a signed number.
        let automatic = [i64::from(client), seed as i64, i64::from(scale)];
        values[..AUTOMATIC.len()].copy_from_slice(&automatic);
        values
    }

    /// Which script comes next, drawn by weight.
    #[inline]
    pub(crate) fn choose(&self, random: &mut Random) -> usize {
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

impl CompiledScript {
    /// Runs steps from `*at` on until one is to be sent, which is appended to `out`. `*at` is then the step after it.
    /// False: the script is over and nothing was appended.
    ///
    /// # Errors
    /// When an expression has no value; with the line of its command.
    #[inline]
    pub(crate) fn advance(
        &self,
        at: &mut usize,
        variables: &mut [i64],
        random: &mut Random,
        out: &mut Vec<u8>,
    ) -> Result<bool, (u32, EvaluationError)> {
        while let Some(step) = self.steps.get(*at) {
            *at += 1;
            match step {
                Step::Set { slot, expression, line } => {
                    let value = expression.evaluate(variables, random).map_err(|error| (*line, error))?;
                    variables[slot.0] = value;
                }
                Step::Send(request) => {
                    request.write(variables, out);
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}

impl Request {
    #[inline]
    fn write(&self, variables: &[i64], out: &mut Vec<u8>) {
        let mut digits = itoa::Buffer::new();
        match self {
            Request::Extended { template, parameters } => {
                let mut bind = template.begin(out);
                for slot in parameters {
                    bind.parameter(digits.format(variables[slot.0]).as_bytes());
                }
                bind.finish();
            }
            Request::Simple { pieces } => frontend::query(out, |sql| {
                for piece in pieces {
                    match piece {
                        SimplePiece::Text(text) => sql.extend_from_slice(text.as_bytes()),
                        SimplePiece::Value(slot) => {
                            sql.extend_from_slice(digits.format(variables[slot.0]).as_bytes());
                        }
                    }
                }
            }),
        }
    }
}

/// Turns one script's commands into steps.
struct Compiler<'a> {
    /// The script's number, for the names of prepared statements.
    number: usize,
    mode: QueryMode,
    script: &'a Script,
    /// All variables of the program so far; a slot is a place in here.
    variables: &'a mut Vec<String>,
    /// Those that have a value at this point of the script.
    defined: Vec<&'a str>,
}

impl<'a> Compiler<'a> {
    fn step(&mut self, command: &'a Command, preparations: &mut Vec<(String, String)>) -> Result<Step, Problem> {
        match &command.kind {
            Kind::Set { variable, expression, expression_offset } => {
                let expression = expression.resolve(&mut |name: &String| self.slot(name, *expression_offset))?;
                self.defined.push(variable);
                if !self.variables.contains(variable) {
                    self.variables.push(variable.clone());
                }
                let slot = self.slot(variable, command.offset)?;
                let line = self.script.line_of(command.offset);
                Ok(Step::Set { slot, expression, line })
            }
            Kind::Sql(pieces) => match self.mode {
                QueryMode::Simple => Ok(Step::Send(self.simple(pieces))),
                QueryMode::Extended => {
                    let (sql, parameters) = self.parameterised(pieces, command.offset)?;
                    let template = BindTemplate::unnamed(&sql, parameters.len() as u16);
                    Ok(Step::Send(Request::Extended { template, parameters }))
                }
                QueryMode::Prepared => {
                    let (sql, parameters) = self.parameterised(pieces, command.offset)?;
                    let name = format!("P{}_{}", self.number, preparations.len());
                    let template = BindTemplate::prepared(&name, parameters.len() as u16);
                    preparations.push((name, sql));
                    Ok(Step::Send(Request::Extended { template, parameters }))
                }
            },
        }
    }

    /// In the simple protocol, what is no variable's name stays as it is, as in pgbench.
    fn simple(&self, pieces: &[Piece]) -> Request {
        let pieces = pieces.iter().map(|piece| match piece {
            Piece::Text(text) => SimplePiece::Text(text.as_str().into()),
            Piece::Variable { name, .. } => {
                self.slot(name, 0).map_or_else(|_| SimplePiece::Text(format!(":{name}").into()), SimplePiece::Value)
            }
        });
        Request::Simple { pieces: pieces.collect() }
    }

    /// The statement with `$1`, `$2`, ... in the place of its variables, and what they stand for.
    fn parameterised(&self, pieces: &[Piece], base: usize) -> Result<(String, Vec<Slot>), Problem> {
        let mut sql = String::new();
        let mut parameters = Vec::new();
        for piece in pieces {
            match piece {
                Piece::Text(text) => sql.push_str(text),
                Piece::Variable { name, offset } => {
                    parameters.push(self.slot(name, base + offset)?);
                    sql.push_str(&format!("${}", parameters.len()));
                }
            }
        }
        if parameters.len() > MAX_PARAMETERS {
            let problem = format!("the statement uses variables {} times", parameters.len());
            return Err(Problem::new(base, problem).hint(format!("at most {MAX_PARAMETERS} are possible")));
        }
        Ok((sql, parameters))
    }

    fn slot(&self, name: &str, offset: usize) -> Result<Slot, Problem> {
        let place = self.variables.iter().position(|variable| variable == name);
        place
            .filter(|_| self.defined.contains(&name))
            .map(Slot)
            .ok_or_else(|| Problem::new(offset, format!("the variable \"{name}\" has no value here")))
    }
}

/// pgbench's limit on the uses of variables in one statement.
const MAX_PARAMETERS: usize = 255;
