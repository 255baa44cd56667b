//! What sysbench prints: its report with its histogram, and its intermediate reports.

mod histogram;
mod interval;
mod output;
#[cfg(test)]
mod tests;

pub use histogram::{Bucket, LatencyHistogram};
pub use interval::IntervalLine;
pub use output::{CountWithRate, Fairness, LatencyReport, SysbenchReport};
