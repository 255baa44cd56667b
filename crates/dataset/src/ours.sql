-- The tables whose comment begins with $1 and that a name without a schema means.
SELECT c.relname::text AS name
  FROM pg_catalog.pg_class AS c
 WHERE c.relkind IN ('r', 'p')
   AND pg_catalog.pg_table_is_visible(c.oid)
   AND starts_with(pg_catalog.obj_description(c.oid, 'pg_class'), $1)
 ORDER BY c.relname
