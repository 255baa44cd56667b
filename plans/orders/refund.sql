-- A refund: what a customer owes is read first, and given back only where there is anything.
\set customer random(1, 100000 * :scale)
BEGIN;
SELECT abalance AS owed FROM pgbench_accounts WHERE aid = :customer \gset
\if :owed < 0
UPDATE pgbench_accounts SET abalance = 0 WHERE aid = :customer;
\endif
END;
