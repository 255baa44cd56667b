-- One document with ten double entries, and what they change in turnovers and balances: goods of ten items (item, warehouse,
-- division) from one partner (partner, contract). Its items ascend and the partner comes last, so that documents that
-- write at the same time take their locks in the same order.
\set document random(20000 * :scale + 1, 4611686018427387903)
\set warehouse random(1, 2)
\set division :warehouse % 3 + 1
\set partner random(1, 1000 * :scale)
\set credited :partner % 5 + 11
\set splitter :client_id % {splitter}
\set total 0
-- for each line
\set item{line} {draw(10000 * :scale * ({line} - 1) + 1, 10000 * :scale * {line})}
\set debited{line} :item{line} % 10 + 1
\set amount{line} random(100, 1000000)
\set total :total + :amount{line}
-- end
BEGIN;
INSERT INTO erp_entry (_period, _recorder, _lineno, _active, account_dt, account_ct, amount)
VALUES
-- for each line, with commas between
  (date '2026-10-16' + localtime, {key(:document)}, {line}, true, {key(:debited{line})}, {key(:credited)}, :amount{line})
-- end
;
INSERT INTO erp_entry_analytic (_period, _recorder, _lineno, _correspond, kind, value)
VALUES
-- for each line, with commas between
  (date '2026-10-16' + localtime, {key(:document)}, {line}, 0, 1, {key(:item{line})}),
  (date '2026-10-16' + localtime, {key(:document)}, {line}, 0, 2, {key(:warehouse)}),
  (date '2026-10-16' + localtime, {key(:document)}, {line}, 0, 3, {key(:division)}),
  (date '2026-10-16' + localtime, {key(:document)}, {line}, 1, 1, {key(:partner)}),
  (date '2026-10-16' + localtime, {key(:document)}, {line}, 1, 2, {key(:partner)})
-- end
;
-- for each line
\set found 0
UPDATE erp_turnover
   SET debit = debit + :amount{line}
 WHERE _period = timestamp '2026-10-01' AND account = {key(:debited{line})}
   AND value1 = {key(:item{line})} AND value2 = {key(:warehouse)} AND value3 = {key(:division)} AND _splitter = :splitter
RETURNING 1 AS found \aset
\if :found = 0
INSERT INTO erp_turnover AS turnover (_period, account, value1, value2, value3, _splitter, debit, credit)
VALUES (timestamp '2026-10-01', {key(:debited{line})}, {key(:item{line})}, {key(:warehouse)}, {key(:division)}, :splitter,
        :amount{line}, 0)
    ON CONFLICT (_period, account, value1, value2, value3, _splitter) DO UPDATE
   SET debit = turnover.debit + EXCLUDED.debit;
\endif
-- end
\set found 0
UPDATE erp_turnover
   SET credit = credit + :total
 WHERE _period = timestamp '2026-10-01' AND account = {key(:credited)}
   AND value1 = {key(:partner)} AND value2 = {key(:partner)} AND value3 = '' AND _splitter = :splitter
RETURNING 1 AS found \aset
\if :found = 0
INSERT INTO erp_turnover AS turnover (_period, account, value1, value2, value3, _splitter, debit, credit)
VALUES (timestamp '2026-10-01', {key(:credited)}, {key(:partner)}, {key(:partner)}, '', :splitter, 0, :total)
    ON CONFLICT (_period, account, value1, value2, value3, _splitter) DO UPDATE
   SET credit = turnover.credit + EXCLUDED.credit;
\endif
-- for each line
\set found 0
UPDATE erp_balance
   SET balance = balance + :amount{line}
 WHERE account = {key(:debited{line})}
   AND value1 = {key(:item{line})} AND value2 = {key(:warehouse)} AND value3 = {key(:division)} AND _splitter = :splitter
RETURNING 1 AS found \aset
\if :found = 0
INSERT INTO erp_balance AS balance (account, value1, value2, value3, _splitter, balance)
VALUES ({key(:debited{line})}, {key(:item{line})}, {key(:warehouse)}, {key(:division)}, :splitter, :amount{line})
    ON CONFLICT (account, value1, value2, value3, _splitter) DO UPDATE
   SET balance = balance.balance + EXCLUDED.balance;
\endif
-- end
\set found 0
UPDATE erp_balance
   SET balance = balance - :total
 WHERE account = {key(:credited)}
   AND value1 = {key(:partner)} AND value2 = {key(:partner)} AND value3 = '' AND _splitter = :splitter
RETURNING 1 AS found \aset
\if :found = 0
INSERT INTO erp_balance AS balance (account, value1, value2, value3, _splitter, balance)
VALUES ({key(:credited)}, {key(:partner)}, {key(:partner)}, '', :splitter, 0 - :total::bigint)
    ON CONFLICT (account, value1, value2, value3, _splitter) DO UPDATE
   SET balance = balance.balance + EXCLUDED.balance;
\endif
COMMIT;
