-- Hashes and permutations with a seed.
\set i random(1, 1000000)
\set a hash(:i, 5432)
\set b hash_fnv1a(:i, 5432)
\set c hash_murmur2(-:i, 0)
\set d permute(:i, 1000, 42)
\set e permute(-:i, 9223372036854775807, 42)
\set f permute(:i, 3, :i)
\set g permute(:i, 1, 2)
INSERT INTO result VALUES (:client_id, 'a', :a);
INSERT INTO result VALUES (:client_id, 'b', :b);
INSERT INTO result VALUES (:client_id, 'c', :c);
INSERT INTO result VALUES (:client_id, 'd', :d);
INSERT INTO result VALUES (:client_id, 'e', :e);
INSERT INTO result VALUES (:client_id, 'f', :f);
INSERT INTO result VALUES (:client_id, 'g', :g);
