//! The substitution as functions of SQL, for the data that a masked capture is replayed on.

use super::MaskKey;
use super::cipher::ValueCipher;

const TEMPLATE: &str = include_str!("functions.sql");
/// The forms of `shape.rs` as regular expressions.
const NUMBER: &str = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?";
const CLOCK: &str = r"[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?";
const UNIT: &str = "(years?|mons?|months?|weeks?|days?|hours?|mins?|minutes?|secs?|seconds?)";
/// Types whose values are masked with all others.
const ALL_TYPES: &[&str] = &["smallint", "integer", "bigint", "numeric", "uuid", "date", "timestamp", "timestamptz"];

/// Functions `pgdyno_mask` that give the substitutes of a capture with this key.
#[must_use]
pub fn write_mask_functions(key: &MaskKey, masks_all: bool) -> String {
    let days = ValueCipher::with_key(key).shift_days();
    let types = if masks_all { ", and for ".to_owned() + &ALL_TYPES.join(", ") } else { String::new() };
    let mut text = TEMPLATE
        .replace("@ALL_TYPES@", &types)
        .replace("@INNER_KEY@", &padded_key(key, 0x36))
        .replace("@OUTER_KEY@", &padded_key(key, 0x5c))
        .replace("@DAYS@", &format!("({days})"))
        .replace("@MASKS_ALL@", if masks_all { "true" } else { "false" })
        .replace("@NUMBER@", NUMBER)
        .replace("@CLOCK@", CLOCK)
        .replace("@UNIT@", UNIT);
    if masks_all {
        for name in ALL_TYPES {
            text.push_str(&format!(
                "\nCREATE OR REPLACE FUNCTION pgdyno_mask(value {name}) RETURNS {name}\n\
                 LANGUAGE sql STABLE STRICT PARALLEL SAFE AS \
                 $pgdyno$ SELECT pgdyno_mask(value::text)::{name} $pgdyno$;\n"
            ));
        }
    }
    text
}

/// The key as HMAC mixes it with its padding, in hexadecimal.
fn padded_key(key: &MaskKey, padding: u8) -> String {
    let mut text = String::new();
    for place in 0..64 {
        let byte = key.as_bytes().get(place).copied().unwrap_or(0) ^ padding;
        text.push_str(&format!("{byte:02x}"));
    }
    text
}
