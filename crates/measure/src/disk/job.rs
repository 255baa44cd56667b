//! The jobs as fio's job files: pure text, the same for every target.
//!
//! Every job works on one file, `data`, in fio's working directory, for a fixed time. The writes are of the file as it
//! has been written before: nothing is allocated while it is measured.

use std::fmt::Write as _;
use std::time::Duration;

use plan::DiskJob;
use results::disk::PRECONDITION;

/// The file that the jobs work on, in fio's working directory.
pub(super) const FILE: &str = "data";

/// How the logs of a stage begin their names.
pub(super) const LOG_PREFIX: &str = "series";

/// One execution of fio.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FioExecutionStep {
    /// The stage's name.
    pub(super) name: String,
    /// What fio is to do, beside what all steps have in common.
    options: Vec<(&'static str, String)>,
    /// Whether it ends by the clock; else when the file has been written.
    timed: bool,
}

impl FioExecutionStep {
    fn new<const N: usize>(name: impl Into<String>, options: [(&'static str, &str); N]) -> Self {
        let options = options.into_iter().map(|(key, value)| (key, value.to_owned())).collect();
        Self { name: name.into(), options, timed: true }
    }

    fn with_option(mut self, key: &'static str, value: &impl ToString) -> Self {
        self.options.push((key, value.to_string()));
        self
    }
}

/// What the job files have in common.
#[derive(Debug, Clone, Copy)]
pub(super) struct Common<'a> {
    /// Size of the file.
    pub(super) file_bytes: u64,
    /// How long each step runs.
    pub(super) runtime: Duration,
    /// The directory of the logs.
    pub(super) logs: &'a std::path::Path,
}

/// The step that writes the whole file before anything is measured,
/// so that every block is allocated and no read is of a hole.
pub(super) fn precondition_step(engine: &str) -> FioExecutionStep {
    let step = FioExecutionStep::new(PRECONDITION, [("rw", "write"), ("bs", "1m"), ("direct", "1"), ("iodepth", "8")]);
    // Content that neither compresses nor repeats: a device that does either would not store it.
    FioExecutionStep {
        timed: false,
        ..step.with_option("ioengine", &engine).with_option("refill_buffers", &1).with_option("end_fsync", &1)
    }
}

/// The steps of a job.
pub(super) fn steps_of_job(job: DiskJob, engine: &str, file_bytes: u64) -> Vec<FioExecutionStep> {
    let deep = |name: &str, rw: &str, bs: &str, depth: u32| {
        FioExecutionStep::new(name, [("rw", rw), ("bs", bs), ("direct", "1")])
            .with_option("ioengine", &engine)
            .with_option("iodepth", &depth)
    };
    // PostgreSQL writes its WAL through the page cache and then calls fdatasync.
    let commit =
        |name| FioExecutionStep::new(name, [("rw", "write"), ("bs", "8k"), ("ioengine", "psync"), ("fdatasync", "1")]);
    match job {
        DiskJob::Oltp => vec![deep("oltp", "randrw", "8k", 32).with_option("rwmixread", &80)],
        DiskJob::SeqRead => vec![deep("seq-read", "read", "1m", 16)],
        DiskJob::SeqWrite => vec![deep("seq-write", "write", "1m", 16)],
        DiskJob::Wal => vec![commit("wal")],
        DiskJob::WalGroup => {
            const JOBS: u64 = 8;
            // Each writes in a part of its own, in whole blocks.
            let part = (file_bytes / JOBS) >> 13 << 13;
            let step = commit("wal-group").with_option("numjobs", &JOBS);
            vec![step.with_option("size", &part).with_option("offset_increment", &part)]
        }
        DiskJob::Depth => {
            DiskJob::DEPTHS.into_iter().map(|depth| deep(&format!("depth-{depth}"), "randread", "8k", depth)).collect()
        }
        DiskJob::CachedRead => {
            let step = FioExecutionStep::new("cached-read", [("rw", "randread"), ("bs", "8k"), ("ioengine", "psync")]);
            vec![step.with_option("numjobs", &32)]
        }
    }
}

/// The length of an entry of the series: a second, or less when there would be too few to judge.
pub(super) fn entry_ms(runtime: Duration) -> u64 {
    if runtime >= Duration::from_secs(10) { 1000 } else { 100 }
}

/// The job file of a step.
pub(super) fn job_file(step: &FioExecutionStep, common: Common<'_>) -> String {
    let Common { file_bytes, runtime, logs } = common;
    let mut text = String::from("[global]\n");
    let mut line = |key: &str, value: &dyn std::fmt::Display| {
        writeln!(text, "{key}={value}").expect("a string takes all that is written to it");
    };
    line("filename", &FILE);
    // One process: what ends fio ends its jobs.
    line("thread", &1);
    if !step.options.iter().any(|(key, _)| *key == "size") {
        line("size", &file_bytes);
    }
    if step.timed {
        line("time_based", &1);
        line("runtime", &format_args!("{}ms", runtime.as_millis()));
        // No map of the blocks that were visited: it would take memory with the size of the file.
        line("norandommap", &1);
    }
    line("group_reporting", &1);
    line("percentile_list", &"50:95:99:99.9");
    for log in ["iops", "bw", "lat"] {
        line(&format!("write_{log}_log"), &logs.join(LOG_PREFIX).display());
    }
    line("log_avg_msec", &entry_ms(runtime));
    line("per_job_logs", &0);
    line(&format!("\n[{}]\nrw", step.name), &step.options.iter().find(|(key, _)| *key == "rw").map_or("", |(_, v)| v));
    for (key, value) in step.options.iter().filter(|(key, _)| *key != "rw") {
        line(key, value);
    }
    text
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use plan::WordChoice as _;

    fn text(step: &FioExecutionStep) -> String {
        let common = Common { file_bytes: 100 << 20, runtime: Duration::from_secs(30), logs: Path::new("/run/logs") };
        job_file(step, common)
    }

    #[test]
    fn the_commit_floor_is_one_job_that_calls_fdatasync_after_every_8_kb() {
        insta::assert_snapshot!(text(&steps_of_job(DiskJob::Wal, "libaio", 100 << 20)[0]), @"
        [global]
        filename=data
        thread=1
        size=104857600
        time_based=1
        runtime=30000ms
        norandommap=1
        group_reporting=1
        percentile_list=50:95:99:99.9
        write_iops_log=/run/logs/series
        write_bw_log=/run/logs/series
        write_lat_log=/run/logs/series
        log_avg_msec=1000
        per_job_logs=0

        [wal]
        rw=write
        bs=8k
        ioengine=psync
        fdatasync=1
        ");
    }

    #[test]
    fn each_of_a_group_writes_in_a_part_of_its_own() {
        let text = text(&steps_of_job(DiskJob::WalGroup, "libaio", (100 << 20) + 5000)[0]);
        assert!(text.contains("numjobs=8\nsize=13107200\noffset_increment=13107200\n"), "{text}");
        assert_eq!(text.matches("\nsize=").count(), 1, "{text}");
    }

    #[test]
    fn every_job_is_one_or_more_steps_of_which_no_two_share_a_name() {
        let all: Vec<FioExecutionStep> =
            DiskJob::ALL.iter().flat_map(|job| steps_of_job(*job, "libaio", 1 << 30)).collect();
        let names: std::collections::BTreeSet<&str> = all.iter().map(|step| step.name.as_str()).collect();
        assert_eq!(names.len(), all.len());
        assert!(names.contains("depth-128") && names.contains("oltp"), "{names:?}");
    }

    #[test]
    fn the_file_is_written_once_and_not_by_the_clock() {
        let text = text(&precondition_step("io_uring"));
        assert!(!text.contains("time_based") && text.contains("ioengine=io_uring"), "{text}");
    }
}
