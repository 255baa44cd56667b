-- Which queries this server understands, and who asks.
SELECT current_setting('server_version_num')::integer / 10000 AS major, current_user::text AS role
