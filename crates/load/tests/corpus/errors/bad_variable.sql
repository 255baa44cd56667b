\set 1a 1
SELECT 1;
