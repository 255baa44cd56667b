\set a random_gaussian(1, 10, 1.5)
SELECT 1;
