-- Documents {from} to {to} - 1 with their lines. A document's line takes an item from its tenth of the catalogue, so that
-- each item is bought once for each of the two warehouses; what every tenth document bought was bought the month before,
-- so that a tenth of this month's turnovers is still missing.
INSERT INTO erp_entry
SELECT CASE WHEN d % 10 = 9 THEN timestamp '2026-09-01' ELSE timestamp '2026-10-01' END + d % 15 * interval '1 day',
       substr(sha256(int8send(d + 1)), 1, 16),
       line,
       true,
       substr(sha256(int8send(((line - 1) * {tenth} + d % {tenth} + 1) % 10 + 1)), 1, 16),
       substr(sha256(int8send((d % {partners} + 1) % 5 + 11)), 1, 16),
       10 * (d % 1000 + 1)
  FROM generate_series({from}::bigint, {to} - 1) AS d, generate_series(1, 10) AS line;
INSERT INTO erp_entry_analytic
SELECT CASE WHEN d % 10 = 9 THEN timestamp '2026-09-01' ELSE timestamp '2026-10-01' END + d % 15 * interval '1 day',
       substr(sha256(int8send(d + 1)), 1, 16),
       line,
       analytic.correspond,
       analytic.kind,
       substr(sha256(int8send(analytic.value)), 1, 16)
  FROM generate_series({from}::bigint, {to} - 1) AS d,
       generate_series(1, 10) AS line,
       LATERAL (VALUES (0, 1, (line - 1) * {tenth} + d % {tenth} + 1),
                       (0, 2, d / {tenth} + 1),
                       (0, 3, (d / {tenth} + 1) % 3 + 1),
                       (1, 1, d % {partners} + 1),
                       (1, 2, d % {partners} + 1)) AS analytic (correspond, kind, value);
INSERT INTO erp_turnover
SELECT CASE WHEN d % 10 = 9 THEN timestamp '2026-09-01' ELSE timestamp '2026-10-01' END,
       substr(sha256(int8send(((line - 1) * {tenth} + d % {tenth} + 1) % 10 + 1)), 1, 16),
       substr(sha256(int8send((line - 1) * {tenth} + d % {tenth} + 1)), 1, 16),
       substr(sha256(int8send(d / {tenth} + 1)), 1, 16),
       substr(sha256(int8send((d / {tenth} + 1) % 3 + 1)), 1, 16),
       0,
       10 * (d % 1000 + 1),
       0
  FROM generate_series({from}::bigint, {to} - 1) AS d, generate_series(1, 10) AS line;
INSERT INTO erp_balance
SELECT substr(sha256(int8send(((line - 1) * {tenth} + d % {tenth} + 1) % 10 + 1)), 1, 16),
       substr(sha256(int8send((line - 1) * {tenth} + d % {tenth} + 1)), 1, 16),
       substr(sha256(int8send(d / {tenth} + 1)), 1, 16),
       substr(sha256(int8send((d / {tenth} + 1) % 3 + 1)), 1, 16),
       0,
       10 * (d % 1000 + 1)
  FROM generate_series({from}::bigint, {to} - 1) AS d, generate_series(1, 10) AS line;
-- The credit side of all documents of a partner, of which each has twenty of ten equal lines, all of one month.
INSERT INTO erp_turnover
SELECT CASE WHEN d % 10 = 9 THEN timestamp '2026-09-01' ELSE timestamp '2026-10-01' END,
       substr(sha256(int8send((d + 1) % 5 + 11)), 1, 16),
       substr(sha256(int8send(d + 1)), 1, 16),
       substr(sha256(int8send(d + 1)), 1, 16),
       '',
       0,
       0,
       20 * 10 * 10 * (d % 1000 + 1)
  FROM generate_series({from}::bigint, {to} - 1) AS d
 WHERE d < {partners};
INSERT INTO erp_balance
SELECT substr(sha256(int8send((d + 1) % 5 + 11)), 1, 16),
       substr(sha256(int8send(d + 1)), 1, 16),
       substr(sha256(int8send(d + 1)), 1, 16),
       '',
       0,
       -20 * 10 * 10 * (d % 1000 + 1)
  FROM generate_series({from}::bigint, {to} - 1) AS d
 WHERE d < {partners};
