\startpipeline
SELECT 1;
