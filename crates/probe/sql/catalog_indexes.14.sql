-- The indexes of the tables with these numbers; no probe. One that somebody is dropping at this moment has a number and
-- no definition, and is left out.
SELECT
    format('%I.%I', pg_namespace.nspname, pg_class.relname) AS table_name,
    quote_ident(index_class.relname) AS name,
    CASE WHEN pg_index.indisprimary THEN 'PRIMARY KEY ' WHEN pg_index.indisunique THEN 'UNIQUE ' ELSE '' END
    || substr(made.definition, strpos(made.definition, ' USING ') + 7) AS definition,
    jsonb_strip_nulls(
        jsonb_build_object(
            'columns', (
                SELECT string_agg(quote_ident(pg_attribute.attname), ', ' ORDER BY keys.place)
                FROM unnest(pg_index.indkey::int2[]) WITH ORDINALITY AS keys (attnum, place)
                INNER JOIN pg_attribute
                    ON pg_attribute.attrelid = pg_index.indrelid AND pg_attribute.attnum = keys.attnum
                WHERE keys.place <= pg_index.indnkeyatts
            ),
            'invalid', nullif(NOT pg_index.indisvalid, FALSE),
            'not ready', nullif(NOT pg_index.indisready, FALSE),
            'clustered', nullif(pg_index.indisclustered, FALSE),
            'pages', index_class.relpages,
            'rows', index_class.reltuples
        )
    )::text AS facts
FROM pg_index
INNER JOIN pg_class ON pg_class.oid = pg_index.indrelid
INNER JOIN pg_namespace ON pg_namespace.oid = pg_class.relnamespace
INNER JOIN pg_class AS index_class ON index_class.oid = pg_index.indexrelid
CROSS JOIN LATERAL (SELECT pg_get_indexdef(pg_index.indexrelid) AS definition) AS made
WHERE pg_index.indrelid = ANY ($1) AND made.definition IS NOT NULL
ORDER BY table_name, name
LIMIT 1000
