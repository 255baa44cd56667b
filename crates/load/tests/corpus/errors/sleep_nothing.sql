\sleep
SELECT 1;
