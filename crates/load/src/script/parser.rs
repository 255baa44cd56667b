//! Text of a pgbench script to commands.
//!
//! As pgbench reads it: a backslash begins a meta-command that ends with its line (unless the line ends with a
//! backslash), `--` at the start of a command begins a comment, everything else is SQL up to `;`,
//! a backslash or the end. The rows of COPY FROM STDIN follow its `;`, which pgbench does not know.

use super::command::{CommandKind, ScriptCommand, StatementRows};
use super::conditionals;
use super::copy_data;
use super::error::ScriptProblem;
use super::meta_command::{self, MetaCommandLine};
use super::sql;

/// The commands of a script.
///
/// # Errors
/// The first problem, with its place.
pub(crate) fn parse_commands(text: &str) -> Result<Vec<ScriptCommand>, ScriptProblem> {
    let mut commands: Vec<ScriptCommand> = Vec::new();
    let mut at = 0;
    loop {
        at += blank_length(&text[at..]);
        let rest = &text[at..];
        if rest.is_empty() {
            break;
        }
        if rest.starts_with('\\') && !rest.starts_with("\\;") && !rest.starts_with("\\:") {
            let length = meta_command_length(rest);
            match meta_command::parse_meta_command(&rest[..length], at)? {
                Some(MetaCommandLine::Command(kind)) => commands.push(ScriptCommand { offset: at, kind }),
                Some(MetaCommandLine::Rows(rows)) => set_rows(commands.last_mut(), rows, at)?,
                Some(MetaCommandLine::Simple) => send_simple(commands.last_mut(), at)?,
                None => {}
            }
            at += length;
            continue;
        }
        let extent = sql::statement_extent(rest);
        let text = rest[..extent.end].trim_end();
        let end = extent.end + usize::from(rest[extent.end..].starts_with(';'));
        let mut length = end;
        if !text.is_empty() {
            let statement = sql::split_at_variables(text, at, &extent.escapes);
            let mut kind = CommandKind::Sql { statement, rows: StatementRows::Ignored };
            let ends_here = !rest[extent.end..].starts_with('\\');
            if ends_here
                && copy_data::copies_from_client(text)
                && let CommandKind::Sql { statement, .. } = kind
            {
                let rows = copy_data::rows_after_statement(&rest[end..], at)?;
                length += rows.length;
                kind = CommandKind::Copy { statement, data: rows.data };
            }
            commands.push(ScriptCommand { offset: at, kind });
        }
        at += length;
    }
    if commands.is_empty() {
        return Err(ScriptProblem::new(0, "the script has no command"));
    }
    conditionals::check_conditionals(&commands)?;
    Ok(commands)
}

/// `\gset` and `\aset` belong to the statement before them.
fn set_rows(command: Option<&mut ScriptCommand>, wanted: StatementRows, at: usize) -> Result<(), ScriptProblem> {
    match command.map(|command| &mut command.kind) {
        Some(
            CommandKind::Sql { rows: rows @ StatementRows::Ignored, .. }
            | CommandKind::Plain { rows: rows @ StatementRows::Ignored, .. },
        ) => {
            *rows = wanted;
            Ok(())
        }
        Some(_) | None => Err(ScriptProblem::new(at, "\\gset must follow an SQL command")),
    }
}

/// `\gsimple` belongs to the statement before it.
fn send_simple(command: Option<&mut ScriptCommand>, at: usize) -> Result<(), ScriptProblem> {
    let kind = command.map(|command| &mut command.kind);
    let Some(kind @ CommandKind::Sql { .. }) = kind else {
        return Err(ScriptProblem::new(at, "\\gsimple must follow an SQL command"));
    };
    if let CommandKind::Sql { statement, rows } = std::mem::replace(kind, CommandKind::Else) {
        *kind = CommandKind::Plain { statement, rows };
    }
    Ok(())
}

/// The length of the white space and comments at the start.
fn blank_length(text: &str) -> usize {
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        if !rest.starts_with("--") {
            return text.len() - rest.len();
        }
        rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
    }
}

/// The length of the meta-command at the start, with its continuation lines and without the last newline.
fn meta_command_length(text: &str) -> usize {
    let mut end = 0;
    loop {
        end += text[end..].find('\n').unwrap_or(text.len() - end);
        let continued = end > 1 && text[..end].strip_suffix('\r').unwrap_or(&text[..end]).ends_with('\\');
        if !continued || end == text.len() {
            return end;
        }
        end += 1;
    }
}
