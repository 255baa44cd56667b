-- modes: simple
-- define: text=hello
-- define: number= 12
-- define: real=1.5e2
-- define: yes=t
-- define: nothing=null
-- define: scale=7
-- Definitions are texts, which expressions read as values.
\set a :number + 1
\set b :real * 2
\set c :yes and true
\set d :nothing is null
\set e :scale
INSERT INTO result VALUES (:client_id, 'text', ':text');
INSERT INTO result VALUES (:client_id, 'number', ':number'), (:client_id, 'a', ':a'), (:client_id, 'b', ':b');
INSERT INTO result VALUES (:client_id, 'c', ':c'), (:client_id, 'd', ':d'), (:client_id, 'e', ':e');
