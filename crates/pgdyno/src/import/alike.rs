//! What is no repetition of the same cell: trials of other settings, and of servers of other versions.
//!
//! Settings become part of the workload's name, and versions of the target's, only where they differ: what is alike
//! keeps its name. A setting that a trial does not tell tells nothing apart.

use std::collections::{BTreeMap, BTreeSet};

use results::imported::Source;
use results::trial::Cell;

use super::found::FoundTrial;
use super::gather::Placed;

/// A setting in words, as far as a trial tells it.
type Setting = fn(&FoundTrial) -> Option<String>;

/// What another workload is made of, whatever target it runs on.
const OF_WORKLOAD: [Setting; 2] =
    [|trial| trial.told.scale.map(|scale| format!("scale {scale}")), |trial| trial.told.query_mode.clone()];

/// What repetitions have in common, but sides of a comparison maybe not.
const OF_CELL: [Setting; 2] = [
    |trial| trial.told.threads.map(|threads| format!("{threads} threads")),
    |trial| trial.told.duration_s_stated.map(|seconds| format!("{seconds} s")),
];

/// Renames the cells of trials that are unlike, so that none is taken for a repetition of another.
pub fn tell_apart(named: &mut [(Cell, FoundTrial)]) {
    rename(
        named,
        |cell| &mut cell.target,
        |cell| (cell.target.clone(), String::new(), 0),
        |trial| trial.version.as_deref().map(server_version),
    );
    for setting in OF_WORKLOAD {
        rename(named, |cell| &mut cell.workload, |cell| (cell.workload.clone(), String::new(), 0), setting);
    }
    for setting in OF_CELL {
        let unlike = |cell: &Cell| (cell.workload.clone(), cell.target.clone(), cell.clients);
        rename(named, |cell| &mut cell.workload, unlike, setting);
    }
}

/// Notes of every file which of its trials are taken for repetitions because nothing tells them apart. Where a target
/// or a number is given, somebody said so.
pub fn say_repetitions(trials: &[Placed], sources: &mut [Source]) {
    let mut counts: BTreeMap<&Cell, usize> = BTreeMap::new();
    for trial in trials.iter().filter(|trial| trial.found.target.is_none() && trial.found.repetition.is_none()) {
        *counts.entry(&trial.cell).or_default() += 1;
    }
    for source in sources {
        let cells =
            trials.iter().zip(1..).filter(|(_, number)| source.trials.contains(number)).map(|(trial, _)| &trial.cell);
        let repeated: BTreeSet<&Cell> = cells.filter(|cell| counts.get(cell).is_some_and(|count| *count > 1)).collect();
        let Some(first) = repeated.first() else { continue };
        let more =
            if repeated.len() > 1 { format!(", and so of {} more cells", repeated.len() - 1) } else { String::new() };
        source.notes.push(format!(
            "{} trials are taken for repetitions of {first}{more}; say TARGET=FILE where they are of different servers",
            counts[first]
        ));
    }
}

/// Adds a setting to the names of the trials of each group in which it differs.
fn rename<Group: Ord>(
    named: &mut [(Cell, FoundTrial)],
    name: fn(&mut Cell) -> &mut String,
    group: impl Fn(&Cell) -> Group,
    setting: impl Fn(&FoundTrial) -> Option<String>,
) {
    let of = |(cell, trial): &(Cell, FoundTrial)| Some((group(cell), setting(trial)?));
    let told: BTreeSet<(Group, String)> = named.iter().filter_map(of).collect();
    let unlike: Vec<Option<String>> = named
        .iter()
        .map(|one| of(one).filter(|(group, _)| told.iter().filter(|(other, _)| other == group).count() > 1))
        .map(|one| one.map(|(_, setting)| setting))
        .collect();
    for ((cell, _), setting) in named.iter_mut().zip(unlike) {
        if let Some(setting) = setting {
            let name = name(cell);
            *name = format!("{name} {setting}");
        }
    }
}

/// `18.4, server 15.20` is of a server 15.20, and `15.5 (Ubuntu 15.5-1)` of 15.5.
fn server_version(versions: &str) -> String {
    let server = versions.split_once("server ").map_or(versions, |(_, server)| server);
    server.split([' ', ',']).next().unwrap_or(server).to_owned()
}
