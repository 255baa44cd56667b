-- The extended statistics of the tables with these numbers; no probe. Whether they were built is known where the role
-- may read the table's statistics.
SELECT
    format('%I.%I', pg_namespace.nspname, pg_class.relname) AS table_name,
    quote_ident(pg_statistic_ext.stxname) AS name,
    (
        SELECT string_agg(CASE kind
            WHEN 'd' THEN 'ndistinct' WHEN 'f' THEN 'dependencies' WHEN 'm' THEN 'mcv' WHEN 'e' THEN 'expressions'
            ELSE kind::text
        END, ', ' ORDER BY kind)
        FROM unnest(pg_statistic_ext.stxkind) AS kind
    ) || ' ON ' || pg_get_statisticsobjdef_columns(pg_statistic_ext.oid) AS definition,
    jsonb_strip_nulls(
        jsonb_build_object(
            'columns', pg_get_statisticsobjdef_columns(pg_statistic_ext.oid),
            'built', CASE
                WHEN has_table_privilege(pg_class.oid, 'SELECT') AND NOT row_security_active(pg_class.oid)
                    THEN EXISTS (
                        SELECT
                        FROM pg_stats_ext
                        WHERE
                            pg_stats_ext.statistics_schemaname = pg_namespace_of_statistics.nspname
                            AND pg_stats_ext.statistics_name = pg_statistic_ext.stxname
                            AND (
                                pg_stats_ext.n_distinct IS NOT NULL
                                OR pg_stats_ext.dependencies IS NOT NULL
                                OR pg_stats_ext.most_common_freqs IS NOT NULL
                            )
                    ) OR EXISTS (
                        SELECT
                        FROM pg_stats_ext_exprs
                        WHERE
                            pg_stats_ext_exprs.statistics_schemaname = pg_namespace_of_statistics.nspname
                            AND pg_stats_ext_exprs.statistics_name = pg_statistic_ext.stxname
                            AND pg_stats_ext_exprs.n_distinct IS NOT NULL
                    )
            END,
            'statistics target', nullif(pg_statistic_ext.stxstattarget, -1)
        )
    )::text AS facts
FROM pg_statistic_ext
INNER JOIN pg_class ON pg_class.oid = pg_statistic_ext.stxrelid
INNER JOIN pg_namespace ON pg_namespace.oid = pg_class.relnamespace
INNER JOIN pg_namespace AS pg_namespace_of_statistics
    ON pg_namespace_of_statistics.oid = pg_statistic_ext.stxnamespace
WHERE pg_statistic_ext.stxrelid = ANY ($1)
ORDER BY table_name, name
LIMIT 500
