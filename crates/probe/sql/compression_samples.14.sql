-- For each of the tables with these numbers that can have compressed values, a query that says by which methods those of
-- a few pages are; no probe. A row that never exceeds 2 kB is never compressed, and a table of such rows has no TOAST
-- table. A sample is no scan of the table in the server's statistics, and no value of a row leaves the server.
SELECT
    pg_class.oid,
    format('%I.%I', pg_namespace.nspname, pg_class.relname) AS table_name,
    format(
        'SELECT column_name, string_agg(DISTINCT method, '', '' ORDER BY method) AS methods'
        ' FROM (SELECT * FROM ONLY %I.%I TABLESAMPLE SYSTEM (%s) LIMIT 2000) AS sampled'
        ' CROSS JOIN LATERAL (VALUES %s) AS of_column (column_name, method) GROUP BY column_name',
        pg_namespace.nspname,
        pg_class.relname,
        -- 16 pages.
        least(100, 1600 / greatest(1, pg_relation_size(pg_class.oid) / current_setting('block_size')::double precision)),
        string_agg(
            format('(%L, pg_column_compression(sampled.%I))', quote_ident(pg_attribute.attname), pg_attribute.attname),
            ', ' ORDER BY pg_attribute.attnum
        )
    ) AS query
FROM pg_class
INNER JOIN pg_namespace ON pg_namespace.oid = pg_class.relnamespace
INNER JOIN pg_am ON pg_am.oid = pg_class.relam AND pg_am.amname = 'heap'
INNER JOIN pg_attribute ON pg_attribute.attrelid = pg_class.oid
WHERE
    pg_class.oid = ANY ($1)
    AND pg_class.relkind IN ('r', 'm')
    AND pg_class.relpersistence <> 't'
    AND pg_class.reltoastrelid <> 0
    AND pg_attribute.attnum BETWEEN 1 AND 150
    AND NOT pg_attribute.attisdropped
    AND pg_attribute.attlen = -1
    AND pg_attribute.attstorage IN ('m', 'x')
    AND has_table_privilege(pg_class.oid, 'SELECT')
    AND NOT row_security_active(pg_class.oid)
GROUP BY pg_class.oid, pg_namespace.nspname, pg_class.relname
ORDER BY pg_class.oid
