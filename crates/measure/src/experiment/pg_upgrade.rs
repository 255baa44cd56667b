//! How long pg_upgrade takes: executed on a cluster of the baseline's version with the restored data, which is made for
//! that and goes with it. Packages of PostgreSQL have pg_upgrade, embedded binaries do not.

use std::path::{Path, PathBuf};

use conninfo::{ConnInfo, ServerHost};
use plan::{Binaries, Local, Plan};
use results::rehearsal::{UpgradeStep, UpgradeStepKind};
use server::{CommandOutcome, Environment, InitdbOptions, ScratchCommand, ScratchCommands};

use super::member::Member;
use super::restored::Dump;
use problem::Problem;

/// Ports of the two servers, in the names of their sockets only.
const PORTS: [u16; 2] = [54_321, 54_322];

/// The first version with `--swap`.
const SWAPS_SINCE: u32 = 18;

/// Free space that a rehearsal takes, as a multiple of the cluster: its copy, and the upgraded one.
const CLUSTERS: u64 = 3;

/// What pg_upgrade came to.
#[derive(Debug, Default)]
pub(super) struct PgUpgradeRehearsal {
    /// Each way that was executed, with its duration.
    pub(super) steps: Vec<UpgradeStep>,
    /// Why nothing, or not everything, was executed.
    pub(super) gap: Option<String>,
    /// What `pg_upgrade --check` objects to.
    pub(super) objections: Vec<String>,
}

impl PgUpgradeRehearsal {
    /// `pg18: pg_upgrade --check succeeded; executed in 3 ways`.
    pub(super) fn in_words(&self, target: &str) -> String {
        let ways = self.steps.iter().filter(|step| step.step != UpgradeStepKind::PgUpgradeCheck).count();
        match &self.gap {
            Some(gap) if self.steps.is_empty() => format!("{target}: pg_upgrade was not executed: {gap}"),
            Some(gap) => format!("{target}: pg_upgrade executed in {ways} ways, not in each: {gap}"),
            None if !self.objections.is_empty() => format!("{target}: pg_upgrade --check failed"),
            None => format!("{target}: pg_upgrade executed in {ways} ways"),
        }
    }
}

/// One of the two installations.
struct UpgradeSide {
    programs: PathBuf,
    major: u32,
    initdb: InitdbOptions,
}

/// The clusters of a rehearsal.
struct UpgradedClusters<'a> {
    commands: &'a mut ScratchCommands,
    old: UpgradeSide,
    new: UpgradeSide,
}

/// Why something was not done: a reason for the report, or a failure of the rehearsal.
enum NotUpgraded {
    Gap(String),
    Failed(Problem),
}

impl From<Problem> for NotUpgraded {
    fn from(problem: Problem) -> Self {
        Self::Failed(problem)
    }
}

impl From<server::Failure> for NotUpgraded {
    fn from(failure: server::Failure) -> Self {
        Self::Gap(match failure.detail() {
            Some(detail) => format!("{failure}: {detail}"),
            None => failure.to_string(),
        })
    }
}

/// Upgrades a cluster with the data of a dump, in each way that pg_upgrade has.
///
/// # Errors
/// The dump cannot be restored. What pg_upgrade cannot do is a gap.
pub(super) async fn rehearse_pg_upgrade(
    plan: &Plan,
    baseline: (&str, u32),
    candidate: &Member,
    dump: &Path,
    environment: &Environment,
) -> Result<PgUpgradeRehearsal, Problem> {
    let mut rehearsal = PgUpgradeRehearsal::default();
    let sides = match find_sides(plan, baseline, candidate) {
        Ok(sides) => sides,
        Err(gap) => return Ok(PgUpgradeRehearsal { gap: Some(gap), ..rehearsal }),
    };
    let [old, new] = sides;
    let mut commands = match ScratchCommands::make_directory(environment).await {
        Ok(commands) => commands,
        Err(failure) => return Ok(PgUpgradeRehearsal { gap: Some(failure.to_string()), ..rehearsal }),
    };
    let mut clusters = UpgradedClusters { commands: &mut commands, old, new };
    let outcome = clusters.upgrade_in_each_way(baseline.0, dump, &mut rehearsal).await;
    let removed = commands.remove_directory().await;
    match outcome {
        Err(NotUpgraded::Failed(problem)) => return Err(problem),
        Err(NotUpgraded::Gap(gap)) => rehearsal.gap = Some(gap),
        Ok(()) => {}
    }
    removed.map_err(|failure| {
        let problem = Problem::could_not_measure("could not clear away after the rehearsal of pg_upgrade");
        problem.detail(failure.to_string())
    })?;
    Ok(rehearsal)
}

/// Both installations, or why there are not two.
fn find_sides(plan: &Plan, baseline: (&str, u32), candidate: &Member) -> Result<[UpgradeSide; 2], String> {
    let (name, major) = baseline;
    let old = local_target(plan, name)?;
    let new = local_target(plan, &candidate.name)?;
    let new_major = candidate.facts.server.version_num / 10_000;
    let old_programs = server::embedded::upgradable_programs(major, given_programs(old));
    let new_programs = server::embedded::upgrading_programs(new_major, given_programs(new));
    let initdb = initdb_options(old).with_defaults_of_version(major);
    match (old_programs, new_programs) {
        (Some(old_programs), Some(new_programs)) => Ok([
            UpgradeSide { programs: old_programs, major, initdb: initdb.clone() },
            UpgradeSide { programs: new_programs, major: new_major, initdb },
        ]),
        (None, _) => Err(lacking_installation(major)),
        (_, None) => Err(lacking_installation(new_major)),
    }
}

fn lacking_installation(major: u32) -> String {
    format!("no package of PostgreSQL {major} is installed on this machine; embedded binaries do not have pg_upgrade")
}

fn local_target<'a>(plan: &'a Plan, name: &str) -> Result<&'a Local, String> {
    let target = plan.target_by_name(name);
    let local = target.and_then(|target| target.reach.as_local());
    local.ok_or_else(|| format!("target {name:?} is not a local server"))
}

fn given_programs(local: &Local) -> Option<&Path> {
    match &local.binaries {
        Binaries::Bin(directory) => Some(directory),
        Binaries::Version(_) => None,
    }
}

fn initdb_options(local: &Local) -> InitdbOptions {
    InitdbOptions {
        wal_segment_size_mb: Some(local.initdb.wal_segment_size.size_megabytes()),
        data_checksums: local.initdb.data_checksums,
        locale: Some(local.initdb.locale.clone()),
        encoding: Some(local.initdb.encoding.clone()),
    }
}

impl UpgradedClusters<'_> {
    async fn upgrade_in_each_way(
        &mut self,
        baseline: &str,
        dump: &Path,
        rehearsal: &mut PgUpgradeRehearsal,
    ) -> Result<(), NotUpgraded> {
        let dump = Dump::examine_file(dump)?;
        self.make_old_cluster(baseline, &dump).await?;
        self.refuse_without_room()?;
        self.make_new_cluster().await?;
        let checked = self.run_pg_upgrade("old", &["--check"]).await?;
        rehearsal.steps.push(UpgradeStep { step: UpgradeStepKind::PgUpgradeCheck, seconds: checked.seconds });
        if !checked.succeeded {
            rehearsal.objections = said_lines(&checked.output);
            return Ok(());
        }
        let copied = self.run_pg_upgrade("old", &[]).await?;
        note_way(rehearsal, UpgradeStepKind::PgUpgradeCopy, &copied)?;
        self.make_new_cluster().await?;
        // What the file system cannot clone is no gap: the next way is the one for it.
        let cloned = self.run_pg_upgrade("old", &["--clone"]).await?;
        if cloned.succeeded {
            note_way(rehearsal, UpgradeStepKind::PgUpgradeClone, &cloned)?;
        }
        // The ways that use up the old cluster.
        if self.new.major >= SWAPS_SINCE {
            let [from, to] = ["old", "old-to-link"].map(|name| self.path_text(name));
            self.run_or_fail(Path::new("cp"), &["-a", "--reflink=auto", &from, &to]).await?;
        } else {
            self.rename_cluster("old", "old-to-link")?;
        }
        self.make_new_cluster().await?;
        let linked = self.run_pg_upgrade("old-to-link", &["--link"]).await?;
        note_way(rehearsal, UpgradeStepKind::PgUpgradeLink, &linked)?;
        if self.new.major >= SWAPS_SINCE {
            self.make_new_cluster().await?;
            let swapped = self.run_pg_upgrade("old", &["--swap"]).await?;
            note_way(rehearsal, UpgradeStepKind::PgUpgradeSwap, &swapped)?;
        }
        Ok(())
    }

    fn path_of(&self, name: &str) -> PathBuf {
        self.commands.directory().join(name)
    }

    fn path_text(&self, name: &str) -> String {
        self.path_of(name).display().to_string()
    }

    /// A cluster of the old version that has the data, and no server.
    async fn make_old_cluster(&mut self, baseline: &str, dump: &Dump) -> Result<(), NotUpgraded> {
        let old = self.path_text("old");
        self.run_initdb("old", false).await?;
        let sockets = self.commands.socket_directory().to_owned();
        let options = format!(
            "-c listen_addresses='' -c unix_socket_directories='{}' -c port={} -c fsync=off",
            sockets.display(),
            PORTS[0]
        );
        let log = self.path_text("old.log");
        let pg_ctl = self.old.programs.join("pg_ctl");
        self.run_or_fail(&pg_ctl, &["-D", &old, "-w", "-l", &log, "-o", &options, "start"]).await?;
        let server = ConnInfo::new((ServerHost::Unix(sockets), PORTS[0]), "postgres", "postgres");
        dump.restore_into_database(baseline, &server, "postgres").await?;
        let analyzed = self.old.programs.join("vacuumdb");
        let (host, port) = (self.commands.socket_directory().display().to_string(), PORTS[0].to_string());
        self.run_or_fail(&analyzed, &["-h", &host, "-p", &port, "-U", "postgres", "-q", "-Z", "postgres"]).await?;
        self.run_or_fail(&pg_ctl, &["-D", &old, "-w", "-m", "fast", "stop"]).await
    }

    /// A cluster of the new version without data, in place of one that is there.
    async fn make_new_cluster(&mut self) -> Result<(), NotUpgraded> {
        let path = self.path_of("new");
        if path.exists() {
            std::fs::remove_dir_all(&path).map_err(|error| gap_of_file("remove", &path, &error))?;
        }
        self.run_initdb("new", true).await
    }

    async fn run_initdb(&mut self, name: &str, is_new: bool) -> Result<(), NotUpgraded> {
        let side = if is_new { &self.new } else { &self.old };
        let program = side.programs.join("initdb");
        let mut arguments = side.initdb.initdb_arguments(side.major, false);
        arguments.push(format!("--pgdata={}", self.path_text(name)));
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        self.run_or_fail(&program, &arguments).await
    }

    fn rename_cluster(&self, from: &str, to: &str) -> Result<(), NotUpgraded> {
        let path = self.path_of(from);
        std::fs::rename(&path, self.path_of(to)).map_err(|error| gap_of_file("rename", &path, &error))
    }

    fn refuse_without_room(&self) -> Result<(), NotUpgraded> {
        let path = self.path_of("old");
        let needed = CLUSTERS * bytes_below(&path).map_err(|error| gap_of_file("read", &path, &error))?;
        let free = server::image::free_bytes(&path).map_err(|error| gap_of_file("read", &path, &error))?;
        if needed <= free {
            return Ok(());
        }
        let [needed_mib, free_mib] = [needed, free].map(|bytes| bytes >> 20);
        Err(NotUpgraded::Gap(format!(
            "the clusters take up to {needed_mib} MiB, and {free_mib} MiB are free in {}",
            self.commands.directory().display()
        )))
    }

    async fn run_pg_upgrade(&mut self, old: &str, way: &[&str]) -> Result<CommandOutcome, NotUpgraded> {
        let jobs = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let mut arguments = vec![
            format!("--old-bindir={}", self.old.programs.display()),
            format!("--new-bindir={}", self.new.programs.display()),
            format!("--old-datadir={}", self.path_text(old)),
            format!("--new-datadir={}", self.path_text("new")),
            format!("--socketdir={}", self.commands.socket_directory().display()),
            format!("--old-port={}", PORTS[0]),
            format!("--new-port={}", PORTS[1]),
            format!("--jobs={jobs}"),
            "--username=postgres".to_owned(),
        ];
        arguments.extend(way.iter().map(|option| (*option).to_owned()));
        let program = self.new.programs.join("pg_upgrade");
        Ok(self.commands.run_command(ScratchCommand { program, arguments }).await?)
    }

    async fn run_or_fail(&mut self, program: &Path, arguments: &[&str]) -> Result<(), NotUpgraded> {
        let arguments = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        let command = ScratchCommand { program: program.to_owned(), arguments };
        let outcome = self.commands.run_command(command).await?;
        if outcome.succeeded {
            return Ok(());
        }
        let said = said_lines(&outcome.output).join("; ");
        Err(NotUpgraded::Gap(format!("{} failed: {said}", program.display())))
    }
}

fn note_way(
    rehearsal: &mut PgUpgradeRehearsal,
    step: UpgradeStepKind,
    outcome: &CommandOutcome,
) -> Result<(), NotUpgraded> {
    if !outcome.succeeded {
        return Err(NotUpgraded::Gap(format!("pg_upgrade failed: {}", said_lines(&outcome.output).join("; "))));
    }
    rehearsal.steps.push(UpgradeStep { step, seconds: outcome.seconds });
    Ok(())
}

fn gap_of_file(action: &str, path: &Path, error: &std::io::Error) -> NotUpgraded {
    NotUpgraded::Gap(format!("could not {action} {}: {error}", path.display()))
}

/// What a program said, without the lines about what is in order.
fn said_lines(output: &str) -> Vec<String> {
    let lines = output.lines().map(str::trim);
    let kept = lines.filter(|line| !line.is_empty() && !line.ends_with(" ok") && !line.starts_with("---"));
    kept.map(str::to_owned).collect()
}

fn bytes_below(directory: &Path) -> std::io::Result<u64> {
    let mut bytes = 0;
    for entry in std::fs::read_dir(directory)? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        bytes += if metadata.is_dir() { bytes_below(&entry.path())? } else { metadata.len() };
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objections_are_what_is_not_in_order() {
        let output = "Performing Consistency Checks\n-----------------------------\n\
                      Checking cluster versions                                     ok\n\
                      Checking for reg* data types in user tables                   fatal\n\n\
                      Your installation contains one of the reg* data types\n";
        assert_eq!(
            said_lines(output),
            [
                "Performing Consistency Checks",
                "Checking for reg* data types in user tables                   fatal",
                "Your installation contains one of the reg* data types",
            ]
        );
    }
}
