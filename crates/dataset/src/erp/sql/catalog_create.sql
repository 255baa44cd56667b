-- The catalogue: one row per item, named as the platform names its standard attributes.
CREATE TABLE erp_item (
  _idrref bytea NOT NULL,
  _version integer NOT NULL,
  _marked boolean NOT NULL,
  _parentidrref bytea NOT NULL,
  _folder boolean NOT NULL,
  _code character varying(19) NOT NULL,
  _description character varying(100) NOT NULL,
  article character varying(25) NOT NULL,
  unit bytea NOT NULL,
  vat_rate bytea NOT NULL,
  weight numeric(15,3) NOT NULL,
  price numeric(15,2) NOT NULL,
  changed_at timestamp without time zone NOT NULL
);
-- Always empty: what a statement prepared before its session has the temporary table of this name is parsed against. The
-- temporary table hides it.
CREATE TABLE erp_line (
  line_no integer NOT NULL,
  item bytea NOT NULL,
  warehouse bytea NOT NULL,
  unit bytea NOT NULL,
  quantity numeric(15,3) NOT NULL,
  price numeric(15,2) NOT NULL,
  amount numeric(15,2) NOT NULL,
  shipped_at timestamp without time zone NOT NULL
);
