-- What is done besides when rows of the tables with these numbers are written; no probe. Something that is being dropped
-- at this moment has a number and no definition, and is left out.
SELECT *
FROM (
    SELECT
        pg_trigger.tgrelid AS oid,
        quote_ident(pg_trigger.tgname) AS name,
        pg_get_triggerdef(pg_trigger.oid) AS definition,
        -- Comments and white space change nothing in PL/pgSQL.
        md5(CASE pg_language.lanname WHEN 'plpgsql' THEN btrim(
            regexp_replace(
                regexp_replace(pg_proc.prosrc, '--[^\n]*|/\*([^*]|\*+[^*/])*\*+/', ' ', 'g'), '\s+', ' ', 'g'
            )
        ) ELSE pg_proc.prosrc END) AS function
    FROM pg_trigger
    INNER JOIN pg_proc ON pg_proc.oid = pg_trigger.tgfoid
    INNER JOIN pg_language ON pg_language.oid = pg_proc.prolang
    WHERE NOT pg_trigger.tgisinternal AND pg_trigger.tgenabled IN ('O', 'A')
    UNION ALL
    SELECT
        pg_constraint.conrelid,
        quote_ident(pg_constraint.conname),
        pg_get_constraintdef(pg_constraint.oid),
        NULL
    FROM pg_constraint
    WHERE pg_constraint.contype IN ('c', 'f')
    UNION ALL
    SELECT
        pg_constraint.confrelid,
        quote_ident(pg_constraint.conname),
        pg_get_constraintdef(pg_constraint.oid) || ' of ' || pg_constraint.conrelid::regclass,
        NULL
    FROM pg_constraint
    WHERE pg_constraint.contype = 'f'
    UNION ALL
    SELECT
        pg_rewrite.ev_class,
        quote_ident(pg_rewrite.rulename),
        pg_get_ruledef(pg_rewrite.oid),
        NULL
    FROM pg_rewrite
    WHERE pg_rewrite.rulename <> '_RETURN' AND pg_rewrite.ev_enabled IN ('O', 'A')
    UNION ALL
    SELECT
        pg_attrdef.adrelid,
        quote_ident(pg_attribute.attname),
        CASE pg_attribute.attgenerated WHEN '' THEN 'DEFAULT ' ELSE 'GENERATED ALWAYS AS ' END
        || pg_get_expr(pg_attrdef.adbin, pg_attrdef.adrelid),
        NULL
    FROM pg_attrdef
    INNER JOIN pg_attribute
        ON pg_attribute.attrelid = pg_attrdef.adrelid AND pg_attribute.attnum = pg_attrdef.adnum
) AS attached
WHERE oid = ANY ($1) AND definition IS NOT NULL
ORDER BY oid, name, definition
