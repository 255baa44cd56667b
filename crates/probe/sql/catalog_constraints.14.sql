-- The constraints of the tables with these numbers, and the foreign keys that refer to them; no probe. to_jsonb, since
-- conenforced is of version 18.
SELECT
    format('%I.%I', pg_namespace.nspname, pg_class.relname) AS table_name,
    quote_ident(pg_constraint.conname) AS name,
    regexp_replace(
        pg_get_constraintdef(pg_constraint.oid), ' (NOT VALID|NOT ENFORCED|DEFERRABLE|INITIALLY DEFERRED)', '', 'g'
    )
    || CASE WHEN related.oid = pg_constraint.conrelid THEN '' ELSE ' of ' || pg_constraint.conrelid::regclass END
        AS definition,
    jsonb_strip_nulls(
        jsonb_build_object(
            'not valid', nullif(NOT pg_constraint.convalidated, FALSE),
            'deferrable', nullif(pg_constraint.condeferrable, FALSE),
            'deferred', nullif(pg_constraint.condeferred, FALSE),
            'not enforced', nullif(to_jsonb(pg_constraint) ->> 'conenforced' = 'false', FALSE),
            'triggers disabled', nullif(EXISTS (
                SELECT
                FROM pg_trigger
                WHERE
                    pg_trigger.tgconstraint = pg_constraint.oid
                    AND pg_trigger.tgrelid = related.oid
                    AND pg_trigger.tgenabled = 'D'
            ), FALSE),
            'columns', (
                SELECT string_agg(quote_ident(pg_attribute.attname), ', ' ORDER BY keys.place)
                FROM unnest(pg_constraint.conkey) WITH ORDINALITY AS keys (attnum, place)
                INNER JOIN pg_attribute
                    ON pg_attribute.attrelid = pg_constraint.conrelid AND pg_attribute.attnum = keys.attnum
            ),
            -- Of a foreign key that refers to the table: the rows that refer to one are found by a scan of the whole table.
            'without index', CASE WHEN pg_constraint.contype = 'f' AND related.oid = pg_constraint.confrelid
                THEN nullif(NOT EXISTS (
                    SELECT
                    FROM pg_index
                    WHERE
                        pg_index.indrelid = pg_constraint.conrelid
                        AND pg_index.indisvalid
                        AND pg_index.indpred IS NULL
                        AND (pg_index.indkey::int2[])[0:cardinality(pg_constraint.conkey) - 1] @> pg_constraint.conkey
                ), FALSE)
            END
        )
    )::text AS facts
FROM unnest($1::oid[]) AS related (oid)
INNER JOIN pg_constraint ON related.oid IN (pg_constraint.conrelid, pg_constraint.confrelid)
INNER JOIN pg_class ON pg_class.oid = related.oid
INNER JOIN pg_namespace ON pg_namespace.oid = pg_class.relnamespace
WHERE pg_constraint.contype IN ('c', 'f', 'p', 'u', 'x')
ORDER BY table_name, name, definition
LIMIT 1000
