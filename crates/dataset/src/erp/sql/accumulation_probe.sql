-- A thousand documents, evenly spaced, and the totals that their first lines went into.
WITH document AS (
  SELECT probe * ({units} - 1) / 999 AS d FROM generate_series(0::bigint, 999) AS probe
)
SELECT 'erp_movement' AS name, count(*) AS found, 10000::bigint AS expected
  FROM document
  JOIN erp_movement ON _recorder = substr(sha256(int8send(d + 1)), 1, 16)
 UNION ALL
SELECT 'erp_movement_total', count(*), 1000
  FROM document
  JOIN erp_movement_total
    ON _period = CASE WHEN d % 10 = 9 THEN timestamp '2026-09-01' ELSE timestamp '2026-10-01' END
   AND item = substr(sha256(int8send(d % {tenth} + 1)), 1, 16)
   AND warehouse = substr(sha256(int8send(d / {tenth} + 1)), 1, 16)
   AND _splitter = 0
