-- modes: simple
-- Doubles: constants, mixing with integers, how they are written into SQL.
\set a 1.5
\set b .5e-3 + 1e10
\set c 7 / 2.0
\set d 1e15
\set e 1.0 / 3
\set f 123456789012345678.0
\set g -0.0
\set h 1e-5
\set i 1e300 * 1e300
\set j 0.1 + 0.2
\set k 2.3e-308 / 1e10
\set l ln(-1)
\set m -1 / 0.0
INSERT INTO result VALUES (:client_id, 'a', ':a');
INSERT INTO result VALUES (:client_id, 'b', ':b'), (:client_id, 'c', ':c'), (:client_id, 'd', ':d');
INSERT INTO result VALUES (:client_id, 'e', ':e'), (:client_id, 'f', ':f'), (:client_id, 'g', ':g');
INSERT INTO result VALUES (:client_id, 'h', ':h'), (:client_id, 'i', ':i'), (:client_id, 'j', ':j');
INSERT INTO result VALUES (:client_id, 'k', ':k'), (:client_id, 'l', ':l'), (:client_id, 'm', ':m');
