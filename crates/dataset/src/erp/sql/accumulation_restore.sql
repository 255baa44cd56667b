-- Takes back the movements that workloads have written, and their part of the totals. What is left of a key's totals goes
-- into one row again; where nothing is left there was none. No join of what was deleted with what was summed: nobody
-- knows how many rows that will be, and a nested loop of them would not end.
WITH undone AS (
  DELETE FROM erp_movement
   WHERE _period >= timestamp '2026-10-16'
  RETURNING item, warehouse, (1 - 2 * _recordkind) * quantity AS quantity, (1 - 2 * _recordkind) * amount AS amount
), change AS (
  SELECT item, warehouse, sum(quantity) AS quantity, sum(amount) AS amount
    FROM undone
   GROUP BY item, warehouse
), old AS (
  DELETE FROM erp_movement_total AS total
   USING change
   WHERE total._period = timestamp '2026-10-01'
     AND total.item = change.item AND total.warehouse = change.warehouse
  RETURNING total.item, total.warehouse, total.quantity, total.amount
)
INSERT INTO erp_movement_total (_period, item, warehouse, _splitter, quantity, amount)
SELECT timestamp '2026-10-01', item, warehouse, 0, sum(quantity), sum(amount)
  FROM (SELECT item, warehouse, quantity, amount FROM old
         UNION ALL
        SELECT item, warehouse, -quantity, -amount FROM change) AS part
 GROUP BY item, warehouse
HAVING sum(quantity) <> 0 OR sum(amount) <> 0;
