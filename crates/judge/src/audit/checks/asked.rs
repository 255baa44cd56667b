//! What is asked of sides, and where it is asked of one and not of another. What the sides are named for is what is
//! compared.

use crate::audit::material::AuditedSide;
use crate::audit::outcome::VerdictFigure;

/// Counts and durations that are this close are the same.
pub(super) const SAME: f64 = 0.10;

/// Something that is asked of a side, as one of its measurements tells.
pub(super) struct RequestedOfSide<T> {
    /// What it is.
    pub(super) what: &'static str,
    /// What it was there.
    pub(super) of: fn(&T) -> Option<RequestedValue>,
}

/// What was asked.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum RequestedValue {
    /// One of several ways.
    Name(String),
    /// A number that is the same only as it stands.
    Exact(u64),
    /// A number that is measured, or written with more or fewer digits.
    About(f64),
}

/// What was compared, and what is unlike, of one work or job of the sides; each side's name goes with `work`. A side
/// that was asked for several is alike where it shares one with the baseline.
pub(super) fn compare_asked_values<'a, T: 'a>(
    all: &[RequestedOfSide<T>],
    sides: &[AuditedSide],
    work: &str,
    of_side: impl Fn(&str) -> Vec<&'a T>,
) -> (usize, Vec<VerdictFigure>) {
    let Some((first, others)) = sides.split_first() else { return (0, Vec::new()) };
    let (mut compared, mut figures) = (0, Vec::new());
    let baseline = of_side(&first.name);
    for candidate in others {
        let theirs = of_side(&candidate.name);
        for asked in all {
            let [here, there] = [&baseline, &theirs].map(|measured| distinct_asked_values(measured, asked));
            if here.is_empty() || there.is_empty() {
                continue;
            }
            // That nobody pauses is what nobody says.
            compared += usize::from(!(are_nothing(&here) && are_nothing(&there)));
            if !here.iter().any(|value| there.iter().any(|other| value.is_alike(other))) {
                figures.push(unlike_values_figure(asked.what, work, [(first, &here), (candidate, &there)]));
            }
        }
    }
    (compared, figures)
}

fn are_nothing(values: &[RequestedValue]) -> bool {
    values == [RequestedValue::About(0.0)]
}

/// What is unlike of a candidate beside the baseline, in some work: against the rule, unless the sides are named for
/// it.
pub(super) fn unlike_values_figure(
    what: &str,
    work: &str,
    [baseline, candidate]: [(&AuditedSide, &[RequestedValue]); 2],
) -> VerdictFigure {
    let name = &candidate.0.name;
    VerdictFigure {
        of: if work.is_empty() { name.clone() } else { format!("{name}, {work}") },
        text: format!("{what}: {} / {}", join_values(baseline.1), join_values(candidate.1)),
        breaks: !is_side_named_for(baseline) && !is_side_named_for(candidate),
    }
}

fn is_side_named_for((side, values): (&AuditedSide, &[RequestedValue])) -> bool {
    values.iter().any(|value| is_named_for(&side.name, value))
}

/// What was asked in these, each once.
fn distinct_asked_values<T>(measured: &[&T], asked: &RequestedOfSide<T>) -> Vec<RequestedValue> {
    let mut values: Vec<RequestedValue> = Vec::new();
    for one in measured {
        values.extend((asked.of)(one).filter(|value| !values.contains(value)));
    }
    values
}

impl RequestedValue {
    fn is_alike(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::About(one), Self::About(other)) => (one - other).abs() <= SAME * one.max(*other),
            (one, other) => one == other,
        }
    }

    fn in_words(&self) -> String {
        match self {
            Self::Name(name) => name.clone(),
            Self::Exact(number) => number.to_string(),
            Self::About(number) if number.fract() == 0.0 => format!("{number:.0}"),
            Self::About(number) => format!("{number:.1}"),
        }
    }
}

pub(super) fn join_values(values: &[RequestedValue]) -> String {
    values.iter().map(RequestedValue::in_words).collect::<Vec<_>>().join(", ")
}

/// Whether a side's name says this value: `prepared`, `scale-300`, `8threads`.
fn is_named_for(name: &str, value: &RequestedValue) -> bool {
    let name = name.to_lowercase();
    let wanted = value.in_words().to_lowercase();
    name.match_indices(&wanted).any(|(at, found)| {
        let is_same_kind = |c: Option<char>| {
            let first = wanted.chars().next().is_some_and(|c| c.is_ascii_digit());
            c.is_some_and(|c| if first { c.is_ascii_digit() } else { c.is_alphabetic() })
        };
        !is_same_kind(name[..at].chars().next_back()) && !is_same_kind(name[at + found.len()..].chars().next())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_is_named_for_what_stands_in_its_name_as_a_word_or_a_number() {
        let is = |name: &str, value: RequestedValue| is_named_for(name, &value);
        assert!(is("prepared", RequestedValue::Name("prepared".to_owned())));
        assert!(is("VM (prepared)", RequestedValue::Name("prepared".to_owned())));
        assert!(is("scale300", RequestedValue::Exact(300)));
        assert!(!is("vm-3000", RequestedValue::Exact(300)));
        assert!(!is("simplest", RequestedValue::Name("simple".to_owned())));
        assert!(!is("vm", RequestedValue::Exact(2)));
    }
}
