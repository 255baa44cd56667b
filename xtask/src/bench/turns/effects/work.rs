//! A statement that costs the server a known amount: a loop of so many steps that touches no row and no memory but its
//! own, so that twice the steps cost twice as much. How much dearer one is than another therefore follows from their
//! numbers of steps.

/// Steps of the first side's statement: some two milliseconds, of which what a transaction costs besides is a
/// hundredth.
pub(super) const UNITS: u32 = 40_000;

/// What the second side loses of its throughput by its further steps, in percent, if nothing else cost anything.
pub(super) const LOSSES: [u32; 3] = [2, 5, 10];

/// Makes the function.
pub(super) const FUNCTION: &str = "\
CREATE OR REPLACE FUNCTION pgdyno_bench_work(units integer) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE sum bigint := 0;
BEGIN
    FOR unit IN 1..units LOOP
        sum := sum + unit;
    END LOOP;
    RETURN sum;
END
$$";

/// Steps of the second side's statement.
pub(super) fn units_of(loss_percent: u32) -> u32 {
    (f64::from(UNITS) / (1.0 - f64::from(loss_percent) / 100.0)).round() as u32
}

/// Makes so many steps.
pub(super) fn statement(units: u32) -> String {
    format!("SELECT pgdyno_bench_work({units})")
}
