-- pg.bgwriter, PostgreSQL 14 to 16: the background writer, and what backends had to write themselves.
-- The checkpoint columns of this view are pg.checkpointer, as from 17 on.
SELECT
    (EXTRACT(EPOCH FROM pg_postmaster_start_time()) * 1000000)::bigint AS server_started_us,
    (EXTRACT(EPOCH FROM stats_reset) * 1000000)::bigint AS stats_reset_us,
    buffers_clean,
    maxwritten_clean,
    buffers_alloc,
    buffers_backend,
    buffers_backend_fsync
FROM pg_stat_bgwriter
