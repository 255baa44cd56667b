-- What processes of the server do at this instant that are none of the load's sessions, of its parallel workers and of pgdyno, and
-- do not wait in their main loop: by kind, database and slot; no probe. $1 is the load's application_name. Of what the role may not see
-- the server tells no kind.
SELECT
    activity.backend_type AS kind,
    database.datname::text AS database,
    slot.slot_name::text AS slot,
    activity.wait_event_type AS wait_class,
    activity.wait_event AS wait_event,
    count(*) AS processes,
    current_user::text AS role
FROM pg_stat_get_activity(NULL) AS activity
    LEFT JOIN pg_database AS database ON database.oid = activity.datid
    LEFT JOIN pg_get_replication_slots() AS slot ON slot.active_pid = activity.pid
WHERE
    activity.application_name IS DISTINCT FROM $1
    AND coalesce(activity.application_name, '') NOT LIKE 'pgdyno%'
    AND coalesce(activity.state, '') NOT LIKE 'idle%'
    AND (activity.wait_event_type IS DISTINCT FROM 'Activity' OR activity.backend_type = 'walsender')
GROUP BY 1, 2, 3, 4, 5, 7
ORDER BY processes DESC
LIMIT 20
