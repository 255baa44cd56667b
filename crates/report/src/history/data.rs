//! What the page of a history shows, and what programs get of it: series with their levels and changes, already
//! concluded and worded. `web/src/data.ts` has its types, too.

use judge::history::{Beginning, FactChange, HistoryJudgement, LevelChange, MetricSeries, Segment};
use judge::registry::current_name;
use results::history::{MetricDirection, Point, RunDoubt};
use serde::Serialize;

use super::accept::accept_commands;
use super::{answer_in_words, beginning_of_segment, broken_in_words, change_in_words, doubt_in_words, false_alarms};
use crate::data::{BetterData, EstimateData, VerdictData};

/// The newest format of the contract.
pub(crate) const FORMAT: u32 = 1;

/// A history.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HistoryData {
    /// Format version, [`FORMAT`]. It comes first, because the viewer distinguishes a history from a report by it.
    pub history_format: u32,
    /// The file.
    pub file: String,
    /// The result of a check in a sentence: the unresolved regressions, if there are any.
    pub answer: String,
    /// Cells that are broken in the newest run that measured them, each in a sentence with the reason.
    pub broken: Vec<String>,
    /// Commands that accept the new levels of unresolved regressions.
    pub accept: Vec<String>,
    /// The probability of a false alarm, in a sentence.
    pub false_alarms: String,
    /// The series, by cell and metric.
    pub series: Vec<SeriesData>,
}

/// A metric of a cell over time.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SeriesData {
    /// Target, workload and clients in words.
    pub cell: String,
    /// The target.
    pub target: String,
    /// The workload.
    pub workload: String,
    /// Number of clients; absent if unknown.
    pub clients: Option<u32>,
    /// The metric that decides for the cell.
    pub metric: String,
    /// The direction that is good.
    pub better: BetterData,
    /// In chronological order. Runs of different segments are not compared.
    pub segments: Vec<SegmentData>,
}

/// Runs that can be compared.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SegmentData {
    /// The reason why it begins, in a sentence; absent for the first.
    pub begins: Option<String>,
    /// The conditions that changed with it; empty for the first, and if the level was accepted.
    pub changed: Vec<FactChangeData>,
    /// The reason why the level was accepted; absent if it begins for another reason.
    pub accepted: Option<String>,
    /// Unit of its figures.
    pub unit: String,
    /// Runs that are missing until a change can be distinguished from chance.
    pub missing_runs: usize,
    /// In chronological order.
    pub points: Vec<PointData>,
    /// In chronological order. Together they hold all of its runs.
    pub levels: Vec<LevelData>,
    /// The changes between the levels.
    pub changes: Vec<LevelChangeData>,
}

/// The figure of a run.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PointData {
    /// The run.
    pub run: String,
    /// Its start: RFC 3339, UTC.
    pub at: String,
    /// The mean over its trials.
    pub point: f64,
    /// Its 95 % interval.
    pub interval: Option<[f64; 2]>,
    /// Trials that count.
    pub trials: u32,
    /// Caveats on the figure; absent if an older pgdyno added the run.
    pub caveats: Option<Vec<RunDoubtData>>,
}

/// A caveat on the figure of a run.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RunDoubtData {
    /// The code of the issue.
    pub kind: String,
    /// The observation.
    pub text: String,
}

/// A kind of caveat on the runs of a level.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LevelDoubtData {
    /// The code of the issue.
    pub kind: String,
    /// Numbers of runs of the old and of the new level that have it.
    pub runs: [usize; 2],
    /// The caveat in a sentence, with the observation of the newest run.
    pub text: String,
}

/// Runs between two changes.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LevelData {
    /// Index of its first run in the segment.
    pub from: usize,
    /// Index after that of its last run.
    pub to: usize,
    /// Geometric mean of its runs.
    pub mean: f64,
}

/// A change of level.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LevelChangeData {
    /// Index in the segment of the first run of the new level.
    pub at: usize,
    /// Last run of the old level.
    pub before: String,
    /// First run of the new level.
    pub after: String,
    /// New level / old level − 1.
    pub change: EstimateData,
    /// p-value of the permutation test.
    pub p_value: f64,
    /// The verdict on the change.
    pub verdict: VerdictData,
    /// The change in a sentence.
    pub text: String,
    /// Facts of the server and of pgdyno that changed between the two runs.
    pub meanwhile: Vec<FactChangeData>,
    /// Last level / level before the change − 1, if it is an unresolved regression.
    pub unresolved: Option<EstimateData>,
    /// Caveats on the runs of the new level, the most frequent first.
    pub caveats: Vec<LevelDoubtData>,
    /// Every run of the new level has a caveat on its measurement that no run of the old level has. The change then
    /// raises no alarm.
    pub doubtful: bool,
}

/// A fact before and after.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FactChangeData {
    /// Its name.
    pub name: String,
    /// The value before; absent if it was not set.
    pub from: Option<String>,
    /// The value after; absent if it is no longer set.
    pub to: Option<String>,
}

/// The series of the history in `file`.
pub fn history_data(judgement: &HistoryJudgement<'_>, file: &str) -> HistoryData {
    HistoryData {
        history_format: FORMAT,
        file: file.to_owned(),
        answer: answer_in_words(judgement),
        broken: broken_in_words(judgement),
        accept: accept_commands(judgement, file),
        false_alarms: false_alarms(&judgement.series),
        series: judgement.series.iter().map(SeriesData::from).collect(),
    }
}

impl From<&MetricSeries<'_>> for SeriesData {
    fn from(series: &MetricSeries<'_>) -> Self {
        let better = match series.better_direction() {
            MetricDirection::Higher => BetterData::Higher,
            MetricDirection::Lower => BetterData::Lower,
        };
        Self {
            cell: series.cell.to_string(),
            target: series.cell.target.clone(),
            workload: series.cell.workload.clone(),
            clients: series.cell.clients.known_count(),
            metric: series.metric.to_owned(),
            better,
            segments: series.segments.iter().map(SegmentData::from).collect(),
        }
    }
}

impl From<&Segment<'_>> for SegmentData {
    fn from(segment: &Segment<'_>) -> Self {
        let (changed, accepted) = match &segment.beginning {
            Beginning::First => (Vec::new(), None),
            Beginning::Contract(facts) => (facts.iter().map(FactChangeData::from).collect(), None),
            Beginning::Accepted(because) => (Vec::new(), Some((*because).to_owned())),
        };
        Self {
            begins: beginning_of_segment(segment),
            changed,
            accepted,
            unit: segment.unit().to_owned(),
            missing_runs: segment.missing_runs(),
            points: segment.points.iter().map(|point| PointData::from(*point)).collect(),
            levels: segment
                .levels()
                .into_iter()
                .map(|level| {
                    let std::ops::Range { start, end } = level.runs;
                    LevelData { from: start, to: end, mean: level.mean }
                })
                .collect(),
            changes: segment.changes.iter().map(LevelChangeData::from).collect(),
        }
    }
}

impl From<&Point> for PointData {
    fn from(point: &Point) -> Self {
        Self {
            run: point.run.clone(),
            at: point.at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            point: point.point,
            interval: point.interval,
            trials: point.trials,
            caveats: point.doubts.as_ref().map(|doubts| doubts.iter().map(RunDoubtData::from).collect()),
        }
    }
}

impl From<&LevelChange<'_>> for LevelChangeData {
    fn from(change: &LevelChange<'_>) -> Self {
        Self {
            at: change.at,
            before: change.before.run.clone(),
            after: change.after.run.clone(),
            change: change.change.into(),
            p_value: change.p_value,
            verdict: (&change.verdict).into(),
            text: change_in_words(change),
            meanwhile: change.meanwhile.iter().map(FactChangeData::from).collect(),
            unresolved: change.stands.map(EstimateData::from),
            caveats: doubts_of(change),
            doubtful: change.doubts.may_be_the_change,
        }
    }
}

fn doubts_of(change: &LevelChange<'_>) -> Vec<LevelDoubtData> {
    let mut doubts = Vec::new();
    for kind in &change.doubts.kinds {
        let text = doubt_in_words(change, kind);
        doubts.push(LevelDoubtData { kind: kind.kind.clone(), runs: kind.runs, text });
    }
    doubts
}

impl From<&RunDoubt> for RunDoubtData {
    fn from(doubt: &RunDoubt) -> Self {
        Self { kind: current_name(&doubt.kind).to_owned(), text: doubt.text.clone() }
    }
}

impl From<&FactChange> for FactChangeData {
    fn from(fact: &FactChange) -> Self {
        Self { name: fact.name.clone(), from: fact.from.clone(), to: fact.to.clone() }
    }
}
