-- Casts, slices and times are no variables; what is in quotes is, in the simple protocol.
\set a 5
INSERT INTO result VALUES (:client_id, 'cast', :a::int::text);
INSERT INTO result VALUES (:client_id, 'slice', ((ARRAY[1,2,3])[1:2])::text);
INSERT INTO result VALUES (:client_id, 'time', '12:30:01'::time::text);
