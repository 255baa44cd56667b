//! What `run` and `ab` have in common: where the run goes, and the reports that are written beside it.

use std::path::PathBuf;

use clap::{Args, ValueEnum as _};

use super::{ReportExtent, ReportFormat};

/// Where a run goes and how it ends.
#[derive(Debug, Clone, Args)]
pub struct MeasuringArgs {
    /// Directory in which the run directory is created. Its link `latest` leads to the newest run, if the directory
    /// holds only runs.
    #[arg(long, value_name = "DIR", default_value = "runs")]
    pub runs: PathBuf,
    /// Seed of the trial order and of the random numbers of the workloads [default: the plan's, else random].
    #[arg(long)]
    pub seed: Option<u64>,
    /// Show the run in the browser while it is measured; prints the address to open. With PORT, listen on that port
    /// [default: any free port].
    #[arg(long, value_name = "PORT", num_args = 0..=1, require_equals = true, default_missing_value = "0")]
    pub serve: Option<u16>,
    /// Do not print issues with this code (`pgdyno rule` lists them); verdicts and exit status remain. Repeatable.
    #[arg(long, value_name = "CODE")]
    pub ignore: Vec<String>,
    /// Reports to write as files.
    #[command(flatten)]
    pub files: ReportFileArgs,
    /// First screen or whole report.
    #[command(flatten)]
    pub extent: ReportExtent,
}

/// Reports that a run writes as files.
#[derive(Debug, Clone, Args)]
pub struct ReportFileArgs {
    /// Also write these reports, whatever the verdict is. FORMAT is a format of `pgdyno report`:
    /// `junit=junit.xml,summary=summary.md`. Several are separated by commas, or the option is repeated.
    #[arg(long = "report", value_name = "FORMAT=FILE", value_delimiter = ',', value_parser = parse_report_file)]
    pub reports: Vec<ReportFile>,
}

/// A report that is written as a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportFile {
    /// Its format.
    pub format: ReportFormat,
    /// The file, which is replaced.
    pub path: PathBuf,
}

fn parse_report_file(text: &str) -> Result<ReportFile, String> {
    let Some((format, path)) = text.split_once('=').filter(|(_, path)| !path.is_empty()) else {
        return Err("write a format, \"=\" and a file, such as junit=junit.xml".to_owned());
    };
    let format = ReportFormat::from_str(format, false).map_err(|_| {
        let names: Vec<String> = ReportFormat::value_variants().iter().filter_map(name_of_format).collect();
        format!("{format:?} is not a format; the formats are {}", names.join(", "))
    })?;
    Ok(ReportFile { format, path: PathBuf::from(path) })
}

fn name_of_format(format: &ReportFormat) -> Option<String> {
    Some(format.to_possible_value()?.get_name().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_file_is_a_format_and_a_path() {
        let read = parse_report_file("junit=out/a=b.xml").expect("a format and a file");
        assert_eq!(read, ReportFile { format: ReportFormat::Junit, path: "out/a=b.xml".into() });
        for (wrong, says) in [("junit", "junit=junit.xml"), ("junit=", "junit=junit.xml"), ("xml=a", "summary, json")] {
            let error = parse_report_file(wrong).expect_err("refused");
            assert!(error.contains(says), "{error}");
        }
    }
}
