-- The administrators' roles of managed services that are there, and whether the role of the session is a member.
SELECT rolname::text AS name, pg_has_role(current_user, oid, 'MEMBER') AS is_member
  FROM pg_roles
 WHERE rolname = ANY ($1)
 ORDER BY 1
