-- What was done in the database since its statistics began: pages of its tables and indexes that were looked for in the
-- buffers, without those of the system catalogs, which the questions of pgdyno read as well, and bytes of temporary files.
SELECT
    pg_stat_database.blks_hit + pg_stat_database.blks_read - (
        SELECT coalesce(sum(pg_stat_get_blocks_fetched(pg_class.oid)), 0)::bigint
        FROM pg_class
        -- The catalogs that all databases share are not counted in the database.
        WHERE pg_class.oid < 16384 AND NOT pg_class.relisshared
    ) AS pages,
    pg_stat_database.temp_bytes
FROM pg_stat_database
WHERE pg_stat_database.datname = current_database()
