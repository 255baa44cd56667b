\set a exp(1, 2)
SELECT 1;
