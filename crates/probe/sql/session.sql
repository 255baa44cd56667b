-- What the probe's own session needs: never to wait long, never to be in the way, never to write, never to be closed as
-- idle, and never to meet a table that somebody has called pg_stat_wal.
SET search_path = pg_catalog;
SET statement_timeout = '500ms';
SET lock_timeout = '100ms';
SET idle_session_timeout = 0;
SET default_transaction_read_only = on;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
