ALTER TABLE erp_item ADD PRIMARY KEY (_idrref);
CREATE INDEX erp_item_by_code ON erp_item (_code, _idrref);
CREATE INDEX erp_item_by_description ON erp_item (_description, _idrref);
CREATE INDEX erp_item_by_parent ON erp_item (_parentidrref, _folder, _code, _idrref);
