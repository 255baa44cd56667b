//! The figures of the probes: their names in `intervals.jsonl`, and what they count. The probes write by these
//! constants and the judge reads by them, so that a name that nobody writes does not compile. One module a probe,
//! called as the probe is.

use std::fmt;

/// The name of a probe. There are no others than those of this file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ProbeName(&'static str);

impl ProbeName {
    /// As it stands in the file.
    pub const fn as_str(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for ProbeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// One figure of a probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct ProbeField {
    /// The probe that reads it.
    pub probe: ProbeName,
    /// Its name, as it stands in the file.
    pub name: &'static str,
    /// Whether it adds up.
    pub kind: FieldKind,
    /// What it counts.
    pub unit: FieldUnit,
}

/// Whether a figure adds up from one reading to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FieldKind {
    /// The increase over the time that the reading spans.
    Counter,
    /// The level at its end.
    Gauge,
}

/// What a figure counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FieldUnit {
    /// Things: requests, blocks, rows, sessions.
    Count,
    /// Bytes.
    Bytes,
    /// Microseconds.
    Us,
    /// Microseconds on a CPU or waiting for one, summed over CPUs or processes.
    CpuUs,
}

macro_rules! probe_fields {
    ($($(#[doc = $doc:literal])* $module:ident $probe:literal {
        $($field:ident $name:literal $kind:ident $unit:ident,)*
    })*) => {
        $(
            $(#[doc = $doc])*
            pub mod $module {
                use super::{ProbeField, ProbeName};

                /// The probe.
                pub const PROBE: ProbeName = ProbeName($probe);
                $(
                    #[doc = concat!("`", $name, "`.")]
                    pub const $field: ProbeField = ProbeField {
                        probe: PROBE,
                        name: $name,
                        kind: super::FieldKind::$kind,
                        unit: super::FieldUnit::$unit,
                    };
                    const _: () = assert!(stringify!($field).eq_ignore_ascii_case($name));
                )*
                pub(super) const FIELDS: &[ProbeField] = &[$($field),*];
            }
        )*

        impl ProbeName {
            /// Every figure of the probe that has a constant.
            pub fn fields(self) -> &'static [ProbeField] {
                match self.0 {
                    $($probe => $module::FIELDS,)*
                    _ => &[],
                }
            }
        }
    };
}

probe_fields! {
    /// CPU time of the machine, over all CPUs.
    host_cpu "host.cpu" {
        USER_US "user_us" Counter CpuUs,
        NICE_US "nice_us" Counter CpuUs,
        SYSTEM_US "system_us" Counter CpuUs,
        IDLE_US "idle_us" Counter CpuUs,
        IOWAIT_US "iowait_us" Counter CpuUs,
        IRQ_US "irq_us" Counter CpuUs,
        SOFTIRQ_US "softirq_us" Counter CpuUs,
        STEAL_US "steal_us" Counter CpuUs,
        CONTEXT_SWITCHES "context_switches" Counter Count,
        PROCESSES_STARTED "processes_started" Counter Count,
        PROCESSES_RUNNABLE "processes_runnable" Gauge Count,
        PROCESSES_BLOCKED "processes_blocked" Gauge Count,
        CPUS "cpus" Gauge Count,
    }

    /// Memory of the machine.
    host_memory "host.memory" {
        TOTAL_BYTES "total_bytes" Gauge Bytes,
        FREE_BYTES "free_bytes" Gauge Bytes,
        AVAILABLE_BYTES "available_bytes" Gauge Bytes,
        BUFFERS_BYTES "buffers_bytes" Gauge Bytes,
        CACHED_BYTES "cached_bytes" Gauge Bytes,
        DIRTY_BYTES "dirty_bytes" Gauge Bytes,
        WRITEBACK_BYTES "writeback_bytes" Gauge Bytes,
        ANONYMOUS_BYTES "anonymous_bytes" Gauge Bytes,
        SHARED_BYTES "shared_bytes" Gauge Bytes,
        SLAB_BYTES "slab_bytes" Gauge Bytes,
        PAGE_TABLES_BYTES "page_tables_bytes" Gauge Bytes,
        SWAP_TOTAL_BYTES "swap_total_bytes" Gauge Bytes,
        SWAP_FREE_BYTES "swap_free_bytes" Gauge Bytes,
        ANONYMOUS_HUGE_BYTES "anonymous_huge_bytes" Gauge Bytes,
        HUGE_PAGE_BYTES "huge_page_bytes" Gauge Bytes,
        HUGE_PAGES_TOTAL "huge_pages_total" Gauge Count,
        HUGE_PAGES_FREE "huge_pages_free" Gauge Count,
    }

    /// Network interfaces of the machine; `lo_` is loopback.
    host_network "host.network" {
        RX_BYTES "rx_bytes" Counter Bytes,
        RX_PACKETS "rx_packets" Counter Count,
        RX_ERRORS "rx_errors" Counter Count,
        RX_DROPS "rx_drops" Counter Count,
        TX_BYTES "tx_bytes" Counter Bytes,
        TX_PACKETS "tx_packets" Counter Count,
        TX_ERRORS "tx_errors" Counter Count,
        TX_DROPS "tx_drops" Counter Count,
        LO_RX_BYTES "lo_rx_bytes" Counter Bytes,
        LO_RX_PACKETS "lo_rx_packets" Counter Count,
        LO_RX_ERRORS "lo_rx_errors" Counter Count,
        LO_RX_DROPS "lo_rx_drops" Counter Count,
        LO_TX_BYTES "lo_tx_bytes" Counter Bytes,
        LO_TX_PACKETS "lo_tx_packets" Counter Count,
        LO_TX_ERRORS "lo_tx_errors" Counter Count,
        LO_TX_DROPS "lo_tx_drops" Counter Count,
    }

    /// TCP segments of the machine.
    host_tcp "host.tcp" {
        SEGMENTS_RECEIVED "segments_received" Counter Count,
        SEGMENTS_SENT "segments_sent" Counter Count,
        SEGMENTS_RETRANSMITTED "segments_retransmitted" Counter Count,
        SEGMENTS_BAD "segments_bad" Counter Count,
        SEGMENTS_RETRANSMITTED_NEEDLESSLY "segments_retransmitted_needlessly" Counter Count,
    }

    /// Pressure stall information of the machine.
    host_pressure "host.pressure" {
        CPU_SOME_US "cpu_some_us" Counter Us,
        IO_SOME_US "io_some_us" Counter Us,
        IO_FULL_US "io_full_us" Counter Us,
        MEMORY_SOME_US "memory_some_us" Counter Us,
        MEMORY_FULL_US "memory_full_us" Counter Us,
    }

    /// Reclaim and writeback of the machine.
    host_vm "host.vm" {
        MAJOR_FAULTS "major_faults" Counter Count,
        PAGES_REFAULTED "pages_refaulted" Counter Count,
        PAGES_RECLAIMED_DIRECT "pages_reclaimed_direct" Counter Count,
        PAGES_RECLAIMED_KSWAPD "pages_reclaimed_kswapd" Counter Count,
        ALLOCATION_STALLS "allocation_stalls" Counter Count,
        COMPACTION_STALLS "compaction_stalls" Counter Count,
        PAGES_SWAPPED_IN "pages_swapped_in" Counter Count,
        PAGES_SWAPPED_OUT "pages_swapped_out" Counter Count,
        OUT_OF_MEMORY_KILLS "out_of_memory_kills" Counter Count,
        DIRTIED_BYTES "dirtied_bytes" Counter Bytes,
        WRITTEN_BACK_BYTES "written_back_bytes" Counter Bytes,
        DIRTY_THRESHOLD_BYTES "dirty_threshold_bytes" Gauge Bytes,
        DIRTY_BACKGROUND_THRESHOLD_BYTES "dirty_background_threshold_bytes" Gauge Bytes,
    }

    /// Processes of the server: client backends, its own processes, and of the backends those of the load.
    host_server "host.server" {
        BACKENDS "backends" Gauge Count,
        BACKENDS_CPU_US "backends_cpu_us" Counter CpuUs,
        BACKENDS_RUN_DELAY_US "backends_run_delay_us" Counter CpuUs,
        BACKENDS_TIMESLICES "backends_timeslices" Counter Count,
        BACKENDS_BLOCK_IO_DELAY_US "backends_block_io_delay_us" Counter Us,
        OTHERS "others" Gauge Count,
        OTHERS_CPU_US "others_cpu_us" Counter CpuUs,
        OTHERS_RUN_DELAY_US "others_run_delay_us" Counter CpuUs,
        OTHERS_TIMESLICES "others_timeslices" Counter Count,
        OTHERS_BLOCK_IO_DELAY_US "others_block_io_delay_us" Counter Us,
        LOAD "load" Gauge Count,
        LOAD_CPU_US "load_cpu_us" Counter CpuUs,
        LOAD_RUN_DELAY_US "load_run_delay_us" Counter CpuUs,
        LOAD_TIMESLICES "load_timeslices" Counter Count,
        LOAD_BLOCK_IO_DELAY_US "load_block_io_delay_us" Counter Us,
        ENDED_CPU_US "ended_cpu_us" Counter CpuUs,
    }

    /// Processes of the server beyond the load's sessions, by kind; see [`crate::process_figures`].
    host_processes "host.processes" {}

    /// Control group of the server.
    host_cgroup "host.cgroup" {
        CPU_PERIODS "cpu_periods" Counter Count,
        CPU_THROTTLED_PERIODS "cpu_throttled_periods" Counter Count,
        CPU_THROTTLED_US "cpu_throttled_us" Counter CpuUs,
        CPU_USAGE_US "cpu_usage_us" Counter CpuUs,
        MEMORY_HIGH_EVENTS "memory_high_events" Counter Count,
        MEMORY_MAX_EVENTS "memory_max_events" Counter Count,
        MEMORY_OOM_KILLS "memory_oom_kills" Counter Count,
    }

    /// CPU time of the machine that neither the server nor pgdyno used; by process as `cpu_us_of_NAME`.
    host_foreign "host.foreign" {
        CPU_US "cpu_us" Counter CpuUs,
    }

    /// Block device of the data directory.
    host_disk "host.disk" {
        READS "reads" Counter Count,
        WRITES "writes" Counter Count,
        READS_MERGED "reads_merged" Counter Count,
        WRITES_MERGED "writes_merged" Counter Count,
        READ_BYTES "read_bytes" Counter Bytes,
        WRITTEN_BYTES "written_bytes" Counter Bytes,
        FLUSHES "flushes" Counter Count,
        READ_TIME_US "read_time_us" Counter Us,
        WRITE_TIME_US "write_time_us" Counter Us,
        FLUSH_TIME_US "flush_time_us" Counter Us,
        BUSY_US "busy_us" Counter Us,
        QUEUE_TIME_US "queue_time_us" Counter Us,
        IN_FLIGHT "in_flight" Gauge Count,
    }

    /// Block device below that of the data directory; with the figures of `host.disk`.
    host_disk_parent "host.disk.parent" {}

    /// Block device of the WAL, where that is another one; with the figures of `host.disk`.
    host_disk_wal "host.disk.wal" {}

    /// The agent on the server's host, which has gaps only.
    host_agent "host.agent" {}

    /// The database that the probes connect to, from `pg_stat_database`.
    pg_database "pg.database" {
        BACKENDS "backends" Gauge Count,
        COMMITS "commits" Counter Count,
        ROLLBACKS "rollbacks" Counter Count,
        BLOCKS_READ "blocks_read" Counter Count,
        BLOCKS_HIT "blocks_hit" Counter Count,
        TUPLES_RETURNED "tuples_returned" Counter Count,
        TUPLES_FETCHED "tuples_fetched" Counter Count,
        TUPLES_INSERTED "tuples_inserted" Counter Count,
        TUPLES_UPDATED "tuples_updated" Counter Count,
        TUPLES_DELETED "tuples_deleted" Counter Count,
        CONFLICTS "conflicts" Counter Count,
        TEMP_FILES "temp_files" Counter Count,
        TEMP_BYTES "temp_bytes" Counter Bytes,
        DEADLOCKS "deadlocks" Counter Count,
        CHECKSUM_FAILURES "checksum_failures" Counter Count,
        BLOCK_READ_TIME_US "block_read_time_us" Counter Us,
        BLOCK_WRITE_TIME_US "block_write_time_us" Counter Us,
        SESSION_TIME_US "session_time_us" Counter Us,
        ACTIVE_TIME_US "active_time_us" Counter Us,
        IDLE_IN_TRANSACTION_TIME_US "idle_in_transaction_time_us" Counter Us,
        SESSIONS "sessions" Counter Count,
        SESSIONS_ABANDONED "sessions_abandoned" Counter Count,
        SESSIONS_FATAL "sessions_fatal" Counter Count,
        SESSIONS_KILLED "sessions_killed" Counter Count,
        PARALLEL_WORKERS_TO_LAUNCH "parallel_workers_to_launch" Counter Count,
        PARALLEL_WORKERS_LAUNCHED "parallel_workers_launched" Counter Count,
    }

    /// `pg_stat_bgwriter`.
    pg_bgwriter "pg.bgwriter" {
        BUFFERS_CLEAN "buffers_clean" Counter Count,
        MAXWRITTEN_CLEAN "maxwritten_clean" Counter Count,
        BUFFERS_ALLOC "buffers_alloc" Counter Count,
        BUFFERS_BACKEND "buffers_backend" Counter Count,
        BUFFERS_BACKEND_FSYNC "buffers_backend_fsync" Counter Count,
    }

    /// `pg_stat_checkpointer`.
    pg_checkpointer "pg.checkpointer" {
        TIMED "timed" Counter Count,
        REQUESTED "requested" Counter Count,
        DONE "done" Counter Count,
        RESTARTPOINTS_TIMED "restartpoints_timed" Counter Count,
        RESTARTPOINTS_REQUESTED "restartpoints_requested" Counter Count,
        RESTARTPOINTS_DONE "restartpoints_done" Counter Count,
        WRITE_TIME_US "write_time_us" Counter Us,
        SYNC_TIME_US "sync_time_us" Counter Us,
        BUFFERS_WRITTEN "buffers_written" Counter Count,
        SLRU_BUFFERS_WRITTEN "slru_buffers_written" Counter Count,
    }

    /// `pg_stat_wal`.
    pg_wal "pg.wal" {
        RECORDS "records" Counter Count,
        FULL_PAGE_IMAGES "full_page_images" Counter Count,
        FULL_PAGE_IMAGE_BYTES "full_page_image_bytes" Counter Bytes,
        BYTES "bytes" Counter Bytes,
        BUFFERS_FULL "buffers_full" Counter Count,
        WRITES "writes" Counter Count,
        SYNCS "syncs" Counter Count,
        INIT_WRITES "init_writes" Counter Count,
        INIT_BYTES "init_bytes" Counter Bytes,
        WRITE_TIME_US "write_time_us" Counter Us,
        SYNC_TIME_US "sync_time_us" Counter Us,
    }

    /// `pg_stat_io`. Its figures have no constants: each is a series and what is counted of it (`client_reads`).
    pg_io "pg.io" {}

    /// Tables of the database.
    pg_tables "pg.tables" {
        LIVE_TUPLES "live_tuples" Gauge Count,
        DEAD_TUPLES "dead_tuples" Gauge Count,
        UPDATES "updates" Counter Count,
        HOT_UPDATES "hot_updates" Counter Count,
        SEQUENTIAL_SCANS "sequential_scans" Counter Count,
        SEQUENTIAL_TUPLES_READ "sequential_tuples_read" Counter Count,
        VACUUMS "vacuums" Counter Count,
        AUTOVACUUMS "autovacuums" Counter Count,
        AUTOANALYZES "autoanalyzes" Counter Count,
    }

    /// Locks that sessions wait for, and who blocks.
    pg_locks "pg.locks" {
        WAITING "waiting" Gauge Count,
        WAITING_FOR_ROWS "waiting_for_rows" Gauge Count,
        WAITING_FOR_RELATIONS "waiting_for_relations" Gauge Count,
        WAITING_FOR_EXTENSION "waiting_for_extension" Gauge Count,
        LONGEST_WAIT_US "longest_wait_us" Gauge Us,
        BLOCKERS "blockers" Gauge Count,
        BLOCKERS_IDLE "blockers_idle" Gauge Count,
        LONG_WAITS "long_waits" Counter Count,
        LONG_WAIT_US "long_wait_us" Counter Us,
        FAST_PATH_EXCEEDED "fast_path_exceeded" Counter Count,
    }

    /// What keeps vacuum from removing dead rows, in transactions.
    pg_horizon "pg.horizon" {
        HELD_BY_SESSIONS "held_by_sessions" Gauge Count,
        HELD_BY_SLOTS "held_by_slots" Gauge Count,
        HELD_BY_PREPARED "held_by_prepared" Gauge Count,
        OLDEST_TRANSACTION_US "oldest_transaction_us" Gauge Us,
        VACUUMS_RUNNING "vacuums_running" Gauge Count,
        PREPARED_TRANSACTIONS "prepared_transactions" Gauge Count,
        OLDEST_PREPARED_US "oldest_prepared_us" Gauge Us,
    }

    /// Standbys.
    pg_replication "pg.replication" {
        STANDBYS "standbys" Gauge Count,
        STREAMING_STANDBYS "streaming_standbys" Gauge Count,
        SYNCHRONOUS_STANDBYS "synchronous_standbys" Gauge Count,
        FLUSH_BEHIND_BYTES "flush_behind_bytes" Gauge Bytes,
        REPLAY_BEHIND_BYTES "replay_behind_bytes" Gauge Bytes,
        SYNCHRONOUS_FLUSH_LAG_US "synchronous_flush_lag_us" Gauge Us,
    }

    /// A standby that the load reads, and its primary.
    pg_standby "pg.standby" {
        AGE_US "age_us" Gauge Us,
        REPLAY_BEHIND_BYTES "replay_behind_bytes" Gauge Bytes,
        RECEIVE_BEHIND_BYTES "receive_behind_bytes" Gauge Bytes,
        CONFLICTS "conflicts" Counter Count,
    }

    /// Replication slots, what logical decoding did, and workers of subscriptions.
    pg_slots "pg.slots" {
        SLOTS "slots" Gauge Count,
        LOGICAL_SLOTS "logical_slots" Gauge Count,
        INACTIVE_SLOTS "inactive_slots" Gauge Count,
        RETAINED_BYTES "retained_bytes" Gauge Bytes,
        DECODED_TRANSACTIONS "decoded_transactions" Counter Count,
        DECODED_BYTES "decoded_bytes" Counter Bytes,
        SPILLED_BYTES "spilled_bytes" Counter Bytes,
        STREAMED_BYTES "streamed_bytes" Counter Bytes,
        SUBSCRIPTION_WORKERS "subscription_workers" Gauge Count,
    }

    /// Archived WAL files.
    pg_archiver "pg.archiver" {
        PENDING "pending" Gauge Count,
        ARCHIVED "archived" Counter Count,
        FAILED "failed" Counter Count,
    }

    /// Pools of a PgBouncer, from SHOW POOLS.
    pooler_pools "pooler.pools" {
        CLIENTS_ACTIVE "clients_active" Gauge Count,
        CLIENTS_WAITING "clients_waiting" Gauge Count,
        SERVERS_ACTIVE "servers_active" Gauge Count,
        SERVERS_IDLE "servers_idle" Gauge Count,
        LONGEST_WAIT_US "longest_wait_us" Gauge Us,
    }

    /// Totals of a PgBouncer, from SHOW STATS_TOTALS.
    pooler_stats "pooler.stats" {
        TRANSACTIONS "transactions" Counter Count,
        QUERIES "queries" Counter Count,
        TRANSACTION_TIME_US "transaction_time_us" Counter Us,
        QUERY_TIME_US "query_time_us" Counter Us,
        WAIT_TIME_US "wait_time_us" Counter Us,
    }
}
