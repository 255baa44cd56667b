//! What runs measured over time: which figures of a run are kept, which of them can be compared, and where they
//! changed.
//!
//! A series is a cell under the same conditions (`contract`); where these change, a new segment begins, and figures are
//! never compared across its beginning. Reads no run but the one that is added, and no file but the history.

mod broken;
mod contract;
mod doubts;
mod measured;
mod series;

pub use contract::FactChange;
pub use doubts::{ChangeDoubts, DoubtOfRuns};
pub use measured::{MeasuredRun, Unfit, UnmeasuredCell, points_of_run};
pub use series::{Beginning, LevelChange, MetricSeries, RunLevel, Segment};

use results::history::{BrokenCell, History};

use crate::RegressionAnswer;

/// What a history says.
#[derive(Debug)]
pub struct HistoryJudgement<'a> {
    /// By cell and metric.
    pub series: Vec<MetricSeries<'a>>,
    /// Cells that are broken in the newest run that measured them, and were not accepted so.
    pub broken: Vec<&'a BrokenCell>,
}

impl<'a> HistoryJudgement<'a> {
    /// The judgement of what is in the file.
    pub fn of_history(history: &'a History) -> Self {
        Self { series: series::series_of_history(history), broken: broken::broken_cells(history) }
    }

    /// What it says to whoever asks whether something got worse.
    pub fn answer(&self) -> RegressionAnswer {
        series::answer_of_series(&self.series, &self.broken)
    }
}
