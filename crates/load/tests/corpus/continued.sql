-- Meta-commands over several lines.
\set a \
  1 + \
  2
\if \
  :a = 3
INSERT INTO result VALUES (:client_id, 'a', :a);
\endif
\sleep \
  1 \
  us
