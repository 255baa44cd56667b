-- pg.locks, PostgreSQL 14: who waits for a lock, of which kind, at the instant of the reading, and who blocks those that wait
-- longest: how many sessions, and how many of these do nothing in an open transaction. Asking for blockers locks the table of
-- locks, hence it is done for five at most. A prepared transaction that blocks has no session.
-- Even reading that table takes all its locks and looks at every connection that there could be (4 ms where there could be 6000), so
-- it is not read while all sessions can be seen and none waits for a lock.
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
    (EXTRACT(EPOCH FROM pg_postmaster_start_time()) * 1000000)::bigint AS server_started_us,
    NULL::bigint AS stats_reset_us
