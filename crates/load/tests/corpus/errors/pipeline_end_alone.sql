SELECT 1;
\endpipeline
