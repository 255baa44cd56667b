//! Whatever a server says to a client that it has let in: no panic, and the same in pieces as at once.
//!
//! Input: whether rows are kept (odd) and how long the pieces are, then the server's bytes.

#![no_main]

#[path = "../../tests/stream/peer.rs"]
#[allow(dead_code)]
mod peer;

use libfuzzer_sys::fuzz_target;
use wire::ResultRows;

fuzz_target!(|input: &[u8]| {
    let Some((&how, answers)) = input.split_first() else { return };
    let rows = if how % 2 == 1 { ResultRows::Keep } else { ResultRows::Skip };
    let bytes = [peer::greeting().as_slice(), answers].concat();
    let cuts: Vec<usize> = (0..bytes.len()).step_by(usize::from(how / 2) + 1).collect();
    assert_eq!(peer::events(&bytes, &cuts, rows), peer::events(&bytes, &[], rows));
});
