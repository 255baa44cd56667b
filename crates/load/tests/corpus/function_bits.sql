-- All bits of what the mathematical functions return: what is left of them after their first 15 digits are taken away.
\set a (sqrt(2) - 1.41421356237309) * 1e15
\set b (ln(3) - 1.09861228866810) * 1e15
\set c (exp(1) - 2.71828182845904) * 1e15
\set d (pow(3, 0.3) - 1.39038917031591) * 1e15
\set e (pi() - 3.14159265358979) * 1e15
INSERT INTO result VALUES (:client_id, 'a', CAST(:a AS float8)::text), (:client_id, 'b', CAST(:b AS float8)::text);
INSERT INTO result VALUES (:client_id, 'c', CAST(:c AS float8)::text), (:client_id, 'd', CAST(:d AS float8)::text);
INSERT INTO result VALUES (:client_id, 'e', CAST(:e AS float8)::text);
