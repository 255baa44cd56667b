\set a true
\sleep :a us
SELECT 1;
