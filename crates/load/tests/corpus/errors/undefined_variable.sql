\set a :nowhere + 1
SELECT 1;
