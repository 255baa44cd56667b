//! Messages whose frame is right and whose body is anything: reading all that an event offers does not panic, and what
//! was understood of a message does not depend on the one before it.
//!
//! Input: the type byte, then the body.

#![no_main]

#[path = "../../tests/stream/peer.rs"]
#[allow(dead_code)]
mod peer;

use libfuzzer_sys::fuzz_target;
use wire::ResultRows;

fuzz_target!(|input: &[u8]| {
    let Some((&tag, body)) = input.split_first() else { return };
    let message = peer::message(tag, body);
    let once = peer::events(&[peer::greeting(), message.clone()].concat(), &[], ResultRows::Keep);
    let twice = peer::events(&[peer::greeting(), message.clone(), message].concat(), &[], ResultRows::Keep);
    assert!(twice.starts_with(&once));
});
