-- For whom the sessions of the load wait, asked only when some are seen waiting for a heavyweight lock; no probe. $1 is their
-- application_name. One waiter of each event speaks for all: asking for blockers locks the table of locks. Who waits behind another
-- session of the load that waits itself is behind whoever that one waits for, and so on. A prepared transaction that blocks has no
-- session and the process 0.
WITH RECURSIVE of_load AS MATERIALIZED (
    SELECT pid, query_start, wait_event_type, wait_event
    FROM pg_stat_get_activity(NULL)
    WHERE application_name = $1 AND backend_type = 'client backend'
),
waiting AS MATERIALIZED (
    SELECT DISTINCT ON (wait_event) pid, query_start, count(*) OVER (PARTITION BY wait_event) AS sessions
    FROM of_load
    WHERE wait_event_type = 'Lock'
    ORDER BY wait_event, query_start
),
locks AS MATERIALIZED (
    SELECT pid, locktype, database, relation, mode, granted
    FROM pg_locks
    WHERE EXISTS (SELECT FROM waiting)
),
queue (waiter, pid) AS (
    SELECT waiting.pid, ahead.pid
    FROM waiting
    CROSS JOIN LATERAL unnest(pg_blocking_pids(waiting.pid)) AS ahead (pid)
    UNION
    SELECT queue.waiter, ahead.pid
    FROM queue
    CROSS JOIN LATERAL unnest(pg_blocking_pids(queue.pid)) AS ahead (pid)
    WHERE queue.pid IN (SELECT of_load.pid FROM of_load)
),
blocking AS (
    SELECT waiter, pid
    FROM queue
    WHERE queue.pid NOT IN (SELECT of_load.pid FROM of_load WHERE of_load.wait_event_type = 'Lock')
)
SELECT
    waiting.sessions,
    wanted.locktype AS kind,
    wanted.mode,
    CASE
        WHEN wanted.database = (SELECT oid FROM pg_database WHERE datname = current_database())
            THEN wanted.relation::regclass::text
    END AS relation,
    (EXTRACT(EPOCH FROM clock_timestamp() - waiting.query_start) * 1000000)::bigint AS waits_us,
    blocking.pid AS holder,
    (
        SELECT max(held.mode)
        FROM locks AS held
        WHERE held.pid = blocking.pid AND held.granted AND held.relation = wanted.relation
    ) AS held_mode,
    blocker.application_name AS application,
    blocker.state,
    blocker.query AS statement,
    (EXTRACT(EPOCH FROM clock_timestamp() - blocker.xact_start) * 1000000)::bigint AS transaction_us,
    (EXTRACT(EPOCH FROM clock_timestamp() - statement_timestamp()) * 1000000)::bigint AS took_us
FROM waiting
INNER JOIN locks AS wanted ON wanted.pid = waiting.pid AND NOT wanted.granted
INNER JOIN blocking ON blocking.waiter = waiting.pid
LEFT JOIN LATERAL pg_stat_get_activity(blocking.pid) AS blocker ON blocking.pid <> 0
