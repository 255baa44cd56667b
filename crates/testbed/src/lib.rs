//! What the tests of several crates share: a real PostgreSQL, and what stands in its place where every instant must be
//! known.
//!
//! Only tests and the project's own tools depend on it, and it depends on none of the project's crates, so that whoever
//! is tested is compiled once. It panics where a program would return an error: a test has nobody to tell.
//!
//! Everything that is started or made here goes with its owner, after a panic too, and when the process of the test is
//! killed.

// As in the tests themselves: what goes wrong ends the test.
#![allow(clippy::missing_panics_doc, clippy::new_without_default)]

pub mod calibration;
mod delay_proxy;
mod directory;
mod generated;
mod postgres;
mod programs;
mod shared;

pub use delay_proxy::DelayProxy;
pub use directory::{Directory, scratch_directory};
pub use generated::{assert_generated_file, assert_generated_part};
pub use postgres::{FrozenServer, Postgres, Setup, await_ended};
pub use programs::{
    Kept, as_postgres, free_port, give_to_postgres, installed_versions, is_root, killable_program, newest_version,
    run_command,
};
pub use rustix::process::Signal;
pub use shared::SharedInstance;
