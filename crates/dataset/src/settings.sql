-- Settings of the control session only; a name that this server does not have is left out.
-- Limits of the role or the database must not break a long set-up; a lock that somebody else holds must not hang it.
SELECT set_config(s.name, v.setting, false)
  FROM (VALUES ('statement_timeout', '0'),
               ('transaction_timeout', '0'),
               ('idle_in_transaction_session_timeout', '0'),
               ('lock_timeout', '10s')) AS v (name, setting)
  JOIN pg_catalog.pg_settings AS s USING (name)
