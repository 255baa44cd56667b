//! What a plan file means, tested through `parse` as a user meets it.

mod beside;
mod consent;
mod cost;
mod cross_check;
mod documentation;
mod errors;
mod events;
mod explanation;
mod kubernetes;
mod limits;
mod margins;
mod mixes;
mod resolved;
mod runnable;
mod schema;
mod server_limits;
mod sizes;
mod standby_reads;
mod variants;

use super::{Plan, parse_plan};

/// A plan without errors; the tests spoil it in one place each.
const GOOD: &str = "\
name: A question
targets:
  a:
    local:
      version: 17
      data_directory: /srv/a
      settings: { shared_buffers: 256MB }
    settings: { work_mem: 4MB }
  b:
    url: postgresql://bench@10.0.0.5/bench
baseline: a
may_differ: [version]
workloads:
  read: { builtin: select-only, scale: 10 }
  write: { builtin: tpcb-like, scale: 10 }
clients: [2, 8]
trial: { warm_up: 1s, measure: 5s }
blocks: { at_least: 3, at_most: 5, until: 2% }
practical_threshold: 3%
";

/// The good plan with one text replaced.
fn edited(from: &str, to: &str) -> String {
    assert_eq!(GOOD.matches(from).count(), 1, "{from:?} stands once in the good plan");
    GOOD.replace(from, to)
}

fn plan(text: &str) -> Plan {
    parse_plan("plan.yaml", text.as_bytes()).unwrap_or_else(|errors| panic!("{errors}"))
}

/// The errors of a text as a user reads them.
fn refusal(text: &str) -> String {
    parse_plan("plan.yaml", text.as_bytes()).expect_err("this plan has an error").to_string()
}

/// The same without where each of them is.
fn errors_and_hints(text: &str) -> String {
    let refusal = refusal(text);
    let lines = refusal.lines().filter(|line| line.starts_with("error") || line.starts_with("hint"));
    lines.collect::<Vec<_>>().join("\n")
}
