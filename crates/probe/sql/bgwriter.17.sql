-- pg.bgwriter, PostgreSQL 17: what backends wrote is in pg.io from here on.
SELECT
    (EXTRACT(EPOCH FROM pg_postmaster_start_time()) * 1000000)::bigint AS server_started_us,
    (EXTRACT(EPOCH FROM stats_reset) * 1000000)::bigint AS stats_reset_us,
    buffers_clean,
    maxwritten_clean,
    buffers_alloc
FROM pg_stat_bgwriter
