SELECT 1 AS a \gset
\gset
SELECT 1;
