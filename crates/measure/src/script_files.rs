//! Files of scripts: how they are read, and their texts.

use std::path::Path;

use load::{ParsedScript, ScriptError};
use problem::Problem;

/// Reads a file that a plan names.
pub(crate) type ReadFile<'a> = dyn Fn(&Path) -> std::io::Result<Vec<u8>> + 'a;

/// The text of a script: UTF-8, with or without a byte order mark, which is left out as psql does it.
///
/// # Errors
/// What is there in place of a text, and what to do.
pub(crate) fn text_of_bytes(bytes: &[u8]) -> Result<String, (String, &'static str)> {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(("the file is UTF-16".to_owned(), "save it as UTF-8: iconv -f UTF-16 -t UTF-8"));
    }
    let place = |offset: usize| {
        let before = &bytes[..offset];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        let column = offset - before.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1) + 1;
        format!("byte 0x{:02X} at line {line}, byte {column}", bytes[offset])
    };
    if let Some(offset) = bytes.iter().position(|byte| *byte == 0) {
        return Err((
            format!("{}: text cannot contain it", place(offset)),
            "remove it: PostgreSQL does not accept this byte in text",
        ));
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.strip_prefix('\u{feff}').unwrap_or(text).to_owned()),
        Err(error) => Err((
            format!("{}: not UTF-8", place(error.valid_up_to())),
            "save it as UTF-8, for example from LATIN1: iconv -f LATIN1 -t UTF-8",
        )),
    }
}

pub(crate) fn parse_script(name: &str, text: &str) -> Result<ParsedScript, Problem> {
    ParsedScript::parse(name, text)
        .map_err(|error| problem_in_script("", &error).hint(error.hint.clone().unwrap_or_default()))
}

/// What is wrong with a script, shown at its line. `of` begins the message, as in `workload "w": `.
pub(crate) fn problem_in_script(of: &str, error: &ScriptError) -> Problem {
    Problem::usage_error(format!("{of}{error}")).detail(format!("\n{}", error.source_excerpt())).in_script(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_text_of_a_script_is_told_with_its_place() {
        let cases: [(&[u8], &str, &str); 3] = [
            (b"SELECT 1;\nSELECT '\0';", "byte 0x00 at line 2, byte 9", "remove it"),
            (b"SELECT 'caf\xe9';", "byte 0xE9 at line 1, byte 12: not UTF-8", "LATIN1"),
            (b"\xff\xfeS\0", "UTF-16", "UTF-8"),
        ];
        for (bytes, detail, hint) in cases {
            let (said, tried) = text_of_bytes(bytes).expect_err("it is none");
            assert!(said.contains(detail) && tried.contains(hint), "{said} / {tried}");
        }
        assert_eq!(text_of_bytes(b"\xef\xbb\xbfSELECT 1;\r\n").as_deref(), Ok("SELECT 1;\r\n"));
    }
}
