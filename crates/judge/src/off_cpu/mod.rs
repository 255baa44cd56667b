//! Where in the kernel the sessions of the load sleep, and the server's other processes: the looks of `off-cpu.json` as
//! time per transaction. Sleeps in which a process waits for its client, its latch or for work are left out: they are
//! what idle processes do, and PostgreSQL names them where a session waits for something of the server.
//!
//! Judges from observations only: no files, no clock.

mod of_pairs;
mod of_trial;

pub(crate) use of_pairs::of_pairs;
pub use of_pairs::{PairSleeps, SleepRow};
pub(crate) use of_trial::ms_at;
pub use of_trial::{KernelPlace, SleepsOfTrial};
