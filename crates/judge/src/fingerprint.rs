//! A number that stands for some bytes, the same on every machine and in every version: FNV-1a, 64 bits.

/// Equal bytes give equal numbers.
pub(crate) fn fingerprint_of_bytes(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_published_test_vectors() {
        assert_eq!(fingerprint_of_bytes("".bytes()), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fingerprint_of_bytes("foobar".bytes()), 0x8594_4171_f739_67e8);
    }
}
