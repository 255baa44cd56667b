//! Cells of which runs completed practically no transaction: they have no figure, and so no point in a series.

use std::collections::BTreeMap;

use results::history::{BrokenCell, FORMAT, History};
use results::trial::Cell;

use crate::failures;
use crate::judgement::Judgement;
use crate::observed::Observed;

/// Those of a run.
pub(super) fn broken_in_run(observed: &Observed, judgement: &Judgement) -> Vec<BrokenCell> {
    let mut broken = Vec::new();
    for cell in &judgement.accounts {
        if cell.account.ended_transactions().all == 0 || !cell.account.completes_nothing() {
            continue;
        }
        broken.push(BrokenCell {
            format: FORMAT,
            run: observed.run.id.clone(),
            at: observed.run.started_at,
            cell: Cell {
                target: cell.target.clone(),
                workload: cell.place.workload.clone(),
                clients: cell.place.clients,
            },
            reason: failures::describe_failing_side(&cell.target, &cell.account),
        });
    }
    broken
}

/// Cells that are broken in the newest run that measured them, unless the state since that run is accepted.
pub(super) fn broken_cells(history: &History) -> Vec<&BrokenCell> {
    let mut newest: BTreeMap<&Cell, &BrokenCell> = BTreeMap::new();
    for broken in history.broken_cells() {
        let known = newest.entry(&broken.cell).or_insert(broken);
        if (known.at, &known.run) < (broken.at, &broken.run) {
            *known = broken;
        }
    }
    newest.into_values().filter(|broken| !works_later(history, broken) && !is_accepted(history, broken)).collect()
}

fn works_later(history: &History, broken: &BrokenCell) -> bool {
    let mut of_cell = history.measured_points().filter(|point| point.cell == broken.cell);
    of_cell.any(|point| (broken.at, &broken.run) < (point.at, &point.run))
}

/// Whether the state since this run or a later one is accepted.
fn is_accepted(history: &History, broken: &BrokenCell) -> bool {
    history
        .accepted_levels()
        .any(|accepted| history.measured_cells().any(|(run, at, _)| run == accepted.run && at >= broken.at))
}

#[cfg(test)]
mod tests {
    use results::history::{Accepted, HistoryLine, MetricDirection, Point};

    use super::*;

    fn cell(workload: &str) -> Cell {
        Cell { target: "pg".to_owned(), workload: workload.to_owned(), clients: 8.into() }
    }

    fn at<T: std::str::FromStr<Err: std::fmt::Debug>>(day: u32) -> T {
        format!("2026-11-{day:02}T00:00:00Z").parse().unwrap()
    }

    fn broken(workload: &str, day: u32) -> HistoryLine {
        let reason = "all 12 transactions failed".to_owned();
        HistoryLine::Broken(BrokenCell {
            format: FORMAT,
            run: format!("run-{day}"),
            at: at(day),
            cell: cell(workload),
            reason,
        })
    }

    fn works(workload: &str, day: u32) -> HistoryLine {
        HistoryLine::Point(Point {
            format: FORMAT,
            run: format!("run-{day}"),
            at: at(day),
            pgdyno_version: "0.1.0".to_owned(),
            cell: cell(workload),
            metric: "throughput".to_owned(),
            unit: "tps".to_owned(),
            better: MetricDirection::Higher,
            point: 100.0,
            interval: None,
            trials: 3,
            threshold: 0.03,
            contract: BTreeMap::new(),
            server: BTreeMap::new(),
            doubts: None,
        })
    }

    fn found(lines: Vec<HistoryLine>) -> Vec<(String, String)> {
        let history = History { lines, torn: None };
        let cells = broken_cells(&history);
        cells.iter().map(|broken| (broken.cell.workload.clone(), broken.run.clone())).collect()
    }

    #[test]
    fn cell_is_broken_until_a_later_run_measures_it_or_its_state_is_accepted() {
        let is_broken = [("read".to_owned(), "run-3".to_owned())];
        assert_eq!(found(vec![works("read", 1), broken("read", 2), broken("read", 3)]), is_broken);
        assert_eq!(found(vec![broken("read", 3), works("write", 4), works("read", 1)]), is_broken, "order of the file");
        assert_eq!(found(vec![broken("read", 3), works("read", 4)]), []);
        let accepted = |day: u32| {
            let run = format!("run-{day}");
            HistoryLine::Accepted(Accepted { format: FORMAT, run, at: at(9), because: "dropped".to_owned() })
        };
        assert_eq!(found(vec![works("read", 2), broken("read", 3), accepted(3)]), []);
        assert_eq!(found(vec![works("read", 2), broken("read", 3), accepted(2)]), is_broken, "an earlier state");
    }
}
