-- Which queries this server understands, and who asks.
-- kept: glibc leaves a process twice the largest block that it ever gave back. Without that, what a query needs is had from the kernel
-- and given back to it each time, which is a quarter of what it costs to look at the sessions.
SELECT
    current_setting('server_version_num')::integer / 10000 AS major,
    current_user::text AS role,
    length(repeat(' ', 1000000)) AS kept
