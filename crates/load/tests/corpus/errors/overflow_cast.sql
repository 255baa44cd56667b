\set a int(1e20)
SELECT 1;
