CREATE UNIQUE INDEX erp_price_by_dimensions ON erp_price (item, unit, kind, _period);
CREATE INDEX erp_price_by_period ON erp_price (_period, item, unit, kind);
