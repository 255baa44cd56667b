-- NULL in every place.
\set a NULL + 1
\set b NULL and true
\set c NULL or true
\set d false and NULL
\set e true or NULL
\set f NULL = NULL
\set g abs(NULL)
\set h least(1, NULL)
\set i NULL is null
\set j NULL is not null
\set k case when NULL then 1 else 2 end
INSERT INTO result VALUES (:client_id, 'a', :a::text), (:client_id, 'b', :b::text), (:client_id, 'c', :c::text);
INSERT INTO result VALUES (:client_id, 'd', :d::text), (:client_id, 'e', :e::text), (:client_id, 'f', :f::text);
INSERT INTO result VALUES (:client_id, 'g', :g::text), (:client_id, 'h', :h::text), (:client_id, 'i', :i::text);
INSERT INTO result VALUES (:client_id, 'j', :j::text), (:client_id, 'k', :k::text);
