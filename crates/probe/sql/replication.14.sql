-- pg.replication, PostgreSQL 14: how many standbys there are, how far behind the last of them is, and how long the last flush
-- that a synchronous one confirmed took to be confirmed. A role without pg_monitor sees that there are some and nothing else.
SELECT
    count(pid) AS standbys,
    count(*) FILTER (WHERE state = 'streaming') AS streaming_standbys,
    count(*) FILTER (WHERE sync_state IN ('sync', 'quorum')) AS synchronous_standbys,
    max(pg_wal_lsn_diff(newest.lsn, flush_lsn))::bigint AS flush_behind_bytes,
    max(pg_wal_lsn_diff(newest.lsn, replay_lsn))::bigint AS replay_behind_bytes,
    (EXTRACT(EPOCH FROM max(flush_lag) FILTER (WHERE sync_state IN ('sync', 'quorum'))) * 1000000)::bigint
        AS synchronous_flush_lag_us,
    count(pid) > count(state) AS hidden,
    (EXTRACT(EPOCH FROM pg_postmaster_start_time()) * 1000000)::bigint AS server_started_us,
    NULL::bigint AS stats_reset_us
FROM (
    SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_receive_lsn() ELSE pg_current_wal_lsn() END AS lsn
) AS newest
    LEFT JOIN pg_stat_replication ON true
