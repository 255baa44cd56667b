-- The automatic variables.
INSERT INTO result VALUES (:client_id, 'scale', :scale);
INSERT INTO result VALUES (:client_id, 'seed', :random_seed);
