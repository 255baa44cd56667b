//! Everything that is read from a run directory before anything is concluded from it. The only place of the crate that
//! reads files; it draws no conclusion.

mod common_names;
mod disks;
mod error;
mod first_reads;
mod named;
pub(crate) mod one_server;
mod process_kinds;
mod seen;
mod series;
mod watched;

use std::collections::BTreeMap;

use plan::Plan;
use results::activity::SampledSessions;
use results::asked::AskedWorkload;
use results::facts::TargetFacts;
use results::load_place::LoadPlaceFacts;
use results::rehearsal::Rehearsal;
use results::run::{GeneratorMachine, Run};
use results::store::RunDir;
use results::trial::{Cell, Tallied, Trial};
use results::tuning::Tuning;
use results::turn::Turn;
use results::viewers::Viewed;
use results::workload::WorkloadStatements;

pub use disks::ObservedStage;
pub use error::ReadError;
pub use first_reads::FirstReads;
pub use named::NamedEntries;
pub(crate) use process_kinds::{ProcessKinds, kind_in_words};
pub use seen::sessions_seen;
pub use series::{SecondFigures, SecondLatency, SeriesLine};
pub(crate) use watched::{BLOCK_BYTES, COVERED_FROM, sum_of_trials};
pub use watched::{WatchedPhase, WatchedSecond};

/// Everything that is read from a run directory before judging.
#[derive(Debug)]
pub struct Observed {
    /// Identity and schedule.
    pub run: Run,
    /// The resolved plan; an imported run has none.
    pub plan: Option<Plan>,
    /// The resolved plan's text; of an imported run the study's, which may be empty.
    pub plan_yaml: String,
    /// Facts of the targets, by name; of an imported run none was read, and [`Imported`](results::imported::Imported)
    /// has what is stated of them.
    pub facts: BTreeMap<String, TargetFacts>,
    /// Finished trials, by number.
    pub trials: Vec<Trial>,
    /// Their seconds, by trial number.
    pub series: BTreeMap<u32, Vec<SecondFigures>>,
    /// Their turns, by trial number; nothing of those that were executed alone.
    pub turns: BTreeMap<u32, Vec<Turn>>,
    /// How many transactions had been acknowledged when, by trial number; of trials with events.
    pub tallies: BTreeMap<u32, Vec<Tallied>>,
    /// What the sessions were seen doing while measuring, by trial number.
    pub seen: BTreeMap<u32, Vec<SampledSessions>>,
    /// Everything that was watched while measuring, second by second, by trial number.
    pub watched: BTreeMap<u32, WatchedPhase>,
    /// The statements of the workloads, by name; none of runs from before they were kept.
    pub workloads: BTreeMap<String, WorkloadStatements>,
    /// What the servers said of the statements of own scripts before the first trial; none of runs that did not ask.
    pub asked: Vec<AskedWorkload>,
    /// What fio saw of the targets' disks.
    pub disks: Vec<ObservedStage>,
    /// The rounds of the tuning that this run ends.
    pub tuning: Option<Tuning>,
    /// When a page of the run was open while it was measured.
    pub viewers: Vec<Viewed>,
    /// Where the load was sent from, when not from the machine that pgdyno ran on.
    pub load_place: Option<LoadPlaceFacts>,
    /// What an upgrade would change, as the servers said; absent where none was rehearsed.
    pub rehearsal: Option<Rehearsal>,
}

impl Observed {
    /// Reads what there is to judge.
    ///
    /// # Errors
    /// When a file of the run cannot be read or understood.
    pub fn read(dir: &RunDir) -> Result<Self, ReadError> {
        let run = dir.read_run()?;
        let (plan, plan_yaml) = match &run.imported {
            Some(_) => (None, dir.study_yaml()?.unwrap_or_default()),
            // Disks were measured, and nothing else.
            None if !dir.has_plan() => (None, String::new()),
            None => {
                let (plan, text) = plan_of(dir)?;
                (Some(plan), text)
            }
        };
        let trials = dir.finished_trials()?;
        let (mut series, mut seen, mut watched) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let of_trials = series::read_all_trials(&trials, |number| {
            if !dir.has_series(number) {
                return Ok((Vec::new(), Vec::new(), WatchedPhase::default()));
            }
            let text = dir.interval_lines(number)?;
            let (lines, activity) = (text.read_values::<SeriesLine<'_>>()?, dir.trial_activity(number)?);
            let (seconds, sessions) = (series::seconds_of_trial(&lines), seen::sessions_seen(&activity));
            Ok((seconds, sessions, WatchedPhase::read(dir, number, lines, activity)?))
        })?;
        for (number, (seconds, sessions, watching)) in of_trials {
            series.insert(number, seconds);
            seen.insert(number, sessions);
            watched.insert(number, watching);
        }
        let took_turns = trials.iter().filter(|trial| trial.turns.is_some());
        let turns = took_turns.map(|trial| Ok((trial.number, dir.trial_turns(trial.number)?)));
        let turns = turns.collect::<results::Result<_>>()?;
        let with_events = trials.iter().filter(|trial| !trial.events.is_empty());
        let tallies = with_events.map(|trial| Ok((trial.number, dir.trial_tally(trial.number)?)));
        let tallies = tallies.collect::<results::Result<_>>()?;
        let (facts, workloads, disks) = (dir.target_facts()?, dir.workload_statements()?, disks::read_stages(dir)?);
        common_names::rename_waits(&mut seen, &mut watched, &trials, &facts);
        one_server::take_back(&mut watched, &trials, plan.as_ref(), &facts);
        let asked = dir.asked_statements()?.map_or_else(Vec::new, |asked| asked.workloads);
        let (tuning, viewers, load_place) = (dir.read_tuning()?, dir.read_viewers()?, dir.load_place()?);
        let rehearsal = dir.read_rehearsal()?;
        let run = Run {
            generator: load_place
                .as_ref()
                .map(|place| GeneratorMachine { cpus: place.cpus, kernel: place.kernel.clone() })
                .or(run.generator),
            ..run
        };
        Ok(Self {
            run,
            plan,
            plan_yaml,
            facts,
            trials,
            series,
            turns,
            tallies,
            seen,
            watched,
            workloads,
            asked,
            disks,
            tuning,
            viewers,
            load_place,
            rehearsal,
        })
    }

    /// What an import tells of trials without seconds and logs, and of no disks, as it would be read from its run
    /// directory.
    pub fn of_figures(run: Run, study: String, trials: Vec<Trial>) -> Self {
        let (mut series, mut seen, mut watched) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        for trial in &trials {
            series.insert(trial.number, Vec::new());
            seen.insert(trial.number, Vec::new());
            watched.insert(trial.number, WatchedPhase::default());
        }
        Self {
            run,
            plan: None,
            plan_yaml: study,
            facts: BTreeMap::new(),
            trials,
            series,
            turns: BTreeMap::new(),
            tallies: BTreeMap::new(),
            seen,
            watched,
            workloads: BTreeMap::new(),
            asked: Vec::new(),
            disks: Vec::new(),
            tuning: None,
            viewers: Vec::new(),
            load_place: None,
            rehearsal: None,
        }
    }

    /// The size of the database in which the data of a cell lie, in bytes.
    pub fn data_bytes(&self, cell: &Cell) -> Option<u64> {
        let server = &self.facts.get(&cell.target)?.server;
        let plan = self.plan.as_ref();
        let database = plan.and_then(|plan| plan.database_on(&cell.target, plan.workload_by_name(&cell.workload)?));
        database.map_or(server.database_bytes, |name| server.databases.get(&name).copied())
    }

    /// Seconds of all measurement phases.
    pub fn measured_s(&self) -> f64 {
        self.trials
            .iter()
            .filter_map(|trial| match (&trial.load, &trial.told) {
                (Some(load), _) => Some(load.measure_us as f64 / 1e6),
                (None, told) => told.as_ref().and_then(|told| told.duration_s.or(told.duration_s_stated)),
            })
            .sum()
    }
}

fn plan_of(dir: &RunDir) -> Result<(Plan, String), ReadError> {
    let text = dir.plan_yaml()?;
    let name = dir.path().join("plan.yaml");
    let plan = plan::parse_of_run(&name.display().to_string(), text.as_bytes())?;
    Ok((plan, text))
}
