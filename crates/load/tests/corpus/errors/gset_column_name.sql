SELECT 1 AS "?" \gset
SELECT 1;
