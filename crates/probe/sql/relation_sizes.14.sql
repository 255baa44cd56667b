-- How large the tables with these numbers and their indexes are, without maps and TOAST; no probe.
-- Apart from relation_names, since the size of a relation wants a lock on it, which somebody may hold.
SELECT
    oid,
    pg_relation_size(oid) AS bytes
FROM (
    SELECT unnest($1::oid[]) AS oid
    UNION
    SELECT indexrelid
    FROM pg_index
    WHERE indrelid = ANY ($1)
) AS relations
