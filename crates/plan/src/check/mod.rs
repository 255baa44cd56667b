//! What must hold between the values of a plan: the baseline is a target, no two targets share a data directory, ...
//!
//! These checks look at the tree, not at the `Plan`, so that they report even when other values could not be read. A
//! value that is not what it should be is skipped here: `read` has said so.

mod ladder;
mod machine;
mod sysbench;

use std::path::{Component, Path, PathBuf};

use conninfo::{RESERVED_SETTINGS, holds_password};

use super::document::{Entry, Node, Span, Value};
use super::error::{Finding, shown};
use super::grammar::{Form, PLAN, Presence, Record};
use super::model::{Plan, Word};
use super::nearest::nearest;
use super::variants;
use super::workload::{Data, Generator};

/// The most trials of a plan: four months of ten-second trials, in a schedule that still fits into memory.
const TRIALS_MAX: u64 = 1_000_000;

/// Checks a plan; what is wrong is added to `findings`.
pub(super) fn plan(root: &Node, findings: &mut Vec<Finding>) {
    findings.extend(baseline(root));
    findings.extend(ladder::order(root));
    findings.extend(ladder::shared(root));
    findings.extend(ladder::ways(root));
    findings.extend(data_directories(root));
    findings.extend(agents(root));
    findings.extend(settings(root));
    findings.extend(machine::check(root));
    findings.extend(shared_tables(root));
    findings.extend(blocks(root));
    findings.extend(observer_cost(root));
}

fn baseline(root: &Node) -> Option<Finding> {
    let entry = root.get("baseline")?;
    let name = entry.node.scalar()?;
    let targets = machine::target_names(root);
    if targets.is_empty() || targets.iter().any(|(target, _)| target == name) {
        return None;
    }
    let names: Vec<&str> = targets.iter().map(|(target, _)| target.as_str()).collect();
    Some(unknown_target("baseline", &entry.node, name, &names))
}

/// A name that is not one of the targets'.
fn unknown_target(key: &str, node: &Node, name: &str, names: &[&str]) -> Finding {
    let meant =
        nearest(name, names.iter().copied()).map_or_else(String::new, |near| format!("did you mean \"{near}\"? "));
    Finding::new(node.span, format!("{key}: found {}, not one of the targets", shown(name)))
        .hint(format!("{meant}the targets are: {}", names.join(", ")))
}

/// The local servers of the targets, by target name.
fn locals(root: &Node) -> impl Iterator<Item = (&Entry, &Node)> {
    let targets = root.get("targets").and_then(|entry| entry.node.entries()).unwrap_or_default();
    targets.iter().filter_map(|target| Some((target, &target.node.get("local")?.node)))
}

/// The host of a server that pgdyno makes is this one.
fn agents(root: &Node) -> Vec<Finding> {
    let targets = root.get("targets").and_then(|entry| entry.node.entries()).unwrap_or_default();
    let of = |target: &Entry| {
        let agent = target.node.get("agent").filter(|_| target.node.get("url").is_none())?;
        let message = format!("targets.{}.agent: this machine is read anyway, and the server runs on it", target.key);
        Some(Finding::new(agent.key_span, message).hint("leave it out"))
    };
    targets.iter().filter_map(of).collect()
}

fn data_directories(root: &Node) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut seen: Vec<(PathBuf, String, Span)> = Vec::new();
    for (target, local) in locals(root) {
        let Some((text, span)) = local.get("data_directory").and_then(|e| Some((e.node.scalar()?, e.node.span))) else {
            continue;
        };
        let of_variants = machine::variants(target).iter().map(|variant| {
            (variants::data_directory(lexical(text), &variant.key), variants::name_of(&target.key, &variant.key))
        });
        for (directory, name) in std::iter::once((lexical(text), target.key.clone())).chain(of_variants) {
            let clash = seen.iter().find(|(other, ..)| directory.starts_with(other) || other.starts_with(&directory));
            if let Some((_, other, first)) = clash {
                let message = format!("targets \"{other}\" and \"{name}\" would share a data directory");
                findings.push(
                    Finding::new(span, message)
                        .detail(format!("that of \"{other}\" is in line {}", first.start.line))
                        .hint("give each target its own directory, neither inside the other"),
                );
            }
            seen.push((directory, name, span));
        }
    }
    findings
}

/// A path without `.` and with `..` resolved by its text alone: what lies on the disk is not looked at.
fn lexical(text: &str) -> PathBuf {
    let mut path = PathBuf::new();
    for component in Path::new(text).components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if path.file_name().is_some() => {
                path.pop();
            }
            Component::ParentDir | Component::Normal(_) | Component::RootDir | Component::Prefix(_) => {
                path.push(component);
            }
        }
    }
    path
}

fn settings(root: &Node) -> Vec<Finding> {
    let mut findings = Vec::new();
    for target in root.get("targets").and_then(|entry| entry.node.entries()).unwrap_or_default() {
        let local = target.node.get("local").map(|entry| &entry.node);
        let settings = local.and_then(|local| local.get("settings")?.node.entries()).unwrap_or_default();
        let knobs = target.node.get("knobs").and_then(|entry| entry.node.entries()).unwrap_or_default();
        for entry in settings.iter().chain(knobs) {
            findings.extend(setting_with_password(target, entry));
            findings.extend(local.and_then(|_| own_setting(target, entry)));
        }
        findings.extend(knobs.iter().filter_map(|knob| knob_and_setting(target, knob, settings)));
    }
    findings
}

/// Settings are read back into the run directory, where no secret may stand.
fn setting_with_password(target: &Entry, entry: &Entry) -> Option<Finding> {
    holds_password(entry.node.scalar()?).then(|| {
        Finding::new(entry.node.span, format!("target \"{}\": the setting {} holds a password", target.key, entry.key))
            .hint("name a file with it instead: passfile=…")
    })
}

fn own_setting(target: &Entry, entry: &Entry) -> Option<Finding> {
    let name = RESERVED_SETTINGS.iter().find(|name| entry.key.eq_ignore_ascii_case(name))?;
    let hint = match *name {
        "data_directory" => "use the key `data_directory` of the local server",
        "listen_addresses" => "use `via: tcp` or `via: unix`",
        _ => "remove it: pgdyno has to find the server, its files and its log",
    };
    let message = format!("target \"{}\": the setting {name} of a local server is pgdyno's to choose", target.key);
    Some(Finding::new(entry.key_span, message).hint(hint))
}

fn knob_and_setting(target: &Entry, knob: &Entry, settings: &[Entry]) -> Option<Finding> {
    let setting = settings.iter().find(|setting| setting.key.eq_ignore_ascii_case(&knob.key))?;
    Some(
        Finding::new(
            knob.key_span,
            format!("target \"{}\": {} is both a knob and a setting", target.key, shown(&knob.key)),
        )
        .detail(format!("the setting is in line {}", setting.key_span.start.line))
        .hint("keep one of the two: what all targets have alike under settings, what you compare under knobs"),
    )
}

/// pgbench's tables have fixed names, so that the workloads of one database share them; so have sysbench's and the
/// business objects'.
fn shared_tables(root: &Node) -> Vec<Finding> {
    let workloads = root.get("workloads").and_then(|entry| entry.node.entries()).unwrap_or_default();
    let mut findings = pgbench_tables(workloads);
    findings.extend(sysbench::tables(workloads));
    findings.extend(one_size(workloads, ERP, "scale"));
    findings
}

/// The works that share the tables of the business objects.
const ERP: &[&str] = &["erp"];

fn pgbench_tables(workloads: &[Entry]) -> Vec<Finding> {
    let on_data = |entry: &&Entry, data: Data| {
        entry.node.get("data").map_or(Data::Managed.word(), |e| e.node.scalar().unwrap_or_default()) == data.word()
    };
    let of_pgbench: Vec<&Entry> = workloads.iter().filter(|entry| scale_of(entry).is_some()).collect();
    let mut findings = Vec::new();
    let Some(first) = of_pgbench.iter().find(|entry| on_data(entry, Data::Managed)) else { return findings };
    if let Some(existing) = of_pgbench.iter().find(|entry| on_data(entry, Data::Existing)) {
        let span = existing.node.get("data").map_or(existing.key_span, |entry| entry.node.span);
        let message = format!(
            "workload \"{}\" would use the tables that \"{}\" has made as existing ones",
            existing.key, first.key
        );
        findings.push(Finding::new(span, message).hint("use `data: existing` for all workloads of a plan or for none"));
    }
    let Some((scale, _)) = scale_of(first) else { return findings };
    for other in of_pgbench.iter().filter(|entry| on_data(entry, Data::Managed)) {
        if let Some((found, span)) = scale_of(other)
            && found != scale
        {
            let message = format!(
                "workload \"{}\" has scale {found}, \"{}\" has scale {scale}, on the same tables",
                other.key, first.key
            );
            findings.push(Finding::new(span, message).hint("give both the same scale, or make a plan of each"));
        }
    }
    findings
}

/// The scale of a workload on pgbench's tables, if it is one, and its place.
fn scale_of(workload: &Entry) -> Option<(u32, Span)> {
    let node = &workload.node.get("scale")?.node;
    let scale = node.scalar()?.parse().ok().filter(|scale| *scale > 0)?;
    Some((scale, node.span))
}

/// A size that all workloads of some kinds have in common, or what is wrong.
fn one_size<'n>(workloads: impl IntoIterator<Item = &'n Entry>, kinds: &[&str], key: &str) -> Option<Finding> {
    let default = default_of_work(kinds[0], key)?;
    let sizes = workloads.into_iter().filter_map(|workload| {
        let work = kinds.iter().find_map(|kind| workload.node.get(kind))?;
        let given = work.node.get(key);
        let size = given.map_or(Some(default), |entry| entry.node.scalar())?;
        Some((workload, size, given.map_or(work.key_span, |entry| entry.node.span)))
    });
    let sizes: Vec<(&Entry, &str, Span)> = sizes.collect();
    let (first, size, _) = sizes.first()?;
    let (other, found, span) = sizes.iter().find(|(_, found, _)| found != size)?;
    let message =
        format!("workload \"{}\" has {key} {found}, \"{}\" has {key} {size}, on the same tables", other.key, first.key);
    Some(Finding::new(*span, message).hint(format!("give both the same {key}, or make a plan of each")))
}

fn default_of_work(kind: &str, key: &str) -> Option<&'static str> {
    let Form::Named(Form::Record(workload)) = PLAN.key("workloads")?.form else { return None };
    let Form::Record(work) = workload.key(kind)?.form else { return None };
    default_of(work, key)
}

fn blocks(root: &Node) -> Option<Finding> {
    let at_least = blocks_number(root, "at_least")?;
    let at_most = blocks_number(root, "at_most")?;
    if at_least.number <= at_most.number {
        return None;
    }
    let said = |limit: &Limit| if limit.entry.is_some() { String::new() } else { " (by default)".to_owned() };
    let message = format!(
        "blocks: at_least is {}{}, at_most is {}{}",
        at_least.number,
        said(&at_least),
        at_most.number,
        said(&at_most)
    );
    let span = at_most.entry.or(at_least.entry)?.node.span;
    Some(Finding::new(span, message).hint(format!("write `at_most: {}` or more, or lower at_least", at_least.number)))
}

/// A number of blocks and where it stands; nowhere when it is the default.
struct Limit<'n> {
    number: u64,
    entry: Option<&'n Entry>,
}

/// Where there are no probes they cost nothing; and only pgdyno's own engine tells what it does within a second.
fn observer_cost(root: &Node) -> Option<Finding> {
    let is = |node: &Node, key, word| node.get(key).and_then(|entry| entry.node.scalar()) == Some(word);
    let entry = root.get("observer_cost").filter(|_| is(root, "observer_cost", "true"))?;
    let finding = |message: &str| Finding::new(entry.node.span, format!("observer_cost: {message}"));
    if is(root, "probes", "false") {
        let finding = finding("there are no probes whose cost could be told");
        return Some(finding.hint("leave out `probes: false`, or `observer_cost`"));
    }
    let engine = Generator::Pgdyno.word();
    let is_other = |workload: &Entry| {
        let generator = workload.node.get("generator").and_then(|entry| entry.node.scalar());
        generator.is_some_and(|generator| generator != engine)
    };
    let workload = root.get("workloads")?.node.entries()?.iter().find(|workload| is_other(workload))?;
    let finding =
        finding(&format!("the generator of workload \"{}\" does not tell what it does within a second", workload.key));
    Some(finding.hint(format!("leave out `observer_cost`, or write `generator: {engine}`")))
}

fn blocks_number<'n>(root: &'n Node, key: &str) -> Option<Limit<'n>> {
    let entry = root.get("blocks").and_then(|blocks| blocks.node.get(key));
    let text = match entry {
        Some(entry) => entry.node.scalar()?,
        None => default_of_blocks(key)?,
    };
    Some(Limit { number: text.parse().ok()?, entry })
}

fn default_of_blocks(key: &str) -> Option<&'static str> {
    let Form::Record(blocks) = PLAN.key("blocks")?.form else { return None };
    default_of(blocks, key)
}

fn default_of(record: &Record, key: &str) -> Option<&'static str> {
    match record.key(key)?.presence {
        Presence::Default(text) => Some(text),
        Presence::Required | Presence::Empty | Presence::Absent(_) => None,
    }
}

/// Whether the schedule of a plan has too many trials, the most that searches for a capacity could take included.
pub(super) fn size(root: &Node, plan: &Plan) -> Option<Finding> {
    let sides = plan.targets.len() as u64 + u64::from(plan.noise_floor);
    let of_workloads: u64 = plan.workloads.iter().map(|workload| u64::from(workload.trials_at_most())).sum();
    let of_a_block = sides.saturating_mul(of_workloads).saturating_mul(plan.clients.len() as u64);
    let trials = of_a_block.saturating_mul(u64::from(plan.blocks.at_most));
    (trials > TRIALS_MAX).then(|| {
        let span = root.get("clients").map_or(root.span, |entry| entry.key_span);
        Finding::new(span, format!("the plan has up to {trials} trials, more than {TRIALS_MAX}"))
            .hint("use fewer targets, workloads, numbers of clients or blocks")
    })
}

impl Node {
    /// The entry of a mapping.
    pub(super) fn get(&self, key: &str) -> Option<&Entry> {
        self.entries()?.iter().find(|entry| entry.key == key)
    }

    pub(super) fn entries(&self) -> Option<&[Entry]> {
        match &self.value {
            Value::Map(entries) => Some(entries),
            Value::Plain(_) | Value::Quoted(_) | Value::List(_) => None,
        }
    }

    fn scalar(&self) -> Option<&str> {
        match &self.value {
            Value::Plain(text) | Value::Quoted(text) => Some(text),
            Value::List(_) | Value::Map(_) => None,
        }
    }
}
