//! What the workloads of one plan on sysbench's tables have to agree in.

use super::super::document::Entry;
use super::super::error::Finding;
use super::super::model::Word as _;
use super::super::workload::SysbenchScript;
use super::one_size;

/// The works that share sysbench's tables.
const KINDS: &[&str] = &["sysbench", "read-intensive"];

/// Workloads that need unlike tables of the same names.
pub(super) fn tables(workloads: &[Entry]) -> Vec<Finding> {
    let of_kind = |entry: &&Entry| KINDS.iter().any(|kind| entry.node.get(kind).is_some());
    let (bulk, oltp): (Vec<&Entry>, Vec<&Entry>) = workloads.iter().filter(of_kind).partition(|entry| is_bulk(entry));
    let mut findings = Vec::new();
    if let (Some(bulk), Some(oltp)) = (bulk.first(), oltp.first()) {
        findings.push(unlike(bulk, "has an empty table of two columns for each client", oltp));
    }
    for key in ["tables", "table_size", "auto_inc", "create_secondary"] {
        findings.extend(one_size(oltp.iter().copied(), KINDS, key));
    }
    let (empty, filled): (Vec<&Entry>, Vec<&Entry>) = oltp.into_iter().partition(|entry| starts_empty(entry));
    if let (Some(empty), Some(filled), true) = (empty.first(), filled.first(), findings.is_empty()) {
        findings.push(unlike(empty, "has empty tables at first, since without auto_inc it makes up ids", filled));
    }
    findings
}

fn unlike(one: &Entry, needs: &str, other: &Entry) -> Finding {
    let message = format!("workload \"{}\" {needs}, \"{}\" has others of the same names", one.key, other.key);
    let script = one.node.get("sysbench").and_then(|work| work.node.get("script"));
    let span = script.map_or(one.key_span, |entry| entry.node.span);
    Finding::new(span, message).hint("make a plan of each")
}

fn is_bulk(workload: &Entry) -> bool {
    option(workload, "script") == Some(SysbenchScript::BulkInsert.word())
}

fn starts_empty(workload: &Entry) -> bool {
    option(workload, "script") == Some(SysbenchScript::Insert.word()) && option(workload, "auto_inc") == Some("false")
}

/// What is given for an option of a script of sysbench.
fn option<'n>(workload: &'n Entry, key: &str) -> Option<&'n str> {
    workload.node.get("sysbench")?.node.get(key)?.node.scalar()
}
