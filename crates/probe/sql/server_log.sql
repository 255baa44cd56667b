-- How this server writes its log, and what its clock says.
SELECT
    current_setting('log_destination') AS destination,
    current_setting('logging_collector')::boolean AS collected,
    current_setting('log_line_prefix') AS prefix,
    current_setting('log_timezone') AS zone,
    current_setting('lc_messages') AS language,
    (EXTRACT(EPOCH FROM clock_timestamp()) * 1000000)::bigint AS now_us
