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

#[cfg(test)]
mod tests {
    use super::fold_text;

    #[test]
    fn a_long_text_is_folded_between_words_and_indented() {
        assert_eq!(fold_text("one two three", 2, Some(10)), ["  one two", "    three"]);
        assert_eq!(fold_text("incomprehensible", 0, Some(4)), ["incomprehensible"]);
        assert_eq!(fold_text("one two three", 1, None), [" one two three"]);
    }
}
