//! The errors of a plan file: each with its place, its line, what was found and what would be right.
//!
//! All that can be found in one reading is reported at once, in the order of the file. No password of the plan appears
//! in an error.

use std::fmt::{self, Write as _};

use serde::Serialize;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::document::Span;
use super::secret::mask_line;

/// How many errors are printed; the others are counted.
const PRINTED_MAX: usize = 25;

/// How many columns of a line are shown.
const EXCERPT_COLUMNS_MAX: usize = 100;

/// A plan that cannot be used: every error that was found, in the order of the file, at least one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlanErrors {
    /// The plan's file name, as it was given.
    pub file: String,
    pub errors: Vec<PlanError>,
}

/// One error of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlanError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong, naming the object and the value.
    pub message: String,
    /// What it follows from, where that is elsewhere.
    pub detail: Option<String>,
    /// What would be right.
    pub hint: Option<String>,
    /// What the error points at, as the file has it; passwords are masked.
    #[serde(skip)]
    pub value: Option<String>,
    /// The line with a caret under the place.
    #[serde(skip)]
    excerpt: Option<Excerpt>,
}

/// A line of the file and the columns of it to point at, both as shown.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Excerpt {
    text: String,
    indent: usize,
    carets: usize,
}

/// An error before it has met the text of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PlanFinding {
    pub(super) span: Span,
    pub(super) message: String,
    pub(super) detail: Option<String>,
    pub(super) hint: Option<String>,
    /// Whether the value that it concerns could not be read.
    pub(super) is_unread: bool,
}

impl PlanFinding {
    pub(super) fn new(span: Span, message: impl Into<String>) -> Self {
        Self { span, message: message.into(), detail: None, hint: None, is_unread: true }
    }

    /// The same of a value that was read all the same, and can be checked against others.
    pub(super) fn mark_as_read(mut self) -> Self {
        self.is_unread = false;
        self
    }

    pub(super) fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl PlanErrors {
    /// Places the findings in the text of their file.
    pub(super) fn new(file: &str, text: &str, mut findings: Vec<PlanFinding>) -> Self {
        findings.sort_by_key(|finding| (finding.span.start.line, finding.span.start.column));
        let lines: Vec<&str> = text.lines().collect();
        let errors = findings
            .into_iter()
            .map(|PlanFinding { span, message, detail, hint, .. }| PlanError {
                line: span.start.line,
                column: span.start.column,
                message: on_one_line(&message),
                detail: detail.as_deref().map(on_one_line),
                hint: hint.as_deref().map(on_one_line),
                value: lines.get(span.start.line - 1).and_then(|line| text_at_span(line, span)),
                excerpt: lines.get(span.start.line - 1).map(|line| Excerpt::new(line, span)),
            })
            .collect();
        Self { file: file.to_owned(), errors }
    }
}

impl Excerpt {
    fn new(line: &str, span: Span) -> Self {
        let masked = mask_line(line);
        let start = masked.masked_column(span.start.column - 1);
        let end = if span.end.line == span.start.line { masked.masked_column(span.end.column - 1) } else { usize::MAX };
        let shown: Vec<char> = masked.text.chars().map(printable_char).collect();
        // YAML ends a line at a carriage return alone, too, so that a column may lie behind the end of this one.
        let start = start.min(shown.len());
        let first = if start >= EXCERPT_COLUMNS_MAX { start - EXCERPT_COLUMNS_MAX / 2 } else { 0 };
        let last = shown.len().min(first + EXCERPT_COLUMNS_MAX);
        let (start, end) = (start.clamp(first, last), end.clamp(first, last));
        let width = |part: &[char]| part.iter().map(|c| c.width().unwrap_or(0)).sum::<usize>();
        let (before, after) = (if first > 0 { "…" } else { "" }, if last < shown.len() { "…" } else { "" });
        let text = format!("{before}{}{after}", shown[first..last].iter().collect::<String>());
        Self {
            text: text.trim_end().to_owned(),
            indent: before.width() + width(&shown[first..start]),
            carets: if end > start { width(&shown[start..end]).max(1) } else { 1 },
        }
    }
}

/// The part of a line that a span is, with its passwords masked; none of one that has no extent there.
fn text_at_span(line: &str, span: Span) -> Option<String> {
    let masked = mask_line(line);
    let start = masked.masked_column(span.start.column - 1);
    let end = if span.end.line == span.start.line { masked.masked_column(span.end.column - 1) } else { usize::MAX };
    let chars: Vec<char> = masked.text.chars().collect();
    let end = end.min(chars.len());
    if start >= end {
        return None;
    }
    let text = chars[start..end].iter().collect::<String>();
    Some(on_one_line(text.trim_end()))
}

/// A tab as an arrow, so that it is seen and takes one column; other control characters as the replacement character.
fn printable_char(c: char) -> char {
    match c {
        '\t' => '→',
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    }
}

/// What an error says, whatever the keys and values of the file that it names contain.
fn on_one_line(text: &str) -> String {
    text.chars().map(printable_char).collect()
}

/// A value of the file within an error message: on one line, not too long.
pub(super) fn value_for_message(text: &str) -> String {
    const CHARS_MAX: usize = 60;
    let mut short: String = text.chars().take(CHARS_MAX).map(printable_char).collect();
    if text.chars().nth(CHARS_MAX).is_some() {
        short.push('…');
    }
    format!("\"{short}\"")
}

impl fmt::Display for PlanErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, error) in self.errors.iter().take(PRINTED_MAX).enumerate() {
            let gap = if i == 0 { "" } else { "\n\n" };
            write!(f, "{gap}{}", error.render_error(&self.file)?)?;
        }
        match self.errors.len() {
            ..=1 => Ok(()),
            n if n > PRINTED_MAX => write!(f, "\n\n{}: {n} errors, the first {PRINTED_MAX} shown", self.file),
            n => write!(f, "\n\n{}: {n} errors", self.file),
        }
    }
}

impl std::error::Error for PlanErrors {}

impl PlanError {
    fn render_error(&self, file: &str) -> Result<String, fmt::Error> {
        let Self { line, column, message, detail, hint, excerpt, value: _ } = self;
        let mut text = format!("error: {message}");
        let margin = line.to_string().len();
        write!(text, "\n{:margin$}--> {file}:{line}:{column}", "")?;
        if let Some(Excerpt { text: shown, indent, carets }) = excerpt {
            write!(text, "\n{:margin$} |\n{line} | {shown}\n{:margin$} | {:indent$}{:^<carets$}", "", "", "", "")?;
        }
        for (label, part) in [("detail", detail), ("hint", hint)] {
            if let Some(part) = part {
                write!(text, "\n{label}: {part}")?;
            }
        }
        Ok(text)
    }
}
