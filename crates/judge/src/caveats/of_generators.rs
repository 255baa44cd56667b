//! What several generators that send a load as one say of each other: one that sees another latency, or another round
//! trip, than the rest of them, or that is another machine. Their figures are compared within each trial, and the
//! trials of a cell are the observations: more generators make more load, and never more observations.

use std::collections::BTreeMap;

use results::load_place::LoadPlaceFacts;
use results::path::NetworkPath;
use results::trial::{Cell, GeneratorTotals, Trial, TrialOutcome};
use stats::paired::change_of_log_ratios;
use stats::stopping::FEWEST_BLOCKS;
use stats::{ConfidenceLevel, Estimate};

use super::Caveat;
use crate::thresholds::GENERATORS_DIFFER;

/// What differs between the generators of a load.
#[derive(Debug, Clone, PartialEq)]
pub enum GeneratorDifference {
    /// A figure of it is another one than that of the others together.
    Figure {
        /// What is compared.
        figure: &'static str,
        /// Its change against the others.
        change: Estimate,
    },
    /// It is another machine, as this says.
    Machine(String),
}

/// The caveats of all trials whose load several generators sent, by trial number.
pub(super) fn of_generators(trials: &[Trial], place: Option<&LoadPlaceFacts>) -> BTreeMap<u32, Vec<Caveat>> {
    let mut cells: BTreeMap<&Cell, Vec<(u32, &[GeneratorTotals])>> = BTreeMap::new();
    for trial in trials.iter().filter(|trial| trial.outcome == TrialOutcome::Completed) {
        if let Some(load) = trial.load.as_ref().filter(|load| load.generators.len() > 1) {
            cells.entry(&trial.cell).or_default().push((trial.number, &load.generators));
        }
    }
    let unlike_machine = place.and_then(unlike_machine);
    let mut caveats: BTreeMap<u32, Vec<Caveat>> = BTreeMap::new();
    for of_trials in cells.values() {
        let generators: Vec<&[GeneratorTotals]> = of_trials.iter().map(|(_, generators)| *generators).collect();
        let found = most_different(&generators).or_else(|| unlike_machine.clone());
        for (number, _) in of_trials {
            caveats.entry(*number).or_default().extend(found.clone());
        }
    }
    caveats
}

/// The generator whose figure is furthest from that of the others, beyond chance and beyond what matters.
fn most_different(trials: &[&[GeneratorTotals]]) -> Option<Caveat> {
    let count = trials.iter().map(|generators| generators.len()).min()?;
    // Each figure of each generator is asked.
    let asked = FIGURES.len() * count;
    let level = ConfidenceLevel::new(1.0 - (1.0 - ConfidenceLevel::NINETY_FIVE.as_share()) / asked as f64)?;
    let mut furthest: Option<(f64, Caveat)> = None;
    for (figure, value) in FIGURES {
        for place in 0..count {
            let ratios: Vec<f64> = trials.iter().filter_map(|generators| log_ratio(generators, place, value)).collect();
            if ratios.len() < FEWEST_BLOCKS {
                continue;
            }
            let Some(change) = change_of_log_ratios(&ratios, level) else { continue };
            let beyond = change.interval.low.max(-change.interval.high);
            if beyond > GENERATORS_DIFFER && furthest.as_ref().is_none_or(|(so_far, _)| beyond > *so_far) {
                let generator = trials[0][place].generator.clone();
                let of = GeneratorDifference::Figure { figure, change };
                furthest = Some((beyond, Caveat::GeneratorDiffers { generator, of }));
            }
        }
    }
    furthest.map(|(_, caveat)| caveat)
}

type FigureOfGenerator = fn(&GeneratorTotals) -> Option<f64>;

const FIGURES: [(&str, FigureOfGenerator); 2] = [("mean latency", mean_latency_ns), ("round trip", round_trip_us)];

fn mean_latency_ns(generator: &GeneratorTotals) -> Option<f64> {
    generator.latency.map(|latency| latency.mean_ns)
}

/// The shortest that the kernel measured on its connections, on average over them.
fn round_trip_us(generator: &GeneratorTotals) -> Option<f64> {
    match generator.path.as_ref()?.network {
        NetworkPath::Tcp(figures) => Some(figures.rtt_us_min),
        NetworkPath::Unix | NetworkPath::Unknown { .. } => None,
    }
}

/// ln(figure of one / mean of the others by their transactions), in one trial.
fn log_ratio(generators: &[GeneratorTotals], place: usize, value: FigureOfGenerator) -> Option<f64> {
    let own = value(generators.get(place)?)?;
    let (mut sum, mut transactions) = (0.0, 0.0);
    for (other, generator) in generators.iter().enumerate() {
        if other != place {
            sum += value(generator)? * generator.transactions as f64;
            transactions += generator.transactions as f64;
        }
    }
    Some((own * transactions / sum).ln()).filter(|ratio| ratio.is_finite())
}

/// The first generator that is another machine than the first of all. That io_uring is not permitted on one is no
/// difference: then none uses it.
fn unlike_machine(place: &LoadPlaceFacts) -> Option<Caveat> {
    let first = LoadPlaceFacts { io_uring_refused: None, others: Vec::new(), ..place.clone() };
    place.others.iter().find_map(|other| {
        let other = LoadPlaceFacts { io_uring_refused: None, ..other.clone() };
        let what = first.machine_differs_in_words(&other)?;
        Some(Caveat::GeneratorDiffers { generator: other.name, of: GeneratorDifference::Machine(what) })
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::caveats::in_words;

    fn totals(number: u32, mean_ms: f64, rtt_us: f64) -> GeneratorTotals {
        let ns = mean_ms * 1e6;
        serde_json::from_value(json!({
            "generator": format!("farm/{number}"), "first_client": 0, "clients": 4, "clock_error_us": 90, "late_us": 0,
            "transactions": 1000, "failed": 0,
            "latency": { "mean_ns": ns, "stddev_ns": 1.0, "min_ns": 1, "p50_ns": 1, "p95_ns": 1, "p99_ns": 1,
                         "p999_ns": 1, "max_ns": 1 },
            "engine": { "backend": "epoll", "threads": 1, "cpu_us": 1, "cpu_system_us": null, "busiest_thread": 0.1,
                        "loop_lag_ns_max": 1 },
            "path": { "round_trips": 1, "received_bytes": 1, "engine_us": 1, "script_us": 0,
                      "network": { "kind": "tcp", "readings": 1, "rtt_us_min": rtt_us, "rtt_us_smoothed": 1.0,
                                   "retransmits": 0, "lost": 0 } },
        }))
        .expect("totals")
    }

    fn found(trials: &[Vec<GeneratorTotals>]) -> Option<Caveat> {
        most_different(&trials.iter().map(Vec::as_slice).collect::<Vec<_>>())
    }

    #[test]
    fn a_generator_that_is_slower_in_every_trial_is_named_with_its_figure() {
        let trial = |slower: f64| vec![totals(1, 2.0, 100.0), totals(2, slower, 100.0), totals(3, 2.0, 100.0)];
        let trials = [trial(2.5), trial(2.52), trial(2.49), trial(2.51)];
        let Some(Caveat::GeneratorDiffers { generator, of: GeneratorDifference::Figure { figure, change } }) =
            found(&trials)
        else {
            panic!("{:?}", found(&trials))
        };
        assert_eq!((generator.as_str(), figure), ("farm/2", "mean latency"));
        assert!((change.point - 0.2525).abs() < 0.01, "{change:?}");
        let far = |rtt: f64| vec![totals(1, 2.0, 100.0), totals(2, 2.0, rtt)];
        let caveat = found(&[far(150.0), far(151.0), far(149.0)]).expect("it is farther");
        let (text, _) = in_words(&caveat);
        assert!(text.contains("round trip") && text.contains("farm/"), "{text}");
    }

    #[test]
    fn chance_is_no_difference_nor_are_two_trials_or_what_does_not_matter() {
        let trial = |one: f64, other: f64| vec![totals(1, one, 100.0), totals(2, other, 100.0)];
        assert_eq!(found(&[trial(2.0, 2.6), trial(2.6, 2.0), trial(2.1, 2.2), trial(2.3, 2.2)]), None);
        assert_eq!(found(&[trial(2.0, 2.6), trial(2.0, 2.61)]), None);
        assert_eq!(found(&[trial(2.0, 2.04), trial(2.0, 2.04), trial(2.0, 2.041)]), None);
    }

    #[test]
    fn another_machine_is_named_and_io_uring_alone_is_none() {
        let facts = |name: &str, cpus: u32, refused: Option<&str>| {
            LoadPlaceFacts {
            cpus,
            io_uring_refused: refused.map(str::to_owned),
            ..serde_json::from_value(json!({
                "format": 1, "name": name, "read_at": "2026-11-20T09:12:00Z", "place": { "ssh": { "destination": "a" } },
                "pgdyno_version": "0.1.0", "cpus": 1, "kernel": "6.1", "clock_error_us": 1,
            }))
            .expect("facts")
        }
        };
        let with = |other: LoadPlaceFacts| LoadPlaceFacts { others: vec![other], ..facts("farm/1", 4, None) };
        assert_eq!(unlike_machine(&with(facts("farm/2", 4, Some("not permitted")))), None);
        let caveat = unlike_machine(&with(facts("farm/2", 2, None))).expect("it has fewer CPUs");
        let (text, _) = in_words(&caveat);
        assert!(text.contains("farm/2") && text.contains("4") && text.contains("2"), "{text}");
    }
}
