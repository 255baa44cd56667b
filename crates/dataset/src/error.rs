//! Why a data set could not be had, told to the person who can change it: what, what the system said, what to try.

use std::error::Error as _;

use thiserror::Error;
use tokio_postgres::error::SqlState;

use super::{Data, Defect};

/// A data set that could not be had. The message names the database and never a password; see also
/// [`detail`](Self::detail) and [`hint`](Self::hint).
#[derive(Debug, Error)]
pub enum DatasetError {
    /// The scale does not fit pgbench's columns.
    #[error("scale {scale} is too large for the pgbench schema")]
    Scale {
        /// What was asked for.
        scale: u32,
        /// The largest that fits.
        at_most: u32,
    },
    /// The fill factor is none.
    #[error("fillfactor {percent} is out of range")]
    Fillfactor {
        /// What was asked for.
        percent: u8,
    },
    /// No session with the server.
    #[error("could not connect to {server}")]
    Connect {
        /// Host, port and database, as configured.
        server: String,
        /// Why.
        source: tokio_postgres::Error,
    },
    /// The server refused a step, or the connection broke during it.
    #[error("could not {step} in database \"{database}\"{}", format_error_code(source))]
    Server {
        /// What was attempted, from its verb on.
        step: String,
        /// The database.
        database: String,
        /// What the server said.
        source: tokio_postgres::Error,
        /// About what the data set needs on the server's disk, in MiB, where the step was part of making it.
        size_mib: Option<u64>,
    },
    /// Tables of these names are there and pgdyno did not make them.
    #[error("database \"{database}\" contains tables that pgdyno did not create: {}", tables.join(", "))]
    NotOurs {
        /// The database.
        database: String,
        /// The tables, with their schemas.
        tables: Vec<String>,
    },
    /// The tables that are to be used as they are do not fit.
    #[error("the {} tables of database \"{database}\" do not match {data}", data.kind_word())]
    Unfit {
        /// The database.
        database: String,
        /// What was asked for.
        data: Data,
        /// What is wrong.
        defects: Vec<Defect>,
    },
    /// The session may not write and has to.
    #[error("database \"{database}\" is read-only: could not {step}")]
    ReadOnly {
        /// The database.
        database: String,
        /// What had to be written, from its verb on.
        step: String,
        /// Whether the server is a standby; otherwise a setting makes it read-only.
        standby: bool,
    },
    /// No schema of the search path takes new tables.
    #[error("role \"{role}\" may not create tables in database \"{database}\" (42501)")]
    NoSchema {
        /// The role.
        role: String,
        /// The database.
        database: String,
        /// The search path as set.
        search_path: String,
    },
    /// The role may not make the database that the data are to lie in.
    #[error("role \"{role}\" may not create the database \"{name}\" (42501)")]
    NoNewDatabase {
        /// The role.
        role: String,
        /// The database.
        name: String,
    },
    /// It was asked to stop.
    #[error("the set-up of the data was interrupted")]
    Interrupted,
}

impl DatasetError {
    /// What the system said, or what exactly was found.
    pub fn detail(&self) -> Option<String> {
        match self {
            Self::Scale { at_most, .. } => {
                Some(format!("tid is a 32-bit integer, which limits the scale to {at_most}"))
            }
            Self::Fillfactor { .. } => Some("the range is 10 to 100".to_owned()),
            Self::Connect { source, .. } | Self::Server { source, .. } => Some(server_message(source)),
            Self::Unfit { defects, .. } => Some(defects.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")),
            Self::ReadOnly { standby: true, .. } => Some("the server is a standby".to_owned()),
            Self::ReadOnly { standby: false, .. } => Some("default_transaction_read_only is on".to_owned()),
            Self::NoSchema { search_path, .. } => Some(format!("search_path is {search_path}")),
            Self::NoNewDatabase { .. } => Some("each data size has its own database".to_owned()),
            Self::NotOurs { .. } | Self::Interrupted => None,
        }
    }

    /// What to try.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Scale { .. } => "use a smaller scale",
            Self::Fillfactor { .. } => "omit it for 100, the default of pgbench",
            Self::Connect { .. } => "check host, port, database and role of the target in the plan",
            Self::Server { source, size_mib, .. } => return server_hint(source, *size_mib),
            Self::NotOurs { .. } => {
                "use another database, or write `data: existing` in the plan to use the tables unchanged; pgdyno never \
                 drops or empties tables that it did not create"
            }
            Self::Unfit { data: Data::Pgbench(_), .. } => {
                "set the workload's scale to that of the tables, or initialize them with `pgbench -i -s SCALE`"
            }
            Self::Unfit { data: Data::Erp(_), .. } => {
                "remove `data: existing` from the plan, so that pgdyno creates the tables"
            }
            Self::Unfit { data: Data::Sysbench(_), .. } => {
                "set the workload's options to those of the tables, or create them with `sysbench WORKLOAD prepare`"
            }
            Self::ReadOnly { standby: true, .. } => {
                "connect to the primary, or create the data there and run only workloads that read"
            }
            Self::ReadOnly { standby: false, .. } => {
                "turn the setting off for the role or the database, or run only workloads that read"
            }
            Self::NoSchema { .. } => {
                "GRANT CREATE on a schema of the search path to the role, or use a database that the role owns"
            }
            Self::NoNewDatabase { role, name } => {
                return Some(format!(
                    "ask an administrator to execute `ALTER ROLE \"{role}\" CREATEDB` or `CREATE DATABASE {name} OWNER \
                     \"{role}\"`, or write a separate plan for each size"
                ));
            }
            Self::Interrupted => return None,
        };
        Some(hint.to_owned())
    }

    /// The server's error code, where the server refused.
    pub fn sqlstate_of_error(&self) -> Option<&SqlState> {
        match self {
            Self::Connect { source, .. } | Self::Server { source, .. } => source.code(),
            Self::NoSchema { .. } | Self::NoNewDatabase { .. } => Some(&SqlState::INSUFFICIENT_PRIVILEGE),
            Self::Scale { .. }
            | Self::Fillfactor { .. }
            | Self::NotOurs { .. }
            | Self::Unfit { .. }
            | Self::ReadOnly { .. }
            | Self::Interrupted => None,
        }
    }

    /// The same with what the data set needs on disk, for the hint when the disk is full.
    pub(super) fn while_making(mut self, data: &Data) -> Self {
        if let Self::Server { size_mib, .. } = &mut self {
            *size_mib = Some(data.size_mib());
        }
        self
    }
}

fn format_error_code(error: &tokio_postgres::Error) -> String {
    error.code().map(|code| format!(" ({})", code.code())).unwrap_or_default()
}

/// The server's message with its detail, or the client's with its cause.
fn server_message(error: &tokio_postgres::Error) -> String {
    if let Some(db) = error.as_db_error() {
        let lines = [Some(db.message()), db.detail(), db.hint()];
        return lines.into_iter().flatten().collect::<Vec<_>>().join("\n");
    }
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}

fn server_hint(error: &tokio_postgres::Error, size_mib: Option<u64>) -> Option<String> {
    let code = error.code()?;
    let hint = if *code == SqlState::DISK_FULL {
        let need = size_mib
            .map_or_else(String::new, |mib| format!("; this scale needs about {mib} MiB and the same amount of WAL"));
        return Some(format!("free disk space on the server or use a smaller scale{need}"));
    } else if *code == SqlState::INSUFFICIENT_PRIVILEGE {
        "grant the role the privilege, or use a database that the role owns"
    } else if *code == SqlState::LOCK_NOT_AVAILABLE {
        "another session holds a lock on the tables or sets them up: see pg_locks, then try again"
    } else if *code == SqlState::DEPENDENT_OBJECTS_STILL_EXIST {
        "drop the objects that depend on the tables, or use another database"
    } else if *code == SqlState::UNDEFINED_TABLE {
        "set up the data first"
    } else {
        return None;
    };
    Some(hint.to_owned())
}
