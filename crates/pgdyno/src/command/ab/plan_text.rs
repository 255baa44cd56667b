//! The plan of `ab` as YAML, short enough to be read, and to start a plan of one's own from.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use conninfo::without_passwords;

use super::sides::{SideOfArguments, SideServer, plan_name};
use crate::cli::{AbArgs, ComparisonExtentArgs};

/// Scale factor of the tables of a built-in script.
const SCALE: u32 = 10;
/// Blocks that a comparison has at least: three give a verdict, and few of them a wide interval.
const BLOCKS_MIN: u32 = 5;

/// The command that makes the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PlanMaker {
    /// `ab`.
    Comparison,
    /// `rehearse`.
    Rehearsal,
}

impl PlanMaker {
    /// The name of the plan in messages and in the run directory.
    pub(super) fn plan_name(self) -> &'static str {
        match self {
            Self::Comparison => "ab.yaml",
            Self::Rehearsal => "rehearse.yaml",
        }
    }

    fn command_name(self) -> &'static str {
        match self {
            Self::Comparison => "ab",
            Self::Rehearsal => "rehearse",
        }
    }
}

/// What a text of the plan is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PlanFor {
    /// To be measured: with the passwords of its URLs.
    Measurement,
    /// To be read: without them, scripts as they were named.
    Reader,
    /// To lie in the run directory: without them, scripts as they are named there.
    RunDirectory,
}

/// The plan.
pub(super) fn plan_text(
    arguments: &AbArgs,
    sides: &[SideOfArguments; 2],
    maker: PlanMaker,
    plan_for: PlanFor,
) -> String {
    let mut text = String::new();
    write_plan(&mut text, arguments, sides, maker, plan_for).expect("writing into a String cannot fail");
    text
}

fn write_plan(
    out: &mut String,
    arguments: &AbArgs,
    sides: &[SideOfArguments; 2],
    maker: PlanMaker,
    plan_for: PlanFor,
) -> std::fmt::Result {
    let [baseline, candidate] = sides;
    let workload = workload_name(arguments);
    writeln!(out, "# Made by `pgdyno {}`. `pgdyno run FILE` measures it again.", maker.command_name())?;
    let question = match maker {
        PlanMaker::Comparison => {
            format!("{workload}: {} against {}", words_or_name(candidate), words_or_name(baseline))
        }
        PlanMaker::Rehearsal => {
            format!("Upgrade from {} to {} with {workload}", words_or_name(baseline), words_or_name(candidate))
        }
    };
    // A name has at most 200 characters.
    let question = question.chars().take(200).collect::<String>();
    writeln!(out, "name: {}\ntargets:", quoted_text(&question))?;
    let differ_in_version = baseline.server != candidate.server;
    for side in sides {
        let target = target_of_side(side, differ_in_version, arguments.restore.as_deref(), plan_for);
        writeln!(out, "  {}: {target}", side.name)?;
    }
    writeln!(out, "baseline: {}", baseline.name)?;
    let is_made = matches!(baseline.server, SideServer::Version(_));
    if is_made && differ_in_version {
        writeln!(out, "may_differ: [version]")?;
    }
    if maker == PlanMaker::Rehearsal {
        writeln!(out, "rehearse_upgrade: true")?;
    }
    writeln!(out, "workloads:\n  {workload}: {}", work_of_arguments(arguments, is_made, plan_for))?;
    let clients: Vec<String> = arguments.extent.clients.iter().map(ToString::to_string).collect();
    writeln!(out, "clients: {}", value_or_list(clients))?;
    // Each transaction of a capture that writes is executed once: none is spent on a warm-up.
    let measure = arguments.extent.measure.unwrap_or_else(|| longest_measurement(&arguments.extent));
    let warm_up = if arguments.captured.is_some() { Duration::ZERO } else { measure / 5 };
    let (warm_up, measure) = (duration_text(warm_up), duration_text(measure));
    writeln!(out, "trial: {{ warm_up: {warm_up}, measure: {measure} }}")?;
    // What a server acquires at its start, such as its memory layout, is to vary between the blocks.
    let restart = if is_made { ", restart: true" } else { "" };
    let time = duration_text(arguments.extent.time);
    writeln!(out, "blocks: {{ at_least: {BLOCKS_MIN}, until: verdict, at_most_time: {time}{restart} }}")?;
    writeln!(out, "practical_threshold: {}%", rounded_number(arguments.extent.threshold * 100.0))
}

/// The measurement of a trial that nobody asked for otherwise: so long that the fewest blocks, each of two trials with
/// their warm-ups, take about two thirds of the time, and what is between them the rest.
fn longest_measurement(extent: &ComparisonExtentArgs) -> Duration {
    let trials = f64::from(BLOCKS_MIN * 2) * extent.clients.len() as f64;
    let seconds = (extent.time.as_secs_f64() * 2.0 / 3.0 / trials / 1.2).clamp(1.0, 10.0);
    Duration::from_secs_f64((seconds * 10.0).floor() / 10.0)
}

fn words_or_name(side: &SideOfArguments) -> &str {
    if side.words.is_empty() { &side.name } else { &side.words }
}

fn target_of_side(
    side: &SideOfArguments,
    differ_in_version: bool,
    restore: Option<&Path>,
    plan_for: PlanFor,
) -> String {
    let server = match &side.server {
        SideServer::Url(url) if plan_for == PlanFor::Measurement => format!("url: {}", quoted_text(url)),
        SideServer::Url(url) => format!("url: {}", quoted_text(&without_passwords(url))),
        SideServer::Version(version) => {
            // A release is a text: 17.10 would be read as 17.1.
            let version = if version.contains('.') { quoted_text(version) } else { version.clone() };
            // Up to 17 data checksums are off by default, and on from 18.
            let checksums = if differ_in_version { ", initdb: { data_checksums: true }" } else { "" };
            let data = restore.map_or_else(String::new, |dump| {
                format!(", data: {{ restore: {} }}", scalar_text(&dump_path(dump, plan_for)))
            });
            format!("local: {{ version: {version}{checksums}, settings: {{ shared_buffers: 256MB }} }}{data}")
        }
    };
    if side.settings.is_empty() {
        return format!("{{ {server} }}");
    }
    let settings: Vec<String> =
        side.settings.iter().map(|(name, value)| format!("{name}: {}", scalar_text(value))).collect();
    format!("{{ {server}, settings: {{ {} }} }}", settings.join(", "))
}

/// The path of a dump. A run may be measured again from its own directory.
fn dump_path(dump: &Path, plan_for: PlanFor) -> String {
    let kept = match plan_for {
        PlanFor::RunDirectory => std::path::absolute(dump).unwrap_or_else(|_| dump.to_owned()),
        PlanFor::Measurement | PlanFor::Reader => dump.to_owned(),
    };
    kept.to_string_lossy().into_owned()
}

fn workload_name(arguments: &AbArgs) -> String {
    if let Some(capture) = &arguments.captured {
        return capture.file_name().and_then(|name| plan_name(name.to_str()?)).unwrap_or_else(|| "captured".to_owned());
    }
    match (&arguments.builtin, arguments.file.as_slice()) {
        (Some(builtin), _) => builtin.clone(),
        (None, [only]) => {
            let stem = only.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            plan_name(stem).unwrap_or_else(|| "script".to_owned())
        }
        (None, _) => "scripts".to_owned(),
    }
}

fn work_of_arguments(arguments: &AbArgs, is_made: bool, plan_for: PlanFor) -> String {
    let work = match (&arguments.captured, &arguments.builtin) {
        (Some(capture), _) => {
            format!("captured: {}", path_of_file(capture, &format!("scripts/{}", workload_name(arguments)), plan_for))
        }
        (None, Some(builtin)) => format!("builtin: {builtin}"),
        (None, None) => {
            let paths = arguments.file.iter().map(|path| script_path(path, &workload_name(arguments), plan_for));
            format!("script: {}", value_or_list(paths.collect()))
        }
    };
    let work = match &arguments.reset {
        Some(reset) => format!(
            "{work}, reset: {}",
            path_of_file(reset, &format!("resets/{}.sql", workload_name(arguments)), plan_for)
        ),
        None => work,
    };
    let scale = arguments.scale.or_else(|| arguments.builtin.as_ref().map(|_| SCALE));
    match scale {
        // Each block begins with a server that has been restarted.
        Some(scale) if is_made => format!("{{ {work}, scale: {scale}, cache: warm }}"),
        Some(scale) => format!("{{ {work}, scale: {scale} }}"),
        None => format!("{{ {work} }}"),
    }
}

/// Where a file or directory is that was named, or the copy of it that a run directory has.
fn path_of_file(named: &Path, in_run: &str, plan_for: PlanFor) -> String {
    match plan_for {
        PlanFor::RunDirectory => scalar_text(in_run),
        PlanFor::Measurement | PlanFor::Reader => scalar_text(&named.to_string_lossy()),
    }
}

fn script_path(path: &Path, workload: &str, plan_for: PlanFor) -> String {
    match (plan_for, path.file_name()) {
        (PlanFor::RunDirectory, Some(name)) => scalar_text(&format!("scripts/{workload}/{}", name.to_string_lossy())),
        (PlanFor::RunDirectory, None) | (PlanFor::Measurement | PlanFor::Reader, _) => {
            scalar_text(&path.to_string_lossy())
        }
    }
}

fn value_or_list(mut values: Vec<String>) -> String {
    if values.len() == 1 { values.remove(0) } else { format!("[{}]", values.join(", ")) }
}

/// A text as it is where YAML reads it as one, else in quotes.
fn scalar_text(text: &str) -> String {
    let is_word = text.starts_with(|c: char| c.is_ascii_alphanumeric()) && text.chars().all(is_plain_character);
    let is_boolean =
        ["true", "false", "on", "off", "yes", "no", "null"].iter().any(|word| text.eq_ignore_ascii_case(word));
    if is_word && !is_boolean { text.to_owned() } else { quoted_text(text) }
}

fn is_plain_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_./-".contains(c)
}

/// A text in double quotes, whose escapes YAML and JSON have in common.
fn quoted_text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A duration in seconds, with at most three decimals.
fn duration_text(duration: Duration) -> String {
    format!("{}s", rounded_number(duration.as_secs_f64()))
}

fn rounded_number(number: f64) -> f64 {
    (number * 1e3).round() / 1e3
}
