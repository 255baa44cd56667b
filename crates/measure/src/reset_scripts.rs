//! The SQL that a workload has executed before each of its trials (`reset`): read beside the plan, copied into the run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use load::{ParsedScript, Preparable, QueryMode};
use plan::{Plan, PlanScripts, Workload};
use problem::Problem;
use tokio_postgres::Client;

use crate::script_files::{ReadFile, parse_script, problem_in_script, text_of_bytes};
use crate::script_options::variable_definitions;
use crate::server_message::message_of_error;
use crate::statements::unbalanced_statements;

/// The directory of a run in which they lie, each by the name of its workload.
const DIRECTORY: &str = "resets";

/// The resets of a plan's workloads, by workload.
#[derive(Debug, Clone, Default)]
pub(crate) struct ResetScripts {
    by_workload: BTreeMap<String, ResetScript>,
}

/// The statements that are executed before each trial of a workload.
#[derive(Debug, Clone)]
pub(crate) struct ResetScript {
    script: ParsedScript,
    statements: Vec<Preparable>,
}

impl ResetScripts {
    /// Reads the reset of a workload, if it has one; a relative path starts at `directory`, the plan's.
    ///
    /// # Errors
    /// A file that cannot be read, or is not SQL alone.
    pub(crate) fn read_of_workload(
        &mut self,
        workload: &Workload,
        own: &PlanScripts,
        directory: &Path,
        read_file: &ReadFile<'_>,
    ) -> Result<(), Problem> {
        let Some(file) = &own.reset else { return Ok(()) };
        let path = directory.join(file);
        let unreadable = format!("workload {:?}: could not read `reset` {}", workload.name, path.display());
        let bytes = read_file(&path).map_err(|error| {
            Problem::usage_error(&unreadable)
                .detail(error.to_string())
                .hint("name a file of SQL; a relative path is relative to the directory of the plan")
        })?;
        let text = text_of_bytes(&bytes)
            .map_err(|(detail, hint)| Problem::usage_error(&unreadable).detail(detail).hint(hint))?;
        let script = parse_script(&path.display().to_string(), &text)?;
        let reset = ResetScript::from_script(workload, own, script)?;
        self.by_workload.insert(workload.name.clone(), reset);
        Ok(())
    }

    /// That of a workload.
    pub(crate) fn of_workload(&self, workload: &str) -> Option<&ResetScript> {
        self.by_workload.get(workload)
    }

    /// Has the plan name them as they lie in the run directory.
    pub(crate) fn name_in_run(&self, plan: &mut Plan) {
        for (workload, scripts) in plan.own_scripts_mut() {
            if let Some(reset) = &mut scripts.reset {
                *reset = path_in_run(&workload);
            }
        }
    }

    /// Each as a file of a run directory: its path there, and its text.
    pub(crate) fn run_directory_files(&self) -> impl Iterator<Item = (PathBuf, &str)> {
        self.by_workload.iter().map(|(workload, reset)| (path_in_run(workload), reset.script.text()))
    }
}

fn path_in_run(workload: &str) -> PathBuf {
    Path::new(DIRECTORY).join(format!("{workload}.sql"))
}

impl ResetScript {
    fn from_script(workload: &Workload, own: &PlanScripts, script: ParsedScript) -> Result<Self, Problem> {
        let of_reset = format!("workload {:?}: `reset`: ", workload.name);
        if let Some(error) = script.first_meta_command() {
            return Err(problem_in_script(&of_reset, &error)
                .hint("in place of \\copy and COPY FROM stdin, copy the rows from a table that is kept for it"));
        }
        let statements = script.preparable_statements(QueryMode::Simple, &variable_definitions(own));
        if statements.is_empty() {
            return Err(Problem::usage_error(format!(
                "workload {:?}: `reset` {} has no statement",
                workload.name,
                script.name()
            ))
            .hint("write the SQL that restores the rows which the load changes, or remove `reset`"));
        }
        let unbalanced = unbalanced_statements(&statements).into_iter().next();
        let unfilled = statements.iter().find(|statement| statement.parameters > 0);
        let (statement, says, hint) = match (unbalanced, unfilled) {
            (Some((statement, _)), _) => {
                (statement, "begins or ends a transaction of which the other end is missing", "write BEGIN and COMMIT")
            }
            (None, Some(statement)) => (statement, "has a variable without a value", "give it one in `define`"),
            (None, None) => return Ok(Self { script, statements }),
        };
        let error = script.error_of(statement, None, says, None);
        Err(problem_in_script(&of_reset, &error).hint(hint))
    }

    /// Its statements, in order; at least one.
    pub(crate) fn reset_statements(&self) -> &[Preparable] {
        &self.statements
    }

    /// Whether it may make tables that the load uses.
    pub(crate) fn may_define(&self) -> bool {
        self.script.may_define()
    }

    /// What the record of a trial says of it: the command of psql that does the same.
    pub(crate) fn in_words(&self) -> String {
        let name = Path::new(self.script.name()).file_name().map(|name| name.to_string_lossy().into_owned());
        format!("\\i {}", name.as_deref().unwrap_or(DIRECTORY))
    }

    /// Executes the statements one after another in a session.
    ///
    /// # Errors
    /// What the server says of a statement, with its place.
    pub(crate) async fn execute_in_session(&self, target: &str, client: &Client) -> Result<(), Problem> {
        for statement in &self.statements {
            let Err(error) = client.batch_execute(&statement.text).await else { continue };
            let error = self.script.error_of(statement, None, &message_of_error(&error), None);
            return Err(Problem::could_not_measure(format!("target {target:?}: could not execute `reset`: {error}"))
                .detail(format!("\n{}", error.source_excerpt()))
                .hint(
                    "`reset` is executed before each trial, by the role of the target and in the workload's database",
                ));
        }
        Ok(())
    }
}
