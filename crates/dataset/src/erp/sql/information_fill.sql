-- The record sets of items {from} + 1 to {to}.
INSERT INTO erp_price
SELECT timestamp '2026-10-01',
       substr(sha256(int8send(n)), 1, 16),
       substr(sha256(int8send(n % 10 + 1)), 1, 16),
       substr(sha256(int8send(kind)), 1, 16),
       100000 + (n * 7919 + kind * 104729) % 800000,
       kind
  FROM generate_series({from} + 1::bigint, {to}) AS n, generate_series(1::bigint, 10) AS kind;
