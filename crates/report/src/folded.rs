//! Text for a terminal: sentences folded between words. Knows nothing of what they say.

use unicode_width::UnicodeWidthStr as _;

/// A text in lines of `width` columns, the first indented by `indent`, the others by two more. Without a width it
/// is one line.
pub(crate) fn fold_text(text: &str, indent: usize, width: Option<usize>) -> Vec<String> {
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

/// The same in so many lines at most: the text loses its last words, in whose place stands `…`, and keeps its end.
/// Without a width it is one line.
pub(crate) fn fold_into_lines(text: &str, end: &str, width: Option<usize>, most: usize) -> Vec<String> {
    let whole = fold_text(&format!("{text}{end}"), 0, width);
    if whole.len() <= most {
        return whole;
    }
    let words: Vec<&str> = text.split(' ').collect();
    for kept in (1..words.len()).rev() {
        let shortened = format!("{} …{end}", before_open_bracket(&words[..kept].join(" ")));
        let lines = fold_text(&shortened, 0, width);
        if lines.len() <= most {
            return lines;
        }
    }
    whole
}

/// A text up to its last bracket that is not closed: half of an interval says nothing.
fn before_open_bracket(text: &str) -> &str {
    let mut kept = text;
    for (open, closed) in [('[', ']'), ('(', ')')] {
        if let Some(at) = kept.rfind(open)
            && kept.rfind(closed).is_none_or(|end| end < at)
        {
            kept = &kept[..at];
        }
    }
    kept.trim_end_matches([' ', ',', ':', ';'])
}

#[cfg(test)]
mod tests {
    use super::{fold_into_lines, fold_text};

    #[test]
    fn a_text_of_too_many_lines_loses_its_last_words_and_keeps_its_end() {
        let lines = fold_into_lines("one two three four five six", " [end]", Some(14), 2);
        assert_eq!(lines, ["one two three", "  four … [end]"]);
        let cost = fold_into_lines("a cost, 37.9 µs [13.7 µs, 0.11 ms] of all", " [end]", Some(28), 1);
        assert_eq!(cost, ["a cost, 37.9 µs … [end]"]);
        assert_eq!(fold_into_lines("one two", " [end]", Some(14), 2), ["one two [end]"]);
        assert_eq!(fold_into_lines("one two three", " [end]", None, 1), ["one two three [end]"]);
        assert_eq!(fold_into_lines("incomprehensible", " [end]", Some(4), 1), ["incomprehensible", "  [end]"]);
    }

    #[test]
    fn a_long_text_is_folded_between_words_and_indented() {
        assert_eq!(fold_text("one two three", 2, Some(10)), ["  one two", "    three"]);
        assert_eq!(fold_text("incomprehensible", 0, Some(4)), ["incomprehensible"]);
        assert_eq!(fold_text("one two three", 1, None), [" one two three"]);
    }
}
