-- Uniform draws, also of the widest range and of one value.
\set a random(1, 100000)
\set b random(-5, 5)
\set c random(-4611686018427387904, 4611686018427387902)
\set d random(7, 7)
\set e random(1, 10.4)
INSERT INTO result VALUES (:client_id, 'a', :a);
INSERT INTO result VALUES (:client_id, 'b', :b);
INSERT INTO result VALUES (:client_id, 'c', :c);
INSERT INTO result VALUES (:client_id, 'd', :d);
INSERT INTO result VALUES (:client_id, 'e', :e);
