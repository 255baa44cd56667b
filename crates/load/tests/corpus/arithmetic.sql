-- Integers: precedence, signs, truncation towards zero.
\set a 1 + 2 * 3 - 4 / 3 % 5
\set b -7 / 2
\set c -7 % 3
\set d - - 5 + + 3
\set e (1 + 2) * (3 - -4)
\set f -9223372036854775808
\set g 9223372036854775807 % -1
\set h -9223372036854775808 % -1
INSERT INTO result VALUES (:client_id, 'a', :a);
INSERT INTO result VALUES (:client_id, 'b', :b);
INSERT INTO result VALUES (:client_id, 'c', :c);
INSERT INTO result VALUES (:client_id, 'd', :d);
INSERT INTO result VALUES (:client_id, 'e', :e);
INSERT INTO result VALUES (:client_id, 'f', :f);
INSERT INTO result VALUES (:client_id, 'g', :g);
INSERT INTO result VALUES (:client_id, 'h', :h);
