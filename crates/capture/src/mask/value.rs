//! The substitute of a value by its form: documents and arrays keep theirs, and each text in them has the substitute
//! that it has alone.

use serde::de::IgnoredAny;

use super::cipher::{Alphabet, ValueCipher};
use super::shape;

/// The substitute of a value.
pub(super) fn mask_by_shape(cipher: &ValueCipher, text: &str, masks_all: bool) -> String {
    if text.is_empty() || shape::is_word_of_a_type(text) || shape::is_interval(text) {
        return text.to_owned();
    }
    if shape::is_number(text) {
        return if masks_all { mask_number(cipher, text) } else { text.to_owned() };
    }
    if shape::is_time(text) {
        return if masks_all { shift_date(cipher, text) } else { text.to_owned() };
    }
    if shape::is_uuid(text) {
        return if masks_all { cipher.permute_text(text, Alphabet::Hexadecimal) } else { text.to_owned() };
    }
    if shape::is_bytea(text) {
        return format!("\\x{}", cipher.permute_text(&text[2..], Alphabet::Hexadecimal));
    }
    if (text.starts_with('{') || text.starts_with('[')) && serde_json::from_str::<IgnoredAny>(text).is_ok() {
        return mask_json(cipher, text, masks_all);
    }
    if let Some(elements) = read_array(text) {
        let mut masked = Vec::with_capacity(elements.len());
        for element in elements {
            masked.push(element.map(|element| mask_by_shape(cipher, &element, masks_all)));
        }
        return write_array(&masked);
    }
    cipher.permute_text(text, Alphabet::Text)
}

/// A number with other digits: sign, point and exponent stay.
fn mask_number(cipher: &ValueCipher, text: &str) -> String {
    let end = text.find(['e', 'E']).unwrap_or(text.len());
    format!("{}{}", cipher.permute_text(&text[..end], Alphabet::Number), &text[end..])
}

/// The digits of a bit string: those of `x'...'` are hexadecimal, those of `b'...'` stay.
pub(super) fn mask_bits(cipher: &ValueCipher, written: &str) -> String {
    let Some(body) = written.strip_prefix("x'").or_else(|| written.strip_prefix("X'")) else {
        return written.to_owned();
    };
    let digits = cipher.permute_text(&body.trim_end_matches('\'').to_ascii_lowercase(), Alphabet::Hexadecimal);
    format!("x'{digits}'")
}

/// A date some days earlier or later; the time of the day and what is after it stay.
fn shift_date(cipher: &ValueCipher, text: &str) -> String {
    let Some(length) = shape::date_length(text) else { return text.to_owned() };
    let Ok(date) = text[..length].parse::<jiff::civil::Date>() else { return text.to_owned() };
    let Ok(shifted) = date.checked_add(jiff::Span::new().days(cipher.shift_days())) else { return text.to_owned() };
    format!("{shifted}{}", &text[length..])
}

/// A JSON document whose strings are masked, but for the keys of objects.
fn mask_json(cipher: &ValueCipher, text: &str, masks_all: bool) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('"') {
        let Some(end) = end_of_json_string(rest, start) else { break };
        mask_json_numbers(cipher, &rest[..start], masks_all, &mut masked);
        let written = &rest[start..end];
        let is_key = rest[end..].trim_start().starts_with(':');
        match serde_json::from_str::<String>(written) {
            Ok(value) if !is_key => {
                let value = mask_by_shape(cipher, &value, masks_all);
                masked.push_str(&serde_json::to_string(&value).unwrap_or_else(|_| "\"\"".to_owned()));
            }
            _ => masked.push_str(written),
        }
        rest = &rest[end..];
    }
    mask_json_numbers(cipher, rest, masks_all, &mut masked);
    masked
}

/// What is between the strings of a document: its numbers are masked where all values are.
fn mask_json_numbers(cipher: &ValueCipher, text: &str, masks_all: bool, masked: &mut String) {
    if !masks_all {
        masked.push_str(text);
        return;
    }
    let mut rest = text;
    while let Some(start) = rest.find(|character: char| character.is_ascii_digit() || character == '-') {
        let length = rest[start..].find(|character| !is_of_number(character)).unwrap_or(rest.len() - start);
        masked.push_str(&rest[..start]);
        masked.push_str(&mask_number(cipher, &rest[start..start + length]));
        rest = &rest[start + length..];
    }
    masked.push_str(rest);
}

fn is_of_number(character: char) -> bool {
    character.is_ascii_digit() || ['-', '+', '.', 'e', 'E'].contains(&character)
}

/// Where the JSON string that begins at this place ends, its quote included.
fn end_of_json_string(text: &str, start: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'"' => return Some(at + 1),
            _ => at += 1,
        }
    }
    None
}

/// The elements of an array of one dimension, if it is written as PostgreSQL writes it.
fn read_array(text: &str) -> Option<Vec<Option<String>>> {
    let body = text.strip_prefix('{')?.strip_suffix('}')?;
    let mut elements = Vec::new();
    let mut characters = body.chars().peekable();
    loop {
        let mut element = String::new();
        let is_quoted = characters.next_if_eq(&'"').is_some();
        loop {
            match characters.next() {
                Some('\\') => element.push(characters.next()?),
                Some('"') if is_quoted => break,
                None if is_quoted => return None,
                Some(',') if !is_quoted => {
                    elements.push(unquoted_element(element));
                    element = String::new();
                    if characters.peek() == Some(&'"') {
                        break;
                    }
                    characters.peek()?;
                }
                Some(other) => element.push(other),
                None => {
                    elements.push(unquoted_element(element));
                    return (write_array(&elements) == text).then_some(elements);
                }
            }
        }
        if !is_quoted {
            continue;
        }
        elements.push(Some(element));
        match characters.next() {
            Some(',') => {}
            Some(_) => return None,
            None => return (write_array(&elements) == text).then_some(elements),
        }
    }
}

fn unquoted_element(element: String) -> Option<String> {
    if element == "NULL" { None } else { Some(element) }
}

/// An array of one dimension as PostgreSQL writes it.
fn write_array(elements: &[Option<String>]) -> String {
    let mut text = "{".to_owned();
    for (place, element) in elements.iter().enumerate() {
        if place > 0 {
            text.push(',');
        }
        match element {
            None => text.push_str("NULL"),
            Some(element) if needs_quotes(element) => {
                text.push('"');
                text.push_str(&element.replace('\\', "\\\\").replace('"', "\\\""));
                text.push('"');
            }
            Some(element) => text.push_str(element),
        }
    }
    text.push('}');
    text
}

/// Whether an element of an array is written in quotes.
pub(crate) fn needs_quotes(element: &str) -> bool {
    element.is_empty() || element.eq_ignore_ascii_case("null") || element.contains(is_special_in_array)
}

fn is_special_in_array(character: char) -> bool {
    matches!(character, '"' | '\\' | '{' | '}' | ',' | ' ' | '\t' | '\n' | '\r' | '\u{b}' | '\u{c}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::MaskKey;
    use super::*;

    fn test_cipher() -> ValueCipher {
        ValueCipher::with_key(&MaskKey::from_bytes([7; 32]))
    }

    fn masked_text(text: &str) -> String {
        mask_by_shape(&test_cipher(), text, false)
    }

    #[test]
    fn what_is_no_text_stays() {
        for text in ["42", "2026-11-29", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "t", "1 day", "{1,2}", "{}", "[1]", ""]
        {
            assert_eq!(masked_text(text), text);
        }
    }

    #[test]
    fn texts_in_documents_and_arrays_have_the_substitute_that_they_have_alone() {
        let ada = masked_text("Ada");
        assert_ne!(ada, "Ada");
        assert_eq!(masked_text(r#"{"name": "Ada", "age": 36}"#), format!(r#"{{"name": "{ada}", "age": 36}}"#));
        assert_eq!(masked_text("{Ada,NULL,\"Ada\"}"), test_cipher().permute_text("{Ada,NULL,\"Ada\"}", Alphabet::Text));
        assert_eq!(masked_text("{Ada,NULL,7}"), format!("{{{ada},NULL,7}}"));
    }

    #[test]
    fn all_values_keep_their_form() {
        let cipher = test_cipher();
        for text in ["42", "-1.50e3", "2026-11-29 12:00:00+01", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"] {
            let masked = mask_by_shape(&cipher, text, true);
            assert_ne!(masked, text);
            assert_eq!(masked.len(), text.len());
        }
        assert_eq!(mask_by_shape(&cipher, "0", true), "0");
        let date = mask_by_shape(&cipher, "2024-02-29", true);
        assert!(date.parse::<jiff::civil::Date>().is_ok(), "{date}");
    }

    fn char_form(character: char) -> char {
        match character {
            '0'..='9' => '0',
            'a'..='z' => 'a',
            'A'..='Z' => 'A',
            _ if character.is_ascii() => character,
            _ => char::from_digit(u32::try_from(character.len_utf8()).unwrap(), 10).unwrap(),
        }
    }

    proptest! {
        #[test]
        fn the_form_stays(text in "[a-zA-Z0-9 .@äЖ中😀-]{0,40}") {
            let masked = test_cipher().permute_text(&text, Alphabet::Text);
            let form: String = text.chars().map(char_form).collect();
            let masked_form: String = masked.chars().map(char_form).collect();
            prop_assert_eq!(form, masked_form);
            prop_assert_eq!(masked.len(), text.len());
        }

        #[test]
        fn arrays_are_read_as_they_are_written(elements in prop::collection::vec(prop::option::of("[a-z,{}\"\\\\ N]{0,5}"), 1..5)) {
            let text = write_array(&elements);
            prop_assert_eq!(read_array(&text), Some(elements));
        }

        #[test]
        fn no_text_makes_it_panic(text in any::<String>()) {
            mask_by_shape(&test_cipher(), &text, true);
        }
    }

    #[test]
    fn no_two_texts_of_one_form_share_a_substitute() {
        let cipher = test_cipher();
        let mut substitutes = std::collections::BTreeSet::new();
        for number in 0..1000 {
            substitutes.insert(cipher.permute_text(&format!("{number:03}"), Alphabet::Text));
        }
        assert_eq!(substitutes.len(), 1000);
    }
}
