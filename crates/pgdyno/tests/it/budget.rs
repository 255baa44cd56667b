//! Where the time went: a delay that the test puts on the path is found there, and the parts sum to the whole.

use serde_json::Value;

use crate::delayed::{self, DELAY};
use crate::lab::Lab;

const WHOLE: &str = "mean latency";

/// The change of the parts whose name begins so, in milliseconds; of all but the whole, if it is empty.
fn change_ms(rows: &[Value], part: &str) -> f64 {
    let name = |row: &Value| row["part"].as_str().expect("a name").to_owned();
    let of = |row: &&Value| name(row).starts_with(part) && (part == WHOLE || name(row) != WHOLE);
    rows.iter().filter(of).map(|row| row["change_ms"]["point"].as_f64().expect("a figure")).sum()
}

#[test]
fn a_delay_on_the_path_is_found_outside_the_server_and_the_parts_sum_to_the_latency() {
    let lab = Lab::new();
    let ended = delayed::run(&lab);
    let json = ended.json();
    let rows = json["budgets"][0]["rows"].as_array().unwrap_or_else(|| panic!("no budget: {ended}"));
    let (sum, whole) = (change_ms(rows, ""), change_ms(rows, WHOLE));
    assert!((sum - whole).abs() < 0.01 * whole.abs(), "{sum} {whole} {rows:?}");
    let delay_ms = 2.0 * DELAY.as_secs_f64() * 1e3;
    assert!(whole >= 0.9 * delay_ms, "{whole} {rows:?}");
    // A busy machine makes the sessions wait for a CPU besides, which is no part of the delay.
    let (outside, waiting) = (change_ms(rows, "outside the server"), change_ms(rows, "waiting for a CPU"));
    assert!((outside - (whole - waiting)).abs() < 0.1 * whole, "{outside} of {whole} less {waiting}: {rows:?}");
    // A program between holds the bytes back, not the network: the kernel acknowledges them at once.
    let (network, unexplained) =
        (change_ms(rows, "outside the server: network"), change_ms(rows, "outside the server: path unexplained"));
    assert!(network.abs() < 0.1 * whole, "{network} of {whole}: {rows:?}");
    assert!((unexplained - outside).abs() < 0.1 * whole, "{unexplained} of {outside}: {rows:?}");
}
