-- What is warmed: the tables, materialised views and indexes of users, the small ones last, so that they stay where
-- not all have room. `ordered_by` is the primary key of a table, where it has one.
SELECT
    c.oid::bigint AS oid,
    c.oid::regclass::text AS name,
    c.relkind IN ('r', 'm') AS is_table,
    pg_relation_size(c.oid) AS bytes,
    (SELECT string_agg(pg_get_indexdef(i.indexrelid, k, true), ', ' ORDER BY k)
       FROM pg_index AS i, generate_series(1, i.indnkeyatts) AS k
      WHERE i.indrelid = c.oid AND i.indisprimary) AS ordered_by
FROM pg_class AS c
JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'm', 'i')
  AND c.relpersistence <> 't'
  AND n.nspname NOT IN ('pg_catalog', 'information_schema')
  AND n.nspname !~ '^pg_(toast|temp)'
  AND pg_relation_size(c.oid) > 0
ORDER BY bytes DESC, c.oid
