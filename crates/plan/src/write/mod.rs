//! A `Plan` → the text of a plan file with every default written out: the `plan.yaml` of a run.
//!
//! Reading it gives an equal plan, except that passwords are left out. What stays open (a temporary data directory, the
//! checksums of the version) stands as a comment.

mod disk;
mod workload;

use std::fmt::{self, Write};

use super::model::{Agent, Binaries, Filesystem, Initdb, Local, Plan, Reach, Settings, Target, Way, Word};
use super::secret::ServerUrl;
use super::units::format_duration;
use disk::{write_disk, write_target_disk};
use workload::write_workload;

impl Plan {
    /// The plan as YAML with every default written out and every password left out.
    #[must_use]
    pub fn to_yaml(&self) -> String {
        let mut text = String::new();
        write_plan(&mut text, self).expect("a string takes all that is written to it");
        text
    }
}

fn write_plan(w: &mut String, plan: &Plan) -> fmt::Result {
    writeln!(w, "name: {}", quoted(&plan.name))?;
    writeln!(w, "targets:")?;
    plan.targets.iter().try_for_each(|target| write_target(w, target))?;
    writeln!(w, "baseline: {}", quoted(&plan.baseline))?;
    if !plan.ladder.is_empty() {
        let rungs: Vec<String> = plan.ladder.iter().map(|name| quoted(name)).collect();
        writeln!(w, "ladder: [{}]", rungs.join(", "))?;
    }
    let differences: Vec<String> = plan.may_differ.iter().map(ToString::to_string).collect();
    writeln!(w, "may_differ: [{}]", differences.join(", "))?;
    writeln!(w, "workloads:")?;
    plan.workloads.iter().try_for_each(|workload| write_workload(w, workload))?;
    let clients: Vec<String> = plan.clients.iter().map(ToString::to_string).collect();
    writeln!(w, "clients: [{}]", clients.join(", "))?;
    match plan.threads {
        Some(threads) => writeln!(w, "threads: {threads}")?,
        None => writeln!(w, "# threads: chosen from the CPUs of the machine that pgdyno runs on")?,
    }
    let (warm_up, measure) = (format_duration(plan.trial.warm_up), format_duration(plan.trial.measure));
    writeln!(w, "trial:\n  warm_up: {warm_up}\n  measure: {measure}")?;
    let blocks = plan.blocks;
    writeln!(w, "blocks:\n  at_least: {}\n  at_most: {}\n  until: {}", blocks.at_least, blocks.at_most, blocks.until)?;
    writeln!(w, "practical_threshold: {}", plan.practical_threshold)?;
    writeln!(w, "noise_floor: {}\nprobes: {}", plan.noise_floor, plan.probes)?;
    if plan.observer_cost {
        writeln!(w, "observer_cost: true")?;
    }
    plan.disk.iter().try_for_each(|disk| write_disk(w, disk))?;
    match plan.seed {
        Some(seed) => writeln!(w, "seed: {seed}"),
        None => writeln!(w, "# seed: drawn anew for every run"),
    }
}

fn write_target(w: &mut String, target: &Target) -> fmt::Result {
    writeln!(w, "  {}:", quoted(&target.name))?;
    match &target.reach {
        Reach::Url(url) => {
            writeln!(w, "    url: {}", connection_string(url))?;
        }
        Reach::Local(local) => write_local(w, local)?,
        Reach::Shared(shared) => {
            writeln!(w, "    shared:\n      server_of: {}", quoted(&shared.server_of))?;
            write_way(w, shared.way)?;
        }
    }
    write_settings(w, "    ", "knobs", &target.knobs)?;
    if let Some(pooler) = &target.pooler {
        writeln!(w, "    pooler:\n      url: {}", connection_string(pooler))?;
    }
    write_target_disk(w, &target.disk)?;
    if let Some(Filesystem { kind, size }) = target.machine.filesystem {
        writeln!(w, "    filesystem:\n      type: {}\n      size: {size}", kind.word())?;
    }
    if let Some(huge_pages) = target.machine.huge_pages {
        writeln!(w, "    huge_pages: {huge_pages}")?;
    }
    if !target.machine.sysctl.is_empty() {
        write_settings(w, "    ", "sysctl", &target.machine.sysctl)?;
    }
    if let Some(cache) = target.cache {
        writeln!(w, "    cache: {}", cache.word())?;
    }
    match &target.agent {
        None => Ok(()),
        Some(Agent::Ssh { destination, pgdyno }) => {
            let pgdyno = quoted(&pgdyno.to_string_lossy());
            writeln!(w, "    agent: {{ ssh: {}, pgdyno: {pgdyno} }}", quoted(destination))
        }
        Some(Agent::Command(command)) => writeln!(w, "    agent: {{ command: {} }}", quoted(command)),
    }
}

/// A connection string without its password, and a comment if it had one.
fn connection_string(url: &ServerUrl) -> String {
    let left_out = if url.has_password() { " # without its password" } else { "" };
    format!("{}{left_out}", quoted(&url.without_password()))
}

fn write_local(w: &mut String, local: &Local) -> fmt::Result {
    writeln!(w, "    local:")?;
    match &local.binaries {
        Binaries::Version(version) if version.minor.is_none() => writeln!(w, "      version: {version}")?,
        Binaries::Version(version) => writeln!(w, "      version: \"{version}\"")?,
        Binaries::Bin(bin) => writeln!(w, "      bin: {}", quoted(&bin.to_string_lossy()))?,
    }
    let Initdb { wal_segment_size, data_checksums, locale, encoding } = &local.initdb;
    writeln!(w, "      initdb:\n        wal_segment_size: {wal_segment_size}")?;
    match data_checksums {
        Some(on) => writeln!(w, "        data_checksums: {on}")?,
        None => writeln!(w, "        # data_checksums: as the version does by itself")?,
    }
    writeln!(w, "        locale: {}\n        encoding: {}", quoted(locale), quoted(encoding))?;
    write_settings(w, "      ", "settings", &local.settings)?;
    match &local.data_directory {
        Some(directory) => writeln!(w, "      data_directory: {}", quoted(&directory.to_string_lossy()))?,
        None => writeln!(w, "      # data_directory: a temporary one")?,
    }
    writeln!(w, "      keep: {}", local.keep)?;
    write_way(w, local.way)
}

fn write_way(w: &mut String, way: Way) -> fmt::Result {
    writeln!(w, "      via: {}\n      tls: {}\n      pgbouncer: {}", way.via.word(), way.tls, way.pgbouncer)?;
    match way.cpus {
        Some(cpus) => writeln!(w, "      cpus: {cpus}"),
        None => writeln!(w, "      # cpus: all"),
    }
}

fn write_settings(w: &mut String, indent: &str, key: &str, settings: &Settings) -> fmt::Result {
    if settings.is_empty() {
        return writeln!(w, "{indent}{key}: {{}}");
    }
    writeln!(w, "{indent}{key}:")?;
    settings.iter().try_for_each(|(name, value)| writeln!(w, "{indent}  {}: {}", quoted(name), quoted(value)))
}

/// A text in YAML's double quotes, in which no text is taken for anything else. Words that can only be read as text
/// stay as they are.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            // Not printable in YAML, or taken for the end of a line or for a byte order mark.
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}') => {
                quoted.push_str(&format!("\\U{:08x}", u32::from(c)));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
