//! The rows of sysbench's tables in the binary COPY format. Bytes only; nothing is sent here.

use std::ops::Range;

use super::layout::Oltp;
use work::digits::{C_GROUPS, PAD_GROUPS, append_digit_groups};
use work::{DistributionSampler, Random};

/// Makes the rows of one table. The same table always gets the same rows.
#[derive(Debug)]
pub(super) struct SysbenchRows {
    sampler: DistributionSampler,
    largest_k: i64,
    random: Random,
}

impl SysbenchRows {
    /// The rows of the table with that number.
    pub(super) fn new(number: u32, oltp: &Oltp) -> SysbenchRows {
        let sampler = DistributionSampler::new(oltp.distribution);
        SysbenchRows { sampler, largest_k: i64::from(oltp.largest_k), random: Random::new(u64::from(number)) }
    }

    /// Appends the rows with these numbers, from 0, which have to come in their order.
    pub(super) fn encode_rows(&mut self, rows: Range<u64>, out: &mut Vec<u8>) {
        for row in rows {
            out.extend_from_slice(&4_i16.to_be_bytes());
            encode_int4(row as i64 + 1, out);
            encode_int4(self.sampler.draw_number(1, self.largest_k, &mut self.random), out);
            for (groups, length) in [(C_GROUPS, 119_i32), (PAD_GROUPS, 59)] {
                out.extend_from_slice(&length.to_be_bytes());
                append_digit_groups(groups, &mut self.random, out);
            }
        }
    }
}

fn encode_int4(value: i64, out: &mut Vec<u8>) {
    // Ids and keys are at most a table's size, which is checked to fit.
    let value = i32::try_from(value).expect("a key within 32 bits");
    out.extend_from_slice(&4_i32.to_be_bytes());
    out.extend_from_slice(&value.to_be_bytes());
}
