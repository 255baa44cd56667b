//! What the workloads of one plan on the same tables have to agree in: the tables of pgbench and of sysbench have fixed
//! names. Tables that pgdyno makes in several sizes are not the same: each size has a database of its own.

use super::super::document::Span;
use super::super::error::{PlanFinding, value_for_message};
use super::super::language::PlanReadingFindings;
use super::super::workload::{Sysbench, Workload};
use super::Checked;
use work::{Ownership, SysbenchScript, SysbenchTables};

pub(super) fn check_tables(of: &Checked<'_>, found: &mut PlanReadingFindings) {
    found.extend(duplicate_workload_name(of));
    let workloads = of.plan.single_workloads();
    check_pgbench_tables(of, &workloads, found);
    check_sysbench_tables(of, &workloads, found);
}

/// A size of one workload that is called like another workload.
fn duplicate_workload_name(of: &Checked<'_>) -> Option<PlanFinding> {
    let names: Vec<&str> = of.plan.workloads.iter().map(|workload| workload.name.as_str()).collect();
    let (_, name) = names.iter().enumerate().find(|(at, name)| names[..*at].contains(name))?;
    let span = of.workload_entry(name).map_or(of.root.span, |entry| entry.key_span);
    let message = format!("two workloads would have the name {}", value_for_message(name));
    Some(PlanFinding::new(span, message).hint("rename one of the two"))
}

fn check_pgbench_tables(of: &Checked<'_>, workloads: &[Workload], found: &mut PlanReadingFindings) {
    let on = |data: Ownership| {
        let tables = workloads.iter().filter_map(|workload| Some((workload, workload.pgbench_tables()?)));
        tables.filter(move |(_, tables)| tables.data == data)
    };
    let existing = on(Ownership::Existing).next();
    if let (Some((existing, _)), Some((first, _))) = (existing, on(Ownership::Managed).next()) {
        let message = format!(
            "workload \"{}\" would use as existing the tables that \"{}\" has created",
            existing.name, first.name
        );
        let hint = "use `data: existing` for all workloads of a plan or for none";
        found.push(PlanFinding::new(of.workload_value(&existing.name, &["data"]), message).hint(hint));
    }
    let Some((first, tables)) = existing else { return };
    for (other, others) in on(Ownership::Existing).filter(|(_, others)| others.scale != tables.scale) {
        let span = of.workload_value(&other.name, &["scale"]);
        let hint = "let pgdyno create them (`data: managed`), or write separate plans";
        let sizes = [(other, others.scale.to_string()), (first, tables.scale.to_string())];
        found.push(unlike_size(span, "scale", sizes, hint));
    }
}

/// A size of sysbench's tables: its key and its value.
type Size = (&'static str, fn(SysbenchTables) -> String);

const SIZES: [Size; 3] = [
    ("tables", |tables| tables.tables.to_string()),
    ("auto_inc", |tables| tables.auto_inc.to_string()),
    ("create_secondary", |tables| tables.create_secondary.to_string()),
];

/// Workloads that need unlike tables of the same names.
fn check_sysbench_tables(of: &Checked<'_>, workloads: &[Workload], found: &mut PlanReadingFindings) {
    let before = found.len();
    let on_them = workloads.iter().filter(|workload| workload.sysbench_tables().is_some());
    let (bulk, oltp): (Vec<&Workload>, Vec<&Workload>) =
        on_them.partition(|workload| workload.as_sysbench().is_some_and(|of| of.script == SysbenchScript::BulkInsert));
    let unlike = |one: &Workload, needs: &str, other: &Workload| {
        let message =
            format!("workload \"{}\" {needs}, \"{}\" has different tables of the same names", one.name, other.name);
        PlanFinding::new(of.workload_value(&one.name, &["sysbench", "script"]), message).hint("write separate plans")
    };
    if let (Some(bulk), Some(oltp)) = (bulk.first(), oltp.first()) {
        found.push(unlike(bulk, "has an empty table of two columns for each client", oltp));
    }
    found.extend(SIZES.into_iter().filter_map(|size| one_size(of, &oltp, size)));
    let starts_empty = |workload: &&Workload| workload.as_sysbench().is_some_and(Sysbench::starts_empty);
    let (empty, filled): (Vec<&Workload>, Vec<&Workload>) = oltp.into_iter().partition(starts_empty);
    if let (Some(empty), Some(filled), true) = (empty.first(), filled.first(), found.len() == before) {
        found.push(unlike(empty, "starts with empty tables, since without auto_inc it generates ids", filled));
    }
}

/// A size that all workloads on tables of so many rows have in common, or what is wrong.
fn one_size<'w>(of: &Checked<'_>, workloads: &[&'w Workload], (key, size): Size) -> Option<PlanFinding> {
    let tables = |workload: &&'w Workload| Some((*workload, workload.sysbench_tables()?));
    let on: Vec<(&'w Workload, SysbenchTables)> = workloads.iter().filter_map(tables).collect();
    let unlike = |(other, tables): &(&'w Workload, SysbenchTables)| {
        let (first, common) = on.iter().find(|(_, first)| first.table_size == tables.table_size)?;
        (size(*common) != size(*tables)).then(|| [(*other, size(*tables)), (*first, size(*common))])
    };
    let sizes = on.iter().find_map(unlike)?;
    let other = sizes[0].0;
    let span = of.workload_value(&other.name, &[other.work.plan_key(), key]);
    Some(unlike_size(span, key, sizes, &format!("give both the same {key}, or write separate plans")))
}

fn unlike_size(
    span: Span,
    key: &str,
    [(other, found), (first, size)]: [(&Workload, String); 2],
    hint: &str,
) -> PlanFinding {
    let (other, first) = (&other.name, &first.name);
    let message = format!("workload \"{other}\" has {key} {found}, \"{first}\" has {key} {size}, on the same tables");
    PlanFinding::new(span, message).hint(hint)
}
