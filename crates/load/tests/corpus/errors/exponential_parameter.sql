\set a random_exponential(1, 10, 0.0)
SELECT 1;
