-- What may write of what a statement uses: functions of these names that are volatile (of an aggregate, one of its parts),
-- those of the second list, and the functions behind operators and casts that somebody has made.
WITH volatile AS (
    SELECT p.oid, p.proname, p.pronamespace
      FROM pg_catalog.pg_proc p
      LEFT JOIN pg_catalog.pg_aggregate a ON a.aggfnoid = p.oid
     WHERE p.provolatile = 'v' OR p.proname = ANY ($2::text[]::name[])
        OR EXISTS (SELECT FROM pg_catalog.pg_proc part
                    WHERE part.oid IN (a.aggtransfn, a.aggfinalfn, a.aggcombinefn, a.aggmtransfn, a.aggminvtransfn)
                      AND part.provolatile = 'v')
), used AS (
    SELECT 'function' AS kind, oid, proname::text AS name FROM volatile WHERE proname = ANY ($1::text[]::name[])
    UNION ALL
    SELECT 'operator', v.oid, o.oprname::text
      FROM volatile v JOIN pg_catalog.pg_operator o ON o.oprcode = v.oid WHERE o.oid >= 16384
    UNION ALL
    SELECT 'cast', v.oid, v.proname::text
      FROM volatile v JOIN pg_catalog.pg_cast c ON c.castfunc = v.oid WHERE c.oid >= 16384
)
SELECT u.kind, n.nspname::text, u.name, u.oid::pg_catalog.regprocedure::text, u.oid < 16384::pg_catalog.oid,
       (SELECT e.extname::text
          FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_extension e ON e.oid = d.refobjid
         WHERE d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND d.objid = u.oid AND d.deptype = 'e'
           AND d.refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass LIMIT 1)
  FROM used u JOIN volatile v ON v.oid = u.oid JOIN pg_catalog.pg_namespace n ON n.oid = v.pronamespace
 ORDER BY u.oid
