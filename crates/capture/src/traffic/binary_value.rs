//! Values in PostgreSQL's binary formats, written as its output functions write them with the default settings and time
//! zone UTC. A value of a type that is not known here stays unknown.

use std::fmt::Write as _;
use std::net::{Ipv4Addr, Ipv6Addr};

use super::request::BodyReader;

/// The first object that is not built into the server: types from here on are those of the application.
const FIRST_OWN_TYPE: u32 = 16_384;
/// Days from 1970-01-01 to 2000-01-01, which dates count from.
const EPOCH_DAYS: i64 = 10_957;
const DAY_US: i64 = 86_400_000_000;
/// Dimensions of an array at most, as in the server.
const DIMENSIONS: u32 = 6;

/// The text of a binary value. `None` where the type is not known here, or the bytes are not those of such a value.
pub(super) fn text_of_binary(type_oid: u32, value: &[u8]) -> Option<String> {
    let mut reader = BodyReader { rest: value };
    let text = read_value(type_oid, &mut reader)?;
    if reader.rest.is_empty() { Some(text) } else { None }
}

fn read_value(type_oid: u32, reader: &mut BodyReader<'_>) -> Option<String> {
    Some(match type_oid {
        // bool, bytea, "char"
        16 => if reader.take_byte()? == 0 { "f" } else { "t" }.to_owned(),
        17 => bytea_text(take_rest(reader)),
        18 => char::from(reader.take_byte()?).to_string(),
        // int8, int2, int4, oid, xid8
        20 => reader.take_i64()?.to_string(),
        21 => reader.take_u16()?.cast_signed().to_string(),
        23 => reader.take_i32()?.to_string(),
        26 | 28 => reader.take_u32()?.to_string(),
        5069 => reader.take_i64()?.cast_unsigned().to_string(),
        // name, text, json, xml, unknown, bpchar, varchar
        19 | 25 | 114 | 142 | 705 | 1042 | 1043 => std::str::from_utf8(take_rest(reader)).ok()?.to_owned(),
        // jsonb, jsonpath
        3802 | 4072 => match reader.take_byte()? {
            1 => std::str::from_utf8(take_rest(reader)).ok()?.to_owned(),
            _ => return None,
        },
        // float4, float8
        700 => single_text(reader.take_u32()?),
        701 => float_text(f64::from_bits(reader.take_i64()?.cast_unsigned())),
        // date, time, timestamp, timestamptz, timetz, interval
        1082 => date_text(i64::from(reader.take_i32()?))?,
        1083 => time_text(reader.take_i64()?)?,
        1114 => timestamp_text(reader.take_i64()?, "")?,
        1184 => timestamp_text(reader.take_i64()?, "+00")?,
        1266 => format!("{}{}", time_text(reader.take_i64()?)?, zone_text(reader.take_i32()?)),
        1186 => interval_text(reader.take_i64()?, reader.take_i32()?, reader.take_i32()?),
        1700 => numeric_text(reader)?,
        2950 => uuid_text(reader.take_bytes(16)?),
        // inet, cidr, macaddr, bit, varbit
        650 | 869 => network_text(reader)?,
        829 => reader.take_bytes(6)?.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(":"),
        1560 | 1562 => bits_text(reader)?,
        _ if is_array_type(type_oid) => array_text(reader)?,
        // An enum, a text of an extension, or a domain over one: their binary form is their text. All others have bytes
        // that no text has.
        _ if type_oid >= FIRST_OWN_TYPE => plain_text(take_rest(reader))?,
        _ => return None,
    })
}

fn take_rest<'a>(reader: &mut BodyReader<'a>) -> &'a [u8] {
    std::mem::take(&mut reader.rest)
}

fn plain_text(bytes: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(bytes).ok()?;
    if text.is_empty() || text.contains(char::is_control) { None } else { Some(text.to_owned()) }
}

fn bytea_text(bytes: &[u8]) -> String {
    let mut text = "\\x".to_owned();
    for byte in bytes {
        write!(text, "{byte:02x}").expect("a string grows");
    }
    text
}

fn date_text(days: i64) -> Option<String> {
    match days {
        2_147_483_647 => return Some("infinity".to_owned()),
        -2_147_483_648 => return Some("-infinity".to_owned()),
        _ => {}
    }
    let span = jiff::Span::new().try_days(days.checked_add(EPOCH_DAYS)?).ok()?;
    let date = jiff::civil::date(1970, 1, 1).checked_add(span).ok()?;
    // Years before 1 are written with an era.
    if date.year() < 1 { None } else { Some(date.to_string()) }
}

fn time_text(us: i64) -> Option<String> {
    if !(0..=DAY_US).contains(&us) {
        return None;
    }
    Some(clock_text(us))
}

/// Hours, minutes and seconds of any number of microseconds from 0 on.
fn clock_text(us: i64) -> String {
    let (seconds, fraction) = (us / 1_000_000, us % 1_000_000);
    let mut text = format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    if fraction > 0 {
        let digits = format!("{fraction:06}");
        text.push('.');
        text.push_str(digits.trim_end_matches('0'));
    }
    text
}

fn timestamp_text(us: i64, zone: &str) -> Option<String> {
    match us {
        i64::MAX => return Some("infinity".to_owned()),
        i64::MIN => return Some("-infinity".to_owned()),
        _ => {}
    }
    Some(format!("{} {}{zone}", date_text(us.div_euclid(DAY_US))?, clock_text(us.rem_euclid(DAY_US))))
}

/// A zone as seconds west of UTC.
fn zone_text(west_s: i32) -> String {
    let (sign, seconds) = if west_s > 0 { ('-', west_s) } else { ('+', -west_s) };
    let mut text = format!("{sign}{:02}", seconds / 3600);
    if seconds % 3600 > 0 {
        write!(text, ":{:02}", seconds / 60 % 60).expect("a string grows");
    }
    text
}

fn interval_text(us: i64, days: i32, months: i32) -> String {
    let mut parts = Vec::new();
    for (count, one, several) in [(months / 12, "year", "years"), (months % 12, "mon", "mons"), (days, "day", "days")] {
        if count != 0 {
            parts.push(format!("{count} {}", if count == 1 { one } else { several }));
        }
    }
    if us != 0 || parts.is_empty() {
        let sign = if us < 0 { "-" } else { "" };
        let us = i64::try_from(us.unsigned_abs()).unwrap_or(i64::MAX);
        parts.push(format!("{sign}{}", clock_text(us)));
    }
    parts.join(" ")
}

/// A number of single precision has its own shortest text.
fn single_text(bits: u32) -> String {
    let value = f32::from_bits(bits);
    if value.is_finite() { format!("{value}") } else { float_text(f64::from(value)) }
}

fn float_text(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    format!("{value}")
}

fn numeric_text(reader: &mut BodyReader<'_>) -> Option<String> {
    let count = reader.take_u16()?;
    let weight = i32::from(reader.take_u16()?.cast_signed());
    let sign = reader.take_u16()?;
    let scale = usize::from(reader.take_u16()?);
    let mut groups = Vec::with_capacity(count.into());
    for _ in 0..count {
        groups.push(reader.take_u16().filter(|group| *group < 10_000)?);
    }
    let mut text = match sign {
        0x0000 => String::new(),
        0x4000 => "-".to_owned(),
        0xC000 => return Some("NaN".to_owned()),
        0xD000 => return Some("Infinity".to_owned()),
        0xF000 => return Some("-Infinity".to_owned()),
        _ => return None,
    };
    let mut whole = String::new();
    for place in 0..=weight {
        write!(whole, "{:04}", numeric_group(&groups, place)).expect("a string grows");
    }
    let whole = whole.trim_start_matches('0');
    text.push_str(if whole.is_empty() { "0" } else { whole });
    if scale > 0 {
        let mut fraction = String::new();
        let mut place = weight + 1;
        // Groups before the first one that is sent are zero.
        if weight < -1 {
            fraction.push_str(&"0000".repeat(usize::try_from(-1 - weight).ok()?));
            place = 0;
        } else if weight == -1 {
            place = 0;
        }
        while fraction.len() < scale {
            write!(fraction, "{:04}", numeric_group(&groups, place)).expect("a string grows");
            place += 1;
        }
        text.push('.');
        text.push_str(&fraction[..scale]);
    }
    Some(text)
}

/// A group of four digits; those that are not sent are zero.
fn numeric_group(groups: &[u16], place: i32) -> u16 {
    usize::try_from(place).ok().and_then(|place| groups.get(place)).copied().unwrap_or(0)
}

fn uuid_text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(36);
    for (place, byte) in bytes.iter().enumerate() {
        if [4, 6, 8, 10].contains(&place) {
            text.push('-');
        }
        write!(text, "{byte:02x}").expect("a string grows");
    }
    text
}

fn network_text(reader: &mut BodyReader<'_>) -> Option<String> {
    let family = reader.take_byte()?;
    let bits = reader.take_byte()?;
    let is_cidr = reader.take_byte()? == 1;
    let length = usize::from(reader.take_byte()?);
    let address = reader.take_bytes(length)?;
    let (address, all_bits) = match (family, length) {
        (2, 4) => (Ipv4Addr::from(*address.first_chunk::<4>()?).to_string(), 32),
        (3, 16) => (Ipv6Addr::from(*address.first_chunk::<16>()?).to_string(), 128),
        _ => return None,
    };
    Some(if bits == all_bits && !is_cidr { address } else { format!("{address}/{bits}") })
}

fn bits_text(reader: &mut BodyReader<'_>) -> Option<String> {
    let count = usize::try_from(reader.take_i32()?).ok()?;
    let bytes = reader.take_bytes(count.div_ceil(8))?;
    let mut text = String::with_capacity(count);
    for place in 0..count {
        text.push(if bytes[place / 8] & (0x80 >> (place % 8)) == 0 { '0' } else { '1' });
    }
    Some(text)
}

/// Arrays of the built-in types above. Arrays of types of the application have a form of their own, and so are known by
/// it: see `array_text`.
fn is_array_type(type_oid: u32) -> bool {
    const ARRAYS: &[u32] = &[
        143, 199, 651, 1000, 1001, 1002, 1003, 1005, 1007, 1009, 1014, 1015, 1016, 1021, 1022, 1028, 1040, 1041, 1115,
        1182, 1183, 1185, 1187, 1231, 1270, 1561, 1563, 2951, 3807, 4073,
    ];
    ARRAYS.contains(&type_oid)
}

fn array_text(reader: &mut BodyReader<'_>) -> Option<String> {
    let dimensions = reader.take_u32()?;
    let _has_null = reader.take_u32()?;
    let element_type = reader.take_u32()?;
    if dimensions > DIMENSIONS || is_array_type(element_type) {
        return None;
    }
    let mut lengths = Vec::new();
    for _ in 0..dimensions {
        lengths.push(usize::try_from(reader.take_i32()?).ok()?);
        // Another lower bound is written before the array, and rare.
        if reader.take_i32()? != 1 {
            return None;
        }
    }
    let mut text = String::new();
    if lengths.is_empty() {
        return Some("{}".to_owned());
    }
    write_elements(&lengths, element_type, reader, &mut text)?;
    Some(text)
}

fn write_elements(lengths: &[usize], element_type: u32, reader: &mut BodyReader<'_>, text: &mut String) -> Option<()> {
    let (length, inner) = lengths.split_first()?;
    text.push('{');
    for place in 0..*length {
        if place > 0 {
            text.push(',');
        }
        if !inner.is_empty() {
            write_elements(inner, element_type, reader, text)?;
            continue;
        }
        match reader.take_value()? {
            None => text.push_str("NULL"),
            Some(value) => write_element(&text_of_binary(element_type, value)?, text),
        }
    }
    text.push('}');
    Some(())
}

/// An element, in quotes where it needs them.
fn write_element(element: &str, text: &mut String) {
    if !crate::mask::needs_array_quotes(element) {
        text.push_str(element);
        return;
    }
    text.push('"');
    text.push_str(&element.replace('\\', "\\\\").replace('"', "\\\""));
    text.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numeric(weight: i16, sign: u16, scale: u16, groups: &[u16]) -> Vec<u8> {
        let mut bytes = u16::try_from(groups.len()).unwrap().to_be_bytes().to_vec();
        bytes.extend(weight.to_be_bytes());
        bytes.extend(sign.to_be_bytes());
        bytes.extend(scale.to_be_bytes());
        for group in groups {
            bytes.extend(group.to_be_bytes());
        }
        bytes
    }

    #[test]
    fn numbers_are_written_as_the_server_writes_them() {
        for (bytes, expected) in [
            (numeric(0, 0, 2, &[12, 3400]), "12.34"),
            (numeric(1, 0x4000, 0, &[1, 2]), "-10002"),
            (numeric(-1, 0, 4, &[5]), "0.0005"),
            (numeric(-2, 0, 8, &[5]), "0.00000005"),
            (numeric(0, 0, 3, &[]), "0.000"),
            (numeric(2, 0, 0, &[1]), "100000000"),
            (numeric(0, 0xC000, 0, &[]), "NaN"),
        ] {
            assert_eq!(text_of_binary(1700, &bytes).as_deref(), Some(expected));
        }
        assert_eq!(text_of_binary(23, &(-5i32).to_be_bytes()).as_deref(), Some("-5"));
        assert_eq!(text_of_binary(21, &7i16.to_be_bytes()).as_deref(), Some("7"));
        assert_eq!(text_of_binary(701, &0.1f64.to_bits().to_be_bytes()).as_deref(), Some("0.1"));
        assert_eq!(text_of_binary(700, &0.1f32.to_bits().to_be_bytes()).as_deref(), Some("0.1"));
        assert_eq!(text_of_binary(23, b"\0\0"), None);
        assert_eq!(text_of_binary(23, b"\0\0\0\0\0"), None);
    }

    #[test]
    fn times_are_written_in_utc() {
        let us = 86_400_000_000i64 * 9_829 + 3_723_000_100;
        assert_eq!(text_of_binary(1184, &us.to_be_bytes()).as_deref(), Some("2026-11-29 01:02:03.0001+00"));
        assert_eq!(text_of_binary(1114, &(-1i64).to_be_bytes()).as_deref(), Some("1999-12-31 23:59:59.999999"));
        assert_eq!(text_of_binary(1082, &9_829i32.to_be_bytes()).as_deref(), Some("2026-11-29"));
        assert_eq!(text_of_binary(1082, &i32::MAX.to_be_bytes()).as_deref(), Some("infinity"));
        assert_eq!(text_of_binary(1082, &(i32::MAX - 1).to_be_bytes()), None);
        let mut interval = 3_600_000_000i64.to_be_bytes().to_vec();
        interval.extend(2i32.to_be_bytes());
        interval.extend(14i32.to_be_bytes());
        assert_eq!(text_of_binary(1186, &interval).as_deref(), Some("1 year 2 mons 2 days 01:00:00"));
    }

    #[test]
    fn arrays_are_written_with_quotes_where_they_need_them() {
        let mut array = Vec::new();
        for word in [1u32, 1, 25, 3, 1] {
            array.extend(word.to_be_bytes());
        }
        for element in [Some("a b"), None, Some("c")] {
            match element {
                None => array.extend((-1i32).to_be_bytes()),
                Some(text) => {
                    array.extend(u32::try_from(text.len()).unwrap().to_be_bytes());
                    array.extend(text.as_bytes());
                }
            }
        }
        assert_eq!(text_of_binary(1009, &array).as_deref(), Some("{\"a b\",NULL,c}"));
        for length in 0..array.len() {
            assert_eq!(text_of_binary(1009, &array[..length]), None, "{length}");
        }
    }

    #[test]
    fn types_of_the_application_are_known_where_their_form_is_a_text() {
        assert_eq!(text_of_binary(16_500, b"shipped").as_deref(), Some("shipped"));
        assert_eq!(text_of_binary(16_500, b"\0\0\0\x05"), None);
        assert_eq!(text_of_binary(600, b"0123456789abcdef"), None, "a point");
        assert_eq!(text_of_binary(869, &[2, 24, 0, 4, 10, 0, 0, 1]).as_deref(), Some("10.0.0.1/24"));
        assert_eq!(text_of_binary(2950, &[0xa0; 16]).as_deref(), Some("a0a0a0a0-a0a0-a0a0-a0a0-a0a0a0a0a0a0"));
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_make_it_panic(type_oid in 0u32..20_000, bytes: Vec<u8>) {
            text_of_binary(type_oid, &bytes);
        }
    }
}
