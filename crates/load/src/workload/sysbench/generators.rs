//! What gives the variables of sysbench's statements their values. Nothing here allocates once a client's texts have
//! grown to their size.

use crate::script::command::{Generate, SharedGenerator};
use crate::script::value::ScriptValue;
use crate::script::variables::{ClientVariables, VariableSlot};
use std::sync::Arc;
use work::{Distribution, DistributionSampler, Random, digits};

/// A client's number, or any other integer that a script has set; what is not set counts as 0.
fn integer_or_zero(variables: &ClientVariables, slot: VariableSlot) -> i64 {
    variables.variable_value(slot).ok().and_then(|value| value.to_integer().ok()).unwrap_or(0)
}

/// A number from `low` to `high`.
pub(super) fn between_generator(distribution: Distribution, low: u32, high: u32) -> SharedGenerator {
    SharedGenerator(Arc::new(IntegerInRange {
        sampler: DistributionSampler::new(distribution),
        low: i64::from(low),
        high: i64::from(high),
    }))
}

#[derive(Debug)]
struct IntegerInRange {
    sampler: DistributionSampler,
    low: i64,
    high: i64,
}

impl Generate for IntegerInRange {
    fn generate_value(
        &self,
        _: &[VariableSlot],
        target: VariableSlot,
        variables: &mut ClientVariables,
        random: &mut Random,
    ) {
        variables.set_value(target, ScriptValue::Integer(self.sampler.draw_number(self.low, self.high, random)));
    }
}

/// A number from the part of `size` keys that belongs to the client of `clients` whose number is the input; the parts
/// share their ends, as in sysbench.
pub(super) fn of_own_part(distribution: Distribution, size: u32, clients: u32) -> SharedGenerator {
    let part = f64::from(size) / f64::from(clients);
    SharedGenerator(Arc::new(OfOwnPart { sampler: DistributionSampler::new(distribution), part, clients }))
}

#[derive(Debug)]
struct OfOwnPart {
    sampler: DistributionSampler,
    part: f64,
    clients: u32,
}

impl Generate for OfOwnPart {
    fn generate_value(
        &self,
        inputs: &[VariableSlot],
        target: VariableSlot,
        variables: &mut ClientVariables,
        random: &mut Random,
    ) {
        let client = integer_or_zero(variables, inputs[0]).rem_euclid(i64::from(self.clients));
        let low = self.part * client as f64;
        let value = self.sampler.draw_number(low as i64, (low + self.part) as i64, random);
        variables.set_value(target, ScriptValue::Integer(value));
    }
}

/// The input and a constant.
pub(super) fn sum_generator(constant: u32) -> SharedGenerator {
    SharedGenerator(Arc::new(Sum(i64::from(constant))))
}

#[derive(Debug)]
struct Sum(i64);

impl Generate for Sum {
    fn generate_value(
        &self,
        inputs: &[VariableSlot],
        target: VariableSlot,
        variables: &mut ClientVariables,
        _: &mut Random,
    ) {
        variables.set_value(target, ScriptValue::Integer(integer_or_zero(variables, inputs[0]) + self.0));
    }
}

/// A text of groups of digits.
pub(super) fn digit_text_generator(groups: u32) -> SharedGenerator {
    SharedGenerator(Arc::new(DigitsGenerator(groups)))
}

#[derive(Debug)]
struct DigitsGenerator(u32);

impl Generate for DigitsGenerator {
    fn generate_value(
        &self,
        _: &[VariableSlot],
        target: VariableSlot,
        variables: &mut ClientVariables,
        random: &mut Random,
    ) {
        digits::append_digit_groups(self.0, random, variables.set_text(target));
    }
}

/// A 32-bit number that no client of `clients` gets twice in 2^32 draws; the inputs are the client's number and a
/// variable for counting, which has to come before the target.
pub(super) fn unique_generator(clients: u32) -> SharedGenerator {
    SharedGenerator(Arc::new(Unique(clients)))
}

#[derive(Debug)]
struct Unique(u32);

impl Generate for Unique {
    fn generate_value(
        &self,
        inputs: &[VariableSlot],
        target: VariableSlot,
        variables: &mut ClientVariables,
        _: &mut Random,
    ) {
        let (client, drawn) = (integer_or_zero(variables, inputs[0]), integer_or_zero(variables, inputs[1]));
        // Modulo 2^32, which is what makes them 32 bits.
        let place = (drawn as u32).wrapping_mul(self.0).wrapping_add(client as u32);
        variables.set_value(target, ScriptValue::Integer(i64::from(scatter_bits(place) as i32)));
    }
}

/// One-to-one on 32 bits: every step can be undone. The constants are those of MurmurHash3's finalizer.
fn scatter_bits(place: u32) -> u32 {
    let mut bits = place;
    bits ^= bits >> 16;
    bits = bits.wrapping_mul(0x85EB_CA6B);
    bits ^= bits >> 13;
    bits = bits.wrapping_mul(0xC2B2_AE35);
    bits ^ (bits >> 16)
}

/// One more than the last time.
pub(super) fn count_generator() -> SharedGenerator {
    SharedGenerator(Arc::new(CountGenerator))
}

#[derive(Debug)]
struct CountGenerator;

impl Generate for CountGenerator {
    fn generate_value(
        &self,
        _: &[VariableSlot],
        target: VariableSlot,
        variables: &mut ClientVariables,
        _: &mut Random,
    ) {
        variables.set_value(target, ScriptValue::Integer(integer_or_zero(variables, target) + 1));
    }
}

/// The rows of a bulk INSERT: `(n,n)` with numbers that go on where the last ones ended, up to sysbench's buffer of 512
/// KiB. The input is how often that has been done, from 1 on.
pub(super) fn bulk_rows_generator() -> SharedGenerator {
    SharedGenerator(Arc::new(Bulk))
}

/// So many rows of the longest numbers fit into 512 KiB; always the same, so that the numbers can be computed.
pub(super) const BULK_ROWS: i64 = 512 * 1024 / "(2147483647,2147483647),".len() as i64;

#[derive(Debug)]
struct Bulk;

impl Generate for Bulk {
    fn generate_value(
        &self,
        inputs: &[VariableSlot],
        target: VariableSlot,
        variables: &mut ClientVariables,
        _: &mut Random,
    ) {
        let first = (integer_or_zero(variables, inputs[0]) - 1) * BULK_ROWS + 1;
        let mut digits = itoa::Buffer::new();
        let text = variables.set_text(target);
        for number in first..first + BULK_ROWS {
            let number = digits.format(number).as_bytes();
            text.push(if text.is_empty() { b'(' } else { b',' });
            if text.len() > 1 {
                text.push(b'(');
            }
            text.extend_from_slice(number);
            text.push(b',');
            text.extend_from_slice(number);
            text.push(b')');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn scattered_numbers_are_distinct() {
        let seen: BTreeSet<u32> = (0..200_000).map(scatter_bits).collect();
        assert_eq!(seen.len(), 200_000);
    }
}
