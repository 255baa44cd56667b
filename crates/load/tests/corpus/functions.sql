-- Functions without random numbers. Those of doubles are bit for bit those of the C library.
\set a abs(-5) + ABS(-5.5)
\set b least(3, 2, 4) + greatest(1, 2.5)
\set c int(2.5) + int(3.5) + int(-0.5)
\set d double(7) / 2
\set e sqrt(2.0)
\set f ln(10)
\set g exp(1.5)
\set h pi() * 2
\set i pow(2, 0.5) + power(3, 2)
\set j mod(10, 3) + mod(-10.6, 3)
\set k greatest(1, 5, 3) - least(-1, -5)
INSERT INTO result VALUES (:client_id, 'a', CAST(:a AS float8)::text), (:client_id, 'b', CAST(:b AS float8)::text);
INSERT INTO result VALUES (:client_id, 'c', CAST(:c AS float8)::text), (:client_id, 'd', CAST(:d AS float8)::text);
INSERT INTO result VALUES (:client_id, 'e', CAST(:e AS float8)::text), (:client_id, 'f', CAST(:f AS float8)::text);
INSERT INTO result VALUES (:client_id, 'g', CAST(:g AS float8)::text), (:client_id, 'h', CAST(:h AS float8)::text);
INSERT INTO result VALUES (:client_id, 'i', CAST(:i AS float8)::text), (:client_id, 'j', CAST(:j AS float8)::text);
INSERT INTO result VALUES (:client_id, 'k', CAST(:k AS float8)::text);
