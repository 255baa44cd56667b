-- What the role of the session may do; from PostgreSQL 14 on. Reads catalogs alone. NULL: this version has no such right.
SELECT current_user::text AS role,
       current_database()::text AS database,
       version() AS version,
       current_setting('server_version_num')::integer AS version_num,
       r.rolsuper AS is_superuser,
       r.rolcreatedb AS creates_databases,
       pg_is_in_recovery() AS in_recovery,
       current_schema()::text AS schema,
       coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS creates_in_schema,
       has_database_privilege(current_database(), 'CREATE') AS creates_in_database,
       (SELECT pg_has_role(current_user, oid, 'USAGE') FROM pg_roles WHERE rolname = 'pg_read_all_stats')
           AS reads_all_stats,
       (SELECT pg_has_role(current_user, oid, 'USAGE') FROM pg_roles WHERE rolname = 'pg_read_all_settings')
           AS reads_all_settings,
       (SELECT pg_has_role(current_user, oid, 'USAGE') FROM pg_roles WHERE rolname = 'pg_monitor') AS monitors,
       (SELECT pg_has_role(current_user, oid, 'USAGE') FROM pg_roles WHERE rolname = 'pg_checkpoint') AS checkpoints,
       current_setting('logging_collector') = 'on' AS collects_log,
       has_function_privilege('pg_catalog.pg_ls_logdir()', 'EXECUTE') AS lists_log_files,
       has_function_privilege('pg_catalog.pg_read_binary_file(text,bigint,bigint,boolean)', 'EXECUTE')
           AS reads_binary_files,
       coalesce(has_table_privilege(to_regclass('pg_catalog.pg_config'), 'SELECT')
                AND has_function_privilege(to_regprocedure('pg_catalog.pg_config()'), 'EXECUTE'), false) AS reads_build,
       EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_stat_statements') AS has_statements,
       EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_stat_statements') AS offers_statements,
       -- Its settings are there as soon as its library is loaded.
       current_setting('pg_stat_statements.max', true) IS NOT NULL AS loads_statements,
       to_regproc('pg_catalog.aurora_version') IS NOT NULL AS is_aurora
  FROM pg_roles r
 WHERE r.rolname = current_user
