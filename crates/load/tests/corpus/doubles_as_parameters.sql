-- Doubles as parameters.
\set a 1.0 / 3
\set b 1e15 * 3.3
\set c sqrt(2) * -1
INSERT INTO result VALUES (:client_id, 'a', CAST(:a AS float8)::text), (:client_id, 'b', CAST(:b AS float8)::text);
INSERT INTO result VALUES (:client_id, 'c', CAST(:c AS float8)::text);
