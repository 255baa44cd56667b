-- A transaction that sends nothing in one of its branches.
\set x random(0, 1)
\if :x = 1
INSERT INTO result VALUES (:client_id, 'one', :x);
\endif
