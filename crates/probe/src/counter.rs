//! The increase of one counter between two snapshots. A counter that went backwards has no increase: it is an error.

use std::collections::BTreeMap;
#[cfg(test)]
use std::collections::BTreeSet;
use std::fmt::Display;

use results::probe_fields::ProbeField;
#[cfg(test)]
use results::probe_fields::ProbeName;

/// The figures of one reading, by name with the unit in it.
pub(crate) type ReadingValues = BTreeMap<String, f64>;

/// A counter that is smaller than it was: something started it anew, so the increase is unknown.
#[derive(Debug, PartialEq, thiserror::Error)]
#[error("the counter {name} decreased from {before} to {after}")]
pub(crate) struct Backwards {
    name: String,
    before: String,
    after: String,
}

impl Backwards {
    pub(crate) fn new(name: &str, before: impl Display, after: impl Display) -> Self {
        Self { name: name.to_owned(), before: before.to_string(), after: after.to_string() }
    }
}

/// `after - before`, exact before it is rounded to the nearest `f64`.
pub(crate) fn counter_increase(name: &str, before: u64, after: u64) -> Result<f64, Backwards> {
    match after.checked_sub(before) {
        Some(difference) => Ok(difference as f64),
        None => Err(Backwards::new(name, before, after)),
    }
}

/// The same, by the name of the figure.
pub(crate) fn increase_of(field: ProbeField, before: u64, after: u64) -> Result<(String, f64), Backwards> {
    Ok((field.name.to_owned(), counter_increase(field.name, before, after)?))
}

/// `after - before` of a counter that the kernel keeps in 32 bits: one wrap between the two is not a step backwards.
///
/// A device that was replaced would look like a wrap too. The caller therefore takes the increase of a 64-bit counter
/// of the same device first, which shows that.
pub(crate) fn increase_u32(before: u64, after: u64) -> f64 {
    f64::from((after as u32).wrapping_sub(before as u32))
}

/// Panics unless these are all figures of a probe, so that there is no constant that is never written.
#[cfg(test)]
pub(crate) fn assert_every_field(probe: ProbeName, values: &ReadingValues) {
    let names: BTreeSet<&str> = probe.fields().iter().map(|field| field.name).collect();
    assert_eq!(values.keys().map(String::as_str).collect::<BTreeSet<_>>(), names, "{probe}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_increase_is_exact_where_an_f64_could_not_tell_the_counters_apart() {
        assert_eq!(counter_increase("bytes", (1 << 60) + 1, (1 << 60) + 4), Ok(3.0));
    }

    #[test]
    fn a_counter_that_went_backwards_is_an_error_that_names_it() {
        let error = counter_increase("reads", 10, 9).unwrap_err();
        assert_eq!(error.to_string(), "the counter reads decreased from 10 to 9");
    }

    #[test]
    fn a_32_bit_counter_may_wrap_once() {
        assert_eq!(increase_u32(u64::from(u32::MAX) - 1, 3), 5.0);
        assert_eq!(increase_u32(7, 7), 0.0);
    }
}
