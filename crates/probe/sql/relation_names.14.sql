-- The tables with these numbers, and a row for each of their indexes; no probe.
SELECT
    pg_class.oid,
    quote_ident(pg_namespace.nspname) || '.' || quote_ident(pg_class.relname) AS name,
    pg_index.indexrelid AS index_oid,
    quote_ident(index_class.relname) AS index_name,
    pg_get_indexdef(pg_index.indexrelid) AS definition,
    pg_index.indisvalid AS valid
FROM pg_class
INNER JOIN pg_namespace ON pg_namespace.oid = pg_class.relnamespace
LEFT JOIN pg_index ON pg_index.indrelid = pg_class.oid
LEFT JOIN pg_class AS index_class ON index_class.oid = pg_index.indexrelid
WHERE pg_class.oid = ANY ($1)
