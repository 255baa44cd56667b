//! The rounds of a tuning: what was tried, expected, found and kept.

use judge::Judgement;
use judge::registry::current_name;
use results::tuning::{Gain, Round, Tuning, TuningAttempt, TuningCell as TriedCell, TuningEnd};
use stats::{ClosedInterval, Estimate};

use crate::document::{
    ColumnUnit, DocumentColumn, DocumentRow, DocumentTable, Holds, ReportSection, SectionBlock, TableCell, TableKind,
};

const EXPLANATION: &str = "Each round applies the fix for the top finding of the best server so far and compares it with that \
                           server in separate blocks. If a fix was kept, the comparison above is between the last and the \
                           first server, in new blocks.";

/// A round at a place a row.
pub(crate) static TABLE: TableKind = TableKind {
    name: "tuning",
    about: "Rounds of a tuning: the changed server against the best server so far",
    columns: &[
        DocumentColumn::new("round", "round", Holds::Count),
        DocumentColumn::for_programs("run", Holds::Words),
        DocumentColumn::for_programs("rule", Holds::Words),
        DocumentColumn::new("finding", "found", Holds::Words).on_page(),
        DocumentColumn::new("change tried", "tried", Holds::Words),
        DocumentColumn::for_programs("expected", Holds::Words),
        DocumentColumn::for_programs("risk", Holds::Words),
        DocumentColumn::new("workload", "workload", Holds::Words),
        DocumentColumn::new("clients", "clients", Holds::Count),
        DocumentColumn::new("change", "change", Holds::Estimate(ColumnUnit::Change)),
        DocumentColumn::new("verdict", "verdict", Holds::Words),
        DocumentColumn::for_programs("kept", Holds::Words),
    ],
};

/// The rounds, and what came of them; none of a run that ends no tuning.
pub(crate) fn tuning_section(judgement: &Judgement) -> Option<ReportSection> {
    Some(section_of_tuning(judgement.tuning.as_ref()?))
}

fn section_of_tuning(tuning: &Tuning) -> ReportSection {
    let mut blocks = vec![SectionBlock::Explanation(EXPLANATION)];
    let mut rows = Vec::new();
    let mut notes = Vec::new();
    for (round, number) in tuning.rounds.iter().zip(1..) {
        rows.extend(rows_of_round(number, round));
        if let (true, Some(gives_up)) = (round.kept, &round.attempt.gives_up) {
            let change = round.attempt.change.in_words();
            notes.push(format!("! {change} reduces durability, as the plan allows: {gives_up}"));
        }
    }
    if !rows.is_empty() {
        blocks.push(SectionBlock::Table(DocumentTable::from_rows(&TABLE, rows)));
    }
    for left in &tuning.left_out {
        let (change, rules) = (left.change.in_words(), current_names(&left.rule));
        notes.push(format!("not tried: {change} ({rules}: {}): {}", left.found, left.why));
    }
    notes.push(format!("ended: {}", reason_for_end(tuning.ended)));
    notes.push(match tuning.kept.is_empty() {
        true => "kept: nothing; the server is unchanged".to_owned(),
        false => format!("kept: {}", tuning.kept.in_words()),
    });
    blocks.extend(notes.into_iter().map(SectionBlock::Note));
    ReportSection { id: "tuning", title: format!("Tuning rounds ({})", tuning.target), blocks }
}

/// The codes of what was found, as an earlier version may have spelled them, with commas between several.
fn current_names(written: &str) -> String {
    written.split(", ").map(current_name).collect::<Vec<_>>().join(", ")
}

fn reason_for_end(ended: TuningEnd) -> &'static str {
    match ended {
        TuningEnd::NothingLeft => "no finding has a fix that was not tried",
        TuningEnd::TimeSpent => "the remaining time is too short for another comparison",
        TuningEnd::Interrupted => "the tuning was interrupted",
    }
}

/// A row for each place; people read only in the first what was changed, and whether it was kept.
fn rows_of_round(number: u64, round: &Round) -> Vec<DocumentRow> {
    let mut rows = Vec::new();
    for (index, cell) in round.cells.iter().enumerate() {
        rows.push(row_of_place(number, round, cell, index == 0));
    }
    rows
}

fn row_of_place(number: u64, round: &Round, cell: &TriedCell, is_first: bool) -> DocumentRow {
    let TuningAttempt { rule, found, expected, change, gives_up } = &round.attempt;
    let once = |cell: TableCell| if is_first { cell } else { TableCell::words_with_figure("", cell) };
    let kept = if round.kept { "kept" } else { "not kept" };
    let result = if is_first { format!("{}, {kept}", cell.verdict) } else { cell.verdict.clone() };
    let gain =
        cell.change.map(|Gain { point, low, high, n }| Estimate { point, interval: ClosedInterval { low, high }, n });
    DocumentRow::from_cells(vec![
        once(TableCell::Count(number)),
        TableCell::from_words(&round.run),
        TableCell::Words(current_names(rule)),
        once(TableCell::from_words(found)),
        once(TableCell::Words(change.in_words())),
        TableCell::from_words(expected),
        TableCell::Words(gives_up.clone().unwrap_or_default()),
        TableCell::from_words(&cell.workload),
        TableCell::Count(u64::from(cell.clients)),
        TableCell::optional_estimate(gain),
        TableCell::words_with_figure(result, TableCell::from_words(&cell.verdict)),
        TableCell::from_words(round.kept.to_string()),
    ])
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use results::tuning::{FORMAT, SettingsChange, UntriedChange};

    use super::*;
    use crate::document::{ReportDocument, Screen, csv_of_table, terminal_of_section};

    fn change(name: &str, value: &str) -> SettingsChange {
        SettingsChange { settings: BTreeMap::from([(name.to_owned(), value.to_owned())]), ..SettingsChange::default() }
    }

    #[test]
    fn every_round_says_what_was_tried_what_came_of_it_and_whether_it_was_kept() {
        let cell = |workload: &str, change| TriedCell {
            workload: workload.to_owned(),
            clients: 8,
            change: Some(Gain { point: change, low: change - 0.02, high: change + 0.02, n: 5 }),
            verdict: "improved".to_owned(),
        };
        let round = Round {
            run: "r".to_owned(),
            attempt: TuningAttempt {
                rule: "checkpoints-forced".to_owned(),
                found: "it is used up".to_owned(),
                expected: "fewer".to_owned(),
                change: change("max_wal_size", "8GB"),
                gives_up: None,
            },
            cells: vec![cell("write", 0.4), cell("read", 0.01)],
            kept: true,
        };
        let left = UntriedChange {
            rule: "commit-flush".to_owned(),
            found: "commits wait".to_owned(),
            change: change("synchronous_commit", "off"),
            why: "it gives up durability".to_owned(),
        };
        let tuning = Tuning {
            format: FORMAT,
            target: "pg".to_owned(),
            first_look: "l".to_owned(),
            rounds: vec![round],
            left_out: vec![left],
            ended: TuningEnd::NothingLeft,
            kept: change("max_wal_size", "8GB"),
        };
        let section = section_of_tuning(&tuning);
        insta::assert_snapshot!(terminal_of_section(&section, Screen::default()).unwrap().1.join("\n"), @r##"
        round  change tried        workload  clients   change     95 % interval  verdict
            1  max_wal_size = 8GB  write           8  +40.0 %  [+38.0, +42.0] %  improved, kept
                                   read            8   +1.0 %    [−1.0, +3.0] %  improved
        not tried: synchronous_commit = off (commit-flush: commits wait): it gives up durability
        ended: no finding has a fix that was not tried
        kept: max_wal_size = 8GB
        "##);
        let document = ReportDocument { answer: Vec::new(), sections: vec![section] };
        let csv = csv_of_table(&document, &TABLE);
        assert!(
            csv.lines().nth(2).unwrap().starts_with("1,r,checkpoints-forced,it is used up,max_wal_size = 8GB"),
            "{csv}"
        );
    }
}
