-- Quotes that hide semicolons, backslashes and quotes.
INSERT INTO result VALUES (:client_id, 'single', ';''\;--');
INSERT INTO result VALUES (:client_id, 'escape', E'\';\\');
INSERT INTO result VALUES (:client_id, 'dollar', $$;'\$$);
INSERT INTO result VALUES (:client_id, 'tagged', $q$ $$ ; $q$);
INSERT INTO result SELECT :client_id, ";", '' FROM (SELECT 'quoted' AS ";") AS x;
