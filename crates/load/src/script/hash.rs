//! pgbench's hash functions and its pseudorandom permutation, bit for bit.

use super::evaluation_error::EvaluationError;
use work::Random;

/// FNV-1a over the eight bytes of `value`, lowest first.
pub(crate) fn hash_fnv1a(value: i64, seed: i64) -> i64 {
    let start = 0xcbf2_9ce4_8422_2325 ^ seed as u64;
    value.to_le_bytes().iter().fold(start, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)) as i64
}

/// MurmurHash2 of the eight bytes of `value`.
pub(crate) fn hash_murmur2(value: i64, seed: i64) -> i64 {
    const FACTOR: u64 = 0xc6a4_a793_5bd1_e995;
    let mix = |bits: u64| bits ^ (bits >> 47);
    let word = mix((value as u64).wrapping_mul(FACTOR)).wrapping_mul(FACTOR);
    // The length, eight bytes, goes in multiplied by the factor.
    let hash = (seed as u64 ^ FACTOR.wrapping_mul(8) ^ word).wrapping_mul(FACTOR);
    mix(mix(hash).wrapping_mul(FACTOR)) as i64
}

/// Where `value` (modulo `size`) goes in the permutation of 0 to `size` - 1 that belongs to `seed`: six rounds of
/// bijections of the lower and the upper half and a rotation of the whole.
///
/// # Errors
/// When the size is not positive.
pub(crate) fn permute_value(value: i64, size: i64, seed: i64) -> Result<i64, EvaluationError> {
    if size <= 0 {
        return Err(EvaluationError::PermuteSize);
    }
    if size < 2 {
        return Ok(0);
    }
    let mut random = Random::new(seed as u64);
    let size = size as u64;
    // A negative value counts as the unsigned number of the same bits.
    let mut value = value as u64 % size;
    // The half is the largest power of two that fits.
    let bits = size.ilog2();
    let mask = (1u64 << bits) - 1;
    let scramble = |value: u64, factor: u64, flip: u64| {
        let value = (value.wrapping_mul(factor) ^ flip) & mask;
        ((value << 1) & mask) | (value >> (bits - 1))
    };
    for _ in 0..6 {
        let (factor, flip) = ((random.next_bits() & mask) | 1, random.next_bits() & mask);
        if value <= mask {
            value = scramble(value, factor, flip);
        }
        let (factor, flip) = ((random.next_bits() & mask) | 1, random.next_bits() & mask);
        let mirrored = size - 1 - value;
        if mirrored <= mask {
            value = size - 1 - scramble(mirrored, factor, flip);
        }
        // Both are below 2^63, so that their sum fits.
        value = (value + random.up_to(size - 1)) % size;
    }
    Ok(value as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn hashes_are_those_of_pgbenchs_own_tests() {
        assert_eq!(hash_murmur2(10, 5432), -5_817_877_081_768_721_676);
        assert_eq!(hash_fnv1a(10, 5432), -7_793_829_335_365_542_153);
    }

    proptest! {
        #[test]
        fn a_permutation_takes_every_place_once(size in 1i64..200, seed: i64) {
            let mut places: Vec<i64> = (0..size).map(|i| permute_value(i, size, seed).expect("a size")).collect();
            places.sort_unstable();
            prop_assert!(places.into_iter().eq(0..size));
        }

        #[test]
        fn a_permutation_stays_within_its_size(value: i64, size in 1i64.., seed: i64) {
            prop_assert!((0..size).contains(&permute_value(value, size, seed).expect("a size")));
        }
    }
}
