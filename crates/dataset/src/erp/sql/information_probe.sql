-- A thousand record sets, evenly spaced.
SELECT 'erp_price' AS name, count(*) AS found, 10000::bigint AS expected
  FROM (SELECT 1 + probe * ({units} - 1) / 999 AS n FROM generate_series(0::bigint, 999) AS probe) AS item
  JOIN erp_price
    ON item = substr(sha256(int8send(n)), 1, 16) AND unit = substr(sha256(int8send(n % 10 + 1)), 1, 16)
