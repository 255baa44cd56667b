-- The seed of hashes that is not given, which is pgbench's next draw after the clients' seeds.
\set a hash(7)
\set b hash_fnv1a(7)
\set c permute(7, 1000000)
\set d :default_seed
INSERT INTO result VALUES (:client_id, 'a', :a);
INSERT INTO result VALUES (:client_id, 'b', :b);
INSERT INTO result VALUES (:client_id, 'c', :c);
INSERT INTO result VALUES (:client_id, 'd', :d);
