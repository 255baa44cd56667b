-- The tables of the database that are not the system's, by schema, and how many of them the role may read.
SELECT n.nspname::text AS schema,
       count(*) AS tables,
       count(*) FILTER (WHERE has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')) AS readable
  FROM pg_class c
  JOIN pg_namespace n ON n.oid = c.relnamespace
 WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
   AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
   AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.classid = 'pg_class'::regclass AND d.deptype = 'e')
 GROUP BY 1
 ORDER BY 1
