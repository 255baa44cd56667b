-- Names with letters beyond ASCII, digits and underscores.
\set größe 5
\set _x9 :größe * 2
\set 変数 :_x9 + 1
INSERT INTO result VALUES (:client_id, 'größe', :größe);
INSERT INTO result VALUES (:client_id, '変数', :変数);
