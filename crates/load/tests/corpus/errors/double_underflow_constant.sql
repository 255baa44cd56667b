\set a 5e-324
SELECT 1;
