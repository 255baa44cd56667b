//! Text for a terminal: cells padded to the width of their column, which is counted in characters, and sentences folded
//! between words. Knows nothing of what they say.

use unicode_width::UnicodeWidthStr as _;

/// To which side of its column a cell stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Alignment {
    /// Words.
    Left,
    /// Figures, so that their digits stand below one another.
    Right,
}

/// Rows as lines, two spaces between columns, nothing after the last character.
pub(crate) fn aligned_rows(rows: &[Vec<String>], alignments: &[Alignment]) -> Vec<String> {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..alignments.len()).map(width).collect();
    let mut lines = Vec::new();
    for row in rows {
        let mut line = String::new();
        for ((cell, width), alignment) in row.iter().zip(&widths).zip(alignments) {
            match alignment {
                Alignment::Left => line += &format!("{cell:<width$}  "),
                Alignment::Right => line += &format!("{cell:>width$}  "),
            }
        }
        lines.push(line.trim_end().to_owned());
    }
    lines
}

/// A text in lines of `width` columns, the first indented by `indent`, the others by two more. Without a width it is one
/// line.
pub(crate) fn folded(text: &str, indent: usize, width: Option<usize>) -> Vec<String> {
    let width = width.unwrap_or(usize::MAX);
    let mut lines = Vec::new();
    let mut line = " ".repeat(indent);
    let mut is_empty = true;
    for word in text.split(' ') {
        if !is_empty && line.width() + 1 + word.width() > width {
            lines.push(std::mem::replace(&mut line, " ".repeat(indent + 2)));
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line.push_str(word);
        is_empty = false;
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::{Alignment, aligned_rows, folded};

    #[test]
    fn words_stand_left_figures_right_and_an_accent_is_one_character() {
        let rows = [["", "tps", "said"], ["café", "9", "no"], ["a", "120", "yes, from 8 clients"]];
        let rows = rows.map(|row| row.map(str::to_owned).to_vec());
        let lines = aligned_rows(&rows, &[Alignment::Left, Alignment::Right, Alignment::Left]);
        assert_eq!(lines, ["      tps  said", "café    9  no", "a     120  yes, from 8 clients"]);
    }

    #[test]
    fn a_long_text_is_folded_between_words_and_indented() {
        assert_eq!(folded("one two three", 2, Some(10)), ["  one two", "    three"]);
        assert_eq!(folded("incomprehensible", 0, Some(4)), ["incomprehensible"]);
        assert_eq!(folded("one two three", 1, None), [" one two three"]);
    }
}
