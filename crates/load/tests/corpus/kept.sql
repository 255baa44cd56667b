-- define: n=0
-- Variables keep their values from one transaction to the next.
\set n :n + 1
INSERT INTO result VALUES (:client_id, 'n', :n);
