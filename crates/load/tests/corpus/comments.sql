-- Comments of every kind; a semicolon; in them ends nothing.
   -- indented ; comment
/* block ; /* nested ; */ ; */ INSERT INTO result /* x; */ VALUES (:client_id, 'block', ''); -- behind
;;
INSERT INTO result
-- within ;
VALUES (:client_id, 'within', '');
