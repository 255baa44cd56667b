-- pg.tables, PostgreSQL 14: what happened to the rows of the database's tables, and who cleaned up behind them.
-- gauges: live_tuples, dead_tuples
SELECT
    sum(n_live_tup)::bigint AS live_tuples,
    sum(n_dead_tup)::bigint AS dead_tuples,
    sum(n_tup_upd)::bigint AS updates,
    sum(n_tup_hot_upd)::bigint AS hot_updates,
    sum(seq_scan)::bigint AS sequential_scans,
    sum(seq_tup_read)::bigint AS sequential_tuples_read,
    sum(vacuum_count)::bigint AS vacuums,
    sum(autovacuum_count)::bigint AS autovacuums,
    sum(autoanalyze_count)::bigint AS autoanalyzes,
    (EXTRACT(EPOCH FROM pg_postmaster_start_time()) * 1000000)::bigint AS server_started_us,
    (
        SELECT (EXTRACT(EPOCH FROM stats_reset) * 1000000)::bigint
        FROM pg_stat_database
        WHERE datname = current_database()
    ) AS stats_reset_us
FROM pg_stat_user_tables
