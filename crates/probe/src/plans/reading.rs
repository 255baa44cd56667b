//! A plan as EXPLAIN prints it in JSON, and what is kept of it.

use std::collections::BTreeMap;

use results::plans::{Plan, PlanExecution, PlanNode, PlanningFigures};
use serde_json::Value;

use super::node_figures::{Subqueries, child_nodes, find_subqueries, node_execution, page_counts, processes_of_child};

/// Nodes of a plan that are kept: a scan of ten thousand partitions has as many.
const NODES: usize = 500;

/// Characters of a condition that are kept.
const CONDITION: usize = 300;

/// The setting that is set for the question, and is not the load's.
const OWN_SETTING: &str = "plan_cache_mode";

/// The plan that EXPLAIN printed as JSON.
pub(super) fn plan_of_json(json: &Value) -> Option<Plan> {
    let explained = json.get(0)?;
    let mut room = NODES;
    let (root, mut shape) = (explained.get("Plan")?, ShapeHash::EMPTY);
    shape.add_node(root, 0);
    let (shape, jit) = (format!("{:016x}", shape.0), explained.get("JIT").is_some());
    let mut subqueries = Subqueries::new();
    find_subqueries(root, 1.0, &mut subqueries);
    Some(Plan {
        shape,
        jit,
        root: node_of_json(root, 1.0, &subqueries, &mut room)?,
        planning: planning_figures(explained),
        execution: plan_execution(explained, root),
        settings: planner_settings(explained),
    })
}

fn planning_figures(explained: &Value) -> Option<PlanningFigures> {
    let us = explained.get("Planning Time").and_then(Value::as_f64)? * 1e3;
    let (blocks, memory_bytes) = match explained.get("Planning") {
        Some(planning) => {
            let kilobytes = planning.get("Memory Used").and_then(Value::as_u64);
            (page_counts(planning), kilobytes.map(|kilobytes| kilobytes * 1024))
        }
        None => Default::default(),
    };
    Some(PlanningFigures { us, asked: 1, blocks, first_blocks: blocks, memory_bytes })
}

fn plan_execution(explained: &Value, root: &Value) -> Option<PlanExecution> {
    let us = explained.get("Execution Time").and_then(Value::as_f64)? * 1e3;
    let serialization = explained.get("Serialization");
    let jit_ms = explained.get("JIT").and_then(|jit| jit.get("Timing")?.get("Total")?.as_f64());
    Some(PlanExecution {
        us,
        executed: 1,
        jit_us: jit_ms.map(|ms| ms * 1e3),
        serialization_us: serialization.and_then(|of| of.get("Time")?.as_f64()).map(|ms| ms * 1e3),
        serialized_bytes: serialization
            .and_then(|of| of.get("Output Volume")?.as_f64())
            .map(|kilobytes| (kilobytes * 1024.0) as u64),
        wal_bytes: root.get("WAL Bytes").and_then(Value::as_u64).unwrap_or(0),
    })
}

fn planner_settings(explained: &Value) -> BTreeMap<String, String> {
    let mut settings = BTreeMap::new();
    for (name, value) in explained.get("Settings").and_then(Value::as_object).into_iter().flatten() {
        if let Some(value) = value.as_str().filter(|_| name != OWN_SETTING) {
            settings.insert(name.clone(), shortened_text(value.to_owned()));
        }
    }
    settings
}

/// The hash of all nodes of a plan, kept or not: FNV-1a, which is the same in every build.
struct ShapeHash(u64);

impl ShapeHash {
    const EMPTY: Self = Self(0xcbf2_9ce4_8422_2325);

    fn add_node(&mut self, json: &Value, depth: u16) {
        let node = text_of_key(json, "Node Type").map(|kind| name_of_node(&kind, json));
        self.hash_bytes(&depth.to_le_bytes());
        for part in [node, text_of_key(json, "Relation Name"), text_of_key(json, "Index Name")] {
            self.hash_bytes(part.as_deref().map_or(b"", str::as_bytes));
            self.hash_bytes(&[0]);
        }
        for child in child_nodes(json) {
            self.add_node(child, depth.saturating_add(1));
        }
    }

    fn hash_bytes(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
    }
}

fn node_of_json(json: &Value, processes: f64, subqueries: &Subqueries, room: &mut usize) -> Option<PlanNode> {
    *room = room.checked_sub(1)?;
    let condition = ["Index Cond", "Recheck Cond", "Hash Cond", "Merge Cond", "Join Filter", "TID Cond"];
    let mut kept = Vec::new();
    for child in child_nodes(json) {
        let Some(child) = node_of_json(child, processes_of_child(json, child, processes), subqueries, room) else {
            break;
        };
        kept.push(child);
    }
    Some(PlanNode {
        node: name_of_node(&text_of_key(json, "Node Type")?, json),
        relation: text_of_key(json, "Relation Name"),
        index: text_of_key(json, "Index Name"),
        condition: condition.iter().find_map(|key| text_of_key(json, key)).map(shortened_text),
        filter: text_of_key(json, "Filter").map(shortened_text),
        workers: json.get("Workers Planned").and_then(Value::as_u64).and_then(|workers| workers.try_into().ok()),
        rows: number_of_key(json, "Plan Rows")?,
        actual_rows: number_of_key(json, "Actual Rows")
            .filter(|_| number_of_key(json, "Actual Loops").is_some_and(|loops| loops > 0.0)),
        cost: number_of_key(json, "Total Cost")?,
        execution: node_execution(json, processes, subqueries).map(Box::new),
        children: kept,
    })
}

/// What a node does, with what tells it from others of its type.
fn name_of_node(kind: &str, json: &Value) -> String {
    if let Some(operation) = text_of_key(json, "Operation").filter(|_| kind == "ModifyTable") {
        return operation;
    }
    let told = [
        text_of_key(json, "Join Type").filter(|join| join != "Inner"),
        text_of_key(json, "Strategy").filter(|strategy| strategy != "Plain"),
        text_of_key(json, "Partial Mode").filter(|mode| mode != "Simple"),
        text_of_key(json, "Scan Direction").filter(|direction| direction == "Backward"),
        text_of_key(json, "Subplan Name").map(|name| subplan_in_all_versions(&name)),
    ];
    let told: Vec<String> = told.into_iter().flatten().collect();
    if told.is_empty() { kind.to_owned() } else { format!("{kind} ({})", told.join(", ")) }
}

/// `InitPlan 1 (returns $1)` before PostgreSQL 17 is `InitPlan 1` from then on: the same plan.
fn subplan_in_all_versions(name: &str) -> String {
    name.split_once(" (returns ").map_or(name, |(plain, _)| plain).to_owned()
}

fn shortened_text(text: String) -> String {
    match text.char_indices().nth(CONDITION) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn text_of_key(json: &Value, key: &str) -> Option<String> {
    json.get(key).and_then(Value::as_str).map(str::to_owned)
}

fn number_of_key(json: &Value, key: &str) -> Option<f64> {
    json.get(key).and_then(Value::as_f64)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn subplan_has_one_name_in_all_versions() {
        for (name, expected) in [
            ("InitPlan 1 (returns $1)", "InitPlan 1"),
            ("InitPlan 2 (returns $2,$3)", "InitPlan 2"),
            ("InitPlan 1", "InitPlan 1"),
            ("SubPlan 2", "SubPlan 2"),
            ("CTE recent", "CTE recent"),
        ] {
            assert_eq!(subplan_in_all_versions(name), expected, "{name}");
        }
        let plan = |name: &str| {
            let child = json!({ "Node Type": "Seq Scan", "Subplan Name": name, "Plan Rows": 1, "Total Cost": 1 });
            let root = json!({ "Node Type": "Result", "Plan Rows": 1, "Total Cost": 1, "Plans": [child] });
            plan_of_json(&json!([{ "Plan": root }])).expect("a plan").shape
        };
        assert_eq!(plan("InitPlan 1 (returns $0)"), plan("InitPlan 1"), "the same plan on 16 and 17");
    }

    #[test]
    fn nodes_keep_what_tells_plans_apart_and_no_more_than_there_is_room_for() {
        let scan = json!({ "Node Type": "Index Scan", "Relation Name": "t", "Index Name": "t_pkey", "Plan Rows": 1,
                           "Total Cost": 8.3, "Index Cond": "(a = 1)", "Scan Direction": "Forward" });
        let join = json!([{ "JIT": {}, "Plan": { "Node Type": "Hash Join", "Join Type": "Left", "Plan Rows": 2,
                            "Total Cost": 20.5, "Plans": [scan.clone(), scan] } }]);
        let told = plan_of_json(&join).unwrap();
        assert!(told.jit);
        assert_eq!((told.root.node.as_str(), told.root.children.len()), ("Hash Join (Left)", 2));
        assert_eq!(told.root.children[0].index.as_deref(), Some("t_pkey"));
        let one = node_of_json(&join[0]["Plan"], 1.0, &Subqueries::new(), &mut 2).unwrap();
        assert_eq!(one.children.len(), 1);

        let mut dearer = join.clone();
        dearer[0]["Plan"]["Total Cost"] = json!(99);
        let mut other = join.clone();
        other[0]["Plan"]["Plans"][1]["Index Name"] = json!("t_b_idx");
        assert_eq!(plan_of_json(&dearer).unwrap().shape, told.shape);
        assert_ne!(plan_of_json(&other).unwrap().shape, told.shape);
    }

    #[test]
    fn time_of_planning_and_of_executing_and_the_settings_are_kept() {
        let scan = json!({ "Node Type": "Seq Scan", "Plan Rows": 1, "Total Cost": 1, "Actual Rows": 3,
                           "Actual Loops": 1, "Actual Total Time": 2.5, "WAL Bytes": 80 });
        let explained = json!([{ "Plan": scan, "Planning Time": 0.25, "Execution Time": 3.0,
            "Planning": { "Shared Hit Blocks": 9, "Memory Used": 4 },
            "Settings": { "enable_seqscan": "off", "plan_cache_mode": "force_custom_plan" },
            "Serialization": { "Time": 0.5, "Output Volume": 2 },
            "JIT": { "Timing": { "Generation": { "Total": 1.0 }, "Total": 1.5 } } }]);
        let plan = plan_of_json(&explained).unwrap();
        let planning = plan.planning.unwrap();
        assert_eq!((planning.us, planning.blocks.hit, planning.memory_bytes), (250.0, 9, Some(4096)));
        let execution = plan.execution.unwrap();
        assert_eq!((execution.us, execution.jit_us, execution.wal_bytes), (3000.0, Some(1500.0), 80));
        assert_eq!((execution.serialization_us, execution.serialized_bytes), (Some(500.0), Some(2048)));
        assert_eq!(plan.settings, BTreeMap::from([("enable_seqscan".to_owned(), "off".to_owned())]));
        assert_eq!(plan.root.execution.unwrap().own_us, 2500.0);
    }
}
