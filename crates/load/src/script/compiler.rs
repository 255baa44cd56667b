//! Turns the commands of a job's scripts into steps.

use super::ParsedScript;
use super::awaited::JobStatementNumber;
use super::command::{
    CommandKind, Preparing, RowsOfFile, ScriptCommand, ShellWord, SleepAmount, SleepDelay, StatementRows,
};
use super::compiled_script::{CompiledAmount, CompiledScript, CompiledWord, RowTaking, RowsNumber, ScriptStep};
use super::error::{ScriptError, ScriptProblem};
use super::expression::Expression;
use super::expression_parser::VariableName;
use super::misplaced;
use super::remembered::NumberedValues;
use super::request::{SimplePiece, StatementRequest};
use super::sql::{self, SqlPiece, SqlStatement};
use super::variables::{RowPlace, VariableSlot};
use crate::job::{EngineJob, ShellCommands};
use crate::ledger::{self, LedgerKept};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use wire::{BindTemplate, frontend};
use work::{QueryMode, nearest_candidate};

/// The protocol's limit on the parameters of a statement; pgbench has at most 255.
const MAX_PARAMETERS: usize = u16::MAX as usize;

/// Variables that have a value before a script sets any; pgbench's names.
const AUTOMATIC: [&str; 4] = ["client_id", "default_seed", "random_seed", SCALE];

/// The scale of the data.
const SCALE: &str = "scale";

/// What compiling the scripts of a job gives.
pub(crate) struct Compiled {
    pub(crate) scripts: Vec<CompiledScript>,
    /// By slot.
    pub(crate) names: Vec<String>,
    pub(crate) rows: Vec<StatementRows>,
    pub(crate) prepared_late: usize,
    pub(crate) statements: JobStatementNumber,
    pub(crate) row_places: usize,
    /// Values that the clients share.
    pub(crate) remembered: Arc<NumberedValues>,
    /// Scales that single scripts have for themselves.
    pub(crate) own_scales: Vec<(VariableSlot, u32)>,
}

/// A script's own fault.
pub(crate) type CompileResult<T> = Result<T, ScriptError>;

/// Compiles the scripts of a job.
///
/// # Errors
/// The first problem of a script.
pub(crate) fn compile_scripts(job: &EngineJob) -> CompileResult<Compiled> {
    let known = AssignedVariables::from_job(job);
    let compiled = Compiled {
        scripts: Vec::new(),
        names: Vec::new(),
        rows: Vec::new(),
        prepared_late: 0,
        statements: 0,
        row_places: 0,
        remembered: Arc::new(NumberedValues::from_job(job)),
        own_scales: Vec::new(),
    };
    let mut compiler = Compiler {
        job,
        known,
        compiled,
        number: 0,
        late: false,
        own_scale: None,
        preparations: Vec::new(),
        prepared: HashMap::new(),
        preparing: Preparing::EachCommand,
    };
    for (number, weighted) in job.scripts.iter().enumerate() {
        let script = &weighted.script;
        compiler.number = number;
        let is_late = script.preparing == Preparing::WhenExecuted || script.commands.iter().any(may_define);
        compiler.late = job.mode == QueryMode::Prepared && is_late;
        compiler.prepared.clear();
        compiler.preparing = script.preparing;
        compiler.own_scale = script.own_scale;
        let steps =
            compiler.compile_steps(script).map_err(|problem| problem.into_script_error(&script.name, &script.text))?;
        compiler.compiled.scripts.push(CompiledScript {
            name: script.name.clone(),
            weight: u64::from(weighted.weight.get()),
            on_conflict: script.on_conflict,
            steps,
            preparations: std::mem::take(&mut compiler.preparations),
        });
    }
    Ok(compiler.compiled)
}

/// Whether a command may make what the statements after it need to be prepared, such as a table. Such a script is
/// prepared bit by bit as it runs, which is what pgbench does with every script.
pub(crate) fn may_define(command: &ScriptCommand) -> bool {
    const DEFINE: [&str; 8] = ["alter", "call", "create", "do", "drop", "execute", "prepare", "set"];
    let CommandKind::Sql { statement, .. } = &command.kind else { return false };
    let text: String = statement.pieces.iter().map(piece_text).collect();
    let text = &text[sql::preamble_length(&text)..];
    let mut words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let first = words.next().unwrap_or_default();
    let is_one_of = |keywords: &[&str], word: &str| keywords.iter().any(|keyword| keyword.eq_ignore_ascii_case(word));
    is_one_of(&DEFINE, first) || (is_one_of(&["select", "with"], first) && words.any(|word| is_one_of(&["into"], word)))
}

/// A part of a statement with something in the place of its variables that is no word.
fn piece_text(piece: &SqlPiece) -> &str {
    match piece {
        SqlPiece::Text(text) => text,
        SqlPiece::Variable { .. } | SqlPiece::Literal { .. } => "?",
    }
}

/// The variables that some command of the job gives a value, whichever comes first.
struct AssignedVariables {
    names: BTreeSet<String>,
    /// What begins the names of variables that rows become; their columns are not known yet.
    prefixes: Vec<String>,
}

impl AssignedVariables {
    fn from_job(job: &EngineJob) -> AssignedVariables {
        let ledger = (job.ledger == LedgerKept::Yes).then_some(ledger::VARIABLE);
        let automatic = AUTOMATIC.into_iter().chain(ledger).map(str::to_owned);
        let given = automatic.chain(job.definitions.iter().map(|(name, _)| name.clone()));
        let mut known = AssignedVariables { names: given.collect(), prefixes: Vec::new() };
        for command in job.scripts.iter().flat_map(|weighted| &weighted.script.commands) {
            match &command.kind {
                CommandKind::Set { variable, .. }
                | CommandKind::Generate { variable, .. }
                | CommandKind::Shell { variable: Some(variable), .. } => {
                    known.names.insert(variable.clone());
                }
                CommandKind::Sql { rows: StatementRows::One { prefix } | StatementRows::Last { prefix }, .. }
                | CommandKind::Plain { rows: StatementRows::One { prefix } | StatementRows::Last { prefix }, .. } => {
                    known.prefixes.push(prefix.clone());
                }
                CommandKind::Values(RowsOfFile { rows, .. }) => {
                    known.names.extend(rows.iter().flat_map(|rows| rows.column_names()).cloned());
                }
                CommandKind::Sql { rows: StatementRows::Ignored, .. }
                | CommandKind::Remember { .. }
                | CommandKind::Recall { .. }
                | CommandKind::OneOf { .. }
                | CommandKind::Plain { rows: StatementRows::Ignored, .. }
                | CommandKind::Copy { .. }
                | CommandKind::Sleep(_)
                | CommandKind::Shell { variable: None, .. }
                | CommandKind::If(_)
                | CommandKind::Elif(_)
                | CommandKind::Else
                | CommandKind::Endif
                | CommandKind::StartPipeline
                | CommandKind::SyncPipeline
                | CommandKind::EndPipeline => {}
            }
        }
        known
    }

    fn contains_name(&self, name: &str) -> bool {
        self.names.contains(name) || self.prefixes.iter().any(|prefix| name.starts_with(prefix.as_str()))
    }
}

/// Turns one script after the other into steps.
struct Compiler<'a> {
    job: &'a EngineJob,
    known: AssignedVariables,
    compiled: Compiled,
    /// The script's number, for the names of prepared statements.
    number: usize,
    /// Its statements are prepared when they are executed for the first time.
    late: bool,
    /// The scale that it has for itself.
    own_scale: Option<u32>,
    /// What is prepared on each connection.
    preparations: Vec<(String, String)>,
    /// Their names by their SQL.
    prepared: HashMap<String, String>,
    /// Which statements of the script share one.
    preparing: Preparing,
}

/// An `\if` whose `\endif` has not come yet.
struct OpenCondition {
    /// The step of the last condition, which has to learn where to go on if it does not hold.
    unless: Option<usize>,
    /// The steps at the end of branches, which have to learn where the `\endif` is.
    ends: Vec<usize>,
}

impl Compiler<'_> {
    fn compile_steps(&mut self, script: &ParsedScript) -> Result<Vec<ScriptStep>, ScriptProblem> {
        let mut steps = Vec::with_capacity(script.commands.len());
        let mut open: Vec<OpenCondition> = Vec::new();
        for command in &script.commands {
            let line = script.line_of(command.offset);
            // What is prepared by its text was put together here.
            if script.preparing != Preparing::EachText
                && let CommandKind::Sql { statement, .. }
                | CommandKind::Plain { statement, .. }
                | CommandKind::Copy { statement, .. } = &command.kind
            {
                let is_plain = matches!(command.kind, CommandKind::Plain { .. } | CommandKind::Copy { .. });
                let rest = &script.text[command.offset..];
                misplaced::check_misplaced(
                    &rest[..sql::statement_extent(rest).end],
                    command.offset,
                    statement,
                    if is_plain { QueryMode::Simple } else { self.job.mode },
                )?;
            }
            match &command.kind {
                CommandKind::If(condition) => {
                    open.push(OpenCondition { unless: Some(steps.len()), ends: Vec::new() });
                    steps.push(self.compile_condition(condition, line)?);
                }
                CommandKind::Elif(condition) => {
                    branch_ends(open.last_mut(), &mut steps);
                    if let Some(open) = open.last_mut() {
                        open.unless = Some(steps.len());
                    }
                    steps.push(self.compile_condition(condition, line)?);
                }
                CommandKind::Else => branch_ends(open.last_mut(), &mut steps),
                CommandKind::Endif => {
                    if let Some(OpenCondition { unless, ends }) = open.pop() {
                        let here = steps.len();
                        unless.into_iter().chain(ends).for_each(|step| set_jump_target(&mut steps[step], here));
                    }
                }
                kind => steps.push(self.compile_step(kind, command.offset, line)?),
            }
        }
        Ok(steps)
    }

    fn compile_condition(
        &mut self,
        condition: &Expression<VariableName>,
        line: u32,
    ) -> Result<ScriptStep, ScriptProblem> {
        Ok(ScriptStep::Unless { condition: self.compile_expression(condition)?, go_to: 0, line })
    }

    /// A step of a command that is no part of an `\if`.
    fn compile_step(&mut self, kind: &CommandKind, offset: usize, line: u32) -> Result<ScriptStep, ScriptProblem> {
        let statement = self.compiled.statements;
        self.compiled.statements += u32::from(kind.waited_for().is_some());
        Ok(match kind {
            CommandKind::Set { variable, expression } => {
                let expression = self.compile_expression(expression)?;
                ScriptStep::Set { slot: self.intern_name(variable), expression, line }
            }
            CommandKind::Generate { variable, inputs, generator } => {
                let inputs: Result<_, _> = inputs.iter().map(|input| self.slot_of_variable(input, offset)).collect();
                ScriptStep::Generate { slot: self.intern_name(variable), inputs: inputs?, generator: generator.clone() }
            }
            CommandKind::Remember { variable, number } => ScriptStep::Generate {
                slot: self.slot_of_variable(variable, offset)?,
                inputs: vec![self.slot_of_variable(number, offset)?],
                generator: NumberedValues::remember_command(&self.compiled.remembered),
            },
            CommandKind::Recall { variable, number } => ScriptStep::Generate {
                slot: self.slot_of_variable(variable, offset)?,
                inputs: vec![self.slot_of_variable(number, offset)?],
                generator: NumberedValues::recall_command(&self.compiled.remembered),
            },
            CommandKind::Values(of_file) => self.compile_row_taking(of_file, offset)?,
            CommandKind::Sql { statement: text, rows } => {
                let request = self.compile_request(text, offset)?;
                ScriptStep::Send { request, rows: self.compile_rows(rows), statement, line }
            }
            CommandKind::Plain { statement: text, rows } => {
                let request = self.compile_simple(text);
                ScriptStep::Send { request, rows: self.compile_rows(rows), statement, line }
            }
            CommandKind::Copy { statement: text, data } => {
                ScriptStep::Copy { request: self.compile_simple(text), data: data.clone(), statement, line }
            }
            CommandKind::OneOf { number, statements } => {
                let requests: Result<_, _> = statements.iter().map(|one| self.compile_request(one, offset)).collect();
                ScriptStep::SendOneOf {
                    number: self.slot_of_variable(number, offset)?,
                    requests: requests?,
                    statement,
                    line,
                }
            }
            CommandKind::Sleep(SleepDelay { amount, unit_us }) => {
                let amount = match amount {
                    SleepAmount::Fixed(amount) => CompiledAmount::Fixed(*amount),
                    SleepAmount::Variable { name, offset } => {
                        CompiledAmount::Variable(self.slot_of_variable(name, *offset)?)
                    }
                };
                ScriptStep::Sleep { amount, unit_us: *unit_us, statement, line }
            }
            CommandKind::Shell { variable, words } => {
                let (words, variable) = self.compile_shell(variable.as_deref(), words, offset)?;
                ScriptStep::Shell { words, variable, statement, line }
            }
            CommandKind::StartPipeline if self.job.mode == QueryMode::Simple => {
                let problem = ScriptProblem::new(offset, "cannot use pipeline mode with the simple query protocol");
                return Err(problem.with_hint("run the script in extended or prepared mode"));
            }
            CommandKind::StartPipeline => ScriptStep::StartPipeline { line },
            CommandKind::SyncPipeline => ScriptStep::SyncPipeline { line },
            // The parts of an \if are steps of their own.
            CommandKind::EndPipeline
            | CommandKind::If(_)
            | CommandKind::Elif(_)
            | CommandKind::Else
            | CommandKind::Endif => ScriptStep::EndPipeline { line },
        })
    }

    /// What becomes of the rows of a statement, unless they pass unread.
    fn compile_rows(&mut self, rows: &StatementRows) -> Option<RowsNumber> {
        match rows {
            StatementRows::Ignored => None,
            StatementRows::One { .. } | StatementRows::Last { .. } => {
                self.compiled.rows.push(rows.clone());
                Some(RowsNumber(self.compiled.rows.len() - 1))
            }
        }
    }

    fn compile_row_taking(&mut self, of_file: &RowsOfFile, offset: usize) -> Result<ScriptStep, ScriptProblem> {
        let Some(rows) = &of_file.rows else {
            return Err(ScriptProblem::new(offset, format!("the values of {:?} have not been read", of_file.file)));
        };
        let columns = rows.column_names().iter().map(|name| self.intern_name(name)).collect();
        self.compiled.row_places += 1;
        Ok(ScriptStep::TakeRow(Box::new(RowTaking {
            rows: rows.clone(),
            order: of_file.order,
            columns,
            place: RowPlace(self.compiled.row_places - 1),
            clients: self.job.clients.get(),
            seed: self.job.seed as i64,
        })))
    }

    fn compile_shell(
        &mut self,
        variable: Option<&str>,
        words: &[ShellWord],
        offset: usize,
    ) -> Result<(Vec<CompiledWord>, Option<VariableSlot>), ScriptProblem> {
        if self.job.shell == ShellCommands::Refused {
            let problem = ScriptProblem::new(offset, "the script runs shell commands, which are not permitted");
            return Err(problem.with_hint("permit them explicitly if you trust the script"));
        }
        let words: Result<_, _> = words
            .iter()
            .map(|word| match word {
                ShellWord::Literal(text) => Ok(CompiledWord::Literal(text.clone())),
                ShellWord::Variable { name, offset } => {
                    self.slot_of_variable(name, *offset).map(CompiledWord::Variable)
                }
            })
            .collect();
        Ok((words?, variable.map(|name| self.intern_name(name))))
    }

    fn compile_expression(
        &mut self,
        expression: &Expression<VariableName>,
    ) -> Result<Expression<VariableSlot>, ScriptProblem> {
        expression.resolve_variables(&mut |VariableName { name, offset }| self.slot_of_variable(name, *offset))
    }

    fn compile_request(&mut self, statement: &SqlStatement, offset: usize) -> Result<StatementRequest, ScriptProblem> {
        if self.job.mode == QueryMode::Simple {
            return Ok(self.compile_simple(statement));
        }
        let (sql, parameters) = self.compile_parameterised(statement, offset)?;
        let count = parameters.len() as u16;
        if self.job.mode == QueryMode::Extended {
            return Ok(StatementRequest::Extended {
                template: BindTemplate::for_unnamed_statement(&sql, count),
                parameters,
            });
        }
        if self.late {
            let number = self.compiled.prepared_late;
            self.compiled.prepared_late += 1;
            let name = format!("P{}_L{number}", self.number);
            let mut preparation = Vec::new();
            // Closing what is not there is no error; so it is the same whether or not an earlier attempt has failed.
            frontend::close_statement(&mut preparation, &name);
            frontend::write_parse_message(&mut preparation, &name, &sql);
            let template = BindTemplate::for_prepared_statement(&name, count);
            return Ok(StatementRequest::PreparedLate {
                number,
                preparation: preparation.into(),
                template,
                parameters,
            });
        }
        let shared = match self.preparing {
            Preparing::EachCommand | Preparing::WhenExecuted => None,
            Preparing::EachText => self.prepared.get(&sql).cloned(),
        };
        let name = shared.unwrap_or_else(|| {
            let name = format!("P{}_{}", self.number, self.preparations.len());
            self.prepared.insert(sql.clone(), name.clone());
            self.preparations.push((name.clone(), sql));
            name
        });
        let template = BindTemplate::for_prepared_statement(&name, count);
        Ok(StatementRequest::Extended { template, parameters })
    }

    /// In the simple protocol, what is no variable's name stays as it is, as in pgbench.
    fn compile_simple(&mut self, statement: &SqlStatement) -> StatementRequest {
        let mut pieces = Vec::with_capacity(statement.pieces.len());
        for piece in &statement.pieces {
            match piece {
                SqlPiece::Text(text) => pieces.push(SimplePiece::Text(text.as_str().into())),
                SqlPiece::Variable { name, .. } if self.known.contains_name(name) => {
                    pieces.push(SimplePiece::Value(self.intern_name(name)));
                }
                SqlPiece::Variable { name, .. } => pieces.push(SimplePiece::Text(format!(":{name}").into())),
                SqlPiece::Literal { name, .. } => {
                    let quote = || SimplePiece::Text("'".into());
                    pieces.extend([quote(), SimplePiece::Value(self.intern_name(name)), quote()]);
                }
            }
        }
        StatementRequest::Simple { pieces }
    }

    /// The statement with `$1`, `$2`, ... in the place of its variables, and what they stand for.
    fn compile_parameterised(
        &mut self,
        statement: &SqlStatement,
        offset: usize,
    ) -> Result<(String, Vec<VariableSlot>), ScriptProblem> {
        let (sql, variables) = statement.parameterised_text();
        let parameters = variables
            .into_iter()
            .map(|(name, offset)| self.slot_of_variable(name, offset))
            .collect::<Result<Vec<_>, _>>()?;
        if parameters.len() > MAX_PARAMETERS {
            let problem = format!("the statement uses variables {} times", parameters.len());
            return Err(ScriptProblem::new(offset, problem).with_hint(format!("at most {MAX_PARAMETERS} are possible")));
        }
        Ok((sql, parameters))
    }

    fn slot_of_variable(&mut self, name: &str, offset: usize) -> Result<VariableSlot, ScriptProblem> {
        if self.known.contains_name(name) {
            return Ok(self.intern_name(name));
        }
        let problem = ScriptProblem::new(offset, format!("the variable \"{name}\" has no value here"));
        let known = nearest_candidate(name, self.known.names.iter().map(String::as_str));
        Err(match known {
            Some(known) => problem.with_hint(format!("did you mean :{known}?")),
            None => problem,
        })
    }

    fn intern_name(&mut self, name: &str) -> VariableSlot {
        if let (SCALE, Some(scale)) = (name, self.own_scale) {
            // No variable has a name with a space.
            let slot = self.slot_of_name(&format!("{SCALE} of script {}", self.number));
            self.compiled.own_scales.push((slot, scale));
            return slot;
        }
        self.slot_of_name(name)
    }

    fn slot_of_name(&mut self, name: &str) -> VariableSlot {
        let names = &mut self.compiled.names;
        let place = names.iter().position(|known| known == name);
        VariableSlot(place.unwrap_or_else(|| {
            names.push(name.to_owned());
            names.len() - 1
        }))
    }
}

/// A branch is over: its last step goes behind the `\endif`,
/// and the condition before it comes here if it does not hold.
fn branch_ends(open: Option<&mut OpenCondition>, steps: &mut Vec<ScriptStep>) {
    let Some(open) = open else { return };
    open.ends.push(steps.len());
    steps.push(ScriptStep::GoTo(0));
    let here = steps.len();
    if let Some(unless) = open.unless.take() {
        set_jump_target(&mut steps[unless], here);
    }
}

fn set_jump_target(step: &mut ScriptStep, to: usize) {
    if let ScriptStep::Unless { go_to, .. } | ScriptStep::GoTo(go_to) = step {
        *go_to = to;
    }
}
