//! What a node of an executed plan took by itself. EXPLAIN prints times and pages of a node with all nodes below it,
//! and times as the mean over its executions.

use std::collections::BTreeMap;

use results::plans::{NodeExecution, PageCounts};
use serde_json::Value;

/// A page of temporary files and of shared_buffers and a kilobyte, as EXPLAIN counts memory.
const KILOBYTE: f64 = 1024.0;

/// What a node and all nodes below it took, over all executions.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct NodeTotals {
    elapsed_us: f64,
    blocks: PageCounts,
    read_us: Option<f64>,
}

/// The subqueries of WITH by their names: their time is that of the nodes that scan them, not of the node that they are
/// listed below.
pub(super) type Subqueries = BTreeMap<String, NodeTotals>;

impl NodeTotals {
    /// Of a node whose work so many processes share.
    pub(super) fn of_node(json: &Value, processes: f64) -> Self {
        let elapsed_ms = number_of_key(json, "Actual Total Time") * number_of_key(json, "Actual Loops");
        Self { elapsed_us: elapsed_ms * 1e3 / processes, blocks: page_counts(json), read_us: read_us(json) }
    }

    /// Less what another took within it. What the server rounded may be more than the whole.
    fn without_part(self, part: Self) -> Self {
        let (all, of) = (self.blocks, part.blocks);
        Self {
            elapsed_us: (self.elapsed_us - part.elapsed_us).max(0.0),
            blocks: PageCounts {
                hit: all.hit.saturating_sub(of.hit),
                read: all.read.saturating_sub(of.read),
                dirtied: all.dirtied.saturating_sub(of.dirtied),
                temp_read: all.temp_read.saturating_sub(of.temp_read),
                temp_written: all.temp_written.saturating_sub(of.temp_written),
            },
            read_us: match (self.read_us, part.read_us) {
                (Some(all_us), Some(part_us)) => Some((all_us - part_us).max(0.0)),
                (read_us, _) => read_us,
            },
        }
    }
}

/// How many processes share the work of a child of a node: below a Gather each of them executes it once.
pub(super) fn processes_of_child(json: &Value, child: &Value, processes: f64) -> f64 {
    let is_gather = json.get("Node Type").and_then(Value::as_str).is_some_and(|kind| kind.starts_with("Gather"));
    let (loops, of_child) = (number_of_key(json, "Actual Loops"), number_of_key(child, "Actual Loops"));
    if is_gather && loops > 0.0 { (of_child / loops).max(1.0) } else { processes }
}

/// The nodes that a node takes rows from.
pub(super) fn child_nodes(json: &Value) -> impl Iterator<Item = &Value> {
    json.get("Plans").and_then(Value::as_array).into_iter().flatten()
}

/// The name of the subquery of WITH that a node is.
fn subquery_name(json: &Value) -> Option<&str> {
    json.get("Subplan Name").and_then(Value::as_str)?.strip_prefix("CTE ")
}

/// Enters the subqueries of WITH of a plan.
pub(super) fn find_subqueries(json: &Value, processes: f64, found: &mut Subqueries) {
    for child in child_nodes(json) {
        let of_child = processes_of_child(json, child, processes);
        if let Some(name) = subquery_name(child) {
            found.insert(name.to_owned(), NodeTotals::of_node(child, of_child));
        }
        find_subqueries(child, of_child, found);
    }
}

/// What a node took by itself; none where it was not executed.
pub(super) fn node_execution(json: &Value, processes: f64, subqueries: &Subqueries) -> Option<NodeExecution> {
    let loops = number_of_key(json, "Actual Loops");
    if loops == 0.0 || json.get("Actual Total Time").is_none() {
        return None;
    }
    let mut own = NodeTotals::of_node(json, processes);
    for child in child_nodes(json).filter(|child| subquery_name(child).is_none()) {
        own = own.without_part(NodeTotals::of_node(child, processes_of_child(json, child, processes)));
    }
    if let Some(scanned) = json.get("CTE Name").and_then(Value::as_str).and_then(|name| subqueries.get(name)) {
        own = own.without_part(*scanned);
    }
    let is_on_disk = json.get("Sort Space Type").and_then(Value::as_str) == Some("Disk");
    let sort_bytes = bytes_of_key(json, "Sort Space Used");
    Some(NodeExecution {
        own_us: own.elapsed_us,
        loops,
        blocks: own.blocks,
        read_us: own.read_us,
        removed_by_filter: number_of_key(json, "Rows Removed by Filter") * loops,
        removed_by_join_filter: number_of_key(json, "Rows Removed by Join Filter") * loops,
        removed_by_recheck: number_of_key(json, "Rows Removed by Index Recheck") * loops,
        heap_fetches: count_of_key(json, "Heap Fetches"),
        index_searches: json.get("Index Searches").and_then(Value::as_f64),
        io_requests: json.get("I/O Count").and_then(Value::as_f64),
        io_waits: json.get("I/O Waits").and_then(Value::as_f64),
        prefetch_distance: json.get("Average Prefetch Distance").and_then(Value::as_f64),
        lossy_blocks: count_of_key(json, "Lossy Heap Blocks").unwrap_or(0),
        workers_launched: count_of_key(json, "Workers Launched").and_then(|workers| workers.try_into().ok()),
        sort_method: json.get("Sort Method").and_then(Value::as_str).map(str::to_owned),
        hash_batches: count_of_key(json, "Hash Batches").or_else(|| count_of_key(json, "HashAgg Batches")),
        memory_bytes: bytes_of_key(json, "Peak Memory Usage").or(if is_on_disk { None } else { sort_bytes }),
        disk_bytes: bytes_of_key(json, "Disk Usage").or(if is_on_disk { sort_bytes } else { None }).unwrap_or(0),
    })
}

/// The pages of an object of EXPLAIN's output.
pub(super) fn page_counts(json: &Value) -> PageCounts {
    PageCounts {
        hit: shared_and_local_pages(json, "Hit"),
        read: shared_and_local_pages(json, "Read"),
        dirtied: shared_and_local_pages(json, "Dirtied"),
        temp_read: count_of_key(json, "Temp Read Blocks").unwrap_or(0),
        temp_written: count_of_key(json, "Temp Written Blocks").unwrap_or(0),
    }
}

/// Time of reading pages of tables and indexes; until PostgreSQL 16 in one figure.
fn read_us(json: &Value) -> Option<f64> {
    let ms = ["I/O Read Time", "Shared I/O Read Time"].iter().find_map(|key| json.get(*key).and_then(Value::as_f64));
    ms.map(|ms| ms * 1e3)
}

/// A count that EXPLAIN prints only of nodes that can have it, such as rows that a filter removed: of others it is a
/// sum of nothing.
fn number_of_key(json: &Value, key: &str) -> f64 {
    json.get(key).and_then(Value::as_f64).into_iter().sum()
}

fn count_of_key(json: &Value, key: &str) -> Option<u64> {
    json.get(key).and_then(Value::as_u64)
}

/// What EXPLAIN prints in kilobytes.
fn bytes_of_key(json: &Value, key: &str) -> Option<u64> {
    json.get(key).and_then(Value::as_f64).map(|kilobytes| (kilobytes * KILOBYTE) as u64)
}

fn shared_and_local_pages(json: &Value, what: &str) -> u64 {
    let mut pages = 0;
    for of in ["Shared", "Local"] {
        pages += count_of_key(json, &format!("{of} {what} Blocks")).unwrap_or(0);
    }
    pages
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn own_us(json: &Value, processes: f64, subqueries: &Subqueries) -> f64 {
        node_execution(json, processes, subqueries).unwrap().own_us.round()
    }

    #[test]
    fn time_and_pages_of_a_node_are_those_that_no_node_below_it_has() {
        let inner = json!({ "Node Type": "Index Only Scan", "Actual Total Time": 0.01, "Actual Loops": 100,
                            "Heap Fetches": 7, "Shared Hit Blocks": 300, "Rows Removed by Filter": 2 });
        let outer =
            json!({ "Node Type": "Seq Scan", "Actual Total Time": 3.0, "Actual Loops": 1, "Shared Hit Blocks": 10 });
        let join = json!({ "Node Type": "Nested Loop", "Actual Total Time": 5.0, "Actual Loops": 1,
                           "Shared Hit Blocks": 310, "Shared Read Blocks": 2, "Plans": [outer, inner.clone()] });
        let of_join = node_execution(&join, 1.0, &Subqueries::new()).unwrap();
        assert_eq!((of_join.own_us.round(), of_join.blocks.hit, of_join.blocks.read), (1000.0, 0, 2));
        let of_inner = node_execution(&inner, 1.0, &Subqueries::new()).unwrap();
        assert_eq!((of_inner.own_us.round(), of_inner.heap_fetches), (1000.0, Some(7)));
        assert_eq!((of_inner.removed_by_filter, of_inner.blocks.hit), (200.0, 300));
    }

    #[test]
    fn how_a_scan_reads_ahead_is_kept_where_the_server_says_so() {
        let of_19 = json!({ "Node Type": "Seq Scan", "Actual Total Time": 3.0, "Actual Loops": 1, "I/O Count": 60,
                            "I/O Waits": 4, "Average Prefetch Distance": 12.5 });
        let scan = node_execution(&of_19, 1.0, &Subqueries::new()).unwrap();
        assert_eq!((scan.io_requests, scan.io_waits, scan.prefetch_distance), (Some(60.0), Some(4.0), Some(12.5)));
        let of_18 = json!({ "Node Type": "Seq Scan", "Actual Total Time": 3.0, "Actual Loops": 1 });
        assert_eq!(node_execution(&of_18, 1.0, &Subqueries::new()).unwrap().io_requests, None);
    }

    #[test]
    fn processes_that_share_the_work_of_a_node_take_their_time_at_once() {
        let scan = json!({ "Node Type": "Seq Scan", "Actual Total Time": 8.0, "Actual Loops": 3 });
        let gather =
            json!({ "Node Type": "Gather", "Actual Total Time": 9.0, "Actual Loops": 1, "Plans": [scan.clone()] });
        assert_eq!(processes_of_child(&gather, &scan, 1.0), 3.0);
        assert_eq!(own_us(&gather, 1.0, &Subqueries::new()), 1000.0);
        assert_eq!(own_us(&scan, 3.0, &Subqueries::new()), 8000.0);
    }

    #[test]
    fn a_subquery_takes_its_time_where_it_is_scanned() {
        let with =
            json!({ "Node Type": "Aggregate", "Subplan Name": "CTE c", "Actual Total Time": 4.0, "Actual Loops": 1 });
        let scan = json!({ "Node Type": "CTE Scan", "CTE Name": "c", "Actual Total Time": 5.0, "Actual Loops": 1 });
        let root =
            json!({ "Node Type": "Limit", "Actual Total Time": 6.0, "Actual Loops": 1, "Plans": [with, scan.clone()] });
        let mut subqueries = Subqueries::new();
        find_subqueries(&root, 1.0, &mut subqueries);
        assert_eq!(own_us(&root, 1.0, &subqueries), 1000.0);
        assert_eq!(own_us(&scan, 1.0, &subqueries), 1000.0);
    }

    #[test]
    fn a_node_that_was_not_executed_took_nothing_that_is_known() {
        let never = json!({ "Node Type": "Sort", "Actual Total Time": 0.0, "Actual Loops": 0 });
        assert_eq!(node_execution(&never, 1.0, &Subqueries::new()), None);
        assert_eq!(node_execution(&json!({ "Node Type": "Sort" }), 1.0, &Subqueries::new()), None);
    }
}
