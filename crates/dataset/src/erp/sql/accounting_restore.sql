-- Takes back the entries that workloads have written, with their analytics and their part of turnovers and balances. What
-- is left of a key's totals goes into one row again; where nothing is left there was none. No join of what was deleted
-- with what was summed: nobody knows how many rows that will be, and a nested loop of them would not end.
WITH entry AS (
  DELETE FROM erp_entry
   WHERE _period >= timestamp '2026-10-16'
  RETURNING _recorder, _lineno, account_dt, account_ct, amount
), analytic AS (
  DELETE FROM erp_entry_analytic AS a
   USING entry
   WHERE a._recorder = entry._recorder AND a._lineno = entry._lineno
  RETURNING a._recorder, a._lineno, a.kind, a.value,
            CASE a._correspond WHEN 0 THEN account_dt ELSE account_ct END AS account,
            CASE a._correspond WHEN 0 THEN amount ELSE 0 END AS debit,
            CASE a._correspond WHEN 1 THEN amount ELSE 0 END AS credit
), side AS (
  SELECT account, array_agg(value ORDER BY kind) AS value, min(debit) AS debit, min(credit) AS credit
    FROM analytic
   GROUP BY _recorder, _lineno, account
), change AS (
  SELECT account, value[1] AS value1, value[2] AS value2, coalesce(value[3], '') AS value3,
         sum(debit) AS debit, sum(credit) AS credit
    FROM side
   GROUP BY account, value
), turnover AS (
  DELETE FROM erp_turnover AS t
   USING change AS c
   WHERE t._period = timestamp '2026-10-01'
     AND t.account = c.account AND t.value1 = c.value1 AND t.value2 = c.value2 AND t.value3 = c.value3
  RETURNING t.account, t.value1, t.value2, t.value3, t.debit, t.credit
), turnover_left AS (
  INSERT INTO erp_turnover (_period, account, value1, value2, value3, _splitter, debit, credit)
  SELECT timestamp '2026-10-01', account, value1, value2, value3, 0, sum(debit), sum(credit)
    FROM (SELECT account, value1, value2, value3, debit, credit FROM turnover
           UNION ALL
          SELECT account, value1, value2, value3, -debit, -credit FROM change) AS part
   GROUP BY account, value1, value2, value3
  HAVING sum(debit) <> 0 OR sum(credit) <> 0
), balance AS (
  DELETE FROM erp_balance AS b
   USING change AS c
   WHERE b.account = c.account AND b.value1 = c.value1 AND b.value2 = c.value2 AND b.value3 = c.value3
  RETURNING b.account, b.value1, b.value2, b.value3, b.balance
)
INSERT INTO erp_balance (account, value1, value2, value3, _splitter, balance)
SELECT account, value1, value2, value3, 0, sum(balance)
  FROM (SELECT account, value1, value2, value3, balance FROM balance
         UNION ALL
        SELECT account, value1, value2, value3, credit - debit FROM change) AS part
 GROUP BY account, value1, value2, value3
HAVING sum(balance) <> 0;
