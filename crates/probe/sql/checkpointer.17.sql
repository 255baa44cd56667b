-- pg.checkpointer, PostgreSQL 17. Timed counts those that were skipped because the server was idle.
SELECT
    (EXTRACT(EPOCH FROM pg_postmaster_start_time()) * 1000000)::bigint AS server_started_us,
    (EXTRACT(EPOCH FROM stats_reset) * 1000000)::bigint AS stats_reset_us,
    num_timed AS timed,
    num_requested AS requested,
    restartpoints_timed,
    restartpoints_req AS restartpoints_requested,
    restartpoints_done,
    write_time * 1000 AS write_time_us,
    sync_time * 1000 AS sync_time_us,
    buffers_written
FROM pg_stat_checkpointer
