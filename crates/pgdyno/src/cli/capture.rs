//! The options of `capture`.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};

/// Options of `capture`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct CaptureArgs {
    /// What to do with a capture that exists.
    #[command(subcommand)]
    pub command: Option<CaptureCommand>,
    /// Log files of one server: csvlog, jsonlog, stderr or syslog, also compressed with gzip or zstd; in any order.
    #[arg(
        long = "log",
        value_name = "FILE",
        num_args = 1..,
        required_unless_present_any = ["listen", "statements"],
        conflicts_with_all = ["listen", "statements"]
    )]
    pub logs: Vec<PathBuf>,
    /// Address for clients of the application: their sessions are passed to the server of `--to` and captured, until
    /// Ctrl-C or the end of `--for`.
    #[arg(long, value_name = "ADDRESS", requires = "to")]
    pub listen: Vec<SocketAddr>,
    /// Server that sessions are passed to, as a connection string with hosts, ports and `ssl` options. Clients log in
    /// themselves.
    #[arg(long, value_name = "CONNINFO", requires = "listen")]
    pub to: Option<String>,
    /// Server whose `pg_stat_statements` is read now and after `--for`, as a connection string. Values are drawn from
    /// the statistics of columns.
    #[arg(long, value_name = "CONNINFO", conflicts_with = "listen")]
    pub statements: Option<String>,
    /// Time after which a capture of sessions or statements ends, such as 15m [default: Ctrl-C or SIGTERM].
    #[arg(long = "for", value_name = "TIME", conflicts_with = "logs", value_parser = super::parse_time)]
    pub time: Option<Duration>,
    /// Certificate in PEM that clients with TLS are shown [default: clients get the answer that there is no TLS].
    #[arg(long, value_name = "FILE", requires = "listen", requires = "tls_key")]
    pub tls_certificate: Option<PathBuf>,
    /// Key of the certificate, in PEM, without a pass phrase.
    #[arg(long, value_name = "FILE", requires = "tls_certificate")]
    pub tls_key: Option<PathBuf>,
    /// Capture directory to create.
    #[arg(long, value_name = "DIR", required = true)]
    pub out: Option<PathBuf>,
    /// Capture only sessions of this database.
    #[arg(long, value_name = "NAME")]
    pub database: Option<String>,
    /// Capture only sessions of this user.
    #[arg(long, value_name = "NAME")]
    pub user: Option<String>,
    /// `log_line_prefix` of the server, for stderr and syslog [default: the usual ones are tried].
    #[arg(long, value_name = "PREFIX")]
    pub log_line_prefix: Option<String>,
    /// `log_timezone` of the server, such as `Europe/Berlin` [default: the abbreviation in the log, if it is
    /// unambiguous].
    #[arg(long, value_name = "ZONE")]
    pub timezone: Option<String>,
    /// Values to replace by others of the same form. Passwords are always removed.
    #[arg(long, value_enum, default_value_t = MaskChoice::Text)]
    pub mask: MaskChoice,
    /// File with the key of the substitution; created if missing [default: the capture directory with `.key` appended].
    #[arg(long, value_name = "FILE")]
    pub mask_key: Option<PathBuf>,
}

/// What to do with a capture.
#[derive(Debug, Subcommand)]
pub enum CaptureCommand {
    /// Describe a capture: sessions, transactions, statements by time, what is missing and what cannot be replayed.
    Describe {
        /// Capture directory.
        dir: PathBuf,
        /// Print ten of the values that the capture contains.
        #[arg(long)]
        redaction: bool,
    },
    /// Print the settings that log an application's load, what they cost, and how to undo them.
    Settings {
        /// Major version of the server.
        #[arg(value_name = "VERSION", value_parser = clap::value_parser!(u32).range(10..=30), default_value_t = 18)]
        major: u32,
    },
    /// Print SQL functions that replace values as the capture did, for the data that it is replayed on. They contain
    /// the key.
    MaskSql {
        /// Capture directory.
        dir: PathBuf,
        /// File with the key [default: the capture directory with `.key` appended].
        #[arg(long, value_name = "FILE")]
        mask_key: Option<PathBuf>,
    },
}

/// Which values are replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MaskChoice {
    /// All values: numbers, times and UUIDs too.
    All,
    /// Texts and binary values.
    Text,
    /// None.
    None,
}
