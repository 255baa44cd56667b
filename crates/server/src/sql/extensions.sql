-- The extensions of the database; from PostgreSQL 14 on.
SELECT extname::text AS name, extversion AS version
  FROM pg_extension
 ORDER BY extname
