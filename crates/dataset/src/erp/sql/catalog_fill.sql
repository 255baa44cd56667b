-- Items {from} + 1 to {to}. The first hundredth are the folders, in which all are spread evenly.
INSERT INTO erp_item
SELECT substr(sha256(int8send(n)), 1, 16),
       0,
       false,
       substr(sha256(int8send((n - 1) % (1000 * {scale}) + 1)), 1, 16),
       n <= 1000 * {scale},
       lpad(n::text, 19, '0'),
       'Item ' || encode(substr(sha256(int8send(-n)), 1, 12), 'hex'),
       'A-' || n % 9973 || '-' || n,
       substr(sha256(int8send(n % 10 + 1)), 1, 16),
       substr(sha256(int8send(n % 3 + 1)), 1, 16),
       (n % 50000)::numeric / 1000 + 0.1,
       (n % 900000)::numeric / 100 + 1,
       timestamp '2026-09-01' + n % 2000000 * interval '1 second'
  FROM generate_series({from} + 1::bigint, {to}) AS n;
