//! What an audit says of imported files: only figures and outputs that other people keep.

mod disks;
mod published;
mod published_files;
mod published_studies;
mod published_study_pages;
mod studies;

use std::fs;
use std::path::PathBuf;

use judge::audit::{BenchmarkAudit, CheckRuling};
use judge::judge_run;
use judge::observed::Observed;

use problem::Problem;

use super::{ImportRequest, import_study};

/// The audit of what is asked for.
fn audit_of_request(request: &ImportRequest) -> Result<BenchmarkAudit, Problem> {
    let directory = tempfile::tempdir().expect("a directory");
    let now = "2026-11-20T09:00:00Z".parse().expect("an instant");
    let dir = import_study(request, directory.path(), now)?;
    Ok(judge_run(&Observed::read(&dir).expect("what was written is read")).audit.expect("an audit"))
}

/// The audit of files of these names, each maybe with its target before an equals sign, and contents.
fn audit_of_files(files: &[(&str, &str)]) -> BenchmarkAudit {
    let directory = tempfile::tempdir().expect("a directory");
    let given = |(name, content): &(&str, &str)| -> PathBuf {
        let (target, name) = name.split_once('=').map_or((None, *name), |(target, name)| (Some(target), name));
        let path = directory.path().join(name);
        fs::write(&path, content).expect("written");
        target.map_or_else(|| path.clone(), |target| format!("{target}={}", path.display()).into())
    };
    let request = ImportRequest { files: files.iter().map(given).collect(), ..ImportRequest::default() };
    audit_of_request(&request).expect("they are read")
}

/// The rules that are broken.
fn broken_rules(audit: &BenchmarkAudit) -> Vec<&'static str> {
    let broken = audit.findings.iter().filter(|(_, found)| matches!(found.verdict, CheckRuling::Broken(_)));
    broken.map(|(check, _)| check.code.name).collect()
}
