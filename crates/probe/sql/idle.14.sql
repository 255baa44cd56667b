-- Which sessions are connected and idle at this instant that are neither the load's nor pgdyno's, by their name and the command of their last
-- statement; no probe. $1 is the load's application_name. Sessions of other roles, whose state the role may not see, are left out.
SELECT
    coalesce(application_name, '') AS application,
    count(*) AS sessions,
    coalesce(max(query), '') AS statement
FROM pg_stat_get_activity(NULL)
WHERE
    state = 'idle'
    AND backend_type = 'client backend'
    AND application_name IS DISTINCT FROM $1
    AND application_name NOT LIKE 'pgdyno%'
GROUP BY application_name, upper(split_part(query, ' ', 1))
ORDER BY sessions DESC
LIMIT 5
