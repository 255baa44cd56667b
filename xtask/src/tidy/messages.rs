//! What the program says: the text literals of the sources, without those of tests, of attributes and of SQL.

use std::ops::RangeInclusive;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};

use super::prose::{CODE, Passage, plain_prose};
use super::{Source, test_items};

/// A text with fewer words is a name or a piece.
const WORDS_AT_LEAST: usize = 3;
/// How a statement begins, which is no prose.
const STATEMENTS: [&str; 20] = [
    "ALTER ",
    "ANALYZE ",
    "BEGIN",
    "CALL ",
    "COMMIT",
    "COPY ",
    "CREATE ",
    "DELETE ",
    "DROP ",
    "EXPLAIN ",
    "FROM ",
    "GRANT ",
    "INSERT ",
    "PREPARE ",
    "SELECT ",
    "SET ",
    "TRUNCATE ",
    "UPDATE ",
    "VALUES ",
    "WITH ",
];

/// The passages of a file; none of tests and of what only tests and checks print.
pub(super) fn read_messages(source: &Source) -> Vec<Passage> {
    let Ok(file) = syn::parse_file(&source.text) else { return Vec::new() };
    if is_for_tests(&source.path) {
        return Vec::new();
    }
    let tokens: TokenStream = source.text.parse().expect("a file that parses has tokens");
    let mut passages = Vec::new();
    read_tokens(tokens, &test_items::lines(&file), &mut passages);
    passages
}

fn is_for_tests(path: &Path) -> bool {
    let is_of_tests =
        |part: &std::ffi::OsStr| part == "tests" || part == "tests.rs" || part == "xtask" || part == "testbed";
    path.iter().any(is_of_tests)
}

fn read_tokens(tokens: TokenStream, of_tests: &[RangeInclusive<usize>], passages: &mut Vec<Passage>) {
    let mut follows_hash = false;
    for token in tokens {
        match token {
            TokenTree::Group(group) if !follows_hash => read_tokens(group.stream(), of_tests, passages),
            TokenTree::Literal(literal) => {
                let line = literal.span().start().line;
                if let Ok(text) = syn::parse_str::<syn::LitStr>(&literal.to_string())
                    && !of_tests.iter().any(|lines| lines.contains(&line))
                    && is_prose(&text.value())
                {
                    passages.push(Passage { line, text: plain_prose(&without_arguments(&text.value())) });
                }
            }
            TokenTree::Group(_) | TokenTree::Ident(_) => {}
            TokenTree::Punct(ref punct) if punct.as_char() == '#' || punct.as_char() == '!' && follows_hash => {
                follows_hash = true;
                continue;
            }
            TokenTree::Punct(_) => {}
        }
        follows_hash = false;
    }
}

fn is_prose(text: &str) -> bool {
    let start = text.trim_start();
    text.split_whitespace().count() >= WORDS_AT_LEAST && !STATEMENTS.iter().any(|begin| start.starts_with(begin))
}

/// A format with each argument as one word.
fn without_arguments(text: &str) -> String {
    let mut plain = String::new();
    let mut depth = 0_usize;
    for character in text.chars() {
        match character {
            '{' => {
                depth += 1;
                plain.push_str(CODE);
            }
            '}' => depth = depth.saturating_sub(1),
            '\n' => plain.push_str("<br>"),
            _ if depth == 0 => plain.push(character),
            _ => {}
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(usize, String)> {
        let source = Source { path: "crates/a/src/b.rs".into(), text: text.to_owned() };
        read_messages(&source).into_iter().map(|passage| (passage.line, passage.text)).collect()
    }

    #[test]
    fn texts_of_the_program_are_read_with_arguments_as_one_word() {
        let program = "#![doc = \"not this one here\"]\n/// Nor this comment here.\nfn f() {\n    \
                       println!(\"one {} of {name:?} and `some code`\", 1);\n    g(r#\"a raw text literal\"#);\n}\n";
        let expected = [(4, "one CODE of CODE and CODE".to_owned()), (5, "a raw text literal".to_owned())];
        assert_eq!(read(program), expected);
    }

    #[test]
    fn names_statements_and_tests_are_no_prose() {
        for program in [
            "const A: &str = \"two words\";",
            "const A: &str = \" SELECT a FROM b WHERE c\";",
            "#[cfg(test)]\nmod tests {\n    const A: &str = \"a text of a test\";\n}\n",
        ] {
            assert_eq!(read(program), [], "{program}");
        }
        let source = Source { path: "crates/a/src/tests.rs".into(), text: "const A: &str = \"one two three\";".into() };
        assert!(read_messages(&source).is_empty());
    }
}
