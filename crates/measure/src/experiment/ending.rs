//! How an experiment ends.

/// How it ended when nothing went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExperimentEnding {
    /// Every comparison has its blocks.
    Finished,
    /// A person stopped it.
    Interrupted,
}
