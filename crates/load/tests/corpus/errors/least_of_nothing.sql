\set a least()
SELECT 1;
