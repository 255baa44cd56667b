UPDATE t SET v = v WHERE id = 1 \gset
SELECT 1;
