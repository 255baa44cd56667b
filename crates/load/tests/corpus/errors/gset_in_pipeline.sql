\startpipeline
SELECT 1 AS a \gset
\endpipeline
