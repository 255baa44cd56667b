-- One document of a warehouse with ten movements, and what they change in the month's totals. Its items ascend, so that
-- documents that write at the same time take their locks in the same order.
\set document random(100000 * :scale + 1, 4611686018427387903)
\set expense random(0, 1)
\set sign 1 - 2 * :expense
\set warehouse random(1, 10)
\set splitter :client_id % {splitter}
-- for each line
\set item{line} {draw(10000 * :scale * ({line} - 1) + 1, 10000 * :scale * {line})}
\set quantity{line} random(1, 100)
\set amount{line} :quantity{line} * random(100, 10000)
-- end
BEGIN;
INSERT INTO erp_movement (_period, _recorder, _lineno, _active, _recordkind, item, warehouse, quantity, amount)
VALUES
-- for each line, with commas between
  (date '2026-10-16' + localtime, {key(:document)}, {line}, true, :expense, {key(:item{line})}, {key(:warehouse)},
   :quantity{line}, :amount{line})
-- end
;
-- for each line
\set found 0
UPDATE erp_movement_total
   SET quantity = quantity + :sign::bigint * :quantity{line}::bigint,
       amount = amount + :sign::bigint * :amount{line}::bigint
 WHERE _period = timestamp '2026-10-01'
   AND item = {key(:item{line})} AND warehouse = {key(:warehouse)} AND _splitter = :splitter
RETURNING 1 AS found \aset
\if :found = 0
INSERT INTO erp_movement_total AS total (_period, item, warehouse, _splitter, quantity, amount)
VALUES (timestamp '2026-10-01', {key(:item{line})}, {key(:warehouse)}, :splitter,
        :sign::bigint * :quantity{line}::bigint, :sign::bigint * :amount{line}::bigint)
    ON CONFLICT (_period, item, warehouse, _splitter) DO UPDATE
   SET quantity = total.quantity + EXCLUDED.quantity, amount = total.amount + EXCLUDED.amount;
\endif
-- end
COMMIT;
