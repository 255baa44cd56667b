-- pg.database, PostgreSQL 14 to 17: the database that the probe is connected to.
-- Block times are measured only while track_io_timing is on; checksum failures only where checksums are.
SELECT
    (EXTRACT(EPOCH FROM pg_postmaster_start_time()) * 1000000)::bigint AS server_started_us,
    (EXTRACT(EPOCH FROM stats_reset) * 1000000)::bigint AS stats_reset_us,
    numbackends::bigint AS backends,
    xact_commit AS commits,
    xact_rollback AS rollbacks,
    blks_read AS blocks_read,
    blks_hit AS blocks_hit,
    tup_returned AS tuples_returned,
    tup_fetched AS tuples_fetched,
    tup_inserted AS tuples_inserted,
    tup_updated AS tuples_updated,
    tup_deleted AS tuples_deleted,
    conflicts,
    temp_files,
    temp_bytes,
    deadlocks,
    checksum_failures,
    CASE WHEN current_setting('track_io_timing')::boolean THEN blk_read_time * 1000 END AS block_read_time_us,
    CASE WHEN current_setting('track_io_timing')::boolean THEN blk_write_time * 1000 END AS block_write_time_us,
    session_time * 1000 AS session_time_us,
    active_time * 1000 AS active_time_us,
    idle_in_transaction_time * 1000 AS idle_in_transaction_time_us,
    sessions,
    sessions_abandoned,
    sessions_fatal,
    sessions_killed
FROM pg_stat_database
WHERE datname = current_database()
