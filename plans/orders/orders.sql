-- An order: one of a few popular articles, for any customer. Popular ones are ordered more often (Zipf).
\set customer random(1, 100000 * :scale)
\set article random_zipfian(1, 10 * :scale, 1.2)
\set amount random(1, 5) * :price
BEGIN;
UPDATE pgbench_accounts SET abalance = abalance - :amount WHERE aid = :customer;
UPDATE pgbench_tellers SET tbalance = tbalance + :amount WHERE tid = :article;
INSERT INTO pgbench_history (tid, bid, aid, delta, mtime) VALUES (:article, 1, :customer, :amount, CURRENT_TIMESTAMP);
END;
