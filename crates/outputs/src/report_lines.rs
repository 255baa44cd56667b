//! Reading another program's report line by line, in the order in which it prints.

use super::unreadable::UnreadableOutputLine;
use std::str::{FromStr, Lines};

/// The lines of a report, one of them under way.
#[derive(Debug)]
pub(crate) struct ReportLines<'a> {
    lines: Lines<'a>,
    current: Option<&'a str>,
    number: usize,
}

impl<'a> ReportLines<'a> {
    pub(crate) fn new(text: &'a str) -> ReportLines<'a> {
        let mut lines = text.lines();
        let current = lines.next();
        ReportLines { lines, current, number: 1 }
    }

    /// The line under way; none at the end.
    pub(crate) fn current_line(&self) -> Option<&'a str> {
        self.current
    }

    /// Goes on to the next line.
    pub(crate) fn advance_line(&mut self) {
        self.current = self.lines.next();
        self.number += 1;
    }

    /// Reads the line under way if it begins with `prefix`: `read` is given the rest.
    pub(crate) fn read_optional_line<T>(
        &mut self,
        prefix: &str,
        read: impl FnOnce(&'a str) -> Option<T>,
    ) -> Result<Option<T>, UnreadableOutputLine> {
        let Some(rest) = self.current.and_then(|line| line.strip_prefix(prefix)) else { return Ok(None) };
        let value = read(rest).ok_or_else(|| self.unreadable_line(&format!("a figure after {prefix:?}")))?;
        self.advance_line();
        Ok(Some(value))
    }

    /// Reads the line under way, which must begin with `prefix`.
    pub(crate) fn read_required_line<T>(
        &mut self,
        prefix: &str,
        read: impl FnOnce(&'a str) -> Option<T>,
    ) -> Result<T, UnreadableOutputLine> {
        match self.read_optional_line(prefix, read)? {
            Some(value) => Ok(value),
            None => Err(self.unreadable_line(&format!("a line that begins with {prefix:?}"))),
        }
    }

    /// Goes past a line that is always the same.
    pub(crate) fn skip_literal_line(&mut self, line: &str) -> Result<(), UnreadableOutputLine> {
        self.read_required_line(line, |rest| rest.is_empty().then_some(()))
    }

    /// There must be no more lines.
    pub(crate) fn expect_end(&self) -> Result<(), UnreadableOutputLine> {
        if self.current.is_none() { Ok(()) } else { Err(self.unreadable_line("the end")) }
    }

    pub(crate) fn unreadable_line(&self, expected: &str) -> UnreadableOutputLine {
        let found = self.current.unwrap_or("(the end)").to_owned();
        UnreadableOutputLine { line: self.number, expected: expected.to_owned(), found }
    }
}

/// The text before `suffix` as a number.
pub(crate) fn parse_number_before<T: FromStr>(text: &str, suffix: &str) -> Option<T> {
    text.strip_suffix(suffix)?.trim_start().parse().ok()
}
