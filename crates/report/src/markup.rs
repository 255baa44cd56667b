//! Text of others within Markdown.

/// Text from a plan or a server must not become markup.
pub(crate) fn escape_markup(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '|' | '*' | '_' | '`' | '<' | '[' | ']' | '#' | '\\' => escaped.extend(['\\', c]),
            '\n' | '\r' => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escape_markup;

    #[test]
    fn what_comes_from_outside_stays_text() {
        assert_eq!(escape_markup("a|b <i>\nx_y"), "a\\|b \\<i> x\\_y");
    }
}
