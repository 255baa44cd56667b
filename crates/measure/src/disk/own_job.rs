//! fio's job files of the person: read beside the plan, run as they are.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use problem::Problem;

/// A job file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnJob {
    /// The stage's name: the file's, without what a directory cannot be called.
    pub name: String,
    /// Its text.
    pub text: String,
}

impl OwnJob {
    /// Reads one.
    ///
    /// # Errors
    /// A file that cannot be read or has no job, or, unless forced, one that names files outside of the directory that
    /// is measured.
    pub fn read_job_file(path: &Path, force: bool) -> Result<Self, Problem> {
        let text = std::fs::read_to_string(path).map_err(|error| {
            Problem::usage_error(format!("could not read the job file {}", path.display()))
                .detail(error.to_string())
                .hint("in a plan, a relative path is relative to the directory of the plan")
        })?;
        if !text.lines().any(|line| line.trim_start().starts_with('[')) {
            return Err(Problem::usage_error(format!("{} is not a job file of fio: it has no [job]", path.display())));
        }
        if let Some((number, line)) = first_outside_path(&text).filter(|_| !force) {
            return Err(Problem::usage_error(format!("{} names a path outside the measured directory", path.display()))
                .detail(format!("line {number}: {line}"))
                .hint(
                    "remove the line: pgdyno creates files without a path in a directory of its own and removes them afterwards; \
                     `pgdyno disk --force` runs the job file anyway",
                ));
        }
        Ok(Self { name: stage_name(path), text })
    }

    /// Reads several.
    ///
    /// # Errors
    /// As [`OwnJob::read_job_file`], and when two have the same name.
    pub fn read_all(paths: impl Iterator<Item = PathBuf>, force: bool) -> Result<Vec<Self>, Problem> {
        let jobs = paths.map(|path| Self::read_job_file(&path, force)).collect::<Result<Vec<_>, _>>()?;
        let names: BTreeSet<&str> = jobs.iter().map(|job| job.name.as_str()).collect();
        if names.len() < jobs.len() {
            return Err(Problem::usage_error("two job files of fio have the same name").hint("rename one of them"));
        }
        Ok(jobs)
    }

    /// Where it lies in a run directory.
    #[must_use]
    pub fn path_in_run(&self) -> PathBuf {
        let plain = self.name.strip_prefix(PREFIX).unwrap_or(&self.name);
        Path::new("disk-jobs").join(format!("{plain}.fio"))
    }
}

/// How the names of the stages of job files begin, so that none is taken for a job of pgdyno's.
const PREFIX: &str = "own-";

/// The first line that names a place of its own.
fn first_outside_path(text: &str) -> Option<(usize, &str)> {
    let names_a_place = |line: &str| {
        let Some((key, value)) = line.split_once('=') else { return false };
        let value = value.trim();
        matches!(key.trim(), "filename" | "directory" | "opendir" | "filename_format")
            && (value.contains('/') || value.contains(".."))
    };
    text.lines().enumerate().map(|(index, line)| (index + 1, line.trim())).find(|(_, line)| names_a_place(line))
}

/// A file's name as the name of a stage.
fn stage_name(path: &Path) -> String {
    let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let name: String =
        stem.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '-' }).collect();
    format!("{PREFIX}{name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_file_that_names_a_place_of_its_own_is_refused_unless_forced() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("my job.v2.fio");
        for (line, refused) in [
            ("filename=/dev/sda", true),
            ("directory = /srv", true),
            ("filename=../other", true),
            ("filename=data", false),
            ("rw=read", false),
        ] {
            std::fs::write(&path, format!("[global]\nsize=1m\n[a]\n{line}\n")).unwrap();
            let read = OwnJob::read_job_file(&path, false);
            assert_eq!(read.is_err(), refused, "{line}: {read:?}");
            assert_eq!(OwnJob::read_job_file(&path, true).unwrap().name, "own-my-job-v2");
        }
        std::fs::write(&path, "not a job file\n").unwrap();
        assert!(OwnJob::read_job_file(&path, true).unwrap_err().to_string().contains("it has no [job]"));
    }
}
