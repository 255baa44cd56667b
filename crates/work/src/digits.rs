//! The texts of sysbench's rows: groups of eleven random digits, joined by dashes.

use crate::Random;

/// Groups of digits in column `c`: 119 characters.
pub const C_GROUPS: u32 = 10;

/// Groups of digits in column `pad`: 59 characters.
pub const PAD_GROUPS: u32 = 5;

const GROUP: u64 = 100_000_000_000;

/// Appends `groups` groups of eleven digits to `out`, each digit as likely as any other.
pub fn append_digit_groups(groups: u32, random: &mut Random, out: &mut Vec<u8>) {
    for group in 0..groups {
        if group > 0 {
            out.push(b'-');
        }
        let mut value = random.up_to(GROUP - 1);
        let start = out.len();
        out.resize(start + 11, b'0');
        for digit in out[start..].iter_mut().rev() {
            *digit = b'0' + (value % 10) as u8;
            value /= 10;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_the_form_of_sysbench_and_every_digit_everywhere() {
        let mut random = Random::new(1);
        for (groups, length) in [(C_GROUPS, 119), (PAD_GROUPS, 59)] {
            let mut seen = vec![[false; 10]; length];
            for _ in 0..500 {
                let mut text = Vec::new();
                append_digit_groups(groups, &mut random, &mut text);
                assert_eq!(text.len(), length);
                for (place, byte) in text.iter().enumerate() {
                    if place % 12 == 11 {
                        assert_eq!(*byte, b'-');
                    } else {
                        seen[place][usize::from(byte - b'0')] = true;
                    }
                }
            }
            let digits = seen.iter().enumerate().filter(|(place, _)| place % 12 != 11);
            assert!(digits.into_iter().all(|(_, seen)| seen.iter().all(|seen| *seen)));
        }
    }
}
