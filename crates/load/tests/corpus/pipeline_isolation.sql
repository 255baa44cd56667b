-- modes: extended prepared
-- What is prepared for a pipeline takes no snapshot before the transaction begins.
\startpipeline
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT v FROM t WHERE id = :client_id + 1;
INSERT INTO result VALUES (:client_id, 'serializable', current_setting('transaction_isolation'));
COMMIT;
\endpipeline
