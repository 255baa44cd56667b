\set a permute(1, 0)
SELECT 1;
