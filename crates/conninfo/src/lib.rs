//! Connection strings as libpq reads them: URLs and `key=value` pairs, service files, the `PG*` environment variables,
//! password files, in libpq's order of precedence. Pure: the environment and the file system are arguments.
//!
//! Left out: GSSAPI, revocation lists, and passwords for keys.

mod elsewhere;
mod encryption;
mod error;
mod keywords;
mod libpq;
mod parameters;
mod passwords;
mod pgpass;
pub mod refusals;
mod reserved;
mod secret;
mod service;
mod session;
mod url;

use std::collections::BTreeMap;
use std::io;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use wire::ChannelBinding;

pub use elsewhere::{ForwardedConninfo, NotElsewhere};
pub use encryption::EncryptionMode;
pub use error::ConninfoError;
use parameters::{PARAMETERS, ParameterUse};
pub use passwords::{holds_password, without_passwords};
pub use reserved::RESERVED_SETTINGS;
pub use secret::Secret;
pub use session::SessionAttrs;

/// How long a host may take to let us in where nobody says.
const PATIENCE: Duration = Duration::from_secs(10);

/// What pgdyno is called on a server where nobody says otherwise.
const APPLICATION_NAME: &str = "pgdyno";

/// Where a server listens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServerHost {
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

/// How TCP notices a peer that is gone; `None` where the connection string does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct KeepAlive {
    /// Whether silent connections are probed.
    pub on: Option<bool>,
    /// How long they are silent before.
    pub idle: Option<Duration>,
    /// The pause between probes.
    pub interval: Option<Duration>,
    /// How many go unanswered.
    pub count: Option<u32>,
    /// How long sent bytes may go unacknowledged.
    pub user_timeout: Option<Duration>,
}

/// Everything needed to open a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnInfo {
    /// Where the server listens.
    pub host: ServerHost,
    /// Port number; for a unix socket, the number in its file name.
    pub port: u16,
    /// Role to log in as.
    pub user: String,
    /// Password, if any is known.
    pub password: Option<Secret>,
    /// Database.
    pub dbname: String,
    /// What the server shows in `pg_stat_activity`: pgdyno's own name, whatever the connection string says.
    pub application_name: String,
    /// Command-line options for the session (`-c name=value …`), spaces and backslashes escaped as libpq wants them.
    pub options: Option<String>,
    /// How long a connection attempt may take; none means no limit of its own.
    pub connect_timeout: Option<Duration>,
    /// Further hosts and ports, to be tried after the first.
    pub others: Vec<(ServerHost, u16)>,
    /// Whether clients are spread over the hosts (`load_balance_hosts=random`).
    pub spread: bool,
    /// Which of the hosts fit.
    pub session: SessionAttrs,
    /// How connections over TCP are encrypted.
    pub encryption: EncryptionMode,
    /// Whether a login is tied to the encryption.
    pub channel_binding: ChannelBinding,
    /// How TCP notices a peer that is gone.
    pub keepalive: KeepAlive,
    /// The network namespace that connections are made in, as a file that stands for it; none: that of this process.
    pub network_namespace: Option<PathBuf>,
    /// What is said about encryption and hosts, as environment variables for other programs that use libpq: what was
    /// said cannot be read off [`Self::encryption`] again.
    pub libpq: Vec<(&'static str, String)>,
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
pub struct ConninfoSurroundings<'a> {
    /// Environment variables.
    pub variables: &'a BTreeMap<String, String>,
    /// Name of the operating-system user.
    pub os_user: Option<&'a str>,
    /// Reads a file.
    pub read: &'a dyn Fn(&Path) -> io::Result<File>,
    /// The directory that holds the sockets of a server of this distribution.
    pub socket_directory: &'a Path,
}

impl ServerHost {
    /// A host name or address, to be looked up.
    #[must_use]
    pub fn tcp_from_name(name: impl Into<String>) -> Self {
        Self::Tcp { name: name.into(), address: None }
    }
}

impl ConninfoSurroundings<'_> {
    fn environment_variable(&self, name: &str) -> Option<String> {
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

type ParameterValues = BTreeMap<&'static str, String>;

/// Resolves a connection string as libpq would.
///
/// # Errors
/// Everything in [`ConninfoError`]; no message repeats a value that may be a secret.
pub fn resolve_connection_string(text: &str, around: &ConninfoSurroundings<'_>) -> Result<Resolved, ConninfoError> {
    let mut values = check_names(split_pairs(text)?)?;
    add_service(&mut values, around)?;
    for parameter in PARAMETERS {
        if let Some(value) = parameter.variable.and_then(|variable| around.environment_variable(variable)) {
            values.entry(parameter.name).or_insert(value);
        }
    }
    values.retain(|_, value| !value.is_empty());
    refuse_unsupported(&values)?;
    build_connection(&values, around)
}

/// What is wrong with a connection string whatever the machine: its form, an unknown or unsupported parameter, a value
/// that the parameter cannot have. What depends on the environment or on files is left to
/// [`resolve_connection_string`].
#[must_use]
pub fn error_in_text(text: &str) -> Option<ConninfoError> {
    let nothing = ConninfoSurroundings {
        variables: &BTreeMap::new(),
        os_user: Some("postgres"),
        read: &|_| Err(io::ErrorKind::NotFound.into()),
        socket_directory: Path::new("/"),
    };
    let error = values_in_text(text).and_then(|values| build_connection(&values, &nothing)).err()?;
    match error {
        ConninfoError::Malformed { .. }
        | ConninfoError::UnknownParameter { .. }
        | ConninfoError::UnsupportedParameter { .. }
        | ConninfoError::InvalidValue { .. } => Some(error),
        _ => None,
    }
}

/// The parameters that a connection string itself has, without those that are empty.
fn values_in_text(text: &str) -> Result<ParameterValues, ConninfoError> {
    let mut values = check_names(split_pairs(text)?)?;
    values.retain(|_, value| !value.is_empty());
    refuse_unsupported(&values)?;
    Ok(values)
}

/// The pairs of a connection string, in order.
fn split_pairs(text: &str) -> Result<Vec<(String, String)>, ConninfoError> {
    match url::strip_url_scheme(text.trim()) {
        Some(body) => url::parse_url_body(body),
        None => keywords::parse_keyword_pairs(text),
    }
}

/// Keeps the last value of each known parameter.
fn check_names(pairs: Vec<(String, String)>) -> Result<ParameterValues, ConninfoError> {
    let mut values = ParameterValues::new();
    for (name, value) in pairs {
        let Some(parameter) = parameters::find_parameter(&name) else {
            // After a password that lacks its quotes, an unknown name may be a piece of it.
            let plain = name.chars().all(|c| c.is_ascii_alphabetic() || c == '_');
            let safe = plain && !values.contains_key("password") && !values.contains_key("sslpassword");
            let nearest = parameters::nearest_parameter(&name);
            return Err(ConninfoError::UnknownParameter { name: safe.then_some(name), nearest });
        };
        values.insert(parameter.name, value);
    }
    Ok(values)
}

fn add_service(values: &mut ParameterValues, around: &ConninfoSurroundings<'_>) -> Result<(), ConninfoError> {
    let Some(name) = values.get("service").cloned().or_else(|| around.environment_variable("PGSERVICE")) else {
        return Ok(());
    };
    let file = values.get("servicefile").cloned().or_else(|| around.environment_variable("PGSERVICEFILE"));
    for (key, value) in check_names(service::find_service_pairs(&name, file.as_deref(), around)?)? {
        values.entry(key).or_insert(value);
    }
    Ok(())
}

fn refuse_unsupported(values: &ParameterValues) -> Result<(), ConninfoError> {
    for (name, value) in values {
        if let Some(ParameterUse::Only(accepted)) = parameters::find_parameter(name).map(|parameter| parameter.used)
            && !accepted.contains(&value.as_str())
        {
            return Err(ConninfoError::UnsupportedParameter { name, accepted });
        }
    }
    Ok(())
}

fn build_connection(values: &ParameterValues, around: &ConninfoSurroundings<'_>) -> Result<Resolved, ConninfoError> {
    let value = |name| values.get(name).map(String::as_str);
    let mut hosts = parse_hosts(value("host"), value("hostaddr"), value("port"), around)?;
    let (host, port) = hosts.remove(0);
    let over_tcp = std::iter::once(&host).chain(hosts.iter().map(|(host, _)| host)).any(is_tcp);
    let user = value("user").or(around.os_user).ok_or(ConninfoError::NoUser)?.to_owned();
    let mut conninfo = ConnInfo {
        host,
        port,
        password: value("password").map(Secret::new),
        dbname: value("dbname").unwrap_or(&user).to_owned(),
        user,
        application_name: APPLICATION_NAME.to_owned(),
        options: value("options").map(str::to_owned),
        connect_timeout: value("connect_timeout").map_or(Ok(None), connect_timeout)?,
        others: hosts,
        spread: one_of(
            value("load_balance_hosts"),
            "load_balance_hosts",
            "disable or random",
            &[("disable", false), ("random", true)],
        )?,
        session: SessionAttrs::parse(value("target_session_attrs"))?,
        encryption: if over_tcp { encryption::resolve_encryption(values, around)? } else { EncryptionMode::Never },
        channel_binding: channel_binding(value("channel_binding"))?,
        keepalive: parse_keepalive(&value)?,
        network_namespace: None,
        libpq: libpq::encryption_variables(values, over_tcp),
    };
    let mut warnings = Vec::new();
    if conninfo.password.is_none() {
        conninfo.password = password_from_file(value("passfile"), &conninfo, around, &mut warnings);
    }
    Ok(Resolved { conninfo, warnings })
}

/// As libpq: as many hosts as there are addresses or, failing those, names; one port for all or one for each.
fn parse_hosts(
    names: Option<&str>,
    addresses: Option<&str>,
    ports: Option<&str>,
    around: &ConninfoSurroundings<'_>,
) -> Result<Vec<(ServerHost, u16)>, ConninfoError> {
    let [names, addresses, ports] = [names, addresses, ports]
        .map(|text| text.map(|text| text.split(',').map(str::to_owned).collect::<Vec<String>>()));
    let count = addresses.as_ref().or(names.as_ref()).map_or(1, Vec::len);
    let (names, addresses) = (names.unwrap_or_default(), addresses.unwrap_or_default());
    let ports = ports.unwrap_or_default();
    let hint = "specify one of each per host, or one port for all hosts";
    if !names.is_empty() && names.len() != count {
        return Err(ConninfoError::Contradiction { what: "the numbers of host and hostaddr differ", hint });
    }
    if ports.len() > 1 && ports.len() != count {
        return Err(ConninfoError::Contradiction { what: "the numbers of host and port differ", hint });
    }
    (0..count)
        .map(|number| {
            let given = trimmed_text(ports.get(number).or(ports.first().filter(|_| ports.len() == 1)));
            let port = given.map_or(Ok(5432), parse_port)?;
            Ok((parse_host(trimmed_text(names.get(number)), trimmed_text(addresses.get(number)), around)?, port))
        })
        .collect()
}

/// None of an empty text.
fn trimmed_text(text: Option<&String>) -> Option<&str> {
    text.map(|text| text.trim()).filter(|text| !text.is_empty())
}

fn parse_host(
    host: Option<&str>,
    address: Option<&str>,
    around: &ConninfoSurroundings<'_>,
) -> Result<ServerHost, ConninfoError> {
    if let Some(address) = address {
        let expected = "an IPv4 or IPv6 address";
        let address: IpAddr =
            address.parse().map_err(|_| ConninfoError::InvalidValue { name: "hostaddr", expected })?;
        return Ok(ServerHost::Tcp {
            name: host.map_or_else(|| address.to_string(), str::to_owned),
            address: Some(address),
        });
    }
    match host {
        None => Ok(ServerHost::Unix(around.socket_directory.to_owned())),
        Some(directory) if directory.starts_with('/') => Ok(ServerHost::Unix(directory.into())),
        Some(name) if name.starts_with('@') => {
            Err(ConninfoError::InvalidValue { name: "host", expected: "a host name or the directory of a unix socket" })
        }
        Some(name) => Ok(ServerHost::tcp_from_name(name)),
    }
}

fn is_tcp(host: &ServerHost) -> bool {
    matches!(host, ServerHost::Tcp { .. })
}

fn parse_port(text: &str) -> Result<u16, ConninfoError> {
    match text.trim().parse() {
        Ok(0) | Err(_) => Err(ConninfoError::InvalidValue { name: "port", expected: "a number from 1 to 65535" }),
        Ok(port) => Ok(port),
    }
}

/// The meaning of a parameter that has a list of values, the first of which is the default.
fn one_of<T: Copy>(
    text: Option<&str>,
    name: &'static str,
    expected: &'static str,
    meanings: &[(&str, T)],
) -> Result<T, ConninfoError> {
    let wanted = text.unwrap_or(meanings[0].0);
    let found = meanings.iter().find(|(spelled, _)| *spelled == wanted);
    found.map(|(_, meaning)| *meaning).ok_or(ConninfoError::InvalidValue { name, expected })
}

fn channel_binding(text: Option<&str>) -> Result<ChannelBinding, ConninfoError> {
    let meanings = [
        ("prefer", ChannelBinding::Prefer),
        ("require", ChannelBinding::Require),
        ("disable", ChannelBinding::Disable),
    ];
    one_of(text, "channel_binding", "disable, prefer or require", &meanings)
}

/// As libpq: zero or less leaves it to the system.
fn parse_keepalive<'a>(value: &impl Fn(&'static str) -> Option<&'a str>) -> Result<KeepAlive, ConninfoError> {
    let number = |name: &'static str| -> Result<Option<u64>, ConninfoError> {
        let parsed = value(name).map(|text| text.trim().parse::<i64>()).transpose();
        let number = parsed.map_err(|_| ConninfoError::InvalidValue { name, expected: "a whole number" })?;
        Ok(number.and_then(|number| u64::try_from(number).ok()))
    };
    let positive = |name| Ok(number(name)?.filter(|&number| number > 0));
    Ok(KeepAlive {
        on: number("keepalives")?.map(|on| on != 0),
        idle: positive("keepalives_idle")?.map(Duration::from_secs),
        interval: positive("keepalives_interval")?.map(Duration::from_secs),
        count: positive("keepalives_count")?.map(|count| u32::try_from(count).unwrap_or(u32::MAX)),
        user_timeout: positive("tcp_user_timeout")?.map(Duration::from_millis),
    })
}

/// As libpq: zero or less means no limit, and 1 is rounded up to 2 seconds.
fn connect_timeout(text: &str) -> Result<Option<Duration>, ConninfoError> {
    let expected = "whole seconds";
    let seconds: i64 =
        text.trim().parse().map_err(|_| ConninfoError::InvalidValue { name: "connect_timeout", expected })?;
    Ok(u64::try_from(seconds).ok().filter(|&seconds| seconds > 0).map(|seconds| Duration::from_secs(seconds.max(2))))
}

fn password_from_file(
    passfile: Option<&str>,
    conninfo: &ConnInfo,
    around: &ConninfoSurroundings<'_>,
    warnings: &mut Vec<String>,
) -> Option<Secret> {
    let path = match passfile {
        Some(file) => PathBuf::from(file),
        None => Path::new(&around.environment_variable("HOME")?).join(".pgpass"),
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
        ServerHost::Unix(directory) if directory == around.socket_directory => "localhost".to_owned(),
        ServerHost::Unix(directory) => directory.display().to_string(),
        ServerHost::Tcp { name, .. } => name.clone(),
    };
    let port = conninfo.port.to_string();
    let wanted = pgpass::PgpassKey { host: &host, port: &port, dbname: &conninfo.dbname, user: &conninfo.user };
    pgpass::find_password(&file.text, &wanted).map(Secret::new)
}

impl ConnInfo {
    /// Logs in as `user` without a password and without encryption; change what else is wanted.
    #[must_use]
    pub fn new((host, port): (ServerHost, u16), user: impl Into<String>, dbname: impl Into<String>) -> Self {
        ConnInfo {
            host,
            port,
            user: user.into(),
            password: None,
            dbname: dbname.into(),
            application_name: APPLICATION_NAME.to_owned(),
            options: None,
            connect_timeout: None,
            others: Vec::new(),
            spread: false,
            session: SessionAttrs::Any,
            encryption: EncryptionMode::Never,
            channel_binding: ChannelBinding::Prefer,
            keepalive: KeepAlive::default(),
            network_namespace: None,
            libpq: vec![("PGSSLMODE", "disable".to_owned())],
        }
    }

    /// `host:port`, or the path of the socket: what errors and displays name. Several have commas between them.
    #[must_use]
    pub fn display_address(&self) -> String {
        self.all_hosts().map(|(host, port)| address_of_host(host, port)).collect::<Vec<_>>().join(",")
    }

    /// How long one host may take to let us in: what `connect_timeout` says, else 10 s.
    #[must_use]
    pub fn timeout_per_host(&self) -> Duration {
        self.connect_timeout.unwrap_or(PATIENCE)
    }

    /// All hosts and their ports, in the order in which they are tried.
    pub fn all_hosts(&self) -> impl Iterator<Item = (&ServerHost, u16)> {
        std::iter::once((&self.host, self.port)).chain(self.others.iter().map(|(host, port)| (host, *port)))
    }

    /// A connection string for people: everything but the password.
    #[must_use]
    pub fn redacted_connection_string(&self) -> String {
        let (host, port) = self.host_and_port();
        format!("host={host} port={port} user={} dbname={}", self.user, self.dbname)
    }

    /// The same connection with settings for its sessions added to its `options`.
    #[must_use]
    pub fn with_session_settings(mut self, settings: &BTreeMap<String, String>) -> Self {
        let added = settings.iter().map(|(name, value)| format!("-c {name}={}", escape_option(value)));
        let all: Vec<String> = self.options.take().into_iter().chain(added).collect();
        self.options = (!all.is_empty()).then(|| all.join(" "));
        self
    }
}

/// The unix socket of the server with this port in a directory.
#[must_use]
pub fn unix_socket_path(directory: &Path, port: u16) -> PathBuf {
    directory.join(format!(".s.PGSQL.{port}"))
}

/// Where one host listens: `host:port`, or the path of the socket.
#[must_use]
pub fn address_of_host(host: &ServerHost, port: u16) -> String {
    match host {
        ServerHost::Unix(directory) => unix_socket_path(directory, port).display().to_string(),
        ServerHost::Tcp { name, .. } if name.contains(':') => format!("[{name}]:{port}"),
        ServerHost::Tcp { name, .. } => format!("{name}:{port}"),
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
