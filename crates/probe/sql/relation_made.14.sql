-- How the tables with these numbers are made: their columns in their order, then how their rows are kept; no probe.
SELECT
    pg_attribute.attrelid AS oid,
    quote_ident(pg_attribute.attname) AS column_name,
    format_type(pg_attribute.atttypid, pg_attribute.atttypmod)
    || CASE WHEN pg_attribute.attcollation = pg_type.typcollation THEN ''
        ELSE ' COLLATE ' || pg_attribute.attcollation::regcollation
    END
    -- Of a type of fixed length there is one way to store it.
    || CASE WHEN pg_type.typlen > 0 THEN '' ELSE CASE pg_attribute.attstorage
        WHEN 'p' THEN ' STORAGE PLAIN'
        WHEN 'e' THEN ' STORAGE EXTERNAL'
        WHEN 'm' THEN ' STORAGE MAIN'
        WHEN 'x' THEN ' STORAGE EXTENDED'
    END END
    AS definition,
    -- Of rows that never are so long that values are compressed there is no TOAST table. A partitioned table has no rows.
    CASE WHEN pg_class.reltoastrelid = 0 OR pg_type.typlen > 0 OR pg_attribute.attstorage NOT IN ('m', 'x') THEN NULL
        ELSE CASE pg_attribute.attcompression
            WHEN 'p' THEN 'pglz'
            WHEN 'l' THEN 'lz4'
            ELSE current_setting('default_toast_compression')
        END
    END AS compression,
    pg_attribute.attnum AS place
FROM pg_attribute
INNER JOIN pg_class ON pg_class.oid = pg_attribute.attrelid
INNER JOIN pg_type ON pg_type.oid = pg_attribute.atttypid
WHERE pg_attribute.attrelid = ANY ($1) AND pg_attribute.attnum > 0 AND NOT pg_attribute.attisdropped
UNION ALL
SELECT
    pg_class.oid,
    NULL,
    CASE pg_class.relpersistence WHEN 'u' THEN 'UNLOGGED' WHEN 't' THEN 'TEMPORARY' ELSE 'LOGGED' END
    || ' USING ' || pg_am.amname
    || coalesce(
        ' WITH (' || (SELECT string_agg(kept, ', ' ORDER BY kept) FROM unnest(pg_class.reloptions) AS kept) || ')', ''
    )
    || CASE pg_class.relreplident
        WHEN 'f' THEN ' REPLICA IDENTITY FULL'
        WHEN 'n' THEN ' REPLICA IDENTITY NOTHING'
        WHEN 'i' THEN ' REPLICA IDENTITY USING INDEX'
        ELSE ''
    END
    || CASE
        WHEN NOT pg_class.relrowsecurity THEN ''
        WHEN pg_class.relforcerowsecurity THEN ' FORCE ROW LEVEL SECURITY'
        ELSE ' ENABLE ROW LEVEL SECURITY'
    END
    || coalesce((
        SELECT string_agg(
            ' POLICY ' || quote_ident(pg_policy.polname)
            || coalesce(' USING (' || pg_get_expr(pg_policy.polqual, pg_policy.polrelid) || ')', '')
            || coalesce(' WITH CHECK (' || pg_get_expr(pg_policy.polwithcheck, pg_policy.polrelid) || ')', ''),
            '' ORDER BY pg_policy.polname
        )
        FROM pg_policy
        WHERE pg_class.relrowsecurity AND pg_policy.polrelid = pg_class.oid
    ), ''),
    NULL,
    32767
FROM pg_class
INNER JOIN pg_am ON pg_am.oid = pg_class.relam
WHERE pg_class.oid = ANY ($1)
ORDER BY oid, place
