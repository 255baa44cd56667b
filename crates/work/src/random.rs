//! Random numbers, bit for bit pgbench's (PostgreSQL 15 and later): xoroshiro128** seeded through SplitMix64.
//!
//! So `pgbench --random-seed=N` and pgdyno with seed N ask the server for the same rows in the same order, client by
//! client. Not for secrets.

/// One stream of random numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Random {
    s0: u64,
    s1: u64,
}

impl Random {
    /// The stream that belongs to `seed`.
    #[inline]
    #[must_use]
    pub fn new(seed: u64) -> Random {
        let mut seed = seed;
        let (s0, s1) = (split_mix(&mut seed), split_mix(&mut seed));
        // The generator cannot leave the all-zero state; PostgreSQL substitutes these.
        if (s0, s1) == (0, 0) {
            return Random { s0: 0x5851_F42D_4C95_7F2D, s1: 0x1405_7B7E_F767_814F };
        }
        Random { s0, s1 }
    }

    /// The next 64 random bits.
    #[inline]
    pub fn next_bits(&mut self) -> u64 {
        let (s0, mixed) = (self.s0, self.s1 ^ self.s0);
        let value = s0.wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        self.s0 = s0.rotate_left(24) ^ mixed ^ (mixed << 16);
        self.s1 = mixed.rotate_left(37);
        value
    }

    /// A number from 0 to 1 (excluded): the top 52 bits.
    #[inline]
    pub fn next_unit(&mut self) -> f64 {
        // Both factors are exact: a number below 2^52, and a power of two.
        (self.next_bits() >> 12) as f64 * (1.0 / (1u64 << 52) as f64)
    }

    /// A number from `0` to `range`, each equally likely: the top bits, drawn again until they fit.
    #[inline]
    pub fn up_to(&mut self, range: u64) -> u64 {
        if range == 0 {
            return 0;
        }
        let shift = range.leading_zeros();
        loop {
            let value = self.next_bits() >> shift;
            if value <= range {
                return value;
            }
        }
    }
}

fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut value = *state;
    value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_begins_with_split_mix_64() {
        // The published first outputs of SplitMix64 for seed 0.
        assert_eq!(Random::new(0), Random { s0: 0xE220_A839_7B1D_CDAF, s1: 0x6E78_9E6A_A1B9_65F4 });
    }

    #[test]
    fn every_value_of_a_range_comes_up_and_none_beyond_it() {
        let mut random = Random::new(42);
        let mut seen = [0u32; 7];
        for _ in 0..7_000 {
            seen[random.up_to(6) as usize] += 1;
        }
        assert!(seen.iter().all(|count| (850..1150).contains(count)), "{seen:?}");
    }
}
