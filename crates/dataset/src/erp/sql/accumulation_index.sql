CREATE UNIQUE INDEX erp_movement_by_recorder ON erp_movement (_recorder, _lineno);
CREATE INDEX erp_movement_by_period ON erp_movement (_period, _recorder, _lineno);
CREATE INDEX erp_movement_by_dimensions ON erp_movement (item, warehouse, _period);
CREATE UNIQUE INDEX erp_movement_total_by_dimensions ON erp_movement_total (_period, item, warehouse, _splitter);
