-- What the server says about itself; from PostgreSQL 14 on.
-- The columns for the locale provider differ between versions, hence the detour over JSON.
SELECT version(),
       current_setting('server_version_num')::integer AS version_num,
       pg_is_in_recovery() AS in_recovery,
       (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint AS started_at_us,
       d.datname::text AS database,
       pg_database_size(d.oid) AS database_bytes,
       concat_ws(' ',
                 pg_encoding_to_char(d.encoding),
                 coalesce(to_jsonb(d) ->> 'datlocale', to_jsonb(d) ->> 'daticulocale', d.datcollate),
                 CASE to_jsonb(d) ->> 'datlocprovider' WHEN 'i' THEN 'icu' WHEN 'b' THEN 'builtin' ELSE 'libc' END
       ) AS locale,
       pg_has_role(current_user, 'pg_read_all_settings', 'USAGE') AS sees_all_settings,
       pg_has_role(current_user, 'pg_read_all_stats', 'USAGE') AS sees_all_statistics,
       '"' || replace(current_user::text, '"', '""') || '"' AS role,
       coalesce(has_table_privilege(to_regclass('pg_catalog.pg_config'), 'SELECT')
                AND has_function_privilege(to_regprocedure('pg_catalog.pg_config()'), 'EXECUTE'), false) AS sees_build
  FROM pg_database d
 WHERE d.datname = current_database()
