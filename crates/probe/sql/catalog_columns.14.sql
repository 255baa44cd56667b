-- What is so of the columns of the tables with these numbers; no probe. Of pg_stats what is no value of a row.
SELECT
    format('%I.%I', pg_namespace.nspname, pg_class.relname) AS table_name,
    quote_ident(pg_attribute.attname) AS name,
    NULL::text AS definition,
    jsonb_strip_nulls(
        jsonb_build_object(
            'position', row_number() OVER (PARTITION BY pg_attribute.attrelid ORDER BY pg_attribute.attnum),
            'type', format_type(pg_attribute.atttypid, pg_attribute.atttypmod),
            'collation', CASE WHEN pg_attribute.attcollation <> pg_type.typcollation
                THEN pg_attribute.attcollation::regcollation::text
            END,
            -- Of a type of fixed length there is one way to store it.
            'storage', CASE WHEN pg_type.typlen > 0 THEN NULL ELSE CASE pg_attribute.attstorage
                WHEN 'p' THEN 'plain' WHEN 'e' THEN 'external' WHEN 'm' THEN 'main' WHEN 'x' THEN 'extended'
            END END,
            -- Of rows that never are so long that values are compressed there is no TOAST table.
            'compression', CASE
                WHEN
                    pg_class.reltoastrelid <> 0
                    AND pg_type.typlen < 0
                    AND pg_attribute.attstorage IN ('m', 'x')
                THEN CASE pg_attribute.attcompression
                    WHEN 'p' THEN 'pglz' WHEN 'l' THEN 'lz4' ELSE current_setting('default_toast_compression')
                END
            END,
            'not null', nullif(pg_attribute.attnotnull, FALSE),
            'generated', CASE pg_attribute.attgenerated WHEN 's' THEN 'stored' WHEN 'v' THEN 'virtual' END,
            'identity', nullif(pg_attribute.attidentity::text, ''),
            'statistics target', nullif(pg_attribute.attstattarget, -1),
            -- Absent where the role may not read them.
            'statistics', CASE
                WHEN figures.n_distinct IS NOT NULL THEN 'present'
                WHEN pg_class.reltuples > 0
                    AND has_column_privilege(pg_class.oid, pg_attribute.attnum, 'SELECT')
                    AND NOT row_security_active(pg_class.oid)
                    THEN 'none'
            END,
            'distinct values', figures.n_distinct,
            'null share', figures.null_frac,
            'correlation', figures.correlation,
            'average width', figures.avg_width,
            'most common values', figures.most_common,
            'histogram bounds', figures.bounds
        )
        || coalesce((
            SELECT jsonb_object_agg('option ' || split_part(kept, '=', 1), substr(kept, strpos(kept, '=') + 1))
            FROM unnest(pg_attribute.attoptions) AS kept
        ), '{}')
        || coalesce((
            SELECT jsonb_object_agg('foreign option ' || split_part(kept, '=', 1), substr(kept, strpos(kept, '=') + 1))
            FROM unnest(pg_attribute.attfdwoptions) AS kept
            WHERE kept !~* '(pass|secret|token|key|credential)'
        ), '{}')
    )::text AS facts
FROM pg_attribute
INNER JOIN pg_class ON pg_class.oid = pg_attribute.attrelid
INNER JOIN pg_namespace ON pg_namespace.oid = pg_class.relnamespace
INNER JOIN pg_type ON pg_type.oid = pg_attribute.atttypid
LEFT JOIN LATERAL (
    SELECT
        pg_stats.n_distinct,
        pg_stats.null_frac,
        pg_stats.correlation,
        pg_stats.avg_width,
        coalesce(array_length(pg_stats.most_common_freqs, 1), 0) AS most_common,
        coalesce(array_length(pg_stats.histogram_bounds, 1), 0) AS bounds
    FROM pg_stats
    WHERE
        pg_stats.schemaname = pg_namespace.nspname
        AND pg_stats.tablename = pg_class.relname
        AND pg_stats.attname = pg_attribute.attname
    -- Of a partitioned table there are only those of all its partitions.
    ORDER BY pg_stats.inherited
    LIMIT 1
) AS figures ON TRUE
WHERE
    pg_attribute.attrelid = ANY ($1)
    AND pg_attribute.attnum > 0
    AND NOT pg_attribute.attisdropped
    AND pg_attribute.attnum <= 150
ORDER BY table_name, pg_attribute.attnum
LIMIT 3000
