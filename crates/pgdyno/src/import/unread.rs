//! Outputs that people publish and that are not read: each is told by its tool's name, with what to do, in one line.

use super::server_log;
use super::source::SourceFile;
use crate::problem::Problem;

/// What a file is that is known and not read.
pub fn of(file: &SourceFile, head: &str) -> Option<Problem> {
    let begins = head.trim_start().chars().next();
    let what =
        if matches!(begins, Some('{' | '[')) && !head.contains("\"fio version\"") && server_log::format(head).is_none()
        {
            "is JSON of no tool that is known: write its figures into a table (CSV)"
        } else {
            return None;
        };
    Some(Problem::usage(format!("{} {what}", file.name())))
}
