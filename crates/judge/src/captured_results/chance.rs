//! How often results that vary by themselves look like a difference between the sides.

/// The chance that trials of which one side's number came to one thing and the other side's to another are just those
/// of the sides, if all ways to divide them are equally likely.
pub(super) fn chance_of_split(one: usize, other: usize) -> f64 {
    let mut ways = 1.0;
    for chosen in 1..=one {
        ways *= (other + chosen) as f64 / chosen as f64;
    }
    // With as many trials on both sides, swapping them is the same division.
    if one == other { 2.0 / ways } else { 1.0 / ways }
}

/// The chance of at least so many successes in so many tries (binomial distribution).
pub(super) fn upper_tail(tries: u64, successes: u64, chance: f64) -> f64 {
    if successes == 0 || chance >= 1.0 {
        return 1.0;
    }
    if chance <= 0.0 {
        return 0.0;
    }
    let (log_chance, log_rest) = (chance.ln(), (1.0 - chance).ln());
    // Of all ways with no success; each further one multiplies it.
    let mut log_ways = 0.0;
    let mut below = 0.0;
    for count in 0..successes {
        below += (log_ways + count as f64 * log_chance + (tries - count) as f64 * log_rest).exp();
        log_ways += ((tries - count) as f64 / (count + 1) as f64).ln();
    }
    let mut above = 0.0;
    // The tail itself where it is small: 1 less what is below it would lose it.
    for count in successes..=tries.min(successes + TERMS) {
        above += (log_ways + count as f64 * log_chance + (tries - count) as f64 * log_rest).exp();
        log_ways += ((tries - count) as f64 / (count + 1) as f64).ln();
    }
    if below > 0.5 { above } else { (1.0 - below).max(above) }
}

/// Terms of the tail beyond which they add nothing that is seen.
const TERMS: u64 = 10_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_trials_of_either_side_divide_in_ten_ways() {
        assert!((chance_of_split(3, 3) - 0.1).abs() < 1e-12);
        assert!((chance_of_split(2, 2) - 1.0 / 3.0).abs() < 1e-12);
        assert!((chance_of_split(2, 3) - 0.1).abs() < 1e-12);
    }

    #[test]
    fn the_tail_is_that_of_the_binomial_distribution() {
        assert!((upper_tail(3, 3, 0.1) - 0.001).abs() < 1e-12);
        assert!((upper_tail(2, 1, 0.1) - 0.19).abs() < 1e-12);
        assert!((upper_tail(10, 5, 0.5) - 638.0 / 1024.0).abs() < 1e-12);
        assert!((upper_tail(1000, 300, 0.1)) < 1e-60);
        assert!(upper_tail(1_000_000, 100_000, 0.1) > 0.4);
    }
}
