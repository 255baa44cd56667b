//! What runs measured over time: which figures of a run are kept, which of them can be compared, and where they
//! changed.
//!
//! A series is a cell under the same conditions (`contract`); where these change, a new segment begins, and figures are
//! never compared across its beginning. Reads no run but the one that is added, and no file but the history.

mod contract;
mod doubts;
mod measured;
mod series;

pub use contract::FactChange;
pub use doubts::{ChangeDoubts, DoubtOfRuns};
pub use measured::{LeftOut, Measured, Unfit, measured};
pub use series::{Beginning, Level, LevelChange, Segment, Series, answer, series};
