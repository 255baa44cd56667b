\set a
SELECT 1;
