//! Figures that other tools measured as the account that an audit looks at.
//!
//! What an author states in free words is read only where a plain word decides it; otherwise it stays unknown. Keys
//! that decide: `same_host` (whether the load was generated on the server's host) and `best_of` (of how many
//! repetitions the best is given).

use results::imported::{Imported, StatedTarget};
use results::told::{ToldFlow, ToldStorage};
use results::trial::Outcome as Ended;

use super::material::{Design, End, Flow, Material, Residency, Script, Side, Stage, TrialAccount};
use super::of_run::each_per_s;
use super::of_tables;
use crate::observed::Observed;
use plan::quantity;

/// What an imported run tells, but for the differences between its targets.
pub(super) fn of_import(observed: &Observed, imported: &Imported) -> Material {
    let baseline_first = |target: &&StatedTarget| target.name != imported.baseline;
    let mut targets: Vec<&StatedTarget> = imported.targets.iter().collect();
    targets.sort_by_key(baseline_first);
    Material {
        sides: targets.iter().map(|target| side(target, imported)).collect(),
        trials: observed.trials.iter().filter_map(|trial| self::trial(observed, trial)).collect(),
        stages: imported.storage.iter().map(stage).collect(),
        design: design(observed, imported),
        beyond_disk: of_tables::beyond(&imported.storage),
        unknown: targets.iter().flat_map(|target| unknown(target)).collect(),
        ..Material::default()
    }
}

/// What is stated under a key of this last name.
fn stated<'a>(imported: &'a Imported, name: &str) -> Option<&'a str> {
    let is_it = |key: &str| key.rsplit('.').next() == Some(name) && !key.starts_with("targets.");
    imported.stated.iter().find(|(key, _)| is_it(key)).map(|(_, value)| value.as_str())
}

fn says(text: &str, words: &[&str]) -> bool {
    let text = text.to_lowercase();
    words.iter().any(|word| text.contains(word))
}

/// Words for the highest of several figures.
const HIGHEST: &[&str] = &["highest", "peak", "max", "best"];

fn design(observed: &Observed, imported: &Imported) -> Design {
    let repetitions = stated(imported, "repetitions").and_then(|text| text.parse().ok());
    let counted = || observed.trials.iter().map(|trial| trial.block).max().filter(|blocks| *blocks > 1);
    let statistic = stated(imported, "summary_statistic");
    let keeps_best = stated(imported, "best_of").and_then(|text| text.parse().ok()).map(|of: u32| of > 1);
    Design {
        repetitions: repetitions.or_else(counted),
        keeps_best: keeps_best.or_else(|| keeps_best_of(statistic, counted().is_some())),
        interleaved: false,
        may_differ_is_stated: false,
        compares_peaks: statistic.map(|text| says(text, HIGHEST)),
        stated_s: imported.stated.get("generator.duration_s").and_then(|text| text.parse().ok()),
        stated_clients: stated_clients_of(imported).map(stated_clients).unwrap_or_default(),
        same_clients: false,
        generator: stated(imported, "tool").map(str::to_owned),
    }
}

/// Whether of the repetitions only the best is left: `best of 3` says so. The highest of something else may be meant
/// where a peak or a maximum is stated; where each repetition is there, or nothing of the kind is said, it is not.
fn keeps_best_of(statistic: Option<&str>, each_is_there: bool) -> Option<bool> {
    let text = statistic?.to_lowercase();
    let words: Vec<&str> = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let best_of = |three: &[&str]| three[..2] == ["best", "of"] && three[2].parse::<u32>().is_ok_and(|of| of > 1);
    if words.windows(3).any(best_of) {
        return Some(true);
    }
    (each_is_there || !says(&text, HIGHEST)).then_some(false)
}

/// What is stated of the numbers of clients: of all cells, or of the generator.
fn stated_clients_of(imported: &Imported) -> Option<&str> {
    stated(imported, "clients_per_cell").or_else(|| imported.stated.get("generator.clients").map(String::as_str))
}

/// Lists of numbers of clients, each maybe of data in one place: `8, 16, 32 in memory; 8, 16 disk-bound`.
fn stated_clients(text: &str) -> Vec<(Option<Residency>, Vec<u32>)> {
    let list = |part: &str| {
        let numbers = part.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok()).collect();
        (Residency::claimed(part), numbers)
    };
    text.split(';').map(list).collect()
}

fn side(target: &StatedTarget, imported: &Imported) -> Side {
    let setting = |name: &str| target.settings.get(name).map(String::as_str);
    let condition = |names: &[&str]| names.iter().find_map(|name| target.conditions.get(*name)).map(String::as_str);
    Side {
        name: target.name.clone(),
        shared_buffers_bytes: setting("shared_buffers").and_then(quantity::setting_bytes),
        memory_bytes: condition(MEMORY).and_then(quantity::setting_bytes),
        cpus: condition(CPUS).and_then(|text| text.parse().ok()),
        checkpoint_timeout_s: setting("checkpoint_timeout").and_then(quantity::setting_seconds),
        on_generator_host: stated(imported, "same_host").and_then(yes_or_no),
        storage: condition(&["storage", "disk"]).map(str::to_owned),
        not_in_force: None,
    }
}

const MEMORY: &[&str] = &["memory", "ram"];
const CPUS: &[&str] = &["cpus", "cpu", "vcpus", "cores"];

/// What a key states as plainly as a setting; anything else is not guessed at.
fn yes_or_no(text: &str) -> Option<bool> {
    match text.trim().to_lowercase().as_str() {
        "true" | "yes" | "on" => Some(true),
        "false" | "no" | "off" => Some(false),
        _ => None,
    }
}

fn unknown(target: &StatedTarget) -> Vec<(String, String)> {
    let groups: [(&str, &[&str]); 3] = [("CPUs", CPUS), ("memory", MEMORY), ("kernel", &["kernel"])];
    let missing = groups.iter().filter(|(_, names)| !names.iter().any(|name| target.conditions.contains_key(*name)));
    let missing: Vec<&str> = missing.map(|(what, _)| *what).collect();
    if missing.is_empty() { Vec::new() } else { vec![(target.name.clone(), missing.join(", "))] }
}

fn trial(observed: &Observed, trial: &results::trial::Trial) -> Option<TrialAccount> {
    let told = trial.told.as_ref()?;
    let labels: Vec<&str> = told.labels.values().map(String::as_str).collect();
    let named = format!("{} {}", trial.cell.workload, labels.join(" "));
    Some(TrialAccount {
        side: trial.cell.target.clone(),
        workload: trial.cell.workload.clone(),
        script: Script::named(told.script.as_deref().unwrap_or(&trial.cell.workload)),
        residency: Residency::claimed(&named),
        scale: told.scale,
        clients: trial.cell.clients,
        closed: told.offered_per_s.is_none(),
        throughput_per_s: told.throughput_per_s,
        latency_ms_mean: told.latency.mean_ns.map(|ns| ns / 1e6),
        latency_ms_max: told.latency.max_ns.map(|ns| ns / 1e6),
        transactions: told.transactions,
        stated_s: told.duration_s_stated,
        measured_s: told.duration_s,
        each_per_s: observed.series.get(&trial.number).map_or_else(Vec::new, |seconds| each_per_s(seconds)),
        end: match (&trial.outcome, told.failed) {
            (Ended::Completed, Some(failed)) => End::Whole { failed },
            (Ended::Completed, None) => End::Unknown,
            (Ended::Interrupted, _) => End::Cut { reason: "interrupted".to_owned() },
            (Ended::Failed { error }, _) => End::Cut { reason: error.clone() },
        },
        ..TrialAccount::default()
    })
}

fn stage(told: &ToldStorage) -> Stage {
    Stage {
        side: told.target.clone(),
        job: told.job.clone(),
        block_bytes: told.block_bytes,
        stated_in_flight: told.jobs.zip(told.depth).map(|(jobs, depth)| f64::from(jobs) * f64::from(depth)),
        jobs: told.jobs,
        // What a table calls a job does not tell whether it synced.
        synced: None,
        reads: flow(&told.read),
        writes: flow(&told.write),
        stated: told.stated,
    }
}

fn flow(told: &ToldFlow) -> Option<Flow> {
    Some(Flow {
        iops: told.operations_per_s?,
        bytes_per_s: told.bytes_per_s,
        latency_ms_mean: told.latency.mean_ns.map(|ns| ns / 1e6),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_the_load_ran_is_taken_from_a_plain_yes_or_no_only() {
        for (text, expected) in [
            ("yes", Some(true)),
            ("False", Some(false)),
            ("the server's own machine", None),
            ("not on a separate host", None),
        ] {
            assert_eq!(yes_or_no(text), expected, "{text}");
        }
    }

    #[test]
    fn a_best_of_several_repetitions_is_one_where_it_is_called_so_and_not_known_where_a_highest_may_be_one() {
        for (statistic, each_is_there, expected) in [
            (Some("best of 3 runs"), true, Some(true)),
            (Some("Best-of-5 per cell"), false, Some(true)),
            (Some("best of 1"), false, None),
            (Some("the highest throughput over the clients"), false, None),
            (Some("the highest throughput over the clients"), true, Some(false)),
            (Some("mean"), false, Some(false)),
            (None, false, None),
        ] {
            assert_eq!(keeps_best_of(statistic, each_is_there), expected, "{statistic:?}, {each_is_there}");
        }
    }
}
