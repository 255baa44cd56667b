-- What the sessions of the load are doing at this instant: how many, and which, are in each state, wait and query, and how long it took the server
-- to find out, in microseconds. $1 is their application_name.
-- The function below pg_stat_activity, without the view's joins, since it is asked many times a second.
WITH seen AS MATERIALIZED (
    SELECT
        coalesce(state, 'hidden') AS state,
        CASE WHEN state IS NOT NULL THEN wait_event_type END AS wait_class,
        CASE WHEN state IS NOT NULL THEN wait_event END AS wait_event,
        CASE WHEN state = 'active' THEN query_id END AS query_id,
        count(*) AS sessions,
        array_agg(pid) AS pids
    FROM pg_stat_get_activity(NULL)
    WHERE application_name = $1 AND backend_type = 'client backend'
    GROUP BY 1, 2, 3, 4
)
SELECT
    state,
    wait_class,
    wait_event,
    query_id,
    sessions,
    pids,
    (EXTRACT(EPOCH FROM clock_timestamp() - statement_timestamp()) * 1000000)::bigint AS took_us
FROM seen
