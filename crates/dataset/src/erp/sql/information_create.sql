-- The information register: the prices of an item, ten rows (one per kind of price) to a record set.
CREATE TABLE erp_price (
  _period timestamp without time zone NOT NULL,
  item bytea NOT NULL,
  unit bytea NOT NULL,
  kind bytea NOT NULL,
  price numeric(15,2) NOT NULL,
  discount numeric(5,2) NOT NULL
);
