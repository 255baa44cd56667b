-- One item of the catalogue, read, changed and written if nobody else wrote it since; if somebody did, it is read again
-- and locked, and written then.
\set item {draw(1, 100000 * :scale)}
\set price random(100, 1000000)
\set written 0
BEGIN;
SELECT _version AS version, _marked, _parentidrref, _folder, _code, _description, article, unit, vat_rate, weight, price
  FROM erp_item
 WHERE _idrref = {key(:item)} \gset read_
UPDATE erp_item
   SET _version = _version + 1, price = :price::numeric / 100, weight = :price::numeric / 1000, changed_at = localtimestamp
 WHERE _idrref = {key(:item)} AND _version = :read_version
RETURNING 1 AS written \aset
\if :written = 0
SELECT _version AS version
  FROM erp_item
 WHERE _idrref = {key(:item)}
   FOR UPDATE \gset read_
UPDATE erp_item
   SET _version = _version + 1, price = :price::numeric / 100, weight = :price::numeric / 1000, changed_at = localtimestamp
 WHERE _idrref = {key(:item)} AND _version = :read_version;
\endif
COMMIT;
