\set a noSuchFunction(1)
SELECT 1;
