//! The rows of the pgbench tables in the binary COPY format. Bytes only; nothing is sent here.
//!
//! A row carries its key and its branch; what is the same in every row is a default of the column ([`super::ddl`]). On
//! 10 million accounts that halves what the server has to parse and leaves out a blank-padding of `filler` per row.

use std::ops::Range;

use super::PgbenchData;
use super::table::PgbenchTable;

/// Appends the rows with the numbers `rows` (from 0) to `out`.
pub(super) fn encode_rows(table: PgbenchTable, data: &PgbenchData, rows: Range<u64>, out: &mut Vec<u8>) {
    let fields = i16::try_from(table.sent_columns().len()).expect("a handful of columns");
    for row in rows {
        out.extend_from_slice(&fields.to_be_bytes());
        match table {
            PgbenchTable::Branches => encode_int4(row + 1, out),
            PgbenchTable::Accounts if data.wide_aid() => {
                encode_int8(row + 1, out);
                encode_int4(branch_of_row(table, row), out);
            }
            PgbenchTable::Accounts | PgbenchTable::Tellers => {
                encode_int4(row + 1, out);
                encode_int4(branch_of_row(table, row), out);
            }
            // Starts empty: has no row to encode.
            PgbenchTable::History => {}
        }
    }
}

fn branch_of_row(table: PgbenchTable, row: u64) -> u64 {
    row / table.rows_per_branch() + 1
}

fn encode_int4(value: u64, out: &mut Vec<u8>) {
    // PgbenchData::new has made sure that every key of a 32-bit column fits.
    let value = i32::try_from(value).expect("a key within 32 bits");
    out.extend_from_slice(&4_i32.to_be_bytes());
    out.extend_from_slice(&value.to_be_bytes());
}

fn encode_int8(value: u64, out: &mut Vec<u8>) {
    out.extend_from_slice(&8_i32.to_be_bytes());
    out.extend_from_slice(&value.to_be_bytes());
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;

    /// Decodes a stream of rows back into numbers.
    fn decode(mut bytes: &[u8]) -> Vec<Vec<u64>> {
        let mut take = |n: usize| {
            let (head, tail) = bytes.split_at(n);
            bytes = tail;
            (head.iter().fold(0, |value, byte| value << 8 | u64::from(*byte)), tail.is_empty())
        };
        let mut rows = Vec::new();
        loop {
            let (fields, _) = take(2);
            let mut end = false;
            let row = (0..fields)
                .map(|_| {
                    let (length, _) = take(4);
                    let (value, last) = take(usize::try_from(length).expect("a small length"));
                    end = last;
                    value
                })
                .collect();
            rows.push(row);
            if end {
                return rows;
            }
        }
    }

    fn check(scale: u32, table: PgbenchTable, rows: Range<u64>, bytes_per_row: usize, expected: &[&[u64]]) {
        let data = PgbenchData::new(NonZeroU32::new(scale).expect("not zero")).expect("a valid scale");
        let mut out = Vec::new();
        encode_rows(table, &data, rows, &mut out);
        assert_eq!(decode(&out), expected);
        assert_eq!(out.len(), bytes_per_row * expected.len());
    }

    #[test]
    fn keys_count_from_one_and_branches_change_every_ten_tellers_and_hundred_thousand_accounts() {
        check(3, PgbenchTable::Branches, 0..3, 10, &[&[1], &[2], &[3]]);
        check(3, PgbenchTable::Tellers, 9..11, 18, &[&[10, 1], &[11, 2]]);
        check(3, PgbenchTable::Accounts, 99_999..100_001, 18, &[&[100_000, 1], &[100_001, 2]]);
    }

    #[test]
    fn a_wide_aid_has_eight_bytes() {
        check(30_000, PgbenchTable::Accounts, 2_999_999_999..3_000_000_000, 22, &[&[3_000_000_000, 30_000]]);
    }
}
