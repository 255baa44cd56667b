-- Pauses: fixed, by a variable, in every unit, also of no length.
\set n 2
\sleep 1ms
\sleep :n ms
\sleep 100 us
\sleep 0 s
\sleep :n us
INSERT INTO result VALUES (:client_id, 'awake', :n);
