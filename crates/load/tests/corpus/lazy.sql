-- AND, OR and CASE leave out what is not needed, so that it does not fail.
\set a false and 1 / 0 = 1
\set b true or 1 / 0 = 1
\set c case when true then 1 else 1 / 0 end
\set d CASE WHEN 0 THEN 1 / 0 WHEN 0.5 THEN 7 END
INSERT INTO result VALUES (:client_id, 'a', :a::text), (:client_id, 'b', :b::text);
INSERT INTO result VALUES (:client_id, 'c', :c::text), (:client_id, 'd', :d::text);
