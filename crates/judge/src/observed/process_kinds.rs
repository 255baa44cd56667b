//! What the server's processes beyond the load's sessions used, by kind, from `host.processes`. A kind of which a
//! reading has no process used nothing then.

use std::collections::BTreeMap;

use results::probe_fields::host_processes;
use results::process_figures::{OTHER_SESSIONS, PARALLEL_WORKER_OF_LOAD, POSTMASTER, ProcessFigure};

use super::WatchedPhase;
use super::watched::COVERED_FROM;

/// By kind, what it used per second; of [`ProcessFigure::Processes`] the mean number.
pub(crate) type ProcessKinds = BTreeMap<String, BTreeMap<ProcessFigure, f64>>;

impl WatchedPhase {
    /// What each kind used per second of the measurement phase, whoever's turn it was; none where too little of it was
    /// read. Bytes are absent of a kind of which a reading lacks them.
    pub(crate) fn process_kinds(&self) -> Option<ProcessKinds> {
        let counted = self.sums_by_name(host_processes::PROBE)?;
        let measured_us: u64 = self.seconds.iter().map(|second| second.duration_us).sum();
        if counted.readings == 0 || (counted.over_us as f64) < COVERED_FROM * measured_us as f64 {
            return None;
        }
        let over_s = counted.over_us as f64 / 1e6;
        let mut kinds = ProcessKinds::new();
        for (name, sum) in &counted.sums {
            let Some((kind, figure)) = ProcessFigure::from_name(name) else { continue };
            let readings_of_kind = counted.sums.get(&ProcessFigure::Processes.name_of_kind(kind));
            if readings_of_kind.is_none_or(|of_kind| of_kind.readings != sum.readings) {
                continue;
            }
            let amount = match figure {
                ProcessFigure::Processes => sum.sum / counted.readings as f64,
                ProcessFigure::CpuUs
                | ProcessFigure::RunDelayUs
                | ProcessFigure::ReadBytes
                | ProcessFigure::WrittenBytes => sum.sum / over_s,
            };
            kinds.entry(kind.to_owned()).or_default().insert(figure, amount);
        }
        Some(kinds)
    }

    /// The seconds of the measurement phase, whoever's turn it was.
    pub(crate) fn whole_length_s(&self) -> f64 {
        self.seconds.iter().map(|second| second.duration_us as f64 / 1e6).sum()
    }
}

/// What the processes of a kind are called: `walsender processes`.
pub(crate) fn kind_in_words(kind: &str) -> String {
    match kind {
        OTHER_SESSIONS => kind.to_owned(),
        POSTMASTER => "the postmaster".to_owned(),
        PARALLEL_WORKER_OF_LOAD => "parallel workers of the load".to_owned(),
        kind => format!("{kind} processes"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// One second for each of these readings.
    fn watched_readings(readings: &[Value]) -> WatchedPhase {
        let mut lines = Vec::new();
        for (second, reading) in readings.iter().enumerate() {
            let line = json!({ "phase": "measure", "index": second, "start_us": second * 1_000_000,
                "duration_us": 1_000_000, "transactions": 50, "failed": 0, "probes": { "host.processes": reading } });
            lines.push(line.to_string());
        }
        WatchedPhase::from_lines(lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect(), vec![])
    }

    fn reading_with(values: &Value) -> Value {
        json!({ "took_us": 1, "over_us": 1_000_000, "values": values })
    }

    #[test]
    fn a_kind_that_is_not_always_there_used_nothing_in_the_other_seconds() {
        let own = json!({ "checkpointer.processes": 1.0, "checkpointer.cpu_us": 10.0 });
        let with_worker = json!({ "checkpointer.processes": 1.0, "checkpointer.cpu_us": 30.0,
            "autovacuum worker.processes": 2.0, "autovacuum worker.cpu_us": 400.0 });
        let kinds = watched_readings(&[reading_with(&own), reading_with(&with_worker)]).process_kinds().unwrap();
        assert_eq!(kinds["checkpointer"][&ProcessFigure::CpuUs], 20.0);
        assert_eq!(kinds["autovacuum worker"][&ProcessFigure::CpuUs], 200.0);
        assert_eq!(kinds["autovacuum worker"][&ProcessFigure::Processes], 1.0);
    }

    #[test]
    fn bytes_that_one_reading_lacks_are_not_told() {
        let with_bytes = json!({ "walsender.processes": 1.0, "walsender.cpu_us": 1.0, "walsender.read_bytes": 5.0 });
        let without = json!({ "walsender.processes": 1.0, "walsender.cpu_us": 1.0 });
        let kinds = watched_readings(&[reading_with(&with_bytes), reading_with(&without)]).process_kinds().unwrap();
        assert!(!kinds["walsender"].contains_key(&ProcessFigure::ReadBytes), "{kinds:?}");
    }

    #[test]
    fn readings_of_less_than_half_of_the_time_tell_nothing() {
        let gap = json!({ "took_us": 1, "gap": "could not read" });
        let own = reading_with(&json!({ "checkpointer.processes": 1.0, "checkpointer.cpu_us": 10.0 }));
        assert_eq!(watched_readings(&[gap.clone(), gap, own]).process_kinds(), None);
    }
}
