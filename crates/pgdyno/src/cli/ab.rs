//! Options of `ab`: a comparison of two sides that needs no plan file.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::{MeasuringArgs, parse_percent, parse_time};

/// The built-in scripts, as a plan names them.
const BUILTINS: [&str; 3] = ["tpcb-like", "simple-update", "select-only"];

/// Options of `ab`.
#[derive(Debug, Args)]
#[command(disable_version_flag = true)]
#[command(group = clap::ArgGroup::new("server").required(true).args(["url", "server_version"]))]
#[command(group = clap::ArgGroup::new("load").required(true).args(["file", "captured", "builtin"]))]
pub struct AbArgs {
    /// Existing server of the baseline, as a connection string of libpq. Put the password into PGPASSWORD or ~/.pgpass.
    #[arg(long)]
    pub url: Option<String>,
    /// Version of temporary servers on this machine: 14 to 19, or a release such as 17.5.
    #[arg(long = "version", id = "server_version", value_name = "VERSION")]
    pub version: Option<String>,
    /// Setting of both sides, unless `--against` gives another value. Repeatable.
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_setting)]
    pub settings: Vec<(String, String)>,
    /// What the candidate has instead: a setting (NAME=VALUE), a version, or the URL of another server. Repeatable.
    #[arg(long, value_name = "SETTING|VERSION|URL", required = true, value_parser = parse_difference)]
    pub against: Vec<RequestedDifference>,
    /// Script in the language of pgbench: your statements, each execution of the file one transaction. Repeatable.
    #[arg(long, short, value_name = "FILE")]
    pub file: Vec<PathBuf>,
    /// Captured load of your application, as `pgdyno capture` writes it.
    #[arg(long, value_name = "DIR")]
    pub captured: Option<PathBuf>,
    /// Dump that is restored into the temporary servers: a file or directory of pg_dump, or SQL.
    #[arg(long, value_name = "FILE", conflicts_with = "url")]
    pub restore: Option<PathBuf>,
    /// Built-in script of pgbench. pgdyno creates its tables.
    #[arg(long, short, value_name = "NAME", value_parser = PossibleValuesParser::new(BUILTINS))]
    pub builtin: Option<String>,
    /// Scale factor of the tables of pgbench, about 15 MiB each [default: 10 with --builtin; no tables with --file].
    #[arg(long, value_name = "NUMBER")]
    pub scale: Option<u32>,
    /// SQL that is executed before each trial of `--file` or `--captured`, to restore the rows that it changes.
    #[arg(long, value_name = "FILE", conflicts_with = "builtin")]
    pub reset: Option<PathBuf>,
    /// How long is measured, and with how many clients.
    #[command(flatten)]
    pub extent: ComparisonExtentArgs,
    /// Where the run goes and how it ends.
    #[command(flatten)]
    pub measuring: MeasuringArgs,
}

/// How long a comparison without a plan file is measured, and with how many clients.
#[derive(Debug, Clone, Args)]
pub struct ComparisonExtentArgs {
    /// Number of clients. Several are separated by commas.
    #[arg(long, short, value_name = "NUMBER", value_delimiter = ',', default_value = "8")]
    pub clients: Vec<u32>,
    /// Time limit for all trials. The comparison ends earlier with a verdict, and has at least 5 blocks.
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = parse_time)]
    pub time: Duration,
    /// Duration of the measurement of a trial. A fifth of it precedes as a warm-up [default: 10s, or less if 5 blocks
    /// would exceed --time].
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub measure: Option<Duration>,
    /// Practical threshold in percent: the smallest change worth acting on.
    #[arg(long, value_name = "PERCENT", default_value = "3", value_parser = parse_percent)]
    pub threshold: f64,
    /// Print the plan and measure nothing.
    #[arg(long, alias = "plan")]
    pub plan_only: bool,
}

/// In what the candidate differs from the baseline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestedDifference {
    /// A setting and its value.
    Setting(String, String),
    /// The version of its server.
    Version(String),
    /// Another server.
    Url(String),
}

pub(super) fn parse_setting(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_owned(), value.trim().to_owned())),
        Some(_) | None => Err("write the name of a setting, \"=\" and its value, such as work_mem=64MB".to_owned()),
    }
}

fn parse_difference(text: &str) -> Result<RequestedDifference, String> {
    if text.contains("://") {
        return Ok(RequestedDifference::Url(text.to_owned()));
    }
    if !text.is_empty() && text.chars().all(|c| c.is_ascii_digit() || c == '.') {
        return Ok(RequestedDifference::Version(text.to_owned()));
    }
    let (name, value) = parse_setting(text).map_err(|_| {
        "write a setting (work_mem=256MB), a version (18), or the URL of a server (postgresql://…)".to_owned()
    })?;
    Ok(RequestedDifference::Setting(name, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_a_setting_a_version_or_a_server() {
        let setting = |name: &str, value: &str| RequestedDifference::Setting(name.to_owned(), value.to_owned());
        for (text, expected) in [
            ("work_mem=256MB", setting("work_mem", "256MB")),
            ("search_path = a, b=c", setting("search_path", "a, b=c")),
            ("18", RequestedDifference::Version("18".to_owned())),
            ("17.5", RequestedDifference::Version("17.5".to_owned())),
            ("postgresql://me@h/d?x=y", RequestedDifference::Url("postgresql://me@h/d?x=y".to_owned())),
        ] {
            assert_eq!(parse_difference(text), Ok(expected), "{text}");
        }
        for wrong in ["", "work_mem", "=4MB"] {
            assert!(parse_difference(wrong).is_err(), "{wrong:?}");
        }
    }
}
