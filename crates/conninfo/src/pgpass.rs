//! Password files: lines `hostname:port:database:username:password`, the first that matches wins.

/// What is looked up: each is matched literally or by `*`.
pub(super) struct PgpassKey<'a> {
    /// Host name, or the socket directory, or `localhost` for the default one.
    pub(super) host: &'a str,
    /// Port as text.
    pub(super) port: &'a str,
    /// Database name.
    pub(super) dbname: &'a str,
    /// User name.
    pub(super) user: &'a str,
}

/// The password of the first matching line.
pub(super) fn find_password(text: &str, wanted: &PgpassKey<'_>) -> Option<String> {
    text.lines().filter(|line| !line.starts_with('#')).find_map(|line| {
        let mut rest = line.strip_suffix('\r').unwrap_or(line);
        for literal in [wanted.host, wanted.port, wanted.dbname, wanted.user] {
            rest = match_field(rest, literal)?;
        }
        (!rest.is_empty()).then(|| unescape_field(rest))
    })
}

/// What follows the colon after a first field that equals `literal` or is `*`.
fn match_field<'a>(line: &'a str, literal: &str) -> Option<&'a str> {
    let mut escaped = false;
    let end = line.find(|c: char| {
        let ends = c == ':' && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    })?;
    let field = &line[..end];
    (field == "*" || unescape_field(field) == literal).then(|| &line[end + 1..])
}

/// Drops the backslashes that escape `:` and `\`.
fn unescape_field(field: &str) -> String {
    let mut characters = field.chars();
    let mut plain = String::new();
    while let Some(c) = characters.next() {
        plain.push(if c == '\\' { characters.next().unwrap_or(c) } else { c });
    }
    plain
}
