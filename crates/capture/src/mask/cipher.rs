//! A keyed permutation of all texts of one form: a Feistel network of four rounds over their substitutable characters.
//! `mask-sql` computes the same in SQL: what changes here changes there.

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use super::key::MaskKey;

const ROUNDS: u8 = 4;

/// The keyed permutation.
pub(super) struct ValueCipher {
    keyed: Hmac<Sha256>,
}

/// The characters that a character can become: `count` of them from `base` on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CharClass {
    base: u32,
    count: u32,
}

/// How the characters of a text are classed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Alphabet {
    /// Digits and letters of any script.
    Text,
    /// Digits of a number: a leading digit that is not 0 does not become 0.
    Number,
    /// Hexadecimal digits in lower case.
    Hexadecimal,
}

impl ValueCipher {
    pub(super) fn with_key(key: &MaskKey) -> Self {
        let keyed = Hmac::<Sha256>::new_from_slice(key.as_bytes()).expect("a key of any length will do");
        Self { keyed }
    }

    /// The substitute of a text.
    pub(super) fn permute_text(&self, text: &str, alphabet: Alphabet) -> String {
        let mut classes = Vec::new();
        let mut values = Vec::new();
        let mut template = String::with_capacity(text.len());
        let mut is_leading = true;
        for character in text.chars() {
            let class = class_of_char(character, alphabet, is_leading);
            if character.is_ascii_digit() {
                is_leading = false;
            }
            match class {
                Some(class) => {
                    classes.push(class);
                    values.push(position_in(character, class, alphabet));
                    template.push(char::from_u32(class.base).unwrap_or('a'));
                }
                None => template.push(character),
            }
        }
        self.run_rounds(&template, &classes, &mut values);
        let mut substitutes = values.iter().zip(&classes);
        let mut is_leading = true;
        let mut masked = String::with_capacity(text.len());
        for character in text.chars() {
            let is_kept = class_of_char(character, alphabet, is_leading).is_none();
            if character.is_ascii_digit() {
                is_leading = false;
            }
            match substitutes.next_if_not(is_kept) {
                Some((value, class)) => masked.push(char_at(*value, *class, alphabet)),
                None => masked.push(character),
            }
        }
        masked
    }

    /// Two numbers that follow from the key.
    pub(super) fn hash_keys(&self) -> (u64, u64) {
        let mut keyed = self.keyed.clone();
        keyed.update(b"results");
        let bytes = keyed.finalize().into_bytes();
        let (mut first, mut second) = ([0; 8], [0; 8]);
        first.copy_from_slice(&bytes[..8]);
        second.copy_from_slice(&bytes[8..16]);
        (u64::from_be_bytes(first), u64::from_be_bytes(second))
    }

    /// Days by which dates are shifted: from 1 to 365, back or forth.
    pub(super) fn shift_days(&self) -> i64 {
        let mut keyed = self.keyed.clone();
        keyed.update(b"days");
        let bytes = keyed.finalize().into_bytes();
        let days = i64::from(u16::from_be_bytes([bytes[0], bytes[1]])) % 365 + 1;
        if bytes[2].is_multiple_of(2) { days } else { -days }
    }

    fn run_rounds(&self, template: &str, classes: &[CharClass], values: &mut [u32]) {
        let half = values.len() / 2;
        for round in 1..=ROUNDS {
            let (left, right) = values.split_at_mut(half);
            if round % 2 == 1 {
                self.shift_values(round, template, left, right, &classes[half..]);
            } else {
                self.shift_values(round, template, right, left, &classes[..half]);
            }
        }
    }

    /// Adds to each value a number that follows from the key, the round, the form and the other half.
    fn shift_values(&self, round: u8, template: &str, other: &[u32], values: &mut [u32], classes: &[CharClass]) {
        let mut keyed = self.keyed.clone();
        let mut message = format!("{round}\u{1}{template}\u{1}");
        for value in other {
            message.push_str(&format!("{value},"));
        }
        keyed.update(message.as_bytes());
        let seed = keyed.finalize().into_bytes();
        let mut block: Vec<u8> = seed.to_vec();
        for (place, (value, class)) in values.iter_mut().zip(classes).enumerate() {
            let within = place % 16;
            if within == 0 && place > 0 {
                let mut hash = Sha256::new();
                hash.update(seed.as_slice());
                hash.update((place / 16).to_string().as_bytes());
                block = hash.finalize().to_vec();
            }
            let number = u32::from(u16::from_be_bytes([block[2 * within], block[2 * within + 1]]));
            *value = (*value + number) % class.count;
        }
    }
}

/// Iterators of substitutes that are taken only where a character is substituted.
trait NextIfNot: Iterator {
    fn next_if_not(&mut self, is_kept: bool) -> Option<Self::Item>;
}

impl<I: Iterator> NextIfNot for I {
    fn next_if_not(&mut self, is_kept: bool) -> Option<Self::Item> {
        if is_kept { None } else { self.next() }
    }
}

/// Ranges of letters outside ASCII that are permuted as one; other characters are in groups of 64.
const LETTER_RANGES: &[(u32, u32)] = &[
    (0xc0, 32),
    (0xe0, 32),
    (0x400, 16),
    (0x410, 32),
    (0x430, 32),
    (0x450, 48),
    (0x4e00, 20_992),
    (0xac00, 11_200),
    (0x2_0000, 42_752),
];

fn class_of_char(character: char, alphabet: Alphabet, is_leading: bool) -> Option<CharClass> {
    match (alphabet, character) {
        (Alphabet::Hexadecimal, '0'..='9' | 'a'..='f') => Some(CharClass { base: u32::from('0'), count: 16 }),
        (Alphabet::Number, '1'..='9') if is_leading => Some(CharClass { base: u32::from('1'), count: 9 }),
        (Alphabet::Number, '0') if is_leading => None,
        (Alphabet::Number | Alphabet::Text, '0'..='9') => Some(CharClass { base: u32::from('0'), count: 10 }),
        (Alphabet::Text, 'a'..='z') => Some(CharClass { base: u32::from('a'), count: 26 }),
        (Alphabet::Text, 'A'..='Z') => Some(CharClass { base: u32::from('A'), count: 26 }),
        (Alphabet::Text, '\u{80}'..) => Some(class_of_letter(u32::from(character))),
        _ => None,
    }
}

fn class_of_letter(code: u32) -> CharClass {
    for (base, count) in LETTER_RANGES {
        if (*base..base + count).contains(&code) {
            return CharClass { base: *base, count: *count };
        }
    }
    CharClass { base: code / 64 * 64, count: 64 }
}

fn position_in(character: char, class: CharClass, alphabet: Alphabet) -> u32 {
    match alphabet {
        Alphabet::Hexadecimal => character.to_digit(16).unwrap_or_default(),
        Alphabet::Text | Alphabet::Number => u32::from(character) - class.base,
    }
}

fn char_at(value: u32, class: CharClass, alphabet: Alphabet) -> char {
    match alphabet {
        Alphabet::Hexadecimal => char::from_digit(value, 16).unwrap_or('0'),
        Alphabet::Text | Alphabet::Number => char::from_u32(class.base + value).unwrap_or('a'),
    }
}
