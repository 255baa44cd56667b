-- The functions and procedures that somebody made, but for those of extensions: which of them they call, and which views
-- and policies of tables call them; no probe.
WITH own AS MATERIALIZED (
    SELECT
        pg_proc.oid,
        format('%I.%I(%s)', pg_namespace.nspname, pg_proc.proname, oidvectortypes(pg_proc.proargtypes)) AS name,
        quote_ident(pg_proc.proname) AS called,
        pg_proc.prorettype = 'trigger'::regtype AS by_trigger,
        concat_ws(
            chr(10), pg_language.lanname, pg_proc.provolatile, pg_proc.proparallel, pg_proc.proisstrict,
            pg_proc.prosecdef, pg_proc.proconfig,
            -- Comments and white space change nothing in these languages.
            CASE WHEN pg_language.lanname IN ('sql', 'plpgsql') THEN btrim(
                regexp_replace(
                    regexp_replace(pg_proc.prosrc, '--[^\n]*|/\*([^*]|\*+[^*/])*\*+/', ' ', 'g'), '\s+', ' ', 'g'
                )
            ) ELSE pg_proc.prosrc END
        ) AS source,
        pg_get_function_sqlbody(pg_proc.oid) AS body
    FROM pg_proc
    INNER JOIN pg_namespace ON pg_namespace.oid = pg_proc.pronamespace
    INNER JOIN pg_language ON pg_language.oid = pg_proc.prolang
    WHERE
        pg_proc.prokind IN ('f', 'p')
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
)

SELECT
    own.name,
    own.called,
    own.by_trigger,
    md5(own.source) AS source,
    md5(own.body) AS body,
    ARRAY(
        SELECT CASE WHEN word[1] LIKE '"%' THEN word[1] ELSE lower(word[1]) END
        FROM regexp_matches(concat_ws(chr(10), own.source, own.body), '("[^"]+"|[[:alnum:]_$]+)\s*\(', 'g') AS word
        INTERSECT
        SELECT other.called FROM own AS other WHERE other.oid <> own.oid
        ORDER BY 1
    ) AS calls,
    ARRAY(
        SELECT quote_ident(pg_class.relname)
        FROM pg_depend
        LEFT JOIN pg_rewrite ON pg_depend.classid = 'pg_rewrite'::regclass AND pg_rewrite.oid = pg_depend.objid
        LEFT JOIN pg_policy ON pg_depend.classid = 'pg_policy'::regclass AND pg_policy.oid = pg_depend.objid
        INNER JOIN pg_class ON pg_class.oid = coalesce(pg_rewrite.ev_class, pg_policy.polrelid)
        WHERE pg_depend.refclassid = 'pg_proc'::regclass AND pg_depend.refobjid = own.oid
        GROUP BY 1
        ORDER BY 1
    ) AS behind
FROM own
ORDER BY own.name
