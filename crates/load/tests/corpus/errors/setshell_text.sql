-- shell: permitted
\setshell a echo x
SELECT 1;
