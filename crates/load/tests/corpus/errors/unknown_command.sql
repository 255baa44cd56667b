\nosuchcommand
SELECT 1;
