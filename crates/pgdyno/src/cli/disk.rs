//! The options of `disk`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::plan::{Bandwidth, DiskJob, DiskPlan, FileSize, Word, parse_bandwidth, parse_duration, parse_file_size};

/// Options of `disk`.
#[derive(Debug, Args)]
pub struct DiskArgs {
    /// Directories on the disks to measure; with --plan, targets of the plan.
    #[arg(value_name = "DIR|TARGET", required = true)]
    pub what: Vec<String>,
    /// Measure what this plan says of its targets' disks.
    #[arg(long, value_name = "PLAN")]
    pub plan: Option<PathBuf>,
    /// Jobs, with commas: oltp, seq-read, seq-write, wal, wal-group, depth, cached-read, or none [default: all but cached-read].
    #[arg(long, value_name = "JOBS", value_delimiter = ',', value_parser = parse_job)]
    pub jobs: Option<Vec<Jobs>>,
    /// A job file of fio, which runs as it is after the jobs; may be given several times.
    #[arg(long, value_name = "FILE")]
    pub job_file: Vec<PathBuf>,
    /// Size of the file that the jobs work on, such as 64GB [default: twice the memory].
    #[arg(long, value_parser = |text: &str| parse_file_size(text).map_err(|error| format!("{}; {}", error.why, error.hint)))]
    pub size: Option<FileSize>,
    /// Why a file smaller than twice the memory is right; stands in the report.
    #[arg(long, value_name = "TEXT")]
    pub size_reason: Option<String>,
    /// How long each job runs, such as 30s; of the sweep, each depth [default: 30s].
    #[arg(long, value_parser = parse_runtime)]
    pub runtime: Option<Duration>,
    /// Requests per second that the provider states.
    #[arg(long, value_name = "IOPS")]
    pub stated_iops: Option<u64>,
    /// Bandwidth that the provider states, such as 400MB/s.
    #[arg(long, value_name = "BANDWIDTH", value_parser = |text: &str| parse_bandwidth(text).map_err(|error| format!("{}; {}", error.why, error.hint)))]
    pub stated_bandwidth: Option<Bandwidth>,
    /// Write also where that leaves a file system more than 80 % full, and run job files that name places of their own.
    #[arg(long)]
    pub force: bool,
    /// Directory under which the run directory is made.
    #[arg(long, value_name = "DIR", default_value = "runs")]
    pub runs: PathBuf,
}

/// One word of `--jobs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Jobs {
    /// A job.
    One(DiskJob),
    /// No job: only job files run.
    None,
}

impl DiskArgs {
    /// What is asked of the disks: the plan's, with what the command line says otherwise.
    pub fn asked(&self, plan: Option<DiskPlan>) -> DiskPlan {
        let mut asked = plan.unwrap_or_else(|| DiskPlan {
            jobs: DiskJob::DEFAULT.to_vec(),
            job_files: Vec::new(),
            size: None,
            size_reason: None,
            runtime: DiskPlan::RUNTIME,
            stated: crate::plan::Stated::default(),
        });
        if let Some(jobs) = &self.jobs {
            let one = |jobs: &Jobs| match jobs {
                Jobs::One(job) => Some(*job),
                Jobs::None => None,
            };
            asked.jobs = jobs.iter().filter_map(one).collect();
        }
        asked.job_files.extend(self.job_file.iter().cloned());
        asked.size = self.size.or(asked.size);
        asked.size_reason = self.size_reason.clone().or(asked.size_reason);
        asked.runtime = self.runtime.unwrap_or(asked.runtime);
        asked
    }

    /// What the command line says of the provider.
    pub fn stated(&self) -> crate::plan::Stated {
        crate::plan::Stated { iops: self.stated_iops, bandwidth: self.stated_bandwidth }
    }
}

fn parse_job(text: &str) -> Result<Jobs, String> {
    if text == "none" {
        return Ok(Jobs::None);
    }
    let job = DiskJob::ALL.iter().find(|job| job.word() == text);
    let words: Vec<&str> = DiskJob::ALL.iter().map(|job| job.word()).collect();
    job.map(|job| Jobs::One(*job)).ok_or_else(|| format!("not a job; the jobs are {}", words.join(", ")))
}

fn parse_runtime(text: &str) -> Result<Duration, String> {
    let runtime = parse_duration(text).map_err(|error| format!("{}; {}", error.why, error.hint))?;
    if runtime < Duration::from_secs(1) {
        return Err("too short to measure anything; write at least 1s".to_owned());
    }
    Ok(runtime)
}
