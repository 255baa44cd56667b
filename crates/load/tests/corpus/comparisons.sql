-- Comparisons and logic, with NULL.
\set a 1 = 1.0
\set b 2 + 3 < 6 - 1
\set c 3 >= 3 and 4 > 3
\set d not 1 = 2 or false
\set e 1 <> 1 or 2 != 3
\set f not true is null
\set g 1 = 2 is false
\set h 5 <= 4 is not true
\set i 1 isnull or 1 notnull
\set j 1.5 < 2 and 2 > 1.5
INSERT INTO result VALUES (:client_id, 'a', :a::text), (:client_id, 'b', :b::text), (:client_id, 'c', :c::text);
INSERT INTO result VALUES (:client_id, 'd', :d::text), (:client_id, 'e', :e::text), (:client_id, 'f', :f::text);
INSERT INTO result VALUES (:client_id, 'g', :g::text), (:client_id, 'h', :h::text), (:client_id, 'i', :i::text);
INSERT INTO result VALUES (:client_id, 'j', :j::text);
