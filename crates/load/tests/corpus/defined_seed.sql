-- define: default_seed=5432
-- A definition goes before what is automatic.
\set a hash(10)
\set b hash_fnv1a(10)
INSERT INTO result VALUES (:client_id, 'a', :a);
INSERT INTO result VALUES (:client_id, 'b', :b);
