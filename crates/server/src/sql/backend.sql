-- The process that answers, since when it is there, and the data directory where the role may see it.
SELECT
    pg_backend_pid() AS backend_pid,
    (SELECT (extract(epoch FROM backend_start) * 1000000)::bigint FROM pg_stat_activity WHERE pid = pg_backend_pid())
        AS backend_started_us,
    CASE WHEN pg_has_role(current_user, 'pg_read_all_settings', 'USAGE') THEN current_setting('data_directory') END
        AS data_directory
