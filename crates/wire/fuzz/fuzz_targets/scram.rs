//! A server that speaks SCRAM, and is right, nearly right or quite wrong: no panic, and it is only trusted when it has
//! sent the signature that its part of the dialogue calls for.
//!
//! Input: the mechanisms that it offers, its first message, its last message, and what it says after that, a line each.
//! `%n` stands for the client's nonce, `%v` for the right signature.

#![no_main]

#[path = "../../tests/stream/peer.rs"]
#[allow(dead_code)]
mod peer;
#[path = "../../tests/stream/scram_server.rs"]
mod scram_server;

use libfuzzer_sys::fuzz_target;
use scram_server::ScramServer;

/// A client's answer starts with a type byte and a length.
const HEADER: usize = 5;

fuzz_target!(|input: &[u8]| {
    let mut lines = input.splitn(4, |&byte| byte == b'\n');
    let [Some(mechanisms), Some(first), Some(last)] = std::array::from_fn(|_| lines.next()) else { return };
    let Ok(first) = std::str::from_utf8(first) else { return };
    if is_slow(first) {
        return;
    }
    let mut connection = peer::start();
    let count = connection.outgoing_bytes().len();
    connection.mark_sent(count);
    let mut said = Vec::new();

    let offered = [b"\0\0\0\x0a", mechanisms, b"\0\0"].concat();
    if !peer::hear(&mut connection, &peer::message(b'R', &offered), &mut said) {
        return;
    }
    let answered = connection.outgoing_bytes()[HEADER..].to_vec();
    let count = connection.outgoing_bytes().len();
    connection.mark_sent(count);
    let client_first = answered.strip_prefix(b"SCRAM-SHA-256\0").expect("the only mechanism that is supported");
    let client_first = std::str::from_utf8(&client_first[4..]).expect("text");
    let server = ScramServer::answer(client_first, "sesame", first).expect("a first message of SCRAM");

    let body = [b"\0\0\0\x0b", server.first().as_bytes()].concat();
    if !peer::hear(&mut connection, &peer::message(b'R', &body), &mut said) {
        return;
    }
    let client_last = String::from_utf8(connection.outgoing_bytes()[HEADER..].to_vec()).expect("text");
    let count = connection.outgoing_bytes().len();
    connection.mark_sent(count);
    let signature = server.signature(&client_last).expect("the client has proved that it knows the password");

    let last = replace(last, b"%v", signature.as_bytes());
    let trusted = peer::hear(&mut connection, &peer::message(b'R', &[b"\0\0\0\x0c", &last[..]].concat()), &mut said);
    assert!(!trusted || contains(&last, signature.as_bytes()), "trusted without the signature");
    if trusted {
        peer::hear(&mut connection, lines.next().unwrap_or_default(), &mut said);
    }
});

/// The number of iterations is the server's choice, and only costs time.
fn is_slow(first: &str) -> bool {
    first.split(|c: char| !c.is_ascii_digit()).any(|number| number.trim_start_matches('0').len() > 3)
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

fn replace(text: &[u8], part: &[u8], by: &[u8]) -> Vec<u8> {
    match text.windows(part.len()).position(|window| window == part) {
        Some(at) => [&text[..at], by, &text[at + part.len()..]].concat(),
        None => text.to_vec(),
    }
}
