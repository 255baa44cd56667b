//! What a setting of a role or a database can change.

use super::fact_meaning::BearsOn;

/// Settings by which the planner chooses, or a plan is executed.
const OF_PLANS: &[&str] = &[
    "work_mem",
    "hash_mem_multiplier",
    "plan_cache_mode",
    "effective_cache_size",
    "effective_io_concurrency",
    "cursor_tuple_fraction",
    "constraint_exclusion",
    "default_statistics_target",
    "search_path",
    "row_security",
    "recursive_worktable_factor",
    "debug_parallel_query",
    "force_parallel_mode",
    "temp_buffers",
];

/// The beginnings of the names of others.
const OF_PLANS_BEGIN: &[&str] = &[
    "enable_",
    "geqo",
    "jit",
    "max_parallel_",
    "min_parallel_",
    "parallel_",
    "cpu_",
    "from_collapse",
    "join_collapse",
];

/// Settings of what is written, or when a commit returns.
const OF_WRITES: &[&str] = &[
    "synchronous_commit",
    "commit_delay",
    "commit_siblings",
    "wal_compression",
    "session_replication_role",
    "default_toast_compression",
    "backend_flush_after",
    "default_transaction_isolation",
    "default_transaction_deferrable",
];

/// Settings of how values are written, who is shown and when to give up. What is logged has a rule of its own.
const OF_NO_COST: &[&str] = &[
    "application_name",
    "client_encoding",
    "client_min_messages",
    "datestyle",
    "timezone",
    "intervalstyle",
    "extra_float_digits",
    "bytea_output",
    "statement_timeout",
    "lock_timeout",
    "transaction_timeout",
];

/// The beginnings of the names of others.
const OF_NO_COST_BEGIN: &[&str] = &["log_", "lc_", "idle_", "tcp_", "track_", "xml"];

fn begins_with(name: &str, beginnings: &[&str]) -> bool {
    beginnings.iter().any(|beginning| name.starts_with(beginning))
}

/// What a setting bears on, and its rank among the facts.
pub(super) fn meaning_of_setting(name: &str) -> (&'static [BearsOn], u8) {
    let name = name.trim_matches('"').to_lowercase();
    if OF_PLANS.contains(&name.as_str()) || begins_with(&name, OF_PLANS_BEGIN) || name.ends_with("_page_cost") {
        return (&[BearsOn::Plans, BearsOn::Planning, BearsOn::Reads, BearsOn::Writes], 0);
    }
    if OF_WRITES.contains(&name.as_str()) {
        return (&[BearsOn::Writes, BearsOn::Wal], 0);
    }
    if OF_NO_COST.contains(&name.as_str()) || begins_with(&name, OF_NO_COST_BEGIN) {
        return (&[], 2);
    }
    (&[BearsOn::Plans, BearsOn::Reads, BearsOn::Writes], 1)
}
