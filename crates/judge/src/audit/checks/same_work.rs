//! Every side was asked to do the same: as many rows, in the same mode, by as many threads, for as long.
//!
//! A side that was measured at several of them is alike where it shares one with the others. What the sides are named
//! for is what is compared.

use std::collections::BTreeSet;

use super::{About, Check};
use crate::audit::material::{Material, TrialAccount};
use crate::audit::outcome::{CheckResult, Figure, Weight};

pub(super) const CHECK: Check = Check {
    id: "same-work",
    about: About::Transactions,
    rule: "the same workload is asked of every side alike: script, clients, rate, time to think, connections, scale, query mode, queries \
           per transaction, threads and duration, unless that is what the sides are named for",
    judge,
};

/// Counts and durations that are this close are the same.
const SAME: f64 = 0.10;

/// Something that is asked of a side.
struct Asked {
    what: &'static str,
    of: fn(&TrialAccount) -> Option<Value>,
}

#[derive(Debug, Clone, PartialEq)]
enum Value {
    Name(String),
    /// A number that is the same only as it stands.
    Exact(u32),
    /// A number that is measured, or written with more or fewer digits.
    About(f64),
}

const ASKED: [Asked; 8] = [
    Asked { what: "transactions that are to begin per second", of: |trial| trial.offered_per_s.map(Value::About) },
    Asked {
        what: "time to think",
        of: |trial| Some(Value::About(trial.between_ms.filter(|_| trial.reconnects != Some(true))?)),
    },
    Asked {
        what: "connections",
        of: |trial| {
            trial.reconnects.map(|each| Value::Name(if each { "one for each transaction" } else { "kept" }.to_owned()))
        },
    },
    Asked { what: "scale", of: |trial| trial.scale.map(Value::Exact) },
    Asked { what: "query mode", of: |trial| trial.query_mode.clone().map(Value::Name) },
    Asked { what: "queries of a transaction", of: |trial| trial.queries_per_transaction.map(Value::About) },
    Asked { what: "threads of the generator", of: |trial| trial.threads.map(Value::Exact) },
    Asked { what: "seconds of a trial", of: |trial| trial.stated_s.map(Value::About) },
];

fn judge(material: &Material) -> CheckResult {
    let told: Vec<&TrialAccount> = material.trials.iter().filter(|trial| trial.work.is_some()).collect();
    if told.is_empty() && !material.trials.is_empty() {
        return CheckResult::holds(vec![Figure::fine("all sides", "asked by one plan")]);
    }
    let mut compared = 0;
    let mut figures: Vec<Figure> = without_common_cell(material, &told);
    for work in works(&told) {
        for asked in &ASKED {
            let values = |side: &str| values(&told, work, side, asked);
            let Some((first, others)) = material.sides.split_first() else { continue };
            let baseline = values(&first.name);
            for candidate in others {
                let theirs = values(&candidate.name);
                if baseline.is_empty() || theirs.is_empty() {
                    continue;
                }
                // That nobody pauses is what nobody says.
                compared += u32::from(baseline != [Value::About(0.0)] || theirs != [Value::About(0.0)]);
                let is_shared = baseline.iter().any(|value| theirs.iter().any(|other| value.is_alike(other)));
                if !is_shared {
                    let [a, b] = [&baseline, &theirs].map(|values| listed(values));
                    let breaks = ![(&first.name, &baseline), (&candidate.name, &theirs)]
                        .iter()
                        .any(|(name, values)| values.iter().any(|value| is_named_for(name, value)));
                    let of =
                        if work.is_empty() { candidate.name.clone() } else { format!("{}, {work}", candidate.name) };
                    figures.push(Figure { of, text: format!("{}: {a} / {b}", asked.what), breaks });
                }
            }
        }
    }
    if figures.iter().any(|figure| figure.breaks) {
        let consequence = "the sides did not do the same: more rows, longer trials, other statements or fewer threads make a difference of \
                           their own, which is taken for the servers'";
        return CheckResult::broken(Weight::Comparison, figures, consequence);
    }
    if compared == 0 {
        let needs = "scale, query mode, threads or duration of one workload on two sides";
        return CheckResult::cannot_tell(needs, figures);
    }
    let alike = Figure::fine("all sides", "asked alike, as far as is told");
    CheckResult::holds(if figures.is_empty() { vec![alike] } else { figures })
}

/// Sides that were asked for one workload each, and not the same, or for the same at other numbers of clients only.
fn without_common_cell(material: &Material, told: &[&TrialAccount]) -> Vec<Figure> {
    let Some((first, others)) = material.sides.split_first() else { return Vec::new() };
    let of = |side: &str| told.iter().copied().filter(move |trial| trial.side == side).collect::<Vec<_>>();
    let baseline = of(&first.name);
    let unlike = |candidate: &str| {
        let theirs = of(candidate);
        let [here, there] = [works(&baseline), works(&theirs)];
        let ([one], [other]) = (here.as_slice(), there.as_slice()) else { return None };
        if one != other {
            return Some(("script", (*one).to_owned(), (*other).to_owned()));
        }
        let clients = |trials: &[&TrialAccount]| -> Option<BTreeSet<u32>> {
            trials.iter().map(|trial| trial.clients.known()).collect()
        };
        let [here, there] = [clients(&baseline)?, clients(&theirs)?];
        let list = |clients: &BTreeSet<u32>| clients.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
        here.is_disjoint(&there).then(|| ("clients", list(&here), list(&there)))
    };
    let figure = |(name, (what, a, b)): (&String, (&str, String, String))| {
        let breaks = ![(&first.name, &a), (name, &b)]
            .iter()
            .any(|(name, value)| is_named_for(name, &Value::Name((*value).clone())));
        Figure { of: name.clone(), text: format!("{what}: {a} / {b}"), breaks }
    };
    let all = others.iter().filter_map(|side| Some((&side.name, unlike(&side.name)?)));
    all.filter(|(_, (_, a, b))| !a.is_empty() && !b.is_empty()).map(figure).collect()
}

fn works<'a>(told: &[&'a TrialAccount]) -> Vec<&'a str> {
    let mut works: Vec<&str> = told.iter().filter_map(|trial| trial.work.as_deref()).collect();
    works.sort_unstable();
    works.dedup();
    works
}

/// What was asked of a side in one workload, each once.
fn values(told: &[&TrialAccount], work: &str, side: &str, asked: &Asked) -> Vec<Value> {
    let mut values: Vec<Value> = Vec::new();
    for trial in told.iter().filter(|trial| trial.side == side && trial.work.as_deref() == Some(work)) {
        values.extend((asked.of)(trial).filter(|value| !values.contains(value)));
    }
    values
}

impl Value {
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

fn listed(values: &[Value]) -> String {
    values.iter().map(Value::in_words).collect::<Vec<_>>().join(", ")
}

/// Whether a side's name says this value: `prepared`, `scale-300`, `8threads`.
fn is_named_for(name: &str, value: &Value) -> bool {
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
        let is = |name: &str, value: Value| is_named_for(name, &value);
        assert!(is("prepared", Value::Name("prepared".to_owned())));
        assert!(is("VM (prepared)", Value::Name("prepared".to_owned())));
        assert!(is("scale300", Value::Exact(300)));
        assert!(!is("vm-3000", Value::Exact(300)));
        assert!(!is("simplest", Value::Name("simple".to_owned())));
        assert!(!is("vm", Value::Exact(2)));
    }
}
