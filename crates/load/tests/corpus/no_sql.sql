-- Nothing for the server to do.
\set a 1 + random(1, 5)
