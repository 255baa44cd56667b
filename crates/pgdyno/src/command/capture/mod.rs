//! `capture`: an application's own load, from the log of its server, between it and its clients, or
//! from what its server counts.

mod describe;
mod proxy;
mod settings;
mod statement_view;

use std::path::{Path, PathBuf};

use capture::directory::{CaptureError, CaptureMask, CaptureReader, CaptureSummary};
use capture::mask::{MaskKey, ValueMask, write_mask_functions};
use capture::{CaptureFailure, LogOptions, capture_logs};
use jiff::tz::TimeZone;

use super::{Manner, documents};
use crate::cli::{CaptureArgs, CaptureCommand, MaskChoice};
use measure::progress::print_to_stderr;
use problem::{CommandStatus, Problem};

/// Captures, or does what is asked with a capture.
pub(super) async fn run_capture_command(arguments: &CaptureArgs, manner: Manner) -> Result<CommandStatus, Problem> {
    match &arguments.command {
        None => capture_load(arguments, manner).await,
        Some(CaptureCommand::Describe { dir, redaction }) => describe::describe_directory(dir, *redaction, manner),
        Some(CaptureCommand::Settings { major }) => settings::print_settings(*major, manner),
        Some(CaptureCommand::MaskSql { dir, mask_key }) => print_mask_functions(dir, mask_key.as_deref()),
    }
}

async fn capture_load(arguments: &CaptureArgs, manner: Manner) -> Result<CommandStatus, Problem> {
    let Some(out) = &arguments.out else { return Err(Problem::usage_error("the option --out is missing")) };
    // Before a key is created for nothing.
    let zone = arguments.timezone.as_deref().map(time_zone_named).transpose()?;
    let mask = make_mask(arguments, out, manner)?;
    let summary = if let Some(server) = &arguments.statements {
        statement_view::capture_statements(arguments, server, out, mask, manner).await?
    } else if arguments.listen.is_empty() {
        capture_files(arguments, zone, out, mask)?
    } else {
        proxy::capture_sessions(arguments, out, mask, manner).await?
    };
    if !manner.quiet {
        for line in summary_lines(&summary) {
            print_to_stderr(&line);
        }
    }
    if manner.json {
        return documents::print_bytes(documents::pretty_json(&summary).as_bytes());
    }
    documents::print_bytes(format!("{}\n", out.display()).as_bytes())
}

fn capture_files(
    arguments: &CaptureArgs,
    zone: Option<TimeZone>,
    out: &Path,
    mask: ValueMask,
) -> Result<CaptureSummary, Problem> {
    let options = LogOptions {
        files: arguments.logs.clone(),
        database: arguments.database.clone(),
        user: arguments.user.clone(),
        line_prefix: arguments.log_line_prefix.clone(),
        zone,
    };
    let summary = capture_logs(&options, mask, out).map_err(|failure| capture_problem(&failure))?;
    if summary.events == 0 {
        print_to_stderr("note: no statement was found; `pgdyno capture settings` prints what the server has to log");
    }
    Ok(summary)
}

fn time_zone_named(name: &str) -> Result<TimeZone, Problem> {
    TimeZone::get(name).map_err(|error| {
        Problem::usage_error(format!("the time zone \"{name}\" is not known"))
            .detail(error.to_string())
            .hint("SHOW log_timezone prints the name, such as Europe/Berlin")
    })
}

/// The mask with its key, which is created where it is missing.
fn make_mask(arguments: &CaptureArgs, out: &Path, manner: Manner) -> Result<ValueMask, Problem> {
    let masks_all = match arguments.mask {
        MaskChoice::None => return Ok(ValueMask::new_open()),
        MaskChoice::Text => false,
        MaskChoice::All => true,
    };
    let path = arguments.mask_key.clone().unwrap_or_else(|| default_key_path(out));
    if lies_within(&path, out) {
        return Err(Problem::usage_error(format!("the key {} is within the capture directory", path.display()))
            .hint("name a file outside of it: key and capture together give the values away"));
    }
    if !path.exists() {
        let key = MaskKey::draw_random().and_then(|key| key.write_file(&path).map(|()| key));
        let key = key.map_err(|error| key_problem(&path, "write", &error))?;
        if !manner.quiet {
            print_to_stderr(&format!("key of the substitution: {} (created; keep it secret)", path.display()));
        }
        return Ok(ValueMask::new_keyed(masks_all, &key));
    }
    let key = MaskKey::read_file(&path).map_err(|error| key_problem(&path, "read", &error))?;
    Ok(ValueMask::new_keyed(masks_all, &key))
}

/// `peak/` has its key in `peak.key`.
fn default_key_path(directory: &Path) -> PathBuf {
    let mut name = directory.components().as_path().as_os_str().to_owned();
    name.push(".key");
    PathBuf::from(name)
}

fn lies_within(path: &Path, directory: &Path) -> bool {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (std::path::absolute(parent), std::path::absolute(directory)) {
        (Ok(parent), Ok(directory)) => {
            let parent = parent.canonicalize().unwrap_or(parent);
            let directory = directory.canonicalize().unwrap_or(directory);
            parent.starts_with(directory)
        }
        _ => false,
    }
}

fn key_problem(path: &Path, action: &str, error: &std::io::Error) -> Problem {
    Problem::usage_error(format!("could not {action} the key {}", path.display())).detail(error.to_string())
}

fn print_mask_functions(directory: &Path, key: Option<&Path>) -> Result<CommandStatus, Problem> {
    let reader = open_capture(directory)?;
    let masks_all = match reader.summary().masked {
        CaptureMask::None => {
            return Err(Problem::usage_error(format!("the values of {} are not masked", directory.display()))
                .hint("replay it on the data as they are"));
        }
        CaptureMask::Text => false,
        CaptureMask::All => true,
    };
    let path = key.map_or_else(|| default_key_path(directory), Path::to_owned);
    let key = MaskKey::read_file(&path).map_err(|error| {
        key_problem(&path, "read", &error).hint("name the file that the capture was made with: --mask-key FILE")
    })?;
    documents::print_bytes(write_mask_functions(&key, masks_all).as_bytes())
}

fn open_capture(directory: &Path) -> Result<CaptureReader, Problem> {
    CaptureReader::open_capture(directory).map_err(|error| directory_problem(&error))
}

fn directory_problem(error: &CaptureError) -> Problem {
    Problem::usage_error(error.to_string())
}

fn capture_problem(failure: &CaptureFailure) -> Problem {
    let problem = Problem::usage_error(failure.to_string());
    match failure.failure_hint() {
        Some(hint) => problem.hint(hint),
        None => problem,
    }
}

/// The counts of a capture, and what is missing.
fn summary_lines(summary: &CaptureSummary) -> Vec<String> {
    let mut lines = vec![format!(
        "{} events of {} statements in {} transactions of {} sessions",
        summary.events, summary.statements, summary.transactions, summary.sessions
    )];
    for loss in &summary.losses {
        lines.push(format!("missing: {} x {}, first at {}", loss.count, loss.reason, loss.first));
    }
    lines
}
