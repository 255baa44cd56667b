\sleep x
SELECT 1;
