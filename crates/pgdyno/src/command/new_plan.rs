//! `plan new`: a plan to start from, of a few minutes, for one of the questions that most people have.

use std::path::Path;

use conninfo::without_passwords;

use super::documents;
use crate::cli::{NewPlanArgs, PlanShape};
use measure::progress::print_to_stderr;
use plan::TEMPLATE;
use problem::{CommandStatus, Problem};

/// The URL of the plans, in whose place that of `--url` stands.
const EXAMPLE_URL: &str = "\"postgresql://bench@db.example/shop\"";

/// The script that plans of own statements name, beside them.
const SCRIPT_NAME: &str = "query.sql";

/// What that script is until a person replaces it.
const SCRIPT: &str = include_str!("../../../../plans/new/query.sql");

/// Prints a plan, or writes it with the script that it names.
pub(super) fn run_new_plan(arguments: &NewPlanArgs) -> Result<CommandStatus, Problem> {
    let text = plan_of_arguments(arguments)?;
    let names_script = matches!(arguments.shape, Some(PlanShape::OwnSql | PlanShape::Upgrade));
    let Some(path) = &arguments.output else {
        if names_script && !Path::new(SCRIPT_NAME).is_file() {
            print_to_stderr(&format!(
                "note: the plan names {SCRIPT_NAME}; `--output FILE` writes the plan and an example of the script beside it"
            ));
        }
        return documents::print_bytes(text.as_bytes());
    };
    write_new_file(path, &text)?;
    let mut written = format!("{}\n", path.display());
    let script = path.parent().unwrap_or(Path::new("")).join(SCRIPT_NAME);
    // A script of the person's own is what the plan is for.
    if names_script && !script.exists() {
        write_new_file(&script, SCRIPT)?;
        written.push_str(&format!("{}\n", script.display()));
    }
    documents::print_bytes(written.as_bytes())
}

/// The text of the plan.
fn plan_of_arguments(arguments: &NewPlanArgs) -> Result<String, Problem> {
    let Some(shape) = arguments.shape else {
        return match &arguments.url {
            None => Ok(TEMPLATE.to_owned()),
            Some(_) => Err(Problem::usage_error("--url requires --for").hint("add `--for setting`, for example")),
        };
    };
    let (local, found) = texts_of_shape(shape);
    let Some(url) = &arguments.url else { return Ok(local.unwrap_or(found.unwrap_or_default()).to_owned()) };
    let Some(found) = found else {
        return Err(Problem::usage_error("--for versions creates its servers, and takes no --url")
            .hint("for two servers that exist: `--for upgrade`, or `pgdyno ab --url URL --against URL`"));
    };
    let shown = without_passwords(url);
    if shown != *url {
        print_to_stderr(
            "note: the password of --url is not written into the plan; put it into PGPASSWORD or ~/.pgpass",
        );
    }
    let text = found.replace(EXAMPLE_URL, &serde_json::Value::from(shown).to_string());
    check_written_plan(&text)?;
    Ok(text)
}

/// What is no connection string would only be refused later, by `plan check`.
fn check_written_plan(text: &str) -> Result<(), Problem> {
    let Err(errors) = plan::parse_plan("plan.yaml", text.as_bytes()) else { return Ok(()) };
    let detail = errors.errors.first().map(|error| error.message.clone()).unwrap_or_default();
    Err(Problem::usage_error("--url is no connection string of a server")
        .detail(detail)
        .hint("write it as libpq reads it: \"postgresql://USER@HOST/DATABASE\", or \"host=HOST dbname=DATABASE\""))
}

/// The plan with servers that it makes, and the one with a server that exists.
fn texts_of_shape(shape: PlanShape) -> (Option<&'static str>, Option<&'static str>) {
    match shape {
        PlanShape::Versions => (Some(include_str!("../../../../plans/new/versions.yaml")), None),
        PlanShape::Setting => (
            Some(include_str!("../../../../plans/new/setting.yaml")),
            Some(include_str!("../../../../plans/new/setting-url.yaml")),
        ),
        PlanShape::OwnSql => (
            Some(include_str!("../../../../plans/new/own-sql.yaml")),
            Some(include_str!("../../../../plans/new/own-sql-url.yaml")),
        ),
        PlanShape::Upgrade => (None, Some(include_str!("../../../../plans/new/upgrade.yaml"))),
        PlanShape::Ci => (
            Some(include_str!("../../../../plans/new/ci.yaml")),
            Some(include_str!("../../../../plans/new/ci-url.yaml")),
        ),
        PlanShape::Kubernetes => (None, Some(include_str!("../../../../plans/new/kubernetes.yaml"))),
    }
}

/// Writes a file that is not there yet.
fn write_new_file(path: &Path, text: &str) -> Result<(), Problem> {
    use std::io::Write as _;
    let opened = std::fs::OpenOptions::new().write(true).create_new(true).open(path);
    opened.and_then(|mut file| file.write_all(text.as_bytes())).map_err(|error| {
        let problem = Problem::usage_error(format!("--output {}: could not create the file", path.display()))
            .detail(error.to_string());
        if error.kind() == std::io::ErrorKind::AlreadyExists {
            problem.hint("remove it, or name another file")
        } else {
            problem.hint("name a file in a directory that exists and is writable")
        }
    })
}
