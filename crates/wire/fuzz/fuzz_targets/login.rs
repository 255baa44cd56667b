//! Whatever a peer says to a client that has just connected: no panic, and the same in pieces as at once. A server that
//! has let the client in goes on to its first answers.
//!
//! Input: how long the pieces are, then the peer's bytes.

#![no_main]

#[path = "../../tests/stream/peer.rs"]
#[allow(dead_code)]
mod peer;

use libfuzzer_sys::fuzz_target;
use wire::ResultRows;

fuzz_target!(|input: &[u8]| {
    let Some((&length, bytes)) = input.split_first() else { return };
    let cuts: Vec<usize> = (0..bytes.len()).step_by(usize::from(length) + 1).collect();
    assert_eq!(peer::events(bytes, &cuts, ResultRows::Keep), peer::events(bytes, &[], ResultRows::Keep));
});
