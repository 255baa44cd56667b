-- How the server was built; from PostgreSQL 14 on. Superusers may see it, and roles to which that was granted.
SELECT name, setting
  FROM pg_config
 WHERE name IN ('VERSION', 'CONFIGURE', 'CFLAGS')
