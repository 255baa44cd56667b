-- shell: permitted
\shell echo :nowhere
SELECT 1;
