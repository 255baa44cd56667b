//! `tune`: rounds of measuring, diagnosing and changing one server until nothing improves it any more.
//!
//! A round tries the settings that would mend the first finding of the best server so far, against that server, in
//! blocks. They are kept where they are an improvement; where no finding's settings are by themselves, they are tried
//! together. Whoever tries many things finds some that look better by
//! chance: at the end the last server is measured against the first in fresh blocks, and that is what is told.

mod choice;
mod servers;

use std::path::Path;
use std::time::{Duration, Instant};

use judge::compare::{PairJudgement, RunQuestion, standings_of_pairs};
use judge::diagnose::{Diagnosis, diagnose_run};
use judge::observed::Observed;
use judge::{Judgement, judge_run};
use load::StopRequest;
use plan::{Plan, Target, explain_plan};
use results::store::RunDir;
use results::tuning::{FORMAT, Gain, Round, SettingsChange, Tuning, TuningAttempt, TuningCell, TuningEnd};

use self::choice::Tried;
use super::run::{available_cpus, create_run_directory, own_executable, random_seed, read_plan};
use super::{Manner, conclude, documents, restore};
use crate::cli::TuneArgs;
use measure::experiment::{Experiment, ExperimentEnding, conduct_experiment};
use measure::interrupt;
use measure::progress::{ProgressReporter, print_to_stderr};
use measure::scripts::OwnScripts;
use problem::{CommandStatus, Problem};

/// Tunes the plan's baseline, or the target that is named.
pub(super) async fn run_tune_command(arguments: &TuneArgs, manner: Manner) -> Result<CommandStatus, Problem> {
    let (plan, scripts) = read_plan(Some(&arguments.plan))?;
    let target = servers::target_to_tune(&plan, arguments.target.as_deref())?;
    enough_time(&plan, &target, arguments.time)?;
    let stop = interrupt::install_signal_handlers()?;
    restore::tell_of_leftovers(&own_executable());
    let bench = Bench { plan: &plan, scripts: &scripts, runs: &arguments.runs, stop: &stop, quiet: manner.quiet };
    let (tuner, diagnosis) = Box::pin(Tuner::begin_tuning(bench, target, arguments.time)).await?;
    let (dir, tuning) = Box::pin(tuner.finish_tuning(diagnosis)).await?;
    dir.write_tuning(&tuning)?;
    write_files(&dir, &tuning.kept)?;
    let answer = conclude::judge_and_report(&dir, &[], manner)?;
    match tuning.ended {
        TuningEnd::Interrupted => {
            conclude::tell_interrupted(manner)?;
            Err(Problem::interrupted_by_user()
                .hint("a tuning cannot be resumed; the changes kept so far are listed above"))
        }
        TuningEnd::NothingLeft | TuningEnd::TimeSpent => conclude::tell_status(answer, manner),
    }
}

/// Refuses a time in which nothing could be compared.
fn enough_time(plan: &Plan, target: &Target, time: Duration) -> Result<(), Problem> {
    let look = explain_plan(&servers::plan_for_diagnosis(plan, target, String::new())).estimated_duration().0;
    let least = look + shortest_comparison_time(plan, target) * 2;
    if time >= least {
        return Ok(());
    }
    let minutes = |time: Duration| format!("{} min", time.as_secs().div_ceil(60));
    Err(Problem::usage_error(format!("{} is too short to tune with this plan", minutes(time)))
        .detail(format!("an initial measurement, one comparison and its confirmation take about {}", minutes(least)))
        .hint("increase `--time`, or give the plan shorter trials, fewer workloads, clients or `blocks: { at_least }`"))
}

/// How long the shortest comparison of two servers of this kind takes.
fn shortest_comparison_time(plan: &Plan, target: &Target) -> Duration {
    let other = Target { name: format!("{}-tuned", target.name), ..target.clone() };
    explain_plan(&servers::plan_for_comparison(plan, target, &other, String::new(), Duration::MAX))
        .estimated_duration()
        .0
}

/// What every run of a tuning is made with.
struct Bench<'a> {
    plan: &'a Plan,
    scripts: &'a OwnScripts,
    runs: &'a Path,
    stop: &'a StopRequest,
    quiet: bool,
}

/// A run that was measured to its end.
struct TuningRun {
    dir: RunDir,
    observed: Observed,
    judgement: Judgement,
}

impl Bench<'_> {
    /// Measures a plan in a run directory of its own; `None` where a person stopped it.
    async fn measure_plan(&self, plan: Plan) -> Result<Option<TuningRun>, Problem> {
        let plan = self.scripts.plan_in_run(plan.complete_with_defaults(random_seed(), available_cpus()));
        let (run, dir) = create_run_directory(self.runs, &plan, self.scripts, &[])?;
        let executable = own_executable();
        let ending = {
            let _lock = dir.lock_directory()?;
            let experiment = Experiment {
                plan: &plan,
                scripts: self.scripts,
                run: &run,
                dir: &dir,
                executable: &executable,
                stop: self.stop,
            };
            conduct_experiment(&experiment, &mut ProgressReporter::new(self.quiet)).await
        };
        match ending {
            Ok(ExperimentEnding::Interrupted) => return Ok(None),
            Err(_) if self.stop.is_requested() => return Ok(None),
            Ok(ExperimentEnding::Finished) => {}
            // A tuning cannot be resumed.
            Err(problem) if dir.remove_if_unmeasured()? => return Err(problem),
            Err(problem) => return Err(problem.and_hint(format!("what was measured is in {}", dir.path().display()))),
        }
        let observed = Observed::read(&dir)?;
        let judgement = judge_run(&observed);
        conclude::write_report(&dir, &observed, &judgement)?;
        Ok(Some(TuningRun { dir, observed, judgement }))
    }
}

/// A tuning under way.
struct Tuner<'a> {
    bench: Bench<'a>,
    until: Instant,
    may: choice::May,
    first: Target,
    best: Target,
    /// What was tried against the best one.
    tried: Vec<Tried>,
    /// The last run.
    dir: RunDir,
    tuning: Tuning,
}

impl<'a> Tuner<'a> {
    /// Looks at the server as it is, and says what is found of it.
    async fn begin_tuning(bench: Bench<'a>, target: Target, time: Duration) -> Result<(Self, Diagnosis), Problem> {
        let until = Instant::now() + time;
        print_to_stderr(&format!("initial measurement of {}", target.name));
        let name = format!("Tune {}, initial measurement", bench.plan.name);
        let look = bench
            .measure_plan(servers::plan_for_diagnosis(bench.plan, &target, name))
            .await?
            .ok_or_else(Problem::interrupted_by_user)?;
        let tuning = Tuning {
            format: FORMAT,
            target: target.name.clone(),
            first_look: look.observed.run.id.clone(),
            rounds: Vec::new(),
            left_out: Vec::new(),
            ended: TuningEnd::NothingLeft,
            kept: SettingsChange::default(),
        };
        let tuner = Self {
            until,
            may: choice::May { risk: bench.plan.may_risk.clone(), sysctl: rustix::process::geteuid().is_root() },
            first: target.clone(),
            best: target,
            tried: Vec::new(),
            dir: look.dir,
            tuning,
            bench,
        };
        Ok((tuner, look.judgement.diagnosis))
    }

    /// Round after round, then the last server against the first. The run that ended it, and all that was done.
    async fn finish_tuning(mut self, diagnosis: Diagnosis) -> Result<(RunDir, Tuning), Problem> {
        self.tuning.ended = Box::pin(self.run_rounds(diagnosis)).await?;
        if self.tuning.ended != TuningEnd::Interrupted && !self.tuning.kept.is_empty() {
            print_to_stderr(&format!(
                "confirming {} against {} in fresh blocks",
                self.tuning.kept.in_words(),
                self.first.name
            ));
            let last =
                servers::target_with_change(&self.first, &self.tuning.kept, format!("{}-tuned", self.first.name));
            let name = format!("Tuned {}", self.bench.plan.name);
            let time = self.time_left().max(shortest_comparison_time(self.bench.plan, &self.first));
            match self
                .bench
                .measure_plan(servers::plan_for_comparison(self.bench.plan, &self.first, &last, name, time))
                .await?
            {
                Some(confirmed) => self.dir = confirmed.dir,
                None => self.tuning.ended = TuningEnd::Interrupted,
            }
        }
        Ok((self.dir, self.tuning))
    }

    async fn run_rounds(&mut self, mut diagnosis: Diagnosis) -> Result<TuningEnd, Problem> {
        let confirming = shortest_comparison_time(self.bench.plan, &self.first);
        while let Some(attempt) = choice::next(&diagnosis, &self.tried, &self.may, &mut self.tuning.left_out) {
            if self.time_left() < confirming * 2 {
                return Ok(TuningEnd::TimeSpent);
            }
            match Box::pin(self.run_round(&attempt, self.time_left() - confirming)).await {
                Ok(Some(found)) => diagnosis = found,
                Ok(None) => return Ok(TuningEnd::Interrupted),
                // A setting that the server refuses, for one, is no reason to forget the others.
                Err(problem) => {
                    print_to_stderr(&problem.to_string());
                    choice::note_left_out(&mut self.tuning.left_out, &attempt, problem.in_one_line());
                    self.tried.push(Tried { attempt, may_join: false });
                }
            }
        }
        Ok(TuningEnd::NothingLeft)
    }

    /// Tries one change. What is found of the best server then; `None` where a person stopped it.
    async fn run_round(&mut self, attempt: &TuningAttempt, time: Duration) -> Result<Option<Diagnosis>, Problem> {
        let number = self.tuning.rounds.len() + 1;
        print_to_stderr(&format!("round {number}: {} ({})", attempt.change.in_words(), attempt.found));
        let other =
            servers::target_with_change(&self.best, &attempt.change, format!("{}-round-{number}", self.first.name));
        let name = format!("Tune {}, round {number}", self.bench.plan.name);
        let plan = servers::plan_for_comparison(self.bench.plan, &self.best, &other, name, time);
        let Some(TuningRun { dir, observed, judgement }) = self.bench.measure_plan(plan).await? else {
            return Ok(None);
        };
        let pairs = &judgement.comparison.pairs;
        let standings = standings_of_pairs(pairs);
        let kept = choice::is_kept(&standings);
        self.tuning.rounds.push(Round {
            run: observed.run.id.clone(),
            attempt: attempt.clone(),
            cells: pairs.iter().filter_map(cell_of_pair).collect(),
            kept,
        });
        print_to_stderr(&format!("round {number}: {}", if kept { "kept" } else { "not kept" }));
        if kept {
            self.tuning.kept.add(&attempt.change);
            self.best = other;
            // What did not help the server of before, since something else held it back, may help this one.
            self.tried.clear();
        } else {
            self.tried.push(Tried { attempt: attempt.clone(), may_join: !choice::is_loss(&standings) });
        }
        self.dir = dir;
        Ok(Some(of_target(observed, &self.best.name)))
    }

    fn time_left(&self) -> Duration {
        self.until.saturating_duration_since(Instant::now())
    }
}

/// What is found of one target of a run, whatever the other is like.
fn of_target(mut observed: Observed, target: &str) -> Diagnosis {
    observed.trials.retain(|trial| trial.cell.target == target);
    let question = RunQuestion::of_run(&observed);
    diagnose_run(&observed, &question)
}

fn cell_of_pair(pair: &PairJudgement) -> Option<TuningCell> {
    let gain = |change: stats::Estimate| Gain {
        point: change.point,
        low: change.interval.low,
        high: change.interval.high,
        n: change.n,
    };
    Some(TuningCell {
        workload: pair.place.workload.clone(),
        clients: pair.place.clients.known_count()?,
        change: pair.deciding_change().map(gain),
        verdict: pair.verdict().name_in_reports().to_owned(),
    })
}

/// Writes what was kept as files to apply.
fn write_files(dir: &RunDir, kept: &SettingsChange) -> Result<(), Problem> {
    let files = [("tuned.conf", servers::postgresql_conf(kept)), ("tuned-sysctl.conf", servers::sysctl_conf(kept))];
    for (name, text) in files.iter().filter(|(_, text)| !text.is_empty()) {
        let path = dir.path().join(name);
        std::fs::write(&path, text).map_err(|error| {
            Problem::could_not_measure(format!("could not write {}", path.display()))
                .detail(error.to_string())
                .hint("the report lists the settings")
        })?;
        documents::print_bytes(format!("To apply: {}\n", path.display()).as_bytes())?;
    }
    Ok(())
}
