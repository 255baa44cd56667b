//! The options of `history`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::ReportFileArgs;

/// What to do with a history of runs.
#[derive(Debug, Subcommand)]
pub enum HistoryCommand {
    /// Add a finished run to the history, one line per cell. A run is added only once.
    Add(AddArgs),
    /// Show every series: its levels, changes of the level, and changes of what is measured.
    Show(ShowArgs),
    /// Report unresolved regressions. Exit status: 0 none, 1 at least one, 4 not enough runs.
    Check(CheckArgs),
    /// Accept the current level as the new baseline, from a given run on.
    Accept(AcceptArgs),
    /// Save version and settings of a target of a finished run, for `guard`.
    Pin(PinArgs),
    /// Measure a plan against a pinned baseline, both in the same run, and add the run to the history. The exit status
    /// is that of `run`.
    Guard(GuardArgs),
}

/// Options of `history pin`.
#[derive(Debug, Args)]
pub struct PinArgs {
    /// Run directory.
    pub run: PathBuf,
    /// Target to save [default: the baseline of the run].
    #[arg(long, value_name = "NAME")]
    pub target: Option<String>,
    /// File to write: a plan that contains only this target.
    #[arg(long, value_name = "FILE", default_value = "pinned.yaml")]
    pub to: PathBuf,
}

/// Options of `history guard`.
#[derive(Debug, Args)]
pub struct GuardArgs {
    /// Plan file. The pinned target replaces its baseline, or is added if the plan has only one target.
    pub plan: PathBuf,
    /// File that `history pin` wrote.
    #[arg(long, value_name = "PINNED")]
    pub baseline: PathBuf,
    /// Directory in which the run directory is created.
    #[arg(long, value_name = "DIR", default_value = "runs")]
    pub runs: PathBuf,
    /// History file [default: history.jsonl next to the run directory].
    #[arg(long, value_name = "FILE")]
    pub to: Option<PathBuf>,
    /// Reports to write as files.
    #[command(flatten)]
    pub files: ReportFileArgs,
}

/// Options of `history add`.
#[derive(Debug, Args)]
pub struct AddArgs {
    /// Run directory.
    pub run: PathBuf,
    /// History file; created if missing [default: history.jsonl next to the run directory].
    #[arg(long, value_name = "FILE")]
    pub to: Option<PathBuf>,
}

/// Options of `history show`.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// History file.
    #[arg(value_name = "FILE", default_value = "runs/history.jsonl")]
    pub file: PathBuf,
    /// Output format; `html` writes a file, the other formats print to standard output.
    #[arg(long, value_enum, default_value_t = HistoryFormat::Terminal)]
    pub format: HistoryFormat,
    /// Write to FILE instead of `history.html` next to the history or standard output; `-` is standard output.
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Options of `history check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// History file.
    #[arg(value_name = "FILE", default_value = "runs/history.jsonl")]
    pub file: PathBuf,
}

/// How a history is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum HistoryFormat {
    /// Plain text.
    Terminal,
    /// All series with their segments, points and changes as JSON.
    Json,
    /// One self-contained HTML file with charts.
    Html,
}

/// Options of `history accept`.
#[derive(Debug, Args)]
pub struct AcceptArgs {
    /// Name of the first run at the new level, as in the history.
    pub run: String,
    /// Reason, recorded in the history.
    #[arg(long, value_name = "TEXT")]
    pub because: String,
    /// History file.
    #[arg(long, value_name = "FILE", default_value = "runs/history.jsonl")]
    pub file: PathBuf,
}
