-- The accounting register: ten double entries to a document.
CREATE TABLE erp_entry (
  _period timestamp without time zone NOT NULL,
  _recorder bytea NOT NULL,
  _lineno integer NOT NULL,
  _active boolean NOT NULL,
  account_dt bytea NOT NULL,
  account_ct bytea NOT NULL,
  amount numeric(15,2) NOT NULL
);
-- The analytics of an entry: three of its debit side (item, warehouse, division), two of its credit side (partner,
-- contract). _correspond is 0 on the debit side and 1 on the credit side.
CREATE TABLE erp_entry_analytic (
  _period timestamp without time zone NOT NULL,
  _recorder bytea NOT NULL,
  _lineno integer NOT NULL,
  _correspond smallint NOT NULL,
  kind integer NOT NULL,
  value bytea NOT NULL
);
-- What was debited and credited in a month, per account and analytics; an analytic that an account has not is empty.
CREATE TABLE erp_turnover (
  _period timestamp without time zone NOT NULL,
  account bytea NOT NULL,
  value1 bytea NOT NULL,
  value2 bytea NOT NULL,
  value3 bytea NOT NULL,
  _splitter integer NOT NULL,
  debit numeric(20,2) NOT NULL,
  credit numeric(20,2) NOT NULL
) WITH (fillfactor = 90);
-- Debits minus credits of all time, per account and analytics.
CREATE TABLE erp_balance (
  account bytea NOT NULL,
  value1 bytea NOT NULL,
  value2 bytea NOT NULL,
  value3 bytea NOT NULL,
  _splitter integer NOT NULL,
  balance numeric(20,2) NOT NULL
) WITH (fillfactor = 90);
