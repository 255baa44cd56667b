//! Where the time went: a delay that the test puts on the path is found there, and the parts sum to the whole.

use serde_json::Value;

use crate::delayed::{DELAY, REPORT};

const WHOLE: &str = "mean latency";

/// The figure in this column of the parts whose name begins so, in milliseconds; of all but the whole, if it is empty.
fn sum_ms(rows: &[Value], column: &str, part: &str) -> f64 {
    let name = |row: &Value| row["part"].as_str().expect("a name").to_owned();
    let of = |row: &&Value| name(row).starts_with(part) && (part == WHOLE || name(row) != WHOLE);
    rows.iter().filter(of).map(|row| row[column]["point"].as_f64().expect("a figure")).sum()
}

#[test]
fn a_delay_on_the_path_is_found_outside_the_server_and_the_parts_sum_to_the_latency() {
    let rows = REPORT["budgets"][0]["rows"].as_array().unwrap_or_else(|| panic!("no budget: {:#}", *REPORT));
    for column in ["baseline_ms", "candidate_ms", "change_ms"] {
        let (sum, whole) = (sum_ms(rows, column, ""), sum_ms(rows, column, WHOLE));
        assert!((sum - whole).abs() < 0.01 * whole.abs(), "{column}: {sum} {whole} {rows:?}");
    }
    // Of the side that has the delay. What either side has lost to a machine that stood still is in the change, too.
    let far_ms = |part| sum_ms(rows, "candidate_ms", part);
    let whole = far_ms(WHOLE);
    let delay_ms = 2.0 * DELAY.as_secs_f64() * 1e3;
    assert!(whole >= 0.99 * delay_ms, "{whole} {rows:?}");
    // A busy machine makes the sessions wait for a CPU besides, which is no part of the delay.
    let (outside, waiting) = (far_ms("outside the server"), far_ms("waiting for a CPU"));
    assert!((outside - (whole - waiting)).abs() < 0.1 * whole, "{outside} of {whole} less {waiting}: {rows:?}");
    // A program between holds the bytes back, not the network: the kernel acknowledges them at once.
    let (network, unexplained) =
        (far_ms("outside the server: network"), far_ms("outside the server: route, not observed"));
    assert!(network.abs() < 0.1 * whole, "{network} of {whole}: {rows:?}");
    assert!((unexplained - outside).abs() < 0.1 * whole, "{unexplained} of {outside}: {rows:?}");
}
