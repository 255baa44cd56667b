//! The tools: each is a command of this program with fixed options, and what it prints is the answer.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Map, Value, json};

use super::active_run::ActiveRun;
use super::protocol::ProtocolError;
use super::{McpServer, run_path};
use crate::command::run::own_executable;

/// The tools as a client lists them.
pub(super) fn listed_tools() -> Vec<Value> {
    let plan = json!({ "type": "string", "description": "Path of the plan file, relative to the directory of plans." });
    let run = json!({ "type": "string", "description": "Name of the run; by default the latest." });
    let connect = json!({
        "type": "boolean",
        "description": "Also log in to every existing server and prepare the statements. Nothing is executed or changed.",
    });
    let with_plan = json!({ "type": "object", "properties": { "plan": plan }, "required": ["plan"], "additionalProperties": false });
    let check = json!({
        "type": "object", "properties": { "plan": plan, "connect": connect }, "required": ["plan"],
        "additionalProperties": false,
    });
    let with_run = json!({ "type": "object", "properties": { "run": run }, "additionalProperties": false });
    let none = json!({ "type": "object", "properties": {}, "additionalProperties": false });
    vec![
        tool_entry("check", "Check a plan: every error with its place and a hint.", true, &check),
        tool_entry(
            "explain",
            "What a plan would measure, how long it takes, and everything that it touches.",
            true,
            &with_plan,
        ),
        tool_entry(
            "run",
            "Start the measurement of a plan. It does what `explain` lists, and nothing else. Returns when the run has begun; \
             it takes minutes. One run at a time.",
            false,
            &with_plan,
        ),
        tool_entry("status", "The runs with their state and result, and how far the run in progress is.", true, &none),
        tool_entry(
            "issues",
            "What costs time or throughput in a run, with evidence and the fix, as Markdown.",
            true,
            &with_run,
        ),
    ]
}

fn tool_entry(name: &str, description: &str, is_read_only: bool, input: &Value) -> Value {
    json!({
        "name": name, "description": description, "inputSchema": input,
        "annotations": { "readOnlyHint": is_read_only, "openWorldHint": true },
    })
}

/// What a tool came to: its text, its JSON where it has one, and whether it failed.
#[derive(Debug)]
struct ToolAnswer {
    text: String,
    json: Option<Value>,
    is_error: bool,
}

impl ToolAnswer {
    fn of_json(output: Value, is_error: bool) -> Self {
        Self { text: format!("{output:#}"), json: Some(output), is_error }
    }

    fn to_result(&self) -> Value {
        let mut result = json!({ "content": [{ "type": "text", "text": self.text }], "isError": self.is_error });
        if let Some(output) = &self.json {
            result["structuredContent"] = output.clone();
        }
        result
    }
}

impl McpServer {
    /// Calls a tool. What is wrong with its arguments is an answer, too: whoever asked can do better.
    pub(super) fn call_tool(&mut self, params: &Value) -> Result<Value, ProtocolError> {
        let name = params["name"].as_str().unwrap_or_default();
        let Some(tool) = listed_tools().into_iter().find(|tool| tool["name"] == name) else {
            return Err(ProtocolError::invalid_params(format!("tool {name:?} does not exist")));
        };
        let arguments = match &params["arguments"] {
            Value::Null => Map::new(),
            Value::Object(arguments) => arguments.clone(),
            _ => return Err(ProtocolError::invalid_params("arguments: not an object")),
        };
        let answer = match refuse_arguments(&tool, &arguments) {
            Some(why) => Err(why),
            None => self.answer_of_tool(name, &arguments),
        };
        Ok(answer.unwrap_or_else(|why| ToolAnswer { text: why, json: None, is_error: true }).to_result())
    }

    fn answer_of_tool(&mut self, name: &str, arguments: &Map<String, Value>) -> Result<ToolAnswer, String> {
        let plan = arguments.get("plan").and_then(Value::as_str);
        match (name, plan) {
            ("check", Some(plan)) => {
                let connects = arguments.get("connect") == Some(&Value::Bool(true));
                let options: &[&str] = if connects { &["--connect"] } else { &[] };
                json_of_command(&["plan", "check"], &self.plan_path(plan)?, options)
            }
            ("explain", Some(plan)) => json_of_command(&["plan", "explain"], &self.plan_path(plan)?, &[]),
            ("run", Some(plan)) => self.start_run(plan),
            ("status", _) => self.status_of_runs(),
            ("issues", _) => issues_of_run(&run_path(&self.runs, arguments.get("run").and_then(Value::as_str))?),
            (other, _) => Err(format!("tool {other:?} is not known")),
        }
    }

    fn start_run(&mut self, plan: &str) -> Result<ToolAnswer, String> {
        let path = self.plan_path(plan)?;
        if let Some(active) = &mut self.active
            && active.exit_status().is_none()
        {
            return Err("a run is in progress; `status` says how far it is".to_owned());
        }
        let active = ActiveRun::start_run(&path, &self.runs)?;
        let run = active.run_directory().display().to_string();
        self.active = Some(active);
        Ok(ToolAnswer::of_json(json!({ "run": run, "state": "running" }), false))
    }

    fn status_of_runs(&mut self) -> Result<ToolAnswer, String> {
        let runs = if self.runs.is_dir() {
            let listed = json_of_command(&["list"], &self.runs, &[])?;
            listed.json.map_or(Value::Null, |mut output| output["output"].take())
        } else {
            json!([])
        };
        let started = self.active.as_mut().map(ActiveRun::describe_state);
        Ok(ToolAnswer::of_json(json!({ "runs": runs, "started_here": started }), false))
    }
}

/// What is wrong with the arguments of a tool, if anything is.
fn refuse_arguments(tool: &Value, arguments: &Map<String, Value>) -> Option<String> {
    let schema = &tool["inputSchema"];
    for (name, value) in arguments {
        let Some(property) = schema["properties"].get(name) else {
            return Some(format!("argument {name:?} does not exist"));
        };
        let is_right = match property["type"].as_str() {
            Some("boolean") => value.is_boolean(),
            _ => value.is_string(),
        };
        if !is_right {
            return Some(format!(
                "argument {name:?}: {value} is not a {}",
                property["type"].as_str().unwrap_or("string")
            ));
        }
    }
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if !arguments.contains_key(name) {
            return Some(format!("argument {name:?} is missing"));
        }
    }
    None
}

/// Runs a command with `--json`; its output, its errors and its exit status as one object.
fn json_of_command(command: &[&str], path: &Path, options: &[&str]) -> Result<ToolAnswer, String> {
    let done = own_command(command, path).args(options).arg("--json").output().map_err(|error| error.to_string())?;
    let status = done.status.code().unwrap_or(-1);
    let output: Value = serde_json::from_slice(&done.stdout).unwrap_or_default();
    let said = String::from_utf8_lossy(&done.stderr);
    let failure: Value = said.lines().last().and_then(|line| serde_json::from_str(line).ok()).unwrap_or_default();
    let errors = failure.get("errors").cloned().unwrap_or_default();
    let mut all = json!({ "exit_status": status, "output": output });
    if !errors.is_null() {
        all["errors"] = errors;
    }
    Ok(ToolAnswer::of_json(all, status != 0))
}

/// The findings of a run, in words.
fn issues_of_run(run: &Path) -> Result<ToolAnswer, String> {
    let done = own_command(&["diagnose"], run).args(["--format", "markdown", "--details"]).output();
    let done = done.map_err(|error| error.to_string())?;
    if !done.status.success() {
        return Err(String::from_utf8_lossy(&done.stderr).into_owned());
    }
    Ok(ToolAnswer { text: String::from_utf8_lossy(&done.stdout).into_owned(), json: None, is_error: false })
}

/// A command of this program about a path, which no option can be mistaken for.
pub(super) fn own_command(command: &[&str], path: &Path) -> Command {
    let path = if path.is_absolute() { path.to_owned() } else { Path::new(".").join(path) };
    let mut process = Command::new(own_executable());
    process.args(command).arg(path).stdin(Stdio::null());
    process
}
