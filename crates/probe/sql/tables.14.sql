-- pg.tables, PostgreSQL 14: what happened to the rows of the database's tables, and who cleaned up behind them.
-- The functions below pg_stat_user_tables, without the view's joins: objects that initdb did not make have numbers from 16384 on,
-- and the index on them leads to these alone.
SELECT
    sum(pg_stat_get_live_tuples(oid))::bigint AS live_tuples,
    sum(pg_stat_get_dead_tuples(oid))::bigint AS dead_tuples,
    sum(pg_stat_get_tuples_updated(oid))::bigint AS updates,
    sum(pg_stat_get_tuples_hot_updated(oid))::bigint AS hot_updates,
    sum(pg_stat_get_numscans(oid))::bigint AS sequential_scans,
    sum(pg_stat_get_tuples_returned(oid))::bigint AS sequential_tuples_read,
    sum(pg_stat_get_vacuum_count(oid))::bigint AS vacuums,
    sum(pg_stat_get_autovacuum_count(oid))::bigint AS autovacuums,
    sum(pg_stat_get_autoanalyze_count(oid))::bigint AS autoanalyzes,
    (EXTRACT(EPOCH FROM pg_postmaster_start_time()) * 1000000)::bigint AS server_started_us,
    (
        SELECT (EXTRACT(EPOCH FROM pg_stat_get_db_stat_reset_time(oid)) * 1000000)::bigint
        FROM pg_database
        WHERE datname = current_database()
    ) AS stats_reset_us
FROM pg_class
WHERE oid >= 16384
AND relkind IN ('r', 'm', 'p')
