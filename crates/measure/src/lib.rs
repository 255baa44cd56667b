//! Measuring: what a plan asks for, done to real servers and disks, and written into a run directory.
//!
//! `experiment` is the product on one screen: for each trial of the schedule, acquire the target, set and read back the
//! settings, attach the probes, warm up, measure, write the trial, release. `agent` and `generator` are the same on
//! another machine.
//!
//! Promises: what is seen is written before anything else is done. Left out: any judgement but the stopping rule.

pub mod agent;
mod beside_scripts;
pub mod captured;
mod client_programs;
pub mod disk;
mod disturb;
pub mod experiment;
pub mod generator;
pub mod interrupt;
mod over_ssh;
pub mod pod_files;
pub mod pod_scripts;
pub mod progress;
mod reset_scripts;
mod script_files;
mod script_options;
pub mod scripts;
mod server_message;
mod statements;
mod value_files;
