-- modes: simple
-- Combined queries: \gset takes the last result, \aset the last row of each.
SELECT 1 AS a \; SELECT 2 AS b \gset
SELECT 10 AS c \; SELECT id AS d FROM t WHERE id <= 5 ORDER BY id \; SELECT 1 AS e WHERE false \; UPDATE t SET v = v WHERE id = 1 \aset x_
INSERT INTO result VALUES (:client_id, 'b', :b);
INSERT INTO result VALUES (:client_id, 'c', :x_c);
INSERT INTO result VALUES (:client_id, 'd', :x_d);
INSERT INTO result VALUES (:client_id, 'a', ':a'), (:client_id, 'e', ':x_e');
