-- A thousand documents, evenly spaced, and the turnovers and balances of the debit sides of their first lines.
WITH document AS (
  SELECT probe * ({units} - 1) / 999 AS d FROM generate_series(0::bigint, 999) AS probe
), debit AS (
  SELECT CASE WHEN d % 10 = 9 THEN timestamp '2026-09-01' ELSE timestamp '2026-10-01' END AS _period,
         substr(sha256(int8send((d % {tenth} + 1) % 10 + 1)), 1, 16) AS account,
         substr(sha256(int8send(d % {tenth} + 1)), 1, 16) AS value1,
         substr(sha256(int8send(d / {tenth} + 1)), 1, 16) AS value2,
         substr(sha256(int8send((d / {tenth} + 1) % 3 + 1)), 1, 16) AS value3,
         0 AS _splitter
    FROM document
)
SELECT 'erp_entry' AS name, count(*) AS found, 10000::bigint AS expected
  FROM document
  JOIN erp_entry ON _recorder = substr(sha256(int8send(d + 1)), 1, 16)
 UNION ALL
SELECT 'erp_entry_analytic', count(*), 50000
  FROM document
  JOIN erp_entry_analytic ON _recorder = substr(sha256(int8send(d + 1)), 1, 16)
 UNION ALL
SELECT 'erp_turnover', count(*), 1000
  FROM debit
  JOIN erp_turnover USING (_period, account, value1, value2, value3, _splitter)
 UNION ALL
SELECT 'erp_balance', count(*), 1000
  FROM debit
  JOIN erp_balance USING (account, value1, value2, value3, _splitter)
