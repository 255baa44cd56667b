\set a true + 1
SELECT 1;
