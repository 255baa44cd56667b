//! Figures that other tools measured as the account that an audit looks at.
//!
//! Keys of a study that decide: `same_host` (whether the load was generated on the server's host) and `best_of` (of how
//! many repetitions the best is given).

use std::collections::{BTreeMap, BTreeSet};

use results::imported::{Imported, StatedTarget};
use results::shared::LatestValues;
use results::told::{StatedFigures, ToldFlow, ToldLatency, ToldStorage};
use results::trial::{Cell, ClientCount, QueryTotals, Trial, TrialOutcome as Ended, TrialPhase};

use super::material::{
    AuditedSide, Design, Material, Residency, Rounding, StatedDiskFlow, StatedDiskStage, StatedScript, StatedTrialEnd,
    TrialAccount, TrialCommon, TrialDetail,
};
use super::of_run::each_per_s;
use super::stated::{self, CPUS, HOST, MEMORY};
use super::{data_sizes, of_tables, rounding};
use crate::observed::{Observed, SecondFigures};
use crate::stated_pace::{self, StatedPace};
use plan::quantity;

/// What an imported run tells, but for the differences between its targets.
pub(super) fn of_import(observed: &Observed, imported: &Imported) -> Material {
    let mut accounts = ImportedAccounts::of_imported(imported);
    accounts.reserve_trials(observed.trials.len());
    for trial in &observed.trials {
        let seconds = observed.series.get(&trial.number).map_or(&[][..], Vec::as_slice);
        accounts.add_trial(imported, trial, seconds);
    }
    accounts.into_material(imported)
}

/// Finds what the accounts of trials have in common.
#[derive(Debug, Default)]
struct AccountSharing {
    common: LatestValues<TrialCommon>,
    detail: LatestValues<TrialDetail>,
}

impl AccountSharing {
    /// Takes what an account has in common with one of the latest.
    fn share_values(&mut self, account: &mut TrialAccount) {
        self.common.share_value(&mut account.common);
        self.detail.share_value(&mut account.detail);
    }
}

/// What an account has of the trials of an import, added one after the other.
#[derive(Debug)]
pub(super) struct ImportedAccounts {
    pace: StatedPace,
    trials: Vec<TrialAccount>,
    sharing: AccountSharing,
    trials_of_cells: BTreeMap<Cell, u32>,
    /// Whether some cell has more than one.
    has_repetitions: bool,
}

impl ImportedAccounts {
    pub(super) fn of_imported(imported: &Imported) -> Self {
        let pace = stated_pace::pace_of_import(imported);
        Self {
            pace,
            trials: Vec::new(),
            sharing: AccountSharing::default(),
            trials_of_cells: BTreeMap::new(),
            has_repetitions: false,
        }
    }

    /// Makes room for so many more trials.
    pub(super) fn reserve_trials(&mut self, trials: usize) {
        self.trials.reserve_exact(trials);
    }

    /// Adds a trial with its seconds, and says whether it is the first of its cell.
    pub(super) fn add_trial(&mut self, imported: &Imported, trial: &Trial, seconds: &[SecondFigures]) -> bool {
        if let Some(mut account) = trial_account(seconds, imported, self.pace, trial) {
            self.sharing.share_values(&mut account);
            self.trials.push(account);
        }
        self.has_repetitions |= trial.block > 1;
        if let Some(count) = self.trials_of_cells.get_mut(&trial.cell) {
            *count += 1;
            return false;
        }
        self.trials_of_cells.insert(trial.cell.clone(), 1);
        true
    }

    pub(super) fn into_material(mut self, imported: &Imported) -> Material {
        rounding::of_trials(&mut self.trials);
        let design = self.design_of_trials(imported);
        material_of_import(imported, self.trials, design)
    }
}

fn material_of_import(imported: &Imported, trials: Vec<TrialAccount>, design: Design) -> Material {
    let mut targets: Vec<&StatedTarget> = imported.targets.iter().collect();
    targets.sort_by_key(|target| target.name != imported.baseline);
    Material {
        sides: targets.iter().map(|target| side_of_target(target, imported)).collect(),
        trials,
        stages: imported.storage.iter().map(stage_of_storage).collect(),
        design,
        told_twice: imported.told_twice.clone(),
        threads_beside_tables: imported.threads_beside_tables,
        computed: imported.computed.clone(),
        beyond_disk: of_tables::jobs_beyond_stated(&imported.storage),
        unknown: targets.iter().flat_map(|target| unknown_machine_facts(target, imported)).collect(),
        ..Material::default()
    }
}

/// Trials of the cell that has the fewest, of those which another side has, too: what is compared.
fn fewest_of_a_cell(trials_of_cells: &BTreeMap<Cell, u32>) -> Option<u32> {
    let counting = trials_of_cells.iter().filter(|(cell, _)| !is_declared_warm_up(cell));
    let mut sides: BTreeMap<(&str, ClientCount), BTreeSet<&str>> = BTreeMap::new();
    for (cell, _) in counting.clone() {
        sides.entry((&cell.workload, cell.clients)).or_default().insert(&cell.target);
    }
    let compared = counting
        .clone()
        .filter(|(cell, _)| sides[&(cell.workload.as_str(), cell.clients)].len() > 1)
        .map(|(_, trials)| *trials)
        .min();
    compared.or_else(|| counting.map(|(_, trials)| *trials).min())
}

/// Whether its author calls a cell a warm-up, or says that it does not count.
fn is_declared_warm_up(cell: &Cell) -> bool {
    const WARM_UP: [&str; 3] = ["warm-up", "warmup", "warm up"];
    const LEFT_OUT: [&str; 4] = ["not counted", "excluded", "discarded", "not used"];
    [&cell.target, &cell.workload].iter().any(|name| {
        let lower = name.to_lowercase();
        WARM_UP.iter().any(|word| lower.starts_with(word)) || LEFT_OUT.iter().any(|words| lower.contains(words))
    })
}

impl ImportedAccounts {
    fn design_of_trials(&self, imported: &Imported) -> Design {
        let fewest = fewest_of_a_cell(&self.trials_of_cells);
        design_of_import(imported, fewest, self.has_repetitions)
    }
}

fn design_of_import(imported: &Imported, fewest: Option<u32>, has_repetitions: bool) -> Design {
    let repetitions: Option<u32> = stated_pace::stated_value_of_key(imported, "repetitions")
        .or_else(|| stated_pace::stated_value_of_key(imported, "runs"))
        .and_then(|text| text.parse().ok());
    let counted = fewest.filter(|fewest| *fewest > 1 || has_repetitions);
    let statistic = stated_pace::stated_value_of_key(imported, "summary_statistic");
    let keeps_best =
        stated_pace::stated_value_of_key(imported, "best_of").and_then(|text| text.parse().ok()).map(|of: u32| of > 1);
    Design {
        // More than an author says are there, or fewer, of which each is a mean.
        repetitions: repetitions.max(counted),
        averaged: repetitions.is_some_and(|several| several > 1) && !has_repetitions,
        keeps_best: keeps_best.or_else(|| stated::keeps_best_of(statistic, has_repetitions)),
        interleaved: false,
        may_differ_is_stated: imported.may_differ.is_some(),
        may_differ: imported.may_differ.clone().unwrap_or_default(),
        compares_peaks: statistic.map(stated::compares_peaks).or_else(|| titles_compare_peaks(imported)),
        stated_s: imported.stated.get("generator.duration_s").and_then(|text| text.parse().ok()),
        stated_clients: stated_clients_of(imported).map(stated::parse_client_lists).unwrap_or_default(),
        same_clients: false,
        generator: stated_pace::stated_value_of_key(imported, "tool").map(str::to_owned),
    }
}

/// Whether the highest throughputs are compared, as the title of a page says; absent where none does.
fn titles_compare_peaks(imported: &Imported) -> Option<bool> {
    let mut titles = imported.sources.iter().filter_map(|source| source.title.as_deref());
    if titles.any(stated::title_compares_peaks) { Some(true) } else { None }
}

/// What is stated of the numbers of clients: of all cells, or of the generator.
fn stated_clients_of(imported: &Imported) -> Option<&str> {
    stated_pace::stated_value_of_key(imported, "clients_per_cell")
        .or_else(|| imported.stated.get("generator.clients").map(String::as_str))
}

fn side_of_target(target: &StatedTarget, imported: &Imported) -> AuditedSide {
    AuditedSide {
        name: target.name.clone(),
        versions: unlike_versions(target),
        server_major: target.printed_version.as_deref().and_then(major_version),
        generator_major: target.generator_version.as_deref().and_then(major_version),
        memory_bytes: stated::of_machine(target, imported, MEMORY).and_then(quantity::setting_bytes),
        cpus: stated::of_machine(target, imported, CPUS).and_then(|text| text.parse().ok()),
        settings: target.settings.clone(),
        on_generator_host: stated_pace::stated_value_of_key(imported, "same_host").and_then(quantity::setting_truth),
        storage: stated::of_machine(target, imported, &["storage", "disk"]).map(str::to_owned),
        host: stated::of_machine(target, imported, HOST).map(str::to_owned),
        not_in_force: None,
    }
}

/// `17` of `17.2`, and `9.6` of `9.6.24`.
fn major_version(version: &str) -> Option<String> {
    let parts: Vec<&str> = version.split('.').collect();
    let first: u32 = parts.first()?.parse().ok()?;
    if first >= 10 { Some(first.to_string()) } else { Some(format!("{first}.{}", parts.get(1)?)) }
}

/// The version that is stated of a target and the one that its outputs print, unless one says the same as the other in
/// more detail.
fn unlike_versions(target: &StatedTarget) -> Option<[String; 2]> {
    let stated = target.version.clone().or_else(|| version_in_name(&target.name))?;
    let [stated, printed] = [first_number(&stated)?, first_number(target.printed_version.as_ref()?)?];
    (!is_version_within(&stated, &printed) && !is_version_within(&printed, &stated)).then_some([stated, printed])
}

/// The first run of digits and points.
fn first_number(text: &str) -> Option<String> {
    let mut numbers = text.split(|c: char| !(c.is_ascii_digit() || c == '.'));
    numbers.find(|number| !number.is_empty()).map(str::to_owned)
}

fn is_version_within(long: &str, short: &str) -> bool {
    format!("{long}.").starts_with(&format!("{short}."))
}

/// The version of PostgreSQL that a side is named for: `PostgreSQL 18`, `pg17`, `postgres-16.3`.
fn version_in_name(name: &str) -> Option<String> {
    let lower = name.to_lowercase();
    let product = ["postgresql", "postgres", "pg"];
    let after = product.iter().find_map(|product| {
        let (before, after) = lower.split_once(product)?;
        (!before.ends_with(char::is_alphanumeric)).then_some(after)
    })?;
    let number = after.trim_start_matches([' ', '-', '_', 'v']);
    let end = number.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(number.len());
    let version = number[..end].trim_end_matches('.');
    // What follows may make it a size or a number of something else: `pg 64GB`, `postgres 8 cores`.
    let is_alone = number[end..].is_empty() || number[end..].starts_with([' ', '-', '_', ',', ')', '(']);
    let major: u32 = version.split('.').next()?.parse().ok()?;
    let is_unit = OF_NUMBERS.iter().any(|unit| number[end..].trim_start().starts_with(unit));
    (is_alone && !is_unit && (9..=30).contains(&major)).then(|| version.to_owned())
}

/// Words behind a number that make it one of something else than PostgreSQL.
const OF_NUMBERS: [&str; 9] = ["core", "cpu", "vcpu", "gb", "gib", "client", "node", "thread", "connection"];

fn unknown_machine_facts(target: &StatedTarget, imported: &Imported) -> Vec<(String, String)> {
    let groups: [(&str, &[&str]); 3] = [("CPUs", CPUS), ("memory", MEMORY), ("kernel", &["kernel"])];
    let missing = groups.iter().filter(|(_, names)| stated::of_machine(target, imported, names).is_none());
    let missing: Vec<&str> = missing.map(|(what, _)| *what).collect();
    if missing.is_empty() { Vec::new() } else { vec![(target.name.clone(), missing.join(", "))] }
}

fn trial_account(
    seconds: &[SecondFigures],
    imported: &Imported,
    pace: StatedPace,
    trial: &Trial,
) -> Option<TrialAccount> {
    let told = trial.told.as_ref()?;
    let labels: Vec<&str> = told.labels.values().map(String::as_str).collect();
    let called = data_sizes::claims_of_data_set(imported, &told.labels).join(" ");
    let named = format!("{} {} {called}", trial.cell.workload, labels.join(" "));
    let script = StatedScript::from_name(told.script.as_deref().unwrap_or(&trial.cell.workload));
    let is_of_pgbench = script.is_some() || told.tool.as_deref().is_some_and(|tool| tool.starts_with("pgbench"));
    let thinking_ms = match pace {
        StatedPace::Closed { thinking_ms } => told.thinking_ns.map_or(thinking_ms, |ns| ns / 1e6),
        StatedPace::Other => 0.0,
    };
    let common = TrialCommon {
        failed_because: String::new(),
        side: trial.cell.target.clone(),
        workload: trial.cell.workload.clone(),
        script,
        residency: Residency::from_claimed_name(&named),
        // Other tools count warehouses and tables by that name.
        scale: told.scale.filter(|_| is_of_pgbench),
        declared_data_bytes: data_sizes::declared_data_bytes(&told.labels, imported),
        work: Some(told.script.clone().unwrap_or_default()),
        offered_per_s: told.offered_per_s,
        reconnects: (told.reconnects || told.connecting_ns.is_some()).then_some(told.reconnects),
        tool: told.tool.clone(),
        threads: told.threads,
        query_mode: told.query_mode.clone(),
        queries_per_transaction: queries_per_transaction(told),
        wrote: writes_by_tool(told, &trial.cell.workload),
        only_reads: told.queries.map(|queries| queries.read > 0 && queries.write + queries.other == 0),
        clients: trial.cell.clients,
        closed: told.offered_per_s.is_none() && pace != StatedPace::Other,
        goodput_per_s: stated::goodput_per_s(told),
        lag_ms_mean: told.lag.mean_ns.map(|ns| ns / 1e6),
        measured_at_s: measured_at_s(trial),
        between_is_random: false,
        between_ms: Some(thinking_ms + told.reconnecting_ns.map_or(0.0, |ns| ns / 1e6)),
        transactions_stated: told.transactions_stated,
        skipped: told.skipped,
        changes: stated::stated_percent_changes(told, imported),
        counts_queries: told.counts_queries,
        connecting_s: told.connecting_ns.map(|ns| ns / 1e9),
        stated_s: told.duration_s_stated,
        each_per_s: each_per_s(seconds),
        ..TrialCommon::default()
    };
    let detail = TrialDetail {
        common: common.into(),
        percentiles_ms: percentiles_ms(&told.latency),
        latency_ms_max: told.latency.max_ns.map(|ns| ns / 1e6),
        measured_s: told.duration_s,
        end: stated_end(trial, told.failed),
        ..TrialDetail::default()
    };
    Some(TrialAccount {
        detail: detail.into(),
        repetition: Some(trial.block),
        throughput_per_s: told.throughput_per_s,
        latency_ms_mean: told.latency.mean_ns.map(|ns| ns / 1e6),
        transactions: told.transactions,
    })
}

fn stated_end(trial: &Trial, failed: Option<u64>) -> StatedTrialEnd {
    match (&trial.outcome, failed) {
        (Ended::Completed, Some(failed)) => StatedTrialEnd::Whole { failed },
        (Ended::Completed, None) => StatedTrialEnd::Unknown,
        (Ended::Interrupted, _) => StatedTrialEnd::Cut { reason: "interrupted".to_owned() },
        (Ended::Failed { error }, _) => StatedTrialEnd::Cut { reason: error.clone() },
    }
}

/// When a trial was measured; absent where its source does not say it.
fn measured_at_s(trial: &Trial) -> Option<[f64; 2]> {
    let measured = trial.phases.iter().find(|phase| phase.phase == TrialPhase::Measure)?;
    let start_s = measured.started_at.as_microsecond() as f64 / 1e6;
    Some([start_s, start_s + measured.duration_us as f64 / 1e6])
}

/// Whether some queries write: as counted, else by the name of a script that the tool brings along.
fn writes_by_tool(told: &StatedFigures, workload: &str) -> Option<bool> {
    if let Some(queries) = told.queries.filter(|queries| queries.read + queries.write > 0) {
        return Some(queries.write > 0);
    }
    let names = told.script.as_deref().into_iter().chain([workload]);
    names.into_iter().find_map(script_of_tool_writes)
}

/// Scripts that sysbench, BenchBase and HammerDB bring along, by the names that these give them, and whether they
/// write.
const SCRIPTS_OF_TOOLS: [(&str, bool); 14] = [
    ("oltp_read_only", false),
    ("oltp_point_select", false),
    ("select_random_points", false),
    ("select_random_ranges", false),
    ("oltp_read_write", true),
    ("oltp_write_only", true),
    ("oltp_insert", true),
    ("oltp_delete", true),
    ("oltp_update_index", true),
    ("oltp_update_non_index", true),
    ("bulk_insert", true),
    ("tpcc", true),
    ("tproc-c", true),
    ("tpch", false),
];

fn script_of_tool_writes(name: &str) -> Option<bool> {
    let lower = name.to_lowercase();
    let mut words = lower.split([' ', ',', '/', '(', ')']).map(|word| word.trim_end_matches(".lua"));
    words.find_map(|word| SCRIPTS_OF_TOOLS.iter().find(|(script, _)| *script == word).map(|(_, writes)| *writes))
}

fn queries_per_transaction(told: &StatedFigures) -> Option<f64> {
    let QueryTotals { read, write, other } = told.queries?;
    let transactions = told.transactions.filter(|count| *count > 0)?;
    // Those of transactions that failed are counted as well.
    let all = transactions + told.failed.unwrap_or(0);
    Some((read + write + other) as f64 / all as f64)
}

fn percentiles_ms(latency: &ToldLatency) -> Vec<(f64, f64)> {
    let named =
        latency.percentiles_ns.iter().filter_map(|(name, ns)| Some((name.strip_prefix('p')?.parse().ok()?, *ns)));
    let ends = [(0.0, latency.min_ns), (100.0, latency.max_ns)];
    let ends = ends.into_iter().filter_map(|(percent, ns)| Some((percent, ns?)));
    let mut all: Vec<(f64, f64)> = named.chain(ends).map(|(percent, ns): (f64, f64)| (percent, ns / 1e6)).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    all
}

fn stage_of_storage(told: &ToldStorage) -> StatedDiskStage {
    StatedDiskStage {
        side: told.target.clone(),
        job: told.job.clone(),
        block_bytes: told.block_bytes,
        stated_in_flight: told.jobs.zip(told.depth).map(|(jobs, depth)| f64::from(jobs) * f64::from(depth)),
        jobs: told.jobs,
        // What a table calls a job does not tell whether it synced.
        synced: None,
        paced: false,
        pattern: None,
        direct: None,
        runtime_s: None,
        moved_bytes: None,
        file_bytes: told.file_bytes,
        reads_of_device: None,
        executions_iops: Vec::new(),
        reads: flow_of_storage(&told.read),
        writes: flow_of_storage(&told.write),
        stated: told.stated,
    }
}

fn flow_of_storage(told: &ToldFlow) -> Option<StatedDiskFlow> {
    Some(StatedDiskFlow {
        iops: told.operations_per_s?,
        bytes_per_s: told.bytes_per_s,
        latency_ms_mean: told.latency.mean_ns.map(|ns| ns / 1e6),
        rounding: Rounding::default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_is_named_for_a_version_where_the_number_is_one() {
        for (name, expected) in [
            ("PostgreSQL 18", Some("18")),
            ("PostgreSQL 16.3 (k8s)", Some("16.3")),
            ("pg17", Some("17")),
            ("vm-pg16", Some("16")),
            ("postgres-16.3", Some("16.3")),
            ("pg 64GB", None),
            ("postgres 16 cores", None),
            ("pg1", None),
            ("vm 18", None),
            ("pgbouncer", None),
        ] {
            assert_eq!(version_in_name(name).as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn a_warm_up_is_a_cell_that_its_author_calls_so() {
        for (target, expected) in [
            ("Warm-up after the reboot, 4GB", true),
            ("4GB (cold, not counted)", true),
            ("4GB after a warm-up", false),
            ("4GB", false),
        ] {
            let cell = Cell { target: target.to_owned(), workload: "read".to_owned(), clients: 8.into() };
            assert_eq!(is_declared_warm_up(&cell), expected, "{target}");
        }
    }

    #[test]
    fn a_version_in_a_sides_name_is_held_against_what_its_outputs_print() {
        let side = |name: &str, printed: &str| StatedTarget {
            name: name.to_owned(),
            printed_version: Some(printed.to_owned()),
            ..StatedTarget::default()
        };
        let unlike = unlike_versions(&side("PostgreSQL 18", "17.6"));
        assert_eq!(unlike, Some(["18".to_owned(), "17.6".to_owned()]));
        assert_eq!(unlike_versions(&side("PostgreSQL 17", "17.6")), None);
        assert_eq!(unlike_versions(&side("vm", "17.6")), None);
    }
}
