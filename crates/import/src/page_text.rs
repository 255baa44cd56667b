//! The text of a page as its outputs were printed: without what stands before their lines.

use std::sync::Arc;

use super::line_prefix;
use super::source_file::SourceFile;

/// A text of which every line begins where its tool began it.
#[derive(Debug)]
pub(crate) struct PageText {
    pub text: String,
    /// The line of the file, from 1, of each line; none where they are the same.
    pub lines: Option<Vec<usize>>,
}

impl PageText {
    /// What the outputs of a text are read from. `lines` are the lines of the file that it is from.
    pub(crate) fn from_lines(text: &str, lines: Option<Vec<usize>>) -> Self {
        let text = text.replace(['\u{a0}', '\u{2009}', '\u{202f}'], " ");
        let Some(unprefixed) = line_prefix::without_prefixes(&text) else { return Self { text, lines } };
        let lines = match lines {
            None => unprefixed.lines,
            Some(of_file) => {
                let mut places = Vec::with_capacity(unprefixed.lines.len());
                for line in unprefixed.lines {
                    places.push(of_file.get(line - 1).or(of_file.last()).copied().unwrap_or(line));
                }
                places
            }
        };
        Self { text: unprefixed.text, lines: Some(lines) }
    }

    /// The file, in which lines are those of this text.
    pub(crate) fn in_file(&self, file: &SourceFile) -> SourceFile {
        let page_lines =
            self.lines.as_ref().map(|lines| Arc::from(lines.as_slice())).or_else(|| file.page_lines.clone());
        SourceFile { page_lines, ..file.clone() }
    }
}
