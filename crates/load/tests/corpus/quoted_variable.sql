-- modes: simple
-- In the simple protocol variables are text, wherever they stand; what is no variable stays.
\set a 5
INSERT INTO result VALUES (:client_id, 'quoted', 'a=:a, :no_variable, ::a');
