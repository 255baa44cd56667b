//! The bytes of a file as text: UTF-16, line ends of a carriage return and the codes of terminals are undone.

use problem::Problem;

use super::source_file::SourceFile;

/// How a file encodes its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextEncoding {
    Utf8,
    Utf16LittleEndian,
    Utf16BigEndian,
}

/// How many bytes are looked at for the zeros of UTF-16 without a byte order mark.
const LOOKED_AT: usize = 512;

/// Pairs of bytes that are enough to tell.
const PAIRS_MIN: usize = 8;

impl TextEncoding {
    /// The encoding of a file that begins like this.
    pub(crate) fn of_head(head: &[u8]) -> Self {
        match head {
            [0xff, 0xfe, ..] => return Self::Utf16LittleEndian,
            [0xfe, 0xff, ..] => return Self::Utf16BigEndian,
            _ => {}
        }
        // The text of tools is ASCII for the most part, so that one byte of each pair is zero.
        let (mut pairs, mut zero_first, mut zero_second) = (0, 0, 0);
        for pair in head[..head.len().min(LOOKED_AT)].chunks_exact(2) {
            pairs += 1;
            zero_first += usize::from(pair[0] == 0);
            zero_second += usize::from(pair[1] == 0);
        }
        if pairs < PAIRS_MIN {
            Self::Utf8
        } else if zero_first == 0 && zero_second * 10 >= pairs * 8 {
            Self::Utf16LittleEndian
        } else if zero_second == 0 && zero_first * 10 >= pairs * 8 {
            Self::Utf16BigEndian
        } else {
            Self::Utf8
        }
    }

    /// Bytes as text, whatever they are: what is no character becomes the replacement character.
    pub(crate) fn decode_lossily(self, bytes: &[u8]) -> String {
        let text = match self {
            Self::Utf8 => String::from_utf8_lossy(bytes).into_owned(),
            Self::Utf16LittleEndian => decode_utf16(bytes, u16::from_le_bytes),
            Self::Utf16BigEndian => decode_utf16(bytes, u16::from_be_bytes),
        };
        plain_lines(text)
    }
}

fn decode_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    char::decode_utf16(units).map(|read| read.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// The text of a whole file.
///
/// # Errors
/// At the first byte that is no text, with its line.
pub(crate) fn decode_file(file: &SourceFile, bytes: Vec<u8>) -> Result<String, Problem> {
    let encoding = TextEncoding::of_head(&bytes);
    if encoding != TextEncoding::Utf8 {
        return Ok(encoding.decode_lossily(&bytes));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(plain_lines(text)),
        Err(error) => {
            let (error, bytes) = (error.utf8_error(), error.into_bytes());
            let line = bytes[..error.valid_up_to()].iter().filter(|&&b| b == b'\n').count() + 1;
            let byte = bytes[error.valid_up_to()];
            Err(file
                .problem_at_line(line, format!("byte {byte:#04x} is not UTF-8"))
                .hint("convert the file with iconv"))
        }
    }
}

/// A text without a byte order mark and the codes of terminals, whose lines end as usual.
fn plain_lines(mut text: String) -> String {
    if text.starts_with('\u{feff}') {
        text.remove(0);
    }
    if text.contains('\u{1b}') {
        text = without_terminal_codes(&text);
    }
    // A carriage return alone ends lines only where nothing else does: tools go back to the begin of a line with it.
    if text.contains('\r') && !text.contains('\n') {
        text = text.replace('\r', "\n");
    }
    text
}

/// Leaves out colours, movements of the cursor and titles of windows (ECMA-48).
fn without_terminal_codes(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\u{1b}' {
            plain.push(c);
            continue;
        }
        match chars.peek() {
            Some('[') => {
                chars.next();
                // Parameters and intermediate characters, then one that ends the code.
                while chars.next_if(|c| matches!(c, ' '..='?')).is_some() {}
                chars.next_if(|c| matches!(c, '@'..='~'));
            }
            Some(']') => {
                while let Some(c) = chars.next_if(|c| !matches!(c, '\n' | '\r')) {
                    if c == '\u{7}' || c == '\u{1b}' {
                        chars.next_if_eq(&'\\');
                        break;
                    }
                }
            }
            Some(' '..='~') => {
                chars.next();
            }
            Some(_) | None => {}
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn utf_16_is_told_by_its_mark_or_its_zeros() {
        let text = "scaling factor: 10\nquery mode: simple\n";
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        let marked = [&[0xff, 0xfe][..], &little].concat();
        for bytes in [&little, &big, &marked] {
            assert_eq!(TextEncoding::of_head(bytes).decode_lossily(bytes), text);
        }
        assert_eq!(TextEncoding::of_head(text.as_bytes()), TextEncoding::Utf8);
        assert_eq!(TextEncoding::of_head(&[0; 64]), TextEncoding::Utf8, "zeros alone are no text");
    }

    #[test]
    fn codes_of_terminals_are_left_out_and_a_carriage_return_alone_ends_lines() {
        assert_eq!(plain_lines("\u{1b}[1;32mtps = 5\u{1b}[0m\n\u{1b}]0;title\u{7}x\u{1b}[K".to_owned()), "tps = 5\nx");
        assert_eq!(plain_lines("a\rb".to_owned()), "a\nb");
        assert_eq!(plain_lines("50 %\r100 %\r\n".to_owned()), "50 %\r100 %\r\n");
    }

    proptest! {
        #[test]
        fn any_bytes_are_decoded(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
            let text = TextEncoding::of_head(&bytes).decode_lossily(&bytes);
            prop_assert!(text.chars().count() <= bytes.len());
        }

        #[test]
        fn no_code_of_a_terminal_is_left(text in "[\u{1b}\\[\\]0-9;mK a-z\n\r\u{7}é]{0,60}") {
            let has_code = plain_lines(text).contains('\u{1b}');
            prop_assert!(!has_code);
        }
    }
}
