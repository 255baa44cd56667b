-- Statements that cannot be prepared before the script has run once.
DROP TABLE IF EXISTS mine;
CREATE TEMP TABLE mine (a int);
INSERT INTO mine VALUES (:client_id);
INSERT INTO result SELECT a, 'mine', a FROM mine;
