//! Random numbers of a seed: SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014), so
//! that no version of a library changes what a seed draws. What is drawn of one matter has a stream of its own.

/// A stream of random numbers.
pub struct Random {
    state: u64,
}

impl Random {
    /// The stream of a seed for one matter.
    pub fn for_matter(seed: u64, matter: &str) -> Self {
        Self { state: hash_of_seed(seed, matter) }
    }

    fn next_number(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed_bits(self.state)
    }

    /// A whole number from `low` to `high`, both included.
    pub fn number_between(&mut self, low: u64, high: u64) -> u64 {
        low + self.next_number() % (high - low + 1)
    }

    /// One of these.
    pub fn choose<T: Copy>(&mut self, of: &[T]) -> T {
        of[usize::try_from(self.number_between(0, of.len() as u64 - 1)).expect("an index")]
    }

    /// True so many times in a hundred.
    pub fn happens(&mut self, percent: u64) -> bool {
        self.number_between(1, 100) <= percent
    }
}

fn mixed_bits(state: u64) -> u64 {
    let mut z = state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A number that is as good as random, of a seed and a word (FNV-1a, mixed).
pub fn hash_of_seed(seed: u64, word: &str) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in seed.to_le_bytes().iter().chain(word.as_bytes()) {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    }
    mixed_bits(hash)
}
