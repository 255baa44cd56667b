-- Semicolons in the body of an SQL function.
CREATE OR REPLACE FUNCTION pg_temp.f(a int) RETURNS int LANGUAGE sql BEGIN ATOMIC SELECT 1; SELECT CASE WHEN a > 0 THEN a + 1 END; END;
INSERT INTO result VALUES (:client_id, 'f', pg_temp.f(2));
