-- The tables with these numbers, what they are partitions or children of, and the foreign tables, whose scans are not
-- counted; no probe.
WITH RECURSIVE related AS (
    SELECT unnest($1::oid[]) AS oid
    UNION
    SELECT pg_inherits.inhparent
    FROM related
    INNER JOIN pg_inherits ON pg_inherits.inhrelid = related.oid
)

SELECT oid
FROM related
UNION
(
    SELECT ftrelid
    FROM pg_foreign_table
    ORDER BY ftrelid
    LIMIT 50
)
LIMIT 200
