//! What the members of a mix have to agree in: its clients have one connection each.

use super::super::error::PlanFinding;
use super::super::language::PlanReadingFindings;
use super::super::workload::Workload;
use super::Checked;
use work::ErpObject;

pub(super) fn check_mixes(of: &Checked<'_>, found: &mut PlanReadingFindings) {
    for workload in of.plan.workloads.iter().filter(|workload| !workload.mix_members().is_empty()) {
        let members = workload.single_workloads();
        found.extend(several_databases(of, workload, &members));
        found.extend(unlike_temporary_tables(of, &members));
    }
}

/// Members whose data lie in different databases, of which a connection sees one.
fn several_databases(of: &Checked<'_>, mix: &Workload, members: &[Workload]) -> Option<PlanFinding> {
    let [first, others @ ..] = members else { return None };
    for target in &of.plan.targets {
        let expected = of.plan.database_on(&target.name, first);
        for other in others {
            let database = of.plan.database_on(&target.name, other);
            if database == expected {
                continue;
            }
            let message = format!(
                "workload \"{}\" mixes data of different databases: \"{}\" runs in {}, \"{}\" in {}",
                mix.name,
                first.name,
                database_in_words(expected.as_deref()),
                other.name,
                database_in_words(database.as_deref()),
            );
            let hint = "a client of a mix has one connection: give all workloads of the plan on such tables one size, or \
                        write separate plans";
            let span = of.workload_entry(&other.name).map_or(of.root.span, |entry| entry.key_span);
            return Some(PlanFinding::new(span, message).hint(hint));
        }
    }
    None
}

fn database_in_words(name: Option<&str>) -> String {
    name.map_or_else(|| "that of the target".to_owned(), str::to_owned)
}

/// One member keeps the temporary table of its connection that another one creates and drops.
fn unlike_temporary_tables(of: &Checked<'_>, members: &[Workload]) -> Option<PlanFinding> {
    let mut kept = None;
    let mut dropped = None;
    for member in members {
        match member.as_erp() {
            Some(erp) if erp.object == ErpObject::TempTable && erp.reuse => kept = Some(member),
            Some(erp) if erp.object == ErpObject::TempTable => dropped = Some(member),
            Some(_) | None => {}
        }
    }
    let (kept, dropped) = (kept?, dropped?);
    let message = format!(
        "workload \"{}\" keeps the temporary table that \"{}\" creates and drops on the same connection",
        kept.name, dropped.name
    );
    let span = of.workload_entry(&kept.name).map_or(of.root.span, |entry| entry.key_span);
    Some(PlanFinding::new(span, message).hint("give both the same `reuse`, or measure them by themselves"))
}
