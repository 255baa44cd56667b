//! Options of `rehearse`: an upgrade on temporary servers, with a captured load and a dump.

use std::path::PathBuf;

use clap::Args;

use super::ab::parse_setting;
use super::{AbArgs, ComparisonExtentArgs, MeasuringArgs, RequestedDifference};

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
    /// Version of today: 14 to 19, or a release such as 14.20.
    #[arg(long, value_name = "VERSION")]
    pub from: String,
    /// Version to upgrade to.
    #[arg(long, value_name = "VERSION")]
    pub to: String,
    /// Setting of production, for both versions. Repeatable.
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_setting)]
    pub settings: Vec<(String, String)>,
    /// How long is measured, and with how many clients.
    #[command(flatten)]
    pub extent: ComparisonExtentArgs,
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
            reset: None,
            extent: self.extent.clone(),
            measuring: self.measuring.clone(),
        }
    }
}
