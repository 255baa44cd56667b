//! Connection strings as libpq reads them: URLs and `key=value` pairs, service files, the `PG*` environment variables,
//! password files, in libpq's order of precedence. Pure: the environment and the file system are arguments.
//!
//! Left out for now: TLS (`sslmode=require` and up is refused), several hosts, `target_session_attrs`.

mod error;
mod keywords;
mod parameters;
mod pgpass;
mod secret;
mod service;
mod url;

use std::collections::BTreeMap;
use std::io;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use error::ConninfoError;
use parameters::{PARAMETERS, Use};
pub use secret::Secret;

/// Where a server listens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Host {
    /// A directory with unix sockets.
    Unix(PathBuf),
    /// A host name or address.
    Tcp {
        /// The name as given.
        name: String,
        /// The address to use instead of resolving the name (`hostaddr`).
        address: Option<IpAddr>,
    },
}

/// Whether a connection must, may or must not be encrypted.
///
/// Only the modes that a plain connection satisfies exist so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SslMode {
    /// Never encrypt.
    Disable,
    /// Encrypt only if the server insists.
    Allow,
    /// Encrypt if the server can; a plain connection will do.
    Prefer,
}

/// Everything needed to open a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnInfo {
    /// Where the server listens.
    pub host: Host,
    /// Port number; for a unix socket, the number in its file name.
    pub port: u16,
    /// Role to log in as.
    pub user: String,
    /// Password, if any is known.
    pub password: Option<Secret>,
    /// Database.
    pub dbname: String,
    /// Command-line options for the session (`-c name=value …`), spaces and backslashes escaped as libpq wants them.
    pub options: Option<String>,
    /// How long a connection attempt may take; none means no limit of its own.
    pub connect_timeout: Option<Duration>,
    /// Encryption.
    pub sslmode: SslMode,
}

/// A text file with what libpq checks before it trusts it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Its content.
    pub text: String,
    /// Permission bits.
    pub mode: u32,
}

/// What a connection string means depends on these.
pub struct Surroundings<'a> {
    /// Environment variables.
    pub variables: &'a BTreeMap<String, String>,
    /// Name of the operating-system user.
    pub os_user: Option<&'a str>,
    /// Reads a file.
    pub read: &'a dyn Fn(&Path) -> io::Result<File>,
    /// The directory that holds the sockets of a server of this distribution.
    pub socket_directory: &'a Path,
}

impl Surroundings<'_> {
    fn var(&self, name: &str) -> Option<String> {
        self.variables.get(name).filter(|value| !value.is_empty()).cloned()
    }
}

/// A connection, and what was ignored on the way that the user should hear about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved {
    /// The connection.
    pub conninfo: ConnInfo,
    /// Sentences, each about one thing that was ignored; without secrets.
    pub warnings: Vec<String>,
}

type Values = BTreeMap<&'static str, String>;

/// Resolves a connection string as libpq would.
///
/// # Errors
/// Everything in [`ConninfoError`]; no message repeats a value that may be a secret.
pub fn resolve(text: &str, around: &Surroundings<'_>) -> Result<Resolved, ConninfoError> {
    let pairs = match url::body(text.trim()) {
        Some(body) => url::parse(body)?,
        None => keywords::parse(text)?,
    };
    let mut values = check_names(pairs)?;
    add_service(&mut values, around)?;
    for parameter in PARAMETERS {
        if let Some(value) = parameter.variable.and_then(|variable| around.var(variable)) {
            values.entry(parameter.name).or_insert(value);
        }
    }
    values.retain(|_, value| !value.is_empty());
    refuse_unsupported(&values)?;
    build(&values, around)
}

/// The same connection string without its passwords, as `key='value'` pairs, for a plan that is written to disk.
/// What cannot be parsed is replaced as a whole.
#[must_use]
pub fn without_passwords(text: &str) -> String {
    let pairs = match url::body(text.trim()) {
        Some(body) => url::parse(body),
        None => keywords::parse(text),
    };
    let Ok(pairs) = pairs.and_then(check_names) else { return "(unreadable)".to_owned() };
    let kept = pairs.iter().filter(|(name, _)| !matches!(**name, "password" | "sslpassword"));
    let shown: Vec<_> = kept.map(|(name, value)| format!("{name}={}", keywords::quote(value))).collect();
    shown.join(" ")
}

/// Keeps the last value of each known parameter.
fn check_names(pairs: Vec<(String, String)>) -> Result<Values, ConninfoError> {
    let mut values = Values::new();
    for (name, value) in pairs {
        let Some(parameter) = parameters::find(&name) else {
            // After a password that lacks its quotes, an unknown name may be a piece of it.
            let plain = name.chars().all(|c| c.is_ascii_alphabetic() || c == '_');
            let safe = plain && !values.contains_key("password") && !values.contains_key("sslpassword");
            let nearest = parameters::nearest(&name);
            return Err(ConninfoError::UnknownParameter { name: safe.then_some(name), nearest });
        };
        values.insert(parameter.name, value);
    }
    Ok(values)
}

fn add_service(values: &mut Values, around: &Surroundings<'_>) -> Result<(), ConninfoError> {
    let Some(name) = values.get("service").cloned().or_else(|| around.var("PGSERVICE")) else { return Ok(()) };
    let file = values.get("servicefile").cloned().or_else(|| around.var("PGSERVICEFILE"));
    for (key, value) in check_names(service::lookup(&name, file.as_deref(), around)?)? {
        values.entry(key).or_insert(value);
    }
    Ok(())
}

fn refuse_unsupported(values: &Values) -> Result<(), ConninfoError> {
    for (name, value) in values {
        if let Some(Use::Only(accepted)) = parameters::find(name).map(|parameter| parameter.used)
            && !accepted.contains(&value.as_str())
        {
            return Err(ConninfoError::UnsupportedParameter { name, accepted });
        }
    }
    Ok(())
}

fn build(values: &Values, around: &Surroundings<'_>) -> Result<Resolved, ConninfoError> {
    let value = |name| values.get(name).map(String::as_str);
    let host = host(value("host"), value("hostaddr"), around)?;
    let port = value("port").map_or(Ok(5432), port)?;
    let user = value("user").or(around.os_user).ok_or(ConninfoError::NoUser)?.to_owned();
    let mut conninfo = ConnInfo {
        host,
        port,
        password: value("password").map(Secret::new),
        dbname: value("dbname").unwrap_or(&user).to_owned(),
        user,
        options: value("options").map(str::to_owned),
        connect_timeout: value("connect_timeout").map_or(Ok(None), connect_timeout)?,
        sslmode: value("sslmode").map_or(Ok(SslMode::Prefer), ssl_mode)?,
    };
    let mut warnings = Vec::new();
    if conninfo.password.is_none() {
        conninfo.password = password_from_file(value("passfile"), &conninfo, around, &mut warnings);
    }
    Ok(Resolved { conninfo, warnings })
}

fn host(host: Option<&str>, address: Option<&str>, around: &Surroundings<'_>) -> Result<Host, ConninfoError> {
    if host.is_some_and(|host| host.contains(',')) || address.is_some_and(|address| address.contains(',')) {
        return Err(ConninfoError::SeveralHosts);
    }
    if let Some(address) = address {
        let expected = "an IPv4 or IPv6 address";
        let address: IpAddr =
            address.parse().map_err(|_| ConninfoError::InvalidValue { name: "hostaddr", expected })?;
        return Ok(Host::Tcp { name: host.map_or_else(|| address.to_string(), str::to_owned), address: Some(address) });
    }
    match host {
        None => Ok(Host::Unix(around.socket_directory.to_owned())),
        Some(directory) if directory.starts_with('/') => Ok(Host::Unix(directory.into())),
        Some(name) if name.starts_with('@') => {
            Err(ConninfoError::InvalidValue { name: "host", expected: "a host name or the directory of a unix socket" })
        }
        Some(name) => Ok(Host::Tcp { name: name.to_owned(), address: None }),
    }
}

fn port(text: &str) -> Result<u16, ConninfoError> {
    if text.contains(',') {
        return Err(ConninfoError::SeveralHosts);
    }
    match text.trim().parse() {
        Ok(0) | Err(_) => Err(ConninfoError::InvalidValue { name: "port", expected: "a number from 1 to 65535" }),
        Ok(port) => Ok(port),
    }
}

/// As libpq: zero or less means no limit, and 1 is rounded up to 2 seconds.
fn connect_timeout(text: &str) -> Result<Option<Duration>, ConninfoError> {
    let expected = "whole seconds";
    let seconds: i64 =
        text.trim().parse().map_err(|_| ConninfoError::InvalidValue { name: "connect_timeout", expected })?;
    Ok(u64::try_from(seconds).ok().filter(|&seconds| seconds > 0).map(|seconds| Duration::from_secs(seconds.max(2))))
}

fn ssl_mode(text: &str) -> Result<SslMode, ConninfoError> {
    match text {
        "disable" => Ok(SslMode::Disable),
        "allow" => Ok(SslMode::Allow),
        "prefer" => Ok(SslMode::Prefer),
        "require" => Err(ConninfoError::TlsUnsupported { mode: "require" }),
        "verify-ca" => Err(ConninfoError::TlsUnsupported { mode: "verify-ca" }),
        "verify-full" => Err(ConninfoError::TlsUnsupported { mode: "verify-full" }),
        _ => Err(ConninfoError::InvalidValue {
            name: "sslmode",
            expected: "disable, allow, prefer, require, verify-ca or verify-full",
        }),
    }
}

fn password_from_file(
    passfile: Option<&str>,
    conninfo: &ConnInfo,
    around: &Surroundings<'_>,
    warnings: &mut Vec<String>,
) -> Option<Secret> {
    let path = match passfile {
        Some(file) => PathBuf::from(file),
        None => Path::new(&around.var("HOME")?).join(".pgpass"),
    };
    let file = match (around.read)(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
        Err(error) => {
            warnings.push(format!("password file {} was ignored: {error}", path.display()));
            return None;
        }
    };
    if file.mode & 0o077 != 0 {
        let path = path.display();
        warnings.push(format!("password file {path} was ignored: it has group or world access; chmod 0600 it"));
        return None;
    }
    let host = match &conninfo.host {
        Host::Unix(directory) if directory == around.socket_directory => "localhost".to_owned(),
        Host::Unix(directory) => directory.display().to_string(),
        Host::Tcp { name, .. } => name.clone(),
    };
    let port = conninfo.port.to_string();
    let wanted = pgpass::Wanted { host: &host, port: &port, dbname: &conninfo.dbname, user: &conninfo.user };
    pgpass::lookup(&file.text, &wanted).map(Secret::new)
}

impl ConnInfo {
    /// `host:port`, or the path of the socket: what errors and displays name.
    #[must_use]
    pub fn address(&self) -> String {
        match &self.host {
            Host::Unix(directory) => directory.join(format!(".s.PGSQL.{}", self.port)).display().to_string(),
            Host::Tcp { name, .. } if name.contains(':') => format!("[{name}]:{}", self.port),
            Host::Tcp { name, .. } => format!("{name}:{}", self.port),
        }
    }

    /// A connection string for people: everything but the password.
    #[must_use]
    pub fn redacted(&self) -> String {
        let host = match &self.host {
            Host::Unix(directory) => directory.display().to_string(),
            Host::Tcp { name, .. } => name.clone(),
        };
        format!("host={host} port={} user={} dbname={}", self.port, self.user, self.dbname)
    }

    /// The same connection with settings for its sessions added to its `options`.
    #[must_use]
    pub fn with_session_settings(mut self, settings: &BTreeMap<String, String>) -> Self {
        let added = settings.iter().map(|(name, value)| format!("-c {name}={}", escape_option(value)));
        let all: Vec<String> = self.options.take().into_iter().chain(added).collect();
        self.options = (!all.is_empty()).then(|| all.join(" "));
        self
    }

    /// The connection for the control plane.
    #[must_use]
    pub fn control(&self) -> tokio_postgres::Config {
        let mut config = tokio_postgres::Config::new();
        match &self.host {
            Host::Unix(directory) => config.host_path(directory),
            Host::Tcp { name, .. } => config.host(name),
        };
        if let Host::Tcp { address: Some(address), .. } = &self.host {
            config.hostaddr(*address);
        }
        config.port(self.port).user(&self.user).dbname(&self.dbname).application_name("pgdyno");
        config.ssl_mode(tokio_postgres::config::SslMode::Disable);
        if let Some(password) = &self.password {
            config.password(password.expose());
        }
        if let Some(options) = &self.options {
            config.options(options);
        }
        if let Some(timeout) = self.connect_timeout {
            config.connect_timeout(timeout);
        }
        config
    }
}

/// The server splits `options` at white space; a backslash takes the next character literally.
fn escape_option(value: &str) -> String {
    value.chars().fold(String::new(), |mut escaped, c| {
        if c == '\\' || c.is_ascii_whitespace() {
            escaped.push('\\');
        }
        escaped.push(c);
        escaped
    })
}

#[cfg(test)]
mod tests;
