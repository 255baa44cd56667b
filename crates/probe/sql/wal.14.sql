-- pg.wal, PostgreSQL 14 to 17. Times are measured only while track_wal_io_timing is on.
SELECT
    (EXTRACT(EPOCH FROM pg_postmaster_start_time()) * 1000000)::bigint AS server_started_us,
    (EXTRACT(EPOCH FROM stats_reset) * 1000000)::bigint AS stats_reset_us,
    wal_records AS records,
    wal_fpi AS full_page_images,
    wal_bytes::bigint AS bytes,
    wal_buffers_full AS buffers_full,
    wal_write AS writes,
    wal_sync AS syncs,
    CASE WHEN current_setting('track_wal_io_timing')::boolean THEN wal_write_time * 1000 END AS write_time_us,
    CASE WHEN current_setting('track_wal_io_timing')::boolean THEN wal_sync_time * 1000 END AS sync_time_us
FROM pg_stat_wal
