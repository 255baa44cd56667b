-- transactions: 100
-- Every distribution, number for number.
\set a random_gaussian(1, 1000000, 2.5)
\set b random_gaussian(-100, 100, 5)
\set c random_exponential(1, 1000000, 10)
\set d random_exponential(1, 10, 0.1)
\set e random_zipfian(1, 1000000, 1.07)
\set f random_zipfian(1, 1000, 2)
\set g random_zipfian(5, 5, 1.5)
\set h random_zipfian(1, 10, 1000)
INSERT INTO result VALUES (:client_id, 'a', :a), (:client_id, 'b', :b), (:client_id, 'c', :c), (:client_id, 'd', :d);
INSERT INTO result VALUES (:client_id, 'e', :e), (:client_id, 'f', :f), (:client_id, 'g', :g), (:client_id, 'h', :h);
