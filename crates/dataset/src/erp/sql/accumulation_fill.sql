-- Documents {from} to {to} - 1 with their lines. A document's line takes an item from its tenth of the catalogue, so that
-- each item moves once in each of the ten warehouses. What moved of the last item of each ten moved the month before, so
-- that a tenth of this month's totals is still missing.
INSERT INTO erp_movement
SELECT CASE WHEN d % 10 = 9 THEN timestamp '2026-09-01' ELSE timestamp '2026-10-01' END + d % 15 * interval '1 day',
       substr(sha256(int8send(d + 1)), 1, 16),
       line,
       true,
       0,
       substr(sha256(int8send((line - 1) * {tenth} + d % {tenth} + 1)), 1, 16),
       substr(sha256(int8send(d / {tenth} + 1)), 1, 16),
       d % 100 + 1,
       (d % 100 + 1) * (d % 1000 + 1)
  FROM generate_series({from}::bigint, {to} - 1) AS d, generate_series(1, 10) AS line;
INSERT INTO erp_movement_total
SELECT CASE WHEN d % 10 = 9 THEN timestamp '2026-09-01' ELSE timestamp '2026-10-01' END,
       substr(sha256(int8send((line - 1) * {tenth} + d % {tenth} + 1)), 1, 16),
       substr(sha256(int8send(d / {tenth} + 1)), 1, 16),
       0,
       d % 100 + 1,
       (d % 100 + 1) * (d % 1000 + 1)
  FROM generate_series({from}::bigint, {to} - 1) AS d, generate_series(1, 10) AS line;
