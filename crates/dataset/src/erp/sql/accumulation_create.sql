-- The accumulation register: what moved in and out of the warehouses, ten movements to a document.
CREATE TABLE erp_movement (
  _period timestamp without time zone NOT NULL,
  _recorder bytea NOT NULL,
  _lineno integer NOT NULL,
  _active boolean NOT NULL,
  _recordkind smallint NOT NULL,
  item bytea NOT NULL,
  warehouse bytea NOT NULL,
  quantity numeric(15,3) NOT NULL,
  amount numeric(15,2) NOT NULL
);
-- What moved in a month, in minus out. A key has as many rows as its writers have splitters; its total is their sum.
CREATE TABLE erp_movement_total (
  _period timestamp without time zone NOT NULL,
  item bytea NOT NULL,
  warehouse bytea NOT NULL,
  _splitter integer NOT NULL,
  quantity numeric(20,3) NOT NULL,
  amount numeric(20,2) NOT NULL
) WITH (fillfactor = 90);
