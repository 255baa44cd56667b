//! How long a job is measured: for a time, or until enough is done. Plain data.

use std::num::NonZeroU64;
use std::time::Duration;

/// How long a job is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobExtent {
    /// For this time; not zero. Transactions under way at its end may finish and are not counted.
    Time(Duration),
    /// Until each client has completed so many transactions since the warm-up, failed ones and those of unknown outcome
    /// included; what pgbench calls `--transactions`. In an open loop whichever client is free takes the next arrival,
    /// and it is the job that ends after this number times its clients, skipped arrivals included. A
    /// job on which nothing ends for a minute, because connections are lost and not to be had again,
    /// ends as interrupted.
    Transactions(NonZeroU64),
}

impl JobExtent {
    /// So many times as long; a number of transactions stays as it is, since each client counts its own.
    #[must_use]
    pub fn multiplied_by(self, count: u32) -> JobExtent {
        match self {
            JobExtent::Time(time) => JobExtent::Time(time * count),
            JobExtent::Transactions(_) => self,
        }
    }
}

impl From<Duration> for JobExtent {
    fn from(time: Duration) -> JobExtent {
        JobExtent::Time(time)
    }
}
