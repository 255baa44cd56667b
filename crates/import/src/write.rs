//! What was gathered → a run directory.

use std::collections::BTreeMap;
use std::path::Path;

use jiff::{SignedDuration, Timestamp};
use results::interval::TrialInterval;
use results::run::{self, Run, Schedule};
use results::store::RunDir;
use results::trial::{self, PhaseRecord, Role, Trial, TrialOutcome, TrialPhase};

use super::found::{FoundInterval, Placed};
use super::gather::Gathered;
use problem::Problem;

/// Writes a run below `parent`, named after `now`.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn write_run(gathered: &Gathered, parent: &Path, now: Timestamp) -> Result<RunDir, Problem> {
    let slug = directory_slug(&gathered.name);
    let stamp = now.strftime("%Y-%m-%dT%H-%M-%S");
    let mut attempt = 1;
    let dir = loop {
        let suffix = if attempt == 1 { String::new() } else { format!("-{attempt}") };
        let run = Run {
            format: run::FORMAT,
            id: format!("{stamp}-{slug}{suffix}"),
            name: gathered.name.clone(),
            pgdyno_version: env!("CARGO_PKG_VERSION").to_owned(),
            started_at: now,
            generator: None,
            schedule: Schedule { seed: 0, trials: Vec::new() },
            imported: Some(gathered.imported.clone()),
        };
        match RunDir::create_imported(parent, &run, gathered.study.as_deref()) {
            Err(error) if error.is_taken() && attempt < 100 => attempt += 1,
            created => break created?,
        }
    };
    for (index, placed) in gathered.trials.iter().enumerate() {
        write_trial(&dir, index as u32 + 1, placed, now)?;
    }
    for found in &gathered.stages {
        dir.write_disk_stage(&found.stage, found.json.as_ref().map(String::as_bytes), &found.seconds)?;
    }
    Ok(dir)
}

fn write_trial(dir: &RunDir, number: u32, placed: &Placed, now: Timestamp) -> Result<(), Problem> {
    let found = &placed.found;
    let started_at = found.started_s.and_then(|s| Timestamp::from_microsecond((s * 1e6) as i64).ok());
    let mut writer = dir.begin_trial(number, started_at.unwrap_or(now))?;
    for (index, second) in found.seconds.iter().enumerate() {
        writer.append_interval(&to_interval(index as u32, second), &[])?;
    }
    if let Some(log) = &placed.log {
        writer.write_log(log)?;
    }
    let length_s = found.told.duration_s.or(found.told.duration_s_stated);
    let length = length_s.and_then(|length_s| SignedDuration::try_from_secs_f64(length_s).ok());
    let phase = |(started_at, length): (Timestamp, SignedDuration)| PhaseRecord {
        phase: TrialPhase::Measure,
        started_at,
        duration_us: length.as_micros() as u64,
    };
    let trial = Trial {
        format: trial::FORMAT,
        number,
        block: placed.block,
        cell: placed.cell.clone(),
        role: Role::Main,
        step: None,
        outcome: found
            .aborted
            .as_ref()
            .map_or(TrialOutcome::Completed, |error| TrialOutcome::Failed { error: error.clone() }),
        phases: started_at.zip(length).map(phase).into_iter().collect(),
        preparation: Vec::new(),
        finishing: Vec::new(),
        settings: BTreeMap::new(),
        turns: None,
        load: None,
        told: Some(found.told.clone()),
        observer: None,
        events: Vec::new(),
        incidents: Vec::new(),
    };
    writer.commit(&trial)?;
    Ok(())
}

fn to_interval(index: u32, found: &FoundInterval) -> TrialInterval {
    TrialInterval {
        phase: TrialPhase::Measure,
        index,
        start_us: found.start_us,
        duration_us: found.duration_us,
        turn_us: None,
        transactions: found.transactions,
        failed: found.failed,
        errors: BTreeMap::new(),
        clients_out: 0,
        attempts: 0,
        late: found.late,
        retried: found.retried,
        open: None,
        latency: None,
        told: Some(found.latency.clone()).filter(|latency| !latency.is_empty()),
        engine: None,
        path: None,
        probes: BTreeMap::new(),
    }
}

/// A name as part of a directory name.
fn directory_slug(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let slug = words.map(str::to_ascii_lowercase).take(8).collect::<Vec<_>>().join("-");
    if slug.is_empty() { "imported".to_owned() } else { slug }
}
