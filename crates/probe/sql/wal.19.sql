-- pg.wal, PostgreSQL 19: with the bytes of full-page images. Writes and syncs are those of pg_stat_io. Only its context "normal" is what pg_stat_wal counted before;
-- "init" is the filling of new segments with zeros, which segments used again do not need. Times are measured only while track_wal_io_timing is on.
SELECT
    (EXTRACT(EPOCH FROM pg_postmaster_start_time()) * 1000000)::bigint AS server_started_us,
    (EXTRACT(EPOCH FROM GREATEST(wal.stats_reset, io.stats_reset)) * 1000000)::bigint AS stats_reset_us,
    wal.wal_records AS records,
    wal.wal_fpi AS full_page_images,
    wal.wal_bytes::bigint AS bytes,
    wal.wal_fpi_bytes::bigint AS full_page_image_bytes,
    wal.wal_buffers_full AS buffers_full,
    io.writes,
    io.syncs,
    io.init_writes,
    io.init_bytes,
    CASE WHEN current_setting('track_wal_io_timing')::boolean THEN io.write_time * 1000 END AS write_time_us,
    CASE WHEN current_setting('track_wal_io_timing')::boolean THEN io.sync_time * 1000 END AS sync_time_us
FROM pg_stat_wal AS wal
CROSS JOIN (
    SELECT
        (sum(writes) FILTER (WHERE context = 'normal'))::bigint AS writes,
        (sum(fsyncs) FILTER (WHERE context = 'normal'))::bigint AS syncs,
        sum(write_time) FILTER (WHERE context = 'normal') AS write_time,
        sum(fsync_time) FILTER (WHERE context = 'normal') AS sync_time,
        (sum(writes) FILTER (WHERE context = 'init'))::bigint AS init_writes,
        (sum(write_bytes) FILTER (WHERE context = 'init'))::bigint AS init_bytes,
        max(stats_reset) AS stats_reset
    FROM pg_stat_io
    WHERE object = 'wal'
) AS io
