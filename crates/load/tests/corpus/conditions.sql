-- Branches, nested, with conditions of every type.
\set x random(0, 4)
\if :x = 0
INSERT INTO result VALUES (:client_id, 'zero', '');
\elif :x = 1
  \if :client_id
INSERT INTO result VALUES (:client_id, 'one and not first', '');
  \else
INSERT INTO result VALUES (:client_id, 'one and first', '');
  \endif
\elif :x = 2
\set y 5
INSERT INTO result VALUES (:client_id, 'two', :y);
\else
INSERT INTO result VALUES (:client_id, 'else', :x);
\endif
\if NULL
INSERT INTO result VALUES (:client_id, 'null', '');
\elif 0.0
INSERT INTO result VALUES (:client_id, '0.0', '');
\elif 0.1
INSERT INTO result VALUES (:client_id, '0.1', '');
\endif
