-- The triggers of the tables with these numbers, but for those of constraints; no probe.
SELECT
    format('%I.%I', pg_namespace.nspname, pg_class.relname) AS table_name,
    quote_ident(pg_trigger.tgname) AS name,
    replace(
        pg_get_triggerdef(pg_trigger.oid), 'TRIGGER ' || quote_ident(pg_trigger.tgname) || ' ', 'TRIGGER '
    ) AS definition,
    jsonb_strip_nulls(
        jsonb_build_object(
            'enabled', CASE pg_trigger.tgenabled WHEN 'D' THEN 'no' WHEN 'R' THEN 'replica' WHEN 'A' THEN 'always' END,
            'deferrable', nullif(pg_trigger.tgdeferrable, FALSE),
            'deferred', nullif(pg_trigger.tginitdeferred, FALSE),
            -- Comments and white space change nothing in PL/pgSQL.
            'function', md5(CASE pg_language.lanname WHEN 'plpgsql' THEN btrim(
                regexp_replace(
                    regexp_replace(pg_proc.prosrc, '--[^\n]*|/\*([^*]|\*+[^*/])*\*+/', ' ', 'g'), '\s+', ' ', 'g'
                )
            ) ELSE pg_proc.prosrc END)
        )
    )::text AS facts
FROM pg_trigger
INNER JOIN pg_class ON pg_class.oid = pg_trigger.tgrelid
INNER JOIN pg_namespace ON pg_namespace.oid = pg_class.relnamespace
INNER JOIN pg_proc ON pg_proc.oid = pg_trigger.tgfoid
INNER JOIN pg_language ON pg_language.oid = pg_proc.prolang
WHERE pg_trigger.tgrelid = ANY ($1) AND NOT pg_trigger.tgisinternal
ORDER BY table_name, name
LIMIT 500
