-- \aset: the last row; without any row the variable stays as it was.
\set b 5
SELECT id AS a FROM t WHERE id < 4 ORDER BY id \aset
SELECT id AS b FROM t WHERE id < 0 \aset
\set a :a + 0
INSERT INTO result VALUES (:client_id, 'a', :a);
INSERT INTO result VALUES (:client_id, 'b', :b);
