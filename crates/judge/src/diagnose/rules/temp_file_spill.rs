//! `temp-file-spill`: sorts and hashes do not fit into work_mem and go through temporary files.

use results::activity::{Seen, Wait};
use results::log::Event;

use crate::budget::Part;
use crate::diagnose::case::Case;
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{Amount, Confidence, Found, Kind, figure};
use crate::diagnose::mend::Mend;
use crate::diagnose::rule::{Looked, Rule};
use crate::diagnose::seconds::Drawn;

/// The rule.
pub(super) const RULE: Rule = Rule {
    name: "temp-file-spill",
    finds: "Sorts, hashes and materialised results go through temporary files because work_mem is too small for them.",
    why: "Every row of them is written and read again; with enough work_mem they stay in memory.",
    look,
};

/// From so many bytes per second on: less is an occasional report.
const BYTES_PER_S: f64 = 1e6;

/// What is given where the log does not say how large the files are.
const WORK_MEM: u64 = 256 << 20;

fn look(case: &Case<'_>) -> Looked {
    let rate = case.rate("pg.database", "temp_bytes")?;
    if rate < BYTES_PER_S {
        return Ok(None);
    }
    let mut figures = vec![figure("temporary files", Amount::BytesPerS(rate))];
    if let Ok(per_transaction) = case.per_transaction("pg.database", "temp_bytes") {
        figures.push(figure("of them per transaction", Amount::Bytes(per_transaction)));
    }
    if let Some(bytes) = largest(case) {
        figures.push(figure("largest file", Amount::Bytes(bytes)));
    }
    let work_mem = case.setting("work_mem").map_or("its default, 4MB".to_owned(), |setting| setting.value.clone());
    figures.push(figure("work_mem", Amount::Text(work_mem)));
    if let Ok(waiting) = case.share_of_sessions(|seen: &Seen| seen.wait.as_ref().is_some_and(spills)) {
        figures.push(figure("sessions waiting for temporary files", Amount::Share(waiting)));
    }
    let windows = case.windows(|second| second.rate("pg.database", "temp_bytes").is_some_and(|rate| rate > 0.0));
    Ok(Some(Found {
        title: "queries spill to temporary files because work_mem is too small for them".to_owned(),
        kind: Kind::Problem,
        confidence: Confidence::High,
        // What is written is often still in the kernel's memory when it is read, so that waits tell the least of it.
        cost: case.cost_in(|part| matches!(part, Part::Waiting(wait) if spills(wait))),
        figures,
        chart: case.chart(&windows, &[Drawn::rate("pg.database", "temp_bytes", "temporary files", "MB/s", 1e-6)]),
        windows,
        would_disprove: "the same latency with a work_mem in which everything fits".to_owned(),
        confirm: Confirm::with_settings(
            case,
            &[("work_mem", "256MB")],
            "with more work_mem there are no temporary files and latency falls",
        ),
        mend: mend(case),
    }))
}

/// Twice the largest file, since what is in memory takes more room than on disk; every client may want it at once, so
/// that all together take a quarter of the memory at most.
fn mend(case: &Case<'_>) -> Option<Mend> {
    let wanted = largest(case).map_or(WORK_MEM, |bytes| bytes as u64 * 2);
    let for_each = case.host().ok()?.memory_bytes / 4 / u64::from(case.client_count());
    Mend::raising(case, &[("work_mem", wanted.min(for_each))])
}

fn spills(wait: &Wait) -> bool {
    wait.class == "IO" && wait.event.starts_with("BufFile")
}

fn largest(case: &Case<'_>) -> Option<f64> {
    let logged = case.logged().ok()?;
    let sizes = logged.iter().filter_map(|logged| match logged.event {
        Event::TemporaryFile { bytes } => Some(*bytes),
        _ => None,
    });
    sizes.max().map(|bytes| bytes as f64)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::diagnose::built::Built;

    #[test]
    fn spilling_is_found_with_the_largest_file() {
        let built = Built::healthy().setting("work_mem", "1MB").with(|cell| {
            cell.probe("pg.database", &[("temp_bytes", 5e7)])
                .sees("active", Some("IO:BufFileWrite"), 4)
                .logs(3.0, json!({ "kind": "temporary-file", "bytes": 14_000_000 }))
        });
        let found = built.finds(&RULE);
        assert_eq!(found.figures[0].amount, Amount::BytesPerS(5e7));
        assert!(found.figures.contains(&figure("largest file", Amount::Bytes(14e6))), "{found:?}");
        assert!(found.figures.contains(&figure("work_mem", Amount::Text("1MB".to_owned()))), "{found:?}");
    }

    #[test]
    fn next_to_no_temporary_files_are_healthy() {
        Built::healthy().is_fine_for(&RULE);
        Built::healthy().with(|cell| cell.probe("pg.database", &[("temp_bytes", 9000.0)])).is_fine_for(&RULE);
    }

    #[test]
    fn without_the_databases_figures_it_stays_open() {
        let built = Built::healthy().with(|cell| cell.gap("pg.database", "timed out"));
        assert_eq!(built.lacks(&RULE), "pg.database temp_bytes: timed out");
    }
}
