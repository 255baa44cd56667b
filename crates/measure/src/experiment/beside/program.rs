//! A load beside that is a program: a base backup, a dump, a command of the person's own. It is executed again and
//! again; what it writes is counted and thrown away. What is under way at the end is killed with all that it started.

use std::ffi::OsString;
use std::fs::File;
use std::io::{Read as _, Seek as _};
use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

use load::external::set_libpq_environment;
use plan::{BesideLoad, BesideWork, TrialPhases};
use results::trial::{BesideTotals, LatencySummary};
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::AsyncReadExt as _;
use tokio::process::{Child, ChildStdout, Command};
use tokio::sync::watch;

use super::{BesideTarget, LoadStage, duration_us, login_beside, problem_of_load, wait_until_over};
use crate::client_programs::find_client_program;
use crate::experiment::member::Member;
use problem::Problem;

/// The pause after an execution that failed: one that fails at once would be a load of its own.
const AFTER_FAILURE: Duration = Duration::from_secs(1);

/// How much of the end of what it wrote is reported when it fails, in bytes.
const SAID_AT_MOST: usize = 500;

/// How much of its output is read at once, in bytes.
const READ_AT_ONCE: usize = 1 << 18;

/// A program that is executed again and again.
pub(super) struct RepeatedProgram {
    program: PathBuf,
    arguments: Vec<OsString>,
    environment: Vec<(String, String)>,
    login: conninfo::ConnInfo,
    /// Whether its output is what it backs up.
    is_counted: bool,
    pause: Option<Duration>,
}

/// The program of a load, where it needs one of PostgreSQL.
fn program_name(work: &BesideWork) -> Option<&'static str> {
    match work {
        BesideWork::BaseBackup(_) => Some("pg_basebackup"),
        BesideWork::Dump(_) => Some("pg_dump"),
        BesideWork::Script(_)
        | BesideWork::Copy(_)
        | BesideWork::Vacuum(_)
        | BesideWork::IndexBuild(_)
        | BesideWork::Command(_) => None,
    }
}

/// Whether the program of a load is there and can talk to the server.
pub(super) fn check_program(load: &BesideLoad, planned: &plan::Target, member: &Member) -> Result<(), Problem> {
    let Some(name) = program_name(&load.work) else { return Ok(()) };
    find_program(name, planned, member).map(drop).map_err(|(what, hint)| {
        let problem = format!("load {:?} beside target {:?}: {what}", load.name, planned.name);
        Problem::could_not_measure(problem).hint(hint)
    })
}

fn find_program(name: &str, planned: &plan::Target, member: &Member) -> Result<PathBuf, (String, String)> {
    let own = planned.reach.own_programs();
    find_client_program(name, member.facts.server.version_num / 10_000, own)
}

impl RepeatedProgram {
    /// # Errors
    /// The program is missing, or older than the server.
    pub(super) fn make_ready(load: &BesideLoad, on: &BesideTarget<'_>) -> Result<Self, Problem> {
        // Past a pooler, which passes on neither replication nor a snapshot.
        let login = login_beside(load, on.member.target.control_conninfo());
        let (host, port) = login.host_and_port();
        let environment = [
            ("PGHOST", host),
            ("PGPORT", port),
            ("PGUSER", login.user.clone()),
            ("PGDATABASE", login.dbname.clone()),
            ("PGAPPNAME", login.application_name.clone()),
            ("PGDYNO_TARGET", on.member.name.clone()),
        ];
        let environment = environment.map(|(name, value)| (name.to_owned(), value)).to_vec();
        let (mut arguments, options): (Vec<OsString>, &[String]) = match &load.work {
            BesideWork::BaseBackup(given) => {
                let fixed = ["--pgdata=-", "--format=tar", "--wal-method=fetch", "--checkpoint=fast", "--no-password"];
                (fixed.map(OsString::from).to_vec(), &given.options)
            }
            BesideWork::Dump(given) => {
                (["--format=custom", "--no-password"].map(OsString::from).to_vec(), &given.options)
            }
            BesideWork::Command(command) => (vec!["-c".into(), command.text().into()], &[]),
            BesideWork::Script(_) | BesideWork::Copy(_) | BesideWork::Vacuum(_) | BesideWork::IndexBuild(_) => {
                (Vec::new(), &[])
            }
        };
        arguments.extend(options.iter().map(OsString::from));
        let program = match program_name(&load.work) {
            Some(name) => find_program(name, on.planned, on.member)
                .map_err(|(what, hint)| problem_of_load(load, on, &what).hint(hint))?,
            None => PathBuf::from("sh"),
        };
        let is_counted = program_name(&load.work).is_some();
        Ok(Self { program, arguments, environment, login, is_counted, pause: load.pause })
    }

    /// Executes it until the measurement, which begins after the warm-up, has ended.
    pub(super) async fn repeat_until_end(
        self,
        began: Instant,
        phases: TrialPhases,
        stage: &mut watch::Receiver<LoadStage>,
    ) -> BesideTotals {
        let mut executions = Executions { measured_from: began + phases.warm_up, ..Executions::none_so_far(began) };
        let end = began + phases.total_duration();
        let over = async {
            tokio::select! {
                () = tokio::time::sleep_until(end.into()) => {}
                () = wait_until_over(stage) => {}
            }
        };
        let ended_early = {
            let repeating = self.repeat_forever(&mut executions);
            tokio::select! {
                biased;
                () = over => None,
                why = repeating => Some(why),
            }
        };
        executions.into_totals(Instant::now().min(end), ended_early, self.is_counted)
    }

    /// Executes it again and again; returns only if it cannot be executed at all. Dropped, it kills what is under way.
    async fn repeat_forever(&self, executions: &mut Executions) -> String {
        loop {
            let began = Instant::now();
            let mut running = match RunningProgram::start_program(self) {
                Ok(running) => running,
                Err(error) => return format!("could not run {}: {error}", self.program.display()),
            };
            executions.is_under_way = true;
            let (ended, bytes) = running.wait_until_ended().await;
            executions.is_under_way = false;
            let failed = ended.is_err();
            executions.note_ended(began, ended, bytes);
            let pause = if failed { Some(AFTER_FAILURE) } else { self.pause };
            if let Some(pause) = pause {
                tokio::time::sleep(pause).await;
            }
        }
    }
}

/// What became of the executions so far.
struct Executions {
    measured_from: Instant,
    took_ns: Vec<u64>,
    failed: u64,
    bytes: u64,
    first_error: Option<String>,
    is_under_way: bool,
}

impl Executions {
    fn none_so_far(measured_from: Instant) -> Self {
        Self { measured_from, took_ns: Vec::new(), failed: 0, bytes: 0, first_error: None, is_under_way: false }
    }

    fn note_ended(&mut self, began: Instant, ended: Result<(), String>, bytes: u64) {
        if Instant::now() < self.measured_from {
            return;
        }
        match ended {
            Ok(()) => {
                self.took_ns.push(u64::try_from(began.elapsed().as_nanos()).unwrap_or(u64::MAX));
                self.bytes += bytes;
            }
            Err(said) => {
                self.failed += 1;
                self.first_error.get_or_insert(said);
            }
        }
    }

    fn into_totals(self, end: Instant, ended_early: Option<String>, is_counted: bool) -> BesideTotals {
        BesideTotals {
            measure_us: duration_us(end.saturating_duration_since(self.measured_from)),
            completed: self.took_ns.len() as u64,
            failed: self.failed,
            unfinished: u64::from(self.is_under_way),
            latency: summary_of_durations(self.took_ns),
            bytes: is_counted.then_some(self.bytes),
            first_error: self.first_error,
            error: ended_early,
            ..BesideTotals::not_run("", "", 0, String::new())
        }
    }
}

/// Exact, since there are few of them.
fn summary_of_durations(mut took_ns: Vec<u64>) -> Option<LatencySummary> {
    took_ns.sort_unstable();
    let (min_ns, max_ns) = (*took_ns.first()?, *took_ns.last()?);
    let count = took_ns.len() as f64;
    let mean_ns = took_ns.iter().map(|ns| *ns as f64).sum::<f64>() / count;
    let variance = took_ns.iter().map(|ns| (*ns as f64 - mean_ns).powi(2)).sum::<f64>() / count;
    Some(LatencySummary {
        mean_ns,
        stddev_ns: variance.sqrt(),
        min_ns,
        p50_ns: nearest_rank(&took_ns, 0.5),
        p95_ns: nearest_rank(&took_ns, 0.95),
        p99_ns: nearest_rank(&took_ns, 0.99),
        p999_ns: nearest_rank(&took_ns, 0.999),
        max_ns,
    })
}

/// The quantile of ascending values, at least one.
fn nearest_rank(ascending: &[u64], share: f64) -> u64 {
    let rank = (share * ascending.len() as f64).ceil() as usize;
    ascending[rank.clamp(1, ascending.len()) - 1]
}

/// One execution; dropped before it has ended, it is killed with all that it has started.
struct RunningProgram {
    child: Child,
    output: Option<ChildStdout>,
    /// No pipe, whose end would be waited for as long as something is left running.
    errors: File,
    group: Option<Pid>,
}

impl RunningProgram {
    fn start_program(of: &RepeatedProgram) -> std::io::Result<Self> {
        let errors = tempfile::tempfile()?;
        let mut command = Command::new(&of.program);
        set_libpq_environment(command.as_std_mut(), &of.login);
        command.args(&of.arguments).envs(of.environment.iter().map(|(name, value)| (name, value)));
        let output = if of.is_counted { Stdio::piped() } else { Stdio::null() };
        command.stdin(Stdio::null()).stdout(output).stderr(errors.try_clone()?).process_group(0);
        let mut child = command.spawn()?;
        let group = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        let output = child.stdout.take();
        Ok(Self { child, output, errors, group })
    }

    /// What came of it, and how many bytes it wrote.
    async fn wait_until_ended(&mut self) -> (Result<(), String>, u64) {
        let mut bytes = 0;
        if let Some(mut output) = self.output.take() {
            let mut buffer = vec![0; READ_AT_ONCE];
            while let Ok(count @ 1..) = output.read(&mut buffer).await {
                bytes += count as u64;
            }
        }
        let status = self.child.wait().await;
        self.group = None;
        let ended = match status {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(format!("{status}: {}", self.last_words())),
            Err(error) => Err(error.to_string()),
        };
        (ended, bytes)
    }

    /// The end of what it wrote to its standard error, on one line.
    fn last_words(&mut self) -> String {
        let mut written = Vec::new();
        // What cannot be read is not reported.
        let _ = self.errors.rewind().and_then(|()| self.errors.read_to_end(&mut written));
        let text = String::from_utf8_lossy(&written[written.len().saturating_sub(SAID_AT_MOST)..]).into_owned();
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        if lines.is_empty() { "no message on standard error".to_owned() } else { lines.join("; ") }
    }
}

impl Drop for RunningProgram {
    fn drop(&mut self) {
        // They may have ended in between.
        let _ = self.group.map(|group| kill_process_group(group, Signal::KILL));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summary_of_few_durations_is_exact() {
        let summary = summary_of_durations(vec![300, 100, 200]).expect("there are some");
        assert_eq!((summary.mean_ns, summary.min_ns, summary.p50_ns, summary.max_ns), (200.0, 100, 200, 300));
        assert_eq!(summary.p999_ns, 300);
        assert_eq!(summary_of_durations(Vec::new()), None);
    }
}
