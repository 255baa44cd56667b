\sleep 1 min
SELECT 1;
