-- Settings that somebody or something set, and those that are asked for ($1, in lower case); from PostgreSQL 14 on.
SELECT name,
       setting,
       unit,
       vartype,
       current_setting(name) AS shown,
       boot_val,
       source,
       pending_restart
  FROM pg_settings
 WHERE source <> 'default'
    OR lower(name) = ANY ($1)
 ORDER BY name
