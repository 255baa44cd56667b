-- Transaction blocks, savepoints, rollbacks.
BEGIN;
INSERT INTO result VALUES (:client_id, 'kept', '');
SAVEPOINT s;
INSERT INTO result VALUES (:client_id, 'gone', '');
ROLLBACK TO s;
COMMIT;
BEGIN;
INSERT INTO result VALUES (:client_id, 'gone', '');
ROLLBACK;
