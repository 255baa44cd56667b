//! `shared-buffers-undersized`: pages are copied into shared_buffers again and again, from the kernel's memory.

use catalog::WaitResource;
use results::activity::{SampledSessions, WaitEvent};
use results::probe_fields::{host_disk, pg_database};

use crate::budget::BudgetPart;
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::case::DiagnosisCase;
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{CaseFinding, Confidence, FigureAmount, FindingKind, figure};
use crate::diagnose::mend::Mend;
use crate::diagnose::own_share::{MOSTLY, OwnAndAll};
use crate::diagnose::quantity::{Measure, QuantityUnit};
use crate::diagnose::rule::{Looked, MissingObservation, Rule};
use crate::diagnose::seconds::ChartedSeries;
use crate::diagnose::spent::{is_executing, resource_of_wait};
use crate::observed::BLOCK_BYTES;
use crate::thresholds::FROM_DISK;
use crate::units;
use plan::quantity::setting_bytes;

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &Code {
        name: "shared-buffers-undersized",
        group: CodeGroup::Memory,
        detects: "shared_buffers is smaller than the working set: pages are copied into it from the kernel's page cache repeatedly.",
        reported_if: "The server misses many pages in shared_buffers, and the disk supplies few of them. It misses more \
                pages than shared_buffers holds, and shared_buffers is smaller than 125 % of the data and smaller than \
                25 % of the memory.",
        thresholds: &[
            RuleThreshold::at_least("pages not found in shared_buffers", MISSED, ThresholdUnit::Share),
            RuleThreshold::at_least("pages copied per transaction", PER_TRANSACTION, ThresholdUnit::Count),
            RuleThreshold::at_most(
                "bytes that the disk reads as a share of those copied",
                FROM_DISK,
                ThresholdUnit::Share,
            ),
            RuleThreshold::at_least(
                "pages that the load's statements read as a share of all, if counted",
                MOSTLY,
                ThresholdUnit::Share,
            ),
        ],
        effects: IssueEffect::OF_FINDINGS,
        why: "Each copy is a system call, evicts another page, which may have to be written first, and takes contended locks. A \
              shared_buffers that holds the working set avoids these copies.",
        evidence: "Pages copied into shared_buffers per transaction, and the share of them that the disk reads.",
        fix: "Raise shared_buffers to hold the working set, at most a quarter of the memory.",
        confirm: "Run the plan again with a larger shared_buffers.",
        formerly: &["buffers-too-few"],
    },
    measure: Measure::Figure {
        name: "blocks copied per transaction",
        unit: QuantityUnit::Count,
        of: |case| case.per_transaction(pg_database::BLOCKS_READ),
    },
    look: look_for_shared_buffers_undersized,
};

/// From this share of the blocks that are looked up on. A server whose working set fits stays under a hundredth.
const MISSED: f64 = 0.1;

/// From so many blocks of a transaction on: a statement takes far longer than one copy.
const PER_TRANSACTION: f64 = 0.5;

/// So many times the copies of another side: what it executes in less time is then without them.
const TIMES: f64 = 10.0;

/// Of the memory at most: what the documentation of PostgreSQL calls reasonable for a server of its own.
const OF_MEMORY: u64 = 4;

fn look_for_shared_buffers_undersized(case: &DiagnosisCase<'_>) -> Looked {
    let (read, hit) =
        (case.counter_rate_per_s(pg_database::BLOCKS_READ)?, case.counter_rate_per_s(pg_database::BLOCKS_HIT)?);
    let per_transaction = case.per_transaction(pg_database::BLOCKS_READ)?;
    let missed = read / (read + hit).max(1.0);
    if missed < MISSED || per_transaction < PER_TRANSACTION {
        return Ok(None);
    }
    // Of sides that take turns all are in it: at most so much.
    let of_disk = case.counter_rate_per_s(host_disk::READ_BYTES)?;
    if of_disk > FROM_DISK * read * BLOCK_BYTES {
        return Ok(None);
    }
    // Whose pages these are the counter does not tell; what the load's statements read is counted where it can be.
    let of_load = case.counted_by_statements(|statement| statement.blocks_read).and_then(OwnAndAll::share_of_load);
    if of_load.is_some_and(|share| share < MOSTLY) {
        return Ok(None);
    }
    let setting = case.server_setting("shared_buffers")?;
    let wanted = wanted_buffers_bytes(case)?;
    let holds_bytes = setting_bytes(&setting.value).filter(|now| *now < wanted);
    // No more than they hold may be each page for the first time, after a start.
    let Some(holds) = holds_bytes.map(|bytes| bytes as f64 / BLOCK_BYTES) else { return Ok(None) };
    if case.total_increase(pg_database::BLOCKS_READ)? / buffer_fills_at_most(case) <= holds {
        return Ok(None);
    }
    // What copies cost on a CPU is told by a side that makes hardly any.
    let tells_executing = is_without_copies_elsewhere(case, per_transaction);
    let windows =
        case.windows_where(|second| second.share_of_sessions(is_copying_pages).is_some_and(|share| share > 0.0));
    Ok(Some(CaseFinding {
        title: format!(
            "shared_buffers ({}) is too small: {} blocks per transaction are copied from the page cache",
            setting.value,
            units::format_count(per_transaction)
        ),
        kind: FindingKind::Problem,
        // What a copy costs on a CPU is not told apart from the rest of the statement.
        confidence: Confidence::Medium,
        cost: case.cost_in(|part: &BudgetPart| match part {
            BudgetPart::Waiting(wait) if waits_for_a_copy(wait) => true,
            _ => tells_executing && is_executing(part),
        }),
        figures: vec![
            figure("blocks not found in shared_buffers", FigureAmount::Share(missed)),
            figure("blocks copied per transaction", FigureAmount::Count(per_transaction)),
            figure("blocks copied", FigureAmount::PerS(read)),
            figure("read from the disk", FigureAmount::BytesPerS(of_disk)),
            figure("shared_buffers", FigureAmount::Text(setting.value.clone())),
        ],
        chart: case.chart_of_windows(
            &windows,
            &[
                ChartedSeries::series_of_field(pg_database::BLOCKS_READ, "blocks copied"),
                ChartedSeries::series_of_sessions("sessions waiting for a copy", &is_copying_pages),
            ],
        ),
        windows: if windows.is_empty() { case.all_the_time() } else { windows },
        would_disprove: "the same latency with a shared_buffers that holds the data".to_owned(),
        confirm: Confirm::with_settings(
            case,
            &[("shared_buffers", &format!("{}MB", wanted >> 20))],
            "with a larger shared_buffers, few blocks are read and latency falls",
        ),
        mend: Mend::with_raised_sizes(case, &[("shared_buffers", wanted)]),
    }))
}

/// How many times the buffers were empty and filled anew, at most.
fn buffer_fills_at_most(case: &DiagnosisCase<'_>) -> f64 {
    let restarts = case.run_plan().is_some_and(|plan| plan.blocks.restart);
    if restarts { case.trials().len() as f64 } else { 1.0 }
}

/// Whether another side copies hardly any pages, and executes the same in less time.
fn is_without_copies_elsewhere(case: &DiagnosisCase<'_>, per_transaction: f64) -> bool {
    case.other_sides().iter().any(|other| {
        let copied = other.per_transaction(pg_database::BLOCKS_READ);
        copied.is_ok_and(|copied| copied * TIMES <= per_transaction) && case.seems_to_execute_longer_than(other)
    })
}

/// Room for all data, but no more than a quarter of the memory.
fn wanted_buffers_bytes(case: &DiagnosisCase<'_>) -> Result<u64, MissingObservation> {
    let data = case.data_bytes()?;
    let room = (data + data / 4).next_multiple_of(16 << 20);
    Ok(room.min(case.server_host()?.memory_bytes / OF_MEMORY))
}

fn is_copying_pages(seen: &SampledSessions) -> bool {
    seen.wait.as_ref().is_some_and(waits_for_a_copy)
}

fn waits_for_a_copy(wait: &WaitEvent) -> bool {
    let is_of_file = wait.class == "IO" && matches!(wait.event.as_str(), "DataFileRead" | "DataFileWrite");
    is_of_file || matches!(resource_of_wait(wait), Some(WaitResource::PageMapping | WaitResource::PageIo))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    fn reads(cell: Measurement, missed_per_s: f64) -> Measurement {
        cell.probe("pg.database", &[("blocks_read", missed_per_s), ("blocks_hit", 9000.0)])
            .probe("host.disk", &[("read_bytes", 0.0)])
    }

    fn small() -> Built {
        let built = Built::healthy().setting("shared_buffers", "4MB");
        built.fact("/server/database_bytes", json!(300_u64 << 20)).with(|cell| reads(cell, 9000.0))
    }

    #[test]
    fn pages_that_are_copied_again_and_again_are_found_with_what_would_hold_them() {
        let found = small().with(|cell| cell.sees("active", Some("IO:DataFileRead"), 2)).finds(&RULE);
        assert_eq!(found.figures[0].amount, FigureAmount::Share(0.5));
        assert_eq!(found.mend.expect("more of them").change.in_words(), "shared_buffers = 384MB");
    }

    #[test]
    fn beside_a_side_without_copies_what_they_cost_on_a_cpu_is_counted_too() {
        let built = |missed_elsewhere: f64| {
            let pair = Built::pair()
                .setting("shared_buffers", "4MB")
                .every_fact("/server/database_bytes", &json!(300_u64 << 20));
            let waits = |cell: Measurement| reads(cell, 9000.0).sees("active", Some("IO:DataFileRead"), 2);
            pair.with_first(|cell| reads(cell, missed_elsewhere)).with(|cell| waits(cell).throughput(2000.0))
        };
        let share = |built: Built| built.finds(&RULE).cost.attributed_share().expect("it is time");
        assert!(share(built(0.0)) > 0.5 && share(built(9000.0)) < 0.1);
    }

    #[test]
    fn data_that_fit_and_data_of_the_disk_are_not_too_few_buffers() {
        Built::healthy().with(|cell| reads(cell, 0.0)).is_fine_for(&RULE);
        small().with(|cell| reads(cell, 90.0)).is_fine_for(&RULE);
        small().setting("shared_buffers", "1GB").is_fine_for(&RULE);
        small().with(|cell| cell.probe("host.disk", &[("read_bytes", 6e7)])).is_fine_for(&RULE);
    }

    #[test]
    fn pages_that_are_copied_for_the_first_time_after_a_start_are_not_too_few_buffers() {
        let built = || small().seconds(4).setting("shared_buffers", "256MB");
        let larger = |missed_per_s| built().with(|cell| reads(cell, missed_per_s));
        larger(2500.0).is_fine_for(&RULE);
        larger(9000.0).finds(&RULE);
    }

    #[test]
    fn without_the_size_of_the_data_it_stays_open() {
        let built = small().fact("/server/database_bytes", json!(null));
        assert_eq!(built.lacks(&RULE), "the size of the data: the server did not report it");
    }
}
