-- shell: permitted
-- Shell commands and their values.
\set n 20
\setshell m expr :n + 1
\setshell k echo ' 42 '
\shell test :n -eq 20
INSERT INTO result VALUES (:client_id, 'm', :m);
INSERT INTO result VALUES (:client_id, 'k', :k);
