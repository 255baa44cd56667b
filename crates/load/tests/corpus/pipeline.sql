-- modes: extended prepared
-- A pipeline, with a transaction in it and another one behind it.
\startpipeline
BEGIN;
INSERT INTO result VALUES (:client_id, 'in', :client_id);
SELECT 1;
UPDATE t SET v = v WHERE id = :client_id + 1;
END;
\endpipeline
\startpipeline
SELECT 1;
\set x 5
INSERT INTO result VALUES (:client_id, 'implicit', :x);
\endpipeline
INSERT INTO result VALUES (:client_id, 'behind', :x);
