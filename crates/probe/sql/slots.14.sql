-- pg.slots, PostgreSQL 14: replication slots, how many are used by nobody, and the WAL that the last of them keeps; what logical
-- decoding has done for all of them; and the workers of this server's own subscriptions. Everybody may see these.
SELECT
    count(slot.slot_name) AS slots,
    count(*) FILTER (WHERE slot.slot_type = 'logical') AS logical_slots,
    count(*) FILTER (WHERE NOT slot.active) AS inactive_slots,
    max(pg_wal_lsn_diff(newest.lsn, slot.restart_lsn))::bigint AS retained_bytes,
    (SELECT coalesce(sum(total_txns), 0)::bigint FROM pg_stat_replication_slots) AS decoded_transactions,
    (SELECT coalesce(sum(total_bytes), 0)::bigint FROM pg_stat_replication_slots) AS decoded_bytes,
    (SELECT coalesce(sum(spill_bytes), 0)::bigint FROM pg_stat_replication_slots) AS spilled_bytes,
    (SELECT coalesce(sum(stream_bytes), 0)::bigint FROM pg_stat_replication_slots) AS streamed_bytes,
    (SELECT count(pid) FROM pg_stat_get_subscription(NULL)) AS subscription_workers,
    (EXTRACT(EPOCH FROM pg_postmaster_start_time()) * 1000000)::bigint AS server_started_us,
    (SELECT (EXTRACT(EPOCH FROM max(stats_reset)) * 1000000)::bigint FROM pg_stat_replication_slots) AS stats_reset_us
FROM (
    SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_receive_lsn() ELSE pg_current_wal_lsn() END AS lsn
) AS newest
    LEFT JOIN pg_get_replication_slots() AS slot ON true
