//! Whether every `\if` of a script has its `\endif`, and nothing stands outside of its own.

use super::command::{Command, Kind};
use super::error::Problem;

/// # Errors
/// The first `\elif`, `\else` or `\endif` without its `\if`, or after its `\else`;
/// else the first `\if` without `\endif`.
pub(crate) fn check(commands: &[Command]) -> Result<(), Problem> {
    // The open ones, from the outermost: where the \if stands, and whether its \else has come.
    let mut open: Vec<(usize, bool)> = Vec::new();
    for command in commands {
        let wrong = |what: &str| Problem::new(command.offset, what);
        match &command.kind {
            Kind::If(_) => open.push((command.offset, false)),
            Kind::Elif(_) => match open.last() {
                None => return Err(wrong("\\elif without matching \\if")),
                Some((_, true)) => return Err(wrong("\\elif after \\else")),
                Some((_, false)) => {}
            },
            Kind::Else => match open.last_mut() {
                None => return Err(wrong("\\else without matching \\if")),
                Some((_, true)) => return Err(wrong("\\else after \\else")),
                Some((_, otherwise)) => *otherwise = true,
            },
            Kind::Endif => {
                open.pop().ok_or_else(|| wrong("\\endif without matching \\if"))?;
            }
            Kind::Set { .. }
            | Kind::Generate { .. }
            | Kind::Sql { .. }
            | Kind::OneOf { .. }
            | Kind::Plain(_)
            | Kind::Sleep(_)
            | Kind::Shell { .. }
            | Kind::StartPipeline
            | Kind::SyncPipeline
            | Kind::EndPipeline => {}
        }
    }
    match open.first() {
        None => Ok(()),
        Some(&(offset, _)) => Err(Problem::new(offset, "\\if without matching \\endif")),
    }
}
