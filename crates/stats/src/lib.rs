//! Numbers only: samples in, estimates out.
//!
//! No files, no clock, no units and no PostgreSQL; randomness comes from a seed that the caller
//! gives, so that the same numbers always give the same answer. A figure leaves with its
//! uncertainty ([`Estimate`]). What each figure means to a user is told in `docs/method.md`.
//!
//! Comparing two sides: [`paired`] (blocks of one run), [`unpaired`] and [`pairing`] (two runs made separately),
//! [`stopping`] (when enough blocks were made, and the level which that costs), [`verdict`], [`spread`] (what more
//! blocks would bring), [`holm`] (many cells at once), [`false_discovery`] (many of which several may be named),
//! [`beside`] (what does not decide, judged all the same). Ladders of clients: [`ladder`], [`peak`], [`usl`]; a
//! ladder's flat end: [`plateau`]. Shares of failed transactions: [`failures`]. The highest rate under a limit:
//! [`capacity`]. Within one trial: [`steady`] with [`mser`], [`trend`] and [`change_point`]; [`fall`]; [`batch_means`];
//! [`pilot`]. Run after run: [`shift`] with [`divisive`]. Levels of figures that cannot be negative, and what is not
//! known of them: [`positive`]. Arithmetic of estimates: [`quotient`]. The centre and the range of a sample that may be
//! empty: [`centre`]. The constants of the stopping rule are derived again by [`simulate`].

#![warn(missing_docs)]

pub mod batch_means;
pub mod beside;
pub mod capacity;
pub mod centre;
pub mod change_point;
pub mod divisia;
pub mod divisive;
pub mod estimate;
pub mod failures;
pub mod fall;
pub mod false_discovery;
pub mod holm;
pub mod ladder;
pub mod level;
pub mod mser;
pub mod paired;
pub mod pairing;
pub mod peak;
pub mod pilot;
pub mod plateau;
pub mod positive;
pub mod quotient;
pub mod shift;
pub mod simulate;
pub mod spread;
pub mod steady;
pub mod stopping;
pub mod trend;
pub mod unpaired;
pub mod usl;
pub mod verdict;

mod autocorrelation;
mod least_squares;
mod quantile;
mod resample;
mod sample;

pub use estimate::{ClosedInterval, Estimate};
pub use level::ConfidenceLevel;
