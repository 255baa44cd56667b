SELECT 1 AS a WHERE false \gset
SELECT 1;
