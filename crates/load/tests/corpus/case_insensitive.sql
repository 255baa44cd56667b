-- Keywords, functions and meta-commands in any case.
\SET a Case When True And Not False Then RANDOM(3, 3) Else Null End
\If :a IS Not NULL
INSERT INTO result VALUES (:client_id, 'a', :a);
\EndIf
