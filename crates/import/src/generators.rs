//! Several load generators at the same time: each prints an output of its own, which is a part of one trial. Their
//! outputs are never taken for repetitions; a study says whether they are added.

use std::collections::BTreeMap;

use problem::Problem;
use results::told::{LatencySpread, ToldLatency};

use super::found::{FoundTrial, TrialPart};

/// What generators are called, before their number.
const GENERATORS: [&str; 14] = [
    "client",
    "generator",
    "load generator",
    "load machine",
    "client machine",
    "client host",
    "load host",
    "driver",
    "injector",
    "load client",
    "pgbench client",
    "pgbench instance",
    "pgbench process",
    "loadgen",
];

/// The generator that a line names by its number and nothing else: `Client 1`, `client 1/2`, `[client #1]`,
/// `### Load machine 2 of 3:`.
pub(crate) fn generator_of_line(line: &str) -> Option<String> {
    let signs = ['#', '*', '=', '-', '_', ':', ' ', '[', ']', '(', ')', '`'];
    let text = line.trim().trim_matches(signs).to_lowercase();
    let text = text.split_once('/').map_or(text.as_str(), |(before, _)| before);
    let text = text.split_once(" of ").map_or(text, |(before, _)| before).trim();
    let number = text.trim_start_matches(|c: char| !c.is_ascii_digit());
    let word = text[..text.len() - number.len()].trim_end_matches([' ', '#', '-', '_']);
    let is_number = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
    (is_number && GENERATORS.contains(&word)).then(|| format!("{word} {number}"))
}

/// The generator that the last part of a file's name counts, and the parts before it: `vm` and `client 2` of
/// `vm-client2`.
pub(crate) fn generator_of_file(stem: &str) -> Option<(Vec<String>, String)> {
    let parts: Vec<&str> = stem.split(['-', '_', ' ', '.']).filter(|part| !part.is_empty()).collect();
    for count in 1..=parts.len().min(2) {
        let (before, last) = parts.split_at(parts.len() - count);
        if let Some(generator) = generator_of_line(&last.join(" ")) {
            return Some((before.iter().map(|part| (*part).to_owned()).collect(), generator));
        }
    }
    None
}

/// What the outputs of generators have in common that are parts of one trial.
type GroupOfParts = (Option<String>, Option<String>, Vec<String>, Vec<String>, Vec<String>);

fn group_of_parts(trial: &FoundTrial) -> GroupOfParts {
    let above = &trial.surroundings;
    let (headings, labels) = (above.headings.clone(), above.labels.clone());
    (trial.target.clone(), trial.workload.clone(), headings, above.settings.clone(), labels)
}

/// Adds the outputs of generators that ran at the same time: of each group, the first output of each generator is one
/// trial, the second another, and so on.
///
/// # Errors
/// When no output is of a named generator, or when generators have different numbers of outputs.
pub(crate) fn add_generators(found: Vec<FoundTrial>) -> Result<Vec<FoundTrial>, Problem> {
    let mut kept = Vec::new();
    let mut groups: Vec<(GroupOfParts, BTreeMap<String, Vec<FoundTrial>>)> = Vec::new();
    for trial in found {
        let Some(generator) = trial.surroundings.generator.clone().filter(|_| trial.part == TrialPart::Whole) else {
            kept.push(trial);
            continue;
        };
        let group = group_of_parts(&trial);
        let at = match groups.iter().position(|(other, _)| *other == group) {
            Some(at) => at,
            None => {
                groups.push((group, BTreeMap::new()));
                groups.len() - 1
            }
        };
        groups[at].1.entry(generator).or_default().push(trial);
    }
    if groups.is_empty() {
        let hint = "name each above its outputs (Client 1, Client 2), or in the names of files (vm-client1.out)";
        return Err(Problem::usage_error("the study adds generators, but no output names its generator").hint(hint));
    }
    for (_, generators) in groups {
        kept.extend(add_group(generators)?);
    }
    Ok(kept)
}

fn add_group(generators: BTreeMap<String, Vec<FoundTrial>>) -> Result<Vec<FoundTrial>, Problem> {
    let counts: Vec<String> = generators.iter().map(|(name, outputs)| format!("{} of {name}", outputs.len())).collect();
    let count = generators.values().map(Vec::len).max().unwrap_or(0);
    if generators.len() < 2 || generators.values().any(|outputs| outputs.len() != count) {
        let what = format!("outputs of generators cannot be added: there are {}", counts.join(" and "));
        return Err(Problem::usage_error(what).hint("each generator needs an output of every trial"));
    }
    let mut sums: Vec<FoundTrial> = Vec::new();
    for outputs in generators.into_values() {
        for (at, output) in outputs.into_iter().enumerate() {
            match sums.get_mut(at) {
                Some(sum) => add_output(sum, output),
                None => sums.push(output),
            }
        }
    }
    for sum in &mut sums {
        sum.surroundings.generator = None;
        // Percentiles of parts make none of the whole, and seconds of generators do not begin together.
        sum.told.latency.percentiles_ns.clear();
        sum.told.lag.percentiles_ns.clear();
        sum.seconds.clear();
    }
    Ok(sums)
}

fn add_output(sum: &mut FoundTrial, other: FoundTrial) {
    let weights = [sum.told.transactions, other.told.transactions].map(|count| count.map(|count| count as f64));
    sum.clients = sum_of(sum.clients, other.clients);
    sum.sources.extend(&other.sources);
    sum.sources.sort_unstable();
    sum.sources.dedup();
    sum.aborted = sum.aborted.take().or(other.aborted.clone());
    sum.started_s = least_of(sum.started_s, other.started_s);
    let (ours, theirs) = (&mut sum.told, other.told);
    ours.latency = latency_of_both([&ours.latency, &theirs.latency], weights);
    ours.lag = latency_of_both([&ours.lag, &theirs.lag], weights);
    ours.threads = sum_of(ours.threads, theirs.threads);
    ours.throughput_per_s = sum_of(ours.throughput_per_s, theirs.throughput_per_s);
    ours.offered_per_s = sum_of(ours.offered_per_s, theirs.offered_per_s);
    ours.transactions = sum_of(ours.transactions, theirs.transactions);
    ours.transactions_stated = sum_of(ours.transactions_stated, theirs.transactions_stated);
    ours.failed = sum_of(ours.failed, theirs.failed);
    ours.skipped = sum_of(ours.skipped, theirs.skipped);
    ours.late = sum_of(ours.late, theirs.late);
    ours.retried = sum_of(ours.retried, theirs.retried);
    ours.retries = sum_of(ours.retries, theirs.retries);
    ours.queries = None;
    ours.connecting_ns = most_of(ours.connecting_ns, theirs.connecting_ns);
    ours.duration_s = most_of(ours.duration_s, theirs.duration_s);
}

/// Mean and deviation of all transactions of two generators, and the extremes of both.
fn latency_of_both([ours, theirs]: [&ToldLatency; 2], weights: [Option<f64>; 2]) -> ToldLatency {
    let extremes = LatencySpread {
        min_ns: least_of(ours.min_ns, theirs.min_ns).filter(|_| ours.min_ns.is_some() && theirs.min_ns.is_some()),
        max_ns: most_of(ours.max_ns, theirs.max_ns).filter(|_| ours.max_ns.is_some() && theirs.max_ns.is_some()),
        ..LatencySpread::default()
    };
    let mut both = ToldLatency::with_spread(None, extremes);
    let ([Some(our_weight), Some(their_weight)], Some(our_mean), Some(their_mean)) =
        (weights, ours.mean_ns, theirs.mean_ns)
    else {
        return both;
    };
    let all = our_weight + their_weight;
    if all <= 0.0 {
        return both;
    }
    let mean = (our_mean * our_weight + their_mean * their_weight) / all;
    both.mean_ns = Some(mean);
    if let (Some(our_deviation), Some(their_deviation)) = (ours.stddev_ns, theirs.stddev_ns) {
        let ours = our_weight * (our_deviation.powi(2) + (our_mean - mean).powi(2));
        let theirs = their_weight * (their_deviation.powi(2) + (their_mean - mean).powi(2));
        both.stddev_ns = Some(((ours + theirs) / all).sqrt());
    }
    both
}

/// A sum of which no part is missing.
fn sum_of<T: std::ops::Add<Output = T>>(one: Option<T>, other: Option<T>) -> Option<T> {
    Some(one? + other?)
}

fn least_of(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

fn most_of(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.max(other)),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generator_is_named_by_its_number_alone() {
        for line in
            ["Client 1", "**Client 1:**", "### client 1", "client 1/2", "[Client #1]", "client 1 of 2", "client-1"]
        {
            assert_eq!(generator_of_line(line).as_deref(), Some("client 1"), "{line}");
        }
        for line in ["Clients 8", "8 clients", "client 1 aborted in state 8", "Run 1", "", "number of clients: 8"] {
            assert_eq!(generator_of_line(line), None, "{line}");
        }
        assert_eq!(generator_of_file("vm-client2"), Some((vec!["vm".to_owned()], "client 2".to_owned())));
        assert_eq!(generator_of_file("vm-run2"), None);
    }

    #[test]
    fn the_latency_of_two_generators_is_that_of_all_their_transactions() {
        let latency = |mean, stddev| {
            let spread = LatencySpread { stddev_ns: Some(stddev), ..LatencySpread::default() };
            ToldLatency::with_spread(Some(mean), spread)
        };
        let both = latency_of_both([&latency(1.0, 0.0), &latency(4.0, 0.0)], [Some(2.0), Some(1.0)]);
        assert_eq!(both.mean_ns, Some(2.0));
        assert!((both.stddev_ns.expect("told") - 2.0_f64.sqrt()).abs() < 1e-12, "{both:?}");
        let untold = latency_of_both([&latency(1.0, 0.0), &latency(4.0, 0.0)], [Some(2.0), None]);
        assert_eq!(untold, ToldLatency::default());
    }
}
