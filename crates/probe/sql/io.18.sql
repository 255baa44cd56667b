-- pg.io, PostgreSQL 18: the series of 16. One read may be of several blocks, hence the bytes have columns of their own.
-- The object "wal" is in pg.wal.
SELECT
    (EXTRACT(EPOCH FROM pg_postmaster_start_time()) * 1000000)::bigint AS server_started_us,
    (EXTRACT(EPOCH FROM max(stats_reset)) * 1000000)::bigint AS stats_reset_us,
    CASE
        WHEN object = 'temp relation' THEN 'temp'
        WHEN context = 'vacuum' OR backend_type LIKE 'autovacuum%' THEN 'vacuum'
        WHEN context IN ('bulkread', 'bulkwrite') THEN 'bulk'
        WHEN backend_type = 'client backend' THEN 'client'
        WHEN backend_type = 'checkpointer' THEN 'checkpointer'
        WHEN backend_type = 'background writer' THEN 'bgwriter'
        ELSE 'other'
    END AS series,
    sum(reads)::bigint AS reads,
    sum(read_bytes)::bigint AS read_bytes,
    sum(writes)::bigint AS writes,
    sum(write_bytes)::bigint AS written_bytes,
    sum(extends)::bigint AS extends,
    sum(extend_bytes)::bigint AS extended_bytes,
    sum(hits)::bigint AS hits,
    sum(evictions)::bigint AS evictions,
    sum(reuses)::bigint AS reuses,
    sum(fsyncs)::bigint AS fsyncs,
    CASE WHEN current_setting('track_io_timing')::boolean THEN sum(read_time) * 1000 END AS read_time_us,
    CASE WHEN current_setting('track_io_timing')::boolean THEN sum(write_time) * 1000 END AS write_time_us,
    CASE WHEN current_setting('track_io_timing')::boolean THEN sum(extend_time) * 1000 END AS extend_time_us,
    CASE WHEN current_setting('track_io_timing')::boolean THEN sum(fsync_time) * 1000 END AS fsync_time_us
FROM pg_stat_io
WHERE object <> 'wal'
GROUP BY series
