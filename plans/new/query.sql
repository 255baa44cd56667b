-- One execution of this file is one transaction. Replace it by your own statements.
\set first random(1, 1000)
SELECT i % 5000 AS k, count(*) FROM generate_series(:first, :first + 20000) AS i GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 5;
