//! What the server's CPU time went into: the time on a CPU of a time budget, divided by the functions that the samples
//! of `profile.json` saw executing, and these by subsystem.
//!
//! The share of a function in the samples of the load's sessions is its share of their CPU time. What the samples do
//! not cover is a part of its own, so that the parts sum to the time on a CPU.
//!
//! Judges from observations only: no files, no clock.

mod flame;
mod function;
mod of_pairs;
mod of_trial;
mod subsystems;

pub use flame::FlameNode;
pub use function::FunctionOnCpu;
pub(crate) use of_pairs::of_pairs;
pub use of_pairs::{FunctionRow, PairProfile, SubsystemRow, WithoutProfile};
#[cfg(test)]
pub(crate) use of_trial::trial_of_ten_seconds;
pub use of_trial::{CpuProfile, NOT_SAMPLED};
pub(crate) use of_trial::{TrialOnCpu, cpu_time_ms, has_own_connections, is_cpu_time, kinds_of_load};
