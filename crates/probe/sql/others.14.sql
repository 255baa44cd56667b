-- Which sessions are connected at this instant that are neither the load's nor pgdyno's, by their name: those at work, and those that are
-- idle, by the command of their last statement; no probe. $1 is the load's application_name, which its parallel workers have, too. A base
-- backup is sent by a process of its own. Of what the role may not see the server tells neither kind nor state.
SELECT
    coalesce(application_name, '') AS application,
    state IS NULL AS hidden,
    coalesce(state, '') = 'idle' AS idle,
    count(*) AS sessions,
    count(*) FILTER (WHERE wait_event_type = 'IO') AS waiting_for_io,
    count(*) FILTER (WHERE wait_event_type IS NULL) AS running,
    coalesce(max(query), '') AS statement,
    current_user::text AS role
FROM pg_stat_get_activity(NULL)
WHERE
    (
        (state = 'active' AND backend_type IN ('client backend', 'parallel worker'))
        OR (state = 'active' AND backend_type = 'walsender' AND query LIKE 'BASE\_BACKUP%')
        OR (state = 'idle' AND backend_type = 'client backend')
        OR (state IS NULL AND backend_type IS NULL AND usesysid IS NOT NULL)
    )
    AND application_name IS DISTINCT FROM $1
    AND application_name NOT LIKE 'pgdyno%'
GROUP BY 1, 2, 3, CASE WHEN state = 'idle' THEN upper(split_part(query, ' ', 1)) END
ORDER BY idle, sessions DESC
LIMIT 10
