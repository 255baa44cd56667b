//! `import`: what other tools measured becomes a run directory.

#[cfg(test)]
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use jiff::Timestamp;
use results::imported::{Imported, ImportedFile};
use results::latest::point_latest_at_run;
use results::run::Run;
use results::store::RunDir;

use super::{Manner, documents};
use crate::cli::ImportArgs;
use import::{self, ImportRequest};
use measure::progress::print_to_stderr;
use problem::{CommandStatus, Problem};

/// Imports the files, says how they were understood, and prints where the run is.
pub(super) fn run_import_command(arguments: &ImportArgs, manner: Manner) -> Result<CommandStatus, Problem> {
    let request = ImportRequest {
        files: arguments.files.clone(),
        name: arguments.name.clone(),
        target: arguments.target.clone(),
        workload: arguments.workload.clone(),
        clients: arguments.clients,
        baseline: arguments.baseline.clone(),
    };
    if arguments.propose {
        return propose_study(&request, arguments.out.as_deref());
    }
    let dir = import::import_study(&request, &arguments.runs, Timestamp::now())?;
    if let Some(id) = dir.path().file_name().and_then(|name| name.to_str()) {
        // A file system without links is no reason not to import.
        if let Err(error) = point_latest_at_run(&arguments.runs, id) {
            print_to_stderr(&format!("note: {error}"));
        }
    }
    if !manner.quiet {
        explain_import(&dir)?;
    }
    if manner.json {
        let text = serde_json::json!({ "run": dir.path() });
        return documents::print_bytes(format!("{text}\n").as_bytes());
    }
    documents::print_bytes(format!("{}\n", dir.path().display()).as_bytes())
}

/// Prints the study that is proposed for the files, or writes it into a new file.
fn propose_study(request: &ImportRequest, out: Option<&Path>) -> Result<CommandStatus, Problem> {
    let Some(path) = out else {
        let text = import::propose_study(request, None)?;
        return documents::print_bytes(text.as_bytes());
    };
    let text = import::propose_study(request, Some(path.parent().unwrap_or(Path::new(""))))?;
    let not_written = |error: std::io::Error| {
        Problem::usage_error(format!("could not write {}", path.display())).detail(error.to_string())
    };
    let mut file = File::create_new(path).map_err(not_written)?;
    file.write_all(text.as_bytes()).map_err(not_written)?;
    documents::print_bytes(format!("{}\n", path.display()).as_bytes())
}

/// Lines that say how the files were understood, at most.
const LINES_MAX: usize = 20;

/// The same of what is judged at once, of so many trials and storage jobs.
pub(super) fn explain_run(run: &Run, trials: usize, storage_jobs: usize) {
    let Some(imported) = &run.imported else { return };
    import_summary_lines(imported, trials, storage_jobs).iter().for_each(|line| print_to_stderr(line));
}

/// Tells how each file was understood, and what is missing.
fn explain_import(dir: &RunDir) -> Result<(), Problem> {
    let run = dir.read_run()?;
    let Some(imported) = &run.imported else { return Ok(()) };
    let (trials, stages) = (dir.finished_trial_count()?, dir.disk_stages()?.len() + imported.storage.len());
    import_summary_lines(imported, trials, stages).iter().for_each(|line| print_to_stderr(line));
    Ok(())
}

/// A line for each file with its notes below it, and one for the whole.
fn import_summary_lines(imported: &Imported, trials: usize, stages: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for source in &imported.sources {
        let version = source.version.as_ref().map_or(String::new(), |version| format!(" {version}"));
        lines.push(format!("{}: {}{version}, {}", source.file, source.tool, source.content));
        for note in &source.notes {
            let of = |other: &&ImportedFile| other.notes.contains(note);
            let is_first = imported.sources.iter().find(of).is_some_and(|first| first == source);
            match imported.sources.iter().filter(of).count() {
                1 => lines.push(format!("  {note}")),
                all if is_first => lines.push(format!("  {note} (of {all} files)")),
                _ => {}
            }
        }
    }
    if lines.len() > LINES_MAX - 1 {
        let more = lines.split_off(LINES_MAX - 2).len();
        lines.push(format!("and {more} more lines: run.json has them all"));
    }
    // However many there are: what is not read is never left out without a word.
    for source in &imported.sources {
        lines.extend(source.not_read.iter().map(|part| format!("{} holds also {part}", source.file)));
    }
    let counts = [(trials, "trials"), (stages, "storage jobs")];
    let counts = counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
    let counts: Vec<String> = counts.collect();
    lines.push(format!(
        "{}, baseline {}; missing: {}",
        counts.join(" and "),
        imported.baseline,
        imported.missing.join(", ")
    ));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn however_many_files_and_notes_there_are_twenty_lines_tell_of_them_and_a_common_note_is_told_once() {
        let source = |file: usize, notes: &[&str]| ImportedFile {
            file: format!("{file}.out"),
            tool: "pgbench".to_owned(),
            version: None,
            title: None,
            content: "1 reports".to_owned(),
            notes: notes.iter().map(|note| (*note).to_owned()).collect(),
            not_read: Vec::new(),
            trials: Vec::new(),
        };
        let imported = |sources| Imported {
            sources,
            baseline: "vm".to_owned(),
            paired: false,
            may_differ: None,
            targets: Vec::new(),
            stated: BTreeMap::new(),
            storage: Vec::new(),
            told_twice: Vec::new(),
            threads_beside_tables: None,
            computed: results::imported::ComputedFigures::default(),
            missing: vec!["probes".to_owned()],
        };
        let two = imported(vec![source(1, &["both", "own"]), source(2, &["both"])]);
        let expected = ["1.out: pgbench, 1 reports", "  both (of 2 files)", "  own", "2.out: pgbench, 1 reports"]
            .map(str::to_owned);
        let found = import_summary_lines(&two, 2, 0);
        assert_eq!(found[..4], expected);
        assert_eq!(found[4], "2 trials, baseline vm; missing: probes");
        let unread = ImportedFile { not_read: vec!["2 outputs of YCSB: not read".to_owned()], ..source(1, &[]) };
        let found = import_summary_lines(&imported(vec![unread]), 1, 0);
        assert_eq!(found[1], "1.out holds also 2 outputs of YCSB: not read");
        let many = import_summary_lines(&imported((0..300).map(|file| source(file, &["own"])).collect()), 300, 3);
        assert_eq!((many.len(), many[18].as_str()), (20, "and 283 more lines: run.json has them all"));
        assert!(many[19].starts_with("300 trials and 3 storage jobs"), "{}", many[19]);
    }
}
