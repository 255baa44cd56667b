-- One new item of the catalogue.
\set item random(100000 * :scale + 1, 4611686018427387903)
\set parent random(1, 1000 * :scale)
\set price random(100, 1000000)
BEGIN;
INSERT INTO erp_item (_idrref, _version, _marked, _parentidrref, _folder, _code, _description, article, unit, vat_rate,
                      weight, price, changed_at)
VALUES ({key(:item)}, 0, false, {key(:parent)}, false, lpad(:item::bigint::text, 19, '0'),
        'Item ' || encode({key(:item)}, 'hex'), 'A-' || :parent::bigint, {key(:item::bigint % 10 + 1)}, {key(:item::bigint % 3 + 1)},
        :price::numeric / 1000, :price::numeric / 100, localtimestamp);
COMMIT;
