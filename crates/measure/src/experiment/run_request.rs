//! What an experiment is to execute.

use std::path::Path;

use load::StopRequest;
use plan::Plan;
use results::run::Run;
use results::store::RunDir;

use crate::scripts::OwnScripts;

/// What is to be executed, and where it is written.
#[derive(Debug)]
pub struct Experiment<'a> {
    /// The resolved plan.
    pub plan: &'a Plan,
    /// The texts of its own scripts.
    pub scripts: &'a OwnScripts,
    /// Identity and schedule.
    pub run: &'a Run,
    /// Where observations go.
    pub dir: &'a RunDir,
    /// This program, which supervises local servers.
    pub executable: &'a Path,
    /// Set by Ctrl-C.
    pub stop: &'a StopRequest,
}
