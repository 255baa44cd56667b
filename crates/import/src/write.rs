//! What was gathered → a run directory.

use std::collections::BTreeMap;
use std::path::Path;

use jiff::{SignedDuration, Timestamp};
use judge::audit::{self, BenchmarkAudit};
use judge::observed::Observed;
use results::interval::TrialInterval;
use results::run::{self, Run, Schedule};
use results::store::RunDir;
use results::trial::{self, Cell, PhaseRecord, Role, Trial, TrialOutcome, TrialPhase};

use super::fio::FoundStage;
use super::found::{FoundInterval, Placed, give_up_values};
use super::gather::Gathered;
use problem::Problem;

/// Writes a run below `parent`, named after `now`.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn write_run(gathered: Gathered, parent: &Path, now: Timestamp) -> Result<RunDir, Problem> {
    let dir = write_temporary_run(gathered, parent, now)?;
    dir.sync_file_system()?;
    Ok(dir)
}

/// The same of a run that is removed again: it does not wait for the disk.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn write_temporary_run(gathered: Gathered, parent: &Path, now: Timestamp) -> Result<RunDir, Problem> {
    let dir = create_run(&gathered, parent, now)?.into_scratch();
    write_figures(&dir, gathered, now)?;
    Ok(dir)
}

fn create_run(gathered: &Gathered, parent: &Path, now: Timestamp) -> Result<RunDir, Problem> {
    let mut attempt = 1;
    loop {
        let run = identity_of_run(gathered, now, attempt);
        match RunDir::create_imported(parent, &run, gathered.study.as_deref()) {
            Err(error) if error.is_taken() && attempt < 100 => attempt += 1,
            created => return Ok(created?),
        }
    }
}

fn write_figures(dir: &RunDir, gathered: Gathered, now: Timestamp) -> Result<(), Problem> {
    let mut rows = dir.trial_rows();
    for (index, placed) in give_up_values(gathered.trials).enumerate() {
        let number = index as u32 + 1;
        if has_figures_alone(&placed) {
            rows.append_row(&trial_of_placed(number, placed))?;
        } else {
            write_trial(dir, number, placed, now)?;
        }
    }
    rows.commit_rows()?;
    let mut rows = dir.stage_rows();
    for FoundStage { stage, json, seconds } in gathered.stages {
        if json.is_none() && seconds.is_empty() {
            rows.append_row(&stage)?;
        } else {
            dir.write_disk_stage(&stage, json.as_ref().map(String::as_bytes), &seconds)?;
        }
    }
    Ok(rows.commit_rows()?)
}

/// The identity of a run, by the number of the attempt to find a free name.
fn identity_of_run(gathered: &Gathered, now: Timestamp, attempt: u32) -> Run {
    let slug = directory_slug(&gathered.name);
    let stamp = now.strftime("%Y-%m-%dT%H-%M-%S");
    let suffix = if attempt == 1 { String::new() } else { format!("-{attempt}") };
    Run {
        format: run::FORMAT,
        id: format!("{stamp}-{slug}{suffix}"),
        name: gathered.name.clone(),
        pgdyno_version: env!("CARGO_PKG_VERSION").to_owned(),
        started_at: now,
        generator: None,
        schedule: Schedule { seed: 0, trials: Vec::new() },
        imported: Some(gathered.imported.clone()),
    }
}

/// Whether nothing was gathered but figures: no seconds, logs or disks, which are read from a run directory alone.
pub(crate) fn has_figures_only(gathered: &Gathered) -> bool {
    gathered.stages.is_empty() && gathered.trials.iter().all(has_figures_alone)
}

/// Whether nothing is told of a trial but figures of its whole.
fn has_figures_alone(placed: &Placed) -> bool {
    placed.found.seconds.is_empty() && placed.log.is_none()
}

/// Audits what was gathered, of which each trial is given up as it is read; none where it has more than figures.
pub(crate) fn audit_figures(gathered: &mut Gathered, now: Timestamp) -> Option<(Run, BenchmarkAudit)> {
    if !has_figures_only(gathered) {
        return None;
    }
    let run = identity_of_run(gathered, now, 1);
    let trials = give_up_values(std::mem::take(&mut gathered.trials)).enumerate();
    let trials = trials.map(|(index, placed)| trial_of_placed(index as u32 + 1, placed));
    let (run, audit) = audit::audit_imported_figures(run, gathered.study.take().unwrap_or_default(), trials);
    audit.map(|audit| (run, audit))
}

/// What was gathered as it would be read from its run directory; none where it has more than figures.
pub(crate) fn observe_figures(gathered: &mut Gathered, now: Timestamp) -> Option<Observed> {
    if !has_figures_only(gathered) {
        return None;
    }
    let run = identity_of_run(gathered, now, 1);
    let mut trials = Vec::with_capacity(gathered.trials.len());
    for (index, placed) in std::mem::take(&mut gathered.trials).into_iter().enumerate() {
        trials.push(trial_of_placed(index as u32 + 1, placed));
    }
    Some(Observed::of_figures(run, gathered.study.take().unwrap_or_default(), trials))
}

fn started_at(placed: &Placed) -> Option<Timestamp> {
    placed.found.started_s.and_then(|s| Timestamp::from_microsecond((s * 1e6) as i64).ok())
}

fn write_trial(dir: &RunDir, number: u32, placed: Placed, now: Timestamp) -> Result<(), Problem> {
    let found = &placed.found;
    let mut writer = dir.begin_trial(number, started_at(&placed).unwrap_or(now))?;
    for (index, second) in found.seconds.iter().enumerate() {
        writer.append_interval(&to_interval(index as u32, second), &[])?;
    }
    if let Some(log) = &placed.log {
        writer.write_log(log)?;
    }
    writer.commit(&trial_of_placed(number, placed))?;
    Ok(())
}

/// The phase in which a trial was measured, where it is known when that began and how long it was.
fn measure_phase(placed: &Placed) -> Vec<PhaseRecord> {
    let told = &placed.found.told;
    let length_s = told.duration_s.or(told.duration_s_stated);
    let length = length_s.and_then(|length_s| SignedDuration::try_from_secs_f64(length_s).ok());
    match started_at(placed).zip(length) {
        Some((started_at, length)) => {
            vec![PhaseRecord { phase: TrialPhase::Measure, started_at, duration_us: length.as_micros() as u64 }]
        }
        None => Vec::new(),
    }
}

fn trial_of_placed(number: u32, placed: Placed) -> Trial {
    let phases = measure_phase(&placed);
    let Placed { cell, block, found, .. } = placed;
    Trial {
        format: trial::FORMAT,
        number,
        block,
        cell: Cell::clone(&cell),
        role: Role::Main,
        step: None,
        outcome: found.aborted.clone().map_or(TrialOutcome::Completed, |error| TrialOutcome::Failed { error }),
        phases,
        preparation: Vec::new(),
        finishing: Vec::new(),
        settings: BTreeMap::new(),
        turns: None,
        load: None,
        told: Some(found.told),
        observer: None,
        events: Vec::new(),
        beside: Vec::new(),
        provider: None,
        incidents: Vec::new(),
    }
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
