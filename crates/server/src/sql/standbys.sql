-- Who follows the server; from PostgreSQL 14 on. Columns are NULL for roles that may not see them.
SELECT application_name, state, sync_state
  FROM pg_stat_replication
 WHERE state IS DISTINCT FROM 'backup'
 ORDER BY application_name, sync_state
