//! From the observations of a run to a judgement on it.
//!
//! Files in, conclusions out, the same for the same files: nothing here opens a socket, reads a clock or writes. The
//! floors, each standing on those before it: `observed` (what was read), `captured` (what a capture says of
//! statements), `turns`, `caveats` (against a trial),
//! `failures` (what became of the transactions), `compare` (the sides beside each other), `budget` (where the time
//! went), `profile` (what the CPU time went into), `off_cpu` (where sessions sleep in the kernel),
//! `captured_results` (whether both sides return the same), `fidelity` (how near a replay is to its capture),
//! `disks`, `required` (the limits of the plan), `beside` (costs and statements), `cost` (of a million transactions),
//! `surroundings` (what ran beside the workloads, standbys, credits of providers), `maintenance` (checkpoints and
//! autovacuums), `server_statements` (what took the server's time), `workloads` (what they are), `account` (everything
//! that was counted, of both sides),
//! `unlike_tables` (what the catalogs say differently), `events` (what followed them), `diagnose` and `audit`, and
//! `rehearsal` (of an upgrade), `judgement`, which puts all together. `catalog` is PostgreSQL as data. [`history`]
//! sets the figures of runs beside each other over time. Only [`stopping`] is asked while a run is being made.

pub mod account;
pub mod audit;
pub mod beside;
mod beside_trouble;
pub mod budget;
mod captured;
mod captured_limits;
pub mod captured_results;
pub mod caveats;
pub mod codes;
mod commits;
pub mod compare;
pub mod cost;
pub mod diagnose;
pub mod disks;
pub mod events;
pub mod failures;
pub mod fidelity;
mod fingerprint;
pub mod history;
pub mod issue;
mod judgement;
mod known_writes;
pub mod loads_beside;
pub mod maintenance;
pub mod observed;
pub mod off_cpu;
pub mod profile;
pub mod provider_balances;
mod provider_trouble;
pub mod registry;
pub mod rehearsal;
pub mod required;
pub mod script_figures;
pub mod server_statements;
pub mod standby_lag;
mod stated_pace;
pub mod statements;
pub mod stopping;
pub mod surroundings;
pub mod thresholds;
pub mod turns;
pub mod units;
pub mod unlike_tables;
pub mod workloads;

pub use judgement::RunRemarks;
pub use judgement::{
    Incomparable, Judgement, RegressionAnswer, judge_question, judge_run, judge_separate, judge_so_far,
};
pub use judgement::{is_nothing_beside_something, of_cost, of_statement, side_in_words};
