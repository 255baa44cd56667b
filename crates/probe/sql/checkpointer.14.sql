-- pg.checkpointer, PostgreSQL 14 to 16: from pg_stat_bgwriter, under the names of 17. Restartpoints count as checkpoints.
-- The times are added when a checkpoint ends, the buffers while it writes.
SELECT
    (EXTRACT(EPOCH FROM pg_postmaster_start_time()) * 1000000)::bigint AS server_started_us,
    (EXTRACT(EPOCH FROM stats_reset) * 1000000)::bigint AS stats_reset_us,
    checkpoints_timed AS timed,
    checkpoints_req AS requested,
    checkpoint_write_time * 1000 AS write_time_us,
    checkpoint_sync_time * 1000 AS sync_time_us,
    buffers_checkpoint AS buffers_written
FROM pg_stat_bgwriter
