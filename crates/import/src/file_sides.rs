//! Files as sides. Where each of several files has repetitions of its own, the repetitions are in the files and the
//! files are of different sides; the words in which their names differ name these. A file of a single output may be a
//! repetition of another one as well as another side, so that nothing is concluded from names of such files.

use std::collections::{BTreeMap, BTreeSet};

use outputs::fio_json::FioOutput;
use results::disk::DiskGroup;
use results::imported::ImportedFile;

use super::found::{FoundTrial, TrialPart};
use super::generators;
use super::repetition_words::{self, is_count_of_repetition};
use super::source_file::SourceFile;

/// Gives the outputs of such files their targets, which is said of the files.
pub(crate) fn name_sides_of_outputs(found: &mut [FoundTrial], sources: &mut [ImportedFile]) {
    let mut by_file: BTreeMap<&str, Vec<&FoundTrial>> = BTreeMap::new();
    for trial in found.iter() {
        // Rows tell no tool, and a table names its sides itself.
        if trial.told.tool.is_none() || trial.part != TrialPart::Whole {
            continue;
        }
        if trial.target.is_some() || trial.surroundings.generator.is_some() {
            return;
        }
        let [source] = trial.sources[..] else { return };
        by_file.entry(&sources[source].file).or_default().push(trial);
    }
    if !by_file.values().all(|trials| has_only_repetitions(trials)) {
        return;
    }
    let Some(names) = side_names(by_file.keys().copied()) else { return };
    for trial in found.iter_mut().filter(|trial| trial.target.is_none()) {
        if let [source] = trial.sources[..]
            && let Some(name) = names.get(&sources[source].file)
        {
            trial.target = Some(name.clone());
            // What stands above the first output of a file is of the file.
            trial.surroundings.labels.clear();
            trial.surroundings.remark.clear();
        }
    }
    for source in sources {
        if let Some(name) = names.get(&source.file) {
            source.notes.push(format!("read as {name:?}: each file has repetitions of its own"));
        }
    }
}

/// The same of outputs of fio.
pub(crate) fn name_sides_of_disks(
    outputs: &mut [(SourceFile, FioOutput, Option<String>)],
    sources: &mut [ImportedFile],
) {
    let mut by_file: BTreeMap<String, Vec<JobKey>> = BTreeMap::new();
    for (file, output, _) in outputs.iter() {
        if file.target.is_some() {
            return;
        }
        let jobs = by_file.entry(file.display_name()).or_default();
        jobs.extend(output.groups.iter().map(JobKey::from_group));
    }
    let distinct_jobs: BTreeSet<BTreeSet<&JobKey>> = by_file.values().map(|jobs| jobs.iter().collect()).collect();
    let are_repeated = by_file.values().all(|jobs| {
        let distinct: BTreeSet<&JobKey> = jobs.iter().collect();
        distinct.len() < jobs.len()
    });
    if distinct_jobs.len() != 1 || !are_repeated {
        return;
    }
    let Some(names) = side_names(by_file.keys().map(String::as_str)) else { return };
    for (file, ..) in outputs {
        file.target = names.get(&file.display_name()).cloned();
    }
    for source in sources {
        if let Some(name) = names.get(&source.file) {
            source.notes.push(format!("read as {name:?}: each file has repetitions of its own"));
        }
    }
}

/// What repetitions of a storage job have in common: its name without the number of a repetition, and what it does.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct JobKey {
    name: String,
    pattern: Option<String>,
    block_bytes: Option<u64>,
    in_flight: [u32; 2],
}

impl JobKey {
    pub(crate) fn from_group(group: &DiskGroup) -> Self {
        let parts = repetition_words::parts_before_repetition(&group.name);
        Self {
            name: if parts.is_empty() { group.name.clone() } else { parts.join("-") },
            pattern: group.pattern.clone(),
            block_bytes: group.block_bytes,
            in_flight: [group.jobs, group.depth],
        }
    }
}

/// What repetitions of a cell have in common.
fn cell_key(trial: &FoundTrial) -> String {
    let told = &trial.told;
    format!(
        "{:?} {:?} {:?} {:?} {:?} {:?} {:?}",
        trial.workload, trial.clients, told.scale, told.query_mode, told.threads, told.duration_s_stated, told.script
    )
}

/// Whether a file repeats a cell at least, and no line between its outputs tells those of a cell apart.
fn has_only_repetitions(trials: &[&FoundTrial]) -> bool {
    let mut cells: BTreeMap<String, Vec<&FoundTrial>> = BTreeMap::new();
    for trial in trials {
        cells.entry(cell_key(trial)).or_default().push(trial);
    }
    let is_any_repeated = cells.values().any(|cell| cell.len() > 1);
    let first_line = trials.iter().map(|trial| trial.line).min();
    let are_alike = cells.values().all(|cell| {
        cell.windows(2).all(|pair| has_same_lines_above(pair[0], pair[1], Some(pair[0].line) == first_line))
    });
    is_any_repeated && are_alike
}

/// Whether nothing above two outputs tells them apart. Labels above the first output of a file may be of the whole file
/// where none stands above the next.
fn has_same_lines_above(one: &FoundTrial, other: &FoundTrial, is_first: bool) -> bool {
    let (one, other) = (&one.surroundings, &other.surroundings);
    let has_same_labels = one.labels == other.labels || is_first && other.labels.is_empty();
    one.version == other.version && one.headings == other.headings && one.settings == other.settings && has_same_labels
}

/// The words in which the names of files differ, by file; none where these are the same, or count repetitions.
fn side_names<'n>(files: impl Iterator<Item = &'n str>) -> Option<BTreeMap<String, String>> {
    let mut words: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in files {
        let stem = stem_of_name(file);
        if generators::generator_of_file(stem).is_some() {
            return None;
        }
        let parts = stem.split(['-', '_', ' ']).filter(|part| !part.is_empty()).map(str::to_owned).collect();
        words.insert(file.to_owned(), parts);
    }
    let mut names = BTreeMap::new();
    for (file, parts) in &words {
        let own: Vec<&str> = parts
            .iter()
            .filter(|part| !words.values().all(|others| others.contains(part)))
            .map(String::as_str)
            .collect();
        if own.is_empty() || own.iter().all(|part| is_count_of_repetition(part)) {
            return None;
        }
        names.insert(file.clone(), own.join("-"));
    }
    let distinct: BTreeSet<&String> = names.values().collect();
    (names.len() > 1 && distinct.len() == names.len()).then_some(names)
}

/// The name of a file without directories and endings: `linux-6.10` of `runs/linux-6.10.txt.gz`.
fn stem_of_name(file: &str) -> &str {
    let name = file.rsplit('/').next().unwrap_or(file);
    let name = name.strip_suffix(".gz").unwrap_or(name);
    match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() && ending.starts_with(|c: char| c.is_ascii_alphabetic()) => stem,
        Some(_) | None => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names_of(files: &[&str]) -> Vec<String> {
        side_names(files.iter().copied()).map_or_else(Vec::new, |names| names.into_values().collect())
    }

    #[test]
    fn sides_are_named_by_the_words_in_which_names_of_files_differ() {
        assert_eq!(names_of(&["a/disk-p15.log", "a/disk-p30.log"]), ["p15", "p30"]);
        assert_eq!(names_of(&["linux-6.1.txt", "linux-6.10.txt.gz"]), ["6.1", "6.10"]);
        assert_eq!(names_of(&["fio-kioxia-cm7.json", "fio-optane.json"]), ["kioxia-cm7", "optane"]);
        for files in [
            &["run1.out", "run2.out"][..],
            &["vm-1.out", "vm-2.out"],
            &["vm-client1.out", "vm-client2.out"],
            &["vm.out"],
            &["a/vm.out", "b/vm.out"],
        ] {
            assert_eq!(names_of(files), Vec::<String>::new(), "{files:?}");
        }
    }

    #[test]
    fn files_are_sides_where_each_repeats_a_cell() {
        let trial = |source: usize, clients: u32| {
            let mut trial = FoundTrial::default();
            (trial.sources, trial.clients) = (vec![source], Some(clients));
            trial.told.tool = Some("pgbench".to_owned());
            trial
        };
        let source = |name: &str| ImportedFile {
            file: name.to_owned(),
            tool: "pgbench".to_owned(),
            version: None,
            title: None,
            content: String::new(),
            notes: Vec::new(),
            not_read: Vec::new(),
            trials: Vec::new(),
        };
        for (outputs, expected) in [
            (&[(0, 8), (0, 8), (1, 8), (1, 8)][..], Some("p15")),
            // One of the files may be a repetition of the other.
            (&[(0, 8), (0, 8), (1, 8)], None),
            // A ladder in each file may be one of two executions of it.
            (&[(0, 8), (0, 16), (1, 8), (1, 16)], None),
        ] {
            let mut sources = [source("disk-p15.log"), source("disk-p30.log")];
            let mut found: Vec<FoundTrial> = outputs.iter().map(|(source, clients)| trial(*source, *clients)).collect();
            name_sides_of_outputs(&mut found, &mut sources);
            assert_eq!(found[0].target.as_deref(), expected, "{outputs:?}");
        }
    }
}
