-- What is in a branch that is not taken is not evaluated.
\if false
\set a 1 / 0
SELECT 1 / 0;
\if 1 / 0
\elif 1 / 0
\else
\sleep 1000 s
\endif
\elif true
INSERT INTO result VALUES (:client_id, 'taken', '');
\elif 1 / 0
SELECT 2 / 0;
\endif
