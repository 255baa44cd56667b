-- The foreign servers of the database, without what may be a secret of them; no probe.
SELECT
    NULL::text AS table_name,
    quote_ident(pg_foreign_server.srvname) AS name,
    NULL::text AS definition,
    jsonb_strip_nulls(
        jsonb_build_object(
            'wrapper', pg_foreign_data_wrapper.fdwname,
            'type', pg_foreign_server.srvtype,
            'version', pg_foreign_server.srvversion
        )
        || coalesce((
            SELECT jsonb_object_agg('option ' || split_part(kept, '=', 1), substr(kept, strpos(kept, '=') + 1))
            FROM unnest(pg_foreign_server.srvoptions) AS kept
            WHERE kept !~* '(pass|secret|token|key|credential)'
        ), '{}')
    )::text AS facts
FROM pg_foreign_server
INNER JOIN pg_foreign_data_wrapper ON pg_foreign_data_wrapper.oid = pg_foreign_server.srvfdw
ORDER BY name
LIMIT 100
