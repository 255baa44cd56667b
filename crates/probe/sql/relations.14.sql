-- What was done to each table and index of the database since its statistics began, of those that were touched at all; no probe.
-- The functions below pg_stat_user_tables and pg_stat_user_indexes, as in tables.14.sql.
SELECT *
FROM (
    SELECT
        pg_class.oid,
        pg_index.indrelid AS table_oid,
        pg_stat_get_numscans(pg_class.oid) AS scans,
        pg_stat_get_tuples_returned(pg_class.oid) AS rows_read,
        pg_stat_get_tuples_inserted(pg_class.oid)
        + pg_stat_get_tuples_updated(pg_class.oid)
        + pg_stat_get_tuples_deleted(pg_class.oid) AS rows_changed,
        pg_stat_get_live_tuples(pg_class.oid) AS live_rows,
        pg_stat_get_dead_tuples(pg_class.oid) AS dead_rows,
        pg_stat_get_blocks_fetched(pg_class.oid) AS pages_read,
        pg_stat_get_mod_since_analyze(pg_class.oid) AS changed_since_analyze,
        (
            EXTRACT(
                EPOCH FROM
                greatest(pg_stat_get_last_analyze_time(pg_class.oid), pg_stat_get_last_autoanalyze_time(pg_class.oid))
            ) * 1000000
        )::bigint AS analyzed_us,
        (
            SELECT (EXTRACT(EPOCH FROM pg_stat_get_db_stat_reset_time(pg_database.oid)) * 1000000)::bigint
            FROM pg_database
            WHERE pg_database.datname = current_database()
        ) AS stats_reset_us
    FROM pg_class
    LEFT JOIN pg_index ON pg_index.indexrelid = pg_class.oid
    WHERE pg_class.oid >= 16384
    AND pg_class.relkind IN ('r', 'm', 'i')
) AS counted
WHERE scans + rows_changed + pages_read > 0
