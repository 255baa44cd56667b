-- One record set of the information register: the ten prices of an item, taken out and written anew. The platform locks
-- the record set in its own lock manager, for which an advisory lock stands here.
\set item {draw(1, 100000 * :scale)}
-- for each line
\set price{line} random(10000000, 99999999)
-- end
BEGIN;
SELECT pg_advisory_xact_lock(6648432, hashint8(:item));
DELETE FROM erp_price WHERE item = {key(:item)} AND unit = {key(:item::bigint % 10 + 1)};
INSERT INTO erp_price (_period, item, unit, kind, price, discount)
VALUES
-- for each line, with commas between
  (timestamp '2026-11-01', {key(:item)}, {key(:item::bigint % 10 + 1)}, {key({line})}, :price{line}::numeric / 100, {line})
-- end
;
COMMIT;
