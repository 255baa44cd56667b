\set a random(1)
SELECT 1;
