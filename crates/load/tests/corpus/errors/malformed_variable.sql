SELECT '12x' AS a \gset
\set b :a + 1
SELECT 1;
