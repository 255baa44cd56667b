-- modes: extended prepared
-- Variables that were rows as parameters; NULL is an empty text.
SELECT 42 AS a, 'it''s' AS b, NULL AS c
\gset
INSERT INTO result VALUES (:client_id, 'a', :a);
INSERT INTO result VALUES (:client_id, 'b', :b);
INSERT INTO result VALUES (:client_id, 'c', :c);
UPDATE t SET v = v WHERE id = 7 RETURNING id AS updated \gset
INSERT INTO result VALUES (:client_id, 'updated', :updated);
