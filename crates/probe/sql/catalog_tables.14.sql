-- What is so of the tables with these numbers; no probe. What is as by default is NULL, and left out.
SELECT
    NULL::text AS table_name,
    format('%I.%I', pg_namespace.nspname, pg_class.relname) AS name,
    NULL::text AS definition,
    jsonb_strip_nulls(
        jsonb_build_object(
            'kind', CASE pg_class.relkind
                WHEN 'p' THEN 'partitioned table' WHEN 'm' THEN 'materialized view' WHEN 'f' THEN 'foreign table'
            END,
            'persistence', CASE pg_class.relpersistence WHEN 'u' THEN 'unlogged' WHEN 't' THEN 'temporary' END,
            'access method', nullif(pg_am.amname, 'heap'),
            'tablespace', (SELECT spcname FROM pg_tablespace WHERE pg_tablespace.oid = pg_class.reltablespace),
            'row security', CASE
                WHEN NOT pg_class.relrowsecurity THEN NULL WHEN pg_class.relforcerowsecurity THEN 'forced' ELSE 'enabled'
            END,
            'row security active', nullif(pg_class.relrowsecurity AND row_security_active(pg_class.oid), FALSE),
            'replica identity', CASE WHEN pg_class.relkind IN ('r', 'p') THEN CASE pg_class.relreplident
                WHEN 'f' THEN 'full' WHEN 'n' THEN 'nothing' WHEN 'i' THEN 'index'
            END END,
            'publications', nullif((
                SELECT count(*)
                FROM pg_publication_tables
                WHERE schemaname = pg_namespace.nspname AND tablename = pg_class.relname
            ), 0),
            'pages', CASE WHEN pg_class.relkind <> 'p' THEN pg_class.relpages END,
            'rows', pg_class.reltuples,
            'all-visible pages', CASE WHEN pg_class.relkind IN ('r', 'm') THEN pg_class.relallvisible END,
            'frozen age', CASE WHEN pg_class.relfrozenxid <> '0' THEN age(pg_class.relfrozenxid) END,
            'partition key', pg_get_partkeydef(pg_class.oid),
            'partition of', CASE WHEN pg_class.relispartition THEN (
                SELECT format('%I.%I', parent_namespace.nspname, parent.relname)
                FROM pg_inherits
                INNER JOIN pg_class AS parent ON parent.oid = pg_inherits.inhparent
                INNER JOIN pg_namespace AS parent_namespace ON parent_namespace.oid = parent.relnamespace
                WHERE pg_inherits.inhrelid = pg_class.oid
                LIMIT 1
            ) END,
            CASE pg_class.relkind WHEN 'p' THEN 'partitions' ELSE 'children' END, nullif((
                SELECT count(*) FROM pg_inherits WHERE inhparent = pg_class.oid
            ), 0),
            'foreign server', quote_ident(pg_foreign_server.srvname)
        )
        || coalesce((
            SELECT jsonb_object_agg('option ' || split_part(kept, '=', 1), substr(kept, strpos(kept, '=') + 1))
            FROM unnest(pg_class.reloptions) AS kept
        ), '{}')
        || coalesce((
            SELECT jsonb_object_agg('toast option ' || split_part(kept, '=', 1), substr(kept, strpos(kept, '=') + 1))
            FROM pg_class AS toast, unnest(toast.reloptions) AS kept
            WHERE toast.oid = pg_class.reltoastrelid
        ), '{}')
        || coalesce((
            SELECT jsonb_object_agg('foreign option ' || split_part(kept, '=', 1), substr(kept, strpos(kept, '=') + 1))
            FROM unnest(pg_foreign_table.ftoptions) AS kept
            WHERE kept !~* '(pass|secret|token|key|credential)'
        ), '{}')
    )::text AS facts
FROM pg_class
INNER JOIN pg_namespace ON pg_namespace.oid = pg_class.relnamespace
LEFT JOIN pg_am ON pg_am.oid = pg_class.relam
LEFT JOIN pg_foreign_table ON pg_foreign_table.ftrelid = pg_class.oid
LEFT JOIN pg_foreign_server ON pg_foreign_server.oid = pg_foreign_table.ftserver
WHERE pg_class.oid = ANY ($1)
ORDER BY name
LIMIT 500
