//! What a transaction takes of the server besides time: CPU time and WAL, of both sides, with the ratio over blocks.

use std::collections::BTreeMap;

use results::probe_fields::{host_server, pg_database, pg_wal};
use results::tables::TrialTables;
use stats::Estimate;
use stats::paired::change_of_log_ratios;
use stats::positive::{geometric_mean_estimate, is_known_change};
use stats::stopping::StoppingRule;

use crate::observed::WatchedPhase;

/// What is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransactionResource {
    /// CPU time of the server's processes, backends and others, in milliseconds. Of parallel workers as well, and of
    /// sessions that have ended.
    CpuTime,
    /// WAL written by the whole server, in bytes.
    Wal,
    /// Blocks of tables and indexes looked for in the buffers of the load's database, found there or read; of the
    /// system catalogs only where an older pgdyno measured.
    Blocks,
    /// Blocks made dirty by statements in the load's database; only where `pg_stat_statements` listed all of them.
    BlocksDirtied,
    /// Written to temporary files in the load's database, in bytes.
    TemporaryFiles,
}

/// How much of it one transaction takes, by side.
#[derive(Debug, Clone, PartialEq)]
pub struct Taken {
    /// What.
    pub resource: TransactionResource,
    /// Of the baseline, over the blocks that tell both.
    pub baseline: Estimate,
    /// Of the candidate, over the same blocks: the ratio of the two is the change.
    pub candidate: Estimate,
    /// Candidate over baseline less 1, from the ratios block by block, at the level of the rule that ended the blocks.
    pub change: Estimate,
}

impl TransactionResource {
    /// All.
    pub const ALL: [Self; 5] = [Self::CpuTime, Self::Wal, Self::Blocks, Self::BlocksDirtied, Self::TemporaryFiles];

    /// What it is called in a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Self::CpuTime => "CPU time per transaction",
            Self::Wal => "WAL per transaction",
            Self::Blocks => "blocks accessed per transaction",
            Self::BlocksDirtied => "blocks dirtied per transaction",
            Self::TemporaryFiles => "temporary files per transaction",
        }
    }

    /// The unit of its figures.
    pub fn unit(self) -> &'static str {
        match self {
            Self::CpuTime => "ms",
            Self::Wal | Self::TemporaryFiles => "B",
            Self::Blocks | Self::BlocksDirtied => "blocks",
        }
    }

    /// The least that matters of a transaction: what one in ten would need if it needed the smallest amount, a block of
    /// 8 kB or a record of WAL. What the server does by itself is in the figures, and is of that size.
    pub fn least_relevant_amount(self) -> f64 {
        match self {
            Self::CpuTime => 0.000_1,
            Self::Wal => 8.0,
            Self::Blocks | Self::BlocksDirtied => 0.1,
            Self::TemporaryFiles => 819.2,
        }
    }

    /// Of one trial, by successful transaction; none where it was not read, or nothing was completed.
    pub(crate) fn amount_per_transaction(self, watched: &WatchedPhase) -> Option<f64> {
        match self {
            Self::CpuTime => {
                // Absent where an older pgdyno measured, and where the kernel does not say.
                let ended_us = watched.per_transaction(host_server::ENDED_CPU_US).unwrap_or_default();
                let backends_us = watched.per_transaction(host_server::BACKENDS_CPU_US)?;
                Some((backends_us + watched.per_transaction(host_server::OTHERS_CPU_US)? + ended_us) / 1e3)
            }
            Self::Wal => watched.per_transaction(pg_wal::BYTES),
            Self::Blocks => in_whole_load(watched, |tables| tables.pages_accessed).or_else(|| {
                let hit = watched.per_transaction(pg_database::BLOCKS_HIT)?;
                Some(hit + watched.per_transaction(pg_database::BLOCKS_READ)?)
            }),
            Self::BlocksDirtied => blocks_dirtied(watched),
            Self::TemporaryFiles => in_whole_load(watched, |tables| tables.temporary_bytes)
                .or_else(|| watched.per_transaction(pg_database::TEMP_BYTES)),
        }
    }
}

/// What the whole load did, by its transactions: sessions report with up to a second's delay, so that counts between
/// two instants under load are of more transactions than ended between them.
fn in_whole_load(watched: &WatchedPhase, counted: impl Fn(&TrialTables) -> Option<u64>) -> Option<f64> {
    let tables = watched.tables.as_ref()?;
    let transactions = tables.transactions.filter(|transactions| *transactions > 0)?;
    Some(counted(tables)? as f64 / transactions as f64)
}

/// Blocks that the statements of a trial made dirty, by transaction; none where some of them are not listed.
fn blocks_dirtied(watched: &WatchedPhase) -> Option<f64> {
    let counted = watched.statements.as_ref()?;
    let listed: u64 = counted.statements.iter().map(|statement| statement.calls).sum();
    let transactions: u64 = watched.seconds.iter().map(|second| second.transactions).sum();
    if counted.gap.is_some() || listed < counted.calls || transactions == 0 || counted.over_us == 0 {
        return None;
    }
    let dirtied: u64 = counted.statements.iter().map(|statement| statement.blocks_dirtied).sum();
    Some(dirtied as f64 / counted.over_us as f64 * watched.length_s() * 1e6 / transactions as f64)
}

/// Compares two sides by block. None: fewer than two blocks have both, one side takes nothing, which is no ratio, or
/// the change is not known.
pub(super) fn compare_resource_use(
    resource: TransactionResource,
    baseline: &BTreeMap<u32, f64>,
    candidate: &BTreeMap<u32, f64>,
    rule: &StoppingRule,
) -> Option<Taken> {
    let pairs: Vec<[f64; 2]> =
        baseline.iter().filter_map(|(block, figure)| Some([*figure, *candidate.get(block)?])).collect();
    if pairs.iter().flatten().any(|figure| *figure <= 0.0) {
        return None;
    }
    let logarithms: Vec<f64> = pairs.iter().map(|[baseline, candidate]| (candidate / baseline).ln()).collect();
    let change = change_of_log_ratios(&logarithms, rule.level_at(pairs.len()))?;
    if !is_known_change(&change) {
        return None;
    }
    let [baseline, candidate] =
        [0, 1].map(|side| geometric_mean_estimate(&pairs.iter().map(|pair| pair[side]).collect::<Vec<_>>()));
    Some(Taken { resource, baseline: baseline?, candidate: candidate?, change })
}

#[cfg(test)]
mod tests {
    use stats::stopping::StoppingGoal;

    use super::*;

    fn rule() -> StoppingRule {
        StoppingRule::new(3, 10, StoppingGoal::Precision(0.02)).unwrap()
    }

    fn blocks(figures: [f64; 3]) -> BTreeMap<u32, f64> {
        (1..).zip(figures).collect()
    }

    #[test]
    fn the_ratio_is_that_of_the_blocks_and_swapping_the_sides_inverts_it() {
        let (one, other) = (blocks([100.0, 200.0, 400.0]), blocks([110.0, 220.0, 440.0]));
        let more = compare_resource_use(TransactionResource::Wal, &one, &other, &rule()).unwrap();
        assert!((more.change.point - 0.1).abs() < 1e-9 && more.change.interval.low > 0.09, "the same in every block");
        let less = compare_resource_use(TransactionResource::Wal, &other, &one, &rule()).unwrap();
        assert!(((1.0 + more.change.point) * (1.0 + less.change.point) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn nothing_of_one_side_is_no_ratio_and_one_block_has_no_interval() {
        let one = blocks([1.0, 1.0, 1.0]);
        assert_eq!(compare_resource_use(TransactionResource::Wal, &one, &blocks([1.0, 0.0, 1.0]), &rule()), None);
        assert_eq!(
            compare_resource_use(TransactionResource::CpuTime, &one, &BTreeMap::from([(1, 1.0)]), &rule()),
            None
        );
    }

    #[test]
    fn sessions_that_have_ended_are_part_of_the_cpu_time() {
        let text = r#"{"phase":"measure","index":0,"start_us":0,"duration_us":1000000,"transactions":100,"failed":0,
            "probes":{"host.server":{"took_us":1,"over_us":1000000,
            "values":{"backends_cpu_us":3000,"others_cpu_us":1000,"ended_cpu_us":426000}}}}"#;
        let watched = WatchedPhase::from_lines(vec![serde_json::from_str(text).unwrap()], vec![]);
        assert_eq!(TransactionResource::CpuTime.amount_per_transaction(&watched), Some(4.3));
    }

    #[test]
    fn what_was_read_is_divided_by_the_transactions_of_the_measured_time() {
        let line = |index: u32, wal: &str| {
            let start_us = index * 1_000_000;
            format!(
                r#"{{"phase":"measure","index":{index},"start_us":{start_us},"duration_us":1000000,"transactions":500,"failed":0,
                    "probes":{{"pg.wal":{wal},"host.server":{{"took_us":1,"over_us":1000000,
                    "values":{{"backends_cpu_us":900000,"others_cpu_us":100000}}}}}}}}"#
            )
        };
        let watched = |wal: [&str; 2]| {
            let text = [line(0, wal[0]), line(1, wal[1])];
            WatchedPhase::from_lines(text.iter().map(|line| serde_json::from_str(line).unwrap()).collect(), vec![])
        };
        let read = r#"{"took_us":1,"over_us":1000000,"values":{"bytes":50000}}"#;
        let known = watched([read, read]);
        assert_eq!(
            [TransactionResource::CpuTime, TransactionResource::Wal].map(|of| of.amount_per_transaction(&known)),
            [Some(2.0), Some(100.0)]
        );
        assert_eq!(TransactionResource::Blocks.amount_per_transaction(&known), None, "nobody read it");
        let gap = r#"{"took_us":1,"gap":"no answer"}"#;
        assert_eq!(
            TransactionResource::Wal.amount_per_transaction(&watched([read, gap])),
            Some(100.0),
            "as fast as where it was read"
        );
        let short = r#"{"took_us":1,"over_us":900000,"values":{"bytes":45000}}"#;
        assert_eq!(
            TransactionResource::Wal.amount_per_transaction(&watched([short, gap])),
            None,
            "less than half of the time is not the whole of it"
        );
    }
}
