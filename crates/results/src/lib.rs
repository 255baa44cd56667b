//! The run directory: the waist between measuring and judging.
//!
//! Plain versioned data, append and read. Promises: a finished trial appears by one rename; while a trial runs, every
//! line written so far is readable after a crash and a torn last line is tolerated; an unknown format version is an
//! error that names the file. Leaves out: any computation, any conclusion, any secret, and any clock (instants are
//! arguments).

#![warn(missing_docs)]

pub mod activity;
pub mod asked;
pub mod catalog;
pub mod disk;
mod error;
pub mod execution_results;
pub mod facts;
pub mod failure;
pub mod generator_second;
pub mod history;
pub mod imported;
pub mod interval;
pub mod latency_log;
pub mod latest;
pub mod load_place;
pub mod log;
pub mod off_cpu;
pub mod path;
pub mod plans;
pub mod probe_fields;
pub mod process_figures;
pub mod profile;
pub mod rehearsal;
pub mod rows;
pub mod run;
pub mod shared;
pub mod statement_latency;
pub mod statements;
pub mod store;
pub mod tables;
pub mod told;
pub mod trial;
pub mod tuning;
pub mod turn;
pub mod viewers;
pub mod workload;

pub use error::{Error, Result};
