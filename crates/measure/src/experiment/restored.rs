//! Data that are restored from a dump: once for each server, into a database that no trial touches. Trials work in a
//! copy of it, which is made anew before each trial that writes, so that all begin with the same rows.

use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Instant;

use conninfo::ConnInfo;
use load::StopRequest;
use load::external::set_libpq_environment;
use plan::{Plan, RESTORED_DATABASE, TEMPLATE_DATABASE, Workload};
use results::facts::RestoreDurations;
use tokio::process::Command;

use super::dumped::DumpedSources;
use super::member::Member;
use crate::interrupt::unless_stopped;
use crate::progress::ProgressReporter;
use crate::server_message::message_of_error;
use problem::Problem;

/// What the comment on a template begins with.
const MARK: &str = "pgdyno: restored from ";

/// The part of a dump in SQL that has its version.
const HEAD_BYTES: u64 = 4_096;

/// The first version with a choice of how a database is copied.
const STRATEGY_SINCE: u32 = 15;

/// Sees to the template of a target whose plan has `data`, and to the copy of it.
///
/// # Errors
/// A dump that cannot be read or restored, or what the server says.
pub(super) async fn restore_data(
    plan: &Plan,
    member: &mut Member,
    dumps: &DumpedSources,
    stop: &StopRequest,
    progress: &ProgressReporter,
) -> Result<(), Problem> {
    let Some(data) = plan.target_by_name(&member.name).and_then(|target| target.data.as_ref()) else { return Ok(()) };
    member.target.turn_to(None);
    let dump = Dump::examine_file(&dumps.file_of_source(plan, &data.source))?;
    dump.refuse_newer(member).await?;
    let mark = dump.mark_on_server();
    if comment_on_template(member).await?.as_deref() != Some(&mark) {
        let begun = Instant::now();
        progress.show_stage(&format!("{}: restoring {}", member.name, dump.path.display()), 0, 1);
        let durations = unless_stopped(stop, dump.restore_into_template(member)).await?;
        member.facts.server.restore_durations = Some(durations);
        let comment = format!("COMMENT ON DATABASE {TEMPLATE_DATABASE} IS '{}'", mark.replace('\'', "''"));
        execute_on_server(member, &[&comment]).await?;
        let took = begun.elapsed().as_secs_f64();
        progress.print_line(&format!("{}: {} restored in {took:.1} s", member.name, dump.path.display()));
    }
    unless_stopped(stop, copy_template(member, RESTORED_DATABASE)).await
}

/// Makes the copy anew for a trial of a workload that works on it and writes.
///
/// # Errors
/// What the server says.
pub(super) async fn renew_copy(plan: &Plan, member: &mut Member, workload: &Workload) -> Result<(), Problem> {
    let is_on_copy = plan.database_on(&member.name, workload).as_deref() == Some(RESTORED_DATABASE);
    let target = plan.target_by_name(&member.name).expect("a member is a target of the plan");
    if !is_on_copy || !(workload.can_write() || plan.trial_changes_data(target, workload)) {
        return Ok(());
    }
    member.target.turn_to(None);
    let copied = copy_template(member, RESTORED_DATABASE).await;
    member.target.turn_to(Some(RESTORED_DATABASE.to_owned()));
    copied
}

/// Makes a copy of the template under a name, in place of one that is there.
///
/// # Errors
/// There is no room for it, or what the server says.
pub(super) async fn copy_template(member: &Member, copy: &str) -> Result<(), Problem> {
    const SQL: &str = "
        SELECT current_setting('server_version_num')::int, pg_database_size($1::name),
               coalesce((SELECT pg_database_size(oid) FROM pg_catalog.pg_database WHERE datname = $2), 0)";
    let client = member.connect_control().await?;
    let row = client.query_one(SQL, &[&TEMPLATE_DATABASE, &copy]).await;
    let row = row.map_err(|error| server_problem(member, &error))?;
    let (version, bytes, bytes_before): (i32, i64, i64) = (row.get(0), row.get(1), row.get(2));
    if let Some(directory) = member.target.data_directory()
        && let Ok(free_bytes) = server::image::free_bytes(directory)
    {
        // The copy of before gives way to it.
        refuse_without_room(&member.name, directory, bytes.unsigned_abs(), free_bytes + bytes_before.unsigned_abs())?;
    }
    let strategy = if version >= STRATEGY_SINCE as i32 * 10_000 { " STRATEGY FILE_COPY" } else { "" };
    let drop = format!("DROP DATABASE IF EXISTS {copy} WITH (FORCE)");
    let create = format!("CREATE DATABASE {copy} TEMPLATE {TEMPLATE_DATABASE}{strategy}");
    execute_on_server(member, &[&drop, &create]).await
}

/// Whether a copy of so many bytes has room.
fn refuse_without_room(target: &str, directory: &Path, bytes: u64, free_bytes: u64) -> Result<(), Problem> {
    if bytes <= free_bytes {
        return Ok(());
    }
    let [needed_mib, free_mib] = [bytes, free_bytes].map(|bytes| bytes as f64 / f64::from(1 << 20));
    Err(Problem::could_not_measure(format!(
        "target {target:?}: a copy of the restored data takes {needed_mib:.1} MiB, and {free_mib:.1} MiB are free in {}",
        directory.display()
    ))
    .detail("each trial that writes begins with a copy of the database that was restored")
    .hint("free some space, or set `data_directory` (or TMPDIR) to another disk"))
}

async fn comment_on_template(member: &Member) -> Result<Option<String>, Problem> {
    const SQL: &str = "
        SELECT shobj_description(oid, 'pg_database') FROM pg_catalog.pg_database WHERE datname = $1";
    let client = member.connect_control().await?;
    let row = client.query_opt(SQL, &[&TEMPLATE_DATABASE]).await.map_err(|error| server_problem(member, &error))?;
    Ok(row.and_then(|row| row.get(0)))
}

pub(super) async fn execute_on_server(member: &Member, statements: &[&str]) -> Result<(), Problem> {
    let client = member.connect_control().await?;
    for statement in statements {
        client.batch_execute(statement).await.map_err(|error| server_problem(member, &error))?;
    }
    Ok(())
}

fn server_problem(member: &Member, error: &tokio_postgres::Error) -> Problem {
    Problem::could_not_measure(format!("target {:?}: could not prepare the restored data", member.name))
        .detail(message_of_error(error))
}

/// A dump.
#[derive(Debug)]
pub(super) struct Dump {
    path: PathBuf,
    /// Whether `pg_restore` reads it; else it is SQL for psql.
    is_archive: bool,
    bytes: u64,
    modified_s: u64,
}

impl Dump {
    pub(super) fn examine_file(path: &Path) -> Result<Self, Problem> {
        let metadata = std::fs::metadata(path).map_err(|error| unreadable_dump(path, &error))?;
        let is_directory = metadata.is_dir();
        if is_directory && !path.join("toc.dat").is_file() {
            return Err(Problem::usage_error(format!("{} is no dump", path.display()))
                .detail("it is a directory without toc.dat")
                .hint("pg_dump -Fd writes such a directory, pg_dump -Fc a file"));
        }
        let mut start = [0; 5];
        let mut is_archive = is_directory;
        if !is_directory {
            let mut file = std::fs::File::open(path).map_err(|error| unreadable_dump(path, &error))?;
            let read = file.read(&mut start).map_err(|error| unreadable_dump(path, &error))?;
            is_archive = start[..read] == *b"PGDMP" || path.extension().is_some_and(|extension| extension == "tar");
        }
        let modified = metadata.modified().ok().and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok());
        let modified_s = modified.map_or(0, |since| since.as_secs());
        Ok(Self { path: path.to_owned(), is_archive, bytes: metadata.len(), modified_s })
    }

    /// The version of the server that was dumped, such as `18.1`, where the dump says it.
    async fn server_version(&self) -> Option<String> {
        let head = if self.is_archive {
            let mut command = Command::new("pg_restore");
            command.arg("--list").arg(&self.path).stdin(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
            command.output().await.ok()?.stdout
        } else {
            let mut head = Vec::new();
            std::fs::File::open(&self.path).ok()?.take(HEAD_BYTES).read_to_end(&mut head).ok()?;
            head
        };
        dumped_version(&String::from_utf8_lossy(&head))
    }

    /// Refuses the dump of a newer major version than the server's, which may have what the server does not know.
    async fn refuse_newer(&self, member: &Member) -> Result<(), Problem> {
        let Some(version) = self.server_version().await else { return Ok(()) };
        let major = version.split('.').next().and_then(|major| major.parse::<u32>().ok());
        let of_target = member.facts.server.version_num / 10_000;
        if major.is_none_or(|major| major <= of_target) {
            return Ok(());
        }
        Err(Problem::could_not_measure(format!(
            "target {:?} is PostgreSQL {of_target}, and {} is a dump of PostgreSQL {version}",
            member.name,
            self.path.display()
        ))
        .detail("a dump is for servers of its own major version and newer ones")
        .hint(format!("dump a server of version {of_target} or older, or measure newer versions only")))
    }

    /// What says on the server that a template is this dump.
    fn mark_on_server(&self) -> String {
        format!("{MARK}{} ({} bytes, modified {})", self.path.display(), self.bytes, self.modified_s)
    }

    async fn restore_into_template(&self, member: &Member) -> Result<RestoreDurations, Problem> {
        let drop = format!("DROP DATABASE IF EXISTS {TEMPLATE_DATABASE} WITH (FORCE)");
        execute_on_server(member, &[&drop, &format!("CREATE DATABASE {TEMPLATE_DATABASE} TEMPLATE template0")]).await?;
        let server = member.target.control_conninfo();
        let restore_s = self.restore_into_database(&member.name, &server, TEMPLATE_DATABASE).await?;
        // Planner statistics are in no dump before 18; hint bits and the visibility map in none.
        let begun = Instant::now();
        let vacuum = ["--no-psqlrc", "--quiet", "--command", "VACUUM (FREEZE, ANALYZE)"];
        self.run_client(&member.name, &server, TEMPLATE_DATABASE, "psql", &vacuum).await?;
        Ok(RestoreDurations { restore_s, vacuum_analyze_s: begun.elapsed().as_secs_f64() })
    }

    /// Restores into a database that is there; how long that took, in seconds.
    ///
    /// # Errors
    /// The client program is missing, or what it says.
    pub(super) async fn restore_into_database(
        &self,
        target: &str,
        server: &ConnInfo,
        database: &str,
    ) -> Result<f64, Problem> {
        let begun = Instant::now();
        let jobs = std::thread::available_parallelism().map_or(1, std::num::NonZero::get).to_string();
        let path = self.path.to_string_lossy();
        if self.is_archive {
            let arguments = ["--no-owner", "--no-privileges", "--exit-on-error", "--jobs", &jobs];
            let place = ["--dbname", database, &path];
            self.run_client(target, server, database, "pg_restore", &[&arguments[..], &place].concat()).await?;
        } else {
            let arguments = ["--no-psqlrc", "--quiet", "--output", "/dev/null", "--set", "ON_ERROR_STOP=1"];
            self.run_client(target, server, database, "psql", &[&arguments[..], &["--file", &path]].concat()).await?;
        }
        Ok(begun.elapsed().as_secs_f64())
    }

    /// Runs a client program of PostgreSQL on a database.
    async fn run_client(
        &self,
        target: &str,
        server: &ConnInfo,
        database: &str,
        program: &str,
        arguments: &[&str],
    ) -> Result<(), Problem> {
        let (host, port) = server.host_and_port();
        let mut command = Command::new(program);
        set_libpq_environment(command.as_std_mut(), server);
        let place = [("PGHOST", host.as_str()), ("PGPORT", &port), ("PGUSER", &server.user)];
        command.envs(place).env("PGDATABASE", database).args(arguments);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).kill_on_drop(true);
        let problem =
            Problem::could_not_measure(format!("target {target:?}: could not restore {}", self.path.display()));
        let output = match command.output().await {
            Ok(output) => output,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Err(problem
                    .detail(format!("{program} is not on the PATH"))
                    .hint("install the client programs of PostgreSQL: apt-get install postgresql-client"));
            }
            Err(error) => return Err(problem.detail(format!("{program}: {error}"))),
        };
        if output.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let said: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).take(5).collect();
        Err(problem.detail(format!("{program}: {}", said.join("; "))).hint(
            "a dump is restored without owners and privileges; leave out what this server does not have \
             (pg_dump --no-comments --exclude-schema, pg_restore --use-list)",
        ))
    }
}

/// The version in the head of a dump, or of its list.
fn dumped_version(head: &str) -> Option<String> {
    let (_, after) = head.split_once("umped from database version")?;
    let version = after.trim_start_matches(':').split_whitespace().next()?;
    version.starts_with(|c: char| c.is_ascii_digit()).then(|| version.to_owned())
}

fn unreadable_dump(path: &Path, error: &std::io::Error) -> Problem {
    Problem::usage_error(format!("could not read the dump {}", path.display())).detail(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_needs_room() {
        let directory = Path::new("/data");
        assert!(refuse_without_room("a", directory, 5 << 20, 5 << 20).is_ok());
        let said = refuse_without_room("a", directory, 3 << 20, 1 << 20).expect_err("there is none").in_one_line();
        assert!(said.contains("takes 3.0 MiB, and 1.0 MiB are free in /data"), "{said}");
    }

    #[test]
    fn the_version_of_a_dump_stands_in_its_head() {
        for (head, expected) in [
            ("--\n-- PostgreSQL database dump\n--\n\n-- Dumped from database version 18.1\n", Some("18.1")),
            (";\n;     Dumped from database version: 15.4 (Debian 15.4-1)\n", Some("15.4")),
            ("CREATE TABLE t ();\n", None),
            ("-- Dumped from database version\n", None),
        ] {
            assert_eq!(dumped_version(head).as_deref(), expected, "{head}");
        }
    }

    #[test]
    fn a_dump_is_told_by_what_is_in_it() {
        let place = tempfile::tempdir().expect("a directory");
        let file = |name: &str, content: &[u8]| {
            std::fs::write(place.path().join(name), content).expect("it is written");
            Dump::examine_file(&place.path().join(name))
                .map(|dump| dump.is_archive)
                .map_err(|problem| problem.in_one_line())
        };
        assert_eq!(file("a.dump", b"PGDMP\x01"), Ok(true));
        assert_eq!(file("a.sql", b"SELECT 1;"), Ok(false));
        assert_eq!(file("a.tar", b"toc.dat"), Ok(true));
        assert_eq!(file("empty.sql", b""), Ok(false));
        for (path, expected) in [(place.path().to_owned(), "no dump"), (place.path().join("no"), "could not read")] {
            let said = Dump::examine_file(&path).expect_err("it is none").in_one_line();
            assert!(said.contains(expected), "{said}");
        }
    }
}
