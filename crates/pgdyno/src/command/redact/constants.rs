//! Constants of SQL, each replaced by the same word wherever it is: `'Meier'` by `'text-1'`, `4711` by `number-1`.

use std::collections::BTreeMap;

/// The words that stand for constants.
#[derive(Debug, Default)]
pub(super) struct Constants {
    words: BTreeMap<String, String>,
    texts: usize,
    numbers: usize,
}

impl Constants {
    fn word_for_text(&mut self, constant: &str) -> String {
        if let Some(word) = self.words.get(constant) {
            return word.clone();
        }
        self.texts += 1;
        let word = format!("text-{}", self.texts);
        self.words.insert(constant.to_owned(), word.clone());
        word
    }

    fn word_for_number(&mut self, constant: &str) -> String {
        let key = format!("number {constant}");
        if let Some(word) = self.words.get(&key) {
            return word.clone();
        }
        self.numbers += 1;
        let word = format!("number-{}", self.numbers);
        self.words.insert(key, word.clone());
        word
    }
}

/// A text without the constants in single quotes or dollar quotes; of SQL also without its numbers and comments. An
/// apostrophe after a letter is no quote: "the server's log".
pub(super) fn without_constants(text: &str, is_sql: bool, constants: &mut Constants) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < chars.len() {
        let c = chars[at];
        let follows_word = at > 0 && (chars[at - 1].is_alphanumeric() || chars[at - 1] == '_');
        if c == '\'' && (is_sql || !follows_word) {
            let end = end_of_literal(&chars, at);
            if end > at + 1 && chars[end - 1] == '\'' {
                let constant: String = chars[at + 1..end - 1].iter().collect();
                out.push_str(&format!("'{}'", constants.word_for_text(&constant)));
                at = end;
                continue;
            }
            if is_sql {
                // A literal that is cut off, in a statement that is.
                let constant: String = chars[at + 1..].iter().collect();
                out.push_str(&format!("'{}'", constants.word_for_text(&constant)));
                break;
            }
        }
        if is_sql {
            if let Some(end) = end_of_comment(&chars, at) {
                out.push(' ');
                at = end;
                continue;
            }
            if let Some((start, stop, end)) = dollar_quoted(&chars, at) {
                let constant: String = chars[start..stop].iter().collect();
                out.push_str(&format!("'{}'", constants.word_for_text(&constant)));
                at = end;
                continue;
            }
            let is_parameter = at > 0 && matches!(chars[at - 1], '$' | ':' | '.');
            if c.is_ascii_digit() && !follows_word && !is_parameter {
                let end = end_of_number(&chars, at);
                let constant: String = chars[at..end].iter().collect();
                out.push_str(&constants.word_for_number(&constant));
                at = end;
                continue;
            }
        }
        out.push(c);
        at += 1;
    }
    out
}

/// A message without what it quotes: names and values alike, `"..."` and the values of `Key (a)=(b)`.
pub(super) fn without_quoted_parts(text: &str, constants: &mut Constants) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(['"', '=']) {
        let (before, after) = rest.split_at(start);
        out.push_str(before);
        let (open, close) = if after.starts_with('"') { ("\"", '"') } else { ("=(", ')') };
        let inner = after.strip_prefix(open).and_then(|inner| inner.split_once(close));
        if let Some((quoted, behind)) = inner {
            out.push_str(&format!("{open}{}{close}", constants.word_for_text(quoted)));
            rest = behind;
        } else {
            out.push_str(&after[..1]);
            rest = &after[1..];
        }
    }
    out.push_str(rest);
    out
}

/// Behind the closing quote of a literal, or the end of the text.
fn end_of_literal(chars: &[char], start: usize) -> usize {
    let mut at = start + 1;
    while at < chars.len() {
        if chars[at] == '\'' {
            if chars.get(at + 1) != Some(&'\'') {
                return at + 1;
            }
            at += 1;
        }
        at += 1;
    }
    chars.len()
}

/// Behind a comment that begins here.
fn end_of_comment(chars: &[char], at: usize) -> Option<usize> {
    let two: String = chars.get(at..at + 2)?.iter().collect();
    match two.as_str() {
        "--" => Some(chars[at..].iter().position(|&c| c == '\n').map_or(chars.len(), |end| at + end)),
        "/*" => {
            let rest: Vec<char> = chars[at + 2..].to_vec();
            let end = rest.windows(2).position(|pair| pair == ['*', '/']);
            Some(end.map_or(chars.len(), |end| at + 2 + end + 2))
        }
        _ => None,
    }
}

/// Where the text of `$tag$...$tag$` begins and stops, and where its end is.
fn dollar_quoted(chars: &[char], at: usize) -> Option<(usize, usize, usize)> {
    if chars[at] != '$' || chars.get(at + 1).is_some_and(char::is_ascii_digit) {
        return None;
    }
    let close = chars[at + 1..].iter().position(|&c| c == '$')?;
    let tag = &chars[at..at + close + 2];
    if !tag[1..tag.len() - 1].iter().all(|c| c.is_alphanumeric() || *c == '_') {
        return None;
    }
    let start = at + tag.len();
    let stop = chars[start..].windows(tag.len()).position(|part| part == tag)? + start;
    Some((start, stop, stop + tag.len()))
}

/// Behind a number: digits, one point, an exponent.
fn end_of_number(chars: &[char], start: usize) -> usize {
    let mut end = start;
    while end < chars.len() && (chars[end].is_ascii_alphanumeric() || chars[end] == '.') {
        end += 1;
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_of_sql_are_replaced_each_by_one_word() {
        let mut constants = Constants::default();
        for (sql, expected) in [
            ("SELECT 'Meier', 'O''Hara', 'Meier' FROM t1", "SELECT 'text-1', 'text-2', 'text-1' FROM t1"),
            ("WHERE id = 4711 AND x > 0.5 AND y = 4711", "WHERE id = number-1 AND x > number-2 AND y = number-1"),
            ("a = $1 AND b = :n AND c2 = E'Meier'", "a = $1 AND b = :n AND c2 = E'text-1'"),
            ("SELECT 1 -- of Acme\nFROM t /* Acme */ WHERE x", "SELECT number-3  \nFROM t   WHERE x"),
            ("DO $x$ Acme $x$; SELECT $$b$$", "DO 'text-3'; SELECT 'text-4'"),
            ("SELECT 'cut of", "SELECT 'text-5'"),
        ] {
            assert_eq!(without_constants(sql, true, &mut constants), expected, "{sql}");
        }
    }

    #[test]
    fn outside_sql_only_quoted_texts_are_constants() {
        let mut constants = Constants::default();
        let text = "the server's log: 17 rows of 'Meier', the role's";
        assert_eq!(without_constants(text, false, &mut constants), "the server's log: 17 rows of 'text-1', the role's");
    }

    #[test]
    fn what_a_message_quotes_is_replaced() {
        let mut constants = Constants::default();
        let text = "relation \"orders\": Key (email)=(a@b.c) is \"odd";
        let expected = "relation \"text-1\": Key (email)=(text-2) is \"odd";
        assert_eq!(without_quoted_parts(text, &mut constants), expected);
    }
}
