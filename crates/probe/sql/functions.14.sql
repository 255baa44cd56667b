-- The functions and procedures that somebody made, but for those of extensions and those that only triggers call; no probe.
SELECT
    format('%I.%I(%s)', pg_namespace.nspname, pg_proc.proname, oidvectortypes(pg_proc.proargtypes)) AS name,
    quote_ident(pg_proc.proname) AS called,
    md5(
        concat_ws(
            chr(10), pg_language.lanname, pg_proc.provolatile, pg_proc.proparallel, pg_proc.proisstrict,
            pg_proc.prosecdef, pg_proc.proconfig, pg_proc.prosrc
        )
    ) AS source,
    md5(pg_get_function_sqlbody(pg_proc.oid)) AS body
FROM pg_proc
INNER JOIN pg_namespace ON pg_namespace.oid = pg_proc.pronamespace
INNER JOIN pg_language ON pg_language.oid = pg_proc.prolang
WHERE
    pg_proc.prokind IN ('f', 'p')
    AND pg_proc.prorettype <> 'trigger'::regtype
    AND pg_namespace.nspname NOT IN ('pg_catalog', 'information_schema')
    AND pg_namespace.nspname NOT LIKE 'pg\_temp\_%'
    AND NOT EXISTS (
        SELECT FROM pg_depend
        WHERE
            pg_depend.classid = 'pg_proc'::regclass
            AND pg_depend.objid = pg_proc.oid
            AND pg_depend.deptype = 'e'
    )
ORDER BY name
LIMIT 1000
