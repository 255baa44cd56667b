-- A table that a SELECT makes; there is none before.
-- transactions: 1
/* Behind a comment. */ SELECT :client_id::int AS a INTO TEMP selected;
INSERT INTO result SELECT a, 'selected', a FROM selected;
