-- How the functions and procedures are declared that somebody made, but for those of extensions; no probe.
SELECT
    NULL::text AS table_name,
    format('%I.%I(%s)', pg_namespace.nspname, pg_proc.proname, oidvectortypes(pg_proc.proargtypes)) AS name,
    NULL::text AS definition,
    jsonb_strip_nulls(
        jsonb_build_object(
            'language', pg_language.lanname,
            'volatility', CASE pg_proc.provolatile WHEN 'i' THEN 'immutable' WHEN 's' THEN 'stable' ELSE 'volatile' END,
            'parallel', CASE pg_proc.proparallel WHEN 's' THEN 'safe' WHEN 'r' THEN 'restricted' ELSE 'unsafe' END,
            'cost', pg_proc.procost,
            'rows', nullif(pg_proc.prorows, 0),
            'leakproof', nullif(pg_proc.proleakproof, FALSE),
            'strict', nullif(pg_proc.proisstrict, FALSE),
            'security definer', nullif(pg_proc.prosecdef, FALSE),
            -- Comments and white space change nothing in these languages.
            'source', md5(CASE WHEN pg_language.lanname IN ('sql', 'plpgsql') THEN btrim(
                regexp_replace(
                    regexp_replace(pg_proc.prosrc, '--[^\n]*|/\*([^*]|\*+[^*/])*\*+/', ' ', 'g'), '\s+', ' ', 'g'
                )
            ) ELSE pg_proc.prosrc END)
        )
        || coalesce((
            SELECT jsonb_object_agg('setting ' || split_part(kept, '=', 1), substr(kept, strpos(kept, '=') + 1))
            FROM unnest(pg_proc.proconfig) AS kept
            WHERE kept !~* '(pass|secret|token|key|credential)'
        ), '{}')
    )::text AS facts
FROM pg_proc
INNER JOIN pg_namespace ON pg_namespace.oid = pg_proc.pronamespace
INNER JOIN pg_language ON pg_language.oid = pg_proc.prolang
WHERE
    pg_proc.prokind IN ('f', 'p')
    AND pg_namespace.nspname NOT IN ('pg_catalog', 'information_schema')
    AND pg_namespace.nspname NOT LIKE 'pg\_temp\_%'
    AND NOT EXISTS (
        SELECT
        FROM pg_depend
        WHERE
            pg_depend.classid = 'pg_proc'::regclass
            AND pg_depend.objid = pg_proc.oid
            AND pg_depend.deptype = 'e'
    )
ORDER BY name
LIMIT 500
