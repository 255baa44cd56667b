//! What the workloads of one plan on the same tables have to agree in: the tables of pgbench, of sysbench and of the
//! business objects have fixed names.

use super::super::document::Span;
use super::super::error::Finding;
use super::super::language::Findings;
use super::super::workload::{Sysbench, Workload};
use super::Checked;
use work::{Ownership, SysbenchScript, SysbenchTables};

pub(super) fn check(of: &Checked<'_>, found: &mut Findings) {
    pgbench(of, found);
    sysbench(of, found);
    let scale = |workload: &Workload| workload.erp().map(|erp| erp.scale.to_string());
    found.extend(one_size(of, &of.plan.workloads.iter().collect::<Vec<_>>(), "scale", scale));
}

fn pgbench(of: &Checked<'_>, found: &mut Findings) {
    let on = |data: Ownership| {
        let tables = of.plan.workloads.iter().filter_map(|workload| Some((workload, workload.pgbench_tables()?)));
        tables.filter(move |(_, tables)| tables.data == data)
    };
    let Some((first, tables)) = on(Ownership::Managed).next() else { return };
    if let Some((existing, _)) = on(Ownership::Existing).next() {
        let message = format!(
            "workload \"{}\" would use the tables that \"{}\" has made as existing ones",
            existing.name, first.name
        );
        let hint = "use `data: existing` for all workloads of a plan or for none";
        found.push(Finding::new(of.workload_value(&existing.name, &["data"]), message).hint(hint));
    }
    for (other, others) in on(Ownership::Managed).filter(|(_, others)| others.scale != tables.scale) {
        let span = of.workload_value(&other.name, &["scale"]);
        found.push(unlike_size(span, "scale", (other, &others.scale.to_string()), (first, &tables.scale.to_string())));
    }
}

/// A size of sysbench's tables: its key and its value.
type Size = (&'static str, fn(SysbenchTables) -> String);

const SIZES: [Size; 4] = [
    ("tables", |tables| tables.tables.to_string()),
    ("table_size", |tables| tables.table_size.to_string()),
    ("auto_inc", |tables| tables.auto_inc.to_string()),
    ("create_secondary", |tables| tables.create_secondary.to_string()),
];

/// Workloads that need unlike tables of the same names.
fn sysbench(of: &Checked<'_>, found: &mut Findings) {
    let before = found.len();
    let on_them = of.plan.workloads.iter().filter(|workload| workload.sysbench_tables().is_some());
    let (bulk, oltp): (Vec<&Workload>, Vec<&Workload>) =
        on_them.partition(|workload| workload.sysbench().is_some_and(|of| of.script == SysbenchScript::BulkInsert));
    let unlike = |one: &Workload, needs: &str, other: &Workload| {
        let message = format!("workload \"{}\" {needs}, \"{}\" has others of the same names", one.name, other.name);
        Finding::new(of.workload_value(&one.name, &["sysbench", "script"]), message).hint("make a plan of each")
    };
    if let (Some(bulk), Some(oltp)) = (bulk.first(), oltp.first()) {
        found.push(unlike(bulk, "has an empty table of two columns for each client", oltp));
    }
    for (key, size) in SIZES {
        found.extend(one_size(of, &oltp, key, |workload| workload.sysbench_tables().map(size)));
    }
    let starts_empty = |workload: &&Workload| workload.sysbench().is_some_and(Sysbench::starts_empty);
    let (empty, filled): (Vec<&Workload>, Vec<&Workload>) = oltp.into_iter().partition(starts_empty);
    if let (Some(empty), Some(filled), true) = (empty.first(), filled.first(), found.len() == before) {
        found.push(unlike(empty, "has empty tables at first, since without auto_inc it makes up ids", filled));
    }
}

/// A size that all workloads of some kinds have in common, or what is wrong.
fn one_size(
    of: &Checked<'_>,
    workloads: &[&Workload],
    key: &str,
    size: impl Fn(&Workload) -> Option<String>,
) -> Option<Finding> {
    let mut sizes = workloads.iter().filter_map(|workload| Some((*workload, size(workload)?)));
    let (first, common) = sizes.next()?;
    let (other, found) = sizes.find(|(_, found)| *found != common)?;
    let span = of.workload_value(&other.name, &[other.work.key(), key]);
    Some(unlike_size(span, key, (other, &found), (first, &common)))
}

fn unlike_size(span: Span, key: &str, (other, found): (&Workload, &str), (first, size): (&Workload, &str)) -> Finding {
    let (other, first) = (&other.name, &first.name);
    Finding::new(
        span,
        format!("workload \"{other}\" has {key} {found}, \"{first}\" has {key} {size}, on the same tables"),
    )
    .hint(format!("give both the same {key}, or make a plan of each"))
}
