//! What must hold between the values of a plan: the baseline is a target, no two targets share a data directory, ...
//!
//! These checks look at the plan with its variants as targets, and ask the tree where a value stands. What concerns the
//! keys of one mapping only is checked where the mapping is declared. A target or a workload that could not be read is
//! not in the plan: its own error is enough.

mod beside;
mod comparisons;
mod connections;
mod consents;
mod events;
mod known_settings;
mod limits;
mod load_place;
mod mixes;
mod rehearsal;
mod settings;
mod standby_reads;
mod tables;
mod target_scripts;
mod targets;
mod turns;
mod ways;
mod workload;

use super::difference::AllowedDifference;
use super::document::{MappingEntry, Node, Span, YamlValue};
use super::error::{PlanFinding, value_for_message};
use super::language::PlanReadingFindings;
use super::model::Plan;
use super::workload::{Generator, Workload};
use super::{PlanPurpose, RefuseCode};
use work::nearest_candidate;

/// The most trials of a plan: four months of ten-second trials, in a schedule that still fits into memory.
const TRIALS_MAX: u64 = 1_000_000;

/// Checks a plan; what is wrong is added to `findings`.
pub(super) fn check_plan(root: &Node, plan: &Plan, what_for: PlanPurpose, findings: &mut PlanReadingFindings) {
    let checked = Checked { root, plan, what_for };
    let mut found = Vec::new();
    found.extend(check_baseline(&checked));
    comparisons::check_comparisons(&checked, &mut found);
    misspelled_differences(&checked, &mut found);
    targets::check_targets(&checked, &mut found);
    ways::check_ways(&checked, &mut found);
    tables::check_tables(&checked, &mut found);
    mixes::check_mixes(&checked, &mut found);
    target_scripts::check_target_scripts(&checked, &mut found);
    turns::check_turns(&checked, &mut found);
    if what_for == PlanPurpose::ToBeRun {
        found.extend(connections::check_connections(&checked));
    }
    events::check_events(&checked, &mut found);
    standby_reads::check_standby_reads(&checked, &mut found);
    beside::check_loads_beside(&checked, &mut found);
    load_place::check_load_place(&checked, &mut found);
    found.extend(observer_cost(&checked));
    found.extend(rehearsal::check_rehearsal(&checked));
    found.extend(check_schedule_size(&checked));
    for finding in found {
        // What a target has against it, its variants have, too.
        if !findings.iter().any(|other| other.span == finding.span && other.hint == finding.hint) {
            findings.push(finding);
        }
    }
}

/// What the codes of `ignore` have against them; what is no code at all has an error of its own.
pub(super) fn ignored_codes(root: &Node, refuse_code: &RefuseCode<'_>, findings: &mut PlanReadingFindings) {
    for code in values_of_key(root, "ignore") {
        if let Some((message, hint)) = code.scalar_text().and_then(refuse_code) {
            findings.push(PlanFinding::new(code.span, format!("ignore: {message}")).hint(hint).mark_as_read());
        }
    }
}

/// What stands in a list of the plan, which may be written as a single value.
fn values_of_key<'n>(root: &'n Node, key: &str) -> &'n [Node] {
    match root.get(key).map(|entry| &entry.node) {
        None => &[],
        Some(Node { value: YamlValue::List(values), .. }) => values,
        Some(single) => std::slice::from_ref(single),
    }
}

/// A plan and the tree that it was read from.
struct Checked<'p> {
    root: &'p Node,
    plan: &'p Plan,
    what_for: PlanPurpose,
}

/// Settings in `may_differ` whose names misspell those of others: the difference that was meant would be reported.
fn misspelled_differences(of: &Checked<'_>, found: &mut Vec<PlanFinding>) {
    if of.what_for != PlanPurpose::ToBeRun {
        return;
    }
    for name in values_of_key(of.root, "may_differ") {
        let Some(text) = name.scalar_text() else { continue };
        // What is neither an aspect nor a setting has an error already.
        if !of.plan.may_differ.contains(&AllowedDifference::Setting(text.to_lowercase())) {
            continue;
        }
        if let Some(near) = settings::meant_by(text) {
            let message = format!("may_differ: {text} is not a setting of PostgreSQL");
            found.push(PlanFinding::new(name.span, message).hint(format!("did you mean {near}?")));
        }
    }
}

/// What leads from one node to another.
fn entry_at_path<'n>(node: &'n Node, path: &[&str]) -> Option<&'n MappingEntry> {
    let (first, rest) = path.split_first()?;
    let entry = node.get(first)?;
    if rest.is_empty() { Some(entry) } else { entry_at_path(&entry.node, rest) }
}

impl<'p> Checked<'p> {
    /// The targets as the file has them.
    fn target_entries(&self) -> &'p [MappingEntry] {
        self.root.get("targets").map_or(&[], |entry| entry.node.mapping_entries())
    }

    /// The name of every target, variants included, in the order of the file, also of those that could not be read.
    fn target_names(&self) -> Vec<(String, Span)> {
        let of = |target: &MappingEntry| {
            let variants = target.node.get("variants").map_or(&[][..], |entry| entry.node.mapping_entries());
            let varied = variants.iter().map(|variant| (format!("{}/{}", target.key, variant.key), variant.key_span));
            std::iter::once((target.key.clone(), target.key_span)).chain(varied).collect::<Vec<_>>()
        };
        self.target_entries().iter().flat_map(of).collect()
    }

    /// Where a target is written: its own entry, or the variant's and that of the target which is varied.
    fn entries_of_target(&self, target: &str) -> Vec<&'p MappingEntry> {
        if let Some(entry) = self.target_entries().iter().find(|entry| entry.key == target) {
            return vec![entry];
        }
        let Some((of, variant)) = target.rsplit_once('/') else { return Vec::new() };
        let Some(of) = self.target_entries().iter().find(|entry| entry.key == of) else { return Vec::new() };
        entry_at_path(&of.node, &["variants", variant]).into_iter().chain([of]).collect()
    }

    /// What a target has under the first of these paths that is written, the variant's own first.
    fn first_target_entry(&self, target: &str, paths: &[&[&str]]) -> Option<&'p MappingEntry> {
        let places = self.entries_of_target(target);
        places.iter().find_map(|place| paths.iter().find_map(|path| entry_at_path(&place.node, path)))
    }

    /// The place of a key of a target.
    fn target_key_span(&self, target: &str, path: &[&str]) -> Span {
        self.first_target_entry(target, &[path]).map_or(self.root.span, |entry| entry.key_span)
    }

    /// The place of a value of a target.
    fn target_value_span(&self, target: &str, path: &[&str]) -> Span {
        self.first_target_entry(target, &[path]).map_or(self.root.span, |entry| entry.node.span)
    }

    /// Where a workload is written: its own entry, that of the member of a mix, or that of the workload of which it is
    /// a size or the cross-check.
    fn workload_entry(&self, workload: &str) -> Option<&'p MappingEntry> {
        if let Some(own) = entry_at_path(self.root, &["workloads", workload]) {
            return Some(own);
        }
        let (mix, member) = workload.split_once('/')?;
        let of_mix = entry_at_path(self.root, &["workloads", mix, super::mix::KEY, member]);
        of_mix.or_else(|| self.workload_entry(workload.rsplit_once('/')?.0))
    }

    /// The place of a value of a workload; of a default, that of the key above it.
    fn workload_value(&self, workload: &str, path: &[&str]) -> Span {
        let Some(workload) = self.workload_entry(workload) else { return self.root.span };
        match (entry_at_path(&workload.node, path), path.split_last()) {
            (Some(entry), _) => entry.node.span,
            (None, Some((_, above))) => entry_at_path(&workload.node, above).unwrap_or(workload).key_span,
            (None, None) => workload.key_span,
        }
    }

    /// A name that is not one of the targets'.
    fn unknown_target(&self, key: &str, span: Span, name: &str, names: &[&str]) -> PlanFinding {
        let meant = nearest_candidate(name, names.iter().copied())
            .map_or_else(String::new, |near| format!("did you mean \"{near}\"? "));
        PlanFinding::new(span, format!("{key}: found {}, not one of the targets", value_for_message(name)))
            .hint(format!("{meant}the targets are: {}", names.join(", ")))
    }
}

fn check_baseline(of: &Checked<'_>) -> Option<PlanFinding> {
    let entry = of.root.get("baseline")?;
    let name = entry.node.scalar_text()?;
    let targets = of.target_names();
    if targets.is_empty() || targets.iter().any(|(target, _)| target == name) {
        return None;
    }
    let names: Vec<&str> = targets.iter().map(|(target, _)| target.as_str()).collect();
    Some(of.unknown_target("baseline", entry.node.span, name, &names))
}

/// Where there are no probes they cost nothing; and only pgdyno's own engine tells what it does within a second.
fn observer_cost(of: &Checked<'_>) -> Option<PlanFinding> {
    let Plan { observer_cost: true, probes, workloads, .. } = of.plan else { return None };
    let span = of.root.get("observer_cost")?.node.span;
    if !probes {
        let finding = PlanFinding::new(span, "observer_cost: there are no probes to measure");
        return Some(finding.hint("remove `probes: false` or `observer_cost`"));
    }
    let Workload { name, .. } = workloads.iter().find(|workload| workload.generator != Generator::Pgdyno)?;
    let message =
        format!("observer_cost: the generator of workload \"{name}\" does not report its throughput within a second");
    Some(PlanFinding::new(span, message).hint("remove `observer_cost`, or write `generator: pgdyno`"))
}

/// Whether the schedule of a plan has too many trials, the most that searches for a capacity could take included.
fn check_schedule_size(of: &Checked<'_>) -> Option<PlanFinding> {
    let plan = of.plan;
    let sides = plan.sides_per_comparison() as u64;
    let of_workloads: u64 = plan.workloads.iter().map(|workload| plan.trials_of_workload(workload)).sum();
    let of_a_block = sides.saturating_mul(of_workloads);
    let trials = of_a_block.saturating_mul(u64::from(plan.blocks.at_most));
    (trials > TRIALS_MAX).then(|| {
        let span = of.root.get("clients").map_or(of.root.span, |entry| entry.key_span);
        PlanFinding::new(span, format!("the plan has up to {trials} trials, more than {TRIALS_MAX}"))
            .hint("use fewer targets, workloads, numbers of clients or blocks")
    })
}
