-- pg.locks, PostgreSQL 19: as before, and what pg_stat_lock counts: waits that lasted longer than deadlock_timeout, those alone,
-- and locks of tables for which a session had no fast-path slot left. Shorter waits are in no counter of the server.
WITH waiting AS MATERIALIZED (
    SELECT pid, locktype, waitstart
    FROM pg_locks
    WHERE NOT granted
    AND (
        SELECT count(*) > 0
        FROM pg_stat_get_activity(NULL)
        WHERE wait_event_type = 'Lock' OR backend_type IS NULL
    )
),
blocking AS (
    SELECT DISTINCT unnest(pg_blocking_pids(longest.pid)) AS pid
    FROM (SELECT pid FROM waiting ORDER BY waitstart LIMIT 5) AS longest
)
SELECT
    (SELECT count(*) FROM waiting) AS waiting,
    (SELECT count(*) FROM waiting WHERE locktype IN ('transactionid', 'tuple')) AS waiting_for_rows,
    (SELECT count(*) FROM waiting WHERE locktype = 'relation') AS waiting_for_relations,
    (SELECT count(*) FROM waiting WHERE locktype = 'extend') AS waiting_for_extension,
    (SELECT (EXTRACT(EPOCH FROM clock_timestamp() - min(waitstart)) * 1000000)::bigint FROM waiting) AS longest_wait_us,
    (SELECT count(*) FROM blocking WHERE pid <> 0) AS blockers,
    (
        SELECT count(*)
        FROM blocking
        CROSS JOIN LATERAL pg_stat_get_activity(blocking.pid) AS activity
        WHERE blocking.pid <> 0 AND activity.state LIKE 'idle in transaction%'
    ) AS blockers_idle,
    lasting.long_waits,
    lasting.long_wait_us,
    lasting.fast_path_exceeded,
    (EXTRACT(EPOCH FROM pg_postmaster_start_time()) * 1000000)::bigint AS server_started_us,
    lasting.stats_reset_us
FROM (
    SELECT
        sum(waits)::bigint AS long_waits,
        sum(wait_time) * 1000 AS long_wait_us,
        sum(fastpath_exceeded)::bigint AS fast_path_exceeded,
        (EXTRACT(EPOCH FROM max(stats_reset)) * 1000000)::bigint AS stats_reset_us
    FROM pg_stat_lock
) AS lasting
