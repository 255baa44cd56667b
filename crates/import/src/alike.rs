//! What is no repetition of the same cell: trials of other settings, and of servers of other versions.
//!
//! Settings become part of the workload's name, and versions of the target's, only where they differ: what is alike
//! keeps its name. A setting that a trial does not tell tells nothing apart.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use results::imported::ImportedFile;
use results::shared::Shared;
use results::trial::Cell;

use super::between::OutputSurroundings;
use super::found::{FoundTrial, NO_TARGET, Placed};

/// A setting in words, as far as a trial tells it.
type TrialSetting = fn(&FoundTrial) -> Option<String>;

/// What another workload is made of, whatever target it runs on.
const OF_WORKLOAD: [TrialSetting; 2] =
    [|trial| trial.told.scale.map(|scale| format!("scale {scale}")), |trial| trial.told.query_mode.clone()];

/// What repetitions have in common, but sides of a comparison maybe not.
const OF_CELL: [TrialSetting; 4] = [
    |trial| {
        let thinking = trial.told.thinking_ns.filter(|ns| *ns > 0.0);
        Some(thinking.map_or_else(|| "no think time".to_owned(), |ns| format!("think time {} ms", ns / 1e6)))
    },
    |trial| Some(if trial.told.reconnects { "new connections" } else { "persistent connections" }.to_owned()),
    |trial| trial.told.threads.map(|threads| format!("{threads} threads")),
    |trial| trial.told.duration_s_stated.map(|seconds| format!("{seconds} s")),
];

/// Renames the cells of trials that are unlike, so that none is taken for a repetition of another.
pub(crate) fn tell_apart(named: &mut [(Shared<Cell>, FoundTrial)]) {
    add_setting_to_names(
        named,
        |cell| &mut cell.target,
        |cell| (cell.target.clone(), String::new(), 0),
        printed_version,
    );
    for setting in OF_WORKLOAD {
        add_setting_to_names(
            named,
            |cell| &mut cell.workload,
            |cell| (cell.workload.clone(), String::new(), 0),
            setting,
        );
    }
    for setting in OF_CELL {
        let unlike = |cell: &Cell| (cell.workload.clone(), cell.target.clone(), cell.clients);
        add_setting_to_names(named, |cell| &mut cell.workload, unlike, setting);
    }
    let rates = nominal_offered_rates(named);
    add_setting_to_names(
        named,
        |cell| &mut cell.workload,
        |cell| (cell.workload.clone(), cell.target.clone(), cell.clients),
        |trial| Some(trial.told.offered_per_s.map_or("any rate", |rate| &rates[&rate.to_bits()]).to_owned()),
    );
    let above: [SurroundingParts; 6] = [
        |above| &above.headings,
        |above| &above.settings,
        |above| &above.command,
        |above| &above.file_name,
        |above| &above.labels,
        |above| &above.remark,
    ];
    let mut is_told_apart = false;
    for (at, parts) in above.into_iter().enumerate() {
        // Prose differs above any two outputs: it names sides where nothing else does.
        let is_remark = at + 1 == above.len();
        let is_named = is_told_apart || named.iter().any(|(_, trial)| trial.target.is_some());
        if !(is_remark && is_named) {
            is_told_apart |= by_surroundings(named, parts);
        }
    }
    // Outputs of several generators are parts of a trial, and never repetitions.
    add_setting_to_names(
        named,
        |cell| &mut cell.workload,
        |cell| (cell.workload.clone(), cell.target.clone()),
        |trial| trial.surroundings.generator.clone(),
    );
}

/// Rates that are this close are one, as a tool counts what came of it.
const ONE_RATE: f64 = 0.05;

/// The rates that were offered, each with the one that it is meant to be: the lowest of those that are close.
fn nominal_offered_rates(named: &[(Shared<Cell>, FoundTrial)]) -> BTreeMap<u64, String> {
    let mut all: Vec<f64> = named.iter().filter_map(|(_, trial)| trial.told.offered_per_s).collect();
    all.sort_by(f64::total_cmp);
    let mut meant = BTreeMap::new();
    let (mut before, mut lowest) = (0.0, 0.0);
    for rate in all {
        if rate > (1.0 + ONE_RATE) * before {
            lowest = rate;
        }
        before = rate;
        meant.insert(rate.to_bits(), format!("{lowest:.0}/s"));
    }
    meant
}

/// What lines above an output say, in parts.
type SurroundingParts = fn(&OutputSurroundings) -> &Vec<String>;

/// Where trials of one cell stand below unlike lines, these are of unlike sides: what is unlike in them becomes part of
/// the names of all trials of their target, or their name where nothing gives them any. Says whether there are any.
fn by_surroundings(named: &mut [(Shared<Cell>, FoundTrial)], parts: SurroundingParts) -> bool {
    let files: BTreeSet<usize> = named
        .iter()
        .filter(|(_, trial)| !parts(&trial.surroundings).is_empty())
        .map(|(_, trial)| first_source_index(trial))
        .collect();
    let mut told: BTreeMap<&Cell, Vec<BTreeSet<String>>> = BTreeMap::new();
    // Nothing stands above an output that comes first, which other lines of its file may still set apart.
    for (cell, trial) in named.iter().filter(|(_, trial)| files.contains(&first_source_index(trial))) {
        told.entry(cell).or_default().push(parts(&trial.surroundings).iter().cloned().collect());
    }
    let mut unlike: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (cell, sets) in &told {
        let in_some: BTreeSet<&String> = sets.iter().flatten().collect();
        let of_side = in_some.into_iter().filter(|part| !sets.iter().all(|set| set.contains(*part))).cloned();
        unlike.entry(cell.target.clone()).or_default().extend(of_side);
    }
    let mut is_told_apart = false;
    for (cell, trial) in named {
        let own: Vec<&String> = parts(&trial.surroundings)
            .iter()
            .filter(|part| unlike.get(&cell.target).is_some_and(|parts| parts.contains(*part)))
            .collect();
        let own = own.into_iter().map(String::as_str).collect::<Vec<_>>().join(" ");
        if own.is_empty() {
            continue;
        }
        is_told_apart = true;
        cell.target = if cell.target == NO_TARGET { own } else { format!("{} {own}", cell.target) };
    }
    is_told_apart
}

fn first_source_index(trial: &FoundTrial) -> usize {
    trial.sources.first().copied().unwrap_or(0)
}

/// Notes of every file which of its trials are taken for repetitions because nothing tells them apart. Where a target
/// or a number is given, somebody said so.
pub(crate) fn say_repetitions(trials: &[Placed], sources: &mut [ImportedFile]) {
    let mut counts: BTreeMap<&Cell, usize> = BTreeMap::new();
    for trial in trials.iter().filter(|trial| trial.found.target.is_none() && trial.found.repetition.is_none()) {
        *counts.entry(&trial.cell).or_default() += 1;
    }
    let mut files_of_cells: BTreeMap<&Cell, BTreeSet<usize>> = BTreeMap::new();
    for trial in trials {
        files_of_cells.entry(&trial.cell).or_default().insert(first_source_index(&trial.found));
    }
    for source in sources {
        let cells = source.trials.iter().map(|number| &*trials[*number as usize - 1].cell);
        let repeated: BTreeSet<&Cell> = cells.filter(|cell| counts.get(cell).is_some_and(|count| *count > 1)).collect();
        let Some(first) = repeated.first() else { continue };
        let more =
            if repeated.len() > 1 { format!(" and of {} more cells", repeated.len() - 1) } else { String::new() };
        // All of one file have one target only.
        let advice = if files_of_cells[*first].len() == 1 {
            let name = source.file.rsplit('/').next().unwrap_or(&source.file);
            format!("write files: {{ NAME: [{name}#1] }} into a study, with the numbers of its outputs,")
        } else {
            "use TARGET=FILE".to_owned()
        };
        source.notes.push(format!(
            "{} trials are read as repetitions of {first}{more}; {advice} if they are from different servers",
            counts[first]
        ));
    }
}

/// Notes of files with outputs of several generators that these are apart.
pub(crate) fn say_generators(trials: &[Placed], sources: &mut [ImportedFile]) {
    let mut names: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
    for trial in trials {
        if let Some(generator) = &trial.found.surroundings.generator {
            names.entry(first_source_index(&trial.found)).or_default().insert(generator);
        }
    }
    let all: BTreeSet<&str> = names.values().flatten().copied().collect();
    if all.len() < 2 {
        return;
    }
    let all = all.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
    for source in names.keys() {
        sources[*source].notes.push(format!(
            "outputs of {all} were not added, and are no repetitions; if these generators ran at the same time, write \
             \"generators: together\" into a study"
        ));
    }
}

/// Adds a setting to the names of the trials of each group in which it differs.
fn add_setting_to_names<Group: Ord>(
    named: &mut [(Shared<Cell>, FoundTrial)],
    name: fn(&mut Cell) -> &mut String,
    group: impl Fn(&Cell) -> Group,
    setting: impl Fn(&FoundTrial) -> Option<String>,
) {
    // Of each group the setting that comes first, and whether there are others.
    let mut told: BTreeMap<Group, (String, bool)> = BTreeMap::new();
    for (cell, trial) in named.iter() {
        let Some(own) = setting(trial) else { continue };
        match told.entry(group(cell)) {
            Entry::Vacant(vacant) => {
                vacant.insert((own, false));
            }
            Entry::Occupied(mut occupied) => {
                let (first, has_others) = occupied.get_mut();
                *has_others |= *first != own;
            }
        }
    }
    told.retain(|_, (_, has_others)| *has_others);
    if told.is_empty() {
        return;
    }
    for (cell, trial) in named.iter_mut() {
        let Some(own) = setting(trial) else { continue };
        if told.contains_key(&group(cell)) {
            let name = name(cell);
            *name = format!("{name} {own}");
        }
    }
}

/// The server's version as an output prints it, or lines above it.
pub(crate) fn printed_version(trial: &FoundTrial) -> Option<String> {
    trial.version.as_deref().map(server_version).or_else(|| trial.surroundings.version.clone())
}

/// The version of what sent the load, as the outputs of pgbench and sysbench print it.
pub(crate) fn printed_generator_version(trial: &FoundTrial) -> Option<&str> {
    if trial.generator_version.is_some() {
        return trial.generator_version.as_deref();
    }
    let versions = trial.version.as_deref().filter(|_| trial.told.tool.as_deref() == Some("pgbench"))?;
    versions.split([' ', ',']).next()
}

/// `18.4, server 15.20` is of a server 15.20, and `15.5 (Ubuntu 15.5-1)` of 15.5.
fn server_version(versions: &str) -> String {
    let server = versions.split_once("server ").map_or(versions, |(_, server)| server);
    server.split([' ', ',']).next().unwrap_or(server).to_owned()
}
