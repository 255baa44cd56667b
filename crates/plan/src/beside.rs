//! Loads beside: what runs on the server of a target while a workload is measured, with figures of its own. It answers
//! what a report, a backup or an index build costs the application.
//!
//! They are the plan's, so that all targets have the same ones; a target, or a variant of it, may have some of them or
//! none, which compares a server with and without.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::json;

use super::event_forms::{ShellCommand, text};
use super::language::{
    At, AtLeastMs, Form, HasName, List, MappingFields, PlanReadingFindings, TextForm, ValueDescription, Whole, Yaml,
    choice, quote_text, record,
};
use super::model::Plan;
use super::target::Target;
use super::units::PerSecond;
use super::workload::{ScriptFile, Workload};

record! {
    /// A load that runs on the server of a target while a workload is measured. Its figures stand in the report by
    /// themselves, and are no part of the throughput and latency of the workload.
    pub struct BesideLoad = "a load beside", check = Self::is_possible {
        /// What it is called in reports.
        name name: String,
        /// What it does, again and again from the start of the warm-up to the end of the measurement.
        keys work: BesideWork,
        /// Number of connections that execute it at the same time (`script`, `copy`).
        key clients: Option<u32> as Option<Whole<1, 1_000>> = Absent("1"),
        /// Offered rate of executions per second, independent of the server (`script`, `copy`).
        key rate: Option<PerSecond> = Absent("each client begins the next execution when the last one has ended"),
        /// Pause of a client between two executions.
        key pause: Option<Duration> as Option<AtLeastMs<1>> = Absent("none"),
    }
}

impl HasName for BesideLoad {
    fn name(&self) -> &str {
        &self.name
    }
}

choice! {
    /// What a load beside does.
    pub enum BesideWork = "one of `script`, `copy`, `vacuum`, `index_build`, `pg_basebackup`, `pg_dump`, `command` is required" {
        /// Your own scripts in the language of pgbench, as `script` of a workload. The run directory keeps a copy.
        "script" => Script(BesideScripts),
        /// COPY FROM STDIN of the rows of a file: one COPY with all its rows for each execution.
        "copy" => Copy(CopiedFile),
        /// VACUUM (ANALYZE) of these tables, separated by commas.
        "vacuum" => Vacuum(SqlText),
        /// CREATE INDEX CONCURRENTLY on a table and its columns, then DROP INDEX CONCURRENTLY. The index is called
        /// `pgdyno_beside_1` or with another number, and does not remain. On a server that pgdyno did not create, the
        /// target needs `may_disturb: true`.
        "index_build" => IndexBuild(SqlText),
        /// A base backup by pg_basebackup, as tar with all WAL that it needs, whose bytes are counted and not kept. The
        /// role needs the attribute REPLICATION, and pg_hba.conf an entry for `replication`.
        "pg_basebackup" => BaseBackup(ProgramOptions),
        /// A dump of the database by pg_dump in the custom format, whose bytes are counted and not kept.
        "pg_dump" => Dump(ProgramOptions),
        /// Shell command (`sh -c`) that pgdyno runs on this machine, with PGHOST, PGPORT, PGUSER and PGDATABASE of the
        /// target, and its name in PGDYNO_TARGET: the backup that you use, for example.
        "command" => Command(ShellCommand),
    }
}

text! {
    /// A part of an SQL statement.
    SqlText = "part of an SQL statement", "pgbench_accounts (abalance)"
}

record! {
    /// The rows of a file, and where they are copied to.
    pub struct CopiedFile = "copy" {
        /// Table, with its columns if the file does not have all of them.
        key into: SqlText,
        /// File with the rows, as COPY reads them. A relative path starts at the plan. The run directory keeps a copy.
        key rows: PathBuf,
        /// Options of COPY, as between the parentheses after WITH: `FORMAT csv, HEADER`.
        key options: Option<SqlText> = Absent("none: text with tabs"),
    }
}

record! {
    /// A client program of PostgreSQL. pgdyno takes the one on the PATH, or one in /usr/lib/postgresql or /usr/pgsql-*
    /// that is not older than the server.
    pub struct ProgramOptions = "a client program" {
        /// Further options, one element each: `["--max-rate=50M"]`.
        key options: Vec<String> as List<TextForm, 0, Vec<String>> = Default("[]"),
    }
}

/// Own scripts of a load beside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BesideScripts {
    /// The files, at least one; which one a client executes next is drawn by weight.
    pub files: Vec<ScriptFile>,
}

impl Form for BesideScripts {
    type Value = Self;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Self> {
        List::<ScriptFile, 1>::read_value(findings, at).map(|files| Self { files })
    }

    fn write_value(value: &Self) -> Yaml {
        List::<ScriptFile, 1>::write_value(&value.files)
    }

    fn describe_form() -> ValueDescription {
        List::<ScriptFile, 1>::describe_form()
    }
}

impl BesideLoad {
    /// The connections that execute it at the same time.
    #[must_use]
    pub fn client_count(&self) -> u32 {
        self.clients.unwrap_or(1)
    }

    fn is_possible(&self, findings: &mut PlanReadingFindings, fields: &MappingFields<'_>) {
        if !self.work.is_sent_by_clients() {
            for name in ["clients", "rate"] {
                fields.report_misplaced(findings, name, "is for `script` and `copy`", "remove it");
            }
        }
        if self.rate.is_some() {
            let why = "and `rate` exclude each other";
            fields.report_misplaced(findings, "pause", why, "remove one: the rate determines when executions start");
        }
    }
}

impl BesideWork {
    /// The key of the plan that says it.
    #[must_use]
    pub fn plan_key(&self) -> &'static str {
        match self {
            Self::Script(_) => "script",
            Self::Copy(_) => "copy",
            Self::Vacuum(_) => "vacuum",
            Self::IndexBuild(_) => "index_build",
            Self::BaseBackup(_) => "pg_basebackup",
            Self::Dump(_) => "pg_dump",
            Self::Command(_) => "command",
        }
    }

    /// Whether it may change rows.
    fn may_write(&self) -> bool {
        match self {
            Self::Script(_) | Self::Copy(_) | Self::Command(_) => true,
            Self::Vacuum(_) | Self::IndexBuild(_) | Self::BaseBackup(_) | Self::Dump(_) => false,
        }
    }

    /// Whether any number of clients can execute it.
    fn is_sent_by_clients(&self) -> bool {
        match self {
            Self::Script(_) | Self::Copy(_) => true,
            Self::Vacuum(_) | Self::IndexBuild(_) | Self::BaseBackup(_) | Self::Dump(_) | Self::Command(_) => false,
        }
    }

    /// What it does, as a sentence without its subject.
    #[must_use]
    pub fn action_in_words(&self) -> String {
        match self {
            Self::Script(scripts) => {
                let files: Vec<String> = scripts.files.iter().map(ToString::to_string).collect();
                format!("executes {}", files.join(", "))
            }
            Self::Copy(file) => format!("copies the rows of {} into {}", file.rows.display(), file.into.text()),
            Self::Vacuum(tables) => format!("executes VACUUM (ANALYZE) {}", tables.text()),
            Self::IndexBuild(on) => format!("creates an index on {} and drops it", on.text()),
            Self::BaseBackup(_) => "takes base backups by pg_basebackup".to_owned(),
            Self::Dump(_) => "dumps the database by pg_dump".to_owned(),
            Self::Command(command) => format!("runs `{}` here", command.text()),
        }
    }
}

impl Plan {
    /// The loads that run beside the trials of a target, in the order of the plan.
    pub fn beside_target<'p>(&'p self, target: &'p Target) -> impl Iterator<Item = &'p BesideLoad> {
        self.beside.iter().filter(|load| target.beside.as_ref().is_none_or(|names| names.contains(&load.name)))
    }

    /// Whether the trials of a workload on a target may change data: by the workload, or by a load beside.
    #[must_use]
    pub fn trial_changes_data(&self, target: &Target, workload: &Workload) -> bool {
        workload.changes_data() || self.beside_target(target).any(|load| load.work.may_write())
    }

    /// Whether any target has loads beside its own.
    pub(crate) fn has_loads_beside(&self) -> bool {
        self.targets.iter().any(|target| self.beside_target(target).next().is_some())
    }
}
