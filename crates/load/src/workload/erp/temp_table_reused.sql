-- A temporary table of a document's hundred lines, which stays on the connection: emptied, filled, analyzed and joined
-- with the catalogue. The first transaction of a connection makes it.
\set items 100000 * :scale
\set first {draw(1, :items)}
BEGIN;
CREATE TEMPORARY TABLE IF NOT EXISTS erp_line (
  line_no integer NOT NULL, item bytea NOT NULL, warehouse bytea NOT NULL, unit bytea NOT NULL,
  quantity numeric(15,3) NOT NULL, price numeric(15,2) NOT NULL, amount numeric(15,2) NOT NULL,
  shipped_at timestamp without time zone NOT NULL
);
CREATE INDEX IF NOT EXISTS erp_line_by_item ON pg_temp.erp_line (item, warehouse);
TRUNCATE pg_temp.erp_line;
INSERT INTO erp_line
SELECT line,
       {key((:first + line * 7919) % :items + 1)},
       {key(line % 10 + 1)},
       {key(line % 3 + 1)},
       line,
       line * 100,
       line * line * 100,
       timestamp '2026-10-16' + line * interval '1 minute'
  FROM generate_series(1::bigint, 100) AS line;
ANALYZE pg_temp.erp_line;
SELECT item._parentidrref, sum(line.quantity), sum(line.amount), sum(line.quantity * item.weight)
  FROM erp_line AS line
  JOIN erp_item AS item ON item._idrref = line.item
 GROUP BY item._parentidrref;
COMMIT;
