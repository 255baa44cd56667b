-- modes: simple
-- A row becomes variables, with and without a prefix.
SELECT 1 + 1 AS two, 'a text' AS words, 2.50 AS real, true AS yes \gset
SELECT :two * 10 AS twenty, NULL AS nothing \gset p_
\set sum :two + :p_twenty + :real
\set truth :yes and true
INSERT INTO result VALUES (:client_id, 'two', :two::text), (:client_id, 'p_twenty', :p_twenty::text);
INSERT INTO result VALUES (:client_id, 'sum', :sum::text), (:client_id, 'truth', :truth::text);
