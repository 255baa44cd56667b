\set a not 1
SELECT 1;
