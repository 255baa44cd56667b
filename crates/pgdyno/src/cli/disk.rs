//! The options of `disk`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use plan::{Bandwidth, DiskJob, DiskPlan, FileSize, WordChoice, parse_duration};

use super::ReportExtent;
use problem::Problem;

/// Options of `disk`.
#[derive(Debug, Args)]
pub struct DiskArgs {
    /// Directories on the disks to measure; with --plan, targets of the plan.
    #[arg(value_name = "DIR|TARGET", required_unless_present = "storage_class")]
    pub what: Vec<String>,
    /// Measure a new volume of this Kubernetes storage class, and remove it afterwards. May be given several times,
    /// also together with directories.
    #[arg(long, value_name = "CLASS", conflicts_with = "plan")]
    pub storage_class: Vec<String>,
    /// Namespace of the volume [default: the namespace of the context].
    #[arg(long, requires = "storage_class")]
    pub namespace: Option<String>,
    /// Context of the kubeconfig [default: the current context].
    #[arg(long, requires = "storage_class")]
    pub context: Option<String>,
    /// Size of the volume, such as 100Gi; the test file fills at most 80 % of it.
    #[arg(long, value_name = "QUANTITY", requires = "storage_class", default_value = plan::Volume::SIZE)]
    pub volume_size: plan::KubernetesQuantity,
    /// Node to measure on [default: chosen by the scheduler].
    #[arg(long, requires = "storage_class")]
    pub node: Option<String>,
    /// Container image with fio, a shell and tail.
    #[arg(long, requires = "storage_class", default_value = plan::Volume::IMAGE)]
    pub image: String,
    /// Measure the disks of the targets of this plan, as the plan describes them.
    #[arg(long, value_name = "PLAN")]
    pub plan: Option<PathBuf>,
    /// Comma-separated list of jobs: oltp (requests of a database), seq-read and seq-write (bandwidth), wal (single
    /// commits), wal-group (commits of 8 processes), depth (latency by queue depth), cached-read (what a cache
    /// answers). Each takes --runtime, and depth eight times that. With `none`, only job files run [default: all but
    /// cached-read].
    #[arg(long, value_name = "JOBS", value_delimiter = ',', value_parser = parse_job)]
    pub jobs: Option<Vec<DiskJobChoice>>,
    /// fio job file to run unchanged after the jobs; may be given several times.
    #[arg(long, value_name = "FILE")]
    pub job_file: Vec<PathBuf>,
    /// Size of the test file, such as 64GB [default: twice the memory].
    #[arg(long)]
    pub size: Option<FileSize>,
    /// Reason for a test file smaller than twice the memory; printed in the report.
    #[arg(long, value_name = "TEXT")]
    pub size_reason: Option<String>,
    /// Duration of each job, such as 30s; for the job depth, of each queue depth [default: 30s].
    #[arg(long, value_parser = parse_runtime)]
    pub runtime: Option<Duration>,
    /// Requests per second that the provider declares.
    #[arg(long, value_name = "IOPS", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub declared_iops: Option<u64>,
    /// Bandwidth that the provider declares, such as 400MB/s.
    #[arg(long, value_name = "BANDWIDTH")]
    pub declared_bandwidth: Option<Bandwidth>,
    /// Write even if the file system becomes more than 80 % full, and run job files that name their own paths.
    #[arg(long)]
    pub force: bool,
    /// Directory in which the run directory is created.
    #[arg(long, value_name = "DIR", default_value = "runs")]
    pub runs: PathBuf,
    /// First screen or whole report.
    #[command(flatten)]
    pub extent: ReportExtent,
}

/// One word of `--jobs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiskJobChoice {
    /// A job.
    One(DiskJob),
    /// No job: only job files run.
    None,
}

impl DiskArgs {
    /// What is asked of the disks: the plan's, with what the command line says otherwise.
    ///
    /// # Errors
    /// When a job is named twice, or nothing is asked for.
    pub fn disk_plan_with_options(&self, plan: Option<DiskPlan>) -> Result<DiskPlan, Problem> {
        let mut asked = plan.unwrap_or_else(|| DiskPlan {
            jobs: DiskJob::DEFAULT.to_vec(),
            job_files: Vec::new(),
            size: None,
            size_reason: None,
            runtime: DiskPlan::RUNTIME,
            declared: plan::DeclaredRates::default(),
        });
        if let Some(jobs) = &self.jobs {
            asked.jobs = named_once(jobs)?;
        }
        asked.job_files.extend(self.job_file.iter().cloned());
        asked.size = self.size.or(asked.size);
        asked.size_reason = self.size_reason.clone().or(asked.size_reason);
        asked.runtime = self.runtime.unwrap_or(asked.runtime);
        if asked.jobs.is_empty() && asked.job_files.is_empty() {
            return Err(
                Problem::usage_error("no job is requested").hint("name jobs with --jobs, or a file with --job-file")
            );
        }
        Ok(asked)
    }

    /// What the command line says of the provider.
    pub fn declared_rates(&self) -> plan::DeclaredRates {
        plan::DeclaredRates { iops: self.declared_iops, bandwidth: self.declared_bandwidth }
    }
}

/// The jobs of `--jobs`, as in a plan each at most once.
fn named_once(words: &[DiskJobChoice]) -> Result<Vec<DiskJob>, Problem> {
    let mut jobs = Vec::new();
    for word in words {
        match word {
            DiskJobChoice::One(job) if jobs.contains(job) => {
                return Err(Problem::usage_error(format!("--jobs: {} is given twice", job.as_word()))
                    .hint("keep one of the two"));
            }
            DiskJobChoice::One(job) => jobs.push(*job),
            DiskJobChoice::None if words.len() > 1 => {
                return Err(
                    Problem::usage_error("--jobs: none cannot be combined with jobs").hint("remove none, or the jobs")
                );
            }
            DiskJobChoice::None => {}
        }
    }
    Ok(jobs)
}

fn parse_job(text: &str) -> Result<DiskJobChoice, String> {
    if text == "none" {
        return Ok(DiskJobChoice::None);
    }
    let job = DiskJob::ALL.iter().find(|job| job.as_word() == text);
    let words: Vec<&str> = DiskJob::ALL.iter().map(|job| job.as_word()).collect();
    job.map(|job| DiskJobChoice::One(*job)).ok_or_else(|| format!("not a job; the jobs are {}", words.join(", ")))
}

fn parse_runtime(text: &str) -> Result<Duration, String> {
    let runtime = parse_duration(text).map_err(|error| error.to_string())?;
    if runtime < Duration::from_secs(1) {
        return Err("too short to measure anything; write at least 1s".to_owned());
    }
    Ok(runtime)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Disk {
        #[command(flatten)]
        arguments: DiskArgs,
    }

    fn asked(line: &str) -> Result<DiskPlan, String> {
        let words = ["disk", "here"].into_iter().chain(line.split_whitespace());
        let disk = Disk::try_parse_from(words).map_err(|error| error.to_string())?;
        disk.arguments.disk_plan_with_options(None).map_err(|problem| problem.to_string())
    }

    #[test]
    fn the_command_line_is_held_to_what_a_plan_may_say() {
        for (line, complaint) in [
            ("--jobs none", "no job is requested"),
            ("--jobs oltp,wal,oltp", "oltp is given twice"),
            ("--jobs none,none", "none cannot be combined with jobs"),
            ("--jobs oltp,none", "none cannot be combined with jobs"),
            ("--declared-iops 0", "0 is not in 1..=1000000000"),
        ] {
            let found = asked(line).expect_err(line);
            assert!(found.contains(complaint), "{line}: {found}");
        }
        assert_eq!(asked("--jobs none --job-file own.fio").unwrap().jobs, []);
        assert_eq!(asked("--jobs wal,oltp").unwrap().jobs, [DiskJob::Wal, DiskJob::Oltp]);
        assert_eq!(asked("").unwrap().jobs, DiskJob::DEFAULT);
    }
}
