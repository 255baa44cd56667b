//! Settings of PostgreSQL, drawn from all that the server has, at every level on which they can be set. Most have no
//! effect on most loads: what is measured then says so, and no cause may be named.

use super::{ANY, Kind};
use crate::generator::condition::{Base, Injection, Matter, Part, Shape};
use crate::generator::random::Random;
use crate::generator::server_settings::{Setting, server_settings};

/// The kinds of this family.
pub const KINDS: &[Kind] = &[
    Kind { name: "any setting", shapes: ANY, draw: any, weight: 14 },
    Kind { name: "planner setting", shapes: QUERIES, draw: planner, weight: 5 },
    Kind {
        name: "memory setting",
        shapes: &[Shape::Sort, Shape::Aggregate, Shape::TemporaryTable, Shape::Join],
        draw: memory,
        weight: 3,
    },
    Kind { name: "WAL setting", shapes: super::WRITES, draw: wal, weight: 4 },
    Kind { name: "logging setting", shapes: ANY, draw: logging, weight: 4 },
    Kind {
        name: "parallel or JIT setting",
        shapes: &[Shape::Aggregate, Shape::Join, Shape::Sort],
        draw: parallel,
        weight: 3,
    },
    Kind { name: "session setting", shapes: ANY, draw: session, weight: 3 },
];

const QUERIES: &[Shape] = &[
    Shape::Point,
    Shape::ByReference,
    Shape::CountOnly,
    Shape::Range,
    Shape::Newest,
    Shape::Aggregate,
    Shape::Join,
    Shape::Prefix,
    Shape::Correlated,
    Shape::Sort,
    Shape::Cursor,
    Shape::FunctionCall,
];

/// What a setting can do.
const ABOUT: &[Matter] = &[Matter::Plan, Matter::Cpu, Matter::Memory, Matter::Wal, Matter::Disk, Matter::Execution];

/// Where a setting is set.
const LEVELS: &[&str] = &["server", "database", "role", "role in database", "connection"];

fn injection(kind: &'static str, random: &mut Random, setting: &Setting, value: &str) -> Injection {
    let level = if setting.is_of_sessions() { random.choose(LEVELS) } else { "server" };
    // Of a privileged one the load's role may have no right in its own connection.
    let level = if level == "connection" && setting.context != "user" { "role" } else { level };
    let name = setting.name;
    let mut injected = Injection::new(kind, format!("{name} = {value} ({level})"), &[&[name]], ABOUT);
    let of_side = &mut injected.injured;
    match level {
        "database" => of_side.late_sql.push(format!("ALTER DATABASE app SET {name} = '{value}'")),
        "role" => of_side.late_sql.push(format!("ALTER ROLE CURRENT_LOADER SET {name} = '{value}'")),
        "role in database" => {
            of_side.late_sql.push(format!("ALTER ROLE CURRENT_LOADER IN DATABASE app SET {name} = '{value}'"));
        }
        "connection" => of_side.connection.push(format!("options='-c {name}={}'", value.replace(' ', "\\\\ "))),
        _ => of_side.settings.push(format!("{name} = '{value}'")),
    }
    injected
}

fn any(random: &mut Random, _: &Base) -> Injection {
    let all = server_settings();
    let drawn: Vec<&Setting> = all.iter().filter(|setting| setting.can_be_drawn()).collect();
    let setting = random.choose(&drawn);
    let value = setting.draw_value(random);
    injection("any setting", random, setting, &value)
}

/// One of these settings and values.
fn of_list(kind: &'static str, random: &mut Random, list: &[(&str, &str)]) -> Injection {
    let (name, value) = random.choose(list);
    let all = server_settings();
    let setting = all.iter().find(|setting| setting.name == name).unwrap_or_else(|| panic!("no setting {name}"));
    injection(kind, random, setting, value)
}

fn planner(random: &mut Random, _: &Base) -> Injection {
    of_list(
        "planner setting",
        random,
        &[
            ("enable_indexscan", "off"),
            ("enable_bitmapscan", "off"),
            ("enable_indexonlyscan", "off"),
            ("enable_seqscan", "off"),
            ("enable_hashagg", "off"),
            ("enable_hashjoin", "off"),
            ("enable_nestloop", "off"),
            ("enable_sort", "off"),
            ("enable_memoize", "off"),
            ("enable_incremental_sort", "off"),
            ("random_page_cost", "1000"),
            ("random_page_cost", "1.1"),
            ("cpu_index_tuple_cost", "50"),
            ("effective_cache_size", "1MB"),
            ("join_collapse_limit", "1"),
            ("from_collapse_limit", "1"),
            ("geqo_threshold", "2"),
            ("plan_cache_mode", "force_custom_plan"),
            ("plan_cache_mode", "force_generic_plan"),
            ("cursor_tuple_fraction", "1"),
            ("constraint_exclusion", "on"),
            ("default_statistics_target", "5000"),
        ],
    )
}

fn memory(random: &mut Random, _: &Base) -> Injection {
    of_list(
        "memory setting",
        random,
        &[
            ("work_mem", "64kB"),
            ("work_mem", "256kB"),
            ("hash_mem_multiplier", "1"),
            ("temp_buffers", "800kB"),
            ("shared_buffers", "256kB"),
            ("shared_buffers", "4MB"),
            ("huge_pages", "off"),
            ("dynamic_shared_memory_type", "mmap"),
            ("temp_file_limit", "1GB"),
            ("maintenance_work_mem", "1MB"),
            ("logical_decoding_work_mem", "64kB"),
            ("backend_flush_after", "8kB"),
        ],
    )
}

fn wal(random: &mut Random, _: &Base) -> Injection {
    of_list(
        "WAL setting",
        random,
        &[
            ("synchronous_commit", "off"),
            ("wal_sync_method", "open_sync"),
            ("wal_sync_method", "fsync"),
            ("wal_compression", "pglz"),
            ("wal_compression", "zstd"),
            ("full_page_writes", "off"),
            ("wal_buffers", "32kB"),
            ("commit_delay", "2000"),
            ("commit_delay", "100000"),
            ("wal_writer_delay", "10s"),
            ("max_wal_size", "32MB"),
            ("checkpoint_timeout", "30s"),
            ("checkpoint_completion_target", "0.0"),
            ("wal_level", "logical"),
            ("wal_log_hints", "on"),
            ("track_commit_timestamp", "on"),
            ("bgwriter_delay", "10ms"),
            ("wal_init_zero", "off"),
            ("wal_recycle", "off"),
            ("fsync", "off"),
        ],
    )
}

fn logging(random: &mut Random, _: &Base) -> Injection {
    of_list(
        "logging setting",
        random,
        &[
            ("log_statement", "all"),
            ("log_min_duration_statement", "0"),
            ("log_duration", "on"),
            ("log_min_messages", "debug5"),
            ("log_min_messages", "debug2"),
            ("log_parser_stats", "on"),
            ("log_statement_stats", "on"),
            ("debug_print_plan", "on"),
            ("debug_print_parse", "on"),
            ("log_connections", "on"),
            ("log_lock_waits", "on"),
            ("log_destination", "csvlog"),
            ("client_min_messages", "debug5"),
            ("track_io_timing", "on"),
            ("track_functions", "all"),
            ("track_activity_query_size", "1MB"),
            ("track_activities", "off"),
            ("update_process_title", "on"),
            ("compute_query_id", "on"),
            ("log_transaction_sample_rate", "1"),
        ],
    )
}

fn parallel(random: &mut Random, _: &Base) -> Injection {
    let mut injected = of_list(
        "parallel or JIT setting",
        random,
        &[
            ("jit_above_cost", "0"),
            ("jit_above_cost", "10"),
            ("parallel_setup_cost", "0"),
            ("parallel_tuple_cost", "0"),
            ("min_parallel_table_scan_size", "0"),
            ("max_parallel_workers_per_gather", "0"),
            ("max_parallel_workers", "0"),
            ("parallel_leader_participation", "off"),
            ("force_parallel_mode", "on"),
        ],
    );
    let both = Part { settings: vec!["min_parallel_table_scan_size = 64kB".to_owned()], ..Part::default() };
    injected.both = if random.happens(50) { both } else { Part::default() };
    injected
}

fn session(random: &mut Random, _: &Base) -> Injection {
    of_list(
        "session setting",
        random,
        &[
            ("default_transaction_isolation", "serializable"),
            ("default_transaction_isolation", "repeatable read"),
            ("statement_timeout", "30s"),
            ("idle_in_transaction_session_timeout", "10s"),
            ("lock_timeout", "5s"),
            ("deadlock_timeout", "1ms"),
            ("extra_float_digits", "0"),
            ("bytea_output", "escape"),
            ("DateStyle", "German"),
            ("TimeZone", "America/New_York"),
            ("row_security", "off"),
            ("client_connection_check_interval", "1ms"),
            ("tcp_user_timeout", "1000"),
            ("check_function_bodies", "off"),
            ("quote_all_identifiers", "on"),
        ],
    )
}
