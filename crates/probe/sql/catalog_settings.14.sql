-- The settings of the database and of the role that sessions of the load begin with; no probe. That of the role in the
-- database goes before that of the role, and this before that of the database.
SELECT
    NULL::text AS table_name,
    split_part(kept, '=', 1) AS name,
    CASE
        WHEN setrole <> 0 AND setdatabase <> 0 THEN 'role in database'
        WHEN setrole <> 0 THEN 'role'
        WHEN setdatabase <> 0 THEN 'database'
        ELSE 'all roles'
    END AS definition,
    jsonb_strip_nulls(
        jsonb_build_object(
            'value', substr(kept, strpos(kept, '=') + 1),
            'statement', CASE
                WHEN setrole <> 0 THEN
                    format('ALTER ROLE %I', pg_get_userbyid(setrole))
                    || CASE WHEN setdatabase <> 0 THEN format(' IN DATABASE %I', current_database()) ELSE '' END
                WHEN setdatabase <> 0 THEN format('ALTER DATABASE %I', current_database())
                ELSE 'ALTER ROLE ALL'
            END,
            'overridden', nullif(row_number() OVER (
                PARTITION BY split_part(kept, '=', 1)
                ORDER BY setrole <> 0 DESC, setdatabase <> 0 DESC
            ) > 1, FALSE)
        )
    )::text AS facts
FROM pg_db_role_setting
CROSS JOIN unnest(setconfig) AS kept
WHERE
    setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
    AND setrole IN (0, session_user::regrole)
    AND kept !~* '(pass|secret|token|key|credential)'
ORDER BY name, definition
LIMIT 200
