-- How often the page of each sequence of the database was looked at since its statistics began, of those that were; no probe.
SELECT
    pg_class.oid,
    format('%I.%I', pg_namespace.nspname, pg_class.relname) AS name,
    pg_sequence.seqcache AS cache,
    pg_stat_get_blocks_fetched(pg_class.oid) AS pages_read
FROM pg_sequence
INNER JOIN pg_class ON pg_class.oid = pg_sequence.seqrelid
INNER JOIN pg_namespace ON pg_namespace.oid = pg_class.relnamespace
WHERE pg_stat_get_blocks_fetched(pg_class.oid) > 0
