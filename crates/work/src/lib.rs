//! What the transactions of a workload do, when they begin and how they are sent: plain data with the words that a plan
//! has for them. A plan is read into these types and the load executes them.
//!
//! Also what the load and the data that it runs on share: the random numbers from which both draw rows, and the request
//! to stop. No files, no sockets, no clock, and nothing of the language of plans or of how a load is made.

mod access;
pub mod digits;
mod erp;
mod nearest;
mod ownership;
mod pgbench;
mod random;
mod sampler;
#[cfg(test)]
mod sampler_theory;
mod sending;
mod stop;
mod sysbench;
mod word;

pub use access::TableAccess;
pub use erp::ErpObject;
pub use nearest::{misspelled_word, nearest_candidate};
pub use ownership::Ownership;
pub use pgbench::Builtin;
pub use random::Random;
pub use sampler::DistributionSampler;
pub use sending::{Arrivals, Connections, QueryMode, Think, Tries};
pub use stop::StopRequest;
pub use sysbench::{Distribution, Shape, SysbenchOptions, SysbenchScript, SysbenchTables, SysbenchTransaction};
pub use word::WordChoice;
