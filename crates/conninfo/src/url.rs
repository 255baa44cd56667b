//! Connection URLs as libpq reads them: `postgresql://user:password@host:port/dbname?parameter=value&…`, each part
//! optional and percent-encoded, an IPv6 address in brackets.

use super::ConninfoError;

/// The text after `postgresql://` or `postgres://`, if this is a URL.
pub(super) fn strip_url_scheme(text: &str) -> Option<&str> {
    ["postgresql://", "postgres://"].iter().find_map(|scheme| text.strip_prefix(scheme))
}

/// Splits the body of a URL into pairs, in order. Names of parameters after `?` are not checked here.
pub(super) fn parse_url_body(body: &str) -> Result<Vec<(String, String)>, ConninfoError> {
    let mut pairs = Vec::new();
    let (credentials, rest) = match body.find(['@', '/']) {
        Some(at) if body[at..].starts_with('@') => (Some(&body[..at]), &body[at + 1..]),
        _ => (None, body),
    };
    if let Some(credentials) = credentials {
        let (user, password) = credentials.split_once(':').unwrap_or((credentials, ""));
        push_url_part(&mut pairs, "user", user)?;
        push_url_part(&mut pairs, "password", password)?;
    }
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    // Stricter than libpq: a raw "@" here is the end of a password that was not percent-encoded, and taking it for a
    // host or a database would print the rest of the password in the next error.
    if path.contains('@') {
        let hint = "percent-encode @ and / in the user name, password and database name as %40 and %2F";
        return Err(ConninfoError::Malformed { what: "\"@\" in the host or database name", hint });
    }
    let (host, dbname) = path.split_once('/').unwrap_or((path, ""));
    push_host(&mut pairs, host)?;
    push_url_part(&mut pairs, "dbname", dbname)?;
    for parameter in query.split('&').filter(|parameter| !parameter.is_empty()) {
        push_parameter(&mut pairs, parameter)?;
    }
    Ok(pairs)
}

/// Several hosts have commas between them, each with a port of its own or none.
fn push_host(pairs: &mut Vec<(String, String)>, hosts: &str) -> Result<(), ConninfoError> {
    let all: Vec<(&str, &str)> = hosts.split(',').map(name_and_port).collect::<Result<_, _>>()?;
    let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
    push_url_part(pairs, "host", &names.join(","))?;
    if all.iter().any(|(_, port)| !port.is_empty()) {
        let ports: Vec<&str> = all.iter().map(|(_, port)| *port).collect();
        push_url_part(pairs, "port", &ports.join(","))?;
    }
    Ok(())
}

fn name_and_port(host: &str) -> Result<(&str, &str), ConninfoError> {
    let Some(bracketed) = host.strip_prefix('[') else { return Ok(host.split_once(':').unwrap_or((host, ""))) };
    let Some((address, after)) = bracketed.split_once(']') else {
        let hint = "write an IPv6 address as [::1]";
        return Err(ConninfoError::Malformed { what: "\"[\" without \"]\" in the host", hint });
    };
    match after.strip_prefix(':') {
        Some(port) => Ok((address, port)),
        None if after.is_empty() => Ok((address, "")),
        None => {
            let hint = "after the address comes :port, /dbname or ?parameter=value";
            Err(ConninfoError::Malformed { what: "text after \"]\" in the host", hint })
        }
    }
}

fn push_parameter(pairs: &mut Vec<(String, String)>, parameter: &str) -> Result<(), ConninfoError> {
    let hint = "write parameters as ?name=value&name=value, with & and = percent-encoded inside values";
    let Some((name, value)) = parameter.split_once('=') else {
        return Err(ConninfoError::Malformed { what: "a parameter without \"=\" after \"?\"", hint });
    };
    if value.contains('=') {
        return Err(ConninfoError::Malformed { what: "a second \"=\" in a parameter after \"?\"", hint });
    }
    let name = percent_decode(name)?;
    // As libpq, for the URLs that JDBC users write.
    if name == "ssl" && value == "true" {
        pairs.push(("sslmode".to_owned(), "require".to_owned()));
        return Ok(());
    }
    pairs.push((name, percent_decode(value)?));
    Ok(())
}

/// Adds a part of the URL unless it is absent.
fn push_url_part(pairs: &mut Vec<(String, String)>, name: &str, encoded: &str) -> Result<(), ConninfoError> {
    if !encoded.is_empty() {
        pairs.push((name.to_owned(), percent_decode(encoded)?));
    }
    Ok(())
}

/// Percent-decodes; `%00` and invalid UTF-8 are refused as in libpq.
pub(super) fn percent_decode(encoded: &str) -> Result<String, ConninfoError> {
    let hint = "write % itself as %25";
    let malformed = |what| ConninfoError::Malformed { what, hint };
    let mut bytes = Vec::with_capacity(encoded.len());
    let mut rest = encoded.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let [Some(high), Some(low)] =
            [rest.next(), rest.next()].map(|byte| byte.and_then(|byte| char::from(byte).to_digit(16)))
        else {
            return Err(malformed("\"%\" without two hexadecimal digits"));
        };
        match u8::try_from(high * 16 + low) {
            Ok(0) | Err(_) => return Err(malformed("%00")),
            Ok(byte) => bytes.push(byte),
        }
    }
    String::from_utf8(bytes).map_err(|_| malformed("percent-encoded bytes that are not UTF-8"))
}
