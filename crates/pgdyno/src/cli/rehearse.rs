//! Options of `rehearse`: an upgrade on temporary servers, with a captured load and a dump.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::ab::parse_setting;
use super::{AbArgs, MeasuringArgs, RequestedDifference, parse_percent, parse_time};

/// Options of `rehearse`.
#[derive(Debug, Args)]
#[command(disable_version_flag = true)]
pub struct RehearseArgs {
    /// Captured load of your application, as `pgdyno capture` writes it.
    #[arg(long, value_name = "DIR")]
    pub capture: PathBuf,
    /// Dump of the database, made when the capture began: a file or directory of pg_dump, or SQL.
    #[arg(long, value_name = "FILE")]
    pub data: PathBuf,
    /// Version of today: 14 to 18, or a release such as 14.20.
    #[arg(long, value_name = "VERSION")]
    pub from: String,
    /// Version to upgrade to.
    #[arg(long, value_name = "VERSION")]
    pub to: String,
    /// Setting of production, for both versions. Repeatable.
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_setting)]
    pub settings: Vec<(String, String)>,
    /// Number of clients of the replay. Several are separated by commas.
    #[arg(long, short, value_name = "NUMBER", value_delimiter = ',', default_value = "8")]
    pub clients: Vec<u32>,
    /// Time limit for all trials. The comparison ends earlier with a verdict, and has at least 5 blocks.
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = parse_time)]
    pub time: Duration,
    /// Duration of the measurement of a trial.
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_time)]
    pub measure: Duration,
    /// Practical threshold in percent: the smallest change worth acting on.
    #[arg(long, value_name = "PERCENT", default_value = "3", value_parser = parse_percent)]
    pub threshold: f64,
    /// Print the plan and measure nothing.
    #[arg(long)]
    pub plan: bool,
    /// Where the run goes and how it ends.
    #[command(flatten)]
    pub measuring: MeasuringArgs,
}

impl RehearseArgs {
    /// The comparison that it is: the captured load on two temporary servers.
    pub fn to_comparison(&self) -> AbArgs {
        AbArgs {
            url: None,
            version: Some(self.from.clone()),
            settings: self.settings.clone(),
            against: vec![RequestedDifference::Version(self.to.clone())],
            file: Vec::new(),
            captured: Some(self.capture.clone()),
            restore: Some(self.data.clone()),
            builtin: None,
            scale: None,
            clients: self.clients.clone(),
            time: self.time,
            measure: self.measure,
            threshold: self.threshold,
            plan_only: self.plan,
            measuring: self.measuring.clone(),
        }
    }
}
