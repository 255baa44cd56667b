-- In which order operands draw: of > and >= the right one comes first.
\set a random(1, 1000) * 1000 + random(1, 1000)
\set b random(1, 1000000) > random(1, 1000000)
\set c random(1, 1000000) <= random(1, 1000000)
\set d case when random(0, 1) = 1 then random(1, 1000) else -random(1, 1000) end
\set e least(random(1, 100), random(1, 100), random(1, 100))
INSERT INTO result VALUES (:client_id, 'a', :a);
INSERT INTO result VALUES (:client_id, 'b', :b::text), (:client_id, 'c', :c::text);
INSERT INTO result VALUES (:client_id, 'd', :d);
INSERT INTO result VALUES (:client_id, 'e', :e);
