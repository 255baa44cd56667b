\set a 1e309
SELECT 1;
