//! The resources: the report of each run, as Markdown.

use std::path::Path;

use serde_json::{Value, json};

use super::protocol::ProtocolError;
use super::run_path;
use super::tools::own_command;

const SCHEME: &str = "pgdyno://runs/";
const END: &str = "/report";
const MARKDOWN: &str = "text/markdown";

/// The report of each run, newest first.
pub(super) fn listed_reports(runs: &Path) -> Vec<Value> {
    let mut reports = Vec::new();
    for run in serve::list_runs(runs) {
        reports.push(json!({
            "uri": format!("{SCHEME}{}{END}", run.id), "name": run.id, "title": run.name, "mimeType": MARKDOWN,
            "description": format!("Report of the run that began at {}", run.started_at),
        }));
    }
    reports
}

/// How the report of a run is named, for a client that knows the run.
pub(super) fn report_templates() -> Value {
    json!([{
        "uriTemplate": format!("{SCHEME}{{run}}{END}"), "name": "report", "mimeType": MARKDOWN,
        "description": "Report of a run; `latest` is the newest",
    }])
}

/// The report of the run that a URI names, made anew.
pub(super) fn read_report(runs: &Path, params: &Value) -> Result<Value, ProtocolError> {
    let uri = params["uri"].as_str().unwrap_or_default();
    let Some(name) = uri.strip_prefix(SCHEME).and_then(|rest| rest.strip_suffix(END)) else {
        return Err(ProtocolError::invalid_params(format!("resource {uri:?} does not exist")));
    };
    let run = run_path(runs, Some(name)).map_err(ProtocolError::invalid_params)?;
    let done = own_command(&["report"], &run).args(["--format", "markdown"]).output();
    match done {
        Ok(done) if done.status.success() => {
            let text = String::from_utf8_lossy(&done.stdout);
            Ok(json!({ "contents": [{ "uri": uri, "mimeType": MARKDOWN, "text": text }] }))
        }
        Ok(done) => Err(ProtocolError::invalid_params(String::from_utf8_lossy(&done.stderr).trim_end())),
        Err(error) => Err(ProtocolError::invalid_params(error.to_string())),
    }
}
