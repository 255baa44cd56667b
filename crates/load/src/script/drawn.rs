//! The statements of a job with values as its clients draw them, for whoever asks a server how it would execute them.
//! Pure: nothing is sent. What depends on the answer to another statement is not known here.

use super::awaited::Awaited;
use super::command::{CommandKind, ScriptCommand};
use super::compiled_script::{CompiledScript, ScriptStep};
use super::program::ScriptProgram;
use super::run::{NextScriptAction, ScriptPlace, ScriptRun};
use super::sql;
use super::variables::{ClientVariables, Scratch};
use crate::error::LoadError;
use crate::job::EngineJob;
use work::{QueryMode, Random};

/// One statement as it could be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawnStatement {
    /// Its number, as that of [`Job::statements`](crate::EngineJob::statements_by_number).
    pub number: usize,
    /// Its text: with `$1`, `$2`, ... for its parameters, or with their values in it where the job sends it so.
    pub text: String,
    /// The values of the parameters, `$1` first; `None` for one that only an answer of the server gives.
    pub values: Vec<Option<String>>,
}

/// Transactions that are drawn of a script, for those of its statements that not every transaction has.
const TRANSACTIONS: u64 = 100;

impl EngineJob {
    /// Its statements as they are sent with values that its clients could draw: the same for the same seed. Those that
    /// no transaction reaches without an answer of the server are left out.
    ///
    /// # Errors
    /// When a script cannot be run.
    pub fn draw_statements(&self) -> Result<Vec<DrawnStatement>, LoadError> {
        // With the simple protocol each statement is a step of its own with all its values, of which a pipeline knows
        // none.
        let mut simple = EngineJob { mode: QueryMode::Simple, ..self.clone() };
        for weighted in &mut simple.scripts {
            weighted.script.commands.retain(|command| !is_of_a_pipeline(command));
        }
        let program = ScriptProgram::new(&simple)?;
        let (mut all, mut first) = (Vec::new(), 0);
        for (weighted, compiled) in self.scripts.iter().zip(program.scripts()) {
            let commands = weighted.script.commands.iter().map(|command| &command.kind);
            let commands: Vec<&CommandKind> = commands.filter(|kind| kind.waited_for().is_some()).collect();
            let of_script = Drawing { mode: self.mode, first, commands, steps: waited_for(compiled) };
            first += of_script.commands.len();
            all.extend(of_script.draw_script(&program, compiled, self.seed));
        }
        Ok(all)
    }
}

fn is_of_a_pipeline(command: &ScriptCommand) -> bool {
    matches!(command.kind, CommandKind::StartPipeline | CommandKind::SyncPipeline | CommandKind::EndPipeline)
}

/// The numbers of the steps that are waited for: as many as commands that are, in the same order.
fn waited_for(script: &CompiledScript) -> Vec<usize> {
    let waits = |step: &ScriptStep| {
        matches!(
            step,
            ScriptStep::Send { .. }
                | ScriptStep::SendOneOf { .. }
                | ScriptStep::Sleep { .. }
                | ScriptStep::Shell { .. }
        )
    };
    script.steps.iter().enumerate().filter(|(_, step)| waits(step)).map(|(number, _)| number).collect()
}

/// One script on its way to a statement each.
struct Drawing<'a> {
    mode: QueryMode,
    /// The number of its first statement.
    first: usize,
    commands: Vec<&'a CommandKind>,
    /// Of the compiled script, beside the commands.
    steps: Vec<usize>,
}

impl Drawing<'_> {
    fn draw_script(&self, program: &ScriptProgram, script: &CompiledScript, seed: u64) -> Vec<DrawnStatement> {
        let mut found: Vec<Option<DrawnStatement>> = self.commands.iter().map(|_| None).collect();
        for transaction in 0..TRANSACTIONS {
            self.draw_transaction(program, script, seed.wrapping_add(transaction), &mut found);
            if found.iter().all(Option::is_some) {
                break;
            }
        }
        found.into_iter().flatten().collect()
    }

    /// One transaction, up to where it needs an answer to go on.
    fn draw_transaction(
        &self,
        program: &ScriptProgram,
        script: &CompiledScript,
        seed: u64,
        found: &mut [Option<DrawnStatement>],
    ) {
        let (mut variables, mut prepared) = (program.initial_variables(0), program.nothing_prepared());
        let (mut random, mut place, mut syncs, mut out) = (Random::new(seed), ScriptPlace::default(), 0, Vec::new());
        loop {
            out.clear();
            let mut run = ScriptRun {
                variables: &mut variables,
                random: &mut random,
                prepared: &mut prepared,
                awaited: &mut Awaited::default(),
                syncs: &mut syncs,
                out: &mut out,
            };
            match script.advance_script(&mut place, &mut run) {
                Ok(NextScriptAction::Answers { .. }) => {}
                Ok(NextScriptAction::Time { .. } | NextScriptAction::Shell { .. }) => continue,
                Ok(NextScriptAction::Over) | Err(_) => return,
            }
            let number = place.last_run_step().and_then(|step| self.steps.iter().position(|waited| *waited == step));
            if let Some(number) = number.filter(|number| found[*number].is_none()) {
                let of = self.text_and_values(self.commands[number], &variables, &out);
                found[number] = of.map(|(text, values)| DrawnStatement { number: self.first + number, text, values });
            }
        }
    }

    /// Text and values of a statement whose message of the simple protocol is `message`.
    fn text_and_values(
        &self,
        kind: &CommandKind,
        variables: &ClientVariables,
        message: &[u8],
    ) -> Option<(String, Vec<Option<String>>)> {
        let statement = match kind {
            CommandKind::Sql { statement, .. } => Some(statement),
            CommandKind::OneOf { number, statements } => {
                let number = variables.variable_value(variables.find_slot("", number)?).ok()?.to_integer().ok()?;
                statements.get(usize::try_from(number).ok()?)
            }
            _ => None,
        };
        match statement {
            Some(statement) if self.mode != QueryMode::Simple => Some(parameterised_text(statement, variables)),
            // Q, four bytes of length, the text, a zero.
            Some(_) | None => Some((String::from_utf8(message.get(5..message.len() - 1)?.to_vec()).ok()?, Vec::new())),
        }
    }
}

fn parameterised_text(statement: &sql::SqlStatement, variables: &ClientVariables) -> (String, Vec<Option<String>>) {
    let (text, parameters) = statement.parameterised_text();
    let value = |name: &str| {
        let mut scratch = Scratch::new();
        let text = variables.parameter_text(variables.find_slot("", name)?, &mut scratch)?;
        Some(String::from_utf8_lossy(text).into_owned())
    };
    (text, parameters.into_iter().map(|(name, _)| value(name)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::ParsedScript;
    use conninfo::{ConnInfo, ServerHost};

    fn of(text: &str, mode: QueryMode) -> Vec<(usize, String, Vec<Option<String>>)> {
        let script = ParsedScript::parse("t.sql", text).expect("the script parses");
        let server = ConnInfo::new((ServerHost::Unix("/nowhere".into()), 1), "nobody", "nothing");
        let job = EngineJob { mode, seed: 7, ..EngineJob::new(server, script) };
        job.draw_statements()
            .expect("it compiles")
            .into_iter()
            .map(|drawn| (drawn.number, drawn.text, drawn.values))
            .collect()
    }

    #[test]
    fn each_statement_has_the_values_that_the_load_draws() {
        let text = "\\set a random(3, 3)\nBEGIN;\n\\sleep 1 ms\nSELECT :a, :b FROM t\\gset\nSELECT :b;\n";
        let text = text.replace(":a, :b", ":a");
        let value = |value: &str| Some(value.to_owned());
        let expected = [
            (0, "BEGIN".to_owned(), vec![]),
            (2, "SELECT $1 FROM t".to_owned(), vec![value("3")]),
            (3, "SELECT $1".to_owned(), vec![None]),
        ];
        assert_eq!(of(&text, QueryMode::Prepared), expected);
        assert_eq!(of("\\set a 3\nSELECT ':a', :a", QueryMode::Simple)[0].1, "SELECT '3', 3");
    }

    #[test]
    fn branches_that_few_transactions_take_and_pipelines_are_drawn_too() {
        let text = "\\set a random(1, 10)\n\\if :a = 4\nSELECT :a;\n\\else\nSELECT 0;\n\\endif\n";
        let rare = of(text, QueryMode::Extended);
        assert_eq!(rare.iter().map(|(number, ..)| *number).collect::<Vec<_>>(), [0, 1]);
        assert_eq!(rare[0].2, [Some("4".to_owned())]);
        let pipeline = "\\startpipeline\nSELECT 1;\nSELECT 2;\n\\endpipeline\n";
        assert_eq!(of(pipeline, QueryMode::Prepared).len(), 2);
    }

    #[test]
    fn what_a_transaction_reaches_only_by_an_answer_is_left_out() {
        let text = "SELECT 1 AS x\\gset\n\\if :x = 1\nSELECT 2;\n\\endif\n";
        assert_eq!(of(text, QueryMode::Prepared).len(), 1);
    }
}
