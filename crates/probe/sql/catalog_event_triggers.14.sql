-- The event triggers of the database; no probe.
SELECT
    NULL::text AS table_name,
    quote_ident(evtname) AS name,
    evtevent || coalesce(' ' || array_to_string(evttags, ', '), '') AS definition,
    jsonb_strip_nulls(jsonb_build_object('enabled', CASE evtenabled
        WHEN 'D' THEN 'no' WHEN 'R' THEN 'replica' WHEN 'A' THEN 'always'
    END))::text AS facts
FROM pg_event_trigger
ORDER BY name
LIMIT 100
