-- The views that read the tables with these numbers, directly or through other views; no probe.
WITH RECURSIVE reading AS (
    SELECT unnest($1::oid[]) AS oid
    UNION
    SELECT pg_rewrite.ev_class
    FROM reading
    INNER JOIN pg_depend
        ON pg_depend.refclassid = 'pg_class'::regclass
        AND pg_depend.refobjid = reading.oid
        AND pg_depend.classid = 'pg_rewrite'::regclass
    INNER JOIN pg_rewrite ON pg_rewrite.oid = pg_depend.objid
)

SELECT
    NULL::text AS table_name,
    format('%I.%I', pg_namespace.nspname, pg_class.relname) AS name,
    NULL::text AS definition,
    (
        jsonb_build_object('definition', md5(regexp_replace(pg_get_viewdef(pg_class.oid), '\s+', ' ', 'g')))
        || coalesce((
            SELECT jsonb_object_agg('option ' || split_part(kept, '=', 1), substr(kept, strpos(kept, '=') + 1))
            FROM unnest(pg_class.reloptions) AS kept
        ), '{}')
    )::text AS facts
FROM reading
INNER JOIN pg_class ON pg_class.oid = reading.oid
INNER JOIN pg_namespace ON pg_namespace.oid = pg_class.relnamespace
WHERE pg_class.relkind = 'v'
ORDER BY name
LIMIT 200
