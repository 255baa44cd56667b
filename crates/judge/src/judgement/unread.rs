//! How much of the measured time nobody could read the host or the server: said where the answer stands, since whatever
//! is concluded about causes rests on the rest.

use std::collections::BTreeMap;

use results::facts::Platform;
use results::probe_fields::{ProbeName, host_cpu, pg_database};

use crate::observed::{Observed, WatchedPhase};
use crate::units;

/// Below this share of the measured time that was read it is said.
const READ_FROM: f64 = 0.9;

/// The probes that stand for all that are read in the same way.
const READERS: [ProbeName; 2] = [host_cpu::PROBE, pg_database::PROBE];

/// What was read of the measured time by one way.
#[derive(Debug, Default, Clone)]
struct Read {
    read_us: u64,
    measured_us: u64,
    reason: Option<String>,
}

/// A sentence for each target and way by which much was lost.
pub(super) fn of_run(observed: &Observed) -> Vec<String> {
    let mut by_target: BTreeMap<(&str, ProbeName), Read> = BTreeMap::new();
    for trial in observed.trials.iter().filter(|trial| trial.load.is_some()) {
        // A plan may have the probes pause for half of the time, to tell what they cost.
        if trial.observer.as_ref().is_some_and(|cost| !cost.ratios.is_empty()) {
            continue;
        }
        let Some(watched) = observed.watched.get(&trial.number) else { continue };
        for probe in READERS {
            add(by_target.entry((trial.cell.target.as_str(), probe)).or_default(), watched, probe);
        }
    }
    let mut sentences = Vec::new();
    for ((target, probe), read) in by_target {
        let in_kubernetes = observed.facts.get(target).is_some_and(|facts| facts.platform == Platform::Kubernetes);
        let what = match (probe, in_kubernetes) {
            (host_cpu::PROBE, true) => format!("the node of {target} was"),
            (host_cpu::PROBE, false) => format!("the host of {target} was"),
            _ => format!("the server statistics of {target} were"),
        };
        sentences.extend(unread_sentence(&what, &read));
    }
    sentences
}

/// What is said of a way; none where nearly all was read, or nothing was measured.
fn unread_sentence(what: &str, read: &Read) -> Option<String> {
    if read.measured_us == 0 || read.read_us as f64 >= READ_FROM * read.measured_us as f64 {
        return None;
    }
    let of = units::seconds_of(read.read_us, read.measured_us);
    let reason = read.reason.as_ref().map_or_else(String::new, |reason| format!(": {reason}"));
    Some(format!("{what} read in {of} s{reason}"))
}

fn add(read: &mut Read, watched: &WatchedPhase, probe: ProbeName) {
    let Some(covered) = watched.coverage_of_probe(probe) else { return };
    read.read_us += covered.read_us;
    read.measured_us += covered.measured_us;
    if read.reason.is_none() {
        read.reason = covered.gap.map(str::to_owned);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// A second of a trial with this reading of `host.cpu`.
    fn second(index: u64, reading: &Value) -> String {
        let line = json!({
            "phase": "measure", "index": index, "start_us": index * 1_000_000, "duration_us": 1_000_000,
            "transactions": 10, "failed": 0, "latency": null, "probes": { "host.cpu": reading },
        });
        line.to_string()
    }

    fn watched(readings: &[Value]) -> Vec<String> {
        (0..).zip(readings).map(|(index, reading)| second(index, reading)).collect()
    }

    fn said(readings: &[Value]) -> Option<String> {
        let lines = watched(readings);
        let lines = lines.iter().map(|line| serde_json::from_str(line).expect("a second")).collect();
        let mut read = Read::default();
        add(&mut read, &WatchedPhase::from_lines(lines, vec![]), host_cpu::PROBE);
        unread_sentence("the node of db was", &read)
    }

    #[test]
    fn time_that_nobody_read_is_said_and_a_late_reading_is_of_all_its_time() {
        let read = |over_us: u64| json!({ "took_us": 9, "over_us": over_us, "values": { "user_us": 1.0 } });
        let gap = json!({ "took_us": 9, "gap": "the shell has ended" });
        let late = json!({ "took_us": 9, "gap": "the shell did not answer in time" });
        let all: Vec<Value> = vec![read(1_000_000); 10];
        assert_eq!(said(&all), None);
        let mut by_turns = Vec::new();
        for _ in 0..5 {
            by_turns.extend([late.clone(), read(2_000_000)]);
        }
        assert_eq!(said(&by_turns), None, "nothing is lost");
        let ended: Vec<Value> = [vec![read(1_000_000); 3], vec![gap; 7]].concat();
        assert_eq!(said(&ended).as_deref(), Some("the node of db was read in 3 of 10 s: the shell has ended"));
        assert_eq!(said(&[]), None, "it was not attached");
    }
}
