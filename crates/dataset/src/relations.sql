-- What each name of $1 means to a statement that does not say a schema: one row per name, nulls where it means nothing.
-- Columns are "name type [not null]" in order; the key is the only column of a valid primary key;
-- indexes are those that can be used, by name.
SELECT t.name,
       n.nspname::text AS schema,
       c.relkind::text AS kind,
       c.relpersistence::text AS persistence,
       pg_catalog.obj_description(c.oid, 'pg_class') AS comment,
       coalesce(c.reloptions, '{}') AS options,
       ARRAY(SELECT a.attname || ' ' || pg_catalog.format_type(a.atttypid, a.atttypmod)
                    || CASE WHEN a.attnotnull THEN ' not null' ELSE '' END
               FROM pg_catalog.pg_attribute a
              WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
              ORDER BY a.attnum) AS columns,
       (SELECT a.attname::text
          FROM pg_catalog.pg_index i
          JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
         WHERE i.indrelid = c.oid AND i.indisprimary AND i.indisvalid AND i.indisready AND i.indnkeyatts = 1) AS key,
       ARRAY(SELECT x.relname::text
               FROM pg_catalog.pg_index i
               JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid
              WHERE i.indrelid = c.oid AND i.indisvalid AND i.indisready
              ORDER BY x.relname COLLATE "C") AS indexes
  FROM unnest($1::text[]) WITH ORDINALITY AS t(name, place)
  LEFT JOIN pg_catalog.pg_class c ON c.oid = pg_catalog.to_regclass(t.name)
  LEFT JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
 ORDER BY t.place
