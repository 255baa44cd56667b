\set a random(2, 1)
SELECT 1;
