-- Takes back the items that workloads have inserted. Those that they have updated stay as they were written.
DELETE FROM erp_item WHERE _code > lpad((100000 * {scale})::text, 19, '0');
