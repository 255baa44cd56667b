-- A thousand items, evenly spaced.
SELECT 'erp_item' AS name, count(*) AS found, 1000::bigint AS expected
  FROM generate_series(0::bigint, 999) AS probe
  JOIN erp_item ON _idrref = substr(sha256(int8send(1 + probe * ({units} - 1) / 999)), 1, 16)
