-- shell: permitted
\setshell a true
SELECT 1;
