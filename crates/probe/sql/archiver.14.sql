-- pg.archiver, PostgreSQL 14: WAL files handed to archive_command or archive_library, and how many whole ones wait for it: those
-- after the last that was archived, which is unknown before the first one is.
SELECT
    CASE
        WHEN last_archived_wal ~ '^[0-9A-F]{24}$' AND NOT pg_is_in_recovery() THEN GREATEST(
            0,
            floor(pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') / segment.bytes)::bigint
            - ('x' || substr(last_archived_wal, 9, 8))::bit(32)::bigint * (4294967296 / segment.bytes)
            - ('x' || substr(last_archived_wal, 17, 8))::bit(32)::bigint
            - 1
        )
    END AS pending,
    archived_count AS archived,
    failed_count AS failed,
    (EXTRACT(EPOCH FROM pg_postmaster_start_time()) * 1000000)::bigint AS server_started_us,
    (EXTRACT(EPOCH FROM stats_reset) * 1000000)::bigint AS stats_reset_us
FROM pg_stat_archiver
-- Not from pg_settings, which makes rows of all settings first: that took twenty times as long as all of the rest.
CROSS JOIN (SELECT pg_size_bytes(current_setting('wal_segment_size')) AS bytes) AS segment
