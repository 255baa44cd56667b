//! `mcp`: plans, runs and reports for a program that speaks the Model Context Protocol, over standard input and output.
//!
//! Each tool is a command of this program with fixed options, run as a process of its own. So a tool can do nothing
//! that a person could not type, and no option that relaxes what a plan says is ever given. The protocol is the two
//! pages of `protocol.rs`: JSON-RPC 2.0 in lines. A library would bring a runtime of tasks for requests that come one
//! at a time.

mod active_run;
mod protocol;
mod resources;
mod tools;

use std::io::{self, BufRead as _, Write as _};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::cli::McpArgs;
use active_run::ActiveRun;
use problem::{CommandStatus, Problem};
use protocol::{Incoming, ProtocolError, Request, answer_of_request, read_message};

/// What the server works on.
#[derive(Debug)]
pub(super) struct McpServer {
    /// The directory that plans are in; absolute, without links.
    root: PathBuf,
    /// The directory of run directories.
    runs: PathBuf,
    /// The run that a tool has started, also when it has ended.
    active: Option<ActiveRun>,
}

/// Answers requests until standard input ends; a run in progress is then interrupted, as by Ctrl-C.
pub(super) fn run_mcp_command(arguments: &McpArgs) -> Result<CommandStatus, Problem> {
    let root = std::fs::canonicalize(&arguments.plans).map_err(|error| {
        Problem::usage_error(format!("--plans {}: not a directory that can be read", arguments.plans.display()))
            .detail(error.to_string())
            .hint("name the directory of the plans")
    })?;
    if !root.is_dir() {
        return Err(Problem::usage_error(format!("--plans {}: not a directory", arguments.plans.display()))
            .hint("name the directory of the plans"));
    }
    let mut server = McpServer { root, runs: arguments.runs.clone(), active: None };
    for line in io::stdin().lock().split(b'\n') {
        let line = line
            .map_err(|error| Problem::could_not_measure("could not read standard input").detail(error.to_string()))?;
        let Some(answer) = server.answer_line(&line) else { continue };
        if write_line(&answer).is_err() {
            // Whoever asked is gone.
            break;
        }
    }
    if let Some(active) = &mut server.active {
        active.interrupt_run();
    }
    Ok(CommandStatus::Done)
}

fn write_line(answer: &Value) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{answer}")?;
    out.flush()
}

impl McpServer {
    /// The answer to one message; none to a notification or an empty line.
    fn answer_line(&mut self, line: &[u8]) -> Option<Value> {
        match read_message(line) {
            Incoming::Nothing => None,
            Incoming::Invalid(answer) => Some(answer),
            Incoming::Request(request) => {
                let result = self.result_of_request(&request);
                Some(answer_of_request(&request, result))
            }
        }
    }

    fn result_of_request(&mut self, request: &Request) -> Result<Value, ProtocolError> {
        match request.method.as_str() {
            "initialize" => protocol::handshake_result(request),
            "server/discover" => Ok(protocol::discovery_result()),
            "ping" => Ok(json!({})),
            "tools/list" => Ok(json!({ "tools": tools::listed_tools() })),
            "tools/call" => self.call_tool(&request.params),
            "resources/list" => Ok(json!({ "resources": resources::listed_reports(&self.runs) })),
            "resources/templates/list" => Ok(json!({ "resourceTemplates": resources::report_templates() })),
            "resources/read" => resources::read_report(&self.runs, &request.params),
            other => Err(ProtocolError::method_not_found(other)),
        }
    }

    /// A plan below the directory of plans, as an absolute path.
    fn plan_path(&self, named: &str) -> Result<PathBuf, String> {
        let path = std::fs::canonicalize(self.root.join(named))
            .map_err(|error| format!("plan {named:?}: {error}; plans are below {}", self.root.display()))?;
        if !path.starts_with(&self.root) {
            return Err(format!("plan {named:?} is not below {}, the directory of plans", self.root.display()));
        }
        if !path.is_file() {
            return Err(format!("plan {named:?} is not a file"));
        }
        Ok(path)
    }
}

/// A run below the directory of runs by its name; `latest` where none is named.
fn run_path(runs: &Path, named: Option<&str>) -> Result<PathBuf, String> {
    let name = named.unwrap_or("latest");
    let is_name = !name.is_empty() && name != "." && name != ".." && !name.contains('/');
    if !is_name {
        return Err(format!("run {name:?} is no name of a run; `status` lists them"));
    }
    let path = runs.join(name);
    if !path.join("run.json").is_file() {
        return Err(format!("run {name:?} does not exist in {}; `status` lists the runs", runs.display()));
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_do_not_leave_the_directories_of_plans_and_runs() {
        let directory = testbed::Directory::new();
        let root = std::fs::canonicalize(directory.directory_path()).expect("there");
        let (plans, outside) = (root.join("plans"), root.join("outside.yaml"));
        std::fs::create_dir(&plans).expect("made");
        std::fs::write(plans.join("plan.yaml"), "name: x\n").expect("written");
        std::fs::write(&outside, "name: x\n").expect("written");
        std::os::unix::fs::symlink(&outside, plans.join("link.yaml")).expect("linked");
        let server = McpServer { root: plans.clone(), runs: root.join("runs"), active: None };
        assert_eq!(server.plan_path("plan.yaml"), Ok(plans.join("plan.yaml")));
        for refused in ["../outside.yaml", "link.yaml", "/etc/passwd", ".", "missing.yaml", ""] {
            assert!(server.plan_path(refused).is_err(), "{refused}");
        }
        for refused in ["..", ".", "", "a/b", "../outside", "missing"] {
            assert!(run_path(&server.runs, Some(refused)).is_err(), "{refused}");
        }
    }
}
