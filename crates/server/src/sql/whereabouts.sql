-- The process that answers, and the data directory where the role may see it.
SELECT
    pg_backend_pid() AS backend_pid,
    CASE WHEN pg_has_role(current_user, 'pg_read_all_settings', 'USAGE') THEN current_setting('data_directory') END
        AS data_directory
