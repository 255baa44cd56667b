-- The row-level security policies of the tables with these numbers; no probe.
SELECT
    format('%I.%I', pg_namespace.nspname, pg_class.relname) AS table_name,
    quote_ident(pg_policy.polname) AS name,
    CASE WHEN pg_policy.polpermissive THEN '' ELSE 'RESTRICTIVE ' END
    || 'FOR ' || CASE pg_policy.polcmd
        WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE' WHEN 'd' THEN 'DELETE' ELSE 'ALL'
    END
    || ' TO ' || (
        SELECT string_agg(CASE WHEN member = 0 THEN 'PUBLIC' ELSE pg_get_userbyid(member)::text END, ', ' ORDER BY member)
        FROM unnest(pg_policy.polroles) AS member
    )
    || coalesce(' USING (' || pg_get_expr(pg_policy.polqual, pg_policy.polrelid) || ')', '')
    || coalesce(' WITH CHECK (' || pg_get_expr(pg_policy.polwithcheck, pg_policy.polrelid) || ')', '') AS definition,
    '{}' AS facts
FROM pg_policy
INNER JOIN pg_class ON pg_class.oid = pg_policy.polrelid
INNER JOIN pg_namespace ON pg_namespace.oid = pg_class.relnamespace
WHERE pg_policy.polrelid = ANY ($1)
ORDER BY table_name, name
LIMIT 500
