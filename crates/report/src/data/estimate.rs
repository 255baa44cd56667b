//! A figure with its interval: what the records of most sections are made of.

use schemars::JsonSchema;
use serde::Serialize;

/// A point with its 95 % interval.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EstimateData {
    /// The point.
    pub point: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Observations.
    pub n: usize,
}

impl From<stats::Estimate> for EstimateData {
    fn from(estimate: stats::Estimate) -> Self {
        let stats::ClosedInterval { low, high } = estimate.interval;
        Self { point: estimate.point, low, high, n: estimate.n }
    }
}
