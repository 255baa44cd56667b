CREATE UNIQUE INDEX erp_entry_by_recorder ON erp_entry (_recorder, _lineno);
CREATE INDEX erp_entry_by_period ON erp_entry (_period, _recorder, _lineno);
CREATE INDEX erp_entry_by_account_dt ON erp_entry (account_dt, _period, _recorder, _lineno);
CREATE INDEX erp_entry_by_account_ct ON erp_entry (account_ct, _period, _recorder, _lineno);
CREATE UNIQUE INDEX erp_entry_analytic_by_recorder ON erp_entry_analytic (_recorder, _lineno, _correspond, kind);
CREATE INDEX erp_entry_analytic_by_value ON erp_entry_analytic (value, kind, _period, _recorder, _lineno);
CREATE UNIQUE INDEX erp_turnover_by_analytics ON erp_turnover (_period, account, value1, value2, value3, _splitter);
CREATE UNIQUE INDEX erp_balance_by_analytics ON erp_balance (account, value1, value2, value3, _splitter);
