//! Every script of the corpus, run by the real pgbench and by the load engine with the same seed: they leave the same
//! tables behind and have sent the same statements equally often. What pgbench refuses, the engine refuses.
//!
//! A script writes what it computes into `result`. Comments at its start say how it is run: `modes:` (all without it),
//! `define:` (a variable), `transactions:` (3 without it), `shell: permitted`.

use crate::server::{Postgres, shared};
use load::{EngineJob, JobExtent, LoadError, ParsedScript, QueryMode, ShellCommands, StopRequest, Summary, Weighted};
use std::num::{NonZeroU32, NonZeroU64};
use std::path::{Path, PathBuf};
use std::process::Output;
use tempfile::NamedTempFile;
use testbed::run_command;

const SEED: u64 = 42;
const CLIENTS: u32 = 2;

/// A script of the corpus and how it is run.
struct Case {
    path: PathBuf,
    text: String,
    modes: Vec<(&'static str, QueryMode)>,
    definitions: Vec<(String, String)>,
    transactions: u64,
    shell: ShellCommands,
}

impl Case {
    /// The scripts of a folder.
    fn all(folder: &str) -> Vec<Case> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(folder);
        let entries = std::fs::read_dir(folder).expect("the corpus is there");
        let paths = entries.map(|entry| entry.expect("an entry").path());
        let mut paths: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|e| e == "sql")).collect();
        paths.sort();
        paths.into_iter().map(Case::read).collect()
    }

    fn read(path: PathBuf) -> Case {
        const MODES: [(&str, QueryMode); 3] =
            [("simple", QueryMode::Simple), ("extended", QueryMode::Extended), ("prepared", QueryMode::Prepared)];
        let text = std::fs::read_to_string(&path).expect("a script");
        let said = |key: &str| -> Vec<String> {
            let lines = text.lines().take_while(|line| line.starts_with("--"));
            lines.filter_map(|line| line.strip_prefix(&format!("-- {key}: "))).map(str::to_owned).collect()
        };
        let modes = said("modes").pop();
        let wanted = |name: &str| modes.as_ref().is_none_or(|modes| modes.split(' ').any(|mode| mode == name));
        let definition = |text: String| text.split_once('=').map(|(n, v)| (n.to_owned(), v.to_owned()));
        Case {
            modes: MODES.into_iter().filter(|(name, _)| wanted(name)).collect(),
            definitions: said("define").into_iter().map(|text| definition(text).expect("name=value")).collect(),
            transactions: said("transactions").pop().map_or(3, |count| count.parse().expect("a number")),
            shell: if said("shell").is_empty() { ShellCommands::Refused } else { ShellCommands::Permitted },
            path,
            text,
        }
    }

    fn name(&self) -> String {
        self.path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// Has the real pgbench run it.
    fn pgbench(&self, postgres: &Postgres, database: &str, mode: &str) -> Output {
        let file = readable(&self.text);
        let mut pgbench = postgres.client_program("pgbench");
        pgbench.arg("--no-vacuum").arg(format!("--client={CLIENTS}")).arg(format!("--random-seed={SEED}"));
        pgbench.arg(format!("--transactions={}", self.transactions)).arg(format!("--protocol={mode}"));
        pgbench.args(self.definitions.iter().map(|(name, value)| format!("--define={name}={value}")));
        pgbench.arg("--file").arg(file.path()).arg(database).output().expect("pgbench runs")
    }

    /// Has the engine run it.
    fn engine(&self, postgres: &Postgres, database: &str, mode: QueryMode) -> Result<Summary, LoadError> {
        let script = ParsedScript::parse(&self.name(), &self.text)?;
        let job = EngineJob {
            mode,
            clients: NonZeroU32::new(CLIENTS).expect("not zero"),
            measure: JobExtent::Transactions(NonZeroU64::new(self.transactions).expect("not zero")),
            seed: SEED,
            definitions: self.definitions.clone(),
            shell: self.shell,
            ..EngineJob::new(postgres.unix(database), script)
        };
        load::run_job(&job, &StopRequest::new(), &mut |_| ())
    }
}

/// A database for one side of the comparison.
struct Side<'a> {
    postgres: &'a Postgres,
    database: String,
}

impl<'a> Side<'a> {
    fn new(postgres: &'a Postgres) -> Side<'a> {
        let database = postgres.empty_database();
        postgres.query_database(
            &database,
            "CREATE EXTENSION pg_stat_statements;
             CREATE TABLE result (client int, name text, value text);
             CREATE TABLE t (id int PRIMARY KEY, v int);
             INSERT INTO t SELECT id, 0 FROM generate_series(1, 100) AS id",
        );
        Side { postgres, database }
    }

    /// How often which statement was executed, and what the script has written, once its sessions have ended. It is
    /// then forgotten: all of it by one `psql`, since starting one takes longer than most scripts.
    fn take(&self) -> String {
        let take = "DO $$ BEGIN
                        WHILE EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()) LOOP
                            PERFORM pg_sleep(0.002), pg_stat_clear_snapshot();
                        END LOOP;
                    END $$;
                    SELECT query, calls, rows FROM pg_stat_statements JOIN pg_database AS d ON d.oid = dbid
                    WHERE datname = current_database() AND query NOT LIKE '%pg_stat_statements_reset%' ORDER BY 1, 2;
                    SELECT * FROM result ORDER BY client, name, value;
                    TRUNCATE result;
                    SELECT pg_stat_statements_reset(0, oid, 0) FROM pg_database WHERE datname = current_database()";
        self.postgres.query_database(&self.database, take)
    }
}

/// A file with a script; the user that pgbench runs as can read it.
fn readable(text: &str) -> NamedTempFile {
    let file = tempfile::Builder::new().suffix(".sql").tempfile().expect("a temporary file");
    std::fs::write(file.path(), text).expect("it can be written");
    run_command(std::process::Command::new("chmod").arg("644").arg(file.path()));
    file
}

#[test]
fn every_script_has_the_same_effect_under_pgbench_and_under_the_engine() {
    let postgres = shared();
    let (theirs, ours) = (Side::new(&postgres), Side::new(&postgres));
    let cases = Case::all("");
    assert!(cases.len() >= 30, "{}", cases.len());
    theirs.take();
    ours.take();
    let mut wrong = Vec::new();
    for case in &cases {
        for &(mode_name, mode) in &case.modes {
            let what = format!("{} ({mode_name})", case.name());
            let pgbench = case.pgbench(&postgres, &theirs.database, mode_name);
            let said = String::from_utf8_lossy(&pgbench.stderr);
            assert!(pgbench.status.success(), "{what}: pgbench cannot run it: {said}");
            let outcome = case.engine(&postgres, &ours.database, mode);
            let (expected, found) = (theirs.take(), ours.take());
            match outcome {
                Err(error) => wrong.push(format!("{what}: {error}: {:?}", error.detail())),
                Ok(summary) if summary.failed > 0 => wrong.push(format!("{what}: {:?}", summary.errors)),
                Ok(_) if expected == found => {}
                Ok(_) => wrong.push(format!("{what}:\npgbench: {expected}\nengine: {found}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What pgbench refuses and the engine does not: a statement of pgbench has at most 255 parameters, one of the protocol
/// 65 535.
const POSSIBLE_HERE: [&str; 1] = ["too_many_variables"];

#[test]
fn what_pgbench_refuses_the_engine_refuses() {
    let postgres = shared();
    let side = Side::new(&postgres);
    let cases = Case::all("errors");
    assert!(cases.len() >= 50, "{}", cases.len());
    let mut wrong = Vec::new();
    for case in &cases {
        // Of the two protocols the one in which more is possible.
        let pgbench = case.pgbench(&postgres, &side.database, "prepared");
        assert!(!pgbench.status.success(), "{}: pgbench runs it", case.name());
        let runs = case.engine(&postgres, &side.database, QueryMode::Prepared);
        if let Ok(summary) = runs
            && !POSSIBLE_HERE.contains(&&*case.name())
        {
            wrong.push(format!("{}: {} transactions", case.name(), summary.successful_transactions()));
        }
    }
    assert!(wrong.is_empty(), "the engine runs: {}", wrong.join(", "));
}

#[test]
fn with_as_many_threads_as_clients_scripts_are_chosen_as_pgbench_chooses_them() {
    let postgres = shared();
    let text = |name: &str| format!("INSERT INTO result VALUES (:client_id, now(), '{name}');");
    for definitions in [Vec::new(), vec![("default_seed".to_owned(), "7".to_owned())]] {
        let (theirs, ours) = (Side::new(&postgres), Side::new(&postgres));
        let (rare, often) = (readable(&text("rare")), readable(&text("often")));
        let weighted = |file: &NamedTempFile, weight| format!("--file={}@{weight}", file.path().display());
        let mut pgbench = postgres.client_program("pgbench");
        pgbench.args(["-n", "-c3", "-j3", "-t25", "--random-seed=42", "-Mprepared"]);
        pgbench.args([weighted(&rare, 2), weighted(&often, 5)]);
        pgbench.args(definitions.iter().map(|(name, value)| format!("--define={name}={value}")));
        run_command(pgbench.arg(&theirs.database));
        let script = |name: &str, weight| Weighted {
            script: ParsedScript::parse(name, &text(name)).expect("it parses"),
            weight: NonZeroU32::new(weight).expect("not zero"),
        };
        let job = EngineJob {
            scripts: vec![script("rare", 2), script("often", 5)],
            clients: NonZeroU32::new(3).expect("not zero"),
            threads: NonZeroU32::new(2).expect("not zero"),
            measure: JobExtent::Transactions(NonZeroU64::new(25).expect("not zero")),
            seed: SEED,
            definitions,
            ..EngineJob::new(postgres.unix(&ours.database), script("rare", 2).script)
        };
        load::run_job(&job, &StopRequest::new(), &mut |_| ()).expect("it runs");
        let chosen = "SELECT client, value FROM result ORDER BY client, name::timestamptz";
        let (theirs, ours) =
            (postgres.query_database(&theirs.database, chosen), postgres.query_database(&ours.database, chosen));
        assert_eq!(theirs.lines().count(), 75);
        assert_eq!(theirs, ours);
    }
}
