-- Who is connected besides us; from PostgreSQL 14 on. States are NULL for roles that may not see them.
SELECT nullif(application_name, '') AS application_name, usename::text AS role, count(*) AS count,
       count(*) FILTER (WHERE state = 'idle') AS idle
  FROM pg_stat_activity
 WHERE usename IS NOT NULL
   AND coalesce(backend_type, 'client backend') = 'client backend'
   AND pid <> pg_backend_pid()
   AND pid NOT IN (SELECT pid FROM pg_stat_replication)
 GROUP BY 1, 2
 ORDER BY 3 DESC, 1, 2
