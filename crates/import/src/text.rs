//! Lines of outputs as people keep them: with CRLF, with decimal commas, indented or quoted.

use std::borrow::Cow;

/// A line of an output with its number, made as the tool prints it in the C locale.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextLine<'a> {
    /// Its number in the file, from 1.
    pub number: usize,
    pub text: Cow<'a, str>,
    /// Whether decimal commas were made points.
    pub commas: bool,
}

/// The lines of an output.
pub(crate) fn lines_of_output(text: &str) -> impl Iterator<Item = TextLine<'_>> {
    text.lines().enumerate().map(|(index, line)| {
        let line = line.trim_end();
        let text = with_points(line);
        let commas = matches!(text, Cow::Owned(_));
        TextLine { number: index + 1, text, commas }
    })
}

/// A comma between two digits is a decimal comma: no tool here prints any other.
fn with_points(line: &str) -> Cow<'_, str> {
    let bytes = line.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let commas: Vec<usize> =
        (0..bytes.len()).filter(|at| bytes[*at] == b',' && *at > 0 && is_digit(at - 1) && is_digit(at + 1)).collect();
    if commas.is_empty() {
        return Cow::Borrowed(line);
    }
    let mut points = line.to_owned();
    for at in commas {
        points.replace_range(at..=at, ".");
    }
    Cow::Owned(points)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal_commas_become_points_and_other_commas_stay() {
        assert_eq!(
            with_points("progress: 5,0 s, 113,8 tps, lat 436,492 ms"),
            "progress: 5.0 s, 113.8 tps, lat 436.492 ms"
        );
        assert_eq!(with_points("a, b,c 1, 2"), "a, b,c 1, 2");
    }
}
