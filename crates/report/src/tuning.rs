//! The rounds of a tuning: what was tried, expected, found and kept, as lines for a person, and as data.

use judge::registry::current_name;
use judge::units;
use results::tuning::{Attempt, Cell, Ended, Gain, Round, Tuning};
use schemars::JsonSchema;
use serde::Serialize;

use super::columns::{Alignment, aligned};
use super::data::EstimateData;

/// A tuning with its rounds and its result.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TuningData {
    /// The target that was tuned.
    pub target: String,
    /// The rounds in chronological order.
    pub rounds: Vec<TuningRoundData>,
    /// Fixes that were not tried.
    pub left_out: Vec<TuningLeftOutData>,
    /// The settings that were kept; empty if none were.
    pub kept: String,
    /// The reason why it ended.
    pub ended: &'static str,
}

/// The codes of what was found, as an earlier version may have spelled them, with commas between several.
fn current_names(written: &str) -> String {
    written.split(", ").map(current_name).collect::<Vec<_>>().join(", ")
}

/// One change, compared with the best server so far.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TuningRoundData {
    /// Identifier of its run.
    pub run: String,
    /// The rule whose finding it fixes; several, separated by commas, if one change fixes several findings.
    pub rule: String,
    /// The finding.
    pub found: String,
    /// The expected effect of the change.
    pub expected: String,
    /// The settings.
    pub change: String,
    /// The risk of the settings.
    pub gives_up: Option<String>,
    /// The results, by workload and number of clients.
    pub cells: Vec<TuningCellData>,
    /// Whether it was kept.
    pub kept: bool,
}

/// The result of a change for one workload and number of clients, as shares of the best server so far.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TuningCellData {
    /// Workload name.
    pub workload: String,
    /// Number of clients.
    pub clients: u32,
    /// Changed server / best server so far − 1; absent without an interval.
    pub change: Option<EstimateData>,
    /// The verdict.
    pub verdict: String,
}

/// A change that was not tried.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TuningLeftOutData {
    /// The rule whose finding it would fix.
    pub rule: String,
    /// The finding.
    pub found: String,
    /// The settings.
    pub change: String,
    /// The reason why it was not tried.
    pub why: String,
}

/// The rounds with their units.
pub(crate) fn data(tuning: &Tuning) -> TuningData {
    let left_out = tuning.left_out.iter().map(|left| TuningLeftOutData {
        rule: current_names(&left.rule),
        found: left.found.clone(),
        change: left.change.in_words(),
        why: left.why.clone(),
    });
    TuningData {
        target: tuning.target.clone(),
        rounds: tuning.rounds.iter().map(round).collect(),
        left_out: left_out.collect(),
        kept: tuning.kept.in_words(),
        ended: ended(tuning.ended),
    }
}

fn round(round: &Round) -> TuningRoundData {
    let cell = |cell: &Cell| TuningCellData {
        workload: cell.workload.clone(),
        clients: cell.clients,
        change: cell.change.map(|Gain { point, low, high, n }| EstimateData { point, low, high, n }),
        verdict: cell.verdict.clone(),
    };
    let Attempt { rule, found, expected, change, gives_up } = round.attempt.clone();
    TuningRoundData {
        run: round.run.clone(),
        rule: current_names(&rule),
        found,
        expected,
        change: change.in_words(),
        gives_up,
        cells: round.cells.iter().map(cell).collect(),
        kept: round.kept,
    }
}

fn ended(ended: Ended) -> &'static str {
    match ended {
        Ended::NothingLeft => "no finding has a fix that was not tried",
        Ended::TimeSpent => "the remaining time is too short for another comparison",
        Ended::Interrupted => "the tuning was interrupted",
    }
}

/// The rounds under a heading, columns aligned.
pub(crate) fn lines(tuning: &Tuning) -> (String, Vec<String>) {
    let rounds = tuning.rounds.iter().zip(1..);
    let rows: Vec<[String; 6]> = rounds.flat_map(|(round, number)| rows(number, round)).collect();
    let (left, right) = (Alignment::Left, Alignment::Right);
    let mut lines = aligned(&rows, [right, left, left, right, right, left]);
    lines.extend(tuning.rounds.iter().filter(|round| round.kept).filter_map(|round| {
        let gives_up = round.attempt.gives_up.as_ref()?;
        Some(format!("! {} reduces durability, as the plan allows: {gives_up}", round.attempt.change.in_words()))
    }));
    let left_out = tuning.left_out.iter();
    lines
        .extend(left_out.map(|left| {
            format!("not tried: {} ({}): {}", left.change.in_words(), current_names(&left.rule), left.why)
        }));
    lines.push(format!("ended: {}", ended(tuning.ended)));
    lines.push(match tuning.kept.is_empty() {
        true => "kept: nothing; the server is unchanged".to_owned(),
        false => format!("kept: {}", tuning.kept.in_words()),
    });
    (format!("Tuning rounds ({})", tuning.target), lines)
}

/// A line for each place; what was changed stands in the first.
fn rows(number: u32, round: &Round) -> Vec<[String; 6]> {
    let of_cell = |(index, cell): (usize, &Cell)| {
        let first = |text: String| if index == 0 { text } else { String::new() };
        let kept = if round.kept { "kept" } else { "not kept" };
        [
            first(number.to_string()),
            first(round.attempt.change.in_words()),
            format!("{} at {}", cell.workload, units::clients(cell.clients)),
            cell.change.map_or("–".to_owned(), |gain| units::change(gain.point)),
            cell.change.map_or(String::new(), |gain| units::change_interval(gain.low, gain.high)),
            first(format!("{}, {kept}", cell.verdict)),
        ]
    };
    round.cells.iter().enumerate().map(of_cell).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use results::tuning::{Change, FORMAT, LeftOut};

    use super::*;

    fn change(name: &str, value: &str) -> Change {
        Change { settings: BTreeMap::from([(name.to_owned(), value.to_owned())]), ..Change::default() }
    }

    #[test]
    fn every_round_says_what_was_tried_what_came_of_it_and_whether_it_was_kept() {
        let cell = |workload: &str, change| Cell {
            workload: workload.to_owned(),
            clients: 8,
            change: Some(Gain { point: change, low: change - 0.02, high: change + 0.02, n: 5 }),
            verdict: "improved".to_owned(),
        };
        let round = Round {
            run: "r".to_owned(),
            attempt: Attempt {
                rule: "checkpoints-forced".to_owned(),
                found: "it is used up".to_owned(),
                expected: "fewer".to_owned(),
                change: change("max_wal_size", "8GB"),
                gives_up: None,
            },
            cells: vec![cell("write", 0.4), cell("read", 0.01)],
            kept: true,
        };
        let left = LeftOut {
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
            ended: Ended::NothingLeft,
            kept: change("max_wal_size", "8GB"),
        };
        insta::assert_snapshot!(lines(&tuning).1.join("\n"), @r"
        1  max_wal_size = 8GB  write at 8 clients  +40.0 %  +38.0 … +42.0 %  improved, kept
                               read at 8 clients    +1.0 %    −1.0 … +3.0 %
        not tried: synchronous_commit = off (commit-flush): it gives up durability
        ended: no finding has a fix that was not tried
        kept: max_wal_size = 8GB
        ");
        assert_eq!(data(&tuning).rounds[0].cells[1].change.as_ref().map(|gain| gain.n), Some(5));
    }
}
