//! What a completion belongs to.

/// What a request was for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    Wake,
    Connect,
    Receive,
    Send,
}

/// What a completion belongs to, as its 64 bits of user data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CompletionTag {
    pub(super) purpose: Purpose,
    /// Of the client's connections, modulo 2^24.
    pub(super) generation: u32,
    pub(super) client: u32,
}

/// Generations that are told apart; a request of so many connections ago has long ended.
const GENERATIONS: u32 = 0xff_ffff;

impl CompletionTag {
    /// The generation after this one.
    pub(super) fn next(generation: u32) -> u32 {
        (generation + 1) & GENERATIONS
    }

    pub(super) fn to_bits(self) -> u64 {
        (self.purpose as u64) << 56 | u64::from(self.generation & GENERATIONS) << 32 | u64::from(self.client)
    }

    pub(super) fn from_bits(bits: u64) -> CompletionTag {
        let purpose = match bits >> 56 {
            0 => Purpose::Wake,
            1 => Purpose::Connect,
            2 => Purpose::Receive,
            _ => Purpose::Send,
        };
        CompletionTag { purpose, generation: (bits >> 32) as u32 & GENERATIONS, client: bits as u32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_tag_comes_back_from_its_bits(purpose in 0usize..4, generation in 0..=GENERATIONS, client: u32) {
            let purpose = [Purpose::Wake, Purpose::Connect, Purpose::Receive, Purpose::Send][purpose];
            let tag = CompletionTag { purpose, generation, client };
            prop_assert_eq!(CompletionTag::from_bits(tag.to_bits()), tag);
        }
    }

    #[test]
    fn generations_begin_again_after_the_last() {
        assert_eq!((CompletionTag::next(0), CompletionTag::next(GENERATIONS)), (1, 0));
    }
}
