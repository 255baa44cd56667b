//! The bind parameters of a statement, as a detail line of its message has them: `Parameters: $1 = 'a', $2 = NULL`.

/// Parameters in their order; `None` is NULL.
pub(crate) type ParameterTexts = Vec<Option<Vec<u8>>>;

/// Reads the detail of a statement's message. `None` where the detail is about something else; an error where it begins
/// as parameters do and does not go on so.
pub(crate) fn read_parameters(detail: &[u8]) -> Option<Result<ParameterTexts, ()>> {
    // PostgreSQL 17 writes it with a capital.
    let rest = detail.strip_prefix(b"Parameters: ").or_else(|| detail.strip_prefix(b"parameters: "))?;
    Some(parse_list(rest).ok_or(()))
}

/// The same of the context of an error: `unnamed portal with parameters: $1 = 'a'`, with
/// `log_parameter_max_length_on_error`.
pub(crate) fn read_portal_parameters(context: &[u8]) -> Option<Result<ParameterTexts, ()>> {
    let begin = b" with parameters: ";
    let at = memchr::memmem::find(context, begin)?;
    let is_portal = context[..at].ends_with(b"unnamed portal")
        || context[..at]
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(&context[..at], |line| &context[line + 1..at])
            .starts_with(b"portal ");
    if !is_portal {
        return None;
    }
    let rest = &context[at + begin.len()..];
    Some(parse_list(rest).ok_or(()))
}

fn parse_list(mut rest: &[u8]) -> Option<ParameterTexts> {
    let mut parameters = Vec::new();
    loop {
        rest = rest.strip_prefix(b"$")?;
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number: usize = std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
        if number != parameters.len() + 1 {
            return None;
        }
        rest = rest[digits..].strip_prefix(b" = ")?;
        if let Some(after) = rest.strip_prefix(b"NULL") {
            parameters.push(None);
            rest = after;
        } else {
            let (text, after) = parse_quoted(rest.strip_prefix(b"'")?)?;
            parameters.push(Some(text));
            rest = after;
        }
        match rest.strip_prefix(b", ") {
            Some(after) => rest = after,
            // The context of an error goes on in another line.
            None if rest.is_empty() || rest.starts_with(b"\n") => return Some(parameters),
            None => return None,
        }
    }
}

/// What is before the closing quote, with doubled quotes made single, and what is after it.
fn parse_quoted(rest: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let mut text = Vec::new();
    let mut from = 0;
    loop {
        let quote = from + memchr::memchr(b'\'', &rest[from..])?;
        text.extend_from_slice(&rest[from..quote]);
        if rest.get(quote + 1) != Some(&b'\'') {
            return Some((text, &rest[quote + 1..]));
        }
        text.push(b'\'');
        from = quote + 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(detail: &str) -> Option<Result<Vec<Option<String>>, ()>> {
        let outcome = read_parameters(detail.as_bytes())?;
        Some(outcome.map(|parameters| {
            let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
            parameters.into_iter().map(|parameter| parameter.map(text)).collect()
        }))
    }

    #[test]
    fn parameters_are_read_with_their_quotes_and_newlines() {
        let some = |text: &str| Some(text.to_owned());
        let cases = [
            ("Parameters: $1 = '42', $2 = NULL", Some(Ok(vec![some("42"), None]))),
            ("parameters: $1 = 'it''s', $2 = 'a, $3 = ''x'''", Some(Ok(vec![some("it's"), some("a, $3 = 'x'")]))),
            ("parameters: $1 = 'a\nb'", Some(Ok(vec![some("a\nb")]))),
            ("parameters: $1 = ''", Some(Ok(vec![some("")]))),
            ("parameters: $1 = 'a", Some(Err(()))),
            ("parameters: $2 = 'a'", Some(Err(()))),
            ("prepare: PREPARE a AS SELECT 1", None),
        ];
        for (detail, expected) in cases {
            assert_eq!(texts(detail), expected, "{detail}");
        }
    }

    #[test]
    fn parameters_of_a_failed_portal_are_in_its_context() {
        let context = b"SQL statement\nunnamed portal with parameters: $1 = 'a'\nmore";
        assert_eq!(read_portal_parameters(context), Some(Ok(vec![Some(b"a".to_vec())])));
        assert_eq!(read_portal_parameters(b"portal \"x\" with parameters: $1 = NULL"), Some(Ok(vec![None])));
        assert_eq!(read_portal_parameters(b"function f with parameters: $1 = NULL"), None);
    }
}
