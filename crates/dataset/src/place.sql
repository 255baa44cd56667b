-- Where the session is: the database, whether it may write, and the schema in which new tables are made, which is the
-- first of the search path in which the role may create.
SELECT current_database()::text AS database,
       current_user::text AS role,
       pg_is_in_recovery() AS standby,
       current_setting('transaction_read_only') = 'on' AS read_only,
       current_setting('search_path') AS search_path,
       (SELECT s.name::text
          FROM unnest(current_schemas(false)) WITH ORDINALITY AS s(name, place)
         WHERE has_schema_privilege(s.name, 'CREATE')
         ORDER BY s.place
         LIMIT 1) AS creatable_schema
