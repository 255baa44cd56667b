-- The substitution of `pgdyno capture`, for the data that a capture is replayed on. It has the key in it: keep it as
-- secret as the data, and drop the functions when the data is masked.
--
-- Use: UPDATE customers SET name = pgdyno_mask(name), document = pgdyno_mask(document);
-- There are functions for text, text[], json, jsonb and bytea@ALL_TYPES@. PostgreSQL 14 or newer, encoding UTF8.

CREATE OR REPLACE FUNCTION pgdyno_mask_permute(value text, alphabet text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $pgdyno$
DECLARE
    inner_key CONSTANT bytea := '\x@INNER_KEY@';
    outer_key CONSTANT bytea := '\x@OUTER_KEY@';
    range_bases CONSTANT int[] := '{192,224,1024,1040,1072,1104,19968,44032,131072}';
    range_counts CONSTANT int[] := '{32,32,16,32,32,48,20992,11200,42752}';
    characters text[] := string_to_array(value, NULL);
    template text[] := string_to_array(value, NULL);
    places int[] := '{}';
    bases int[] := '{}';
    counts int[] := '{}';
    numbers int[] := '{}';
    is_leading boolean := true;
    code int;
    base int;
    size int;
    number int;
    total int;
    half int;
    first int;
    last int;
    others int[];
    message text;
    seed bytea;
    block bytea;
    place int;
BEGIN
    FOR i IN 1..coalesce(array_length(characters, 1), 0) LOOP
        code := ascii(characters[i]);
        base := NULL;
        IF alphabet = 'h' THEN
            IF code BETWEEN 48 AND 57 THEN
                base := 48; size := 16; number := code - 48;
            ELSIF code BETWEEN 97 AND 102 THEN
                base := 48; size := 16; number := code - 87;
            END IF;
        ELSIF code BETWEEN 48 AND 57 THEN
            IF alphabet = 't' OR NOT is_leading THEN
                base := 48; size := 10;
            ELSIF code > 48 THEN
                base := 49; size := 9;
            END IF;
            is_leading := false;
            number := code - base;
        ELSIF alphabet = 't' AND code BETWEEN 97 AND 122 THEN
            base := 97; size := 26; number := code - 97;
        ELSIF alphabet = 't' AND code BETWEEN 65 AND 90 THEN
            base := 65; size := 26; number := code - 65;
        ELSIF alphabet = 't' AND code >= 128 THEN
            base := code / 64 * 64; size := 64;
            FOR r IN 1..array_length(range_bases, 1) LOOP
                IF code >= range_bases[r] AND code < range_bases[r] + range_counts[r] THEN
                    base := range_bases[r]; size := range_counts[r];
                END IF;
            END LOOP;
            number := code - base;
        END IF;
        IF base IS NOT NULL THEN
            places := places || i;
            bases := bases || base;
            counts := counts || size;
            numbers := numbers || number;
            template[i] := chr(base);
        END IF;
    END LOOP;
    total := coalesce(array_length(places, 1), 0);
    IF total = 0 THEN
        RETURN value;
    END IF;
    half := total / 2;
    FOR round IN 1..4 LOOP
        IF round % 2 = 1 THEN
            first := half + 1; last := total; others := numbers[1:half];
        ELSE
            first := 1; last := half; others := numbers[half + 1:total];
        END IF;
        message := round::text || chr(1) || array_to_string(template, '') || chr(1);
        IF coalesce(array_length(others, 1), 0) > 0 THEN
            message := message || array_to_string(others, ',') || ',';
        END IF;
        seed := sha256(outer_key || sha256(inner_key || convert_to(message, 'UTF8')));
        block := seed;
        FOR i IN first..last LOOP
            place := i - first;
            IF place > 0 AND place % 16 = 0 THEN
                block := sha256(seed || convert_to((place / 16)::text, 'UTF8'));
            END IF;
            number := get_byte(block, 2 * (place % 16)) * 256 + get_byte(block, 2 * (place % 16) + 1);
            numbers[i] := (numbers[i] + number) % counts[i];
        END LOOP;
    END LOOP;
    FOR i IN 1..total LOOP
        IF alphabet = 'h' THEN
            characters[places[i]] := substr('0123456789abcdef', numbers[i] + 1, 1);
        ELSE
            characters[places[i]] := chr(bases[i] + numbers[i]);
        END IF;
    END LOOP;
    RETURN array_to_string(characters, '');
END
$pgdyno$;

CREATE OR REPLACE FUNCTION pgdyno_mask_is_json(value text) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $pgdyno$
BEGIN
    PERFORM value::json;
    RETURN true;
EXCEPTION WHEN others THEN
    RETURN false;
END
$pgdyno$;

CREATE OR REPLACE FUNCTION pgdyno_mask_is_array(value text) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $pgdyno$
BEGIN
    RETURN array_ndims(value::text[]) = 1 AND value::text[]::text = value;
EXCEPTION WHEN others THEN
    RETURN false;
END
$pgdyno$;

CREATE OR REPLACE FUNCTION pgdyno_mask_number(value text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $pgdyno$
    SELECT pgdyno_mask_permute(substring(value FROM '^[^eE]*'), 'n') || coalesce(substring(value FROM '[eE].*$'), '')
$pgdyno$;

CREATE OR REPLACE FUNCTION pgdyno_mask_date(value text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $pgdyno$
BEGIN
    IF value !~ '^[0-9]{4}-' THEN
        RETURN value;
    END IF;
    RETURN to_char(make_date(substr(value, 1, 4)::int, substr(value, 6, 2)::int, substr(value, 9, 2)::int) + @DAYS@,
                   'YYYY-MM-DD') || substr(value, 11);
EXCEPTION WHEN others THEN
    RETURN value;
END
$pgdyno$;

CREATE OR REPLACE FUNCTION pgdyno_mask(value text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $pgdyno$
DECLARE
    masks_all CONSTANT boolean := @MASKS_ALL@;
    masked text := '';
    part text[];
    token text[];
BEGIN
    IF value = '' OR value IN ('t', 'f', 'true', 'false', 'NaN', 'Infinity', '-Infinity', 'infinity', '-infinity')
       OR value ~ '^(@NUMBER@ @UNIT@ )*@NUMBER@ @UNIT@( [+-]?@CLOCK@)?$' THEN
        RETURN value;
    ELSIF value ~ '^@NUMBER@$' THEN
        RETURN CASE WHEN masks_all THEN pgdyno_mask_number(value) ELSE value END;
    ELSIF value ~ '^([0-9]{4}-[0-9]{2}-[0-9]{2}[ T]?(@CLOCK@)?|@CLOCK@)( ?([+-][0-9]{2}(:?[0-9]{2})?|Z|UTC))?$' THEN
        RETURN CASE WHEN masks_all THEN pgdyno_mask_date(value) ELSE value END;
    ELSIF value ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' THEN
        RETURN CASE WHEN masks_all THEN pgdyno_mask_permute(value, 'h') ELSE value END;
    ELSIF value ~ '^\\x([0-9a-f]{2})*$' THEN
        RETURN '\x' || pgdyno_mask_permute(substr(value, 3), 'h');
    ELSIF left(value, 1) IN ('{', '[') AND pgdyno_mask_is_json(value) THEN
        FOR part IN SELECT regexp_matches(value, '("(?:[^"\\]|\\.)*")([ \t\n\r]*:)?|([^"]+)', 'g') LOOP
            IF part[3] IS NOT NULL AND masks_all THEN
                FOR token IN SELECT regexp_matches(part[3], '([-0-9][-+.eE0-9]*)|([^-0-9]+)', 'g') LOOP
                    masked := masked || coalesce(pgdyno_mask_number(token[1]), token[2]);
                END LOOP;
            ELSIF part[3] IS NOT NULL THEN
                masked := masked || part[3];
            ELSIF part[2] IS NOT NULL THEN
                masked := masked || part[1] || part[2];
            ELSE
                masked := masked || to_json(pgdyno_mask(part[1]::json #>> '{}'))::text;
            END IF;
        END LOOP;
        RETURN masked;
    ELSIF left(value, 1) = '{' AND pgdyno_mask_is_array(value) THEN
        RETURN pgdyno_mask(value::text[])::text;
    END IF;
    RETURN pgdyno_mask_permute(value, 't');
END
$pgdyno$;

CREATE OR REPLACE FUNCTION pgdyno_mask(value text[]) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $pgdyno$
    SELECT coalesce(array_agg(pgdyno_mask(element) ORDER BY place), '{}')
    FROM unnest(value) WITH ORDINALITY AS elements (element, place)
$pgdyno$;

CREATE OR REPLACE FUNCTION pgdyno_mask(value json) RETURNS json
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $pgdyno$ SELECT pgdyno_mask(value::text)::json $pgdyno$;

CREATE OR REPLACE FUNCTION pgdyno_mask(value jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $pgdyno$ SELECT pgdyno_mask(value::text)::jsonb $pgdyno$;

CREATE OR REPLACE FUNCTION pgdyno_mask(value bytea) RETURNS bytea
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $pgdyno$
    SELECT decode(pgdyno_mask_permute(encode(value, 'hex'), 'h'), 'hex')
$pgdyno$;
