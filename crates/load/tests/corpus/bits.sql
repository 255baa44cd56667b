-- Bit operators: one level of precedence, from left to right.
\set a 1 | 6 & 3
\set b 5 # 3 << 2
\set c ~ 1 + 2
\set d ~ 5 | 8
\set e 1 << 62 >> 3
\set f 2.6 | 0
INSERT INTO result VALUES (:client_id, 'a', :a);
INSERT INTO result VALUES (:client_id, 'b', :b);
INSERT INTO result VALUES (:client_id, 'c', :c);
INSERT INTO result VALUES (:client_id, 'd', :d);
INSERT INTO result VALUES (:client_id, 'e', :e);
INSERT INTO result VALUES (:client_id, 'f', :f);
