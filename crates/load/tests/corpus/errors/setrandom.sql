\setrandom a 1 2
SELECT 1;
