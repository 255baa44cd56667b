//! The load engine: event loop, workloads, recorder, data set-up.
//!
//! [`run`] drives a closed loop of clients against a server and reports once a second; it draws no conclusions and
//! writes no files. In steady state a transaction allocates nothing. Left out: Kubernetes, open loops, TLS.

pub mod dataset;
mod engine;
mod error;
mod job;
mod latency;
mod random;
mod report;
mod script;
mod stop;

pub use engine::run;
pub use error::LoadError;
pub use job::{Endpoint, Job, QueryMode, Secret, Server, Weighted};
pub use latency::Latency;
pub use report::{
    ErrorTotal, Event, Outage, OutageChange, Phase, ScriptSecond, ScriptTotal, Second, Summary, ThreadSecond,
    ThreadTotal,
};
pub use script::{EvaluationError, Script, ScriptError};
pub use stop::Stop;
pub use wire::SqlState;
