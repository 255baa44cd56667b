//! Whether every `\if` of a script has its `\endif`, and nothing stands outside of its own.

use super::command::{CommandKind, ScriptCommand};
use super::error::ScriptProblem;

/// # Errors
/// The first `\elif`, `\else` or `\endif` without its `\if`, or after its `\else`;
/// else the first `\if` without `\endif`.
pub(crate) fn check_conditionals(commands: &[ScriptCommand]) -> Result<(), ScriptProblem> {
    // The open ones, from the outermost: where the \if stands, and whether its \else has come.
    let mut open: Vec<(usize, bool)> = Vec::new();
    for command in commands {
        let wrong = |what: &str| ScriptProblem::new(command.offset, what);
        match &command.kind {
            CommandKind::If(_) => open.push((command.offset, false)),
            CommandKind::Elif(_) => match open.last() {
                None => return Err(wrong("\\elif without matching \\if")),
                Some((_, true)) => return Err(wrong("\\elif after \\else")),
                Some((_, false)) => {}
            },
            CommandKind::Else => match open.last_mut() {
                None => return Err(wrong("\\else without matching \\if")),
                Some((_, true)) => return Err(wrong("\\else after \\else")),
                Some((_, otherwise)) => *otherwise = true,
            },
            CommandKind::Endif => {
                open.pop().ok_or_else(|| wrong("\\endif without matching \\if"))?;
            }
            CommandKind::Set { .. }
            | CommandKind::Generate { .. }
            | CommandKind::Values(_)
            | CommandKind::Remember { .. }
            | CommandKind::Recall { .. }
            | CommandKind::Sql { .. }
            | CommandKind::OneOf { .. }
            | CommandKind::Plain { .. }
            | CommandKind::Copy { .. }
            | CommandKind::Sleep(_)
            | CommandKind::Shell { .. }
            | CommandKind::StartPipeline
            | CommandKind::SyncPipeline
            | CommandKind::EndPipeline => {}
        }
    }
    match open.first() {
        None => Ok(()),
        Some(&(offset, _)) => Err(ScriptProblem::new(offset, "\\if without matching \\endif")),
    }
}
