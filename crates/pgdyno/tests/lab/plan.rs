//! The plans of the cases: one target or two, one workload, a few short trials.

use crate::site::Site;

/// How long it is measured.
#[derive(Debug, Clone, Copy)]
pub enum Length {
    /// Three short trials, for what is as it is.
    Trials,
    /// One trial of twice the length, for what comes and goes within it.
    OneTrial,
}

impl Length {
    fn yaml(self) -> &'static str {
        match self {
            Self::Trials => "trial: { warm_up: 1s, measure: 6s }\nblocks: { at_least: 3, at_most: 3 }\n",
            Self::OneTrial => "trial: { warm_up: 1s, measure: 15s }\nblocks: { at_least: 1, at_most: 1 }\n",
        }
    }
}

/// A plan for two targets with names, the baseline first, and one workload, given as its mapping.
pub fn pair(targets: [(&str, &str); 2], workload: &str, clients: u32) -> String {
    let [(baseline, first), (candidate, second)] = targets;
    format!(
        "name: lab\ntargets:\n  {baseline}: {first}\n  {candidate}: {second}\nbaseline: {baseline}\nmay_differ: [route]\n\
         workloads:\n  load: {workload}\nclients: [{clients}]\n\
         trial: {{ warm_up: 1s, measure: 3s }}\nblocks: {{ at_least: 4, at_most: 4 }}\n"
    )
}

/// A plan for one target, given as the mapping that says how it is reached, and one workload, given as its mapping.
pub fn plan(target: &str, workload: &str, clients: u32, length: Length) -> String {
    format!(
        "name: lab\ntargets:\n  server: {target}\nbaseline: server\nworkloads:\n  load: {workload}\nclients: [{clients}]\n{}",
        length.yaml()
    )
}

/// Selects on existing tables of this scale.
pub fn select(scale: u32) -> String {
    format!("{{ builtin: select-only, scale: {scale}, data: existing }}")
}

/// One's own statements on pgbench's tables.
pub fn script(site: &Site, sql: &str) -> String {
    site.write("load.sql", sql);
    "{ script: [load.sql] }".to_owned()
}
