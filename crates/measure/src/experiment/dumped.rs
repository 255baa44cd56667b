//! Data that come from another server: read once by pg_dump, before any target has them, so that all targets begin with
//! the same rows. Only reads there. The dump stays in the run directory until the run is complete, so that one that was
//! interrupted goes on with the same data.

use std::io::ErrorKind;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Instant;

use conninfo::ConnInfo;
use load::StopRequest;
use load::external::set_libpq_environment;
use plan::{DataSource, Plan, ServerUrl};
use server::Environment;
use tokio::process::Command;

use crate::interrupt::unless_stopped;
use crate::progress::ProgressReporter;
use problem::Problem;

/// The directory of the dumps in that of the run. Nobody else may read it.
const DIRECTORY: &str = "dumps";

/// How long pg_dump waits for a lock that another session holds: those behind it in the queue wait, too.
const LOCK_WAIT: &str = "30s";

/// The dumps of a run, or of a pilot.
#[derive(Debug)]
pub(super) struct DumpedSources {
    directory: PathBuf,
    /// A pilot has no run directory.
    _temporary: Option<tempfile::TempDir>,
}

impl DumpedSources {
    /// Those of a run with this directory.
    pub(super) fn in_run(run: &Path) -> Self {
        Self { directory: run.join(DIRECTORY), _temporary: None }
    }

    /// Those of something that ends with this process.
    ///
    /// # Errors
    /// There is no room for a directory.
    pub(super) fn in_temporary_directory() -> Result<Self, Problem> {
        let made = tempfile::tempdir().map_err(|error| {
            Problem::could_not_measure("could not create a directory for a dump").detail(error.to_string())
        })?;
        Ok(Self { directory: made.path().join(DIRECTORY), _temporary: Some(made) })
    }

    /// The file with the data of a target: the plan's, or the dump of its source.
    pub(super) fn file_of_source(&self, plan: &Plan, source: &DataSource) -> PathBuf {
        match source {
            DataSource::Restore(file) => file.clone(),
            DataSource::From(url) => self.directory.join(format!("{}.dump", source_number(plan, url))),
        }
    }

    /// Dumps every source that has not been dumped, each once whatever number of targets it is for.
    ///
    /// # Errors
    /// pg_dump is missing, older than the server, or may not read a table.
    pub(super) async fn dump_sources(
        &self,
        plan: &Plan,
        environment: &Environment,
        stop: &StopRequest,
        progress: &ProgressReporter,
    ) -> Result<(), Problem> {
        for target in &plan.targets {
            let Some(DataSource::From(url)) = target.data.as_ref().map(|data| &data.source) else { continue };
            let file = self.file_of_source(plan, &DataSource::From(url.clone()));
            if file.exists() {
                continue;
            }
            let resolved = conninfo::resolve_connection_string(url.expose_url(), &environment.conninfo_surroundings());
            let source = resolved.map_err(|error| {
                Problem::usage_error(format!("target {:?}: data: {error}", target.name))
                    .hint(error.error_hint().unwrap_or_default())
            })?;
            self.create_directory()?;
            progress.show_stage(&format!("{}: dumping {url}", target.name), 0, 1);
            let begun = Instant::now();
            unless_stopped(stop, dump_database(&target.name, &source.conninfo, &file)).await?;
            let took = begun.elapsed().as_secs_f64();
            progress.print_line(&format!("{}: {url} dumped in {took:.1} s; pgdyno only reads there", target.name));
        }
        Ok(())
    }

    fn create_directory(&self) -> Result<(), Problem> {
        let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&self.directory);
        made.map_err(|error| {
            Problem::could_not_measure(format!("could not create {}", self.directory.display()))
                .detail(error.to_string())
        })
    }

    /// Removes the dumps of a run that is complete: they are data of a server, and a run directory is passed on.
    pub(super) fn remove_dumps(&self) {
        // Without any there is nothing to remove.
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

/// Targets with the same source have the same number.
fn source_number(plan: &Plan, url: &ServerUrl) -> usize {
    for (place, target) in plan.targets.iter().enumerate() {
        if let Some(DataSource::From(other)) = target.data.as_ref().map(|data| &data.source)
            && other.without_password() == url.without_password()
        {
            return place + 1;
        }
    }
    0
}

/// Writes one database into a file, which appears under its name when it is whole.
async fn dump_database(target: &str, source: &ConnInfo, file: &Path) -> Result<(), Problem> {
    let partial = file.with_extension("partial");
    let (host, port) = source.host_and_port();
    let mut command = Command::new("pg_dump");
    set_libpq_environment(command.as_std_mut(), source);
    command.envs([
        ("PGHOST", host.as_str()),
        ("PGPORT", &port),
        ("PGUSER", &source.user),
        ("PGDATABASE", &source.dbname),
    ]);
    command.args(["--format", "custom", "--no-password", "--lock-wait-timeout", LOCK_WAIT, "--file"]).arg(&partial);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).kill_on_drop(true);
    let problem = Problem::could_not_measure(format!(
        "target {target:?}: could not dump database {:?} at {host}:{port}",
        source.dbname
    ));
    let output = match command.output().await {
        Ok(output) => output,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Err(problem
                .detail("pg_dump is not on the PATH")
                .hint("install the client programs of PostgreSQL: apt-get install postgresql-client"));
        }
        Err(error) => return Err(problem.detail(format!("pg_dump: {error}"))),
    };
    if output.status.success() {
        return std::fs::rename(&partial, file).map_err(|error| problem.detail(error.to_string()));
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).take(5).collect();
    let hint = hint_of_failure(&said, &source.user);
    Err(problem.detail(lines.join("; ")).hint(hint))
}

/// What to do about what pg_dump said.
fn hint_of_failure(said: &str, role: &str) -> String {
    if said.contains("server version mismatch") {
        return "install the client programs of the server's version, or newer ones, and put them first on the PATH"
            .to_owned();
    }
    if said.contains("row-level security") || said.contains("row security") {
        return format!("let a role dump that sees all rows: ALTER ROLE {role} BYPASSRLS");
    }
    if said.contains("permission denied") {
        return format!("pg_dump reads all tables and sequences: GRANT pg_read_all_data TO {role}");
    }
    if said.contains("lock timeout") || said.contains("could not obtain lock") {
        return format!("another session holds a lock for more than {LOCK_WAIT}; pg_stat_activity shows it").to_owned();
    }
    "check the connection with psql; put the password into PGPASSWORD or ~/.pgpass".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hint_says_what_pg_dump_lacks() {
        for (said, expected) in [
            ("pg_dump: error: aborting because of server version mismatch", "client programs of the server's version"),
            ("pg_dump: error: query failed: ERROR:  permission denied for table t", "GRANT pg_read_all_data TO app"),
            ("ERROR:  query would be affected by row-level security policy for table \"t\"", "BYPASSRLS"),
            ("ERROR:  canceling statement due to lock timeout", "holds a lock"),
            ("connection refused", "psql"),
        ] {
            let hint = hint_of_failure(said, "app");
            assert!(hint.contains(expected), "{said}: {hint}");
        }
    }

    #[test]
    fn targets_with_one_source_share_its_dump() {
        let text = "name: x\ntargets:\n  a: { local: { version: 17 }, data: { from: postgresql://me:one@h/d } }\n  \
                    b: { local: { version: 18 }, data: { from: postgresql://me:two@h/d } }\n  \
                    c: { local: { version: 18 }, data: { from: postgresql://me@h/e } }\nbaseline: a\n\
                    workloads: { w: { builtin: simple-update, scale: 7 } }\nclients: [4]\n";
        let plan = plan::parse_plan("x.yaml", text.as_bytes()).expect("a plan");
        let dumps = DumpedSources::in_run(Path::new("/runs/x"));
        let files: Vec<PathBuf> = plan
            .targets
            .iter()
            .map(|target| dumps.file_of_source(&plan, &target.data.as_ref().expect("data").source))
            .collect();
        let expected = ["/runs/x/dumps/1.dump", "/runs/x/dumps/1.dump", "/runs/x/dumps/3.dump"].map(PathBuf::from);
        assert_eq!(files, expected);
    }
}
