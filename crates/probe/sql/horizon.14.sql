-- pg.horizon, PostgreSQL 14: what keeps vacuum from removing dead rows, by who does it, as transactions begun since; the longest
-- open transaction of a session other than the load's; how many vacuums run; and prepared transactions. What the role may not see is absent.
-- Transactions of other databases hold back nothing in this one; those of standbys, which have no database, do.
WITH here AS MATERIALIZED (
    SELECT oid AS database FROM pg_database WHERE datname = current_database()
),
other AS MATERIALIZED (
    SELECT datid, application_name, backend_type, backend_xmin, xact_start, query = '<insufficient privilege>' AS hidden
    FROM pg_stat_get_activity(NULL)
    WHERE pid <> pg_backend_pid()
)
SELECT
    (
        SELECT max(age(backend_xmin))::bigint FROM other
        WHERE backend_type IS DISTINCT FROM 'autovacuum worker'
          AND (datid IS NULL OR datid = (SELECT database FROM here))
    ) AS held_by_sessions,
    (SELECT max(age(xmin))::bigint FROM pg_get_replication_slots()) AS held_by_slots,
    (
        SELECT max(age(transaction))::bigint FROM pg_prepared_xact() WHERE dbid = (SELECT database FROM here)
    ) AS held_by_prepared,
    (
        SELECT CASE WHEN NOT bool_or(hidden) THEN
            (EXTRACT(EPOCH FROM clock_timestamp() - min(xact_start) FILTER (
                WHERE backend_type = 'client backend' AND application_name NOT LIKE 'pgdyno-load%'
            )) * 1000000)::bigint
        END
        FROM other
    ) AS oldest_transaction_us,
    (SELECT count(*) FROM pg_stat_get_progress_info('VACUUM')) AS vacuums_running,
    (SELECT count(*) FROM pg_prepared_xact()) AS prepared_transactions,
    (
        SELECT (EXTRACT(EPOCH FROM clock_timestamp() - min(prepared)) * 1000000)::bigint FROM pg_prepared_xact()
    ) AS oldest_prepared_us,
    (EXTRACT(EPOCH FROM pg_postmaster_start_time()) * 1000000)::bigint AS server_started_us,
    NULL::bigint AS stats_reset_us
