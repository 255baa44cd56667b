//! The skeleton of a text: what is left of it without the contents of its plain literals. Texts with the same skeleton
//! have the same tokens but for these, so PostgreSQL's scanner reads one of them for all.
//!
//! Plain is a number of digits that stands alone, and a string in single quotes without backslashes. A text with
//! anything that makes tokens harder to tell apart (comments, dollar quotes, prefixes of strings, backslashes) has no
//! skeleton. Nothing is taken on trust: where PostgreSQL's scanner finds other literals in the first text of a
//! skeleton, that skeleton is not used.

use std::ops::Range;

/// What stands for a number, and for a string. No text with a skeleton has these bytes.
const NUMBER: u8 = 1;
const STRING: u8 = 2;

/// A skeleton, and where the literals of its text are. It is filled anew for each text.
#[derive(Debug, Default)]
pub(super) struct TextSkeleton {
    pub(super) bytes: Vec<u8>,
    pub(super) literals: Vec<Range<usize>>,
}

impl TextSkeleton {
    /// Reads a text; whether it has a skeleton.
    pub(super) fn fill_from(&mut self, text: &[u8]) -> bool {
        self.bytes.clear();
        self.literals.clear();
        let mut at = 0;
        while let Some(byte) = text.get(at) {
            let end = match byte {
                b'\'' => end_of_string(text, at),
                b'"' => end_of_quoted_name(text, at),
                b'0'..=b'9' => end_of_number(text, at),
                b'$' => end_of_parameter(text, at),
                b'A'..=b'Z' | b'a'..=b'z' | b'_' | 0x80.. => Some(end_of_word(text, at)),
                b'-' if text.get(at + 1) == Some(&b'-') => None,
                b'/' if text.get(at + 1) == Some(&b'*') => None,
                b'\\' | 0..=2 => None,
                _ => Some(at + 1),
            };
            let Some(end) = end else { return false };
            match byte {
                b'\'' => self.push_literal(STRING, at..end),
                b'0'..=b'9' => self.push_literal(NUMBER, at..end),
                _ => self.bytes.extend_from_slice(&text[at..end]),
            }
            at = end;
        }
        true
    }

    fn push_literal(&mut self, mark: u8, range: Range<usize>) {
        self.bytes.push(mark);
        self.literals.push(range);
    }
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

/// A name or keyword. One that a string follows at once may be its prefix, as in `E'a'` and `U&'a'`.
fn end_of_word(text: &[u8], start: usize) -> usize {
    let length = text[start..].iter().take_while(|byte| is_of_word(**byte)).count();
    start + length
}

/// A string that goes on in another line, or has a prefix, is not plain.
fn end_of_string(text: &[u8], start: usize) -> Option<usize> {
    let before = start.checked_sub(1).and_then(|before| text.get(before));
    if before.is_some_and(|before| is_of_word(*before) || matches!(before, b'&' | b'"')) {
        return None;
    }
    let mut at = start + 1;
    loop {
        at += memchr::memchr2(b'\'', b'\\', text.get(at..)?)?;
        if text[at] == b'\\' {
            return None;
        }
        if text.get(at + 1) != Some(&b'\'') {
            break;
        }
        at += 2;
    }
    let next = text[at + 1..].iter().find(|byte| !byte.is_ascii_whitespace());
    if next.is_some_and(|next| *next == b'\'') { None } else { Some(at + 1) }
}

fn end_of_quoted_name(text: &[u8], start: usize) -> Option<usize> {
    let before = start.checked_sub(1).and_then(|before| text.get(before));
    if before.is_some_and(|before| matches!(before, b'&' | b'\'')) {
        return None;
    }
    let mut at = start + 1;
    loop {
        at += memchr::memchr(b'"', text.get(at..)?)?;
        if text.get(at + 1) != Some(&b'"') {
            break;
        }
        at += 2;
    }
    let name = &text[start..=at];
    // The marks of literals are to stand for literals only.
    if name.iter().any(|byte| *byte <= STRING) { None } else { Some(at + 1) }
}

/// `12` or `12.5`, with nothing beside it that could belong to it.
fn end_of_number(text: &[u8], start: usize) -> Option<usize> {
    let before = start.checked_sub(1).and_then(|before| text.get(before));
    if before.is_some_and(|before| *before == b'.') {
        return None;
    }
    let mut end = end_of_digits(text, start);
    if text.get(end) == Some(&b'.') && text.get(end + 1).is_some_and(u8::is_ascii_digit) {
        end = end_of_digits(text, end + 1);
    }
    let next = text.get(end);
    if next.is_some_and(|next| is_of_word(*next) || *next == b'.') { None } else { Some(end) }
}

fn end_of_digits(text: &[u8], start: usize) -> usize {
    start + text[start..].iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// `$1`. Anything else with this sign is a string in dollar quotes.
fn end_of_parameter(text: &[u8], start: usize) -> Option<usize> {
    let end = end_of_digits(text, start + 1);
    let next = text.get(end);
    if end == start + 1 || next.is_some_and(|next| is_of_word(*next) || *next == b'.') { None } else { Some(end) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skeleton_of(text: &str) -> Option<(String, Vec<&str>)> {
        let mut skeleton = TextSkeleton::default();
        if !skeleton.fill_from(text.as_bytes()) {
            return None;
        }
        let bytes = String::from_utf8(skeleton.bytes).expect("it is text").replace('\u{1}', "#").replace('\u{2}', "@");
        Some((bytes, skeleton.literals.iter().map(|range| &text[range.clone()]).collect()))
    }

    #[test]
    fn plain_literals_are_taken_out() {
        for (text, bytes, literals) in [
            ("SELECT * FROM t1 WHERE a=12 AND b='it''s'", "SELECT * FROM t1 WHERE a=# AND b=@", &["12", "'it''s'"][..]),
            ("INSERT INTO \"T 1\" VALUES (-1.5,'ü',$2)", "INSERT INTO \"T 1\" VALUES (-#,@,$2)", &["1.5", "'ü'"]),
            ("SELECT a[1:2], x/2", "SELECT a[#:#], x/#", &["1", "2", "2"]),
            ("SELECT '' , 'a' , 'b'", "SELECT @ , @ , @", &["''", "'a'", "'b'"]),
            ("COMMIT", "COMMIT", &[]),
        ] {
            assert_eq!(skeleton_of(text), Some((bytes.to_owned(), literals.to_vec())), "{text}");
        }
    }

    #[test]
    fn what_is_not_plain_has_no_skeleton() {
        for text in [
            "SELECT E'a'",
            "SELECT U&'a'",
            "SELECT N'a'",
            "SELECT 'a\\'",
            "SELECT $$a$$",
            "SELECT $x$a$x$",
            "SELECT 1 -- 2",
            "SELECT /* 1 */ 2",
            "SELECT 'a'\n'b'",
            "SELECT 1e5",
            "SELECT 0x1F",
            "SELECT 1_000",
            "SELECT 1.",
            "SELECT .5",
            "SELECT 'a",
            "SELECT \"a",
            "SELECT $1a",
            "SELECT \u{1}",
            "SELECT U&\"a\"",
            "SELECT 1..2",
        ] {
            assert_eq!(skeleton_of(text), None, "{text}");
        }
    }

    /// Pieces of texts, put together at random: two texts with one skeleton have the same tokens.
    #[test]
    fn texts_with_one_skeleton_have_the_same_tokens() {
        const PIECES: &[&str] = &[
            "1", "23", "4.5", "'a'", "'it''s'", "''", "x", "E", "N", "\"q\"", "$1", " ", "\n", ",", "(", ")", ".", "-",
            "+", "=", "::", "[", "]", ":", "&", "U", "é", "_", "*", "/", "e5", "<", ">", "||", "#", "?", "@", "!", "~",
            "%", ";",
        ];
        let mut state = 0x2545_f491_4f6c_dd1d_u64;
        let mut next = |below: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % below as u64) as usize
        };
        let (mut skeleton, mut compared) = (TextSkeleton::default(), 0);
        for _ in 0..40_000 {
            let count = 1 + next(9);
            let text: String = (0..count).map(|_| PIECES[next(PIECES.len())]).collect();
            if !skeleton.fill_from(text.as_bytes()) {
                continue;
            }
            let Ok(split) = sql::split_literals(&text) else { continue };
            let found: Vec<_> = split.literals.iter().map(|literal| literal.range.clone()).collect();
            if found != skeleton.literals {
                continue;
            }
            // The same text with other contents.
            let mut other = String::new();
            let mut copied = 0;
            for range in &skeleton.literals {
                other.push_str(&text[copied..range.start]);
                let is_string = text[range.clone()].starts_with('\'');
                other.push_str(if is_string {
                    ["'b c'", "''", "'x''y'", "'--'"][next(4)]
                } else {
                    ["7", "99999999999", "0.25"][next(3)]
                });
                copied = range.end;
            }
            other.push_str(&text[copied..]);
            let split_other =
                sql::split_literals(&other).unwrap_or_else(|error| panic!("{text:?}, {other:?}: {error}"));
            assert_eq!(split_other.normalised, split.normalised, "{text:?}, {other:?}");
            let mut skeleton_of_other = TextSkeleton::default();
            assert!(skeleton_of_other.fill_from(other.as_bytes()), "{other:?}");
            assert_eq!(skeleton_of_other.bytes, skeleton.bytes, "{text:?}, {other:?}");
            compared += 1;
        }
        assert!(compared > 1_000, "{compared}");
    }
}
