-- shell: permitted
\shell false
SELECT 1;
